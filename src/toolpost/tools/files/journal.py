"""The journal of files that an agent has changed: what each held before and after, so that it can be taken back.

Contents are kept once each, by their digest; the journal itself is a file of lines that only grows. With or without
git, and whatever a file holds.
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import Struct

from toolpost.guard.paths import Place, digest
from toolpost.tools.define import ToolContext
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError

LINES = "changes.jsonl"
CONTENTS = "contents"


class Change(Struct, frozen=True, omit_defaults=True):
    """One file that was changed in a step; "" stands for a file that was not there. `mode` is for one that comes or
    goes."""

    number: int
    session_id: str
    message_id: str
    path: str
    before: str
    after: str
    time: float = 0.0
    mode: int | None = None


class Turned(Struct, frozen=True, omit_defaults=True):
    """Changes that were taken back, or made again."""

    way: Literal["undo", "redo"]
    numbers: tuple[int, ...]
    time: float = 0.0

    def applied(self, undone: list[int]) -> list[int]:
        """What is taken back now, the last of it last; undoing goes from the newest change to the oldest."""
        mine = set(self.numbers)
        others = [number for number in undone if number not in mine]
        return [*others, *sorted(mine, reverse=True)] if self.way == "undo" else others


class _Line(Struct, frozen=True, omit_defaults=True):
    change: Change | None = None
    turned: Turned | None = None


class FileJournal:
    """The journal of one project. Several processes may write to it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def record(
        self, ctx: ToolContext, place: Place, before: bytes | None, after: bytes | None, mode: int | None = None
    ) -> None:
        """Note a change before it is made. What cannot be noted is not made."""
        await run_in_thread(lambda: self.note(ctx.session_id, ctx.message_id, place, before, after, mode))

    def note(
        self,
        session_id: str,
        message_id: str,
        place: Place,
        before: bytes | None,
        after: bytes | None,
        mode: int | None = None,
    ) -> None:
        """What `record` does, and waits for."""
        path, keys = str(place.real), (self._keep(before), self._keep(after))
        self._append(lambda number: _Line(Change(number, session_id, message_id, path, *keys, time.time(), mode)))

    def changes(self) -> list[Change]:
        """Everything that was changed, the first first."""
        return [line.change for line in self._lines() if line.change is not None]

    def undone(self) -> set[int]:
        """The changes that are taken back now."""
        numbers: list[int] = []
        for line in self._lines():
            if line.turned is not None:
                numbers = line.turned.applied(numbers)
        return set(numbers)

    def redoable(self, sessions: Collection[str] | None) -> list[int]:
        """Those of them after which nothing new was done, by these sessions or by any; the last taken back is last."""
        numbers: list[int] = []
        for line in self._lines():
            if line.turned is not None:
                numbers = line.turned.applied(numbers)
            elif line.change is not None and (sessions is None or line.change.session_id in sessions):
                numbers = []
        return numbers

    def content(self, key: str) -> bytes | None:
        """What a file held; None where there was none."""
        if not key:
            return None
        try:
            data = self._place_of(key).read_bytes()
        except FileNotFoundError:
            raise ToolError(f"the content {key[:12]} is no longer kept, so this change can't be taken back") from None
        if digest(data) != key:
            raise ToolError(f"the content {key[:12]} is damaged, so this change can't be taken back")
        return data

    def turn(self, way: Literal["undo", "redo"], numbers: tuple[int, ...]) -> None:
        self._append(lambda _: _Line(turned=Turned(way, numbers, time.time())))

    def _keep(self, data: bytes | None) -> str:
        if data is None:
            return ""
        key = digest(data)
        place = self._place_of(key)
        if not self._is_kept(place, key):
            for folder in (self._folder, place.parent.parent, place.parent):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = place.with_name(f"{place.name}.{os.getpid()}.{time.monotonic_ns()}")
            with _opened(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(place)
        return key

    def _is_kept(self, place: Path, key: str) -> bool:
        """Whole, that is: a power cut may leave less of it, and then it is kept anew."""
        try:
            with place.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == key
        except FileNotFoundError:
            return False

    def _place_of(self, key: str) -> Path:
        return self._folder / CONTENTS / key[:2] / key

    def _append(self, make: Callable[[int], _Line]) -> None:
        """Add a line, on the disk before anything else happens; `make` is given the number of a next change."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _opened(self._folder / LINES, os.O_CREAT | os.O_APPEND | os.O_WRONLY) as file:
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
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue


def _opened(path: Path, flags: int) -> BinaryIO:
    """For its owner alone: what is kept is whatever a project holds."""
    return os.fdopen(os.open(path, flags | os.O_CLOEXEC, 0o600), "ab" if flags & os.O_APPEND else "wb")


_decoder = msgspec.json.Decoder(_Line)
