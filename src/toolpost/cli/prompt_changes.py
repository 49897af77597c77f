"""Which changes of files came of one prompt: of the steps that answered it, and of the agents that they sent."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from toolpost.store.contract import SessionInfo, Store
from toolpost.types.errors import ToolpostError
from toolpost.types.messages import CompactionPart, Message
from toolpost.workspace import Workspace

from .find import only_id

if TYPE_CHECKING:
    from toolpost.tools.files.journal import Change
    from toolpost.tools.files.undo import Way


async def messages_of(workspace: Workspace, wanted: str) -> frozenset[str]:
    """The messages whose changes are meant: those that answered the prompt `wanted`, or the one answer whose id is or
    begins so. None where no such message is known."""
    changes = workspace.journal.changes()
    if not changes:
        return frozenset()
    steps = dict.fromkeys(change.message_id for change in changes)
    if step := only_id(wanted, steps):
        return frozenset({step})
    family = await _Family.of(workspace)
    for root in dict.fromkeys(family.root(change.session_id) for change in reversed(changes)):
        messages = await _messages(workspace.store, root)
        if prompt := only_id(wanted, messages):
            return family.below(root, prompt, messages, changes)
    return frozenset()


async def messages_of_last(workspace: Workspace, way: "Way", session_id: str | None) -> frozenset[str]:
    """The messages that answered the prompt whose changes were made last or, to redo them, taken back last."""
    journal = workspace.journal
    changes = journal.changes()
    undone = journal.undone()
    by_number = {one.number: one for one in changes if session_id in (None, one.session_id)}
    turnable = journal.redoable(session_id) if way == "redo" else [one for one in by_number if one not in undone]
    left = [by_number[number] for number in turnable if number in by_number]
    return await (await _Family.of(workspace)).answers_to(left[-1], changes) if left else frozenset()


class _Family:
    """The sessions of a project, and who sent whom."""

    def __init__(self, store: Store, infos: Mapping[str, SessionInfo]) -> None:
        self._store = store
        self._infos = infos

    @classmethod
    async def of(cls, workspace: Workspace) -> "_Family":
        found = [info async for info in workspace.store.sessions(folder=str(workspace.project))]
        return cls(workspace.store, {info.id: info for info in found})

    def root(self, session_id: str) -> str:
        """The session that a person talked to."""
        seen = {session_id}
        while (info := self._infos.get(session_id)) and info.parent and info.parent not in seen:
            session_id = info.parent
            seen.add(session_id)
        return session_id

    async def answers_to(self, change: "Change", changes: "list[Change]") -> frozenset[str]:
        """All that came of the prompt that this change came of."""
        root = self.root(change.session_id)
        messages = await _messages(self._store, root)
        if change.session_id == root:
            prompt = _prompt_of(change.message_id, messages)
        else:
            asked = [one for one in messages.values() if _is_prompt(one) and one.time <= change.time]
            prompt = max(asked, key=lambda one: one.time).id if asked else ""
        return self.below(root, prompt, messages, changes) or frozenset({change.message_id})

    def below(self, root: str, prompt: str, messages: Mapping[str, Message], changes: "list[Change]") -> frozenset[str]:
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


async def _messages(store: Store, session_id: str) -> dict[str, Message]:
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
