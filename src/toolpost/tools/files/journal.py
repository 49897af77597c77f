"""The journal of files that an agent has changed: the content before and after each change, so that it can be undone.

Contents are kept once each, by their digest; the journal itself is a file of lines that only grows. With or without
git, and whatever a file holds. What tools change is noted before, and stays. What commands change is noted after, and
of that the oldest contents go when there are too many.
"""

import fcntl
import hashlib
import os
import time
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, structs

from toolpost.folders import user_folder
from toolpost.guard.paths import digest
from toolpost.tools.define import ToolContext
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError

from .apply import Step
from .content_store import ContentFolder, make_private, open_private

_DRAFT = ".draft"


class RunningCommand:
    """A mark that lasts as long as a command runs. Its lock goes with the process, the mark itself does not: one that
    no process holds is of one that was killed."""

    def __init__(self, folder: Path, session_id: str, message_id: str) -> None:
        for one in (folder.parent, folder):
            make_private(one)
        self._path = folder / f"{os.getpid()}.{time.monotonic_ns()}"
        # Under another name until it is locked: it must not be taken for one that was left behind.
        draft = self._path.with_name(f"{self._path.name}{_DRAFT}")
        file = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        self._close = weakref.finalize(self, os.close, file)
        fcntl.flock(file, fcntl.LOCK_EX)
        os.write(file, msgspec.json.encode((session_id, message_id)))
        draft.rename(self._path)

    def end(self) -> None:
        self._path.unlink(missing_ok=True)
        self._close()


def ended_unseen(folder: Path) -> Iterator[tuple[str, str]]:
    """Session and message of each command whose process was killed, once."""
    for path in sorted(folder.glob("*")):
        if path.suffix == _DRAFT:
            continue
        try:
            with path.open("r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                session_id, message_id = msgspec.json.decode(file.read(), type=tuple[str, str])
                # Somebody else may have just told of it.
                is_told = not path.exists()
                path.unlink(missing_ok=True)
        except (OSError, msgspec.MsgspecError):
            continue
        if not is_told:
            yield session_id, message_id


LINES = "changes.jsonl"
CONTENTS = "contents"
COMMAND_CONTENTS = "command_contents"
RUNNING = "running"
# Keys of what is not a file: a folder has no content, that of a link is where it leads.
FOLDER = "folder"
LINK = "link:"
# Of a path that is too long for people.
MAX_SHOWN = 300
NOT_SEEN = "what a command changed was not seen: the process was ended while it ran"


class JournaledChange(Struct, frozen=True, omit_defaults=True):
    """One file that was changed in a step; "" stands for a file that was not there. `mode` is for one that comes or
    goes.

    Of what a command changed, `modes` are the permissions before and after, and `why` says why it can't be taken back:
    then nothing of it is kept.
    """

    number: int
    session_id: str
    message_id: str
    path: str
    before: str
    after: str
    time: float = 0.0
    mode: int | None = None
    modes: tuple[int, int] | None = None
    why: str = ""


class FileContent(Struct, frozen=True):
    """The state of a path: its kind, its permissions, and the data where the journal has to keep it."""

    kind: Literal["file", "link", "folder", "nothing"] = "nothing"
    data: bytes = b""
    mode: int = 0


NOTHING = FileContent()


class CommandChange(Struct, frozen=True):
    """A change that a command made at a path. `why` says why it can't be taken back."""

    path: str
    before: FileContent = NOTHING
    after: FileContent = NOTHING
    why: str = ""


class UndoRecord(Struct, frozen=True, omit_defaults=True):
    """Changes that were taken back, or made again."""

    way: Literal["undo", "redo"]
    numbers: tuple[int, ...]
    time: float = 0.0

    def applied(self, undone: list[int]) -> list[int]:
        """The changes that are undone now, the last one last; undoing goes from the newest change to the oldest."""
        mine = set(self.numbers)
        others = [number for number in undone if number not in mine]
        return [*others, *sorted(mine, reverse=True)] if self.way == "undo" else others


class _Line(Struct, frozen=True, omit_defaults=True):
    change: JournaledChange | None = None
    turned: UndoRecord | None = None


class FileJournal:
    """The journal of one project. Several processes may write to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._contents = ContentFolder(folder / CONTENTS)
        self._command_contents = ContentFolder(folder / COMMAND_CONTENTS)

    async def record(self, ctx: ToolContext, step: Step) -> None:
        """Note a change before it is made. What cannot be noted is not made."""
        await run_in_thread(lambda: self.note(ctx.session_id, step_of(ctx), step))

    def note(self, session_id: str, message_id: str, step: Step) -> None:
        """Do what `record` does, without a thread."""
        keys = (self._contents.keep(step.before), self._contents.keep(step.after))
        change = JournaledChange(0, session_id, message_id, str(step.place.real), *keys, time.time(), step.mode)
        self._append([_Line(change)])

    def note_commands(
        self, session_id: str, message_id: str, changes: Iterable[CommandChange], *, most_bytes: int
    ) -> None:
        """Note what commands have changed. Where that is over `most_bytes` in all, the oldest contents go."""
        lines: list[_Line] = []
        for one in changes:
            keys = ("", "") if one.why else (self._key(one.before), self._key(one.after))
            modes = None if one.why else (one.before.mode, one.after.mode)
            change = JournaledChange(0, session_id, message_id, one.path, *keys, time.time(), modes=modes, why=one.why)
            lines.append(_Line(change))
        if lines:
            # A power cut may take these lines: it may take what they tell of as well.
            self._append(lines, is_synced=False)
        self._command_contents.prune(most_bytes)

    def begin_command(self, session_id: str, message_id: str) -> RunningCommand:
        """Note that a command is about to change files that are not known yet."""
        return RunningCommand(self.folder / RUNNING, session_id, message_id)

    def note_interrupted(self, path: str) -> None:
        """Note commands whose process was ended before anybody saw what they did."""
        for session_id, message_id in ended_unseen(self.folder / RUNNING):
            change = JournaledChange(0, session_id, message_id, path, "", "", time.time(), why=NOT_SEEN)
            self._append([_Line(change)])

    def size(self) -> int:
        """The length of the journal in bytes, for `paths_since`."""
        try:
            return (self.folder / LINES).stat().st_size
        except FileNotFoundError:
            return 0

    def paths_since(self, size: int) -> set[str]:
        """The paths that were noted, undone or redone since the journal had this length."""
        if self.size() <= size:
            return set()
        paths: set[str] = set()
        turned: set[int] = set()
        for line in self._lines(size):
            if line.change is not None:
                paths.add(line.change.path)
            elif line.turned is not None:
                turned.update(line.turned.numbers)
        return paths | {change.path for change in self.changes() if change.number in turned} if turned else paths

    def changes(self) -> list[JournaledChange]:
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
        """The undone changes that can be redone: nothing new was done after them. The last one undone is last."""
        numbers: list[int] = []
        for line in self._lines():
            if line.turned is not None:
                numbers = line.turned.applied(numbers)
            elif line.change is not None and (sessions is None or line.change.session_id in sessions):
                numbers = []
        return numbers

    def content(self, key: str) -> bytes | None:
        """The content of a file, or the target of a link; None where there was nothing."""
        if not key or key == FOLDER:
            return b"" if key else None
        wanted = key.removeprefix(LINK)
        found = [self._contents.read(wanted), self._command_contents.read(wanted)]
        for data in found:
            if data is not None and digest(data) == wanted:
                return data
        state = "no longer kept" if found == [None, None] else "damaged"
        raise ToolError(f"the content {wanted[:12]} is {state}, so this change cannot be undone")

    def turn(self, way: Literal["undo", "redo"], numbers: tuple[int, ...]) -> None:
        self._append([_Line(turned=UndoRecord(way, numbers, time.time()))])

    def _key(self, content: FileContent) -> str:
        if content.kind in ("nothing", "folder"):
            return FOLDER if content.kind == "folder" else ""
        # Not brought to disk one by one: what is damaged is never written back, and there may be thousands.
        key = self._command_contents.keep(content.data, is_synced=False)
        return f"{LINK}{key}" if content.kind == "link" else key

    def _append(self, lines: Sequence[_Line], *, is_synced: bool = True) -> None:
        """Add lines, on the disk before anything else happens. A change gets its number here."""
        make_private(self.folder)
        with open_private(self.folder / LINES, os.O_CREAT | os.O_APPEND | os.O_WRONLY) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if self._is_torn():
                file.write(b"\n")
            place = file.seek(0, os.SEEK_END)
            written: list[bytes] = []
            for line in lines:
                # Where a line begins is a number that no other line has.
                numbered = line if line.change is None else _Line(structs.replace(line.change, number=place))
                written.append(msgspec.json.encode(numbered) + b"\n")
                place += len(written[-1])
            file.write(b"".join(written))
            file.flush()
            if is_synced:
                os.fsync(file.fileno())

    def _is_torn(self) -> bool:
        """Whether the last line has no end."""
        with (self.folder / LINES).open("rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"

    def _lines(self, begin: int = 0) -> Iterator[_Line]:
        try:
            with (self.folder / LINES).open("rb") as file:
                file.seek(begin)
                data = file.read()
        except FileNotFoundError:
            return
        # A line that a dying process left half-written was not yet acted upon.
        for line in data.split(b"\n")[:-1]:
            try:
                yield _decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue


def step_of(ctx: ToolContext) -> str:
    """The step that a change belongs to: the message that made the call, or the call itself if no message did."""
    return ctx.message_id or ctx.call_id


def journal_of(project: Path) -> FileJournal:
    """The journal of a project's changed files, in the user's own folder and never in the project."""
    name = hashlib.sha256(str(project.resolve()).encode()).hexdigest()[:16]
    return FileJournal(user_folder("data") / "changes" / name)


_decoder = msgspec.json.Decoder(_Line)
