"""The journal of files that an agent has changed: what each held before and after, so that it can be taken back.

Contents are kept once each, by their digest; the journal itself is a file of lines that only grows. With or without
git, and whatever a file holds.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from toolpost.guard.paths import Place, digest
from toolpost.tools.define import ToolContext
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError

LINES = "changes.jsonl"
CONTENTS = "contents"


class Change(Struct, frozen=True, omit_defaults=True):
    """One file that was changed in a step; "" stands for a file that was not there."""

    number: int
    session_id: str
    message_id: str
    path: str
    before: str
    after: str
    time: float = 0.0


class Turned(Struct, frozen=True, omit_defaults=True):
    """Changes that were taken back, or made again."""

    way: Literal["undo", "redo"]
    numbers: tuple[int, ...]
    time: float = 0.0


class _Line(Struct, frozen=True, omit_defaults=True):
    change: Change | None = None
    turned: Turned | None = None


class FileJournal:
    """The journal of one project. Several processes may write to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def record(self, ctx: ToolContext, place: Place, before: bytes | None, after: bytes | None) -> None:
        """Note a change before it is made. What cannot be noted is not made."""
        await run_in_thread(lambda: self._record(ctx.session_id, ctx.message_id, place, before, after))

    def changes(self) -> list[Change]:
        """Everything that was changed, the first first."""
        return [line.change for line in self._lines() if line.change is not None]

    def undone(self) -> set[int]:
        """The changes that are taken back now."""
        numbers: set[int] = set()
        for turned in (line.turned for line in self._lines() if line.turned is not None):
            numbers = numbers | set(turned.numbers) if turned.way == "undo" else numbers - set(turned.numbers)
        return numbers

    def content(self, key: str) -> bytes | None:
        """What a file held; None where there was none."""
        if not key:
            return None
        try:
            return self._place_of(key).read_bytes()
        except FileNotFoundError:
            raise ToolError(f"the content {key[:12]} is no longer kept, so this change can't be taken back") from None

    def turn(self, way: Literal["undo", "redo"], numbers: tuple[int, ...]) -> None:
        self._append(lambda _: _Line(turned=Turned(way, numbers, time.time())))

    def _record(
        self, session_id: str, message_id: str, place: Place, before: bytes | None, after: bytes | None
    ) -> None:
        keys = self._keep(before), self._keep(after)
        self._append(
            lambda number: _Line(Change(number, session_id, message_id, str(place.real), *keys, time=time.time()))
        )

    def _keep(self, data: bytes | None) -> str:
        if data is None:
            return ""
        key = digest(data)
        place = self._place_of(key)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = place.with_name(f"{place.name}.{os.getpid()}.{time.monotonic_ns()}")
            draft.touch(mode=0o600)
            draft.write_bytes(data)
            draft.replace(place)
        return key

    def _place_of(self, key: str) -> Path:
        return self._folder / CONTENTS / key[:2] / key

    def _append(self, make: Callable[[int], _Line]) -> None:
        """Add a line, on the disk before anything else happens; `make` is given the number of a next change."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with (self._folder / LINES).open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            torn = self._is_torn()
            # Where a line begins is a number that no other line has.
            line = make(file.seek(0, os.SEEK_END))
            file.write((b"\n" if torn else b"") + msgspec.json.encode(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def _is_torn(self) -> bool:
        """Whether the last line has no end."""
        with (self._folder / LINES).open("rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"

    def _lines(self) -> Iterator[_Line]:
        try:
            data = (self._folder / LINES).read_bytes()
        except FileNotFoundError:
            return
        # A line that a dying process left half-written was not yet acted upon.
        for line in data.split(b"\n")[:-1]:
            try:
                yield _decoder.decode(line)
            except msgspec.MsgspecError:
                continue


_decoder = msgspec.json.Decoder(_Line)
