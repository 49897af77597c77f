"""Open SQLite connections and pool them, wait for locks, explain errors, check for a full disk."""

import asyncio
import contextlib
import errno
import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from toolpost.store.contract import CLOSED_TEXT
from toolpost.types.errors import StoreError, StoreFull

T = TypeVar("T")

BUSY_TIMEOUT_S = 5.0
PATIENCE_S = 60.0
# With less than this left a disk counts as full. SQLite writes the index of its log through mapped memory: where the
# disk has no block for a page of it, the system does not return an error but kills the process (SIGBUS).
LEAST_FREE_BYTES = 1024 * 1024
_MAX_READERS = 8
# How often a running query checks whether anybody still waits for it.
_STEPS_BETWEEN_CHECKS = 20_000


def connect(path: Path) -> Connection:
    """Open the file, which must be there. Text comes as bytes, because its reader is a JSON decoder."""
    return _connect(path, "mode=rw")


def connect_to_read(path: Path) -> Connection:
    """Open the file for queries only. On a full disk nothing of it is written, not even the index of its log."""
    if has_room(path):
        connection = _connect(path, "mode=rw")
    else:
        _make_side_files(path)
        connection = _connect(path, "mode=rw&readonly_shm=1")
    try:
        patiently(lambda: connection.execute("PRAGMA query_only = ON"))
    except BaseException:
        connection.close()
        raise
    return connection


def has_room(path: Path) -> bool:
    """Whether the disk of a file, or of the folder where it will be, has room to write."""
    if not hasattr(os, "statvfs"):
        return True
    place = path.absolute()
    try:
        while True:
            try:
                disk = os.statvfs(place)
                break
            except FileNotFoundError:
                place = place.parent
    except OSError:  # opening the file will say what is wrong
        return True
    blocks = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail
    # Some file systems do not tell; they have no blocks at all.
    return not disk.f_blocks or blocks * disk.f_frsize >= LEAST_FREE_BYTES


def disk_full(path: Path) -> StoreFull:
    return StoreFull(
        f"the disk is full, this change was not saved: free some space for {path} and try again",
    )


def patiently(action: Callable[[], T]) -> T:
    """Retry while another process holds a lock: SQLite's own timeout does not cover every case."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if not _in_the_way(error) or time.monotonic() > deadline:
                raise
        time.sleep(random.uniform(0.001, 0.01))


def explain(error: Exception, path: Path) -> StoreError:
    """Convert a SQLite error to one with a message for a person."""
    if isinstance(error, StoreError):
        return error
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return disk_full(path)
        return StoreError(f"cannot use {path}: {error.strerror or error}")
    if not isinstance(error, sqlite3.Error):
        return StoreError(f"this cannot be stored: {error}")
    name = str(getattr(error, "sqlite_errorname", ""))
    if name in _FULL:
        return disk_full(path)
    for prefix, text in _TEXTS.items():
        if name.startswith(prefix):
            return StoreError(f"{text.format(path=path)} ({error})")
    return StoreError(f"the database {path} failed: {error}")


_FULL = ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE")
_TEXTS = {
    "SQLITE_IOERR": "the disk failed under {path}, this change was not saved: check the disk and try again",
    "SQLITE_BUSY": "another process has locked {path} for too long: stop it, or try again",
    "SQLITE_READONLY": "{path} is not writable: check the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "{path} cannot be opened: check that it exists, and its permissions",
    "SQLITE_PERM": "{path} cannot be opened: check the permissions of the file and its folder",
    "SQLITE_NOTADB": "{path} is not a database: choose another file",
    "SQLITE_CORRUPT": "{path} is damaged: replace it with a backup, or choose another file",
}


def _connect(path: Path, how: str) -> Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = bytes
    return connection


def _make_side_files(path: Path) -> None:
    """Make the log and its index, empty, where they are missing: without them SQLite reads only what it may write.

    Only where they are missing: closing a descriptor of a file drops all locks that this process has on it.
    """
    for side_file in (f"{path}-wal", f"{path}-shm"):
        with contextlib.suppress(FileExistsError):
            os.close(os.open(side_file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _in_the_way(error: sqlite3.OperationalError) -> bool:
    code = int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)


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
        self._threads = ThreadPoolExecutor(_MAX_READERS, thread_name_prefix="toolpost-reader")

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
        """Refuse new queries and stop the running ones."""
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
                connection.set_progress_handler(lambda: self._closed or cancelled.is_set(), _STEPS_BETWEEN_CHECKS)
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
