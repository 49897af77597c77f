"""Render the events of a run as text for a terminal or a pipe, or as lines of JSON."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any, Literal

from toolpost.tools.output_file import session_folder
from toolpost.types.events import (
    CompactionEnd,
    CompactionStart,
    Event,
    MessageEnd,
    MessageUpdate,
    Notice,
    Retry,
    RunEnd,
    StepStarted,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
    event_encoder,
)
from toolpost.types.messages import FilePart, RetryPart
from toolpost.workspace import outputs_folder

from .call_text import NO_OUTPUT, arguments_line, changed_lines, more_lines, notices_in, result_lines, seconds
from .escape_codes import clean, exact, exact_line, last_state
from .language import shown
from .markdown import Markdown
from .model_files import keep_file
from .tables import fit
from .terminal_writer import CYAN, DIM, RED, YELLOW, TerminalWriter

RESULT_LINES = 6
LIVE_LINES = 8
TAIL_LINES = 4
# Calls that run side by side are shown one below the other when they end, unless they take longer than this.
HEADER_DELAY = 0.2

Kind = Literal["", "text", "reasoning", "calls", "file", "notice"]


class JsonEventWriter:
    """Write every event as one line of JSON, for `--format json`."""

    def __init__(self, pen: TerminalWriter) -> None:
        self._pen = pen

    def handle(self, event: Event) -> None:
        self._pen.put_bytes(event_encoder.encode(event) + b"\n")


class Transcript:
    """Write the events of a session as text for a person.

    A person sees an answer grow, and is told where it broke off and began again. A program can't be told, so it gets
    what stands: an answer is written once its message is whole.

    `show_answer=False` where the answer is printed by somebody else, at the end. `hidden` are calls that are not shown.
    """

    def __init__(
        self,
        answer: TerminalWriter,
        side: TerminalWriter,
        *,
        show_answer: bool = True,
        hidden: frozenset[str] = frozenset(),
    ) -> None:
        self._answer = answer
        self._side = side
        self._show_answer = show_answer
        self._hidden = hidden
        self._kind: Kind = ""
        self._markdown = Markdown() if answer.has_colours else None
        self._calls: dict[str, _Call] = {}
        self._shown: _Call | None = None
        self._held: list[Event] | None = None
        self._unsettled: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def handle(self, event: Event) -> None:
        if self._held is not None:
            self._held.append(event)
            return
        match event:
            case MessageUpdate(kind="text"):
                self._text(event.text)
            case MessageUpdate(kind="reasoning"):
                self._reasoning(event.text)
            case MessageEnd():
                self._message_end(event)
            case ToolCalled():
                self._calls[event.call_id] = _Call(event.name, event.arguments)
            case ToolExecutionStart():
                self._call_start(event)
            case ToolExecutionUpdate():
                self._call_update(event)
            case ToolExecutionEnd():
                self._call_end(event)
            case Retry():
                self.notice(f"retrying in {event.delay:.0f} s (attempt {event.attempt}): {event.error.message}")
            case CompactionStart():
                why = "" if event.reason == "asked" else "the conversation is long: "
                self.notice(f"{why}summarising it")
            case CompactionEnd(error=error) if error is not None:
                self.notice(f"cannot summarise the conversation: {error.message}")
            case Notice():
                self.notice(event.text)
            case StepStarted() | RunEnd():
                self._calls.clear()
            case _:
                pass

    def hold(self) -> None:
        """Show nothing until `release`: a person is being asked something."""
        self._close_text()
        if self._held is None:
            self._held = []

    def release(self) -> None:
        held, self._held = self._held or [], None
        for event in held:
            self.handle(event)

    def notice(self, text: str) -> None:
        self._enter("notice")
        self._side.line(self._side.style(exact(shown(text)), YELLOW))

    def end(self) -> None:
        """Finish the line and the run."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._settle_text()
        self._close_text()
        self._kind = ""

    def _text(self, text: str) -> None:
        if not self._show_answer:
            return
        if not self._answer.is_terminal:
            self._unsettled.append(text)
            return
        if self._kind != "text":
            text = text.lstrip("\n")
        if not text:
            return
        self._enter("text")
        if self._markdown is not None:
            self._answer.put(self._markdown.feed(clean(text)))
        else:
            self._answer.write(text)

    def _settle_text(self) -> None:
        """Write the text that was held back for a program."""
        text, self._unsettled = "".join(self._unsettled), []
        if text:
            self._enter("text")
            self._answer.write(text)

    def _reasoning(self, text: str) -> None:
        """A person may watch the model think; a program wants only the answer."""
        if not self._answer.is_terminal:
            return
        if self._kind != "reasoning":
            text = text.lstrip("\n")
        if text:
            self._enter("reasoning")
            self._answer.put(self._answer.style(clean(text), DIM))

    def _message_end(self, event: MessageEnd) -> None:
        message = event.message
        failed = isinstance(message.parts[-1], RetryPart) if message.parts else False
        if failed:
            self._unsettled.clear()
        self._settle_text()
        self._close_text()
        if failed and message.text and self._show_answer and self._answer.is_terminal:
            self.notice("the answer was cut off; it starts again below")
        elif message.role == "assistant" and not failed:
            for place, part in enumerate(message.parts):
                if isinstance(part, FilePart):
                    self._file(part, event.session_id, f"{message.id}-{place}")

    def _file(self, part: FilePart, session_id: str, name: str) -> None:
        """Save a file of the answer and write its path."""
        where, problem = keep_file(part, session_folder(outputs_folder(), session_id), name)
        if problem:
            self.notice(f"cannot save a file from the model ({part.mime}): {problem}")
            return
        pen = self._answer if self._show_answer else self._side
        self._enter("file")
        about = pen.style(f"{clean(part.mime)}: ", DIM) if pen.is_terminal else ""
        pen.line(about + exact_line(where))

    def _call_start(self, event: ToolExecutionStart) -> None:
        call = self._call(event.call_id, event.name)
        call.arguments = event.arguments
        call.is_running = True
        if len(self._calls) == 1:
            self._header(call)
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HEADER_DELAY, self._late_headers)

    def _call_update(self, event: ToolExecutionUpdate) -> None:
        call = self._call(event.call_id, event.name)
        if call.name in self._hidden:
            return
        for line in call.take(event.text):
            self._header(call)
            self._body(line)

    def _call_end(self, event: ToolExecutionEnd) -> None:
        call = self._call(event.call_id, event.name)
        self._calls.pop(event.call_id, None)
        if event.name in self._hidden:
            return
        self._header(call)
        took = f"  {seconds(event.duration)}" if event.duration else ""
        if event.is_error:
            self._failure(event, took)
        else:
            self._result(event, call, took)
        for notice in notices_in(event.details):
            self._side.line(self._side.style(f"  {shown(f'note: {exact_line(notice)}')}", YELLOW))
        if self._shown is call:
            self._shown = None

    def _failure(self, event: ToolExecutionEnd, took: str) -> None:
        first, *rest = result_lines(event.content)
        side = self._side
        mark = f"  ✗ {event.error_kind or 'failed'}: "
        side.line(side.style(fit(mark + first, side.width - len(took)), RED) + side.style(took, DIM))
        self._lines(rest[: RESULT_LINES - 1])
        if len(rest) >= RESULT_LINES:
            self._body(more_lines(len(rest) - RESULT_LINES + 1))

    def _result(self, event: ToolExecutionEnd, call: "_Call", took: str) -> None:
        changes = changed_lines(self._side, event.details)
        notices = notices_in(event.details)
        # What is a notice too is shown as one.
        result = [line for line in result_lines(event.content) if line not in notices]
        for line in changes:
            self._side.line(line)
        if changes:
            # The first line of the result says what the diff shows; what follows may be what is wrong with it.
            self._lines(_shortened(result[1:]))
            self._body("✓", took)
            return
        lines = call.rest()
        # What a command printed is its result too; a tool that only told of its progress has another.
        if call.has_shown(result):
            self._lines(lines)
            self._body(_exit(event), took)
            return
        lines = [*([clean(event.title)] if event.title else []), *lines, *_shortened(result)]
        self._lines(lines[:-1])
        self._body(lines[-1] if lines else "✓", took)

    def _header(self, call: "_Call") -> None:
        """Write the call that the next lines belong to, unless it was written last."""
        if self._shown is call or call.name in self._hidden:
            return
        self._enter("calls")
        side = self._side
        bullet, name = ("↳" if call.was_shown else "●"), exact_line(call.name)
        room = max(20, side.width - len(name) - 4)
        arguments = fit(arguments_line(call.arguments), room)
        side.line(f"{side.style(bullet, CYAN)} {side.style(name, '1')}  {arguments}".rstrip())
        call.was_shown, self._shown = True, call

    def _late_headers(self) -> None:
        self._timer = None
        if self._held is None:
            for call in list(self._calls.values()):
                if call.is_running and not call.was_shown:
                    self._header(call)

    def _lines(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._body(line)

    def _body(self, line: str, suffix: str = "") -> None:
        side = self._side
        side.line(side.style(fit(f"  {line}", side.width - len(suffix)) + suffix, DIM))

    def _call(self, call_id: str, name: str) -> "_Call":
        return self._calls.setdefault(call_id, _Call(name, {}))

    def _enter(self, kind: Kind) -> None:
        """Begin another kind of text: on a new line, and on a terminal after an empty one."""
        if kind == self._kind:
            return
        self._close_text()
        if self._kind and self._answer is self._side:
            self._side.line()
        self._kind, self._shown = kind, None

    def _close_text(self) -> None:
        if self._markdown is not None:
            self._answer.put(self._markdown.end())
        self._answer.fresh()


class _Call:
    """A call on the screen. Of its output the first lines are shown at once, the last ones when it ends."""

    def __init__(self, name: str, arguments: dict[str, Any]) -> None:
        self.name = name
        self.arguments = arguments
        self.is_running = False
        self.was_shown = False
        self._partial = ""
        self._first = ""
        self._last = ""
        self._count = 0
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)

    def has_shown(self, lines: Sequence[str]) -> bool:
        """True if this is what the live output already said, if only from its first or its last line."""
        said = [line for line in lines if line.strip()]
        if not said or said == [NO_OUTPUT]:
            return bool(self._last)
        return said[0] == self._first or said[-1] == self._last

    def take(self, text: str) -> list[str]:
        """Add output; gives the lines that are to be shown now."""
        *lines, self._partial = (self._partial + text).split("\n")
        return [line for line in map(self._add, lines) if line is not None]

    def rest(self) -> list[str]:
        """At the end: how many lines were passed over, and the last of them."""
        late = self._add(self._partial) if self._partial else None
        self._partial = ""
        if late is not None:
            return [late]
        passed_over = self._count - LIVE_LINES - len(self._tail)
        return [*([more_lines(passed_over)] if passed_over > 0 else []), *self._tail]

    def _add(self, line: str) -> str | None:
        self._count += 1
        line = clean(last_state(line))
        if line.strip():
            self._first, self._last = self._first or line, line
        if self._count <= LIVE_LINES:
            return line
        self._tail.append(line)
        return None


def _exit(event: ToolExecutionEnd) -> str:
    code = (event.details or {}).get("exit_code")
    return f"exit code {code}" if code else "✓"


def _shortened(lines: list[str]) -> list[str]:
    if len(lines) <= RESULT_LINES + 1:
        return lines
    return [*lines[:RESULT_LINES], more_lines(len(lines) - RESULT_LINES)]
