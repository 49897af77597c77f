"""Sessions made of events, for tests of the transcript pane."""

from itertools import count

from toolpost.types.events import (
    MessageEnd,
    MessageStart,
    MessageUpdate,
    PermissionAsked,
    PermissionReplied,
    Retry,
    RunEnd,
    RunStart,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from toolpost.types.messages import (
    Completed,
    ErrorInfo,
    Message,
    Pending,
    ReasoningPart,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
)
from toolpost.view.changes import NOTHING
from toolpost.view.transcript import TranscriptView


def messages(start, end, text="answer"):
    """Stored messages of runs: a prompt, and an answer with a call."""
    found = []
    for number in range(start, end):
        parent = f"a{number - 1}" if number else None
        call = ToolPart(f"c{number}", "bash", Completed({"command": "ls"}, (TextPart(f"row {number}\nrow"),), 0.0, 1.0))
        parts = (StepStart(1, "m"), ReasoningPart(f"thought {number}"), call, TextPart(f"{text} {number}"))
        found.append(Message(f"p{number}", "user", (TextPart(f"question {number}"),), parent))
        found.append(Message(f"a{number}", "assistant", (*parts, StepFinish("stop")), f"p{number}"))
    return found


class Story:
    """A session that goes on event by event. Each step feeds the view; `take` has what changed since the last time."""

    def __init__(self, stored=()):
        self.view = TranscriptView("s")
        self.view.open(stored)
        self.changes = NOTHING
        self.events = []
        self._numbers = count(1)
        self._last = stored[-1].id if stored else None
        self._open = []
        self._asks = []
        self.message = ""
        self.calls = []

    def take(self):
        changes, self.changes = self.changes, NOTHING
        return changes

    def feed(self, kind, *values, **more):
        self.events.append(kind(next(self._numbers), "s", 1.0, *values, **more))
        self.changes += self.view.feed(self.events[-1])

    def say(self, text, parent=""):
        """A prompt; `parent` to go back."""
        self.end_answer()
        id = f"said{next(self._numbers)}"
        self.feed(RunStart, f"run-{id}", "m")
        message = Message(id, "user", (TextPart(text),), parent or self._last)
        self.feed(MessageStart, message)
        self.feed(MessageEnd, message)
        self._last = id

    def start_answer(self):
        if not self.message:
            self.message = f"answer{next(self._numbers)}"
            self._parts = [StepStart(1, "m")]
            self.feed(MessageStart, Message(self.message, "assistant", (StepStart(1, "m"),), self._last))

    def write(self, text, kind="text"):
        """A piece of a text or of reasoning."""
        self.start_answer()
        part = TextPart if kind == "text" else ReasoningPart
        if not isinstance(self._parts[-1], part):
            self._parts.append(part(""))
        self._parts[-1] = part(self._parts[-1].text + text)
        self.feed(MessageUpdate, self.message, len(self._parts) - 1, kind, text)

    def call(self, command="make"):
        self.start_answer()
        id = f"call{next(self._numbers)}"
        self._parts.append(ToolPart(id, "bash", Pending("{}")))
        self.feed(ToolCalled, self.message, id, "bash", {"command": command})
        self.feed(ToolExecutionStart, self.message, id, "bash", {"command": command})
        self.calls.append((self.message, id))

    def print(self, text):
        if self.calls:
            self.feed(ToolExecutionUpdate, self.calls[-1][1], "bash", text)

    def end_call(self, text="done"):
        if self.calls:
            message, id = self.calls.pop()
            self.feed(ToolExecutionEnd, message, id, "bash", (TextPart(text),), 0.1)

    def ask(self):
        self._asks.append(f"ask{next(self._numbers)}")
        self.feed(PermissionAsked, self._asks[-1], "bash", ("rm *",), ())

    def reply(self):
        if self._asks:
            self.feed(PermissionReplied, self._asks.pop(0), "once")

    def retry(self):
        self.feed(Retry, 1, 1.0, 2.0, ErrorInfo("busy", "the provider is busy"))

    def end_answer(self):
        if self.message:
            whole = Message(self.message, "assistant", (*self._parts, StepFinish("stop")), self._last)
            self.feed(MessageEnd, whole)
            self._last, self.message = self.message, ""

    def end_run(self):
        while self.calls:
            self.end_call()
        self.end_answer()
        self._asks.clear()
        self.feed(RunEnd, f"run{next(self._numbers)}", "done")

    def prepend(self, stored):
        self.changes += self.view.prepend(stored)
