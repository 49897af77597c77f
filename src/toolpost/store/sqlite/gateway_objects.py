"""Read and write objects of the gateway in SQLite."""

from collections.abc import Callable
from sqlite3 import Connection

from toolpost.store.contract import MAX_CHAIN, ObjectLimits, StoredObject
from toolpost.store.rows import ObjectKey, object_of

_COLUMNS = "o.id, o.owner, o.kind, o.time, o.body, o.previous"
_CHAIN = f"""
WITH RECURSIVE path (depth, id, previous) AS (
    SELECT 0, id, previous FROM object WHERE owner = :owner AND id = :id AND kind = :kind
    UNION ALL
    SELECT path.depth + 1, o.id, o.previous
    FROM path JOIN object AS o ON o.owner = :owner AND o.id = path.previous AND o.kind = :kind
    WHERE path.depth < {MAX_CHAIN}
)
SELECT {_COLUMNS} FROM path CROSS JOIN object AS o ON o.owner = :owner AND o.id = path.id ORDER BY path.depth DESC
"""
_PRUNE = """
DELETE FROM object WHERE owner = :owner AND id IN (
    SELECT id FROM (
        SELECT id, time, row_number() OVER newest AS number, sum(size) OVER newest AS total
        FROM object WHERE owner = :owner
        WINDOW newest AS (ORDER BY time DESC, id DESC ROWS UNBOUNDED PRECEDING)
    ) WHERE number > :most OR total > :most_bytes OR time < :since
)
"""


def put(connection: Connection, stored: StoredObject, limits: ObjectLimits) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO object (owner, id, kind, previous, time, size, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (stored.owner, stored.id, stored.kind, stored.previous, stored.time, len(stored.body), stored.body),
    )
    _prune(connection, stored.owner, limits)


def find(connection: Connection, owner: str, kind: str, object_id: str) -> StoredObject | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM object AS o WHERE owner = ? AND id = ? AND kind = ?", (owner, object_id, kind)
    ).fetchone()
    return None if row is None else object_of(row)


def chain(connection: Connection, owner: str, kind: str, object_id: str) -> list[StoredObject]:
    rows = connection.execute(_CHAIN, {"owner": owner, "kind": kind, "id": object_id})
    return [object_of(row) for row in rows]


def change(
    connection: Connection, key: ObjectKey, edit: Callable[[bytes], bytes], time: float, limits: ObjectLimits
) -> bool:
    found = find(connection, *key)
    if found is None:
        return False
    body = edit(found.body)
    connection.execute(
        "UPDATE object SET body = ?, size = ?, time = ? WHERE owner = ? AND id = ?",
        (body, len(body), time, found.owner, found.id),
    )
    _prune(connection, found.owner, limits)
    return True


def delete(connection: Connection, owner: str, kind: str, object_id: str) -> bool:
    deleted = connection.execute("DELETE FROM object WHERE owner = ? AND id = ? AND kind = ?", (owner, object_id, kind))
    return deleted.rowcount > 0


def _prune(connection: Connection, owner: str, limits: ObjectLimits) -> None:
    bounds = {"most": limits.most, "most_bytes": limits.most_bytes, "since": limits.since}
    connection.execute(_PRUNE, {"owner": owner, **bounds})
