"""Read and write objects of the gateway in PostgreSQL."""

from collections.abc import Callable
from typing import LiteralString

from psycopg import Connection

from toolpost.store.contract import MAX_CHAIN, ObjectLimits, StoredObject
from toolpost.store.rows import ObjectKey, object_of

from .reconnecting import Work

_COLUMNS: LiteralString = "o.id, o.owner, o.kind, o.time, o.body, o.previous"
# LATERAL with a LIMIT is a look at an index for each step, as for messages.
_CHAIN: LiteralString = f"""
WITH RECURSIVE path (depth, id, previous) AS (
    SELECT 0, id, previous FROM object WHERE owner = %(owner)s AND id = %(id)s AND kind = %(kind)s
    UNION ALL
    SELECT path.depth + 1, o.id, o.previous FROM path CROSS JOIN LATERAL (
        SELECT id, previous FROM object WHERE owner = %(owner)s AND id = path.previous AND kind = %(kind)s LIMIT 1
    ) AS o
    WHERE path.depth < %(longest)s
)
SELECT {_COLUMNS} FROM path CROSS JOIN LATERAL (
    SELECT * FROM object WHERE owner = %(owner)s AND id = path.id LIMIT 1
) AS o ORDER BY path.depth DESC
"""
_PRUNE: LiteralString = """
DELETE FROM object WHERE owner = %(owner)s AND id IN (
    SELECT id FROM (
        SELECT id, time, row_number() OVER newest AS number, sum(size) OVER newest AS total
        FROM object WHERE owner = %(owner)s
        WINDOW newest AS (ORDER BY time DESC, id DESC ROWS UNBOUNDED PRECEDING)
    ) AS ordered WHERE number > %(most)s OR total > %(most_bytes)s OR time < %(since)s
)
"""


def put(stored: StoredObject, limits: ObjectLimits) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        connection.execute(
            "INSERT INTO object (owner, id, kind, previous, time, size, body) VALUES (%s, %s, %s, %s, %s, %s, %b)"
            " ON CONFLICT (owner, id) DO UPDATE SET kind = excluded.kind, previous = excluded.previous,"
            " time = excluded.time, size = excluded.size, body = excluded.body",
            (stored.owner, stored.id, stored.kind, stored.previous, stored.time, len(stored.body), stored.body),
        )
        _prune(connection, stored.owner, limits)
        return lambda: None

    return work


def find(
    connection: Connection, owner: str, kind: str, object_id: str, lock: LiteralString = ""
) -> StoredObject | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM object AS o WHERE owner = %s AND id = %s AND kind = %s {lock}",
        (owner, object_id, kind),
    ).fetchone()
    return None if row is None else object_of(row)


def chain(connection: Connection, owner: str, kind: str, object_id: str) -> list[StoredObject]:
    asked = {"owner": owner, "kind": kind, "id": object_id, "longest": MAX_CHAIN}
    return [object_of(row) for row in connection.execute(_CHAIN, asked)]


def change(key: ObjectKey, edit: Callable[[bytes], bytes], time: float, limits: ObjectLimits) -> Work[bool]:
    def work(connection: Connection) -> Callable[[], bool]:
        found = find(connection, *key, lock="FOR UPDATE")
        if found is None:
            return lambda: False
        body = edit(found.body)
        connection.execute(
            "UPDATE object SET body = %b, size = %s, time = %s WHERE owner = %s AND id = %s",
            (body, len(body), time, found.owner, found.id),
        )
        _prune(connection, found.owner, limits)
        return lambda: True

    return work


def delete(owner: str, kind: str, object_id: str) -> Work[bool]:
    def work(connection: Connection) -> Callable[[], bool]:
        deleted = connection.execute(
            "DELETE FROM object WHERE owner = %s AND id = %s AND kind = %s", (owner, object_id, kind)
        )
        return lambda: deleted.rowcount > 0

    return work


def _prune(connection: Connection, owner: str, limits: ObjectLimits) -> None:
    bounds = {"most": limits.most, "most_bytes": limits.most_bytes, "since": limits.since}
    connection.execute(_PRUNE, {"owner": owner, **bounds})
