"""Send signals about sessions to listeners in the same process."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator

from toolpost.types.errors import StoreError

from .change_feed import SignalListener
from .contract import Signal

# What a PostgreSQL server takes in one notice, less what it costs to write bytes as text.
MOST_BODY_BYTES = 6_000
MOST_ID_BYTES = 400


def check_signal(signal: Signal) -> None:
    """Refuse what not every store could pass on."""
    if not signal.session_id:
        raise StoreError("a signal needs the id of the session that it is for")
    if len(signal.session_id.encode("utf-8", "replace")) > MOST_ID_BYTES:
        raise StoreError(
            f"a session with an id of more than {MOST_ID_BYTES} bytes cannot be signalled: choose a shorter id"
        )
    if len(signal.body) > MOST_BODY_BYTES:
        raise StoreError(
            f"a signal may have {MOST_BODY_BYTES} bytes, this one has {len(signal.body)}: "
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
