"""Number, store and publish the events of a session, in one order.

An event that marks a barrier (a prompt accepted, a call begun, an approval, a run ended) reaches subscribers only
after it is on disk, and nothing overtakes it. Deltas go out at once and are stored together a little later.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from toolpost.store.contract import Exchange, SessionChanges, SessionInfo, Store
from toolpost.store.run_records import RunRecord
from toolpost.types.errors import SessionTakenOver, StoreError
from toolpost.types.events import CutOff, Event
from toolpost.types.messages import Message

from .asyncio_tasks import uninterrupted
from .limits import Limits

log = logging.getLogger("toolpost.engine")
Listener = Callable[[Event], None]

PENDING_EVENTS_MAX = 5_000


class Journal:
    """Owns a session's info, its open run and its unsaved changes. One per open session; not shared between
    processes."""

    def __init__(self, store: Store, info: SessionInfo, record: RunRecord | None, limits: Limits) -> None:
        self.store = store
        self.info = info
        self.record = record
        self.durable = store.durable
        self.limits = limits
        self._seq = info.seq
        self._delivered = info.seq
        self._stored = info.seq
        self._info_changed = False
        self._record_changed = False
        self._events: list[Event] = []
        self._writing: Sequence[Event] = ()
        self._messages: dict[str, Message] = {}
        self._exchanges: list[Exchange] = []
        self._listeners: tuple[Listener, ...] = ()
        self._owners: list[Subscription] = []
        self._held: deque[Event] = deque()
        self._uncommitted: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._one_flush = asyncio.Lock()
        self._barrier_wanted = False
        self._flushing: set[asyncio.Task[None]] = set()
        self._ahead: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        """The number of the last event that was stamped."""
        return self._seq

    @property
    def is_unsaved(self) -> bool:
        """True while there is something that the store has not got."""
        return bool(self._events or self._messages or self._exchanges or self._info_changed or self._record_changed)

    def stamp(self) -> tuple[int, str, float]:
        """The first three fields of the next event. Whoever takes a stamp must publish it."""
        self._seq += 1
        return self._seq, self.info.id, time.time()

    def publish(self, event: Event) -> None:
        """Give out an event now and store it with the next flush."""
        self._events.append(event)
        if self._held or self._uncommitted:
            self._held.append(event)
        else:
            self.deliver(event)
        if self.durable and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self.limits.flush_seconds, self._flush_soon)

    def record_event(self, event: Event) -> None:
        """Store an event with the next flush; the caller must `deliver` it later."""
        self._events.append(event)

    def replace_event(self, event: Event) -> None:
        """Put it in the place of one with its number, which could not be stored and which no subscriber got."""
        self._events = [event if waiting.seq == event.seq else waiting for waiting in self._events]

    def deliver(self, event: Event) -> None:
        self._delivered = event.seq
        for listener in self._listeners:
            listener(event)

    async def publish_durably(self, *events: Event, later: Sequence[Event] = ()) -> None:
        """Store events and everything before them, on disk and all at once, and only then give them out. Those that
        come `later` are stored with them, for the caller to `deliver`."""
        if not self.durable:
            for event in events:
                self.publish(event)
            self._events += later
            return
        self._events += (*events, *later)
        self._held += events
        self._uncommitted.update(event.seq for event in events)
        try:
            await self.flush(barrier=True)
        except Exception:
            # It is not on disk, so no subscriber is told; it stays unsaved and the next flush tries again.
            for event in events:
                self._held.remove(event)
            raise
        finally:
            self._uncommitted.difference_update(event.seq for event in events)
            self._release()

    def save(self, message: Message) -> None:
        """Store this state of a message with the next flush."""
        self._messages[message.id] = message

    def keep(self, exchange: Exchange) -> None:
        self._exchanges.append(exchange)

    def change(self, **fields: Any) -> None:
        """Change the session's info; stored with the next flush."""
        self.info = msgspec.structs.replace(self.info, **fields)
        self._info_changed = True

    def change_run(self, record: RunRecord | None) -> None:
        """Put a record in the place of the open run's, or delete that; stored with the next flush."""
        self.record = record
        self._record_changed = True

    def touch(self) -> None:
        """Let the store know soon that the session was worked on until now."""
        self.change(updated=time.time())
        if self._timer is None:
            self._flush_soon()

    async def flush(self, *, barrier: bool = False) -> None:
        """Commit what is unsaved. On failure nothing is dropped: the next flush tries again.

        One at a time, or what a failed flush takes back could overwrite what a later one has stored. And to its end,
        though its caller was cancelled: the next one takes what this one took for stored. Whichever flush takes what
        is unsaved now, it is as durable as this one was to make it.
        """
        self._barrier_wanted |= barrier
        await uninterrupted(self._flush_in_turn())

    def flush_ahead(self) -> None:
        """Begin to put on disk what has happened so far; `caught_up` waits for it."""
        if self.durable:
            self._barrier_wanted = True
            self._ahead = asyncio.get_running_loop().create_task(self.flush(barrier=True))
            self._ahead.add_done_callback(_seen)

    async def caught_up(self) -> None:
        """Return when what `flush_ahead` began is on disk. A store that fails does not keep the model from answering:
        the next call, or the end of the run, meets the same failure."""
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            try:
                await ahead
            except SessionTakenOver:
                raise
            except StoreError as error:
                log.warning("results of session %s could not be stored yet: %s", self.info.id, error)

    def reload(self, info: SessionInfo, record: RunRecord | None) -> None:
        """Another process, or a recovery, has moved the session on."""
        self.info, self.record = info, record
        self._seq = self._delivered = self._stored = info.seq

    def abandon(self) -> None:
        """Another process has taken the session over: forget what it did not take from us, and send readers there. They
        come back with the last event that was stored: the numbers after it belong to that process."""
        self._events, self._messages, self._exchanges = [], {}, []
        self._info_changed = self._record_changed = False
        self._stop_timer()
        cut = CutOff(min(self._delivered, self._stored), self.info.id, time.time())
        for listener in self._listeners:
            listener(cut)

    def forget_loop(self) -> None:
        """The next flush may be made in another event loop."""
        self._one_flush = asyncio.Lock()

    async def settle(self) -> None:
        """Wait until everything is stored and no task of this journal is left."""
        while self._flushing:
            await asyncio.wait(self._flushing)
        if self._ahead is not None:
            await asyncio.wait({self._ahead})
            self._ahead = None
        await self.flush()
        self._stop_timer()

    @property
    def congested(self) -> bool:
        """True while the owner of a stream, or the disk, is too far behind to take more."""
        if len(self._events) > PENDING_EVENTS_MAX:
            return True
        for owner in self._owners:  # noqa: SIM110 - asked for every chunk, where a generator costs twice as much
            if owner.full:
                return True
        return False

    async def wait_until_clear(self) -> None:
        for owner in self._owners:
            await owner.wait_until_half_empty()
        if len(self._events) > PENDING_EVENTS_MAX:
            await self.flush()

    def listen(self, listener: Listener) -> None:
        """Call `listener` with every event from now on."""
        self._listeners = (*self._listeners, listener)

    def unlisten(self, listener: Listener) -> None:
        self._listeners = tuple(known for known in self._listeners if known != listener)

    def subscribe(self, *, owner: bool = False) -> "Subscription":
        """Events from now on. An owner slows the run down when it lags; any other reader is cut off."""
        subscription = Subscription(self.limits.owner_queue if owner else self.limits.subscriber_queue, lossless=owner)
        self.listen(subscription.put)
        if owner:
            self._owners.append(subscription)

        def close() -> None:
            self.unlisten(subscription.put)
            if subscription in self._owners:
                self._owners.remove(subscription)

        subscription.on_close = close
        return subscription

    async def follow(self, after: int) -> AsyncGenerator[Event, None]:
        """Every kept event after `after`, then the new ones as they come: no gap and no double."""
        with self.subscribe() as live:
            caught_up = self._delivered
            async for event in self.past(after):
                if event.seq > caught_up:
                    break
                yield event
            async for event in live:
                yield event

    async def past(self, after: int) -> AsyncGenerator[Event, None]:
        """Every kept event after `after`, and behind them those that the store could not take."""
        unsaved: Sequence[Event] = ()
        try:
            await self.flush()
        except StoreError:
            unsaved = (*self._writing, *self._events)
        async for event in self.store.events(self.info.id, after):
            after = event.seq
            yield event
        for event in unsaved:
            if event.seq > after:
                yield event

    async def _flush_in_turn(self) -> None:
        async with self._one_flush:
            await self._flush()

    async def _flush(self) -> None:
        self._stop_timer()
        barrier, self._barrier_wanted = self._barrier_wanted, False
        if not self.is_unsaved:
            return
        if self._events:
            self.change(seq=self._seq, updated=time.time())
        changes = SessionChanges(
            self.info.id,
            self.info,
            tuple(self._messages.values()),
            self._events,
            self._exchanges,
            run=self.record if self._record_changed else UNSET,
            barrier=barrier,
        )
        self._events, self._messages, self._exchanges = [], {}, []
        self._info_changed = self._record_changed = False
        self._writing = changes.events
        try:
            await self.store.commit(changes)
            if changes.events:
                self._stored = changes.events[-1].seq
        except Exception:
            self._take_back(changes)
            self._barrier_wanted |= barrier
            raise
        finally:
            self._writing = ()

    def _release(self) -> None:
        """Give out what was held, up to the next event that is not yet on disk."""
        while self._held and self._held[0].seq not in self._uncommitted:
            self.deliver(self._held.popleft())

    def _flush_soon(self) -> None:
        self._timer = None
        task = asyncio.get_running_loop().create_task(self._flush_quietly())
        self._flushing.add(task)
        task.add_done_callback(self._flushing.discard)

    async def _flush_quietly(self) -> None:
        """A failed background flush is logged; the next barrier meets the same failure and reports it."""
        try:
            await self.flush()
        except SessionTakenOver:
            log.info("session %s goes on in another process", self.info.id)
        except Exception:  # this task is not awaited
            log.warning("events of session %s could not be stored yet", self.info.id, exc_info=True)

    def _take_back(self, changes: SessionChanges) -> None:
        self._events = [*changes.events, *self._events]
        self._messages = {message.id: message for message in changes.messages} | self._messages
        self._exchanges = [*changes.exchanges, *self._exchanges]
        self._info_changed = True
        self._record_changed = self._record_changed or changes.run is not UNSET

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _seen(task: asyncio.Task[None]) -> None:
    """Whoever needs it on disk awaits the task; where the run ends before, its end meets the same failure."""
    if not task.cancelled():
        task.exception()


class Subscription:
    """A queue of events for one reader: iterate it, close it when done."""

    def __init__(self, limit: int, *, lossless: bool) -> None:
        self._limit = limit
        self._lossless = lossless
        self._events: deque[Event] = deque()
        self._closed = False
        self._cut = False
        self._waiting: asyncio.Future[None] | None = None
        self._space: asyncio.Future[None] | None = None
        self.on_close: Callable[[], None] = lambda: None

    def put(self, event: Event) -> None:
        if self._cut:
            return
        if len(self._events) >= self._limit and not self._lossless:
            # The marker carries the last seq that was delivered, so that the reader can come back with it.
            last = self._events[-1]
            event = CutOff(last.seq, last.session_id, time.time())
            self._cut = True
        self._events.append(event)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    @property
    def full(self) -> bool:
        return len(self._events) >= self._limit

    async def wait_until_half_empty(self) -> None:
        while len(self._events) > self._limit // 2 and not self._closed:
            self._space = asyncio.get_running_loop().create_future()
            await self._space

    def close(self) -> None:
        """Stop listening; what is queued can still be read."""
        if self._closed:
            return
        self._closed = True
        self.on_close()
        for future in (self._waiting, self._space):
            if future is not None and not future.done():
                future.set_result(None)

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aiter__(self) -> AsyncIterator[Event]:
        events = self._events
        while True:
            while events:
                event = events.popleft()
                if self._space is not None and len(events) <= self._limit // 2 and not self._space.done():
                    self._space.set_result(None)
                yield event
                if isinstance(event, CutOff):
                    return
            if self._closed:
                return
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
            self._waiting = None
