"""Connections to one database file: how they are opened and shared, how long they wait, how their errors read."""

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from toolpost.types.errors import StoreError

from .shared import CLOSED_TEXT

T = TypeVar("T")

BUSY_TIMEOUT_S = 5.0
PATIENCE_S = 60.0
MOST_READERS = 8
# How often a running query looks whether anybody still waits for it.
STEPS_BETWEEN_CHECKS = 20_000


def connect(path: Path) -> Connection:
    """Open the file, which must be there. Text comes as bytes, because its reader is a JSON decoder."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = bytes
    return connection


def patiently(action: Callable[[], T]) -> T:
    """Do it again while another process is in the way: SQLite's own waiting does not cover every case."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if not _in_the_way(error) or time.monotonic() > deadline:
                raise
        time.sleep(random.uniform(0.001, 0.01))


def explain(error: Exception, path: Path) -> StoreError:
    """Return what a person should read instead of `error`."""
    if isinstance(error, StoreError):
        return error
    if isinstance(error, OSError):
        return StoreError(f"cannot use {path}: {error.strerror or error}")
    if not isinstance(error, sqlite3.Error):
        return StoreError(f"this cannot be stored: {error}")
    name = str(getattr(error, "sqlite_errorname", ""))
    for prefix, text in _TEXTS.items():
        if name.startswith(prefix):
            return StoreError(f"{text.format(path=path)} ({error})")
    return StoreError(f"the database {path} cannot do it: {error}")


class Readers:
    """Connections for reading, lent to one query at a time, so that an abandoned iterator holds none."""

    def __init__(self, path: Path) -> None:
        self._path = path
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
        except sqlite3.Error as error:
            raise explain(error, self._path) from error

    def _borrow(self) -> Connection:
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED_TEXT)
            if self._idle:
                return self._idle.pop()
        connection = connect(self._path)
        try:
            patiently(lambda: connection.execute("PRAGMA query_only = ON"))
        except BaseException:
            connection.close()
            raise
        return connection

    def _give_back(self, connection: Connection) -> None:
        connection.set_progress_handler(None, 0)
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()


_TEXTS = {
    "SQLITE_FULL": "the disk is full, nothing of this change was kept: free some space for {path} and try again",
    "SQLITE_IOERR": "the disk failed under {path}, nothing of this change was kept: check the disk and try again",
    "SQLITE_BUSY": "another process has held {path} for too long: stop it, or try again",
    "SQLITE_READONLY": "{path} may not be written: check the rights of the file and its folder",
    "SQLITE_CANTOPEN": "{path} cannot be opened: check that it exists and its rights",
    "SQLITE_PERM": "{path} may not be opened: check the rights of the file and its folder",
    "SQLITE_NOTADB": "{path} is not a database: choose another file",
    "SQLITE_CORRUPT": "{path} is damaged: put a backup in its place, or choose another file",
}


def _in_the_way(error: sqlite3.OperationalError) -> bool:
    code = int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
