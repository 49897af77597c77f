"""The writer thread of a store: everything that waits is written in one transaction."""

import asyncio
import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from toolpost.types.errors import StoreError

from .contract import CLOSED_TEXT

MAX_JOBS_AT_ONCE = 512
# A thread that waits for another process's lock must not hold up the end of the program.
EXIT_PATIENCE_S = 10.0

_log = logging.getLogger("toolpost.store")


class StoreUnreachable(StoreError):
    """The database cannot be reached: all waiting jobs fail together, since trying one by one would not help."""


class WriteJob:
    """One change. `write` gets the connection of the target; all that it writes is kept, or nothing."""

    __slots__ = ("barrier", "error", "future", "loop", "result", "write")

    def __init__(
        self,
        write: Callable[[Any], Any],
        barrier: bool,
        future: asyncio.Future[Any],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.write = write
        self.barrier = barrier
        self.future = future
        self.loop = loop
        self.result: Any = None
        self.error: StoreError | None = None


class _Wake:
    """Put where a job would be, to wake the thread."""


_WAKE = _Wake()


class WriteTarget(Protocol):
    """A database that the writer thread writes to. Only that thread calls these methods."""

    def transact(self, jobs: Sequence[WriteJob]) -> None:
        """Write all jobs in one transaction and set their results, or raise and leave nothing."""
        ...

    def explain(self, error: Exception) -> StoreError: ...

    def upkeep_in(self) -> float | None:
        """Seconds until `upkeep` is due: 0 if it is now, None if it is not before the next jobs."""
        ...

    def upkeep(self) -> None:
        """Write what nobody waits for. If that fails it is tried again, so nothing is raised."""
        ...

    def close(self) -> None: ...


class WriterThread:
    """A thread that writes jobs to its target, in the order in which they came."""

    def __init__(self, target: WriteTarget) -> None:
        self._target = target
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[WriteJob | _Wake | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._last_batch = False

    async def write(self, job: Callable[[Any], Any], *, barrier: bool = False) -> Any:
        """Wait until `job` is committed; a caller that is cancelled meanwhile does not undo it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._put(WriteJob(job, barrier, future, loop))
        return await future

    def wake(self) -> None:
        """Look whether upkeep is due. One that is closed has done its last."""
        with self._lock:
            if not self._closed and self._thread is not None:
                self._jobs.put(_WAKE)

    def stop(self) -> None:
        """Take no more jobs; those already here are still written, then the connection is closed."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._jobs.put(None)
            if self._thread is None:
                self._target.close()

    def join(self, timeout: float | None = None) -> None:
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def _put(self, job: WriteJob) -> None:
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED_TEXT)
            self._jobs.put(job)
            if self._thread is None:
                # A daemon, because a program that forgets `close` must end all the same; see `stop_at_exit`.
                self._thread = threading.Thread(target=self._run, name="toolpost-store", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while not self._last_batch:
            jobs = self._take()
            if jobs:
                self._write(jobs)
                _settle(jobs)
            # Also when jobs never cease to come.
            if not self._last_batch and self._target.upkeep_in() == 0:
                self._target.upkeep()
        self._target.close()

    def _take(self) -> list[WriteJob]:
        """Wait for one job, then take all the others that are there. None when upkeep is due before there is any."""
        jobs: list[WriteJob] = []
        wait = self._target.upkeep_in()
        with contextlib.suppress(queue.Empty):
            while len(jobs) < MAX_JOBS_AT_ONCE:
                job = self._jobs.get(timeout=wait)
                if job is None:
                    self._last_batch = True
                    break
                if isinstance(job, WriteJob):
                    jobs.append(job)
                wait = 0
        return jobs

    def _write(self, jobs: Sequence[WriteJob]) -> None:
        """Write all in one transaction; if that fails, halve them until only the failing ones fail."""
        try:
            self._target.transact(jobs)
        except Exception as error:  # noqa: BLE001 - whatever it is belongs to the caller, and the thread lives on
            explained = self._target.explain(error)
            if len(jobs) == 1 or isinstance(explained, StoreUnreachable):
                for job in jobs:
                    job.error = explained
                return
            middle = len(jobs) // 2
            self._write(jobs[:middle])
            self._write(jobs[middle:])


def stop_at_exit(writer: WriterThread) -> None:
    """Write what is still queued when the program ends, or the store is garbage-collected, without `close`."""
    writer.stop()
    writer.join(EXIT_PATIENCE_S)


def _settle(jobs: Sequence[WriteJob]) -> None:
    """Wake each loop once for all of its jobs."""
    by_loop: dict[asyncio.AbstractEventLoop, list[WriteJob]] = {}
    for job in jobs:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, done in by_loop.items():
        # A closed loop has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, done)


def _resolve(jobs: Sequence[WriteJob]) -> None:
    for job in jobs:
        if job.future.done():
            if job.error is not None:
                _log.error("a change that nobody waited for was not saved: %s", job.error)
        elif job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.result)
