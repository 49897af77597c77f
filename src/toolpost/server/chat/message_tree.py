"""The messages of a session as a tree: versions of a message, and the messages of one run."""

from collections.abc import Iterable

from msgspec import Struct

from toolpost.types.messages import CompactionPart, Message, RetryPart, Role, StepStart


class MessageNode(Struct, frozen=True):
    """`step` is the number of an assistant message in its run. An attempt is a step that failed and was tried again."""

    id: str
    parent: str | None
    role: Role
    step: int = 0
    is_attempt: bool = False
    is_compaction: bool = False


class MessageTree:
    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._nodes: dict[str, MessageNode] = {}
        self._children: dict[str | None, list[str]] = {}
        for message in messages:
            self.add(message)

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._nodes

    def __getitem__(self, message_id: str) -> MessageNode:
        return self._nodes[message_id]

    def add(self, message: Message) -> None:
        """Add a message, or update it."""
        if message.id not in self._nodes:
            self._children.setdefault(message.parent_id, []).append(message.id)
        self._nodes[message.id] = node_of(message)

    def versions(self, message_id: str) -> list[str]:
        """Return the message and those in its place on other branches, the oldest first."""
        node = self._nodes.get(message_id)
        if node is None:
            return [message_id]
        siblings = [self._nodes[sibling] for sibling in self._children[node.parent]]
        return [one.id for one in siblings if one.role == node.role and not (one.is_attempt or one.is_compaction)]

    def prompt_of(self, message_id: str) -> str | None:
        """Return the user message that a message answers, or itself; None if there is none."""
        node = self._nodes.get(message_id)
        while node is not None and (node.role == "assistant" or node.is_compaction or self._joined_a_run(node)):
            node = self._nodes.get(node.parent or "")
        return node.id if node else None

    def newest_prompt(self, parent: str) -> str | None:
        """Return the newest user message directly below a message."""
        below = [self._nodes[one] for one in self._children.get(parent, ())]
        return next((one.id for one in reversed(below) if one.role == "user" and not one.is_compaction), None)

    def end_of(self, message_id: str) -> str:
        """Return the last message of the run that an answer belongs to, or its summary: where the conversation
        continues."""
        node = self._standing_for(self._nodes[message_id])
        while (following := self._next_in_run(node)) is not None:
            node = following
        return node.id

    def last_below(self, message_id: str) -> str:
        """Return the end of the newest branch below a message."""
        while below := [one for one in self._children.get(message_id, ()) if not self._nodes[one].is_attempt]:
            message_id = below[-1]
        return message_id

    def _standing_for(self, node: MessageNode) -> MessageNode:
        """Return the attempt that came after this one, if this one failed and was tried again."""
        siblings = self._children[node.parent]
        later = [self._nodes[one] for one in siblings[siblings.index(node.id) :]]
        same = [one for one in later if one.role == node.role and not (one.is_attempt or one.is_compaction)]
        return same[0] if node.is_attempt and same else node

    def _next_in_run(self, node: MessageNode) -> MessageNode | None:
        for child in (self._nodes[one] for one in reversed(self._children.get(node.id, []))):
            goes_on = child.step > 1 and not child.is_attempt
            if goes_on or child.is_compaction or self._joined_a_run(child):
                return child
        return None

    def _joined_a_run(self, node: MessageNode) -> bool:
        """Return whether a message came, or a summary was made, during a run."""
        children = [self._nodes[one] for one in self._children.get(node.id, ())]
        return any(one.step > 1 or (one.is_compaction and self._joined_a_run(one)) for one in children)


def node_of(message: Message) -> MessageNode:
    return MessageNode(
        message.id,
        message.parent_id,
        message.role,
        step_of(message) if message.role == "assistant" else 0,
        is_attempt(message),
        any(isinstance(part, CompactionPart) for part in message.parts),
    )


def step_of(message: Message) -> int:
    first = message.parts[0] if message.parts else None
    return first.step if isinstance(first, StepStart) else 1


def is_attempt(message: Message) -> bool:
    return bool(message.parts) and isinstance(message.parts[-1], RetryPart)
