"""A pool of PostgreSQL connections for queries and for changes outside the writer thread."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import psycopg
from psycopg import Connection

from toolpost.store.errors import CLOSED_TEXT
from toolpost.types.errors import StoreError

from .connection import PostgresServer
from .reconnecting import ReconnectingConnection, Work

T = TypeVar("T")

# A server has about a hundred connections for all of its workers.
MOST_CONNECTIONS = 4


class PostgresPool:
    """Lends a connection to one action at a time, so that an abandoned iterator holds none."""

    def __init__(self, link: PostgresServer) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._idle: list[ReconnectingConnection] = []
        self._in_use: set[ReconnectingConnection] = set()
        self._closed = False
        # Own threads: those of the loop may all be busy with tools.
        self._threads = ThreadPoolExecutor(MOST_CONNECTIONS, thread_name_prefix="toolpost-postgres")

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Ask a question in a thread. If nobody waits for it any more, it is stopped."""
        return await self._run(lambda connected: connected.read(query), stop=True)

    async def transact(self, work: Work[T]) -> T:
        """Make a change that is on disk when this returns. A caller that is cancelled meanwhile does not undo it."""
        return await self._run(lambda connected: connected.transact(work, barrier=True), stop=False)

    def close(self) -> None:
        """Take no more questions, and stop those that run."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            running = list(self._in_use)
        for connected in idle:
            connected.close()
        for connected in running:
            connected.cancel()
        self._threads.shutdown(wait=False)

    def join(self) -> None:
        self._threads.shutdown(wait=True)

    async def _run(self, action: Callable[[ReconnectingConnection], T], *, stop: bool) -> T:
        if self._closed:
            raise StoreError(CLOSED_TEXT)
        use = _Use()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._lend, action, use)
        except asyncio.CancelledError:
            if stop:
                loop.run_in_executor(None, use.stop)
            raise

    def _lend(self, action: Callable[[ReconnectingConnection], T], use: "_Use") -> T:
        connected = self._borrow()
        try:
            with use.by(connected):
                return action(connected)
        except (psycopg.Error, UnicodeError) as error:
            raise self._link.explain(error) from error
        finally:
            self._give_back(connected, keep=not use.stopped)

    def _borrow(self) -> ReconnectingConnection:
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED_TEXT)
            connected = self._idle.pop() if self._idle else ReconnectingConnection(self._link)
            self._in_use.add(connected)
            return connected

    def _give_back(self, connected: ReconnectingConnection, *, keep: bool) -> None:
        with self._lock:
            self._in_use.discard(connected)
            if keep and not self._closed:
                self._idle.append(connected)
                return
        connected.close()


class _Use:
    """One loan, so that it can be stopped from outside while it lasts, and never the next one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connected: ReconnectingConnection | None = None
        self.stopped = False

    @contextlib.contextmanager
    def by(self, connected: ReconnectingConnection) -> Generator[None]:
        with self._lock:
            if self.stopped:
                raise StoreError(CLOSED_TEXT)
            self._connected = connected
        try:
            yield
        finally:
            with self._lock:
                self._connected = None

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            if self._connected is not None:
                # A late cancel could hit whatever runs next on this connection: so it is not used again.
                self._connected.cancel()
