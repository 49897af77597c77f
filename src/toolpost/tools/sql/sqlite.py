"""Read a SQLite file: opened read-only, and of all statements only those run that read."""

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from toolpost.tools.limits import ToolLimits
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError

from .results import Rows
from .settings import Database

T = TypeVar("T")

# Of one value, in bytes; SQLite's own limit is a thousand times that.
MAX_VALUE = 10_000_000
_CHECK_EVERY = 1_000  # instructions of SQLite's machine
_READS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
# Those that tell of the schema; they change nothing, whatever they are given.
_PRAGMAS = frozenset(
    {"foreign_key_list", "index_info", "index_list", "index_xinfo", "table_info", "table_list", "table_xinfo"}
)
# SQLite declares these at their first use, which looks to the authorizer like a change of the schema.
_TABLE_FUNCTIONS = (*sorted(f"pragma_{name}" for name in _PRAGMAS), "json_each", "json_tree")
_DANGEROUS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})
_SCHEMA = """
SELECT m.name, m.type, c.name, c.type, c.pk FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS c
WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.name, c.cid
"""


async def query_sqlite(database: Database, query: str, limits: ToolLimits) -> Rows:
    """The rows of one statement that reads."""
    return await _run(database, limits, lambda connection, deadline: _rows(connection, query, limits, deadline))


async def sqlite_schema(database: Database, limits: ToolLimits) -> list[tuple[str, str]]:
    """Tables and views, each with its columns as text."""
    return await _run(database, limits, lambda connection, deadline: _schema(connection))


async def _run(database: Database, limits: ToolLimits, work: Callable[[sqlite3.Connection, "_Deadline"], T]) -> T:
    """Work in a thread, until it is done, its time is up, or the call is cancelled."""
    deadline = _Deadline(limits.sql_seconds)

    def run() -> T:
        try:
            with closing(_connect(database, limits, deadline)) as connection:
                return work(connection, deadline)
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise _explained(error, database, deadline) from None

    try:
        return await run_in_thread(run)
    except asyncio.CancelledError:
        deadline.end()
        raise


class _Deadline:
    """The handler that SQLite calls while it works: true ends the statement."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._at = time.monotonic() + seconds

    def __call__(self) -> bool:
        return time.monotonic() > self._at

    def end(self) -> None:
        self._at = 0.0


def _connect(database: Database, limits: ToolLimits, deadline: _Deadline) -> sqlite3.Connection:
    file = _regular_file(database)
    uri = f"file:{quote(str(file))}?mode=ro{'&immutable=1' if database.immutable else ''}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=min(5.0, limits.sql_seconds))
    try:
        connection.text_factory = _decoded
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for name in _TABLE_FUNCTIONS:
            with contextlib.suppress(sqlite3.OperationalError):  # an old SQLite lacks some
                connection.execute(f"SELECT 1 FROM {name} LIMIT 0")
        connection.set_progress_handler(deadline, _CHECK_EVERY)
        connection.set_authorizer(_authorize)
    except BaseException:
        connection.close()
        raise
    return connection


def _decoded(data: bytes) -> str:
    return data.decode(errors="replace")


def _regular_file(database: Database) -> Path:
    file = Path(os.path.realpath(database.file))
    if not file.is_file():
        raise ToolError(f"The database {database.name} has no file: the user can correct [databases.{database.name}].")
    return file


def _authorize(action: int, one: str | None, two: str | None, place: str | None, inner: str | None) -> int:
    """Whether a part of a statement may run."""
    if action in _READS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_DENY if (two or "").lower() in _DANGEROUS else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and (one or "").lower() in _PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _rows(connection: sqlite3.Connection, query: str, limits: ToolLimits, deadline: _Deadline) -> Rows:
    with closing(connection.execute(query)) as cursor:
        if cursor.description is None:
            raise ToolError("The query returns no rows: write one SELECT.", kind="invalid")
        found = Rows([column[0] for column in cursor.description], limits)
        for row in cursor:
            if not found.add(row):
                break
            if deadline():
                raise sqlite3.OperationalError("interrupted")
    return found


def _schema(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    columns: dict[str, list[str]] = {}
    for table, kind, column, of_type, key in connection.execute(_SCHEMA):
        name = table if kind == "table" else f"{table} (view)"
        parts = [column, of_type, "PRIMARY KEY" if key else ""]
        columns.setdefault(name, []).append(" ".join(filter(None, parts)))
    return [(name, ", ".join(listed)) for name, listed in columns.items()]


def _explained(error: Exception, database: Database, deadline: _Deadline) -> ToolError:
    said = str(error)
    if "interrupted" in said:
        return ToolError(
            f"The query took longer than {deadline.seconds:g} s. Ask for less: use WHERE, an index or LIMIT.",
            kind="timeout",
        )
    if "authoriz" in said or "prohibited" in said or "readonly" in said:
        return ToolError("Only statements that read are allowed here: write one SELECT.", kind="denied")
    if "one statement at a time" in said:
        return ToolError("Give one statement at a time.", kind="invalid")
    if "unable to open" in said:
        hint = f"immutable = true in [databases.{database.name}] helps where its folder cannot be written to"
        return ToolError(f"The file of the database {database.name} can't be opened; {hint}.")
    return ToolError(f"SQLite: {said}", kind="invalid")
