"""Handle SIGINT, SIGTERM and SIGHUP: the first signal stops the work, the second one kills the process."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Generator
from types import FrameType

SIGNALS = [number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None]


class StopSignals:
    """`asked` once a signal came; `number` says which."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop = stop
        self._loop = asyncio.get_running_loop()
        self.number: int | None = None

    @property
    def asked(self) -> bool:
        return self.number is not None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        # A handler of Python's own, not the loop's: it works even while a write to a full pipe holds the loop up.
        if self.asked:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.number = number
        self._loop.call_soon_threadsafe(self._stop)


@contextlib.contextmanager
def stopping(stop: Callable[[], object]) -> Generator[StopSignals, None, None]:
    """Call `stop` in the loop at the first signal."""
    handler = StopSignals(stop)
    before = {number: signal.signal(number, handler) for number in SIGNALS}
    try:
        yield handler
    finally:
        for number, old in before.items():
            signal.signal(number, old)
