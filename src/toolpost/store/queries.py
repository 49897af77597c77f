"""The questions that the SQLite store asks its database. Each runs on a connection lent by `Readers`.

A long answer comes in pages. The first columns of its rows are the key where the next page begins, all numbers; the
last column is the body, by whose size a page is bounded.
"""

import math
from collections.abc import Callable, Iterable
from sqlite3 import Connection
from typing import Any, TypeVar

import msgspec

from toolpost.types.errors import SessionNotFound, StoreError
from toolpost.types.events import Event, event_decoder
from toolpost.types.messages import Message, message_decoder

from .contract import Approval, Exchange, Hit, SessionInfo
from .search import Needle, like_pattern, like_patterns
from .shared import keeps_from, no_message

T = TypeVar("T")

Row = tuple[Any, ...]
Key = tuple[float, ...]
Page = tuple[list[T], Key | None]

PAGE_ROWS = 256
PAGE_BYTES = 1024 * 1024

FIRST: Key = (-1,)
LATEST: Key = (math.inf, 2**63 - 1)


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
    found = _decode(_info_decoder, body, f"session {session_id}")
    return msgspec.structs.replace(found, seq=max(found.seq, last_seq(connection, key)))


def message(connection: Connection, session_id: str, message_id: str) -> Message:
    key = session_key(connection, session_id)
    row = connection.execute("SELECT body FROM message WHERE session = ? AND id = ?", (key, message_id)).fetchone()
    if row is None:
        raise no_message(session_id, message_id)
    return _decode(message_decoder, row[0], f"message {message_id}")


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
    found = [_decode(message_decoder, body, f"a message of session {session_id}") for (body,) in rows]
    missing = found[0].parent_id if found else head
    stop = next((stop for message in reversed(found) if (stop := keeps_from(message))), None)
    if missing is not None and (not found or found[0].id != stop):
        raise no_message(session_id, missing)
    return found


def messages(connection: Connection, session_id: str, after: Key) -> Page[Message]:
    rows = connection.execute(
        "SELECT pos, body FROM message WHERE session = ? AND pos > ? ORDER BY pos",
        (session_key(connection, session_id), *after),
    )
    return _page(rows, 1, lambda row: [_decode(message_decoder, row[-1], f"a message of session {session_id}")])


def events(connection: Connection, session_id: str, after: Key) -> Page[Event]:
    rows = connection.execute(
        "SELECT last_seq, events FROM event_batch WHERE session = ? AND last_seq > ? ORDER BY last_seq",
        (session_key(connection, session_id), *after),
    )
    return _page(rows, 1, lambda row: [event for event in _decode_events(row[-1]) if event.seq > after[0]])


def exchanges(connection: Connection, session_id: str, after: Key) -> Page[Exchange]:
    rows = connection.execute(
        "SELECT pos, body FROM exchange WHERE session = ? AND pos > ? ORDER BY pos",
        (session_key(connection, session_id), *after),
    )
    return _page(rows, 1, lambda row: [_decode(_exchange_decoder, row[-1], f"an exchange of session {session_id}")])


def sessions(connection: Connection, folder: str | None, query: str, before: Key) -> Page[SessionInfo]:
    rows = connection.execute(
        "SELECT updated, key, info FROM session WHERE (updated, key) < (?, ?) AND (? IS NULL OR folder = ?)"
        " AND title LIKE ? ESCAPE '!' ORDER BY updated DESC, key DESC",
        (*before, folder, folder, like_pattern(query)),
    )
    return _page(rows, 2, lambda row: [_decode(_info_decoder, row[-1], "a session")])


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
        found = _decode(message_decoder, row[-1], "a message")
        hit = needle.hit(row[2].decode(), found)
        return [] if hit is None else [hit]

    return _page(rows, 2, hits)


def approvals(connection: Connection, project: str | None) -> list[Approval]:
    rows = connection.execute(
        "SELECT id, project, permission, pattern, time FROM approval WHERE ? IS NULL OR project = ? ORDER BY time, id",
        (project, project),
    )
    return [Approval(*(text.decode() for text in row[:4]), time=row[4]) for row in rows]


_info_decoder = msgspec.json.Decoder(SessionInfo)
_exchange_decoder = msgspec.json.Decoder(Exchange)


def _page(rows: Iterable[Row], key_length: int, items_of: Callable[[Row], list[T]]) -> Page[T]:
    items: list[T] = []
    size = 0
    for count, row in enumerate(rows, start=1):
        items += items_of(row)
        size += len(row[-1])
        if size >= PAGE_BYTES or count >= PAGE_ROWS:
            return items, row[:key_length]
    return items, None


def _decode_events(lines: bytes) -> list[Event]:
    try:
        return event_decoder.decode_lines(lines)
    except msgspec.ValidationError:
        # Newer versions may add types of events: pass over those, and only those.
        known = [line for line in lines.splitlines() if msgspec.json.decode(line).get("type") in _EVENT_TYPES]
        return [_decode(event_decoder, line, "an event") for line in known]


def _decode(decoder: msgspec.json.Decoder[T], body: bytes, what: str) -> T:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"{what} cannot be read, it may come from a newer Toolpost: {error}") from error


_EVENT_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in Event.__args__)
