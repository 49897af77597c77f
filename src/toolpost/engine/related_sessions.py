"""Which sessions changed files for one another: who sent whom, and what came of one prompt."""

import contextlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from toolpost.store.contract import SessionInfo, Store
from toolpost.types.errors import SessionNotFound, ToolpostError
from toolpost.types.messages import CompactionPart, Message

if TYPE_CHECKING:
    from toolpost.tools.files.journal import JournaledChange


class SessionFamily:
    """The sessions that changed files, and who sent whom."""

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
