"""List, undo and redo what a session changed in files."""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from toolpost.guard.paths import FileAccess
from toolpost.store.contract import SessionInfo, Store
from toolpost.tools.files.apply import ChangeKind, Step
from toolpost.tools.files.guarded_write import diff_of
from toolpost.tools.files.journal import FileJournal
from toolpost.tools.files.undo import LeftOut, Undo, Way
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import SessionNotFound, ToolpostError
from toolpost.types.messages import CompactionPart, Message

if TYPE_CHECKING:
    from toolpost.tools.files.journal import JournaledChange


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


class SessionFamily:
    """The sessions that changed files. Those of sub-agents belong to the session that started them."""

    def __init__(self, store: Store, infos: Mapping[str, SessionInfo]) -> None:
        self._store = store
        self._infos = infos

    @classmethod
    async def of(cls, store: Store, changes: "Iterable[JournaledChange]") -> "SessionFamily":
        infos: dict[str, SessionInfo] = {}
        for session_id in {change.session_id for change in changes}:
            wanted: str | None = session_id
            while wanted and wanted not in infos:
                # One that was deleted: its changes are still in the journal.
                with contextlib.suppress(SessionNotFound):
                    infos[wanted] = await store.info(wanted)
                wanted = infos[wanted].parent if wanted in infos else None
        return cls(store, infos)

    def root(self, session_id: str) -> str:
        """The session that a person talked to."""
        return self._above(session_id)[-1]

    def sent_by(self, session_id: str) -> list[str]:
        return [one for one in self._infos if session_id in self._above(one)[1:]]

    async def answers_to(self, change: "JournaledChange", changes: "list[JournaledChange]") -> frozenset[str]:
        """All that came of the prompt that this change came of."""
        root = self.root(change.session_id)
        messages = await messages_in(self._store, root)
        if change.session_id == root:
            prompt = _prompt_of(change.message_id, messages)
        else:
            asked = [one for one in messages.values() if _is_prompt(one) and one.time <= change.time]
            prompt = max(asked, key=lambda one: one.time).id if asked else ""
        return self.below(root, prompt, messages, changes) or frozenset({change.message_id})

    def below(
        self, root: str, prompt: str, messages: Mapping[str, Message], changes: "list[JournaledChange]"
    ) -> frozenset[str]:
        own = {one.id for one in messages.values() if not _is_prompt(one) and _prompt_of(one.id, messages) == prompt}
        begin = messages[prompt].time if prompt in messages else 0.0
        later = [one.time for one in messages.values() if _is_prompt(one) and one.time > begin]
        end = min(later, default=float("inf"))
        # A sub-agent works only while its sender's prompt is being answered.
        sent = {
            change.message_id
            for change in changes
            if change.session_id != root and self.root(change.session_id) == root and begin <= change.time < end
        }
        return frozenset(own | sent)

    def _above(self, session_id: str) -> list[str]:
        """A session, who sent it, and so on."""
        line = [session_id]
        while (info := self._infos.get(line[-1])) and info.parent and info.parent not in line:
            line.append(info.parent)
        return line


async def messages_in(store: Store, session_id: str) -> dict[str, Message]:
    try:
        return {message.id: message async for message in store.messages(session_id)}
    except ToolpostError:
        # A session that was deleted: its changes are still in the journal.
        return {}


def _is_prompt(message: Message) -> bool:
    """A summary of what came before is stored like a prompt, and is none."""
    return message.role == "user" and not any(isinstance(part, CompactionPart) for part in message.parts)


def _prompt_of(message_id: str, messages: Mapping[str, Message]) -> str:
    """The prompt that a message answers."""
    message = messages.get(message_id)
    while message is not None and not _is_prompt(message):
        message = messages.get(message.parent_id or "")
    return message.id if message is not None else ""
