"""Follow the runs of a transcript: what is to be known while they work, and how they ended."""

from collections.abc import Sequence
from typing import Any

from toolpost.types.events import (
    CompactionEnd,
    CompactionStart,
    Notice,
    ParkReason,
    Retry,
    RunEnd,
    RunParked,
    RunResumed,
    RunStart,
    StepEnd,
    StepStarted,
)
from toolpost.types.messages import Message, Usage

from .call_items import CallItems
from .item_list import ItemList
from .items import ENDED, CallPhase, CompactionItem, NoticeItem, NoticeKind, RunEndItem
from .message_items import end_id, is_attempt

_OPEN_PHASES: tuple[CallPhase, ...] = ("preparing", "ready", "asking", "answered", "running")
_PARKED: dict[ParkReason, str] = {
    "waiting": "the run waits for an answer",
    "released": "the run was interrupted and can go on",
    "interrupted": "the run was interrupted and can go on",
}
assert not ENDED & set(_OPEN_PHASES)


class RunItems:
    def __init__(self, items: ItemList, calls: CallItems) -> None:
        self._items = items
        self._calls = calls
        self.is_under_way = False
        self._message_id = ""
        self._last = ""
        self._parked: ParkReason | None = None
        self._transient: dict[NoticeKind, str] = {}
        self._tokens = 0
        self._begin(None)

    def adopt(self, messages: Sequence[Message], *, is_running: bool) -> None:
        """Go on behind these messages."""
        self.is_under_way = is_running
        last = next((message for message in reversed(messages) if message.role == "assistant"), None)
        if last is not None:
            self._message_id = self._last = last.id

    def start(self, event: RunStart) -> None:
        self._begin(event.time)
        self.is_under_way, self._last = False, ""

    def step(self, event: StepStarted) -> None:
        self.is_under_way, self._step = True, event.step

    def begin_message(self, message: Message) -> None:
        if message.role == "assistant":
            self._message_id = message.id

    def end_message(self, message: Message) -> None:
        if message.role == "assistant" and not is_attempt(message):
            self._last = message.id

    def end_step(self, event: StepEnd) -> None:
        """A call that never became whole, or that was never begun, has no event of its own."""
        kind = "truncated" if event.reason == "length" else "aborted"
        self._calls.close(kind, ("preparing", "ready"), self._message_id)
        self._usage += event.usage
        if event.usage.total or event.cost is not None:
            self._cost = None if self._cost is None or event.cost is None else self._cost + event.cost

    def retry(self, event: Retry) -> None:
        self.clear_retry()
        text = f"retrying in {event.delay:.0f} s (attempt {event.attempt}): {event.error.message}"
        data = {"attempt": event.attempt, "delay": event.delay}
        self._say("retry", event, text, data, error=event.error, until=event.next_at)

    def clear_retry(self) -> None:
        self._clear("retry")

    def start_compaction(self, event: CompactionStart) -> None:
        self._tokens = event.tokens
        why = "" if event.reason == "asked" else "the conversation is long: "
        self._say("compacting", event, f"{why}summarising it", {"reason": event.reason, "tokens": event.tokens})

    def end_compaction(self, event: CompactionEnd) -> None:
        self._clear("compacting")
        if event.error is not None:
            text = f"cannot summarise the conversation: {event.error.message}"
            self._say("compaction_failed", event, text, error=event.error)
        else:
            self._items.put(CompactionItem(id=event.message_id, is_finished=True, tokens=self._tokens))

    def notice(self, event: Notice) -> None:
        known = event.code in ("tools_left_out", "window_full")
        self._say(event.code if known else "other", event, event.text, event.data)

    def park(self, event: RunParked) -> None:
        self._stop_clock(event.time)
        self.clear_retry()
        self._parked = event.reason
        self._say("parked", event, _PARKED[event.reason], {"reason": event.reason})

    def resume(self, event: RunResumed) -> None:
        self._clear("parked", "retry", "compacting")
        self._calls.begin_again(event.again)
        # One that only waited for an answer was not interrupted; nor was one that this view has not seen before.
        was_cut = self._parked in ("released", "interrupted") or self._began is not None
        self._began, self.is_under_way = event.time, True
        if was_cut:
            told = {"again": len(event.again), "interrupted": len(event.interrupted)}
            self._say("resumed", event, "the run goes on", told)
        self._parked = None

    def end(self, event: RunEnd) -> None:
        self._clear("parked", "retry", "compacting")
        if event.reason == "handed_over":
            self._calls.hand_over()
        else:
            self._calls.close("aborted" if event.reason == "aborted" else "interrupted", _OPEN_PHASES)
        self._stop_clock(event.time)
        # A run that was closed after its process had died does not say what it took.
        is_told = bool(event.steps)
        self._items.put(
            RunEndItem(
                id=end_id(self._last or event.run_id),
                is_finished=True,
                reason=event.reason,
                limit=event.limit,
                error=event.error,
                steps=event.steps if is_told else self._step,
                usage=event.usage if is_told else self._usage,
                cost=event.cost if is_told else self._cost,
                seconds=self._seconds,
            )
        )
        self.is_under_way = False

    def _begin(self, time: float | None) -> None:
        self._began = time
        self._seconds: float | None = None
        self._step = 0
        self._usage = Usage()
        self._cost: float | None = 0.0

    def _stop_clock(self, time: float) -> None:
        if self._began is not None:
            self._seconds = (self._seconds or 0.0) + time - self._began
            self._began = None

    def _say(self, code: NoticeKind, event: Any, text: str, data: dict[str, Any] | None = None, **more: Any) -> None:
        id = f"{code}-{event.seq}"
        is_passing = code in ("retry", "compacting", "parked")
        self._items.put(
            NoticeItem(
                id=id, is_finished=not is_passing, code=code, text=text, data=data or {}, time=event.time, **more
            )
        )
        if is_passing:
            self._transient[code] = id

    def _clear(self, *codes: NoticeKind) -> None:
        for code in codes:
            if id := self._transient.pop(code, ""):
                self._items.remove(id)
