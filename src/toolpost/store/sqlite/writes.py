"""The writes of the SQLite store, and the transaction in which the writer thread runs a batch of them."""

import contextlib
import sqlite3
import time
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import BinaryIO

import msgspec
from msgspec import UNSET, UnsetType

from toolpost.store.contract import (
    Approval,
    Exchange,
    SessionChanges,
    SessionInfo,
    already_there,
    event_taken,
    keeps_from,
    no_message,
)
from toolpost.store.rows import packed, run_columns, unbroken_runs
from toolpost.store.run_records import RunRecord
from toolpost.store.session_document import DocumentReader
from toolpost.store.worker import StoreWorker, Upkeep
from toolpost.store.writer import WriteJob
from toolpost.types.errors import SessionNotFound, SessionTakenOver, StoreError
from toolpost.types.events import Event, event_encoder
from toolpost.types.ids import new_id
from toolpost.types.messages import Message, message_encoder

from .connection import BUSY_TIMEOUT_S, disk_full, explain, has_room, patiently
from .lease import WorkersOfFile, forget, write_upkeep
from .queries import session_key
from .schema import MIGRATIONS, check_database, open_database, user_version


def create(connection: Connection, info: SessionInfo) -> int:
    """Insert the session and return its key."""
    if _exists(connection, info.id):
        raise already_there(info.id)
    cursor = connection.execute(
        "INSERT INTO session (id, title, folder, owner, updated, info) VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT))",
        (info.id, info.title, info.folder, info.owner, info.updated, _encoder.encode(info)),
    )
    return int(cursor.lastrowid or 0)


def update(connection: Connection, info: SessionInfo) -> None:
    _put_info(connection, session_key(connection, info.id), info)


def commit(connection: Connection, changes: SessionChanges, worker: int) -> None:
    """Refused where another worker took the session last: it took it over from us, or we never had it."""
    row = connection.execute("SELECT key, worker FROM session WHERE id = ?", (changes.session_id,)).fetchone()
    if row is None:
        raise SessionNotFound(changes.session_id)
    session, taken_by = row
    if taken_by not in (None, worker):
        raise SessionTakenOver(changes.session_id)
    if changes.info is not None:
        _put_info(connection, session, changes.info)
    for message in changes.messages:
        _put_message(connection, session, message)
    for run in unbroken_runs(changes.events):
        _check_free(connection, session, changes.session_id, run)
        _put_events(connection, session, run[0].seq, run[-1].seq, event_encoder.encode_lines(run))
    _put_exchanges(connection, session, changes.exchanges)
    _put_run(connection, session, changes.run)


_FORK = """
WITH RECURSIVE path (depth, pos, parent_id) AS (
    SELECT 0, pos, parent_id FROM message WHERE session = :source AND id = :at
    UNION ALL
    SELECT path.depth + 1, m.pos, m.parent_id
    FROM path JOIN message AS m ON m.session = :source AND m.id = path.parent_id
)
INSERT INTO message (session, id, parent_id, keeps_from, time, body)
SELECT :copy, m.id, m.parent_id, m.keeps_from, m.time, m.body
FROM path CROSS JOIN message AS m ON m.pos = path.pos
ORDER BY path.depth DESC
"""


def fork(connection: Connection, session_id: str, at: str | None, info: SessionInfo) -> None:
    source = session_key(connection, session_id)
    copy = create(connection, info)
    if at is None:
        return
    connection.execute(_FORK, {"source": source, "at": at, "copy": copy})
    root = connection.execute("SELECT parent_id FROM message WHERE session = ? ORDER BY pos", (copy,)).fetchone()
    if root is None:
        raise no_message(session_id, at)
    if root[0] is not None:
        raise no_message(session_id, root[0].decode())


def delete(connection: Connection, session_id: str) -> None:
    key = session_key(connection, session_id)
    for table in ("message", "event_batch", "exchange", "open_run"):
        connection.execute(f"DELETE FROM {table} WHERE session = ?", (key,))
    connection.execute("DELETE FROM lease WHERE session = ?", (session_id,))
    connection.execute("DELETE FROM session WHERE key = ?", (key,))


def restore(connection: Connection, source: BinaryIO, owner: str | None) -> SessionInfo:
    """Read the document from its start: the writer may have to do this twice."""
    source.seek(0)
    document = DocumentReader(source, owner)
    info = document.info
    if _exists(connection, info.id):
        info = msgspec.structs.replace(info, id=new_id("ses"))
    session = create(connection, info)
    for message in document.messages():
        _put_message(connection, session, message)
    for first, last, lines in packed(document.events(), info.id):
        _put_events(connection, session, first, last, lines)
    return info


def approve(connection: Connection, approvals: Sequence[Approval]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO approval (id, owner, project, permission, pattern, time, fingerprint, described)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [(a.id, a.owner, a.project, a.permission, a.pattern, a.time, a.fingerprint, a.described) for a in approvals],
    )


def revoke(connection: Connection, approval_id: str) -> bool:
    return connection.execute("DELETE FROM approval WHERE id = ?", (approval_id,)).rowcount > 0


_encoder = msgspec.json.Encoder()


def _exists(connection: Connection, session_id: str) -> bool:
    return connection.execute("SELECT 1 FROM session WHERE id = ?", (session_id,)).fetchone() is not None


def _put_info(connection: Connection, session: int, info: SessionInfo) -> None:
    connection.execute(
        "UPDATE session SET title = ?, folder = ?, owner = ?, updated = ?, info = CAST(? AS TEXT) WHERE key = ?",
        (info.title, info.folder, info.owner, info.updated, _encoder.encode(info), session),
    )


def _put_message(connection: Connection, session: int, message: Message) -> None:
    """Insert it, or put it in the place of what has its id."""
    connection.execute(
        "INSERT INTO message (session, id, parent_id, keeps_from, time, body) VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT))"
        " ON CONFLICT (session, id) DO UPDATE SET parent_id = excluded.parent_id, keeps_from = excluded.keeps_from,"
        " time = excluded.time, body = excluded.body",
        (
            session,
            message.id,
            message.parent_id,
            keeps_from(message),
            message.time,
            message_encoder.encode(message),
        ),
    )


def _check_free(connection: Connection, session: int, session_id: str, run: Sequence[Event]) -> None:
    following = connection.execute(
        "SELECT first_seq FROM event_batch WHERE session = ? AND last_seq >= ? ORDER BY last_seq LIMIT 1",
        (session, run[0].seq),
    ).fetchone()
    if following is not None and following[0] <= run[-1].seq:
        raise event_taken(session_id, max(run[0].seq, following[0]))


def _put_events(connection: Connection, session: int, first: int, last: int, lines: bytes) -> None:
    connection.execute(
        "INSERT INTO event_batch (session, first_seq, last_seq, events) VALUES (?, ?, ?, ?)",
        (session, first, last, lines),
    )


def _put_exchanges(connection: Connection, session: int, exchanges: Iterable[Exchange]) -> None:
    for exchange in exchanges:
        connection.execute("INSERT INTO exchange (session, body) VALUES (?, ?)", (session, _encoder.encode(exchange)))


def _put_run(connection: Connection, session: int, run: RunRecord | UnsetType | None) -> None:
    if run is UNSET:
        return
    if run is None:
        connection.execute("DELETE FROM open_run WHERE session = ?", (session,))
    else:
        connection.execute(
            "INSERT OR REPLACE INTO open_run (session, state, began, body, files)"
            " VALUES (?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT))",
            (session, run.state, run.began, *run_columns(run)),
        )


class SqliteTransactions:
    """Owns the connection that writes. A job is a function of that connection.

    Where the disk is full it has none, and opens it for the first change that finds room.
    """

    def __init__(self, path: Path, worker: StoreWorker, workers: WorkersOfFile) -> None:
        self._path = path
        self._worker = worker
        self._workers = workers
        self._synchronous = ""
        self._connection: Connection | None = None
        if has_room(path):
            self._connection = open_database(path)
        else:
            check_database(path)

    @property
    def is_open(self) -> bool:
        """True if the file was opened for writing."""
        return self._connection is not None

    def transact(self, jobs: Sequence[WriteJob]) -> None:
        if not has_room(self._path):
            raise disk_full(self._path)
        connection = self._opened()
        self._synchronise(connection, "FULL" if any(job.barrier for job in jobs) else "NORMAL")
        with self._transaction(connection):
            for job in jobs:
                job.result = job.write(connection)

    def upkeep_in(self) -> float | None:
        return self._worker.due_in()

    def upkeep(self) -> None:
        try:
            self.transact(())
        except (sqlite3.Error, OSError, StoreError):
            self._worker.postpone()

    @contextlib.contextmanager
    def _transaction(self, connection: Connection) -> Generator[None]:
        """What the worker has to write goes along, last: so a beat is as new as what it is written with."""
        upkeep: Upkeep | None = None
        named: list[str] = []
        patiently(lambda: connection.execute("BEGIN IMMEDIATE"))
        try:
            if user_version(connection) != len(MIGRATIONS):
                raise StoreError(f"another Toolpost has changed the format of {self._path}: restart this one")
            yield
            if (upkeep := self._worker.upkeep()) is not None:
                named = write_upkeep(connection, self._worker.number, upkeep)
            connection.execute("COMMIT")
        except BaseException:
            # After some errors SQLite has rolled back already.
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            if upkeep is not None:
                self._worker.put_back(upkeep)
            raise
        if upkeep is not None:
            self._worker.upkept(upkeep, named)

    def explain(self, error: Exception) -> StoreError:
        return explain(error, self._path)

    def close(self) -> None:
        """The worker ends here: what it still holds is free."""
        self._worker.end()
        if self._connection is not None:
            if self._worker.is_known:
                with contextlib.suppress(sqlite3.Error, OSError, StoreError), self._transaction(self._connection):
                    forget(self._connection, self._worker.number)
            self._connection.close()
        self._workers.leave(self._worker)

    def _opened(self) -> Connection:
        """The connection that writes; opened now, where the disk was full before."""
        deadline = time.monotonic() + BUSY_TIMEOUT_S
        while self._connection is None:
            connection = open_database(self._path)
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
                self._connection = connection
            except sqlite3.OperationalError as error:
                connection.close()
                # While a query that began on the full disk still runs, the file can't be written by this process.
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        return self._connection

    def _synchronise(self, connection: Connection, level: str) -> None:
        """Choose what a commit waits for. A full sync covers the commits before it too."""
        if level != self._synchronous:
            connection.execute(f"PRAGMA synchronous = {level}")
            self._synchronous = level
