"""Show how far a batch is: one line on a terminal, elsewhere a line now and then."""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncGenerator, Generator, Iterable

from toolpost.cli.shared.call_text import seconds
from toolpost.cli.shared.formats import dollars
from toolpost.cli.shared.output import say_on_stderr
from toolpost.cli.shared.progress_bar import Pace, ProgressBar, can_draw
from toolpost.types.messages import Usage
from toolpost.types.text import counted

from .results import ItemResult

SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_BETWEEN_LINES = 10.0


class BatchProgress:
    """Counts what runs and what has ended. With `is_quiet` nothing of it is shown.

    Before it is `shown`, `total` is to be set, and `done` to what an earlier start has done.
    """

    def __init__(self, *, is_quiet: bool) -> None:
        self.done = 0
        self.total = 0
        self._running = self._failed = 0
        self._usage = Usage()
        self._cost: float | None = 0.0
        self._is_quiet = is_quiet
        self._bar = ProgressBar(sys.stderr) if can_draw(sys.stderr) and not is_quiet else None
        self._pace = Pace(0)
        self._started = self._said = time.monotonic()

    def began(self) -> None:
        self._running += 1
        self._show()

    def ended(self, result: ItemResult | None) -> None:
        self._running -= 1
        if result is not None:
            self.done += 1
            self._failed += result.is_failed
            self._usage += result.usage
            self._cost = None if self._cost is None or result.cost is None else self._cost + result.cost
        self._show()

    def say(self, text: str) -> None:
        """Write a line that stays."""
        with self.hidden():
            if not self._is_quiet:
                say_on_stderr(text)

    @contextlib.contextmanager
    def hidden(self) -> Generator[None]:
        """Without the line, so that something else can be written in its place."""
        if self._bar is not None:
            self._bar.clear()
        yield
        self._show()

    @contextlib.asynccontextmanager
    async def shown(self) -> AsyncGenerator[None]:
        """Show it from here to the end, also while nothing ends; then say what has come of it."""
        self._pace = Pace(self.done)
        self._started = self._said = time.monotonic()
        if self.done:
            self.say(f"{self.done:,} of {counted(self.total, 'item')} are done already")
        looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            looking.cancel()
            if self._bar is not None:
                self._bar.clear()
            if not self._is_quiet:
                took = f"in {seconds(time.monotonic() - self._started)}"
                say_on_stderr(", ".join((f"{self.done:,} of {counted(self.total, 'item')}", *self._figures(), took)))

    async def _look(self) -> None:
        while True:
            self._show()
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)

    def _show(self) -> None:
        if self._bar is not None:
            figures = (f"{self.done:,}/{self.total:,}", *self._moving(), *self._figures())
            self._bar.draw("", self.done, self.total, "  ".join(figures))
        elif not self._is_quiet and time.monotonic() - self._said >= SECONDS_BETWEEN_LINES:
            self._said = time.monotonic()
            figures = (f"{self.done:,} of {counted(self.total, 'item')}", *self._figures(), *self._moving())
            say_on_stderr(", ".join(figures))

    def _figures(self) -> Iterable[str]:
        """What has come of it so far."""
        failed = f"{self._failed:,} failed" if self._failed else ""
        tokens = counted(self._usage.total, "token")
        cost = dollars(self._cost) if self._cost else ""
        return filter(None, (failed, tokens, cost))

    def _moving(self) -> Iterable[str]:
        rate = self._pace.a_second(self.done)
        return filter(
            None,
            (f"{self._running} running", f"{rate:.1f}/s" if rate else "", self._pace.left(self.done, self.total)),
        )
