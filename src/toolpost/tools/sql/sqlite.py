"""Read a SQLite file: in a child process, opened read-only, and of all statements only those run that read."""

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct

from toolpost.tools.limits import ToolLimits
from toolpost.types.errors import ToolError

from . import sqlite_child
from .results import Blob, Rows, Schema
from .settings import Database

# Each may take `sql_memory`; who comes later waits.
MAX_AT_ONCE = 4
_READ = 65_536
_TABLES = "FROM sqlite_schema AS m WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
_SCHEMA = f"""
SELECT m.name || iif(m.type = 'view', ' (view)', ''), (
    SELECT group_concat(trim(c.name || ' ' || c.type) || iif(c.pk, ' PRIMARY KEY', ''), ', ')
    FROM pragma_table_xinfo(m.name) AS c
), (SELECT count(*) {_TABLES}) {_TABLES} ORDER BY m.name
"""


class _End(Struct, frozen=True):
    """The last thing that the child writes."""

    more: bool = False
    error: str = ""


_slots: "WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]" = WeakKeyDictionary()


async def query_sqlite(database: Database, query: str, limits: ToolLimits) -> Rows:
    """The rows of one statement that reads."""
    columns, rows, more = await _answer(database, query, limits, limits.sql_rows + 1, limits.sql_value_chars)
    found = Rows(columns, limits)
    for row in rows:
        if not found.add([_value(value) for value in row]):
            break
    found.is_full = found.is_full or more
    return found


def _value(sent: Any) -> Any:
    """A value as `Rows` takes it. Bytes come as a list."""
    return msgspec.convert(sent, Blob) if isinstance(sent, list) else sent


async def sqlite_schema(database: Database, limits: ToolLimits) -> Schema:
    """Tables and views, each with its columns as text, as many as there may be room for."""
    # A table takes a byte at least.
    _, rows, _ = await _answer(database, _SCHEMA, limits, limits.sql_bytes, limits.sql_bytes)
    return Schema([(name, columns or "") for name, columns, _ in rows], rows[0][2] if rows else 0)


async def _answer(
    database: Database, query: str, limits: ToolLimits, rows: int, value_chars: int
) -> tuple[list[str], list[Any], bool]:
    """The columns, the rows, and whether there are more, from a child process."""
    asked = {
        "file": str(_regular_file(database)),
        "immutable": database.immutable,
        "query": query,
        "seconds": limits.sql_seconds,
        "memory": limits.sql_memory,
        "rows": rows,
        # More than is shown: the texts that are made of values here are a little longer or shorter.
        "bytes": 2 * limits.sql_bytes,
        "value_chars": value_chars,
    }
    # A row is as long as it is, so one comes on top; a character takes six bytes at most.
    most = 2 * limits.sql_bytes + 6 * sqlite_child.MAX_COLUMNS * (value_chars + 50) * 2
    async with _slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(MAX_AT_ONCE)):
        output, status = await _run(json.dumps(asked).encode(), limits, 6 * most)
    lines: list[Any] = [json.loads(line) for line in output.split(b"\n") if line] if status == 0 else []
    last: Any = lines.pop() if lines else None
    if not isinstance(last, dict):
        # Its own limits ended it.
        timed_out = sys.platform != "win32" and status == -signal.SIGXCPU
        raise _too_slow(limits) if timed_out else _too_large(limits)
    end = msgspec.convert(last, _End)
    if end.error:
        raise _explained(end.error, database, limits)
    return lines[0], lines[1:], end.more


async def _run(asked: bytes, limits: ToolLimits, most: int) -> tuple[bytes, int]:
    """What the child writes, and its status. It is gone when this returns, when its time is up, and when the call is
    cancelled."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-X", "utf8", "-W", "ignore", sqlite_child.__file__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={"PATH": os.defpath},
    )
    try:
        async with asyncio.timeout(limits.sql_seconds):
            assert process.stdin is not None and process.stdout is not None  # noqa: PT018
            process.stdin.write(asked)
            process.stdin.close()
            output = bytearray()
            while data := await process.stdout.read(_READ):
                output += data
                if len(output) > most:
                    raise _too_large(limits)
            return bytes(output), await process.wait()
    except TimeoutError:
        raise _too_slow(limits) from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _regular_file(database: Database) -> Path:
    file = Path(os.path.realpath(database.file))
    if not file.is_file():
        raise ToolError(f"The database {database.name} has no file: the user can correct [databases.{database.name}].")
    return file


def _too_slow(limits: ToolLimits) -> ToolError:
    return ToolError(
        f"The query took longer than {limits.sql_seconds:g} s. Ask for less: use WHERE, an index or LIMIT.",
        kind="timeout",
    )


def _too_large(limits: ToolLimits) -> ToolError:
    return ToolError(
        f"The query needs more than {limits.sql_memory:,} bytes of memory. Ask for less: fewer columns, shorter values "
        "with substr, or fewer rows to sort.",
        kind="invalid",
    )


def _explained(said: str, database: Database, limits: ToolLimits) -> ToolError:
    if said == "no rows":
        return ToolError("The query returns no rows: write one SELECT.", kind="invalid")
    if "out of memory" in said:
        return _too_large(limits)
    if "string or blob too big" in said:
        # Not even substr works then: SQLite reads the whole value for it.
        size = f"{sqlite_child.MAX_VALUE:,} bytes"
        return ToolError(f"SQLite: a value is too big, over {size}. Choose other columns or rows.", kind="invalid")
    if "too many columns" in said:
        return ToolError(f"SQLite: {said}. Name the columns, {sqlite_child.MAX_COLUMNS} at most.", kind="invalid")
    if "authoriz" in said or "prohibited" in said or "readonly" in said:
        return ToolError("Only statements that read are allowed here: write one SELECT.", kind="denied")
    if "one statement at a time" in said:
        return ToolError("Give one statement at a time.", kind="invalid")
    if "unable to open" in said:
        hint = f"immutable = true in [databases.{database.name}] helps where its folder cannot be written to"
        return ToolError(f"The file of the database {database.name} can't be opened; {hint}.")
    return ToolError(f"SQLite: {said}", kind="invalid")
