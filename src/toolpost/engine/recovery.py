"""Recover a session after its process died: what was streamed is kept, open calls are marked, nothing runs again."""

import time

from msgspec import structs

from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.types.events import Event, MessageEnd, MessageUpdate, RunEnd, Settled, ToolExecutionEnd
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
from .journal import CRASH_GAP

INTERRUPTED = ErrorInfo("interrupted", "the process that ran this session ended before the run did")


async def recover(store: Store, info: SessionInfo) -> SessionInfo:
    """Close the run that a dead process left open. Call it only while holding the session's lease."""
    message = await store.message(info.id, info.head) if info.head else None
    closed = await _close(store, info, message) if message is not None and message.role == "assistant" else None
    seq = info.seq + CRASH_GAP
    events = _closing_events(info, message, closed, seq)
    settled = structs.replace(info, open_run=None, seq=events[-1].seq, updated=time.time())
    messages = (closed,) if closed is not None else ()
    await store.commit(SessionChanges(info.id, settled, messages, events, barrier=True))
    return settled


async def _close(store: Store, info: SessionInfo, message: Message) -> Message:
    parts = list(message.parts)
    if not parts or not isinstance(parts[-1], StepFinish | RetryPart):
        parts = [*await _streamed_parts(store, info, message), StepFinish("interrupted")]
    return structs.replace(message, parts=tuple(map(interrupted, parts)))


async def _streamed_parts(store: Store, info: SessionInfo, message: Message) -> list[Part]:
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


def _closing_events(info: SessionInfo, before: Message | None, after: Message | None, seq: int) -> list[Event]:
    """What a subscriber that comes back is told: the calls that were cut, the end of the run, `settled`."""
    now = time.time()
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
    events.append(RunEnd(*stamp(), info.open_run or "", "error", error=INTERRUPTED))
    events.append(Settled(*stamp()))
    return events
