"""Run the items of a batch side by side, until all are done or something stops it."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Literal, Protocol

from msgspec import Struct

from toolpost.types.messages import ErrorInfo

from .items import BatchItem
from .results import ItemResult, ResultTarget

# The provider, and not the item, is the reason: the batch waits, then runs the item again, so many times.
WAITING_CODES = frozenset({"rate_limit", "overloaded", "unreachable"})
MOST_WAITS = 5
WAIT_SECONDS = 30.0
# Who waits for no longer than others do says nothing of it.
NEWS_SECONDS = 1.0
# After so many of these one after the other, the next items would fail alike.
HOPELESS_CODES = frozenset({"auth", "spend_limit", "not_found", *WAITING_CODES})
MOST_HOPELESS = 5


# What ends a batch before all is done. output_closed: nobody reads the results. hopeless: all would fail alike.
StopReason = Literal["signal", "output_closed", "store", "hopeless", "max_failures", "max_total_cost", "error"]
# Whether a result that an item has already stands; else the item is run again.
Stands = Callable[[ItemResult], bool]


class ItemRuns(Protocol):
    """Where items are run: in this process, or by an engine elsewhere."""

    async def run(self, item: BatchItem, stands: Stands) -> ItemResult | None:
        """Begin the item's run, or go on with it; or give the result that it has, if that `stands`. None if it was
        released before its end."""
        ...

    async def release(self) -> None:
        """Let go of what runs, in such a way that it can go on."""
        ...


class Progress(Protocol):
    """Who shows how far a batch is."""

    def began(self) -> None: ...

    def ended(self, result: ItemResult | None) -> None: ...

    def say(self, text: str) -> None: ...


class BatchLimits(Struct, frozen=True):
    """None means no limit. Costs are in US dollars."""

    concurrency: int
    max_failures: int | None = None
    max_total_cost: float | None = None


class BatchRunner:
    """Runs each item that has no result yet. With `retry_failed` what failed before is run again.

    `stopped_by` says what ended it before all was done, `failed` how many failed, and `last_error` is why the last did.
    """

    def __init__(
        self, results: ResultTarget, progress: Progress, limits: BatchLimits, *, retry_failed: bool = False
    ) -> None:
        self.stopped_by: StopReason | None = None
        self.failed = 0
        self.last_error: ErrorInfo | None = None
        self._results = results
        self._progress = progress
        self._limits = limits
        self._retry_failed = retry_failed
        self._hopeless_in_a_row = 0
        self._paused_until = 0.0
        self._ending = asyncio.Event()
        self._releasing: asyncio.Task[None] | None = None
        self._error: Exception | None = None
        self._runs: ItemRuns | None = None

    async def go(self, items: Iterator[BatchItem], runs: ItemRuns) -> None:
        """Raises what keeps all items from being run, after what ran was released."""
        self._runs = runs
        self._end_at_limit()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(self._limits.concurrency):
                tasks.create_task(self._work(items, runs))
        if self._releasing is not None:
            await self._releasing
        if self._error is not None:
            raise self._error

    def stop(self, reason: StopReason) -> None:
        """Take no new items, and release those that run."""
        self.end(reason)
        if self._releasing is None and self._runs is not None:
            self._releasing = asyncio.create_task(self._runs.release())

    def end(self, reason: StopReason) -> None:
        """Take no new items; those that run go on to their end."""
        self.stopped_by = self.stopped_by or reason
        self._ending.set()

    def hold_back(self, until: float) -> None:
        """Begin nothing before this time, in seconds since the epoch: a provider wants to be left alone."""
        self._paused_until = max(self._paused_until, until)

    async def _work(self, waiting: Iterator[BatchItem], runs: ItemRuns) -> None:
        """One of the workers, which share what is waiting."""
        try:
            for item in waiting:
                if self._results.has(item.id):
                    continue
                await self._pause()
                if self._ending.is_set():
                    return
                self._progress.began()
                result = None
                try:
                    result = await self._run(item, runs)
                    if result is not None:
                        self._take(result)
                finally:
                    self._progress.ended(result)
        except Exception as error:  # noqa: BLE001 - the first one is raised once the others were released
            self._error = self._error or error
            self.stop("error")

    async def _run(self, item: BatchItem, runs: ItemRuns) -> ItemResult | None:
        result = await runs.run(item, self._stands)
        for _ in range(MOST_WAITS):
            if result is None or result.error is None or result.error.code not in WAITING_CODES:
                break
            await self._wait_for(result.error)
            if self._ending.is_set():
                return None
            result = await runs.run(item, never)
        return result

    def _stands(self, result: ItemResult) -> bool:
        """A run that failed because the provider was busy was to be run again when the process ended."""
        is_waiting = result.error is not None and result.error.code in WAITING_CODES
        return not is_waiting and not (self._retry_failed and result.is_failed)

    async def _wait_for(self, error: ErrorInfo) -> None:
        seconds = WAIT_SECONDS if error.retry_after is None else error.retry_after
        until = time.time() + seconds
        if until > self._paused_until + NEWS_SECONDS:
            self._progress.say(f"waiting {seconds:.0f} s: {error.message}")
        self.hold_back(until)
        await self._pause()

    async def _pause(self) -> None:
        while (left := self._paused_until - time.time()) > 0 and not self._ending.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), left)

    def _take(self, result: ItemResult) -> None:
        """Write a result, and see whether it was one too many."""
        self._results.add(result)
        self.failed += result.is_failed
        error = result.error
        self.last_error = error or self.last_error
        is_hopeless = error is not None and error.code in HOPELESS_CODES
        self._hopeless_in_a_row = self._hopeless_in_a_row + 1 if is_hopeless else 0
        if error is not None and error.code == "store":
            self.stop("store")
        elif self._hopeless_in_a_row >= MOST_HOPELESS:
            self.end("hopeless")
        self._end_at_limit()

    def _end_at_limit(self) -> None:
        limits = self._limits
        if limits.max_failures is not None and self.failed >= limits.max_failures:
            self.end("max_failures")
        elif limits.max_total_cost is not None and self._results.cost >= limits.max_total_cost:
            self.end("max_total_cost")


def always(result: ItemResult) -> bool:
    return True


def never(result: ItemResult) -> bool:
    return False
