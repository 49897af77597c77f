"""Take a snapshot of a PostgreSQL store while it is written to, and restore one in a single transaction."""

import contextlib
from collections.abc import Generator, Iterator, Sequence
from graphlib import TopologicalSorter

import psycopg
from msgspec import Struct
from psycopg import Connection, IsolationLevel, sql

from toolpost.store.backup.tables import (
    DatabaseKind,
    Row,
    TableColumns,
    Value,
    as_bytes,
    as_text,
    check_version_of_backup,
    in_use,
    no_such_table,
    not_empty,
)
from toolpost.types.errors import StoreError

from .address import PostgresAddress, read_address
from .connection import PostgresServer, prepare, without_nul
from .lease import SCHEMA_LOCK
from .schema import MIGRATION_LOCK, MIGRATIONS, check_version, migrate
from .writes import copy_rows

# They say which process has which session now, and how far the tables are: that is not content.
LEFT_OUT = ("format", "lease", "worker")
LOCK_TIMEOUT = "2s"
COLUMNS_LEFT_OUT = (("session", "worker"),)
# Types whose values are kept as they are; of all others, the text that the server writes and reads.
_KEPT_TYPES = ("int2", "int4", "int8", "float8", "bool", "bytea", "text")


class _Column(Struct, frozen=True):
    name: str
    type: str
    is_identity: bool

    @property
    def copied_as(self) -> str:
        return self.type if self.type in _KEPT_TYPES else "text"


class PostgresSnapshot:
    """Reads in one repeatable-read transaction: what others commit meanwhile is not seen, and nobody waits."""

    database: DatabaseKind = "postgresql"

    def __init__(self, connection: Connection, address: PostgresAddress) -> None:
        self._connection = connection
        version = check_version(connection, address, len(MIGRATIONS))
        if not version:
            raise StoreError(f"there are no tables of Toolpost in {address.place}: nothing to back up")
        self.version = version
        self._columns = _columns(connection, address.schema)
        self.tables: Sequence[TableColumns] = [
            TableColumns(name, tuple(column.name for column in columns)) for name, columns in self._columns.items()
        ]

    def rows(self, table: TableColumns) -> Iterator[Row]:
        columns = self._columns[table.name]
        order = next((column.name for column in columns if column.is_identity), None)
        query = sql.SQL("COPY (SELECT {} FROM {}{}) TO STDOUT").format(
            sql.SQL(", ").join(sql.Identifier(column.name) for column in columns),
            sql.Identifier(table.name),
            sql.SQL("") if order is None else sql.SQL(" ORDER BY {}").format(sql.Identifier(order)),
        )
        with self._connection.cursor() as cursor, cursor.copy(query) as copy:
            copy.set_types([column.copied_as for column in columns])
            # The store's own connections read text as bytes.
            read = [as_text if column.copied_as == "text" else _as_it_is for column in columns]
            for row in copy.rows():
                yield [convert(value) for convert, value in zip(read, row, strict=True)]


@contextlib.contextmanager
def postgres_snapshot(url: str) -> Generator[PostgresSnapshot]:
    with _connected(url) as (connection, address):
        connection.autocommit = False
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        _use_schema(connection, address)
        yield PostgresSnapshot(connection, address)
        connection.rollback()


class PostgresTables:
    """The tables of a schema, made anew in a transaction that ends with `finish`."""

    def __init__(self, connection: Connection, address: PostgresAddress) -> None:
        self._connection = connection
        self._address = address
        self._columns = _columns(connection, address.schema)
        self.is_finished = False

    @property
    def order(self) -> Sequence[str]:
        return list(self._columns)

    def load(self, table: TableColumns, rows: Iterator[Row]) -> None:
        known = {column.name: column for column in self._columns.get(table.name, ())}
        if not known:
            raise no_such_table(table)
        if unknown := [column for column in table.columns if column not in known]:
            raise StoreError(f"the backup's table {table.name} has a column {unknown[0]} that is not known here")
        columns = [known[name] for name in table.columns]
        convert = [as_bytes if column.type == "bytea" else _text_without_nul for column in columns]
        names = sql.SQL(", ").join(sql.Identifier(column.name) for column in columns)
        # COPY takes the numbers of identity columns as they are.
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table.name), names)
        written = (tuple(change(value) for change, value in zip(convert, row, strict=True)) for row in rows)
        copy_rows(self._connection, statement, written)
        for column in columns:
            if column.is_identity:
                self._go_on_counting(table.name, column.name)

    def finish(self) -> None:
        migrate(self._connection, self._address)
        self.is_finished = True

    def _go_on_counting(self, table: str, column: str) -> None:
        names = {"table": sql.Identifier(table), "column": sql.Identifier(column)}
        last = sql.SQL("SELECT max({column}) FROM {table}").format(**names)
        sequence = "SELECT setval(pg_get_serial_sequence(quote_ident(%s), %s), %s)"
        row = self._connection.execute(last).fetchone()
        if row is not None and row[0] is not None:
            self._connection.execute(sequence, (table, column, row[0]))


@contextlib.contextmanager
def postgres_tables(url: str, version: int, *, replace: bool) -> Generator[PostgresTables]:
    """Make empty tables for a backup; refuse to replace those that a server uses, or that hold anything without
    `replace`. Whatever fails, the old ones stay."""
    check_version_of_backup(version, len(MIGRATIONS))
    with _connected(url) as (connection, address), connection.transaction():
        try:
            _clear(connection, address, replace=replace)
        except psycopg.errors.LockNotAvailable as error:
            raise in_use(f"the schema {address.schema} in {address.place}") from error
        migrate(connection, address, MIGRATIONS[:version])
        _use_schema(connection, address)
        tables = PostgresTables(connection, address)
        yield tables
        if not tables.is_finished:
            raise psycopg.Rollback


@contextlib.contextmanager
def _connected(url: str) -> Generator[tuple[Connection, PostgresAddress]]:
    address = read_address(url)
    server = PostgresServer(address, 0.0)
    try:
        with Connection.connect(**address.parameters, autocommit=True) as connection:
            prepare(connection)
            yield connection, address
    except psycopg.Error as error:
        raise server.explain(error) from error


def _clear(connection: Connection, address: PostgresAddress, *, replace: bool) -> None:
    """Drop the tables that are there, for this transaction; raise if somebody else uses them."""
    # A process that has just ended is known to the server a moment later.
    connection.execute("SELECT set_config('lock_timeout', %s, true)", (LOCK_TIMEOUT,))
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
    connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (SCHEMA_LOCK, address.schema))
    if not check_version(connection, address, len(MIGRATIONS)):
        return
    _use_schema(connection, address)
    names = _tables(connection, address.schema)
    if not replace and any(_has_rows(connection, name) for name in names if name not in LEFT_OUT):
        raise not_empty(f"the schema {address.schema} in {address.place}")
    for name in names:
        connection.execute(sql.SQL("DROP TABLE {} CASCADE").format(sql.Identifier(name)))


def _use_schema(connection: Connection, address: PostgresAddress) -> None:
    connection.execute(sql.SQL("SET LOCAL search_path TO {}").format(sql.Identifier(address.schema)))


def _in_order_of_references(connection: Connection, schema: str) -> list[str]:
    """The tables, each after those that its foreign keys refer to."""
    order: TopologicalSorter[str] = TopologicalSorter(dict.fromkeys(_tables(connection, schema), ()))
    references = connection.execute(
        "SELECT a.relname::text, b.relname::text FROM pg_constraint AS c JOIN pg_class AS a ON a.oid = c.conrelid"
        " JOIN pg_class AS b ON b.oid = c.confrelid WHERE c.contype = 'f' AND a.relnamespace = %s::regnamespace"
        " AND a.oid <> b.oid",
        (schema,),
    )
    for table, referred in references:
        order.add(table.decode(), referred.decode())
    return list(order.static_order())


def _tables(connection: Connection, schema: str) -> list[str]:
    rows = connection.execute(
        "SELECT relname::text FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r' ORDER BY oid",
        (schema,),
    )
    return [name.decode() for (name,) in rows]


def _columns(connection: Connection, schema: str) -> dict[str, list[_Column]]:
    """The tables in the order in which they can be loaded, each with its columns."""
    found: dict[str, list[_Column]] = {
        name: [] for name in _in_order_of_references(connection, schema) if name not in LEFT_OUT
    }
    rows = connection.execute(
        "SELECT c.relname::text, a.attname::text, t.typname::text, a.attidentity <> '' FROM pg_attribute AS a"
        " JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_type AS t ON t.oid = a.atttypid"
        " WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped"
        " ORDER BY a.attnum",
        (schema,),
    )
    for table, name, kind, is_identity in rows:
        column = _Column(name.decode(), kind.decode(), is_identity)
        if table.decode() in found and (table.decode(), column.name) not in COLUMNS_LEFT_OUT:
            found[table.decode()].append(column)
    return found


def _has_rows(connection: Connection, table: str) -> bool:
    return connection.execute(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(table))).fetchone() is not None


def _as_it_is(value: Value) -> Value:
    return value


def _text_without_nul(value: Value) -> Value:
    text = as_text(value)
    return without_nul(text) if isinstance(text, str) else text
