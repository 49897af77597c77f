"""A pool of SQLite connections for queries, each lent to one query at a time."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from toolpost.store.errors import CLOSED_TEXT
from toolpost.types.errors import StoreError

from .connection import connect_to_read, explain, patiently

T = TypeVar("T")

MOST_READERS = 8
# How often a running query checks whether anybody still waits for it.
STEPS_BETWEEN_CHECKS = 20_000


class SqliteReaders:
    """Connections for reading, lent to one query at a time, so that an abandoned iterator holds none.

    They are kept for the next query while `may_keep` returns True.
    """

    def __init__(self, path: Path, may_keep: Callable[[], bool] = lambda: True) -> None:
        self._path = path
        self._may_keep = may_keep
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._closed = False
        # Own threads: those of the loop may all be busy with tools.
        self._threads = ThreadPoolExecutor(MOST_READERS, thread_name_prefix="toolpost-reader")

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run `query` in a thread. If nobody waits for it any more, it is stopped."""
        if self._closed:
            raise StoreError(CLOSED_TEXT)
        cancelled = threading.Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._read, query, cancelled)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def close(self) -> None:
        """Take no more questions, and stop those that run."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()
        self._threads.shutdown(wait=False)

    def join(self) -> None:
        self._threads.shutdown(wait=True)

    def _read(self, query: Callable[[Connection], T], cancelled: threading.Event) -> T:
        try:
            connection = self._borrow()
            try:
                connection.set_progress_handler(lambda: self._closed or cancelled.is_set(), STEPS_BETWEEN_CHECKS)
                return patiently(lambda: query(connection))
            finally:
                self._give_back(connection)
        except (sqlite3.Error, OSError) as error:
            raise explain(error, self._path) from error

    def _borrow(self) -> Connection:
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED_TEXT)
            if self._idle:
                return self._idle.pop()
        return connect_to_read(self._path)

    def _give_back(self, connection: Connection) -> None:
        connection.set_progress_handler(None, 0)
        with self._lock:
            if not self._closed and self._may_keep():
                self._idle.append(connection)
                return
        connection.close()
