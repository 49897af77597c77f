"""The messages of a transcript in their order, to notice when the conversation goes back to an earlier one."""

from collections.abc import Sequence

from toolpost.types.messages import Message

from .message_items import is_attempt


class Branch:
    """Ids of messages, from the earliest that is known."""

    def __init__(self) -> None:
        self._ids: list[str] = []

    def adopt(self, messages: Sequence[Message]) -> None:
        """Go on behind these messages."""
        self._ids += _ids(messages)

    def prepend(self, messages: Sequence[Message]) -> None:
        self._ids[:0] = _ids(messages)

    def add(self, message_id: str) -> None:
        if not self._ids or self._ids[-1] != message_id:
            self._ids.append(message_id)

    def drop(self, message_id: str) -> None:
        """It was taken back: the next one stands in its place."""
        if self._ids and self._ids[-1] == message_id:
            self._ids.pop()

    def follows(self, message: Message) -> bool:
        """Whether a message that begins comes after the last one, or is the last one."""
        return not self._ids or self._ids[-1] in (message.id, message.parent_id)

    def go_back(self, message: Message) -> Sequence[str]:
        """Leave what the message does not follow; returns the messages that are left, all if it follows none of
        them."""
        if message.id in self._ids:
            return ()
        place = 0
        if message.parent_id is not None and message.parent_id in self._ids:
            place = self._ids.index(message.parent_id) + 1
        left = self._ids[place:]
        del self._ids[place:]
        return left


def _ids(messages: Sequence[Message]) -> list[str]:
    return [message.id for message in messages if not is_attempt(message)]
