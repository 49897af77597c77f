"""Notify listeners in this process of new events and signals."""

import asyncio
import contextlib
import logging
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable

from toolpost.types.errors import StoreError

from .contract import EventNotice, Signal

MAX_SESSIONS_BEHIND = 10_000
MAX_SIGNALS_BEHIND = 1_000

LISTENING = Signal("")

# What a source tells, and None whenever it begins to hear.
FeedItem = EventNotice | Signal | None
Source = Callable[[], AsyncGenerator[FeedItem]]

_log = logging.getLogger("toolpost.store")
# What a PostgreSQL server takes in one notice, less what it costs to write bytes as text.
MAX_BODY_BYTES = 6_000
MAX_ID_BYTES = 400


class ChangeFeed:
    """Distributes the items of a source to listeners; listens once per event loop, while it has listeners there."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._hubs: dict[asyncio.AbstractEventLoop, _Hub] = {}

    async def follow(self) -> AsyncIterator[EventNotice]:
        follower = EventListener()
        async with self._joined(follower):
            while True:
                for notice in await follower.taken():
                    yield notice

    async def signals(self) -> AsyncIterator[Signal]:
        listener = SignalListener()
        async with self._joined(listener):
            while True:
                for signal in await listener.taken():
                    yield signal

    @contextlib.asynccontextmanager
    async def _joined(self, listener: "Listener") -> AsyncGenerator[None]:
        loop = asyncio.get_running_loop()
        hub = self._hubs.get(loop)
        if hub is None or hub.is_over:
            hub = self._hubs[loop] = _Hub(self._source)
        hub.join(listener)
        try:
            yield
        finally:
            if hub.leave(listener):
                if self._hubs.get(loop) is hub:
                    del self._hubs[loop]
                await hub.close()


class Listener(ABC):
    """A queue of one listener. Belongs to one event loop."""

    def __init__(self) -> None:
        self._some = asyncio.Event()
        self._error: Exception | None = None

    @abstractmethod
    def tell(self, told: FeedItem) -> None: ...

    def fail(self, error: Exception) -> None:
        self._error = error
        self._some.set()

    async def _wait(self) -> None:
        await self._some.wait()
        self._some.clear()
        if self._error is not None:
            raise self._error


class EventListener(Listener):
    """A listener to new events: only the last event of each session is queued."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, int] = {}
        self._all = False

    def tell(self, told: FeedItem) -> None:
        if isinstance(told, Signal):
            return
        if told is None or told.session_id is None or len(self._last) >= MAX_SESSIONS_BEHIND:
            self._last.clear()
            self._all = True
        else:
            self._last[told.session_id] = told.seq
        self._some.set()

    async def taken(self) -> list[EventNotice]:
        await self._wait()
        notices = [EventNotice(None)] if self._all else []
        notices += [EventNotice(session_id, seq) for session_id, seq in self._last.items()]
        self._last, self._all = {}, False
        return notices


class SignalListener(Listener):
    """A listener to signals; too many are dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._signals: deque[Signal] = deque()

    def tell(self, told: FeedItem) -> None:
        if isinstance(told, EventNotice):
            return
        if len(self._signals) >= MAX_SIGNALS_BEHIND:
            named = told.session_id if told else ""
            _log.warning("a signal for session %s was dropped: its listener is too far behind", named)
            return
        self._signals.append(told or LISTENING)
        self._some.set()

    async def taken(self) -> list[Signal]:
        await self._wait()
        signals = list(self._signals)
        self._signals.clear()
        return signals


class _Hub:
    """A source and its listeners in one event loop."""

    def __init__(self, source: Source) -> None:
        self._listeners: list[Listener] = []
        self._hears = False
        self._pump = asyncio.create_task(self._tell_all(source))

    @property
    def is_over(self) -> bool:
        return self._pump.done()

    def join(self, listener: Listener) -> None:
        self._listeners.append(listener)
        if self._hears:
            listener.tell(None)

    def leave(self, listener: Listener) -> bool:
        """Remove a listener; True if it was the last one."""
        self._listeners.remove(listener)
        return not self._listeners

    async def close(self) -> None:
        self._pump.cancel()
        await asyncio.wait({self._pump})

    async def _tell_all(self, source: Source) -> None:
        try:
            async with contextlib.aclosing(source()) as everything:
                async for told in everything:
                    self._hears = True
                    for listener in self._listeners:
                        listener.tell(told)
        except Exception as error:  # noqa: BLE001 - whatever it is belongs to those who listen
            for listener in self._listeners:
                listener.fail(error)


def check_signal(signal: Signal) -> None:
    """Check a signal against the limits that every store has."""
    if not signal.session_id:
        raise StoreError("a signal needs the id of the session that it is for")
    if len(signal.session_id.encode("utf-8", "replace")) > MAX_ID_BYTES:
        raise StoreError(
            f"a session with an id of more than {MAX_ID_BYTES} bytes cannot be signalled: choose a shorter id"
        )
    if len(signal.body) > MAX_BODY_BYTES:
        raise StoreError(
            f"a signal may have {MAX_BODY_BYTES} bytes, this one has {len(signal.body)}: "
            "store long data and send its id"
        )


class Signals:
    """The listeners of one store, in any number of threads and event loops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: list[tuple[asyncio.AbstractEventLoop, SignalListener]] = []

    def send(self, signal: Signal) -> None:
        check_signal(signal)
        with self._lock:
            listeners = list(self._listeners)
        for loop, listener in listeners:
            # A closed loop has nobody left who listens.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(listener.tell, signal)

    async def listen(self) -> AsyncIterator[Signal]:
        listener = SignalListener()
        entry = (asyncio.get_running_loop(), listener)
        listener.tell(None)
        with self._lock:
            self._listeners.append(entry)
        try:
            while True:
                for signal in await listener.taken():
                    yield signal
        finally:
            with self._lock:
                self._listeners.remove(entry)
