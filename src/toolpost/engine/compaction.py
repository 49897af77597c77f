"""Compact a long conversation: summarise it before the context window is full. The originals stay in the store."""

import logging
import time
from collections.abc import Sequence
from typing import Literal

import msgspec

from toolpost.plugins.hooks import CompactionHook
from toolpost.types.errors import ModelError
from toolpost.types.events import CompactionEnd, CompactionStart
from toolpost.types.ids import new_id
from toolpost.types.messages import CompactionPart, Completed, ErrorInfo, Failed, Message, TextPart
from toolpost.types.text import counted

from .history import History, after_compaction, has_content
from .side_query import answer_aside, small_model
from .state import Core
from .token_estimate import estimate, text_tokens

log = logging.getLogger("toolpost.engine")

RESULT_CHARS = 2_000
UNKNOWN_WINDOW_CHARS = 100_000
INSTRUCTIONS = """\
Summarise the conversation below for the assistant that will continue it. It will see only your summary and the last \
messages. Keep: what the user wants, in their words; decisions and constraints; what was done and found, with exact \
names, paths, numbers and errors; what is left to do next. Be complete but brief. Write only the summary."""


def tokens_in_use(branch: Sequence[Message]) -> int:
    """What the next request of a session with this branch will hold."""
    return History(branch).tokens


def needs_compaction(core: Core) -> bool:
    window, history = core.setup.model.info.context_window, core.history
    if window is None or history.fresh < 2:
        # Just compacted: doing it again would gain nothing, however full the window is.
        return False
    return history.tokens > window - _reserve(core, window)


async def compact(core: Core, reason: Literal["threshold", "overflow", "asked"]) -> bool:
    """Summarise the branch into a new message; False if there was nothing to gain or it failed."""
    journal = core.journal
    current = after_compaction(core.history.branch)
    kept = _kept_from(core, current)
    if kept <= 0:
        return False
    tokens = core.history.tokens
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
    told = flatten(messages)
    small, _ = await small_model(core.setup)
    if small is not core.setup.model and len(told) <= _room(core, small.info.context_window, told):
        try:
            return await _summary(core, f"{hook.instructions}\n\n{_quoted(told)}", small=True)
        except ModelError as error:
            log.warning("the small model gave no summary, so the session's own is asked: %s", error)
    told = _shorten(told, _room(core, core.setup.model.info.context_window, told))
    return await _summary(core, f"{hook.instructions}\n\n{_quoted(told)}", small=False)


async def _summary(core: Core, text: str, *, small: bool) -> str:
    prompt = Message(new_id("msg"), "user", (TextPart(text),), time=time.time())
    summary = (await answer_aside(core, (prompt,), small=small)).text
    if not summary:
        raise ModelError(ErrorInfo("protocol", "the model gave an empty summary"))
    return summary


def _quoted(conversation: str) -> str:
    return f"<conversation>\n{conversation}\n</conversation>"


def _room(core: Core, window: int | None, told: str) -> int:
    """How many characters of a conversation a model with this window is given. Chinese has fewer to a token."""
    if window is None:
        return UNKNOWN_WINDOW_CHARS
    tokens = (window - _reserve(core, window)) * 3 // 4
    return tokens * len(told) // max(1, text_tokens(told))


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
    return f"{text[:half]}\n[… {counted(len(text) - limit, 'character')} left out …]\n{text[-half:]}"
