"""The chat line by line: finished text stays in the terminal's own scrollback. Inline with a line editor, or plain for
screen readers and dumb terminals: without colours, boxes and moves of the cursor, each state in a word."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import Awaitable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal

from toolpost.arguments.suggestions import closest
from toolpost.cli.exit_codes import OK, STOPPED
from toolpost.cli.shared.call_text import spent
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.output import say_error
from toolpost.cli.shared.questions import TerminalQuestions, read_line
from toolpost.cli.shared.render import Marks, Transcript
from toolpost.cli.shared.signals import stopping
from toolpost.cli.shared.terminal_writer import BOLD, DIM, RED, YELLOW, TerminalWriter
from toolpost.control.contract import Control, NoteKind
from toolpost.engine.permissions import CHANGE, Answer
from toolpost.types.errors import ToolpostError
from toolpost.types.events import PermissionAsked, QuestionAsked
from toolpost.types.text import counted
from toolpost.view.changes import Changes
from toolpost.view.escape_codes import clean, exact, exact_line
from toolpost.view.items import ApprovalItem, Item, PromptItem, QuestionItem, RunEndItem, TextItem, message_of

from .local_control import LocalControl
from .slash_commands import COMMANDS

if TYPE_CHECKING:
    from .line_input import ChatInput

LineFace = Literal["inline", "plain"]
# What a person chose to go on with: another face, or nothing.
NextFace = Literal["quit", "full", "inline", "plain"]

RECAP_LINES = 12
STOPPED_TEXT = "stopped; the session is saved and you can go on"

_COMMAND = re.compile(r"/([A-Za-z][\w-]*)(?:\s+(.*))?", re.DOTALL)
_ENDINGS = {
    "limit": "the run reached a limit",
    "denied": "the run ended because a call was rejected; write what to do instead",
    "repetition": "the run ended because the model repeated the same call",
}
_BUSY = frozenset({"busy", "retrying", "waiting"})
_PLAIN_MARKS = Marks("call", "still", "failed", "done")


class LineChat:
    """A face of one control, with the methods that `/` commands use. `again` is the command that shows a session again,
    whose id stands for `{id}` in it."""

    def __init__(self, control: Control, kind: LineFace, again: str) -> None:
        self.control = control
        self._again = again
        self.kind: LineFace = kind
        self.pen = TerminalWriter(sys.stdout)
        self.pen.has_colours = self.pen.has_colours and kind == "inline"
        self.prefill = ""
        self.next: NextFace | None = None
        self._puts: set[asyncio.Task[None]] = set()
        self.listed: list[str] = []
        marks = _PLAIN_MARKS if kind == "plain" else Marks()
        self._transcript = Transcript(self.pen, self.pen, marks=marks, on_other=self._show_other)
        self._questions = TerminalQuestions(self.pen, lambda: self._transcript)
        self._turned = asyncio.Event()
        self._put: list[str] = []
        self._later: list[str] = []
        self._was_killed = False
        self._said_stopped = False
        self._listens = False
        self._is_reading = False

    @property
    def local(self) -> LocalControl | None:
        """The control, where the sessions are those of this machine."""
        return self.control if isinstance(self.control, LocalControl) else None

    @property
    def status(self) -> int:
        return STOPPED if self._was_killed else OK

    async def go(self) -> NextFace:
        """Show the session that the control has open, and do what is typed, until the person leaves."""
        await self.control.start(self)
        line_input = self._line_input() if self.kind == "inline" else None
        self._greet()
        self.recap()
        with _no_interrupts():
            await self.attend(_nothing())
            while self.next is None:
                text = self._later.pop(0) if self._later else await self._read(line_input)
                if text is None:
                    break
                await self._take(text)
        if self.control.has_begun and "stored" in self.control.features and self.next in (None, "quit"):
            again = self._again.format(id=self.control.session_id)
            self.say(self.pen.style(shown(f"continue with: {again}"), DIM))
        return self.next or "quit"

    # What the control tells.

    def session_opened(self) -> None:
        self._transcript.show(self.control.view)
        self._turned.set()

    def session_changed(self, changes: Changes) -> None:
        self._transcript.draw(changes)
        self._turned.set()

    def note(self, text: str, kind: NoteKind = "info") -> None:
        self.say(self.pen.style(exact(shown(text)), RED if kind == "error" else YELLOW))
        self._turned.set()

    # What commands use.

    def say(self, text: str = "") -> None:
        self.pen.fresh()
        self.pen.line(text)

    def recap(self) -> None:
        """Show the title of a stored session, the last prompt, its answer, and how that ended."""
        items = list(self.control.view.items)
        if not items:
            return
        self.say(self.pen.style(exact_line(shown(self._about(items))), DIM))
        asked = max((at for at, one in enumerate(items) if isinstance(one, PromptItem)), default=0)
        first = items[asked]
        answer = next((one.text for one in items[asked + 1 :] if isinstance(one, TextItem)), "")
        for text, mark in ((first.text if isinstance(first, PromptItem) else "", f"{self._mark} "), (answer, "")):
            lines = [line for line in clean(text).splitlines() if line.strip()]
            for line in lines[:RECAP_LINES]:
                self.say(self.pen.style(f"  {mark}{line}", DIM))
            if len(lines) > RECAP_LINES:
                self.say(self.pen.style("  …", DIM))
        last = items[-1]
        if isinstance(last, RunEndItem) and (ending := _ending(last)):
            self.say(self.pen.style(f"  ({shown(ending)})", DIM))

    def tell(self, text: str) -> None:
        """Say a text of ours, in the person's language."""
        self.say(shown(text))

    async def ask(self, question: str) -> str | None:
        """What the person types after this question; None at the end of input."""
        self._stop_listening()
        self._is_reading = True
        self.pen.fresh()
        self.pen.put(self.pen.style(shown(question), BOLD))
        try:
            return await read_line(sys.stdin.fileno())
        finally:
            self.pen.at_line_start = True
            self._is_reading = False
            self._turned.set()

    async def attend(self, work: Awaitable[object]) -> None:
        """Do it, and show what runs until that has ended. Lines that are typed meanwhile wait, and Ctrl-C stops it."""
        task = asyncio.ensure_future(work)
        task.add_done_callback(lambda task: self._turned.set())
        self._said_stopped = False
        stops: list[asyncio.Future[None]] = []

        def stop() -> None:
            task.cancel()
            stops.append(asyncio.ensure_future(self.control.stop()))
            self._turned.set()

        with stopping(stop) as signals:
            try:
                await self._wait_for(task, stops)
            finally:
                self._stop_listening()
        self._transcript.end()
        if signals.asked:
            self._was_killed = signals.number not in (None, signal.SIGINT)
            if self._was_killed:
                self.next = "quit"
            if not self._said_stopped:
                self.note(STOPPED_TEXT)
        with suppress(asyncio.CancelledError):
            try:
                await task
            except ToolpostError as error:
                say_error(str(error))

    async def _wait_for(self, task: "asyncio.Future[object]", stops: "list[asyncio.Future[None]]") -> None:
        is_told = False
        while True:
            self._turned.clear()
            if stops:
                await asyncio.wait({task, stops[0]})
                if (error := stops[0].exception()) is not None:
                    say_error(str(error))
                return
            is_busy = self.control.view.facts.state in _BUSY
            if task.done() and (not is_busy or task.cancelled() or task.exception() is not None):
                return
            if is_busy and self.kind == "plain" and not is_told:
                self.say(shown("working"))
                is_told = True
            if self.control.view.asks:
                await self._ask(self.control.view.asks[0])
                continue
            self._listen()
            await self._turned.wait()

    def _listen(self) -> None:
        """Take the lines that are typed while something runs."""
        if not self._listens and not self._is_reading:
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._hear_typed)
            self._listens = True

    def _stop_listening(self) -> None:
        if self._listens:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self._listens = False

    def _hear_typed(self) -> None:
        with suppress(OSError):
            for line in os.read(sys.stdin.fileno(), 65_536).decode(errors="replace").splitlines():
                self._take_typed(line.strip())

    def _take_typed(self, line: str) -> None:
        if not line:
            return
        self.pen.at_line_start = True
        if self.control.view.facts.state not in _BUSY:
            # Typed before the prompt was there.
            self._later.append(line)
            return
        steered = line.removeprefix("/steer ")
        if steered == line and line.startswith(("/", "!")):
            self._later.append(line)
            self.note(f"{line} waits until the run has ended")
            return
        self._put.append(steered)
        task = asyncio.ensure_future(self._put_typed(steered, is_steer=steered != line))
        self._puts.add(task)
        task.add_done_callback(self._puts.discard)

    async def _put_typed(self, text: str, *, is_steer: bool) -> None:
        try:
            await self.control.put(text, steer=is_steer)
        except ToolpostError as error:
            say_error(str(error))
            return
        told = "the model reads this at its next step" if is_steer else "this waits until the run has ended"
        self.say(self.pen.style(shown(told), DIM))

    async def _ask(self, item: ApprovalItem | QuestionItem) -> None:
        """Ask the person, unless somebody else answers or stops it first."""
        self._stop_listening()
        asking = asyncio.ensure_future(self._answered(item))
        while not asking.done() and any(one.id == item.id for one in self.control.view.asks):
            self._turned.clear()
            turned = asyncio.ensure_future(self._turned.wait())
            await asyncio.wait({asking, turned}, return_when=asyncio.FIRST_COMPLETED)
            turned.cancel()
        asking.cancel()
        with suppress(asyncio.CancelledError, ToolpostError):
            await asking

    async def _answered(self, item: ApprovalItem | QuestionItem) -> None:
        if isinstance(item, QuestionItem):
            asked = QuestionAsked(0, item.session_id, item.time, item.id, item.fields, agent=item.agent)
            await self.control.answer(item.id, await self._questions.choose(asked))
            return
        # A tool that has changed is not what an earlier “always” was said to.
        fingerprint = item.id if CHANGE in (item.details or {}) else ""
        ask = PermissionAsked(
            0,
            item.session_id,
            item.time,
            item.id,
            item.permission,
            item.patterns,
            item.always,
            item.title,
            details=item.details,
            agent=item.agent,
            fingerprint=fingerprint,
        )
        answer: Answer = await self._questions(ask)
        await self.control.reply(item.id, answer.reply, answer.message)

    def _show_other(self, item: Item) -> None:
        match item:
            case PromptItem() if item.text in self._put:
                self._put.remove(item.text)
                self.say(self.pen.style(f"{self._mark} {exact_line(item.text)}", BOLD))
            case RunEndItem():
                self._show_end(item)
            case _:
                pass

    def _show_end(self, item: RunEndItem) -> None:
        self._transcript.end()
        if item.error is not None:
            self.pen.fresh()
            say_error(item.error.message)
        elif item.reason == "aborted":
            self._said_stopped = True
            self.note(STOPPED_TEXT)
        elif item.reason in _ENDINGS:
            self.note(f"{_ENDINGS[item.reason]}{f': {item.limit}' if item.limit else ''}")
        if item.reason == "aborted" or item.error is not None:
            return
        took = shown(spent(item.usage, item.cost, item.steps, item.seconds or 0.0))
        self.say(self.pen.style(f"{shown('done')}: {took}" if self.kind == "plain" else took, DIM))

    # What the person types.

    async def _read(self, line_input: "ChatInput | None") -> str | None:
        """Read the next line of the person; None when they quit."""
        while True:
            prefill, self.prefill = self.prefill, ""
            try:
                text = await (self._read_plain(prefill) if line_input is None else line_input.read(prefill))
            except KeyboardInterrupt:
                self.say(self.pen.style(shown("Ctrl-D or /exit quits, /help lists the commands"), DIM))
                continue
            except EOFError:
                return None
            self.pen.at_line_start = True
            if text.strip():
                return text

    async def _read_plain(self, prefill: str) -> str:
        """A line, or several that each end with a backslash but the last."""
        if prefill:
            self.say(shown(f"the prompt was: {exact(prefill)}"))
        self.pen.fresh()
        lines: list[str] = []
        while True:
            reading = asyncio.ensure_future(read_line(sys.stdin.fileno()))
            with stopping(reading.cancel) as signals:
                if not lines:
                    self.pen.put("\n> ")
                try:
                    line = await reading
                except asyncio.CancelledError:
                    if not signals.asked:
                        raise
                    if signals.number != signal.SIGINT:
                        self._was_killed = True
                        raise EOFError from None
                    raise KeyboardInterrupt from None
            if line is None:
                raise EOFError
            lines.append(line.removesuffix("\\"))
            if not line.endswith("\\"):
                return "\n".join(lines)

    async def _take(self, text: str) -> None:
        typed = text.strip()
        command = _COMMAND.fullmatch(typed)
        if typed.startswith("!") and typed != "!":
            await self.attend(self.control.shell(typed[1:].strip()))
        elif command is None:
            await self.attend(self._prompt(text))
        else:
            await self._command(command[1], (command[2] or "").strip())

    async def _prompt(self, text: str) -> None:
        try:
            await self.control.prompt(text)
        except ToolpostError:
            self.prefill = text
            raise

    async def _command(self, name: str, argument: str) -> None:
        others = self.control.commands()
        if name in COMMANDS:
            await self.attend(COMMANDS[name][1](self, argument))
        elif name in others or name.startswith("mcp__"):
            await self.attend(self.control.command(name, argument))
        else:
            likely = closest(name, [*COMMANDS, *others])
            self.note(f"unknown command /{name}: " + (f"did you mean /{likely}?" if likely else "/help lists them"))

    def _line_input(self) -> "ChatInput":
        # Imported here: the line editor takes longer to load than everything else, and errors come first.
        from .line_input import ChatInput

        commands = {**self.control.commands(), **{name: help for name, (help, _) in COMMANDS.items()}}
        return ChatInput(commands, self.control.find_files)

    @property
    def _mark(self) -> str:
        return ">" if self.kind == "plain" else "›"

    def _greet(self) -> None:
        model = self.pen.style(exact_line(self.control.view.facts.model), BOLD)
        self.say(f"{model}  {self.pen.style(shown('/help lists the commands, Ctrl-D quits'), DIM)}")

    def _about(self, items: list[Item]) -> str:
        title = self.control.view.facts.title or "(no title)"
        count = len({message_of(item) for item in items} - {""})
        more = "" if self.control.is_at_beginning else "more than "
        return f"{title} · {more}{counted(count, 'message')}"


def _ending(item: RunEndItem) -> str:
    if item.error is not None:
        return "interrupted" if item.error.code == "interrupted" else "failed"
    if item.limit == "max_output":
        return "cut off at its greatest length"
    return "stopped" if item.reason == "aborted" else ""


@contextmanager
def _no_interrupts() -> Generator[None]:
    """Between what Ctrl-C stops and the next prompt there is nothing that it could stop."""
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


async def _nothing() -> None:
    pass
