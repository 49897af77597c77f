"""Ask a person on the terminal to approve a call or to answer the questions of the model."""

import asyncio
import contextlib
import os
import re
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Protocol, cast

import msgspec

from toolpost.arguments.parse_json import canonical
from toolpost.engine.permissions import CHANGE, Answer
from toolpost.guard.rules import covered
from toolpost.types.events import PermissionAsked, Question, QuestionAsked
from toolpost.view.escape_codes import exact, exact_line

from .call_text import more_lines
from .language import shown
from .terminal_writer import BOLD, CYAN, DIM, GREEN, RED, YELLOW, TerminalWriter

SHOWN_LINES = 30
_ANSWERS = {"y": "once", "yes": "once", "a": "always", "always": "always", "n": "reject", "no": "reject"}


class Held(Protocol):
    """What writes nothing between `hold` and `release`."""

    def hold(self) -> None: ...

    def release(self) -> None: ...


class TerminalQuestions:
    """Ask one question at a time. While one is open, nothing else is written."""

    def __init__(self, pen: TerminalWriter, transcript: Callable[[], Held], fd: int = 0) -> None:
        self._pen = pen
        self._transcript = transcript
        self._fd = fd
        self._turn = asyncio.Lock()
        self._always: dict[str, list[tuple[str, str]]] = {}

    async def __call__(self, ask: PermissionAsked) -> Answer:
        async with self._turn:
            # Calls that run side by side ask side by side; an `always` given to the first may answer the others.
            if covered(self._always.get(ask.fingerprint, ()), ask.permission, ask.patterns):
                return Answer("once")
            with self._silence():
                return await self._ask(ask)

    async def choose(self, asked: QuestionAsked) -> list[tuple[str, ...]] | None:
        """Answer the model's questions; None if the person declines."""
        async with self._turn:
            with self._silence():
                _drop_typed(self._fd)
                return await _choose(self._pen, asked, lambda: read_line(self._fd))

    @contextlib.contextmanager
    def _silence(self) -> Generator[None]:
        transcript = self._transcript()
        transcript.hold()
        try:
            yield
        finally:
            self._pen.fresh()
            transcript.release()

    async def _ask(self, ask: PermissionAsked) -> Answer:
        cut = self._show(ask, SHOWN_LINES)
        self._choices(ask, cut)
        # What was typed before the question was shown is not an answer to it.
        _drop_typed(self._fd)
        while True:
            self._pen.put(self._pen.style("? ", YELLOW, BOLD))
            line = await read_line(self._fd)
            self._pen.at_line_start = line is not None
            if line is None:
                return Answer("reject")
            said = line.strip()
            if said == "v" and cut:
                self._show(ask, None)
                cut = False
            elif len(said) == 1 and said.lower() not in _ANSWERS:
                # A single wrong letter is a typing error, not a message for the model.
                self._choices(ask, cut)
            elif said:
                return self._answer(ask, said)

    def _answer(self, ask: PermissionAsked, said: str) -> Answer:
        match _ANSWERS.get(said.lower()):
            case "once":
                return Answer("once")
            case "always":
                saved = self._always.setdefault(ask.fingerprint, [])
                saved += [(ask.permission, pattern) for pattern in ask.always]
                return Answer("always")
            case "reject":
                return Answer("reject")
            case _:
                return Answer("reject", said)

    def _show(self, ask: PermissionAsked, limit: int | None) -> bool:
        """Write what would be done; True if something had to be left out."""
        pen = self._pen
        pen.fresh()
        is_said = ask.title.lower().replace(" ", "_") == ask.permission.lower()
        title = f"  {exact_line(ask.title)}" if ask.title and not is_said else ""
        pen.line(f"\n{pen.style(shown('Allow'), YELLOW, BOLD)} {pen.style(exact_line(ask.permission), BOLD)}{title}")
        if ask.agent:
            pen.line(pen.style(shown(f"  for the sub-agent {exact_line(ask.agent)}"), YELLOW))
        lines = [line for block in _blocks(ask) for line in block]
        told = lines if limit is None else lines[:limit]
        for line in told:
            pen.line("  " + _coloured(pen, line))
        if len(told) < len(lines):
            pen.line(pen.style(shown(f"  {more_lines(len(lines) - len(told))}: v shows all"), YELLOW))
        return len(told) < len(lines)

    def _choices(self, ask: PermissionAsked, cut: bool) -> None:
        pen = self._pen
        saved = ", ".join(f'{exact_line(ask.permission)} "{exact_line(pattern)}"' for pattern in ask.always)
        rows = [("y", "once"), ("a", f"always in this project: {saved}"), ("n", "reject and stop")]
        if cut:
            rows.append(("v", "view all"))
        for key, meaning in rows:
            pen.line(f"  {pen.style(key, CYAN, BOLD)} {shown(meaning)}")
        pen.line(pen.style(shown("  or type what the model should do instead"), DIM))


async def read_line(fd: int) -> str | None:
    """A line from the terminal, read without holding up the loop; None at its end. It can be cancelled."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[str | None] = loop.create_future()
    data = bytearray()

    def ready() -> None:
        try:
            piece = os.read(fd, 65_536)
        except OSError:
            piece = b""
        data.extend(piece)
        if found.done():
            return
        if b"\n" in data:
            found.set_result(data.partition(b"\n")[0].decode("utf-8", "replace"))
        elif not piece:
            found.set_result(data.decode("utf-8", "replace") if data else None)

    loop.add_reader(fd, ready)
    try:
        return await found
    finally:
        loop.remove_reader(fd)


async def _choose(
    pen: TerminalWriter, asked: QuestionAsked, read_line: Callable[[], Awaitable[str | None]]
) -> list[tuple[str, ...]] | None:
    """One answer a question; None as soon as the person declines with the end of input."""
    answers: list[tuple[str, ...]] = []
    pen.fresh()
    pen.line(f"\n{pen.style(shown('Question'), YELLOW, BOLD)}{shown(_asker(asked))}")
    for question in asked.questions:
        answer = await _answer_to(pen, question, read_line)
        if answer is None:
            return None
        answers.append(answer)
    return answers


async def _answer_to(
    pen: TerminalWriter, question: Question, read_line: Callable[[], Awaitable[str | None]]
) -> tuple[str, ...] | None:
    for line in exact(question.question).splitlines():
        pen.line(pen.style(line, BOLD))
    for number, option in enumerate(question.options, 1):
        pen.line(f"  {pen.style(str(number), CYAN, BOLD)} {exact_line(option)}")
    pen.line(pen.style(shown(f"  {_how_to_answer(question)}; Ctrl-D to decline and stop"), DIM))
    while True:
        pen.put(pen.style("? ", YELLOW, BOLD))
        line = await read_line()
        pen.at_line_start = line is not None
        if line is None:
            return None
        answer = _chosen(question, line.strip())
        if answer is not None:
            return answer


def _chosen(question: Question, said: str) -> tuple[str, ...] | None:
    """The options that were chosen, or the text; None where it is neither."""
    if not said:
        return None
    numbers = [int(word) for word in re.split(r"[,\s]+", said) if word.isdecimal()]
    if not question.options or not re.fullmatch(r"[\d,\s]+", said):
        return (said,)
    known = all(0 < number <= len(question.options) for number in numbers)
    if not numbers or not known or (len(numbers) > 1 and not question.multiple):
        return None
    return tuple(question.options[number - 1] for number in dict.fromkeys(numbers))


def _how_to_answer(question: Question) -> str:
    if not question.options:
        return "type your answer"
    return "numbers such as 1,3, or other text" if question.multiple else "a number, or other text"


def _asker(asked: QuestionAsked) -> str:
    return f" of the sub-agent {exact_line(asked.agent)}" if asked.agent else ""


def _blocks(ask: PermissionAsked) -> list[list[str]]:
    details = dict(ask.details or {})
    diff = details.pop("diff", None)
    arguments = details.pop("arguments", None)
    # First, so that no long argument pushes it out of sight.
    blocks = _change(details.pop(CHANGE, None))
    if isinstance(arguments, dict):
        blocks += [_named(name, value) for name, value in cast(dict[str, Any], arguments).items()]
    blocks += [[shown(f"for {exact_line(pattern)}")] for pattern in ask.patterns if not _is_shown(pattern, arguments)]
    blocks += [_named(name, value) for name, value in details.items()]
    if isinstance(diff, str):
        blocks.append(exact(diff).splitlines())
    return blocks


def _change(change: Any) -> list[list[str]]:
    """The changes of a tool that was approved before."""
    if not isinstance(change, dict):
        return []
    told = cast(dict[str, Any], change)
    return [[shown(f"changed: {exact(str(told.get('note', '')))}")], exact(str(told.get("diff", ""))).splitlines()]


def _is_shown(pattern: str, arguments: Any) -> bool:
    """True where the arguments already say it: a pattern is often one of them, or all of them."""
    if not isinstance(arguments, dict):
        return False
    return pattern in cast(dict[str, Any], arguments).values() or pattern == canonical(arguments)


def _named(name: str, value: Any) -> list[str]:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    lines = exact(text).split("\n")
    if len(lines) == 1:
        return [f"{exact_line(name)}: {lines[0]}"]
    return [f"{exact_line(name)}:", *(f"  {line}" for line in lines)]


def _coloured(pen: TerminalWriter, line: str) -> str:
    if line.startswith("+"):
        return pen.style(line, GREEN)
    return pen.style(line, RED) if line.startswith("-") else line


def _drop_typed(fd: int) -> None:
    # Imported here: only a terminal needs it, and not every system has it.
    try:
        import termios
    except ImportError:
        return
    with contextlib.suppress(termios.error):
        termios.tcflush(fd, termios.TCIFLUSH)
