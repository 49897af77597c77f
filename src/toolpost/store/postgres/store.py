"""The store in a PostgreSQL database, shared by any number of processes on any number of machines."""

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from functools import partial
from typing import TypeVar, cast

from msgspec.structs import replace
from psycopg import Connection

from toolpost.store.account_records import AccountRecord, ModelUse, RecordEdit
from toolpost.store.change_feed import ChangeFeed, check_signal
from toolpost.store.contract import (
    Approval,
    EventNotice,
    Exchange,
    Lease,
    ObjectLimits,
    SessionChanges,
    SessionHit,
    SessionInfo,
    Signal,
    StoredObject,
)
from toolpost.store.rows import EARLIEST, FIRST, LATEST, Key, Page
from toolpost.store.run_records import Holder, OpenRun, RunRecord, RunState
from toolpost.store.session_document import spooled, write_document
from toolpost.store.worker import HeldLease, StoreWorker
from toolpost.store.writer import StoreUnreachable, WriterThread, stop_at_exit
from toolpost.types.errors import SessionTakenOver, StoreError
from toolpost.types.events import Event
from toolpost.types.messages import Message

from . import account_records as accounts
from . import gateway_objects as objects
from . import queries as ask
from . import writes as write
from .address import read_address
from .connection import PostgresServer
from .lease import PAUSES_S, take
from .notices import notices
from .reconnecting import PostgresPool, Work
from .writes import PostgresTransactions

T = TypeVar("T")

PATIENCE_S = 30.0


class PostgresStore:
    """Connects on first use, and makes its tables then. One object may serve many tasks, threads and loops."""

    def __init__(self, url: str, *, patience: float = PATIENCE_S) -> None:
        self._link = PostgresServer(read_address(url), patience)
        self._worker = StoreWorker()
        self._writer = WriterThread(PostgresTransactions(self._link, self._worker))
        self._pool = PostgresPool(self._link)
        self._following = ChangeFeed(partial(notices, self._link))
        # Sessions whose last commit may have taken place although its answer never came.
        self._doubtful: set[str] = set()
        self._finalizer = weakref.finalize(self, _abandon, self._writer, self._pool, self._link)

    def __repr__(self) -> str:
        return f"PostgresStore({self._link.address.place})"

    @property
    def durable(self) -> bool:
        return True

    async def create(self, info: SessionInfo) -> None:
        await self._write(write.create(info))

    async def info(self, session_id: str) -> SessionInfo:
        return await self._pool.read(lambda connection: ask.info(connection, session_id))

    async def update(self, info: SessionInfo) -> None:
        # A barrier, or what was committed before could be written again after it.
        await self._write(write.update(info), barrier=True)

    async def commit(self, changes: SessionChanges) -> None:
        """Keep `changes`, which are encoded in the writer's thread: what they hold must not be changed meanwhile."""
        session_id, channel = changes.session_id, self._link.address.schema
        work = write.SessionCommit(changes, self._worker.number, channel, again=session_id in self._doubtful)
        try:
            await self._write(work, barrier=changes.barrier)
        except StoreUnreachable:
            self._doubtful.add(session_id)
            raise
        except SessionTakenOver:
            self._worker.was_taken_over(session_id)
            raise
        self._doubtful.discard(session_id)

    async def lease(self, session_id: str, *, instead_of: Holder | None = None) -> Lease:
        async def taken(lease: HeldLease) -> str:
            return await self._write(take(self._worker, lease, instead_of))

        return await self._worker.lease(session_id, taken, self._wake_writer, PAUSES_S)

    async def holder(self, session_id: str) -> Holder | None:
        return await self._pool.read(lambda connection: ask.holder(connection, session_id, self._find_holder))

    async def open_run(self, session_id: str) -> RunRecord | None:
        return await self._pool.read(lambda connection: ask.open_run(connection, session_id))

    def open_runs(
        self, *, states: Collection[RunState] = (), owner: str | None = None, folder: str | None = None
    ) -> AsyncIterator[OpenRun]:
        return self._stream(
            lambda connection, after: ask.open_runs(connection, states, owner, folder, self._find_holder, after),
            EARLIEST,
        )

    async def branch(self, session_id: str, head: str | None) -> list[Message]:
        return await self._pool.read(lambda connection: ask.branch(connection, session_id, head))

    async def last_messages(self, session_id: str, head: str | None, limit: int) -> list[Message]:
        return await self._pool.read(lambda connection: ask.last_messages(connection, session_id, head, limit))

    async def message(self, session_id: str, message_id: str) -> Message:
        return await self._pool.read(lambda connection: ask.message(connection, session_id, message_id))

    def messages(self, session_id: str) -> AsyncIterator[Message]:
        return self._stream(lambda connection, after: ask.messages(connection, session_id, after), FIRST)

    def events(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        return self._stream(lambda connection, seen: ask.events(connection, session_id, seen), (after,))

    def follow(self) -> AsyncIterator[EventNotice]:
        return self._following.follow()

    def exchanges(self, session_id: str) -> AsyncIterator[Exchange]:
        return self._stream(lambda connection, after: ask.exchanges(connection, session_id, after), FIRST)

    def sessions(
        self, *, folder: str | None = None, owner: str | None = None, query: str = ""
    ) -> AsyncIterator[SessionInfo]:
        return self._stream(lambda connection, before: ask.sessions(connection, folder, owner, query, before), LATEST)

    def search(
        self, query: str, *, session_id: str | None = None, owner: str | None = None
    ) -> AsyncIterator[SessionHit]:
        return self._stream(lambda connection, before: ask.search(connection, query, session_id, owner, before), LATEST)

    async def fork(self, session_id: str, at: str | None, info: SessionInfo) -> None:
        copy = replace(info, head=at, forked_from=info.forked_from or session_id)
        await self._pool.transact(write.fork(session_id, at, copy))

    async def delete(self, session_id: str) -> None:
        await self._pool.transact(write.delete(session_id))

    async def export(self, session_id: str) -> AsyncIterator[bytes]:
        info = await self.info(session_id)
        async for piece in write_document(info, self.messages(session_id), self.events(session_id)):
            yield piece

    async def restore(self, source: AsyncIterator[bytes], *, owner: str | None = None) -> SessionInfo:
        try:
            async with spooled(source) as file:
                return await self._pool.transact(write.restore(file, owner))
        except OSError as error:
            raise StoreError(f"the session could not be read for the import: {error}") from error

    async def approvals(self, project: str | None = None, owner: str | None = None) -> list[Approval]:
        return await self._pool.read(lambda connection: ask.approvals(connection, project, owner))

    async def approve(self, approvals: Sequence[Approval]) -> None:
        await self._pool.transact(write.approve(approvals))

    async def revoke(self, approval_id: str) -> bool:
        return await self._pool.transact(write.revoke(approval_id))

    async def put_object(self, stored: StoredObject, limits: ObjectLimits) -> None:
        await self._pool.transact(objects.put(stored, limits))

    async def find_object(self, owner: str, kind: str, object_id: str) -> StoredObject | None:
        return await self._pool.read(lambda connection: objects.find(connection, owner, kind, object_id))

    async def object_chain(self, owner: str, kind: str, object_id: str) -> list[StoredObject]:
        return await self._pool.read(lambda connection: objects.chain(connection, owner, kind, object_id))

    async def change_object(
        self, owner: str, kind: str, object_id: str, edit: Callable[[bytes], bytes], time: float, limits: ObjectLimits
    ) -> bool:
        return await self._pool.transact(objects.change((owner, kind, object_id), edit, time, limits))

    async def delete_object(self, owner: str, kind: str, object_id: str) -> bool:
        return await self._pool.transact(objects.delete(owner, kind, object_id))

    async def add_record(self, record: AccountRecord) -> bool:
        return await self._pool.transact(accounts.add(record))

    async def find_record(self, kind: str, record_id: str) -> AccountRecord | None:
        return await self._pool.read(lambda connection: accounts.find(connection, kind, record_id))

    async def records(self, kind: str, *, owner: str | None = None, until: float | None = None) -> list[AccountRecord]:
        return await self._pool.read(lambda connection: accounts.every(connection, kind, owner, until))

    async def change_records(self, kind: str, edit: RecordEdit, *, ids: Sequence[str] | None = None) -> None:
        await self._pool.transact(accounts.change(kind, edit, ids, self._link.address.schema))

    async def take_record(self, kind: str, record_id: str) -> AccountRecord | None:
        return await self._pool.transact(accounts.take(kind, record_id))

    async def delete_records(self, kind: str, *, owner: str | None = None, expired_before: float | None = None) -> int:
        return await self._pool.transact(accounts.delete(kind, owner, expired_before))

    async def add_uses(self, uses: Sequence[ModelUse]) -> None:
        await self._pool.transact(accounts.add_uses(uses))

    async def uses(self, since_day: str) -> list[ModelUse]:
        return await self._pool.read(lambda connection: accounts.uses(connection, since_day))

    async def signal(self, signal: Signal) -> None:
        check_signal(signal)
        await self._pool.transact(write.signal(signal, self._link.address.schema))

    def signals(self) -> AsyncIterator[Signal]:
        return self._following.signals()

    async def close(self) -> None:
        """Write what was queued, then end the connections, and with them the leases."""
        self._finalizer.detach()
        await asyncio.to_thread(_close, self._writer, self._pool, self._link)

    def _find_holder(self, session_id: str, number: int, beat: int, is_alive: bool) -> Holder | None:
        """What a session's row says; of this store itself, what it knows: that may not be written yet."""
        if number != self._worker.number:
            return Holder(number, beat, is_alive)
        return Holder(number, beat, is_alive=True) if self._worker.holds(session_id) else None

    def _wake_writer(self) -> None:
        self._writer.wake()

    async def _write(self, work: Work[T], *, barrier: bool = False) -> T:
        return cast(T, await self._writer.write(work, barrier=barrier))

    async def _stream(self, fetch: Callable[[Connection, Key], Page[T]], start: Key) -> AsyncIterator[T]:
        """Yield page by page. Between two pages nothing is held, so an iterator may be left at any point."""
        key: Key | None = start
        while key is not None:
            items, key = await self._pool.read(lambda connection, at=key: fetch(connection, at))
            for item in items:
                yield item


def _close(writer: WriterThread, pool: PostgresPool, link: PostgresServer) -> None:
    writer.stop()
    link.hurry()
    pool.close()
    pool.join()
    writer.join()


def _abandon(writer: WriterThread, pool: PostgresPool, link: PostgresServer) -> None:
    link.hurry()
    pool.close()
    stop_at_exit(writer)
