"""List, undo and redo what a session changed in files."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from msgspec import Struct

from toolpost.guard.paths import FileAccess
from toolpost.store.contract import Store
from toolpost.tools.files.apply import ChangeKind, Step
from toolpost.tools.files.guarded_write import diff_of
from toolpost.tools.files.journal import FileJournal
from toolpost.tools.files.undo import LeftOut, Undo, Way
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolpostError

from .related_sessions import SessionFamily


class FileChange(Struct, frozen=True):
    """One file that is another now. `diff` is in the unified form, without names, and "" where it is no text; `note`
    says what lines don't: another mode, a link, a folder."""

    path: str
    kind: ChangeKind
    diff: str = ""
    note: str = ""


class TakenBack(Struct, frozen=True):
    """What an undo or a redo has changed, and what it had to leave as it is: each with its path and why."""

    files: tuple[FileChange, ...]
    left_out: tuple[LeftOut, ...]


class FileChanges:
    """The changes of one session and of the agents that it sent."""

    def __init__(self, journal: FileJournal, ground: FileAccess, store: Store, session_id: str, hold: "Hold") -> None:
        self._journal = journal
        self._ground = ground
        self._store = store
        self._session_id = session_id
        self._hold = hold

    async def list(self) -> tuple[FileChange, ...]:
        """Each file that is not as it was before the session, once."""
        undo = await self._undo()
        return await run_in_thread(lambda: tuple(map(_shown, undo.net())))

    async def left_out(self) -> tuple[LeftOut, ...]:
        """What commands changed and can't be taken back, with why."""
        undo = await self._undo()
        return await run_in_thread(lambda: tuple(undo.left_out()))

    async def undo(self, steps: int = 1) -> TakenBack:
        """Take back what the last steps did to files: all of it or nothing.

        Raises `ToolpostError` where one of them was changed by something else since.
        """
        return await self._turn("undo", steps)

    async def redo(self, steps: int = 1) -> TakenBack:
        """Make again what was taken back, until something new is done."""
        return await self._turn("redo", steps)

    async def _turn(self, way: Way, steps: int) -> TakenBack:
        if steps < 1:
            raise ToolpostError(f"steps is {steps}: give a number above 0")
        async with self._hold(f"{way} its changes"):
            undo = await self._undo()
            return await run_in_thread(lambda: _turned(undo, way, steps))

    async def _undo(self) -> Undo:
        family = await SessionFamily.of(self._store, await run_in_thread(self._journal.changes))
        sessions = frozenset({self._session_id, *family.sent_by(self._session_id)})
        return Undo(self._ground, self._journal, sessions=sessions)


# Holds a session while something is done beside its runs; it is told what, for the error of a caller that has to wait.
Hold = Callable[[str], AbstractAsyncContextManager[Any]]


def _turned(undo: Undo, way: Way, steps: int) -> TakenBack:
    turn = undo.plan(way, steps=steps)
    if turn.problems:
        raise ToolpostError(f"nothing was changed: {'; '.join(turn.problems)}")
    if turn.numbers:
        undo.apply(turn)
    return TakenBack(tuple(map(_shown, turn.steps)), turn.left_out)


def _shown(step: Step) -> FileChange:
    diff = diff_of(step)
    return FileChange(step.place.shown, step.kind, diff.text if diff else "", step.note)
