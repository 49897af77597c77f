"""Read and write records of accounts in PostgreSQL."""

from collections.abc import Callable, Sequence
from typing import LiteralString

from psycopg import Connection

from toolpost.store.account_records import AccountRecord, ModelUse, RecordEdit
from toolpost.store.rows import record_of, use_of

from .reconnecting import Work

_COLUMNS: LiteralString = "kind, id, owner, time, expires, body"
_INSERT: LiteralString = f"INSERT INTO account_record ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %b)"


def add(record: AccountRecord) -> Work[bool]:
    def work(connection: Connection) -> Callable[[], bool]:
        added = connection.execute(f"{_INSERT} ON CONFLICT DO NOTHING", _values(record))
        return lambda: added.rowcount > 0

    return work


def find(connection: Connection, kind: str, record_id: str) -> AccountRecord | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM account_record WHERE kind = %s AND id = %s", (kind, record_id)
    ).fetchone()
    return None if row is None else record_of(row)


def every(
    connection: Connection, kind: str, owner: str | None = None, until: float | None = None
) -> list[AccountRecord]:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM account_record WHERE kind = %(kind)s"
        " AND (%(owner)s::text IS NULL OR owner = %(owner)s)"
        " AND (%(until)s::float8 IS NULL OR time <= %(until)s) ORDER BY time, id",
        {"kind": kind, "owner": owner, "until": until},
    )
    return [record_of(row) for row in rows]


def change(kind: str, edit: RecordEdit, ids: Sequence[str] | None, schema: str) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        # Rows that are not there yet can't be locked, so the kind is.
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"{schema} account {kind}",))
        if ids is None:
            there = every(connection, kind)
        else:
            there = [found for one in ids if (found := find(connection, kind, one)) is not None]
        for record in edit({record.id: record for record in there}):
            connection.execute(
                f"{_INSERT} ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, time = excluded.time,"
                " expires = excluded.expires, body = excluded.body",
                _values(record),
            )
        return lambda: None

    return work


def take(kind: str, record_id: str) -> Work[AccountRecord | None]:
    def work(connection: Connection) -> Callable[[], AccountRecord | None]:
        taken = connection.execute(
            f"DELETE FROM account_record WHERE kind = %s AND id = %s RETURNING {_COLUMNS}", (kind, record_id)
        )
        row = taken.fetchone()
        return lambda: None if row is None else record_of(row)

    return work


def delete(kind: str, owner: str | None, expired_before: float | None) -> Work[int]:
    def work(connection: Connection) -> Callable[[], int]:
        deleted = connection.execute(
            "DELETE FROM account_record WHERE kind = %(kind)s AND (%(owner)s::text IS NULL OR owner = %(owner)s)"
            " AND (%(before)s::float8 IS NULL OR (expires > 0 AND expires <= %(before)s))",
            {"kind": kind, "owner": owner, "before": expired_before},
        )
        return lambda: deleted.rowcount

    return work


def add_uses(uses: Sequence[ModelUse]) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        # In one order, so that two who add the same rows never wait for each other.
        for use in sorted(uses, key=lambda one: (one.day, one.user, one.model)):
            connection.execute(
                'INSERT INTO model_use AS m (day, "user", model, requests, input_tokens, output_tokens, cost)'
                ' VALUES (%s, %s, %s, %s, %s, %s, %s) ON CONFLICT (day, "user", model) DO UPDATE SET'
                " requests = m.requests + excluded.requests, input_tokens = m.input_tokens + excluded.input_tokens,"
                " output_tokens = m.output_tokens + excluded.output_tokens, cost = m.cost + excluded.cost",
                (use.day, use.user, use.model, use.requests, use.input_tokens, use.output_tokens, use.cost),
            )
        return lambda: None

    return work


def uses(connection: Connection, since_day: str) -> list[ModelUse]:
    rows = connection.execute(
        'SELECT day, "user", model, requests, input_tokens, output_tokens, cost FROM model_use WHERE day >= %s'
        ' ORDER BY day, "user", model',
        (since_day,),
    )
    return [use_of(row) for row in rows]


def _values(record: AccountRecord) -> tuple[str | float | bytes, ...]:
    return record.kind, record.id, record.owner, record.time, record.expires, record.body
