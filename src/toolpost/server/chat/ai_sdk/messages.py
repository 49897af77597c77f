"""Convert the history of a session into the AI SDK's UI messages."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct, field

from toolpost.server.chat.message_tree import MessageTree, is_attempt, step_of
from toolpost.types.events import PermissionAsked
from toolpost.types.messages import CompactionPart, Message, Role

from .parts import UiPart, step_parts, totals, user_parts


class UiMessage(Struct):
    id: str
    role: Role
    parts: list[UiPart]
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


def ui_messages(
    branch: Sequence[Message], tree: MessageTree | None = None, asks: Iterable[PermissionAsked] = ()
) -> list[UiMessage]:
    """Convert a branch from its beginning. The answers of one run are one message, with the id of the first.

    `tree` has the versions of each message, `asks` the calls that wait for a person.
    """
    return _Writer(tree, {asked.call_id: asked.ask_id for asked in asks}).write(branch)


def head_metadata(message: Message, tree: MessageTree | None) -> dict[str, Any]:
    """Return the metadata that is known when a message begins."""
    versions = tree.versions(message.id) if tree else [message.id]
    told: dict[str, Any] = {"time": message.time}
    if message.role == "assistant":
        told |= {"model": message.model, "agent": message.agent}
    return {**told, "versions": versions, "version": versions.index(message.id) + 1}


def steer_part(message: Message) -> UiPart:
    """Return the part for a prompt that joined a run; it is inside the answer."""
    return {"type": "data-steer", "id": message.id, "data": {"parts": user_parts(message)}}


def compaction_part(message_id: str, tokens: int) -> UiPart:
    return {"type": "data-compaction", "id": message_id, "data": {"tokens": tokens}}


class _Writer:
    def __init__(self, tree: MessageTree | None, asks: dict[str, str]) -> None:
        self._tree = tree
        self._asks = asks
        self._made: list[UiMessage] = []
        self._answer: list[Message] = []
        self._summaries: list[UiPart] = []

    def write(self, branch: Sequence[Message]) -> list[UiMessage]:
        shown = [message for message in branch if not is_attempt(message)]
        for place, message in enumerate(shown):
            compaction = next((part for part in message.parts if isinstance(part, CompactionPart)), None)
            if compaction is not None:
                self._summaries.append(compaction_part(message.id, compaction.tokens_before))
            elif message.role == "assistant":
                self._add_step(message)
            elif self._answer and _goes_on(shown[place + 1 :]):
                self._made[-1].parts.append(steer_part(message))
            else:
                self._close()
                self._made.append(UiMessage(message.id, "user", user_parts(message), self._head(message)))
        self._close()
        return self._made

    def _add_step(self, message: Message) -> None:
        if not self._answer or step_of(message) <= 1:
            summaries, self._summaries = self._summaries, []
            self._close()
            self._made.append(UiMessage(message.id, "assistant", [], self._head(message)))
            self._summaries = summaries
        self._answer.append(message)
        self._put_summaries()
        self._made[-1].parts += step_parts(message, self._asks)

    def _close(self) -> None:
        """End the answer, if there is one."""
        if self._answer:
            self._put_summaries()
            self._made[-1].metadata |= totals(self._answer)
            self._answer = []

    def _put_summaries(self) -> None:
        self._made[-1].parts += self._summaries
        self._summaries = []

    def _head(self, message: Message) -> dict[str, Any]:
        return head_metadata(message, self._tree)


def _goes_on(rest: Sequence[Message]) -> bool:
    """Return whether the next answer is a later step of the same run."""
    following = next((message for message in rest if message.role == "assistant"), None)
    return following is not None and step_of(following) > 1
