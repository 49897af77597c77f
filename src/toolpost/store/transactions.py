"""The SQLite database as its writer sees it: a batch of jobs is one transaction."""

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Connection

from toolpost.types.errors import StoreError

from .connection import explain, patiently
from .schema import MIGRATIONS, user_version
from .writer import Job


class Transactions:
    """Owns the connection that writes. A job is a function of that connection."""

    idle_seconds: float | None = None

    def __init__(self, connection: Connection, path: Path) -> None:
        self.connection = connection
        self._path = path
        self._synchronous = ""

    def transact(self, jobs: Sequence[Job]) -> None:
        connection = self.connection
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

    def explain(self, error: Exception) -> StoreError:
        return explain(error, self._path)

    def idle(self) -> None:
        """A file needs nothing while nobody writes."""

    def close(self) -> None:
        self.connection.close()

    def _synchronise(self, level: str) -> None:
        """Choose what a commit waits for. A full sync covers the commits before it too."""
        if level != self._synchronous:
            self.connection.execute(f"PRAGMA synchronous = {level}")
            self._synchronous = level
