"""Make items of stored messages: the same that their events would have made."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import structs

from toolpost.arguments.parse_json import parse_arguments
from toolpost.types.events import RunReason
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    ContextPart,
    ErrorInfo,
    Failed,
    FilePart,
    FinishReason,
    Message,
    Pending,
    ReasoningPart,
    RetryPart,
    Running,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
    Usage,
)

from .growing_text import GrowingText
from .items import (
    CallError,
    CallItem,
    CallPhase,
    CompactionItem,
    FileItem,
    Item,
    PromptItem,
    ReasoningItem,
    RunEndItem,
    SentAgent,
    TextItem,
)

_REASONS: dict[FinishReason, RunReason] = {"aborted": "aborted", "error": "error", "length": "limit"}
# How a sub-agent that did not finish is told of: nothing else names its session then.
_UNFINISHED = re.compile(r"^To let it go on, call task again with session_id: (ses_\w+)$", re.MULTILINE)


def item_id(message_id: str, part: int | str) -> str:
    """The id of an item: its message, and there the place of its part or the id of its call."""
    return f"{message_id}/{part}"


def end_id(message_id: str) -> str:
    """The id of the item for the end of a run, which stands behind the last message of that run."""
    return item_id(message_id, "end")


def items_of(message: Message) -> list[tuple[int, Item]]:
    """The items of an assistant message, each with the place of its part."""
    found: list[tuple[int, Item]] = []
    is_whole = is_sealed(message)
    for place, part in enumerate(message.parts):
        id = item_id(message.id, place)
        match part:
            case TextPart(text) if not is_blank(text):
                source = GrowingText(text)
                found.append((place, TextItem(id=id, is_finished=is_whole, message_id=message.id, source=source)))
            case ReasoningPart(text) if not is_blank(text):
                found.append((place, _reasoning(id, message, part, is_whole)))
            case ToolPart():
                found.append((place, call_of(message.id, part, is_whole=is_whole)))
            case FilePart():
                found.append((place, file_of(id, message.id, part)))
            case _:
                pass
    return found


def prompt_of(message: Message, *, is_steered: bool = False) -> PromptItem | CompactionItem:
    """The item of a user message: what a person said, or the summary of what came before it."""
    for part in message.parts:
        if isinstance(part, CompactionPart):
            return CompactionItem(id=message.id, is_finished=True, tokens=part.tokens_before, summary=part.summary)
    return PromptItem(
        id=message.id,
        is_finished=True,
        text=message.text,
        message_id=message.id,
        files=tuple(part for part in message.parts if isinstance(part, FilePart)),
        sources=tuple(link for part in message.parts if isinstance(part, ContextPart) for link in part.links),
        is_steered=is_steered,
        time=message.time,
    )


def call_of(message_id: str, part: ToolPart, *, is_whole: bool = True) -> CallItem:
    """The item of a stored call."""
    state = part.state
    item = CallItem(
        id=item_id(message_id, part.call_id),
        message_id=message_id,
        call_id=part.call_id,
        name=part.name,
        consent=part.consent,
    )
    match state:
        case Pending(raw):
            phase: CallPhase = "ready" if is_whole else "preparing"
            arguments = parse_arguments(raw)[0] if is_whole else None
            return structs.replace(item, phase=phase, arguments=arguments, raw=GrowingText(raw))
        case Running(arguments, started):
            return structs.replace(item, phase="running", arguments=arguments, started=started)
        case Completed():
            return structs.replace(
                item,
                is_finished=True,
                phase="done",
                arguments=state.arguments,
                content=state.content,
                title=state.title,
                details=state.details,
                started=state.started,
                duration=_duration(state),
                sub_agent=sub_agent_of(state.details, None),
            )
        case Failed():
            arguments, unread = read_arguments(state.arguments, state.raw)
            return structs.replace(
                item,
                is_finished=True,
                phase=phase_of(state.kind),
                arguments=arguments,
                raw=unread,
                details=state.details,
                error=CallError(state.kind, state.message),
                started=state.started,
                duration=_duration(state),
                sub_agent=sub_agent_of(state.details, None, state.message),
            )


def read_arguments(known: dict[str, Any] | None, raw: str) -> tuple[dict[str, Any], GrowingText | None]:
    """The arguments of a call that failed, and what was written of them where nothing could be made of it."""
    if known:
        return known, None
    arguments, unread = parse_arguments(raw)
    return arguments, GrowingText(unread) if unread else None


def phase_of(kind: str) -> CallPhase:
    """How a call ended that gave no result."""
    return "denied" if kind == "denied" else "stopped" if kind == "aborted" else "failed"


def sub_agent_of(details: dict[str, Any] | None, known: SentAgent | None, failure: str = "") -> SentAgent | None:
    """The sub-agent that the details of a call tell of, after what was known of it."""
    told = details or {}
    session_id = told.get("session_id")
    if not isinstance(session_id, str) or not isinstance(told.get("agent"), str):
        if known is None and (found := _UNFINISHED.search(failure)):
            known = SentAgent(found[1])
        return structs.replace(known, ending="error") if known is not None and failure else known
    cost = told.get("cost")
    return SentAgent(
        session_id,
        told["agent"],
        _number(told.get("calls")),
        _number(told.get("tokens")),
        float(cost) if isinstance(cost, int | float) else None,
        str(told.get("ending") or ""),
        known is not None and known.is_asking,
    )


def file_of(id: str, message_id: str, part: FilePart) -> FileItem:
    return FileItem(id=id, is_finished=True, message_id=message_id, mime=part.mime, name=part.name, file=part)


def is_sealed(message: Message) -> bool:
    """Whether the model's turn is over: its calls may still run."""
    return message.role == "user" or (bool(message.parts) and isinstance(message.parts[-1], StepFinish | RetryPart))


def is_attempt(message: Message) -> bool:
    """Whether it failed and was tried again: then it is on no branch."""
    return bool(message.parts) and isinstance(message.parts[-1], RetryPart)


def step_of(message: Message) -> int:
    first = message.parts[0] if message.parts else None
    return first.step if isinstance(first, StepStart) else 1


def is_blank(text: str) -> bool:
    return not text or text.isspace()


class _RunSoFar:
    """The messages of one run, as far as they were read."""

    def __init__(self) -> None:
        self.last: Message | None = None
        self.step = 0
        self.steps = 0
        self.usage = Usage()
        self.cost: float | None = 0.0

    def add(self, message: Message) -> None:
        self.last, self.step = message, step_of(message)
        finish = message.finish
        if finish is None:
            return
        self.steps = self.step
        self.usage += finish.usage
        if finish.usage.total or finish.cost is not None:
            self.cost = None if self.cost is None or finish.cost is None else self.cost + finish.cost

    def end(self) -> RunEndItem | None:
        last = self.last
        if last is None or last.finish is None:
            return None
        error = last.error or _error_of(last, last.finish.reason)
        reason = "error" if error is not None else _reason(last, last.finish.reason)
        return RunEndItem(
            id=end_id(last.id),
            is_finished=True,
            reason=reason,
            limit="max_output" if reason == "limit" else "",
            error=error,
            steps=self.steps,
            usage=self.usage,
            cost=self.cost,
        )


_FILTERED = ErrorInfo("content_filter", "the provider's filter stopped the answer")
_INTERRUPTED = ErrorInfo("interrupted", "the process that ran this session ended before the run did")


def stored_items(messages: Sequence[Message], *, is_open: bool = False) -> Iterator[Item]:
    """The items of stored messages of one branch, which begin where a run begins. With `is_open` the last run has not
    ended."""
    run, waiting = _RunSoFar(), list[Message]()
    for message in messages:
        if is_attempt(message):
            continue
        if message.role == "user":
            waiting.append(message)
            continue
        goes_on = run.last is not None and step_of(message) > run.step
        if not goes_on and (end := run.end()) is not None:
            yield end
        yield from (prompt_of(one, is_steered=goes_on) for one in waiting)
        if not goes_on:
            run = _RunSoFar()
        waiting.clear()
        yield from (item for _, item in items_of(message))
        run.add(message)
    if not (is_open and not waiting) and (end := run.end()) is not None:
        yield end
    yield from map(prompt_of, waiting)


def _reasoning(id: str, message: Message, part: ReasoningPart, is_whole: bool) -> ReasoningItem:
    return ReasoningItem(
        id=id,
        is_finished=is_whole,
        message_id=message.id,
        source=GrowingText(part.text),
        started=part.started,
        ended=part.ended,
    )


def _duration(state: Completed | Failed) -> float:
    return state.ended - state.started if state.started and state.ended else 0.0


def _error_of(last: Message, reason: FinishReason) -> ErrorInfo | None:
    """What the end of a run's last message says of a failure that no message keeps."""
    if reason == "content-filter":
        return _FILTERED
    is_cut = any(isinstance(call.state, Failed) and call.state.kind == "interrupted" for call in last.calls)
    return _INTERRUPTED if is_cut or reason == "interrupted" else None


def _reason(last: Message, reason: FinishReason) -> RunReason:
    for call in last.calls:
        consent = call.consent
        if consent is not None and consent.reply == "reject" and not consent.message:
            return "denied"
        if isinstance(call.state, Running):
            return "handed_over"
    return _REASONS.get(reason, "done")


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
