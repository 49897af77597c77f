"""The queries of the SQLite store. Each runs on a connection from `SqliteReaders`."""

from collections.abc import Callable, Collection
from sqlite3 import Connection

import msgspec

from toolpost.store.contract import Approval, EventNotice, Exchange, SessionHit, SessionInfo, no_message
from toolpost.store.rows import (
    APPROVAL_COLUMNS,
    Key,
    Page,
    Row,
    approval_of,
    check_branch,
    check_last_messages,
    decode,
    decode_events,
    exchange_decoder,
    info_decoder,
    open_runs_of,
    page,
    run_of,
)
from toolpost.store.run_records import Holder, OpenRun, RunRecord
from toolpost.store.search import Needle, like_pattern, like_patterns
from toolpost.types.errors import SessionNotFound
from toolpost.types.events import Event
from toolpost.types.messages import Message, message_decoder

# Of a session, and the worker that its row names with its beat, who holds it.
FindHolder = Callable[[str, int, int], Holder | None]


def session_key(connection: Connection, session_id: str) -> int:
    row = connection.execute("SELECT key FROM session WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise SessionNotFound(session_id)
    return int(row[0])


def last_seq(connection: Connection, session: int) -> int:
    row = connection.execute("SELECT max(last_seq) FROM event_batch WHERE session = ?", (session,)).fetchone()
    return int(row[0] or 0)


def info(connection: Connection, session_id: str) -> SessionInfo:
    """The info of a session. Its `seq` is never less than that of its last event, whatever was committed with that."""
    key = session_key(connection, session_id)
    (body,) = connection.execute("SELECT info FROM session WHERE key = ?", (key,)).fetchone()
    found = decode(info_decoder, body, f"session {session_id}")
    return msgspec.structs.replace(found, seq=max(found.seq, last_seq(connection, key)))


def message(connection: Connection, session_id: str, message_id: str) -> Message:
    key = session_key(connection, session_id)
    row = connection.execute("SELECT body FROM message WHERE session = ? AND id = ?", (key, message_id)).fetchone()
    if row is None:
        raise no_message(session_id, message_id)
    return decode(message_decoder, row[0], f"message {message_id}")


_BRANCH = """
WITH RECURSIVE path (depth, pos, id, parent_id, stop) AS (
    SELECT 0, pos, id, parent_id, keeps_from FROM message WHERE session = :session AND id = :head
    UNION ALL
    SELECT path.depth + 1, m.pos, m.id, m.parent_id, coalesce(path.stop, m.keeps_from)
    FROM path JOIN message AS m ON m.session = :session AND m.id = path.parent_id
    WHERE path.stop IS NULL OR path.stop <> path.id
)
SELECT m.body FROM path JOIN message AS m ON m.pos = path.pos ORDER BY path.depth DESC
"""


def branch(connection: Connection, session_id: str, head: str | None) -> list[Message]:
    key = session_key(connection, session_id)
    rows = connection.execute(_BRANCH, {"session": key, "head": head}).fetchall()
    found = [decode(message_decoder, body, f"a message of session {session_id}") for (body,) in rows]
    check_branch(session_id, head, found)
    return found


_LAST_MESSAGES = """
WITH RECURSIVE path (depth, pos, parent_id) AS (
    SELECT 1, pos, parent_id FROM message WHERE session = :session AND id = :head
    UNION ALL
    SELECT path.depth + 1, m.pos, m.parent_id
    FROM path JOIN message AS m ON m.session = :session AND m.id = path.parent_id
    WHERE path.depth < :limit
)
SELECT m.body FROM path JOIN message AS m ON m.pos = path.pos ORDER BY path.depth DESC
"""


def last_messages(connection: Connection, session_id: str, head: str | None, limit: int) -> list[Message]:
    key = session_key(connection, session_id)
    rows = connection.execute(_LAST_MESSAGES, {"session": key, "head": head, "limit": limit}).fetchall()
    found = [decode(message_decoder, body, f"a message of session {session_id}") for (body,) in rows]
    check_last_messages(session_id, head, found, limit)
    return found


def messages(connection: Connection, session_id: str, after: Key) -> Page[Message]:
    rows = connection.execute(
        "SELECT pos, body FROM message WHERE session = ? AND pos > ? ORDER BY pos",
        (session_key(connection, session_id), *after),
    )
    return page(rows, 1, lambda row: [decode(message_decoder, row[-1], f"a message of session {session_id}")])


def events(connection: Connection, session_id: str, after: Key) -> Page[Event]:
    rows = connection.execute(
        "SELECT last_seq, events FROM event_batch WHERE session = ? AND last_seq > ? ORDER BY last_seq",
        (session_key(connection, session_id), *after),
    )
    return page(rows, 1, lambda row: [event for event in decode_events(row[-1]) if event.seq > after[0]])


def exchanges(connection: Connection, session_id: str, after: Key) -> Page[Exchange]:
    rows = connection.execute(
        "SELECT pos, body FROM exchange WHERE session = ? AND pos > ? ORDER BY pos",
        (session_key(connection, session_id), *after),
    )
    return page(rows, 1, lambda row: [decode(exchange_decoder, row[-1], f"an exchange of session {session_id}")])


def sessions(
    connection: Connection, folder: str | None, owner: str | None, query: str, before: Key
) -> Page[SessionInfo]:
    # A condition of its own for each: with "or there is none" SQLite would not look at the index of owners.
    wanted, values = _equal(folder=folder, owner=owner)
    rows = connection.execute(
        f"SELECT updated, key, info FROM session WHERE {wanted} (updated, key) < (?, ?)"
        " AND title LIKE ? ESCAPE '!' ORDER BY updated DESC, key DESC",
        (*values, *before, like_pattern(query)),
    )
    return page(rows, 2, lambda row: [decode(info_decoder, row[-1], "a session")])


_SEARCH = """
SELECT m.time, m.pos, session.id, m.body FROM message AS m JOIN session ON session.key = m.session
WHERE {scope} AND (m.body LIKE ? ESCAPE '!' OR m.body LIKE ? ESCAPE '!')
ORDER BY {order}
"""


def search(
    connection: Connection, query: str, session_id: str | None, owner: str | None, before: Key
) -> Page[SessionHit]:
    """Order hits by creation in one session, by time over all sessions."""
    if not query:
        return [], None
    needle = Needle(query)
    if session_id is None:
        wanted, values = _equal(owner=owner)
        # With a sign before it the owner is not looked up first: the newest hits come without all others being sorted.
        own = wanted.replace("owner", "+owner")
        sql = _SEARCH.format(scope=f"{own} (m.time, m.pos) < (?, ?)", order="m.time DESC, m.pos DESC")
        scope: Row = (*values, *before)
    else:
        sql = _SEARCH.format(scope="m.session = ? AND m.pos < ?", order="m.pos DESC")
        scope = (_key_of_own(connection, session_id, owner), before[1])
    rows = connection.execute(sql, (*scope, *like_patterns(query)))

    def hits(row: Row) -> list[SessionHit]:
        found = decode(message_decoder, row[-1], "a message")
        hit = needle.hit(row[2].decode(), found)
        return [] if hit is None else [hit]

    return page(rows, 2, hits)


def open_run(connection: Connection, session_id: str) -> RunRecord | None:
    key = session_key(connection, session_id)
    row = connection.execute("SELECT body, files FROM open_run WHERE session = ?", (key,)).fetchone()
    return None if row is None else run_of(session_id, *row)


def holder(connection: Connection, session_id: str, find: FindHolder) -> Holder | None:
    session_key(connection, session_id)
    return leased_by(connection, session_id, find)


def leased_by(connection: Connection, session_id: str, find: FindHolder) -> Holder | None:
    row = connection.execute(
        "SELECT worker, coalesce(beat, 0) FROM lease LEFT JOIN worker ON id = worker WHERE session = ?", (session_id,)
    ).fetchone()
    return None if row is None else find(session_id, *row)


def open_runs(
    connection: Connection,
    states: Collection[str],
    owner: str | None,
    folder: str | None,
    find: FindHolder,
    after: Key,
) -> Page[OpenRun]:
    wanted, values = _equal(**{"s.owner": owner, "s.folder": folder})
    if states:
        wanted += f" r.state IN ({', '.join('?' * len(states))}) AND"
    rows = connection.execute(
        "SELECT r.began, r.session, s.id, lease.worker, coalesce(worker.beat, 0), s.info, r.body"
        " FROM open_run AS r CROSS JOIN session AS s ON s.key = r.session"
        " LEFT JOIN lease ON lease.session = s.id LEFT JOIN worker ON worker.id = lease.worker"
        f" WHERE {wanted} (r.began, r.session) > (?, ?) ORDER BY r.began, r.session",
        (*values, *states, *after),
    )

    def found(row: Row) -> list[OpenRun]:
        _, _, session_id, number, beat, info, body = row
        held = None if number is None else find(session_id.decode(), number, beat)
        return open_runs_of(info, body, held)

    return page(rows, 2, found)


def approvals(connection: Connection, project: str | None, owner: str | None) -> list[Approval]:
    wanted, values = _equal(project=project, owner=owner)
    rows = connection.execute(
        f"SELECT {APPROVAL_COLUMNS} FROM approval WHERE {wanted} true ORDER BY time, id",
        values,
    )
    return [approval_of(row) for row in rows]


Batch = tuple[int, int, int]
NO_BATCH: Batch = (0, 0, 0)


def new_batches(connection: Connection, seen: Batch) -> tuple[list[EventNotice], Batch]:
    """What was committed after the batch `seen`, and the batch that is now the last.

    A row's number is used again when the last rows were deleted: then `seen` itself is no longer what it was, and
    nobody can say what is new.
    """
    rows: list[Row] = connection.execute(
        "SELECT b.rowid, b.session, b.last_seq, session.id FROM event_batch AS b"
        " JOIN session ON session.key = b.session WHERE b.rowid >= ? ORDER BY b.rowid",
        (seen[0],),
    ).fetchall()
    if seen != NO_BATCH and (not rows or rows[0][:3] != seen):
        return [EventNotice(None)], last_batch(connection)
    new = rows if seen == NO_BATCH else rows[1:]
    last = {row[3].decode(): row[2] for row in new}
    return [EventNotice(session_id, seq) for session_id, seq in last.items()], rows[-1][:3] if rows else seen


def last_batch(connection: Connection) -> Batch:
    row = connection.execute("SELECT rowid, session, last_seq FROM event_batch ORDER BY rowid DESC LIMIT 1").fetchone()
    return row or NO_BATCH


def _equal(**columns: str | None) -> tuple[str, tuple[str, ...]]:
    """Build the SQL conditions for the columns whose value is given."""
    wanted = {name: value for name, value in columns.items() if value is not None}
    return " ".join(f"{name} = ? AND" for name in wanted), tuple(wanted.values())


def _key_of_own(connection: Connection, session_id: str, owner: str | None) -> int:
    """The key of a session that is the owner's; to everybody else it is not there."""
    key = session_key(connection, session_id)
    wanted, values = _equal(owner=owner)
    if connection.execute(f"SELECT 1 FROM session WHERE {wanted} key = ?", (*values, key)).fetchone() is None:
        raise SessionNotFound(session_id)
    return key
