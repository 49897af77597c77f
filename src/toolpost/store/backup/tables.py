"""The contract of backups: tables and rows that are the same for SQLite and PostgreSQL.

A database gives its tables under the names that the other one has too. So a backup of one goes into the other, and a
new table comes along by itself, as long as both databases have it with the same columns.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from toolpost.types.errors import StoreError

DatabaseKind = Literal["sqlite", "postgresql"]
Value = str | bytes | int | float | bool | None
Row = Sequence[Value]
# Called with the bytes that are done, and all of them, 0 where that is not known.
Progress = Callable[[int, int], object]


class TableColumns(Struct, frozen=True):
    name: str
    columns: tuple[str, ...]


class Snapshot(Protocol):
    """All tables of a database as they were at one moment, whatever is written meanwhile."""

    @property
    def database(self) -> DatabaseKind: ...

    @property
    def version(self) -> int:
        """How many migrations its tables have had."""
        ...

    @property
    def tables(self) -> Sequence[TableColumns]: ...

    def rows(self, table: TableColumns) -> Iterator[Row]: ...


class EmptyTables(Protocol):
    """Empty tables of the version of a backup. They take the place of the old ones when `finish` returns, not before,
    and leave nothing where it is not called."""

    @property
    def order(self) -> Sequence[str]:
        """The names of the tables, each after those that it refers to."""
        ...

    def load(self, table: TableColumns, rows: Iterator[Row]) -> None: ...

    def finish(self) -> None:
        """Bring the tables up to date and put them in their place."""
        ...


def as_text(value: Value) -> Value:
    """What one database has as text, another one may have as bytes."""
    return value.decode() if isinstance(value, bytes) else value


def as_bytes(value: Value) -> Value:
    return value.encode() if isinstance(value, str) else value


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk; Windows opens no folders."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_version_of_backup(version: int, known: int) -> None:
    if version < 1:
        raise ValueError("its tables have no version")
    if version > known:
        raise StoreError(
            f"this backup was written by a newer Toolpost (tables of format {version}, this one knows {known}): "
            "upgrade Toolpost, then try again"
        )


def not_empty(place: str) -> StoreError:
    return StoreError(
        f"{place} is not empty: restore into another store, or add --replace to delete what it holds (back it up first)"
    )


def in_use(place: str) -> StoreError:
    return StoreError(f"{place} is in use: stop the server and all other Toolposts that use it, then try again")


def no_such_table(table: TableColumns) -> StoreError:
    return StoreError(f"the backup has a table {table.name} that this Toolpost does not know: upgrade Toolpost")
