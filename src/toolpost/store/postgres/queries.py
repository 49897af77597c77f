"""The queries of the PostgreSQL store. Each runs on a connection from the `PostgresPool`."""

from collections.abc import Callable, Collection
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from toolpost.store.contract import Approval, Exchange, SessionHit, SessionInfo, no_message
from toolpost.store.rows import (
    APPROVAL_COLUMNS,
    PAGE_BYTES,
    PAGE_ROWS,
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

from .connection import without_nul
from .lease import ALIVE, IS_NEW

# Of a session, and the worker that its row names with its beat and whether it is alive, who holds it.
FindHolder = Callable[[str, int, int, bool], Holder | None]


def info(connection: Connection, session_id: str) -> SessionInfo:
    """The info of a session. Its `seq` is never less than that of its last event, whatever was committed with that."""
    rows = _ask(
        connection,
        "SELECT (SELECT max(last_seq) FROM event_batch WHERE session = id), body FROM session WHERE id = %s",
        (session_id,),
    )
    if not rows:
        raise SessionNotFound(session_id)
    last_seq, body = rows[0]
    found = decode(info_decoder, body, f"session {session_id}")
    return msgspec.structs.replace(found, seq=max(found.seq, last_seq or 0))


def message(connection: Connection, session_id: str, message_id: str) -> Message:
    rows = _ask(connection, "SELECT body FROM message WHERE session = %s AND id = %s", (session_id, message_id))
    if not rows:
        _check_session(connection, session_id)
        raise no_message(session_id, message_id)
    return decode(message_decoder, rows[0][0], f"message {message_id}")


# LATERAL with a LIMIT is a look at an index for each step: a planner that knows the table badly would join it whole.
_BRANCH = """
WITH RECURSIVE path (depth, pos, id, parent_id, stop) AS (
    SELECT 0, pos, id, parent_id, keeps_from FROM message WHERE session = %(session)s AND id = %(head)s
    UNION ALL
    SELECT path.depth + 1, m.pos, m.id, m.parent_id, coalesce(path.stop, m.keeps_from)
    FROM path CROSS JOIN LATERAL (
        SELECT pos, id, parent_id, keeps_from FROM message WHERE session = %(session)s AND id = path.parent_id LIMIT 1
    ) AS m
    WHERE path.stop IS NULL OR path.stop <> path.id
)
SELECT m.body FROM path CROSS JOIN LATERAL (SELECT body FROM message WHERE pos = path.pos LIMIT 1) AS m
ORDER BY path.depth DESC
"""


def branch(connection: Connection, session_id: str, head: str | None) -> list[Message]:
    rows = _ask(connection, _BRANCH, {"session": session_id, "head": head})
    if not rows:
        _check_session(connection, session_id)
    found = [decode(message_decoder, body, f"a message of session {session_id}") for (body,) in rows]
    check_branch(session_id, head, found)
    return found


_LAST_MESSAGES = """
WITH RECURSIVE path (depth, pos, parent_id) AS (
    SELECT 1, pos, parent_id FROM message WHERE session = %(session)s AND id = %(head)s
    UNION ALL
    SELECT path.depth + 1, m.pos, m.parent_id
    FROM path CROSS JOIN LATERAL (
        SELECT pos, parent_id FROM message WHERE session = %(session)s AND id = path.parent_id LIMIT 1
    ) AS m
    WHERE path.depth < %(limit)s
)
SELECT m.body FROM path CROSS JOIN LATERAL (SELECT body FROM message WHERE pos = path.pos LIMIT 1) AS m
ORDER BY path.depth DESC
"""


def last_messages(connection: Connection, session_id: str, head: str | None, limit: int) -> list[Message]:
    rows = _ask(connection, _LAST_MESSAGES, {"session": session_id, "head": head, "limit": limit})
    if not rows:
        _check_session(connection, session_id)
    found = [decode(message_decoder, body, f"a message of session {session_id}") for (body,) in rows]
    check_last_messages(session_id, head, found, limit)
    return found


def messages(connection: Connection, session_id: str, after: Key) -> Page[Message]:
    rows = _page_of_session(connection, "message", "pos", session_id, after)
    return page(rows, 1, lambda row: [decode(message_decoder, row[-1], f"a message of session {session_id}")])


def events(connection: Connection, session_id: str, after: Key) -> Page[Event]:
    rows = _page_of_session(connection, "event_batch", "last_seq", session_id, after)
    return page(rows, 1, lambda row: [event for event in decode_events(row[-1]) if event.seq > after[0]])


def exchanges(connection: Connection, session_id: str, after: Key) -> Page[Exchange]:
    rows = _page_of_session(connection, "exchange", "pos", session_id, after)
    return page(rows, 1, lambda row: [decode(exchange_decoder, row[-1], f"an exchange of session {session_id}")])


_SESSIONS = """
session WHERE (updated, key) < (%(updated)s, %(key)s) AND (%(folder)s::text IS NULL OR folder = %(folder)s)
AND title COLLATE "C" ILIKE %(title)s ESCAPE '!'
"""
_OWN = " AND owner = %(owner)s"


def sessions(
    connection: Connection, folder: str | None, owner: str | None, query: str, before: Key
) -> Page[SessionInfo]:
    wanted = {
        "owner": owner,
        "updated": before[0],
        "key": int(before[1]),
        "folder": None if folder is None else without_nul(folder),
        "title": like_pattern(without_nul(query)),
    }
    needle = Needle(query)

    def matching(row: Row) -> list[SessionInfo]:
        found = decode(info_decoder, row[-1], "a session")
        return [found] if needle.matches(found.title) else []

    source = _SESSIONS if owner is None else _SESSIONS + _OWN
    return page(_page_rows(connection, "updated, key, body", source, "updated DESC, key DESC", wanted), 2, matching)


_LIKE = "(body COLLATE \"C\" ILIKE %(inside)s ESCAPE '!' OR body COLLATE \"C\" ILIKE %(itself)s ESCAPE '!')"
_IN_ALL = "message WHERE (time, pos) < (%(time)s, %(pos)s) AND " + _LIKE
_IN_OWN = _IN_ALL + " AND session IN (SELECT id FROM session WHERE owner = %(owner)s)"
_IN_ONE = "message WHERE session = %(session)s AND pos < %(pos)s AND " + _LIKE


def search(
    connection: Connection, query: str, session_id: str | None, owner: str | None, before: Key
) -> Page[SessionHit]:
    """Order hits by creation in one session, by time over all sessions."""
    if not query:
        return [], None
    inside, itself = map(without_nul, like_patterns(query))
    wanted = {"inside": inside, "itself": itself, "session": session_id, "owner": owner}
    wanted |= {"time": before[0], "pos": int(before[1])}
    columns = "time, pos, session, body"
    if session_id is None:
        rows = _page_rows(connection, columns, _IN_ALL if owner is None else _IN_OWN, "time DESC, pos DESC", wanted)
    else:
        _check_session(connection, session_id, owner)
        rows = _page_rows(connection, columns, _IN_ONE, "pos DESC", wanted)
    needle = Needle(query)

    def hits(row: Row) -> list[SessionHit]:
        hit = needle.hit(row[2].decode(), decode(message_decoder, row[-1], "a message"))
        return [] if hit is None else [hit]

    return page(rows, 2, hits)


def open_run(connection: Connection, session_id: str) -> RunRecord | None:
    rows = _ask(connection, "SELECT body, files FROM open_run WHERE session = %s", (session_id,))
    if not rows:
        _check_session(connection, session_id)
        return None
    return run_of(session_id, *rows[0])


def holder(connection: Connection, session_id: str, find: FindHolder) -> Holder | None:
    rows = _ask(
        connection,
        f"SELECT lease.worker, coalesce(beat, 0), lease.worker IN ({ALIVE}) OR {IS_NEW}"
        " FROM lease LEFT JOIN worker ON worker.id = lease.worker WHERE session = %s",
        (session_id,),
    )
    if not rows:
        _check_session(connection, session_id)
        return None
    return find(session_id, *rows[0])


# A condition of its own for each: with "or there is none" the server would not look at the index of states.
_OPEN_RUNS: LiteralString = f"""(
    SELECT r.began, s.key, s.id, l.worker, coalesce(w.beat, 0) AS beat, l.worker IN ({ALIVE}) OR {IS_NEW} AS is_alive,
        s.body AS info, r.body
    FROM open_run AS r JOIN session AS s ON s.id = r.session
    LEFT JOIN lease AS l ON l.session = s.id LEFT JOIN worker AS w ON w.id = l.worker
    WHERE (r.began, s.key) > (%(began)s, %(key)s)
"""
_WANTED: dict[str, LiteralString] = {
    "states": " AND r.state = ANY(%(states)s)",
    "owner": " AND s.owner = %(owner)s",
    "folder": " AND s.folder = %(folder)s",
}


def open_runs(
    connection: Connection,
    states: Collection[str],
    owner: str | None,
    folder: str | None,
    find: FindHolder,
    after: Key,
) -> Page[OpenRun]:
    given: dict[str, Any] = {
        "states": list(states) or None,
        "owner": owner,
        "folder": None if folder is None else without_nul(folder),
    }
    conditions: list[LiteralString] = [sql for name, sql in _WANTED.items() if given[name] is not None]
    source: LiteralString = _OPEN_RUNS + "".join(conditions) + ") AS runs"
    wanted = given | {"began": after[0], "key": int(after[1])}
    columns = "began, key, id, worker, beat, is_alive, info, body"

    def found(row: Row) -> list[OpenRun]:
        _, _, session_id, number, beat, is_alive, info, body = row
        held = None if number is None else find(session_id.decode(), number, beat, is_alive)
        return open_runs_of(info, body, held)

    return page(_page_rows(connection, columns, source, "began, key", wanted), 2, found)


def approvals(connection: Connection, project: str | None, owner: str | None) -> list[Approval]:
    rows = _ask(
        connection,
        f"SELECT {APPROVAL_COLUMNS} FROM approval"
        " WHERE (%(project)s::text IS NULL OR project = %(project)s)"
        " AND (%(owner)s::text IS NULL OR owner = %(owner)s) ORDER BY time, id",
        {"project": project, "owner": owner},
    )
    return [approval_of(row) for row in rows]


# The rows of a page, as many as fit into its size: their bodies leave the server only then.
_PAGE: LiteralString = """
SELECT {columns} FROM (
    SELECT {columns}, sum(octet_length(body)) OVER (ORDER BY {order} ROWS UNBOUNDED PRECEDING) AS size
    FROM (SELECT {columns} FROM {source} ORDER BY {order} LIMIT %(page_rows)s) AS found
) AS page
WHERE size - octet_length(body) < %(page_bytes)s ORDER BY {order}
"""


def _page_rows(
    connection: Connection, columns: LiteralString, source: LiteralString, order: LiteralString, wanted: dict[str, Any]
) -> list[Row]:
    query = _PAGE.format(columns=columns, source=source, order=order)
    return _ask(connection, query, wanted | {"page_rows": PAGE_ROWS, "page_bytes": PAGE_BYTES})


def _page_of_session(
    connection: Connection, table: LiteralString, key: LiteralString, session_id: str, after: Key
) -> list[Row]:
    source = table + " WHERE session = %(session)s AND " + key + " > %(after)s"
    found = _page_rows(connection, key + ", body", source, key, {"session": session_id, "after": int(after[0])})
    if not found:
        _check_session(connection, session_id)
    return found


def _check_session(connection: Connection, session_id: str, owner: str | None = None) -> None:
    """Raise if it is not there, or not the owner's: to everybody else it is not there."""
    rows = _ask(connection, "SELECT owner FROM session WHERE id = %s", (session_id,))
    if not rows or (owner is not None and rows[0][0].decode() != owner):
        raise SessionNotFound(session_id)


def _ask(connection: Connection, query: LiteralString, wanted: tuple[Any, ...] | dict[str, Any]) -> list[Row]:
    return connection.execute(query, wanted, binary=True).fetchall()
