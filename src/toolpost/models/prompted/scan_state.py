"""The state that the parts of one scan share: text, offered tools, emitted events."""

import json
from typing import Any

from toolpost.types.ids import new_id
from toolpost.types.stream import (
    ReasoningDelta,
    StreamEvent,
    TextDelta,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

from .call_repair import RepairedCall, repair_call, unreadable_call
from .incremental_reader import Markers, TextReader
from .tool_matching import PromptedTools

# How often a broken call may be cut at its end tag and the rest be read anew; each costs a look at the rest.
MAX_CUTS = 50


class Scan:
    """One scan of one model turn."""

    def __init__(self, offer: PromptedTools, dialect: str | None, openers: Markers, closers: Markers) -> None:
        self.offer = offer
        self.dialect = dialect
        self.openers = openers
        self.closers = closers
        self.outbox = Outbox()
        self.reader = TextReader(self.outbox.taken)
        # The model ran into its length limit: what is still open at the end must not run.
        self.cut_off = False
        # The marker that was read last.
        self.opener = ""
        # Whom the message is for, where it has a header that says so.
        self.addressed = ""
        # A token that wraps text was seen, so its companions are not text either.
        self.wrapped = False
        # The text holds a final answer beside its action: neither is to be believed.
        self.answered = False
        # A call did not come to its own end.
        self.unfinished = False
        self._cuts = 0

    def give(self, call: RepairedCall, *, whole: bool) -> None:
        """Give out a call that is known only now that it has ended."""
        shown = json.dumps(call.arguments, ensure_ascii=False)
        opened = self.outbox.open(call.name)
        opened.delta(shown)
        opened.end(self._final(call, whole), shown)

    def end(self, opened: "OpenCall", call: RepairedCall, raw: str, *, whole: bool) -> None:
        opened.end(self._final(call, whole), raw)

    def end_json(self, opened: "OpenCall", text: str, *, whole: bool, carried: str = "") -> None:
        """End a call whose arguments are the JSON `text`, or as much of it as belongs to the call."""
        call = repair_call(opened.name, text, self.offer, whole=whole, carried=carried)
        if (call.problem or call.mended) and (whole or not self.cut_off):
            # A quote that is missing lets a string run on over the end of its call: that end is the better guide.
            found = self.closers.search(text, 0)
            if found and self._cuts < MAX_CUTS:
                self._cuts += 1
                whole = True
                self.reader.push_back(text[found.start() :])
                text = text[: found.start()]
                call = repair_call(opened.name, text, self.offer, whole=False, carried=carried)
        self.end(opened, call, text, whole=whole)

    def _final(self, call: RepairedCall, whole: bool) -> RepairedCall:
        self.unfinished = self.unfinished or not whole
        if whole or call.problem:
            return call
        if self.cut_off:
            return unreadable_call(call.name, self.offer, "the call was cut off", call.carried)
        if not self.offer.valid(call.name, call.arguments):
            return unreadable_call(call.name, self.offer, "the call does not come to its end", call.carried)
        return call._replace(mended=True)


class Outbox:
    """Keeps the raw text of what is being read until it is settled (it was a call) or released (it was not)."""

    def __init__(self) -> None:
        self.calls = 0
        # Something was said that can be seen.
        self.spoke = False
        self._events: list[StreamEvent] = []
        self._raw: list[str] = []
        self._dropping = False
        self._passing = False
        self._trial: _Trial | None = None

    def drain(self) -> list[StreamEvent]:
        events, self._events = self._events, []
        return events

    def say(self, text: str) -> None:
        if text:
            self.spoke = self.spoke or not text.isspace()
            self.put(TextDelta(text))

    def think(self, text: str) -> None:
        if text:
            self.put(ReasoningDelta(text))

    def taken(self, text: str) -> None:
        """A parser took `text`: it may have to be given out as text after all."""
        if self._passing:
            self._events.append(TextDelta(text))
            return
        if self._trial is not None:
            self._trial.raw.append(text)
        if not self._dropping:
            self._raw.append(text)

    def settle(self) -> None:
        """What was taken was a marker or a call: drop it."""
        self._raw.clear()
        self._dropping = False

    def release(self) -> str:
        """What was taken was text: give it out, and return it."""
        text = "".join(self._raw)
        self.settle()
        self.say(text)
        return text

    @property
    def pending(self) -> bool:
        """Whether something was taken of which it is not known what it is."""
        return bool(self._raw)

    def begin_trial(self) -> None:
        """From here on nothing goes out before `end_trial` or `reject`."""
        self._trial = _Trial(self._raw)

    @property
    def rejected(self) -> bool:
        """Whether the trial is lost, and the parser only goes on to the end of the text that it took for a call."""
        return self._passing

    def holds_one_valid(self, offer: PromptedTools) -> bool:
        """Whether the trial holds one call and no more, and it can run as it is."""
        calls = [event for event in self._trial.events if isinstance(event, ToolCall)] if self._trial else []
        return len(calls) == 1 and not calls[0].raw and offer.valid(calls[0].name, calls[0].arguments)

    def reject(self) -> None:
        """The trial was about text: out with it, and whatever the parser still takes follows as text."""
        if self._trial is None:
            return
        text = "".join(self._trial.raw)
        self.calls -= self._trial.calls
        self._trial = None
        self.settle()
        self.say(text)
        self._passing = True

    def end_trial(self, *, accept: bool) -> bool:
        """Return whether it was accepted, and not rejected before."""
        if accept and self._trial is not None:
            self._events += self._trial.events
        else:
            self.reject()
            accept = False
        self._trial = None
        self._passing = False
        self.settle()
        return accept

    def open(self, name: str) -> "OpenCall":
        """A call of this tool has certainly begun: its arguments may go out as they come."""
        self._raw.clear()
        self._dropping = True
        return OpenCall(self, name)

    def put(self, event: StreamEvent) -> None:
        if self._trial is not None:
            self._trial.events.append(event)
        elif not self._passing:
            self._events.append(event)

    def count(self) -> None:
        if self._trial is not None:
            self._trial.calls += 1
        if not self._passing:
            self.calls += 1


class OpenCall:
    """A call whose arguments are still coming."""

    __slots__ = ("_id", "_outbox", "name")

    def __init__(self, outbox: Outbox, name: str) -> None:
        self._id = new_id("call")
        self._outbox = outbox
        self.name = name
        outbox.put(ToolInputStart(self._id, name))

    def delta(self, text: str) -> None:
        if text:
            self._outbox.put(ToolInputDelta(self._id, text))

    def end(self, call: RepairedCall, raw: str) -> None:
        metadata: dict[str, Any] = {}
        if call.carried:
            metadata["id"] = call.carried
        if call.mended:
            metadata["mended"] = True
        if call.problem:
            metadata["problem"] = call.problem
        self._outbox.put(ToolInputEnd(self._id))
        # An empty `raw` would pass for a call without arguments.
        raw = (raw or "{") if call.problem else ""
        self._outbox.put(
            ToolCall(self._id, self.name, call.arguments, raw, {"prompted": metadata} if metadata else None)
        )
        self._outbox.count()
        self._outbox.settle()


class _Trial:
    __slots__ = ("calls", "events", "raw")

    def __init__(self, raw: list[str]) -> None:
        self.calls = 0
        self.events: list[StreamEvent] = []
        self.raw = list(raw)
