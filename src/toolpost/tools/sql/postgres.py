"""Read a PostgreSQL database: in a transaction that is read-only, through a cursor, which takes a single query."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from toolpost.extras import missing_text
from toolpost.tools.limits import ToolLimits
from toolpost.types.errors import ToolError

from .results import Rows, Schema
from .settings import Database

if TYPE_CHECKING:
    from psycopg import AsyncConnection

CONNECT_SECONDS = 10
CLOSE_SECONDS = 2.0
# Fetched at once, so that few long rows are in memory.
FETCHED = 20
_CURSOR = "toolpost"
_SCHEMA = """
SELECT table_schema, table_name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position)
FROM information_schema.columns
WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_schema NOT LIKE 'pg\\_toast%'
GROUP BY table_schema, table_name ORDER BY table_schema, table_name
"""


async def query_postgres(database: Database, query: str, limits: ToolLimits) -> Rows:
    """The rows of one query. The server shortens long values, so that none of them is ever in our memory."""
    async with _connected(database, limits) as connection:
        # A cursor is only declared here, which runs nothing and tells the columns.
        async with connection.cursor(_CURSOR) as cursor:
            await cursor.execute(query.encode())
            columns = [column.name for column in cursor.description or ()]
        found = Rows(columns, limits)
        found.warning = _warning(connection, database)
        async with connection.cursor(_CURSOR) as cursor:
            await cursor.execute(_shortened(query, len(columns), limits.sql_value_chars).encode())
            while rows := await cursor.fetchmany(FETCHED):
                if not all(map(found.add, rows)):
                    break
        return found


async def postgres_schema(database: Database, limits: ToolLimits) -> Schema:
    """The tables and views that may be read, each with its columns as text."""
    async with _connected(database, limits) as connection, connection.cursor() as cursor:
        await cursor.execute(_SCHEMA.encode())
        rows: list[tuple[str, str, str]] = await cursor.fetchall()
        warning = _warning(connection, database)
    tables = [(table if schema == "public" else f"{schema}.{table}", columns) for schema, table, columns in rows]
    return Schema(tables, len(tables), warning)


def _warning(connection: "AsyncConnection[Any]", database: Database) -> str:
    """What the user should know of the role: functions that only a superuser may call write files and run commands,
    also in a transaction that is read-only."""
    if connection.info.parameter_status("is_superuser") != "on":
        return ""
    return (
        f"Tell the user: the role of [databases.{database.name}] is a superuser of PostgreSQL, who can do more than "
        "read. Give the URL of a role of its own that may only read."
    )


def _shortened(query: str, columns: int, most: int) -> str:
    """The query with its values as texts of a limited length. That it is a single one was checked: were it two that
    fit into this one, both would still only read."""
    names = [f"c{number}" for number in range(columns)]
    # One character more shows that it was cut.
    values = ", ".join(f"left({name}::text, {most + 1})" for name in names)
    return f"SELECT {values} FROM (\n{query.strip().rstrip(';')}\n) AS query ({', '.join(names)})"


@asynccontextmanager
async def _connected(database: Database, limits: ToolLimits) -> "AsyncGenerator[AsyncConnection[Any]]":
    """A connection whose only transaction can't write, within the time of a query."""
    try:
        # Optional, and slow to import.
        import psycopg
    except ImportError:
        raise ToolError(missing_text("postgres", f"the database {database.name}")) from None
    connection: AsyncConnection[Any] | None = None
    try:
        async with asyncio.timeout(limits.sql_seconds + CONNECT_SECONDS):
            connection = await psycopg.AsyncConnection.connect(
                database.url,
                connect_timeout=CONNECT_SECONDS,
                application_name="toolpost",
                options=f"-c statement_timeout={int(limits.sql_seconds * 1000)} -c default_transaction_read_only=on",
            )
            await connection.set_read_only(True)
        async with asyncio.timeout(limits.sql_seconds):
            yield connection
    except TimeoutError:
        raise _too_slow(limits) from None
    except psycopg.errors.QueryCanceled:
        raise _too_slow(limits) from None
    except psycopg.errors.ReadOnlySqlTransaction:
        raise ToolError("Only queries that read are allowed here: write one SELECT.", kind="denied") from None
    except psycopg.Error as error:
        if connection is None:
            # What the driver says may have a piece of the URL in it.
            hint = f"the user can check the address, the name and the password of [databases.{database.name}]"
            raise ToolError(f"The database {database.name} can't be reached; {hint}.") from None
        raise ToolError(f"PostgreSQL: {_said(error)}", kind="invalid") from None
    finally:
        if connection is not None:
            with contextlib.suppress(TimeoutError, psycopg.Error):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await connection.close()


def _too_slow(limits: ToolLimits) -> ToolError:
    return ToolError(
        f"The query took longer than {limits.sql_seconds:g} s. Ask for less: use WHERE, an index or LIMIT.",
        kind="timeout",
    )


def _said(error: Any) -> str:
    """The server's message, with its hint where it has one."""
    told = error.diag
    text = str(told.message_primary or error)
    if "multiple commands" in text:
        return "give one statement at a time."
    if "syntax error" in text and "DECLARE" not in text:
        text += ". Only one SELECT, VALUES, TABLE or WITH … SELECT is allowed here"
    return " ".join(filter(None, [f"{text}.", told.message_hint]))
