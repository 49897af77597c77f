"""Read and write records of accounts in SQLite."""

from collections.abc import Sequence
from sqlite3 import Connection

from toolpost.store.account_records import AccountRecord, ModelUse, RecordEdit
from toolpost.store.rows import record_of, use_of

_COLUMNS = "kind, id, owner, time, expires, body"


def add(connection: Connection, record: AccountRecord) -> bool:
    added = connection.execute(
        f"INSERT INTO account_record ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", _values(record)
    )
    return added.rowcount > 0


def find(connection: Connection, kind: str, record_id: str) -> AccountRecord | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM account_record WHERE kind = ? AND id = ?", (kind, record_id)
    ).fetchone()
    return None if row is None else record_of(row)


def every(
    connection: Connection, kind: str, owner: str | None = None, until: float | None = None
) -> list[AccountRecord]:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM account_record WHERE kind = :kind AND (:owner IS NULL OR owner = :owner)"
        " AND (:until IS NULL OR time <= :until) ORDER BY time, id",
        {"kind": kind, "owner": owner, "until": until},
    )
    return [record_of(row) for row in rows]


def change(connection: Connection, kind: str, edit: RecordEdit, ids: Sequence[str] | None) -> None:
    if ids is None:
        there = every(connection, kind)
    else:
        there = [found for one in ids if (found := find(connection, kind, one)) is not None]
    for record in edit({record.id: record for record in there}):
        connection.execute(
            f"INSERT OR REPLACE INTO account_record ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", _values(record)
        )


def take(connection: Connection, kind: str, record_id: str) -> AccountRecord | None:
    found = find(connection, kind, record_id)
    if found is not None:
        connection.execute("DELETE FROM account_record WHERE kind = ? AND id = ?", (kind, record_id))
    return found


def delete(connection: Connection, kind: str, owner: str | None, expired_before: float | None) -> int:
    deleted = connection.execute(
        "DELETE FROM account_record WHERE kind = :kind AND (:owner IS NULL OR owner = :owner)"
        " AND (:before IS NULL OR (expires > 0 AND expires <= :before))",
        {"kind": kind, "owner": owner, "before": expired_before},
    )
    return deleted.rowcount


def add_uses(connection: Connection, uses: Sequence[ModelUse]) -> None:
    connection.executemany(
        "INSERT INTO model_use (day, user, model, requests, input_tokens, output_tokens, cost)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (day, user, model) DO UPDATE SET"
        " requests = requests + excluded.requests, input_tokens = input_tokens + excluded.input_tokens,"
        " output_tokens = output_tokens + excluded.output_tokens, cost = cost + excluded.cost",
        [(u.day, u.user, u.model, u.requests, u.input_tokens, u.output_tokens, u.cost) for u in uses],
    )


def uses(connection: Connection, since_day: str) -> list[ModelUse]:
    rows = connection.execute(
        "SELECT day, user, model, requests, input_tokens, output_tokens, cost FROM model_use WHERE day >= ?"
        " ORDER BY day, user, model",
        (since_day,),
    )
    return [use_of(row) for row in rows]


def _values(record: AccountRecord) -> tuple[str | float | bytes, ...]:
    return record.kind, record.id, record.owner, record.time, record.expires, record.body
