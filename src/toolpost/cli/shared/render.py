"""Render a run as text for a terminal or a pipe, or its events as lines of JSON."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from toolpost.tools.output_file import session_folder
from toolpost.types.events import Event, RunEnd, StepStarted, event_encoder
from toolpost.types.messages import TextPart
from toolpost.view.cells import fit
from toolpost.view.changes import NOTHING, Changes
from toolpost.view.escape_codes import clean, exact, exact_line
from toolpost.view.items import CallItem, FileItem, Item, NoticeItem, ReasoningItem, TextItem
from toolpost.view.live_output import LiveOutput
from toolpost.view.transcript import TranscriptView
from toolpost.workspace import outputs_folder

from .call_text import NO_OUTPUT, arguments_line, changed_lines, more_lines, result_lines, seconds
from .language import shown
from .markdown import Markdown
from .model_files import keep_file
from .terminal_writer import CYAN, DIM, RED, YELLOW, TerminalWriter

RESULT_LINES = 6
LIVE_LINES = 8
TAIL_LINES = 4
# Calls that run side by side are shown one below the other when they end, unless they take longer than this.
HEADER_DELAY = 0.2

Kind = Literal["", "text", "reasoning", "calls", "file", "notice"]
# What these notices say is said elsewhere: by the question itself, or by whoever resumes a run.
_SILENT = frozenset({"parked", "resumed"})


class Marks(Struct, frozen=True):
    """What stands before a call, one that is shown again, one that has failed, and after one that is done."""

    call: str = "●"
    again: str = "↳"
    failed: str = "✗"
    done: str = "✓"


class JsonEventWriter:
    """Write every event as one line of JSON, for `--format json`."""

    def __init__(self, pen: TerminalWriter) -> None:
        self._pen = pen

    def handle(self, event: Event) -> None:
        self._pen.put_bytes(event_encoder.encode(event) + b"\n")


class Transcript:
    """Write what happens in a session as text for a person.

    A person sees an answer grow, and is told where it broke off and began again. A program can't be told, so it gets
    what stands: an answer is written once its message is whole.

    `show_answer=False` where the answer is printed by somebody else, at the end. `hidden` are calls that are not shown.
    `on_other` gets finished items that nothing is written of here, such as prompts and the end of a run.

    It is given events, or a view to `show` and its changes to `draw`.
    """

    def __init__(
        self,
        answer: TerminalWriter,
        side: TerminalWriter,
        *,
        show_answer: bool = True,
        hidden: frozenset[str] = frozenset(),
        marks: Marks = Marks(),  # noqa: B008 - a frozen value
        on_other: Callable[[Item], None] = lambda item: None,
    ) -> None:
        self._answer = answer
        self._side = side
        self._show_answer = show_answer
        self._hidden = hidden
        self._marks = marks
        self._on_other = on_other
        self._view = TranscriptView()
        self._kind: Kind = ""
        self._markdown = Markdown() if answer.has_colours else None
        self._written: dict[str, int] = {}
        self._calls: dict[str, _ShownCall] = {}
        self._shown: _ShownCall | None = None
        self._held: list[Event] | None = None
        self._held_changes = NOTHING
        self._timer: asyncio.TimerHandle | None = None

    def handle(self, event: Event) -> None:
        if self._held is not None:
            self._held.append(event)
            return
        if event.session_id != self._view.session_id:
            self._view = TranscriptView(event.session_id)
        self._draw(self._view.feed(event))
        if isinstance(event, StepStarted | RunEnd):
            self._calls.clear()
            self._written.clear()
            if self._view.ids:
                # What was written is not needed any more.
                self._view.drop_before(self._view.ids[-1])

    def show(self, view: TranscriptView) -> None:
        """Draw what changes in this view from now on."""
        self.end()
        self._view, self._held_changes = view, NOTHING
        self._calls.clear()
        self._written.clear()

    def draw(self, changes: Changes) -> None:
        """Draw what has changed in the view."""
        if self._held is not None:
            self._held_changes += changes
            return
        self._draw(changes)
        for id in changes.finished:
            self._written.pop(id, None)

    def hold(self) -> None:
        """Show nothing until `release`: a person is being asked something."""
        self._close_text()
        if self._held is None:
            self._held = []

    def release(self) -> None:
        held, self._held = self._held or [], None
        for event in held:
            self.handle(event)
        changes, self._held_changes = self._held_changes, NOTHING
        self.draw(changes)

    def notice(self, text: str) -> None:
        self._enter("notice")
        self._side.line(self._side.style(exact(shown(text)), YELLOW))

    def end(self) -> None:
        """Finish the line and the run."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for item in self._view.items:
            # What is finished was written when that was told, or before this began.
            if isinstance(item, TextItem) and not item.is_finished:
                self._text(item, is_whole=True)
        self._close_text()
        self._kind = ""

    def _draw(self, changes: Changes) -> None:
        taken_back = {item.kind for item in changes.removed if not item.is_finished}
        if taken_back & {"text", "reasoning"}:
            self._close_text()
        if "text" in taken_back and self._show_answer and self._answer.is_terminal:
            self.notice("the answer was cut off; it starts again below")
        for id in (*changes.added, *changes.changed):
            self._item(self._view.item(id))
        if changes.finished:
            self._finish([self._view.item(id) for id in changes.finished])

    def _item(self, item: Item) -> None:
        match item:
            case TextItem():
                self._text(item, is_whole=False)
            case ReasoningItem():
                self._reasoning(item)
            case CallItem():
                self._call(item)
            case NoticeItem() if item.code not in _SILENT and item.id not in self._written:
                self._written[item.id] = 1
                self.notice(item.text)
            case _:
                pass

    def _finish(self, items: Sequence[Item]) -> None:
        """Write what is whole now. Files stand behind the text of their message, wherever the model made them."""
        for item in items:
            if isinstance(item, TextItem):
                self._text(item, is_whole=True)
        if any(isinstance(item, TextItem | ReasoningItem) for item in items):
            # Once, as the parts of a message may be those of one sentence.
            self._close_text()
        for item in items:
            if isinstance(item, CallItem):
                self._call_end(item)
            elif isinstance(item, FileItem):
                self._file(item)
            elif not isinstance(item, TextItem | ReasoningItem):
                self._on_other(item)

    def _text(self, item: TextItem, *, is_whole: bool) -> None:
        if not self._show_answer or not (is_whole or self._answer.is_terminal):
            return
        text = self._new_of(item)
        if not text:
            return
        if self._kind != "text" and self._answer.is_terminal:
            text = text.lstrip("\n")
        self._enter("text")
        if self._markdown is not None:
            self._answer.put(self._markdown.feed(clean(text)))
        else:
            self._answer.write(text)

    def _reasoning(self, item: ReasoningItem) -> None:
        """A person may watch the model think; a program wants only the answer."""
        if not self._answer.is_terminal:
            return
        text = self._new_of(item)
        if self._kind != "reasoning":
            text = text.lstrip("\n")
        if text:
            self._enter("reasoning")
            self._answer.put(self._answer.style(clean(text), DIM))

    def _new_of(self, item: TextItem | ReasoningItem) -> str:
        """What of it was not written yet."""
        text = item.source.after(self._written.get(item.id, 0))
        self._written[item.id] = len(item.source)
        return text

    def _file(self, item: FileItem) -> None:
        """Save a file of the answer and write its path."""
        if item.file is None:
            return
        folder = session_folder(outputs_folder(), self._view.session_id)
        where, problem = keep_file(item.file, folder, item.id.replace("/", "-"))
        if problem:
            self.notice(f"cannot save a file from the model ({item.mime}): {problem}")
            return
        pen = self._answer if self._show_answer else self._side
        self._enter("file")
        about = pen.style(f"{clean(item.mime)}: ", DIM) if pen.is_terminal else ""
        pen.line(about + exact_line(where))

    def _call(self, item: CallItem) -> None:
        if item.has_ended:
            return
        call = self._calls.setdefault(item.id, _ShownCall(item))
        is_new = not call.item.has_begun and item.has_begun
        call.item = item
        if is_new:
            self._call_start(call)
        if item.name not in self._hidden:
            for line in call.new_lines():
                self._header(call)
                self._body(line)

    def _call_start(self, call: "_ShownCall") -> None:
        if len(self._calls) == 1:
            self._header(call)
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(HEADER_DELAY, self._late_headers)

    def _call_end(self, item: CallItem) -> None:
        call = self._calls.pop(item.id, None) or _ShownCall(item)
        call.item = item
        # One that never became whole was not shown, and nobody asks what came of it.
        if item.name in self._hidden or (item.error is not None and not item.error.text):
            return
        self._header(call)
        took = f"  {seconds(item.duration)}" if item.duration else ""
        if item.error is not None:
            self._failure(item, took)
        else:
            self._result(call, took)
        for notice in item.notices:
            self._side.line(self._side.style(f"  {shown(f'note: {exact_line(notice)}')}", YELLOW))
        if self._shown is call:
            self._shown = None

    def _failure(self, item: CallItem, took: str) -> None:
        error, side = item.error, self._side
        assert error is not None
        first, *rest = result_lines((TextPart(error.text),))
        mark = f"  {self._marks.failed} {error.kind}: "
        side.line(side.style(fit(mark + first, side.width - len(took)), RED) + side.style(took, DIM))
        self._lines(rest[: RESULT_LINES - 1])
        if len(rest) >= RESULT_LINES:
            self._body(more_lines(len(rest) - RESULT_LINES + 1))

    def _result(self, call: "_ShownCall", took: str) -> None:
        item = call.item
        changes = changed_lines(self._side, item.details)
        # What is a notice too is shown as one.
        result = [line for line in result_lines(item.content) if line not in item.notices]
        for line in changes:
            self._side.line(line)
        if changes:
            # The first line of the result says what the diff shows; what follows may be what is wrong with it.
            self._lines(_shortened(result[1:]))
            self._body(self._marks.done, took)
            return
        lines = call.rest()
        # What a command printed is its result too; a tool that only told of its progress has another.
        if call.has_shown(result):
            self._lines(lines)
            self._body(_exit(item) or self._marks.done, took)
            return
        lines = [*([clean(item.title)] if item.title else []), *lines, *_shortened(result)]
        self._lines(lines[:-1])
        self._body(lines[-1] if lines else self._marks.done, took)

    def _header(self, call: "_ShownCall") -> None:
        """Write the call that the next lines belong to, unless it was written last."""
        item = call.item
        if self._shown is call or item.name in self._hidden:
            return
        self._enter("calls")
        side = self._side
        bullet, name = (self._marks.again if call.was_shown else self._marks.call), exact_line(item.name)
        room = max(20, side.width - len(name) - len(bullet) - 3)
        arguments = fit(arguments_line(item.arguments or {}), room)
        side.line(f"{side.style(bullet, CYAN)} {side.style(name, '1')}  {arguments}".rstrip())
        call.was_shown, self._shown = True, call

    def _late_headers(self) -> None:
        self._timer = None
        if self._held is None:
            for call in list(self._calls.values()):
                if call.item.has_begun and not call.was_shown:
                    self._header(call)

    def _lines(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._body(line)

    def _body(self, line: str, suffix: str = "") -> None:
        side = self._side
        side.line(side.style(fit(f"  {line}", side.width - len(suffix)) + suffix, DIM))

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


class _ShownCall:
    """A call on the screen. Of its output the first lines are shown at once, the last ones when it ends."""

    def __init__(self, item: CallItem) -> None:
        self.item = item
        self.was_shown = False
        self._lines = 0

    @property
    def _output(self) -> LiveOutput:
        return self.item.output or LiveOutput()

    def new_lines(self) -> list[str]:
        """The lines that are to be shown now."""
        if self._lines >= LIVE_LINES:
            return []
        lines = self._output.after(self._lines).lines[: LIVE_LINES - self._lines]
        self._lines += len(lines)
        return list(map(clean, lines))

    def rest(self) -> list[str]:
        """At the end: how many lines were passed over, and the last of them."""
        lines, count = self.new_lines(), self._output.count - LIVE_LINES
        if count <= 0:
            return lines
        tail = list(map(clean, self._output.lines.lines[-min(count, TAIL_LINES) :]))
        passed_over = count - len(tail)
        return [*lines, *([more_lines(passed_over)] if passed_over > 0 else []), *tail]

    def has_shown(self, lines: Sequence[str]) -> bool:
        """True if this is what the live output already said, if only from its first or its last line."""
        said = [line for line in lines if line.strip()]
        live = [line for line in map(clean, self._output.lines.lines) if line.strip()]
        if not said or said == [NO_OUTPUT]:
            return bool(live)
        return bool(live) and (said[0] == live[0] or said[-1] == live[-1])


def _exit(item: CallItem) -> str:
    code = (item.details or {}).get("exit_code")
    return f"exit code {code}" if code else ""


def _shortened(lines: list[str]) -> list[str]:
    if len(lines) <= RESULT_LINES + 1:
        return lines
    return [*lines[:RESULT_LINES], more_lines(len(lines) - RESULT_LINES)]
