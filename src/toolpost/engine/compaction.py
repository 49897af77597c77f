"""Compaction: a long branch is summarised before the window is full; the originals stay and can be recalled."""

import time
from collections.abc import Sequence
from typing import Literal

import msgspec

from toolpost.models.contract import ModelRequest, close_stream
from toolpost.plugins.hooks import CompactionHook
from toolpost.types.errors import ModelError
from toolpost.types.events import CompactionEnd, CompactionStart
from toolpost.types.ids import new_id
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    ErrorInfo,
    Failed,
    FilePart,
    Message,
    TextPart,
    ToolPart,
)
from toolpost.types.stream import Finish, StreamError, TextDelta

from .core import Core
from .history import after_compaction, compaction_of, has_content

CHARS_PER_TOKEN = 4
FILE_TOKENS = 1_200
RESULT_CHARS = 2_000
UNKNOWN_WINDOW_CHARS = 100_000
INSTRUCTIONS = """\
Summarise the conversation below for the assistant that will continue it. It will see only your summary and the last \
messages. Keep: what the user wants, in their words; decisions and constraints; what was done and found, with exact \
names, paths, numbers and errors; what is left to do next. Be complete but brief. Write only the summary."""


def tokens_in_use(branch: Sequence[Message]) -> int:
    """What the next request will hold: the last reported usage, and an estimate for all that came after it.

    What was reported before the last compaction no longer holds.
    """
    fresh = _since_compaction(branch)
    total = 0
    for message in reversed(fresh):
        finish = message.finish
        if finish is not None and finish.usage.total:
            return total + finish.usage.total + _result_tokens(message)
        total += estimate(message)
    sendable = after_compaction(branch)
    return total + sum(estimate(message) for message in sendable[: len(sendable) - len(fresh)])


def needs_compaction(core: Core) -> bool:
    window, branch = core.setup.model.info.context_window, core.history.branch
    if window is None or len(_since_compaction(branch)) < 2:
        # Just compacted: doing it again would gain nothing, however full the window is.
        return False
    return tokens_in_use(branch) > window - _reserve(core, window)


async def compact(core: Core, reason: Literal["threshold", "overflow", "asked"]) -> bool:
    """Summarise the branch into a new message; False if there was nothing to gain or it failed."""
    journal = core.journal
    current = after_compaction(core.history.branch)
    kept = _kept_from(core, current)
    if kept <= 0:
        return False
    tokens = tokens_in_use(core.history.branch)
    journal.publish(CompactionStart(*journal.stamp(), reason, tokens))
    try:
        summary = await _summarise(core, current[:kept])
    except ModelError as error:
        journal.publish(CompactionEnd(*journal.stamp(), "", error.info))
        return False
    first_kept = current[kept].id if kept < len(current) else None
    part = CompactionPart(summary, first_kept, tokens)
    message = Message(new_id("msg"), "user", (part,), journal.info.head, time.time(), core.setup.model.info.id)
    journal.save(message)
    journal.change(head=message.id)
    core.change_branch([*core.history.branch, message])
    await journal.publish_durably(CompactionEnd(*journal.stamp(), message.id))
    return True


def estimate(message: Message) -> int:
    """Tokens of a message, roughly: four characters each, files at a flat rate."""
    tokens = _result_tokens(message)
    for part in message.parts:
        if isinstance(part, TextPart):
            tokens += len(part.text) // CHARS_PER_TOKEN
        elif isinstance(part, CompactionPart):
            tokens += len(part.summary) // CHARS_PER_TOKEN
        elif isinstance(part, FilePart):
            tokens += FILE_TOKENS
        elif isinstance(part, ToolPart) and isinstance(part.state, Completed | Failed):
            tokens += len(msgspec.json.encode(part.state.arguments)) // CHARS_PER_TOKEN
    return tokens


def _since_compaction(branch: Sequence[Message]) -> Sequence[Message]:
    for position in range(len(branch) - 1, -1, -1):
        if compaction_of(branch[position]) is not None:
            return branch[position + 1 :]
    return branch


def _result_tokens(message: Message) -> int:
    tokens = 0
    for call in message.calls:
        if isinstance(call.state, Completed):
            for part in call.state.content:
                tokens += len(part.text) // CHARS_PER_TOKEN if isinstance(part, TextPart) else FILE_TOKENS
        elif isinstance(call.state, Failed):
            tokens += len(call.state.message) // CHARS_PER_TOKEN
    return tokens


def _reserve(core: Core, window: int) -> int:
    """Room for the answer: never more than a quarter of a small window."""
    wanted = core.setup.model.info.max_output or core.setup.limits.compaction_reserve
    return min(wanted, core.setup.limits.compaction_reserve, window // 4)


def _kept_from(core: Core, messages: Sequence[Message]) -> int:
    """The position of the first message that is kept as it is. A message holds its calls with their results, so any
    boundary between messages is safe; the last one is always kept, or the model would not know what was asked."""
    window = core.setup.model.info.context_window
    budget = core.setup.limits.compaction_keep
    if window is not None:
        budget = min(budget, window // 4)
    position = len(messages) - 1
    spent = estimate(messages[position]) if messages else 0
    while position > 0:
        spent += estimate(messages[position - 1])
        if spent > budget:
            break
        position -= 1
    # All of it fits into what would be kept, yet the provider said that it is too much: keep only the last message.
    return position if position > 0 else len(messages) - 1


async def _summarise(core: Core, messages: Sequence[Message]) -> str:
    hook = await core.setup.hooks.compaction(CompactionHook(core.journal.info.id, INSTRUCTIONS))
    window = core.setup.model.info.context_window
    room = UNKNOWN_WINDOW_CHARS if window is None else (window - _reserve(core, window)) * CHARS_PER_TOKEN * 3 // 4
    text = f"{hook.instructions}\n\n<conversation>\n{_shorten(flatten(messages), room)}\n</conversation>"
    prompt = Message(new_id("msg"), "user", (TextPart(text),), time=time.time())
    request = ModelRequest((prompt,), options=dict(core.setup.options), idle_timeout=core.setup.limits.stream_idle)
    pieces: list[str] = []
    stream = core.setup.model.stream(request)
    try:
        async for event in stream:
            if isinstance(event, TextDelta):
                pieces.append(event.text)
            elif isinstance(event, StreamError):
                raise ModelError(event.error)
            elif isinstance(event, Finish):
                break
    finally:
        await close_stream(stream)
    summary = "".join(pieces).strip()
    if not summary:
        raise ModelError(ErrorInfo("protocol", "the model gave an empty summary"))
    return summary


def flatten(messages: Sequence[Message]) -> str:
    """The conversation as labelled text, so that the model reads it instead of continuing it."""
    return "\n\n".join(_flat(message) for message in messages if has_content(message))


def _flat(message: Message) -> str:
    lines = [f"{message.role}: {message.text}"] if message.text else []
    for call in message.calls:
        state = call.state
        arguments = "" if not isinstance(state, Completed | Failed) else msgspec.json.encode(state.arguments).decode()
        lines.append(f"assistant called {call.name}({_shorten(arguments, RESULT_CHARS)})")
        if isinstance(state, Completed):
            result = "\n".join(part.text for part in state.content if isinstance(part, TextPart))
            lines.append(f"result: {_shorten(result, RESULT_CHARS)}")
        elif isinstance(state, Failed):
            lines.append(f"failed: {_shorten(state.message, RESULT_CHARS)}")
    return "\n".join(lines)


def _shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {len(text) - limit} characters left out …]\n{text[-half:]}"
