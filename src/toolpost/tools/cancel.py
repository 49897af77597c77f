"""The cancel signal of a call, for threads and coroutines alike."""

import asyncio
import threading
from collections.abc import Callable, Generator
from typing import Any, Literal

CancelReason = Literal["", "aborted", "timeout", "ended"]

# One for all: it is held for a moment, and only by who waits or says stop.
_lock = threading.Lock()


class CancelSignal:
    """Set when a call has to stop: on abort, at its timeout, and for what it left running at the end of its run.

    `is_set()` may be asked anywhere. A thread waits with `wait(seconds)`, a coroutine with `await signal`. `reason` is
    "aborted", "timeout" or "ended" once it is set. `above` is a signal that sets this one as well.
    """

    __slots__ = ("_above", "_reason", "_wakers")

    def __init__(self, above: "CancelSignal | None" = None) -> None:
        self._above = above
        self._reason: CancelReason = ""
        self._wakers: list[Callable[[], object]] | None = None

    @property
    def reason(self) -> CancelReason:
        return self._reason or (self._above.reason if self._above else "")

    def is_set(self) -> bool:
        return bool(self._reason) or (self._above is not None and self._above.is_set())

    def wait(self, timeout: float | None = None) -> bool:
        """Block this thread until the signal is set, or for so many seconds. Whether it is set."""
        if _in_loop():
            raise RuntimeError("wait() would block the event loop: use `await ctx.cancelled`, or is_set()")
        event = threading.Event()
        if self._add(event.set):
            try:
                event.wait(timeout)
            finally:
                self._remove(event.set)
        return self.is_set()

    def __await__(self) -> Generator[Any, None, None]:
        """Wait until it is set."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()

        def wake() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_settle, future)

        if self._add(wake):
            try:
                yield from future
            finally:
                self._remove(wake)

    def set(self, reason: CancelReason) -> None:
        """Say stop, from any thread. The first reason stays."""
        with _lock:
            if self._reason:
                return
            self._reason = reason
            wakers, self._wakers = self._wakers or (), None
        for wake in wakers:
            wake()

    def _add(self, waker: Callable[[], object]) -> bool:
        """False if it is set already."""
        with _lock:
            if self.is_set():
                return False
            signal: CancelSignal | None = self
            while signal is not None:
                signal._wakers = [*(signal._wakers or ()), waker]
                signal = signal._above
            return True

    def _remove(self, waker: Callable[[], object]) -> None:
        with _lock:
            signal: CancelSignal | None = self
            while signal is not None:
                if signal._wakers:
                    signal._wakers = [other for other in signal._wakers if other != waker] or None
                signal = signal._above

    def __repr__(self) -> str:
        return f"CancelSignal({self.reason or 'not set'})"


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _settle(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
