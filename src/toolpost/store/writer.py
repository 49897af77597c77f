"""The one thread that writes: everything that waits goes into one transaction, so many barriers cost one sync."""

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar, cast

from toolpost.types.errors import StoreError

from .connection import CLOSED_TEXT, explain, patiently
from .schema import MIGRATIONS, user_version

T = TypeVar("T")

MOST_JOBS_AT_ONCE = 512
# A thread that waits for another process's lock must not hold up the end of the program.
EXIT_PATIENCE_S = 10.0

_log = logging.getLogger("toolpost.store")


class Writer:
    """Owns the connection that writes. A job is a function that writes: all of it is kept, or nothing."""

    def __init__(self, connection: Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._last_batch = False
        self._synchronous = ""

    async def write(self, job: Callable[[Connection], T], *, barrier: bool = False) -> T:
        """Wait until `job` is committed; a caller that is cancelled meanwhile does not undo it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._put(_Job(job, barrier, future, loop))
        return cast(T, await future)

    def stop(self) -> None:
        """Take no more jobs; those already here are still written, then the connection is closed."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._jobs.put(None)
            if self._thread is None:
                self._connection.close()

    def join(self, timeout: float | None = None) -> None:
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout)

    def _put(self, job: "_Job") -> None:
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
            self._write(jobs)
            _settle(jobs)
        self._connection.close()

    def _take(self) -> "list[_Job]":
        """Wait for one job, then take all the others that are there."""
        jobs: list[_Job] = []
        with contextlib.suppress(queue.Empty):
            while len(jobs) < MOST_JOBS_AT_ONCE:
                job = self._jobs.get(block=not jobs)
                if job is None:
                    self._last_batch = True
                    break
                jobs.append(job)
        return jobs

    def _write(self, jobs: "Sequence[_Job]") -> None:
        """Write all in one transaction; where that fails, halve them until only the guilty ones fail."""
        if not jobs:
            return
        try:
            self._transact(jobs)
        except Exception as error:  # noqa: BLE001 - whatever it is belongs to the caller, and the thread lives on
            if len(jobs) == 1:
                jobs[0].error = explain(error, self._path)
                return
            middle = len(jobs) // 2
            self._write(jobs[:middle])
            self._write(jobs[middle:])

    def _transact(self, jobs: "Sequence[_Job]") -> None:
        connection = self._connection
        self._synchronise("FULL" if any(job.barrier for job in jobs) else "NORMAL")
        patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
        try:
            if user_version(connection) != len(MIGRATIONS):
                raise StoreError(f"another Toolpost has changed the format of {self._path}: start this one again")
            for job in jobs:
                job.result = job.write(connection)
            connection.execute("COMMIT")
        except BaseException:
            # After some errors SQLite has rolled back already.
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise

    def _synchronise(self, level: str) -> None:
        """Choose what a commit waits for. A full sync covers the commits before it too."""
        if level != self._synchronous:
            self._connection.execute(f"PRAGMA synchronous = {level}")
            self._synchronous = level


def stop_at_exit(writer: Writer) -> None:
    """Write what is still queued when the program ends, or the store is forgotten, without `close`."""
    writer.stop()
    writer.join(EXIT_PATIENCE_S)


class _Job:
    __slots__ = ("barrier", "error", "future", "loop", "result", "write")

    def __init__(
        self,
        write: Callable[[Connection], Any],
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


def _settle(jobs: Sequence[_Job]) -> None:
    """Wake each loop once for all of its jobs."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        by_loop.setdefault(job.loop, []).append(job)
    for loop, done in by_loop.items():
        # A closed loop has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, done)


def _resolve(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        if job.future.done():
            if job.error is not None:
                _log.error("a change that nobody waited for was not kept: %s", job.error)
        elif job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.result)
