"""Build the model's message list from the stored branch: compact, repair open calls, cache conversions."""

from collections.abc import Sequence

import msgspec

from toolpost.types.messages import (
    CompactionPart,
    ContextPart,
    Failed,
    FilePart,
    Message,
    Part,
    Pending,
    Running,
    TextPart,
    ToolPart,
)

from .token_estimate import estimate, result_tokens

INTERRUPTED = "This call was interrupted before it finished; its effects are unknown. Check before you call it again."
SUMMARY_INTRODUCTION = "The conversation so far was long and has been summarised. Summary:\n\n"


class History:
    """The branch of a session and its form for the model, kept side by side.

    A message that needs no repair is passed on as it is, so that adapters can remember its encoding by identity;
    a repaired one is made once and kept. `fresh` counts the messages since the last compaction.
    """

    def __init__(self, branch: Sequence[Message] = ()) -> None:
        self.branch: list[Message] = []
        self.compacted = False
        self.fresh = 0
        self.tokens = 0
        self._sendable: list[Message] = []
        self.reset(branch)

    def reset(self, branch: Sequence[Message]) -> None:
        """Start over from another branch: after a compaction, an edit, a retry."""
        self.branch = list(branch)
        self.compacted = any(compaction_of(message) for message in branch)
        self._sendable = []
        sendable = after_compaction(self.branch)
        self.fresh = len(_since_compaction(self.branch))
        kept = len(sendable) - self.fresh
        # What was reported before the last compaction no longer holds.
        self.tokens = sum(map(estimate, sendable[:kept]))
        for message in sendable:
            self._add_sendable(message)
        for message in sendable[kept:]:
            self._count(message)

    def add(self, message: Message) -> None:
        self.branch.append(message)
        self.fresh += 1
        self._add_sendable(message)
        self._count(message)

    def prompt_of(self, message_id: str | None) -> Message | None:
        """The last prompt up to a message (by default the last of the branch)."""
        end = len(self.branch) - 1
        if message_id is not None:
            end = next((i for i, m in enumerate(self.branch) if m.id == message_id), -1)
        return next((m for m in reversed(self.branch[: end + 1]) if m.role == "user"), None)

    @property
    def sendable(self) -> Sequence[Message]:
        return self._sendable

    def _count(self, message: Message) -> None:
        """Keep `tokens`, what the next request will hold: the last reported usage, and an estimate for all after it."""
        usage = message.finish.usage if message.finish is not None else None
        if usage is not None and usage.total:
            self.tokens = usage.total + result_tokens(message)
        else:
            self.tokens += estimate(message)

    def _add_sendable(self, message: Message) -> None:
        if has_content(message):
            self._sendable.append(repaired(message))


def after_compaction(branch: Sequence[Message]) -> list[Message]:
    """The summary as a message, then what the last compaction kept, then what came after it."""
    for position in range(len(branch) - 1, -1, -1):
        compaction = compaction_of(branch[position])
        if compaction is not None:
            kept = _from(branch[:position], compaction.kept_from)
            return [_summary_message(branch[position], compaction), *kept, *branch[position + 1 :]]
    return list(branch)


def compaction_of(message: Message) -> CompactionPart | None:
    return next((part for part in message.parts if isinstance(part, CompactionPart)), None)


def _since_compaction(branch: Sequence[Message]) -> Sequence[Message]:
    for position in range(len(branch) - 1, -1, -1):
        if compaction_of(branch[position]) is not None:
            return branch[position + 1 :]
    return branch


def has_content(message: Message) -> bool:
    """An answer that failed before its first word says nothing, and some servers refuse an empty message."""
    return any(
        isinstance(part, ToolPart | FilePart) or (isinstance(part, TextPart) and part.text) for part in message.parts
    )


def repaired(message: Message) -> Message:
    """The message itself, or a copy in which every call has a result: a call without one bricks a session. What was
    found for a prompt is read as a text after it."""
    if found := [part.text for part in message.parts if isinstance(part, ContextPart)]:
        return _with_context(message, "\n\n".join(found))
    for part in message.parts:
        if isinstance(part, ToolPart) and isinstance(part.state, Pending | Running):
            return msgspec.structs.replace(message, parts=tuple(map(interrupted, message.parts)))
    return message


def _with_context(message: Message, found: str) -> Message:
    """In one text, as some servers take no more than one."""
    text = "\n\n".join(filter(None, (message.text, found)))
    others = (part for part in message.parts if not isinstance(part, TextPart | ContextPart))
    return msgspec.structs.replace(message, parts=(TextPart(text), *others))


def interrupted(part: Part) -> Part:
    """An open call becomes an error result of kind `interrupted`; anything else stays as it is."""
    if not isinstance(part, ToolPart):
        return part
    state = part.state
    if isinstance(state, Running):
        failed = Failed("interrupted", INTERRUPTED, arguments=state.arguments, started=state.started)
    elif isinstance(state, Pending):
        failed = Failed("interrupted", "This call was never started.", raw=state.raw)
    else:
        return part
    return msgspec.structs.replace(part, state=failed)


def _from(messages: Sequence[Message], first: str | None) -> Sequence[Message]:
    for position, message in enumerate(messages):
        if message.id == first:
            return messages[position:]
    return ()


def _summary_message(message: Message, compaction: CompactionPart) -> Message:
    text = SUMMARY_INTRODUCTION + compaction.summary
    return Message(message.id, "user", (TextPart(text),), time=message.time)
