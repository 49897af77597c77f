"""The questions that the SQLite store asks its database. Each runs on a connection lent by `Readers`."""

from sqlite3 import Connection

import msgspec

from toolpost.types.errors import SessionNotFound
from toolpost.types.events import Event
from toolpost.types.messages import Message, message_decoder

from .contract import Approval, Exchange, Hit, Noticed, SessionInfo
from .reading import (
    Key,
    Page,
    Row,
    check_branch,
    decode,
    decode_events,
    exchange_decoder,
    info_decoder,
    page,
)
from .search import Needle, like_pattern, like_patterns
from .shared import no_message


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


def sessions(connection: Connection, folder: str | None, query: str, before: Key) -> Page[SessionInfo]:
    rows = connection.execute(
        "SELECT updated, key, info FROM session WHERE (updated, key) < (?, ?) AND (? IS NULL OR folder = ?)"
        " AND title LIKE ? ESCAPE '!' ORDER BY updated DESC, key DESC",
        (*before, folder, folder, like_pattern(query)),
    )
    return page(rows, 2, lambda row: [decode(info_decoder, row[-1], "a session")])


_SEARCH = """
SELECT m.time, m.pos, session.id, m.body FROM message AS m JOIN session ON session.key = m.session
WHERE {scope} AND (m.body LIKE ? ESCAPE '!' OR m.body LIKE ? ESCAPE '!')
ORDER BY {order}
"""


def search(connection: Connection, query: str, session_id: str | None, before: Key) -> Page[Hit]:
    """In one session by the order of making, over all sessions by time."""
    if not query:
        return [], None
    needle = Needle(query)
    if session_id is None:
        sql = _SEARCH.format(scope="(m.time, m.pos) < (?, ?)", order="m.time DESC, m.pos DESC")
        scope: Row = before
    else:
        sql = _SEARCH.format(scope="m.session = ? AND m.pos < ?", order="m.pos DESC")
        scope = (session_key(connection, session_id), before[1])
    rows = connection.execute(sql, (*scope, *like_patterns(query)))

    def hits(row: Row) -> list[Hit]:
        found = decode(message_decoder, row[-1], "a message")
        hit = needle.hit(row[2].decode(), found)
        return [] if hit is None else [hit]

    return page(rows, 2, hits)


def approvals(connection: Connection, project: str | None) -> list[Approval]:
    rows = connection.execute(
        "SELECT id, project, permission, pattern, time FROM approval WHERE ? IS NULL OR project = ? ORDER BY time, id",
        (project, project),
    )
    return [Approval(*(text.decode() for text in row[:4]), time=row[4]) for row in rows]


Batch = tuple[int, int, int]
NO_BATCH: Batch = (0, 0, 0)


def new_batches(connection: Connection, seen: Batch) -> tuple[list[Noticed], Batch]:
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
        return [Noticed(None)], last_batch(connection)
    new = rows if seen == NO_BATCH else rows[1:]
    last = {row[3].decode(): row[2] for row in new}
    return [Noticed(session_id, seq) for session_id, seq in last.items()], rows[-1][:3] if rows else seen


def last_batch(connection: Connection) -> Batch:
    row = connection.execute("SELECT rowid, session, last_seq FROM event_batch ORDER BY rowid DESC LIMIT 1").fetchone()
    return row or NO_BATCH
