"""Write a batch of jobs as one SQLite transaction."""

import contextlib
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Connection

from toolpost.store.writer import WriteJob
from toolpost.types.errors import StoreError

from .connection import BUSY_TIMEOUT_S, disk_full, explain, has_room, patiently
from .schema import MIGRATIONS, check_database, open_database, user_version


class SqliteTransactions:
    """Owns the connection that writes. A job is a function of that connection.

    Where the disk is full it has none, and opens it for the first change that finds room.
    """

    idle_seconds: float | None = None

    def __init__(self, path: Path) -> None:
        self._path = path
        self._synchronous = ""
        self._connection: Connection | None = None
        if has_room(path):
            self._connection = open_database(path)
        else:
            check_database(path)

    @property
    def is_open(self) -> bool:
        """Whether the file was opened so that it can be written."""
        return self._connection is not None

    def transact(self, jobs: Sequence[WriteJob]) -> None:
        if not has_room(self._path):
            raise disk_full(self._path)
        connection = self._opened()
        self._synchronise(connection, "FULL" if any(job.barrier for job in jobs) else "NORMAL")
        patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
        try:
            if user_version(connection) != len(MIGRATIONS):
                raise StoreError(f"another Toolpost has changed the format of {self._path}: restart this one")
            for job in jobs:
                job.result = job.write(connection)
            connection.execute("COMMIT")
        except BaseException:
            # After some errors SQLite has rolled back already.
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            raise

    def explain(self, error: Exception) -> StoreError:
        return explain(error, self._path)

    def idle(self) -> None:
        """A file needs nothing while nobody writes."""

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _opened(self) -> Connection:
        """The connection that writes; opened now, where the disk was full before."""
        deadline = time.monotonic() + BUSY_TIMEOUT_S
        while self._connection is None:
            connection = open_database(self._path)
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
                self._connection = connection
            except sqlite3.OperationalError as error:
                connection.close()
                # While a query that began on the full disk still runs, the file can't be written by this process.
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        return self._connection

    def _synchronise(self, connection: Connection, level: str) -> None:
        """Choose what a commit waits for. A full sync covers the commits before it too."""
        if level != self._synchronous:
            connection.execute(f"PRAGMA synchronous = {level}")
            self._synchronous = level
