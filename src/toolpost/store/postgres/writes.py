"""The writes of the PostgreSQL store, each the `Work` of a transaction.

Commits travel in a pipeline: their statements are sent together, and what each returns is looked at when all are done.
Every change of a session locks its row first, so changes of one session never interleave.
"""

import contextlib
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, LiteralString

import msgspec
import psycopg
from msgspec import UNSET, UnsetType
from psycopg import Connection, Cursor, sql
from psycopg.rows import TupleRow

from toolpost.store.contract import (
    Approval,
    SessionChanges,
    SessionInfo,
    Signal,
    already_there,
    event_taken,
    keeps_from,
    no_message,
)
from toolpost.store.rows import Row, decode_events, packed, run_columns, unbroken_runs
from toolpost.store.run_records import RunRecord
from toolpost.store.session_document import DocumentReader
from toolpost.store.worker import StoreWorker, Upkeep
from toolpost.store.writer import WriteJob
from toolpost.types.errors import SessionNotFound, SessionTakenOver, StoreError
from toolpost.types.events import Event, event_encoder
from toolpost.types.ids import new_id
from toolpost.types.messages import Message, message_encoder

from .connection import PostgresServer, without_nul
from .lease import come_alive, forget, write_upkeep
from .notices import notice_text, signal_text
from .reconnecting import ReconnectingConnection, Work

COPY_BYTES = 1024 * 1024
# How long a lost connection may go unnoticed by a worker that holds nothing and writes nothing.
CHECK_SECONDS = 5.0
# So many commits that are not flushed are kept, to be written again.
MAX_UNFLUSHED = 200


def create(info: SessionInfo) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        return _insert_session(connection, info)

    return work


def update(info: SessionInfo) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        updated = _put_info(connection, info)

        def finish() -> None:
            if updated.rowcount == 0:
                raise SessionNotFound(info.id)

        return finish

    return work


class SessionCommit:
    """The `Work` of a commit. Refused where another worker took the session last: it took it over from us, or we never
    had it.

    `again` if nobody could tell whether an earlier commit took place: what is there already may be from that one.
    """

    def __init__(self, changes: SessionChanges, worker: int, channel: str, *, again: bool = False) -> None:
        self._again = again
        self._changes = changes
        self._worker = worker
        self._channel = channel

    def __call__(self, connection: Connection) -> Callable[[], None]:
        changes, session_id, channel = self._changes, self._changes.session_id, self._channel
        held = _lock(connection, session_id) if changes.info is None else _put_info(connection, changes.info)
        _put_messages(connection, session_id, changes.messages)
        runs = [(run, _put_events(connection, session_id, run, channel)) for run in unbroken_runs(changes.events)]
        _put_exchanges(connection, changes)
        _put_run(connection, session_id, changes.run)

        def finish() -> None:
            _check_worker(session_id, held.fetchone(), self._worker)
            for run, put in runs:
                if put.rowcount == 0:
                    _put_the_rest(connection, session_id, run, channel, self._again)

        return finish

    def took_place(self, connection: Connection) -> bool:
        """Whether its events are there, and with them all that came along."""
        if not self._changes.events:
            return False
        place = (self._changes.session_id, self._changes.events[-1].seq)
        found = connection.execute("SELECT 1 FROM event_batch WHERE session = %s AND last_seq >= %s LIMIT 1", place)
        return found.fetchone() is not None


def fork(session_id: str, at: str | None, info: SessionInfo) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        if _lock(connection, session_id).fetchone() is None:
            raise SessionNotFound(session_id)
        _insert_session(connection, info)()
        if at is not None:
            connection.execute(_FORK, {"source": session_id, "at": at, "copy": info.id})
            _check_fork(connection, session_id, at, info.id)
        return _nothing

    return work


def delete(session_id: str) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        if connection.execute("DELETE FROM session WHERE id = %s", (session_id,)).rowcount == 0:
            raise SessionNotFound(session_id)
        for table in _OF_SESSIONS:
            connection.execute(sql.SQL("DELETE FROM {} WHERE session = %s").format(table), (session_id,))
        return _nothing

    return work


def restore(source: BinaryIO, owner: str | None) -> Work[SessionInfo]:
    """Read the document from its start: it may have to be done twice."""

    def work(connection: Connection) -> Callable[[], SessionInfo]:
        source.seek(0)
        document = DocumentReader(source, owner)
        info = document.info
        if connection.execute("SELECT 1 FROM session WHERE id = %s", (info.id,)).fetchone() is not None:
            info = msgspec.structs.replace(info, id=new_id("ses"))
        _insert_session(connection, info)()
        messages = (_message_row(info.id, message) for message in document.messages())
        copy_rows(connection, "COPY message (session, id, parent_id, keeps_from, time, body) FROM STDIN", messages)
        events = ((info.id, *row) for row in packed(document.events(), info.id))
        copy_rows(connection, "COPY event_batch (session, first_seq, last_seq, body) FROM STDIN", events)
        return lambda: info

    return work


def approve(approvals: Sequence[Approval]) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        for one in approvals:
            what = (one.id, one.owner, one.project, one.permission, one.pattern)
            connection.execute(
                "DELETE FROM approval"
                " WHERE id = %s OR (owner = %s AND project = %s AND permission = %s AND pattern = %s)",
                what,
            )
            connection.execute(
                "INSERT INTO approval (id, owner, project, permission, pattern, time, fingerprint, described)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
                (*what, one.time, one.fingerprint, one.described),
            )
        return _nothing

    return work


def revoke(approval_id: str) -> Work[bool]:
    def work(connection: Connection) -> Callable[[], bool]:
        deleted = connection.execute("DELETE FROM approval WHERE id = %s", (approval_id,))
        return lambda: deleted.rowcount > 0

    return work


def signal(told: Signal, channel: str) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        connection.execute("SELECT pg_notify(%s, %s)", (channel, signal_text(told)))
        return _nothing

    return work


def copy_rows(connection: Connection, statement: LiteralString | sql.Composed, rows: Iterator[Row]) -> None:
    """In pieces, each taken by the server before the next begins: the driver would hold all that is not taken yet."""
    for first in rows:
        size = 0
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in itertools.chain([first], rows):
                copy.write_row(row)
                size += sum(len(value) for value in row if isinstance(value, str | bytes))
                if size >= COPY_BYTES:
                    break


_OF_SESSIONS = tuple(map(sql.Identifier, ("message", "event_batch", "exchange", "open_run", "lease")))

# See `_BRANCH` for the joins.
_FORK = """
WITH RECURSIVE path (depth, pos, parent_id) AS (
    SELECT 0, pos, parent_id FROM message WHERE session = %(source)s AND id = %(at)s
    UNION ALL
    SELECT path.depth + 1, m.pos, m.parent_id
    FROM path CROSS JOIN LATERAL (
        SELECT pos, parent_id FROM message WHERE session = %(source)s AND id = path.parent_id LIMIT 1
    ) AS m
)
INSERT INTO message (session, id, parent_id, keeps_from, time, body)
SELECT %(copy)s, m.id, m.parent_id, m.keeps_from, m.time, m.body
FROM path CROSS JOIN LATERAL (SELECT * FROM message WHERE pos = path.pos LIMIT 1) AS m
ORDER BY path.depth DESC
"""

_encoder = msgspec.json.Encoder()


def _nothing() -> None:
    return None


def _lock(connection: Connection, session_id: str) -> Cursor[TupleRow]:
    return connection.execute("SELECT worker FROM session WHERE id = %s FOR NO KEY UPDATE", (session_id,))


def _check_worker(session_id: str, row: TupleRow | None, worker: int) -> None:
    """Raise if the session is not there, or if another worker took it last, whether that still has it or not."""
    if row is None:
        raise SessionNotFound(session_id)
    if row[0] not in (None, worker):
        raise SessionTakenOver(session_id)


def _insert_session(connection: Connection, info: SessionInfo) -> Callable[[], None]:
    inserted = connection.execute(
        "INSERT INTO session (id, title, folder, owner, updated, body) VALUES (%s, %s, %s, %s, %s, %s)"
        " ON CONFLICT DO NOTHING",
        (info.id, *_info_columns(info)),
    )

    def finish() -> None:
        if inserted.rowcount == 0:
            raise already_there(info.id)

    return finish


def _put_info(connection: Connection, info: SessionInfo) -> Cursor[TupleRow]:
    return connection.execute(
        "UPDATE session SET title = %s, folder = %s, owner = %s, updated = %s, body = %s WHERE id = %s"
        " RETURNING worker",
        (*_info_columns(info), info.id),
    )


def _info_columns(info: SessionInfo) -> tuple[str, str, str, float, str]:
    body = _encoder.encode(info).decode()
    return without_nul(info.title), without_nul(info.folder), info.owner, info.updated, body


def _put_messages(connection: Connection, session_id: str, messages: Sequence[Message]) -> None:
    """Insert them, or put them in the place of what has their ids."""
    for message in messages:
        connection.execute(
            "INSERT INTO message (session, id, parent_id, keeps_from, time, body) VALUES (%s, %s, %s, %s, %s, %s)"
            " ON CONFLICT (session, id) DO UPDATE SET parent_id = excluded.parent_id,"
            " keeps_from = excluded.keeps_from, time = excluded.time, body = excluded.body",
            _message_row(session_id, message),
        )


def _message_row(session_id: str, message: Message) -> tuple[str, str, str | None, str | None, float, str]:
    body = message_encoder.encode(message).decode()
    return session_id, message.id, message.parent_id, keeps_from(message), message.time, body


def _put_events(connection: Connection, session_id: str, run: Sequence[Event], channel: str) -> Cursor[TupleRow]:
    """Insert them if none of their numbers is taken.

    Followers are told with the commit: they hear of it when it is there, and not if it fails.
    """
    first, last = run[0].seq, run[-1].seq
    told = notice_text(session_id, last)
    return connection.execute(
        "INSERT INTO event_batch (session, first_seq, last_seq, body) SELECT %s, %s, %s, %b WHERE NOT EXISTS"
        " (SELECT 1 FROM event_batch WHERE session = %s AND last_seq >= %s AND first_seq <= %s)"
        " RETURNING pg_notify(%s, %s)",
        (session_id, first, last, event_encoder.encode_lines(run), session_id, first, last, channel, told),
    )


def _put_the_rest(connection: Connection, session_id: str, run: Sequence[Event], channel: str, again: bool) -> None:
    """Some numbers are taken: if they may be, by the very same events, then put the others only."""
    rows = connection.execute(
        "SELECT body FROM event_batch WHERE session = %s AND last_seq >= %s AND first_seq <= %s",
        (session_id, run[0].seq, run[-1].seq),
    )
    kept = {event.seq: event for (body,) in rows for event in decode_events(bytes(body))}
    for event in run:
        if event.seq in kept and not (again and kept[event.seq] == event):
            raise event_taken(session_id, event.seq)
    for left in unbroken_runs([event for event in run if event.seq not in kept]):
        if _put_events(connection, session_id, left, channel).rowcount == 0:
            raise event_taken(session_id, left[0].seq)


def _put_exchanges(connection: Connection, changes: SessionChanges) -> None:
    for exchange in changes.exchanges:
        connection.execute(
            "INSERT INTO exchange (session, body) VALUES (%s, %s)",
            (changes.session_id, _encoder.encode(exchange).decode()),
        )


def _put_run(connection: Connection, session_id: str, run: RunRecord | UnsetType | None) -> None:
    if run is UNSET:
        return
    if run is None:
        connection.execute("DELETE FROM open_run WHERE session = %s", (session_id,))
    else:
        connection.execute(
            "INSERT INTO open_run (session, state, began, body, files) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (session) DO UPDATE SET state = excluded.state, began = excluded.began, body = excluded.body,"
            " files = excluded.files",
            (session_id, run.state, run.began, *map(bytes.decode, run_columns(run))),
        )


def _check_fork(connection: Connection, session_id: str, at: str, copy: str) -> None:
    """Raise if the path does not reach a root."""
    root = connection.execute(
        "SELECT parent_id FROM message WHERE session = %s ORDER BY pos LIMIT 1", (copy,)
    ).fetchone()
    if root is None:
        raise no_message(session_id, at)
    if root[0] is not None:
        raise no_message(session_id, root[0].decode())


class PostgresTransactions:
    """Write a batch of jobs as one transaction, in one pipeline. A job is the `Work` of a transaction.

    One transaction for all that waits matters here even more than one sync: the server lets only one transaction that
    notifies commit at a time. The connection that writes carries the life of the worker.
    """

    def __init__(self, link: PostgresServer, worker: StoreWorker) -> None:
        self._link = link
        self._worker = worker
        self._connected = ReconnectingConnection(link, self._come_alive)
        self._checked = time.monotonic()
        # What the server may lose if it crashes.
        self._unflushed: list[SessionCommit] = []

    def transact(self, jobs: Sequence[WriteJob]) -> None:
        barrier = any(job.barrier for job in jobs) or len(self._unflushed) >= MAX_UNFLUSHED
        results = self._transact([job.write for job in jobs], barrier=barrier)
        if barrier:
            # A flush covers all that was committed before.
            self._unflushed.clear()
        else:
            self._unflushed += [job.write for job in jobs if isinstance(job.write, SessionCommit)]
        for job, result in zip(jobs, results, strict=True):
            job.result = result

    def explain(self, error: Exception) -> StoreError:
        return self._link.explain(error)

    def upkeep_in(self) -> float | None:
        due = self._worker.due_in()
        # Without a lease there is no beat, but the lost connection of an idle worker is opened again.
        return max(0.0, self._checked + CHECK_SECONDS - time.monotonic()) if due is None else due

    def upkeep(self) -> None:
        self._checked = time.monotonic()
        try:
            if self._worker.due_in() is not None:
                self._transact([], barrier=False, patient=False)
            else:
                self._connected.check()
        except (psycopg.Error, StoreError):
            self._worker.postpone()

    def close(self) -> None:
        """The worker ends here: what it still holds is free."""
        self._worker.end()
        if self._worker.is_known and self._connected.is_open:
            with contextlib.suppress(psycopg.Error, StoreError):
                self._transact([forget(self._worker.number)], barrier=False, patient=False)
        self._connected.close()

    def _come_alive(self, connection: Connection) -> None:
        """Whenever it connects. The server may have crashed, and lost what it had not flushed: that is written again,
        unless another worker goes on with the session, or it is gone."""
        come_alive(connection, self._worker.number)
        for commit in self._unflushed:
            with contextlib.suppress(StoreError), connection.transaction():
                if not commit.took_place(connection):
                    commit(connection)()
        self._unflushed.clear()

    def _transact(self, works: Sequence[Work[Any]], *, barrier: bool, patient: bool = True) -> list[Any]:
        """What the worker has to write goes along, last: so a beat is as new as what it is written with."""
        upkeep: Upkeep | None = None

        def work(connection: Connection) -> Callable[[], tuple[list[Any], list[str]]]:
            nonlocal upkeep
            finishes = [begin(connection) for begin in works]
            upkeep = upkeep or self._worker.upkeep()
            named = list[str] if upkeep is None else write_upkeep(connection, self._worker.number, upkeep)
            return lambda: ([finish() for finish in finishes], named())

        try:
            results, named = self._connected.transact(work, barrier=barrier, pipeline=True, patient=patient)
        except BaseException:
            if upkeep is not None:
                self._worker.put_back(upkeep)
            raise
        self._checked = time.monotonic()
        if upkeep is not None:
            self._worker.upkept(upkeep, named)
        return results
