"""The store in one SQLite file, shared by any number of processes on one machine."""

import asyncio
import os
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from msgspec.structs import replace

from toolpost.store.account_records import AccountRecord, ModelUse, RecordEdit
from toolpost.store.change_feed import ChangeFeed, FeedItem, Signals
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
from toolpost.store.writer import WriterThread, stop_at_exit
from toolpost.types.errors import SessionTakenOver, StoreError
from toolpost.types.events import Event
from toolpost.types.messages import Message

from . import account_records as accounts
from . import gateway_objects as objects
from . import queries as ask
from . import writes as write
from .connection import SqliteReaders
from .lease import PAUSES_S, WorkersOfFile, take
from .writes import SqliteTransactions

T = TypeVar("T")

# How soon a follower hears of what another process has committed.
POLL_SECONDS = 0.1


class SqliteStore:
    """Opens `path`, making the file and its folder if need be. One object may serve many tasks, threads and loops.

    On a full disk what is there can be read, and changes are refused until there is room again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._worker = StoreWorker()
        self._workers = WorkersOfFile(self._path)
        transactions = SqliteTransactions(self._path, self._worker, self._workers)
        self._writer = WriterThread(transactions)
        # A reader that stays would keep the file as it was opened: on a full disk, unwritable.
        self._readers = SqliteReaders(self._path, lambda: transactions.is_open)
        self._following = ChangeFeed(partial(_new_events, self._readers))
        self._signals = Signals()
        self._finalizer = weakref.finalize(self, _abandon, self._writer, self._readers)

    @property
    def path(self) -> Path:
        return self._path

    @property
    def durable(self) -> bool:
        return True

    async def create(self, info: SessionInfo) -> None:
        await self._writer.write(lambda connection: write.create(connection, info))

    async def info(self, session_id: str) -> SessionInfo:
        return await self._readers.read(lambda connection: ask.info(connection, session_id))

    async def update(self, info: SessionInfo) -> None:
        await self._writer.write(lambda connection: write.update(connection, info))

    async def commit(self, changes: SessionChanges) -> None:
        """Keep `changes`, which are encoded in the writer's thread: what they hold must not be changed meanwhile."""
        try:
            await self._writer.write(
                lambda connection: write.commit(connection, changes, self._worker.number), barrier=changes.barrier
            )
        except SessionTakenOver:
            self._worker.was_taken_over(changes.session_id)
            raise

    async def lease(self, session_id: str, *, instead_of: Holder | None = None) -> Lease:
        async def taken(lease: HeldLease) -> str:
            return await self._writer.write(
                lambda connection: take(connection, self._workers, self._worker, lease, instead_of)
            )

        return await self._worker.lease(session_id, taken, self._wake_writer, PAUSES_S)

    async def holder(self, session_id: str) -> Holder | None:
        return await self._readers.read(lambda connection: ask.holder(connection, session_id, self._workers.holder))

    async def open_run(self, session_id: str) -> RunRecord | None:
        return await self._readers.read(lambda connection: ask.open_run(connection, session_id))

    def open_runs(
        self, *, states: Collection[RunState] = (), owner: str | None = None, folder: str | None = None
    ) -> AsyncIterator[OpenRun]:
        find = self._workers.holder
        return self._stream(
            lambda connection, after: ask.open_runs(connection, states, owner, folder, find, after), EARLIEST
        )

    async def branch(self, session_id: str, head: str | None) -> list[Message]:
        return await self._readers.read(lambda connection: ask.branch(connection, session_id, head))

    async def last_messages(self, session_id: str, head: str | None, limit: int) -> list[Message]:
        return await self._readers.read(lambda connection: ask.last_messages(connection, session_id, head, limit))

    async def message(self, session_id: str, message_id: str) -> Message:
        return await self._readers.read(lambda connection: ask.message(connection, session_id, message_id))

    def messages(self, session_id: str) -> AsyncIterator[Message]:
        return self._stream(lambda connection, after: ask.messages(connection, session_id, after), FIRST)

    def events(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        return self._stream(lambda connection, seen: ask.events(connection, session_id, seen), (after,))

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
        await self._writer.write(lambda connection: write.fork(connection, session_id, at, copy), barrier=True)

    async def delete(self, session_id: str) -> None:
        await self._writer.write(lambda connection: write.delete(connection, session_id), barrier=True)

    async def export(self, session_id: str) -> AsyncIterator[bytes]:
        info = await self.info(session_id)
        async for piece in write_document(info, self.messages(session_id), self.events(session_id)):
            yield piece

    async def restore(self, source: AsyncIterator[bytes], *, owner: str | None = None) -> SessionInfo:
        try:
            async with spooled(source, self._path.parent) as file:
                return await self._writer.write(lambda connection: write.restore(connection, file, owner), barrier=True)
        except OSError as error:
            raise StoreError(f"the session could not be read for the import: {error}") from error

    async def approvals(self, project: str | None = None, owner: str | None = None) -> list[Approval]:
        return await self._readers.read(lambda connection: ask.approvals(connection, project, owner))

    async def approve(self, approvals: Sequence[Approval]) -> None:
        await self._writer.write(lambda connection: write.approve(connection, approvals), barrier=True)

    async def revoke(self, approval_id: str) -> bool:
        return await self._writer.write(lambda connection: write.revoke(connection, approval_id), barrier=True)

    async def put_object(self, stored: StoredObject, limits: ObjectLimits) -> None:
        await self._writer.write(lambda connection: objects.put(connection, stored, limits))

    async def find_object(self, owner: str, kind: str, object_id: str) -> StoredObject | None:
        return await self._readers.read(lambda connection: objects.find(connection, owner, kind, object_id))

    async def object_chain(self, owner: str, kind: str, object_id: str) -> list[StoredObject]:
        return await self._readers.read(lambda connection: objects.chain(connection, owner, kind, object_id))

    async def change_object(
        self, owner: str, kind: str, object_id: str, edit: Callable[[bytes], bytes], time: float, limits: ObjectLimits
    ) -> bool:
        return await self._writer.write(
            lambda connection: objects.change(connection, (owner, kind, object_id), edit, time, limits)
        )

    async def delete_object(self, owner: str, kind: str, object_id: str) -> bool:
        return await self._writer.write(
            lambda connection: objects.delete(connection, owner, kind, object_id), barrier=True
        )

    async def add_record(self, record: AccountRecord) -> bool:
        return await self._writer.write(lambda connection: accounts.add(connection, record), barrier=True)

    async def find_record(self, kind: str, record_id: str) -> AccountRecord | None:
        return await self._readers.read(lambda connection: accounts.find(connection, kind, record_id))

    async def records(self, kind: str, *, owner: str | None = None, until: float | None = None) -> list[AccountRecord]:
        return await self._readers.read(lambda connection: accounts.every(connection, kind, owner, until))

    async def change_records(self, kind: str, edit: RecordEdit, *, ids: Sequence[str] | None = None) -> None:
        await self._writer.write(lambda connection: accounts.change(connection, kind, edit, ids), barrier=True)

    async def take_record(self, kind: str, record_id: str) -> AccountRecord | None:
        return await self._writer.write(lambda connection: accounts.take(connection, kind, record_id), barrier=True)

    async def delete_records(self, kind: str, *, owner: str | None = None, expired_before: float | None = None) -> int:
        return await self._writer.write(
            lambda connection: accounts.delete(connection, kind, owner, expired_before), barrier=True
        )

    async def add_uses(self, uses: Sequence[ModelUse]) -> None:
        await self._writer.write(lambda connection: accounts.add_uses(connection, uses))

    async def uses(self, since_day: str) -> list[ModelUse]:
        return await self._readers.read(lambda connection: accounts.uses(connection, since_day))

    def follow(self) -> AsyncIterator[EventNotice]:
        return self._following.follow()

    async def signal(self, signal: Signal) -> None:
        self._signals.send(signal)

    def signals(self) -> AsyncIterator[Signal]:
        return self._signals.listen()

    async def close(self) -> None:
        """Write what was queued, then let go of the file, and with it of the leases."""
        self._finalizer.detach()
        self._readers.close()
        self._writer.stop()
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        self._readers.join()
        self._writer.join()

    def _wake_writer(self) -> None:
        self._writer.wake()

    async def _stream(self, fetch: Callable[[Connection, Key], Page[T]], start: Key) -> AsyncIterator[T]:
        """Yield page by page. Between two pages nothing is held, so an iterator may be left at any point."""
        key: Key | None = start
        while key is not None:
            items, key = await self._readers.read(lambda connection, at=key: fetch(connection, at))
            for item in items:
                yield item


async def _new_events(readers: SqliteReaders) -> AsyncGenerator[FeedItem]:
    """Poll the file: SQLite can't notify other processes."""
    seen = await readers.read(ask.last_batch)
    yield None
    while True:
        noticed, seen = await readers.read(lambda connection, seen=seen: ask.new_batches(connection, seen))
        for notice in noticed:
            yield notice
        await asyncio.sleep(POLL_SECONDS)


def _abandon(writer: WriterThread, readers: SqliteReaders) -> None:
    readers.close()
    stop_at_exit(writer)
