"""Take a snapshot of a SQLite store while it is written to, and restore one in the place of another."""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

from toolpost.store.backup.tables import (
    DatabaseKind,
    Progress,
    Row,
    TableColumns,
    as_bytes,
    as_text,
    check_version_of_backup,
    in_use,
    no_such_table,
    not_empty,
    sync_folder,
)
from toolpost.types.errors import StoreError

from .connection import connect, connect_to_read, explain, patiently
from .schema import MIGRATIONS, check_version, migrate, open_database, user_version

# Columns that PostgreSQL has under another name: table, here, there.
RENAMED = {("session", "info"): "body", ("event_batch", "events"): "body"}
# Tables that refer to a session by its key here, and by its id there.
OF_SESSIONS = ("message", "event_batch", "exchange", "open_run")
# They say which process has which session now: that is not content.
LEFT_OUT = ("lease", "worker")
COLUMNS_LEFT_OUT = (("session", "worker"),)
PAGES_A_STEP = 1000


class SqliteSnapshot:
    """Reads the tables of a copy that nobody writes to."""

    database: DatabaseKind = "sqlite"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._own_columns = _columns(connection)
        self.version = user_version(connection)
        self.tables: Sequence[TableColumns] = [
            TableColumns(name, tuple(_shared_name(name, column) for column in columns))
            for name, columns in self._own_columns.items()
        ]

    def rows(self, table: TableColumns) -> Iterator[Row]:
        of_session = table.name in OF_SESSIONS
        columns = ["s.id" if of_session and c == "session" else f't."{c}"' for c in self._own_columns[table.name]]
        join = " CROSS JOIN session AS s ON s.key = t.session" if of_session else ""
        return self._connection.execute(f'SELECT {", ".join(columns)} FROM "{table.name}" AS t{join}')


@contextlib.contextmanager
def sqlite_snapshot(path: Path, scratch: Path, progress: Progress) -> Generator[SqliteSnapshot]:
    """Copy the database into the folder `scratch` with SQLite's online backup, and read the copy: the store goes on
    writing, and its log does not grow for as long as the backup is compressed."""
    if not path.exists():
        raise StoreError(f"there is no database {path}: nothing to back up")
    copy = scratch / "snapshot.db"
    try:
        with closing(connect_to_read(path)) as source, closing(sqlite3.connect(copy, isolation_level=None)) as target:
            copy.chmod(0o600)
            # One transaction: without it, each commit of another process would begin the copy anew.
            patiently(lambda: source.execute("BEGIN"))
            if patiently(lambda: check_version(source, path)) == 0:
                raise StoreError(f"the database {path} is empty: nothing to back up")
            size = int(source.execute("PRAGMA page_size").fetchone()[0])
            source.backup(
                target, pages=PAGES_A_STEP, progress=lambda _, left, all: progress((all - left) * size, all * size)
            )
            source.execute("ROLLBACK")
            yield SqliteSnapshot(target)
    except (sqlite3.Error, OSError) as error:
        raise explain(error, path) from error


class SqliteTables:
    """A new database beside the one that it will replace."""

    def __init__(self, path: Path, version: int, scratch: Path) -> None:
        self._path = path
        self._file = scratch / "restored.db"
        self._connection = open_database(self._file, MIGRATIONS[:version])
        # Nobody else has this file, and it is thrown away if anything fails.
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._columns = _columns(self._connection)
        self._connection.execute("BEGIN")

    @property
    def order(self) -> Sequence[str]:
        return ["session", *(name for name in self._columns if name != "session")]

    def load(self, table: TableColumns, rows: Iterator[Row]) -> None:
        types = self._columns.get(table.name)
        if types is None:
            raise no_such_table(table)
        own = {_shared_name(table.name, column): column for column in types}
        if unknown := [column for column in table.columns if column not in own]:
            raise StoreError(f"the backup's table {table.name} has a column {unknown[0]} that is not known here")
        of_session = table.name in OF_SESSIONS
        names = ", ".join(f'"{own[column]}"' for column in table.columns)
        values = ", ".join(
            "(SELECT key FROM session WHERE id = ?)" if of_session and column == "session" else "?"
            for column in table.columns
        )
        convert = [as_bytes if types[own[column]] == "BLOB" else as_text for column in table.columns]
        self._connection.executemany(
            f'INSERT INTO "{table.name}" ({names}) VALUES ({values})',
            ([change(value) for change, value in zip(convert, row, strict=True)] for row in rows),
        )

    def finish(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.execute("PRAGMA journal_mode = WAL")
        migrate(self._connection, self._file)
        self._connection.close()
        with self._file.open("rb") as written:
            os.fsync(written.fileno())
        with _exclusive(self._path) as old:
            try:
                # What is left of the old database's log must never meet the new one.
                for side_file in (f"{self._path}-wal", f"{self._path}-shm"):
                    Path(side_file).unlink(missing_ok=True)
                self._file.replace(self._path)
            except OSError:
                _share_again(old)
                raise
        sync_folder(self._path.parent)

    def close(self) -> None:
        self._connection.close()


@contextlib.contextmanager
def sqlite_tables(path: Path, version: int, *, replace: bool) -> Generator[SqliteTables]:
    """Create a new database for a backup; refuse to replace one that is used, or that holds anything without
    `replace`."""
    check_version_of_backup(version, len(MIGRATIONS))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_target(path, replace=replace)
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as scratch:
            tables = SqliteTables(path, version, Path(scratch))
            try:
                yield tables
            finally:
                tables.close()
    except (sqlite3.Error, OSError) as error:
        raise explain(error, path) from error


def _check_target(path: Path, *, replace: bool) -> None:
    if not path.exists():
        return
    try:
        with closing(connect_to_read(path)) as connection:
            if patiently(lambda: check_version(connection, path)) and not replace and _has_rows(connection):
                raise not_empty(str(path))
    except sqlite3.DatabaseError as error:
        if not (replace and _is_damaged(error)):
            raise
    with _exclusive(path) as held:
        _share_again(held)


@contextlib.contextmanager
def _exclusive(path: Path) -> Generator[Connection | None]:
    """Hold a database that no other process has open; None where it is damaged, or not there.

    Who does not replace it calls `_share_again`.
    """
    if not path.exists():
        yield None
        return
    with closing(connect(path)) as connection:
        held: Connection | None = connection
        try:
            # SQLite leaves its log only for the last one that has the database open, and empties it before.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise in_use(str(path)) from error
            if not _is_damaged(error):
                raise
            held = None
        yield held


def _share_again(connection: Connection | None) -> None:
    if connection is not None:
        connection.execute("ROLLBACK")
        connection.execute("PRAGMA journal_mode = WAL")


def _is_damaged(error: sqlite3.DatabaseError) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _has_rows(connection: Connection) -> bool:
    return any(connection.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone() for table in _columns(connection))


def _columns(connection: Connection) -> dict[str, dict[str, str]]:
    """The tables, with the declared type of each column."""
    tables = connection.execute(
        "SELECT CAST(name AS BLOB) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite^_%' ESCAPE '^'"
    )
    found: dict[str, dict[str, str]] = {}
    for (name,) in tables.fetchall():
        described = "SELECT CAST(name AS BLOB), CAST(type AS BLOB) FROM pragma_table_info(?)"
        rows = connection.execute(described, (name.decode(),))
        columns = {column.decode(): declared.decode().upper() for column, declared in rows}
        found[name.decode()] = {
            column: declared for column, declared in columns.items() if (name.decode(), column) not in COLUMNS_LEFT_OUT
        }
    return {name: columns for name, columns in found.items() if name not in LEFT_OUT}


def _shared_name(table: str, column: str) -> str:
    return RENAMED.get((table, column), column)
