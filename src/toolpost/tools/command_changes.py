"""Record what commands and jobs change in the project's files, so that `undo` can take it back.

A command runs between two looks at the project: what differs is its work, or that of a program that ran meanwhile.
What jobs change belongs to the step in which it is seen: at the next call that runs a command, changes a file or asks
for a job, or else at the job's end. What differs while no command runs is somebody else's, and is only copied anew.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from toolpost.types.errors import ToolError

from .define import ToolContext
from .files.journal import MAX_SHOWN, NOTHING, CommandChange, FileContent, FileJournal, RunningCommand, step_of
from .files.project_copy import Difference, ProjectCopy, size_of
from .files.project_entry import STAMP_LENGTH, FileState
from .threads import run_in_thread
from .workbench import Workbench

if TYPE_CHECKING:
    from toolpost.guard.paths import FileAccess

    from .limits import ToolLimits

NOT_NOTED = "what a command changed could not be noted"
log = logging.getLogger("toolpost.tools")

T = TypeVar("T")


class CommandChanges:
    """Records what commands change in one project."""

    def __init__(self, project_files: "FileAccess", journal: FileJournal, limits: "ToolLimits") -> None:
        self._project_files = project_files
        self._journal = journal
        self._limits = limits
        self._lock = asyncio.Lock()
        self._copy: ProjectCopy | None = None
        self._running: set[RunningCommand] = set()
        # The step that a session is at, and how many bytes of a step are kept.
        self._steps: dict[str, str] = {}
        self._kept: tuple[str, int] = ("", 0)
        # How long the journal was at the last look.
        self._read_to = 0

    async def begin(self, ctx: ToolContext) -> RunningCommand:
        """Copy what is new before a command starts. Gives what `end` has to be told."""
        making = asyncio.ensure_future(self._alone(lambda: self._begin(ctx.session_id, step_of(ctx))))
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            # No command follows: what is changed from now on is not the work of one.
            making.add_done_callback(self._forget)
            raise

    async def end(self, running: RunningCommand, session_id: str) -> None:
        """Note what has changed until a command's end, in the step that its session is at."""
        await self._alone(lambda: self._end(running, session_id))

    async def look(self, ctx: ToolContext, own: Collection[Path] = ()) -> None:
        """Note what has changed by now, where a command runs; `own` are noted by the tool that has changed them."""
        if self._running:
            await self._alone(lambda: self._look(ctx.session_id, step_of(ctx), own))

    async def close(self) -> None:
        """Drop the copies."""
        await self._alone(self._close)

    async def _alone(self, act: Callable[[], T]) -> T:
        """Run one after another; each is finished even if the task that waits for it is cancelled."""

        async def acting() -> T:
            async with self._lock:
                return await run_in_thread(act)

        return await asyncio.shield(asyncio.ensure_future(acting()))

    def _forget(self, made: "asyncio.Future[RunningCommand]") -> None:
        if not made.cancelled() and made.exception() is None:
            self._running.discard(made.result())
            made.result().end()

    def _begin(self, session_id: str, message_id: str) -> RunningCommand:
        self._journal.note_interrupted(str(self._project_files.root))
        # Before the look: the work of a command that ended just then must belong to one.
        running = self._journal.begin_command(session_id, message_id)
        try:
            self._look(session_id, message_id)
        except BaseException:
            running.end()
            raise
        self._running.add(running)
        return running

    def _end(self, running: RunningCommand, session_id: str) -> None:
        message_id = self._steps.get(session_id, "")
        try:
            self._look(session_id, message_id)
        except BaseException:
            # Part of it may be known by now, and is not noted: the next look starts anew, and an undo says so.
            self._close()
            change = CommandChange(str(self._project_files.root), why=NOT_NOTED)
            self._journal.note_commands(session_id, message_id, [change], most_bytes=self._limits.journal_bytes)
            raise
        finally:
            self._running.discard(running)
            running.end()

    def _look(self, session_id: str, message_id: str, own: Collection[Path] = ()) -> None:
        self._steps[session_id] = message_id
        if self._copy is None:
            self._copy = ProjectCopy(self._project_files.root, self._journal.folder, self._limits)
        found = self._copy.look()
        if self._running and found:
            # What others have noted, or taken back, is theirs; what is open here is ours, such as a store of sessions.
            left_out = {*map(str, own), *self._journal.paths_since(self._read_to), *_open_files()}
            found = [one for one in found if str(self._project_files.root / one[0]) not in left_out]
            changes = self._changes(found, message_id)
            self._journal.note_commands(session_id, message_id, changes, most_bytes=self._limits.journal_bytes)
        self._read_to = self._journal.size()

    def _changes(self, differences: Sequence[Difference], message_id: str) -> Iterator[CommandChange]:
        moved = _moved(differences)
        for path, before, after in differences:
            whole = str(self._project_files.root / path)
            why = next((one.why for one in (after, before) if one is not None and one.why), moved.get(path, ""))
            if not why and not (why := self._why_no_path(whole)):
                try:
                    contents = self._content(before), self._content(after)
                except OSError as error:
                    why = f"its copy can't be read ({error.strerror or error})"
                else:
                    why = self._why_too_much(message_id, contents)
                    if not why:
                        yield CommandChange(whole, *contents)
            if why:
                yield CommandChange(_showable(whole), why=why)

    def _content(self, known: FileState | None) -> FileContent:
        if known is None or self._copy is None:
            return NOTHING
        if known.is_folder:
            return FileContent("folder", mode=known.mode)
        return FileContent("link" if known.is_link else "file", self._copy.content(known), known.mode)

    def _why_no_path(self, path: str) -> str:
        try:
            path.encode()
            self._project_files.entry(path)
        except UnicodeEncodeError:
            return "its name is not valid text"
        except ToolError:
            return "its name has control characters in it"
        return ""

    def _why_too_much(self, message_id: str, contents: tuple[FileContent, FileContent]) -> str:
        kept = self._kept[1] if self._kept[0] == message_id else 0
        kept += sum(len(one.data) for one in contents)
        if kept > self._limits.snapshot_step_bytes:
            return f"the step changed more than {size_of(self._limits.snapshot_step_bytes)}"
        self._kept = (message_id, kept)
        return ""

    def _close(self) -> None:
        if self._copy is not None:
            self._copy.close()
            self._copy = None


def changes_of(bench: Workbench) -> CommandChanges | None:
    """The workspace's, where there is a journal."""
    if bench.command_changes is None and isinstance(bench.changes, FileJournal):
        bench.command_changes = CommandChanges(bench.project_files, bench.changes, bench.limits)
    return bench.command_changes


class CommandNotes:
    """The notes on one command or job, from `begin` to `end`. A command that can't be noted still runs: `problem` says
    then why it can't be taken back."""

    def __init__(self, bench: Workbench, ctx: ToolContext) -> None:
        is_harmless = ctx.read_only and bench.sandbox is not None and bench.sandbox.kind != "none"
        self._changes = None if is_harmless else changes_of(bench)
        self._session_id = ctx.session_id
        self._ctx = ctx
        self._running: RunningCommand | None = None
        self.problem = ""

    async def begin(self) -> None:
        if self._changes is not None:
            with self.explaining():
                self._running = await self._changes.begin(self._ctx)

    async def end(self) -> None:
        running, self._running = self._running, None
        if self._changes is not None and running is not None:
            with self.explaining():
                await self._changes.end(running, self._session_id)

    @contextlib.contextmanager
    def explaining(self) -> Generator[None]:
        """Around a look: if it fails, the command has not failed."""
        try:
            yield
        except Exception as error:
            log.exception("what a command changes could not be noted")
            self.problem = f"what this command changed cannot be undone: {error}"

    async def __aenter__(self) -> "CommandNotes":
        await self.begin()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.end()


async def note_until_now(bench: Workbench, ctx: ToolContext, own: Collection[Path] = ()) -> None:
    """Note what jobs have changed until this step; `own` are noted by the tool that has changed them."""
    if bench.command_changes is not None:
        with CommandNotes(bench, ctx).explaining():
            await bench.command_changes.look(ctx, own)


def _open_files() -> Iterator[str]:
    """The paths of what this process has open, where the system tells."""
    with contextlib.suppress(OSError):
        for entry in os.scandir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                yield os.readlink(entry.path)  # noqa: PTH115 - there are many, and most are no paths


def _moved(differences: Sequence[Difference]) -> dict[str, str]:
    """Why what was moved from a place that is not kept stays: to delete it would restore nothing."""
    gone = {
        before.stamp[4]: f"it was moved from {_showable(path)}, which is not kept"
        for path, before, after in differences
        if before is not None and after is None and before.why and len(before.stamp) == STAMP_LENGTH
    }
    return {
        path: gone[after.stamp[4]]
        for path, before, after in differences
        if before is None and after is not None and len(after.stamp) == STAMP_LENGTH and after.stamp[4] in gone
    }


def _showable(path: str) -> str:
    """A path as it can be written down and shown, its beginning where it is very long."""
    text = os.fsencode(path).decode(errors="backslashreplace")
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"
