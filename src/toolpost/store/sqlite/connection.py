"""Open SQLite connections, wait for locks, explain errors, check for a full disk."""

import contextlib
import errno
import os
import random
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from toolpost.types.errors import StoreError, StoreFull

T = TypeVar("T")

BUSY_TIMEOUT_S = 5.0
PATIENCE_S = 60.0
# With less than this left a disk counts as full. SQLite writes the index of its log through mapped memory: where the
# disk has no block for a page of it, the system does not return an error but kills the process (SIGBUS).
LEAST_FREE_BYTES = 1024 * 1024


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
