"""Close a run whose process died: what was streamed is kept, open calls are marked, nothing runs again."""

import time

from msgspec import structs

from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.store.run_records import RunRecord
from toolpost.types.events import (
    Event,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    RunEnd,
    RunReason,
    RunStart,
    Settled,
    ToolExecutionEnd,
)
from toolpost.types.ids import new_id
from toolpost.types.messages import (
    ErrorInfo,
    Failed,
    Message,
    Part,
    Pending,
    ReasoningPart,
    RetryPart,
    StepFinish,
    TextPart,
    ToolPart,
)

from .history import interrupted
from .titles import first_title

INTERRUPTED = ErrorInfo("interrupted", "the process that ran this session ended before the run did")
# A run whose process has died so often is not taken up again: it may be what kills them.
MAX_DEATHS = 5
# From so many on it is suspected: a process drives one of these at a time.
SUSPECT_DEATHS = 2


def given_up(deaths: int) -> ErrorInfo:
    return ErrorInfo("given_up", f"{deaths} processes died while they drove this run, so it was given up")


async def close_run(
    store: Store, info: SessionInfo, *, reason: RunReason = "error", error: ErrorInfo | None = INTERRUPTED
) -> SessionInfo:
    """End the open run that no process drives any more. Call it only while holding the session's lease.

    Of one that was only interrupted before it had begun nothing is told: its prompts wait for the next run.
    """
    record = await store.open_run(info.id)
    if record is not None and not record.is_started and error is INTERRUPTED:
        return await _put_off(store, info, record)
    message = await store.message(info.id, info.head) if info.head else None
    closed = await _close(store, info, message) if message is not None and message.role == "assistant" else None
    messages, events = [closed] if closed is not None else [], list[Event]()
    if record is not None and not record.is_started:
        info = _begin(info, record, messages, events)
    events += _closing_events(info, message, closed, reason, error)
    settled = structs.replace(info, open_run=None, seq=events[-1].seq, updated=time.time())
    await store.commit(SessionChanges(info.id, settled, messages, events, run=None, barrier=True))
    return settled


async def _put_off(store: Store, info: SessionInfo, record: RunRecord) -> SessionInfo:
    waiting = {prompt.id for prompt in info.inbox}
    inbox = (*(prompt for prompt in record.prompts if prompt.id not in waiting), *info.inbox)
    settled = structs.replace(info, open_run=None, updated=time.time(), inbox=inbox)
    await store.commit(SessionChanges(info.id, settled, run=None, barrier=True))
    return settled


def _begin(info: SessionInfo, record: RunRecord, messages: list[Message], events: list[Event]) -> SessionInfo:
    """Let a run that is ended have begun: its prompts were said, and who waits for it is told."""
    seq, now, head = info.seq, time.time(), info.head
    events.append(RunStart(seq + 1, info.id, now, record.id, record.model))
    for prompt in record.prompts:
        message = Message(new_id("msg"), "user", (TextPart(prompt.text), *prompt.files), head, now, agent=record.agent)
        head = message.id
        messages.append(message)
        for kind in (MessageStart, MessageEnd):
            events.append(kind(seq + 1 + len(events), info.id, now, message))
    said = {prompt.id for prompt in record.prompts}
    inbox = tuple(prompt for prompt in info.inbox if prompt.id not in said)
    title = info.title or first_title(record.prompts[-1].text if record.prompts else "")
    return structs.replace(info, title=title, head=head, run_seq=seq + 1, seq=events[-1].seq, inbox=inbox)


async def _close(store: Store, info: SessionInfo, message: Message) -> Message:
    parts = list(message.parts)
    if not parts or not isinstance(parts[-1], StepFinish | RetryPart):
        parts = [*await streamed_parts(store, info, message), StepFinish("interrupted")]
    return structs.replace(message, parts=tuple(map(interrupted, parts)))


async def streamed_parts(store: Store, info: SessionInfo, message: Message) -> list[Part]:
    """The parts as far as their deltas had been stored."""
    pieces: dict[int, list[MessageUpdate]] = {}
    async for event in store.events(info.id, max(0, info.open_seq - 1)):
        if isinstance(event, MessageUpdate) and event.message_id == message.id:
            pieces.setdefault(event.part, []).append(event)
    parts = list(message.parts)
    for place in sorted(pieces):
        del parts[place:]
        parts.append(_part(pieces[place]))
    return parts


def _part(updates: list[MessageUpdate]) -> Part:
    first, text = updates[0], "".join(update.text for update in updates)
    if first.kind == "text":
        return TextPart(text)
    if first.kind == "reasoning":
        return ReasoningPart(text, started=first.time, ended=updates[-1].time)
    return ToolPart(first.call_id, first.name, Pending(text))


def _closing_events(
    info: SessionInfo, before: Message | None, after: Message | None, reason: RunReason, error: ErrorInfo | None
) -> list[Event]:
    """What a subscriber that comes back is told: the calls that were cut, the end of the run, `settled`."""
    seq, now = info.seq, time.time()
    events: list[Event] = []

    def stamp() -> tuple[int, str, float]:
        return seq + len(events) + 1, info.id, now

    if before is not None and after is not None and before != after:
        known = {call.call_id: call.state for call in before.calls}
        for call in after.calls:
            if isinstance(call.state, Failed) and known.get(call.call_id) != call.state:
                content = (TextPart(call.state.message),)
                events.append(
                    ToolExecutionEnd(*stamp(), after.id, call.call_id, call.name, content, 0.0, True, call.state.kind)
                )
        events.append(MessageEnd(*stamp(), after))
    events.append(RunEnd(*stamp(), info.open_run or "", reason, error=error))
    events.append(Settled(*stamp()))
    return events
