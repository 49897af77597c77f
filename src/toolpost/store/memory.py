"""The store in memory, for tests and short runs."""

import io
import secrets
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from itertools import islice

from msgspec import UNSET
from msgspec.structs import replace

from toolpost.types.errors import SessionBusy, SessionNotFound
from toolpost.types.events import Event
from toolpost.types.ids import new_id
from toolpost.types.messages import Message

from .account_records import AccountRecord, ModelUse, RecordEdit
from .change_feed import EventListener, Signals
from .contract import (
    MAX_CHAIN,
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
    already_there,
    busy_text,
    event_taken,
    keeps_from,
    no_message,
)
from .run_records import BEAT_SECONDS, Holder, OpenRun, RunRecord, RunState, without_files
from .search import Needle
from .session_document import DocumentReader, write_document


class MemoryStore:
    """Belongs to one event loop's thread. Exchanges are not kept, and barriers cost nothing."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._approvals: dict[str, Approval] = {}
        self._objects: dict[str, dict[str, StoredObject]] = {}
        self._records: dict[tuple[str, str], AccountRecord] = {}
        self._uses: dict[tuple[str, str, str], ModelUse] = {}
        self._leases: dict[str, _MemoryLease] = {}
        self._runs: dict[str, RunRecord] = {}
        self._worker = secrets.randbits(62)
        self._followers: list[EventListener] = []
        self._signals = Signals()

    @property
    def durable(self) -> bool:
        return False

    async def create(self, info: SessionInfo) -> None:
        self._create(info)

    async def info(self, session_id: str) -> SessionInfo:
        session = self._session(session_id)
        return replace(session.info, seq=max(session.info.seq, session.last_seq))

    async def update(self, info: SessionInfo) -> None:
        self._session(info.id).info = info

    async def commit(self, changes: SessionChanges) -> None:
        session = self._session(changes.session_id)
        if changes.events:
            session.keep_events(changes.events)
            for follower in self._followers:
                follower.tell(EventNotice(changes.session_id, session.last_seq))
        if changes.info is not None:
            session.info = changes.info
        for message in changes.messages:
            session.messages[message.id] = message
        if changes.run is None:
            self._runs.pop(changes.session_id, None)
        elif changes.run is not UNSET:
            self._runs[changes.session_id] = changes.run

    async def lease(self, session_id: str, *, instead_of: Holder | None = None) -> Lease:
        if session_id in self._leases:
            raise SessionBusy(busy_text(session_id, "this process"))
        lease = _MemoryLease(self._leases, session_id)
        self._leases[session_id] = lease
        return lease

    async def holder(self, session_id: str) -> Holder | None:
        self._session(session_id)
        beat = int(time.monotonic() / BEAT_SECONDS)
        return Holder(self._worker, beat, True) if session_id in self._leases else None

    async def open_run(self, session_id: str) -> RunRecord | None:
        self._session(session_id)
        return self._runs.get(session_id)

    async def open_runs(
        self, *, states: Collection[RunState] = (), owner: str | None = None, folder: str | None = None
    ) -> AsyncIterator[OpenRun]:
        for record in sorted(self._runs.values(), key=lambda record: (record.began, record.session_id)):
            info = self._sessions[record.session_id].info
            if (not states or record.state in states) and owner in (None, info.owner) and folder in (None, info.folder):
                holder = await self.holder(record.session_id)
                yield OpenRun(without_files(record), info.folder, info.owner, info.parent, holder)

    async def branch(self, session_id: str, head: str | None) -> list[Message]:
        branch: list[Message] = []
        stop: str | None = None
        for message in self._session(session_id).walk(head):
            branch.append(message)
            stop = stop or keeps_from(message)
            if message.id == stop:
                break
        branch.reverse()
        return branch

    async def last_messages(self, session_id: str, head: str | None, limit: int) -> list[Message]:
        return list(islice(self._session(session_id).walk(head), limit))[::-1]

    async def message(self, session_id: str, message_id: str) -> Message:
        found = self._session(session_id).messages.get(message_id)
        if found is None:
            raise no_message(session_id, message_id)
        return found

    async def messages(self, session_id: str) -> AsyncIterator[Message]:
        for message in list(self._session(session_id).messages.values()):
            yield message

    async def events(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        events = self._session(session_id).events
        start = bisect_right(events, after, key=lambda event: event.seq)
        for event in events[start:]:
            yield event

    async def exchanges(self, session_id: str) -> AsyncIterator[Exchange]:
        self._session(session_id)
        for exchange in ():
            yield exchange

    async def sessions(
        self, *, folder: str | None = None, owner: str | None = None, query: str = ""
    ) -> AsyncIterator[SessionInfo]:
        needle = Needle(query)
        infos = [session.info for session in self._sessions.values()]
        # Of two that were updated at the same time, the one made later comes first.
        infos.reverse()
        infos.sort(key=lambda info: info.updated, reverse=True)
        for info in infos:
            if folder in (None, info.folder) and owner in (None, info.owner) and needle.matches(info.title):
                yield info

    async def search(
        self, query: str, *, session_id: str | None = None, owner: str | None = None
    ) -> AsyncIterator[SessionHit]:
        needle = Needle(query)
        chosen = self._sessions.values() if session_id is None else [self._session(session_id)]
        own = [session for session in chosen if owner in (None, session.info.owner)]
        if session_id is not None and not own:
            raise SessionNotFound(session_id)
        found = [(session.info.id, message) for session in own for message in session.messages.values()]
        found.reverse()
        if session_id is None:
            found.sort(key=lambda pair: pair[1].time, reverse=True)
        for found_in, message in found:
            hit = needle.hit(found_in, message) if query else None
            if hit is not None:
                yield hit

    async def fork(self, session_id: str, at: str | None, info: SessionInfo) -> None:
        path = list(self._session(session_id).walk(at))
        copy = self._create(replace(info, head=at, forked_from=info.forked_from or session_id))
        copy.messages = {message.id: message for message in reversed(path)}

    async def delete(self, session_id: str) -> None:
        self._session(session_id)
        del self._sessions[session_id]
        self._runs.pop(session_id, None)

    async def export(self, session_id: str) -> AsyncIterator[bytes]:
        info = await self.info(session_id)
        async for piece in write_document(info, self.messages(session_id), self.events(session_id)):
            yield piece

    async def restore(self, source: AsyncIterator[bytes], *, owner: str | None = None) -> SessionInfo:
        document = DocumentReader(io.BytesIO(b"".join([piece async for piece in source])), owner)
        info = document.info
        if info.id in self._sessions:
            info = replace(info, id=new_id("ses"))
        messages = {message.id: message for message in document.messages()}
        events = [replace(event, session_id=info.id) for event in document.events()]
        session = self._create(info)
        session.messages, session.events = messages, events
        return info

    async def approvals(self, project: str | None = None, owner: str | None = None) -> list[Approval]:
        chosen = [
            saved
            for saved in self._approvals.values()
            if project in (None, saved.project) and owner in (None, saved.owner)
        ]
        return sorted(chosen, key=lambda approval: (approval.time, approval.id))

    async def approve(self, approvals: Sequence[Approval]) -> None:
        for approval in approvals:
            same = [saved.id for saved in self._approvals.values() if _covers_the_same(saved, approval)]
            for approval_id in same:
                del self._approvals[approval_id]
            self._approvals[approval.id] = approval

    async def revoke(self, approval_id: str) -> bool:
        return self._approvals.pop(approval_id, None) is not None

    async def follow(self) -> AsyncIterator[EventNotice]:
        follower = EventListener()
        follower.tell(None)
        self._followers.append(follower)
        try:
            while True:
                for notice in await follower.taken():
                    yield notice
        finally:
            self._followers.remove(follower)

    async def put_object(self, stored: StoredObject, limits: ObjectLimits) -> None:
        self._objects.setdefault(stored.owner, {})[stored.id] = stored
        self._prune_objects(stored.owner, limits)

    def _prune_objects(self, owner: str, limits: ObjectLimits) -> None:
        owned = self._objects[owner]
        newest = sorted(owned.values(), key=lambda one: (one.time, one.id), reverse=True)
        size = 0
        for number, one in enumerate(newest):
            size += len(one.body)
            if number >= limits.most or size > limits.most_bytes or one.time < limits.since:
                del owned[one.id]

    async def find_object(self, owner: str, kind: str, object_id: str) -> StoredObject | None:
        found = self._objects.get(owner, {}).get(object_id)
        return found if found is not None and found.kind == kind else None

    async def object_chain(self, owner: str, kind: str, object_id: str) -> list[StoredObject]:
        chain: list[StoredObject] = []
        wanted: str | None = object_id
        while wanted is not None and len(chain) < MAX_CHAIN:
            found = await self.find_object(owner, kind, wanted)
            if found is None:
                break
            chain.append(found)
            wanted = found.previous
        chain.reverse()
        return chain

    async def change_object(
        self, owner: str, kind: str, object_id: str, edit: Callable[[bytes], bytes], time: float, limits: ObjectLimits
    ) -> bool:
        found = await self.find_object(owner, kind, object_id)
        if found is not None:
            self._objects[owner][object_id] = replace(found, body=edit(found.body), time=time)
            self._prune_objects(owner, limits)
        return found is not None

    async def delete_object(self, owner: str, kind: str, object_id: str) -> bool:
        found = await self.find_object(owner, kind, object_id)
        return found is not None and self._objects[owner].pop(object_id, None) is not None

    async def add_record(self, record: AccountRecord) -> bool:
        return self._records.setdefault((record.kind, record.id), record) is record

    async def find_record(self, kind: str, record_id: str) -> AccountRecord | None:
        return self._records.get((kind, record_id))

    async def records(self, kind: str, *, owner: str | None = None, until: float | None = None) -> list[AccountRecord]:
        found = [one for one in self._records.values() if one.kind == kind and owner in (None, one.owner)]
        due = [one for one in found if until is None or one.time <= until]
        return sorted(due, key=lambda one: (one.time, one.id))

    async def change_records(self, kind: str, edit: RecordEdit, *, ids: Sequence[str] | None = None) -> None:
        there = {one.id: one for one in await self.records(kind) if ids is None or one.id in ids}
        self._records.update({(one.kind, one.id): one for one in edit(there)})

    async def take_record(self, kind: str, record_id: str) -> AccountRecord | None:
        return self._records.pop((kind, record_id), None)

    async def delete_records(self, kind: str, *, owner: str | None = None, expired_before: float | None = None) -> int:
        gone = [
            one
            for one in await self.records(kind, owner=owner)
            if expired_before is None or 0 < one.expires <= expired_before
        ]
        for one in gone:
            del self._records[one.kind, one.id]
        return len(gone)

    async def add_uses(self, uses: Sequence[ModelUse]) -> None:
        for use in uses:
            key = use.day, use.user, use.model
            had = self._uses.get(key, ModelUse(*key))
            self._uses[key] = ModelUse(
                *key,
                had.requests + use.requests,
                had.input_tokens + use.input_tokens,
                had.output_tokens + use.output_tokens,
                had.cost + use.cost,
            )

    async def uses(self, since_day: str) -> list[ModelUse]:
        return [self._uses[key] for key in sorted(self._uses) if key[0] >= since_day]

    async def signal(self, signal: Signal) -> None:
        self._signals.send(signal)

    def signals(self) -> AsyncIterator[Signal]:
        return self._signals.listen()

    async def close(self) -> None:
        """Do nothing: there is nothing to release, and the content can still be read."""

    def _session(self, session_id: str) -> "_Session":
        session = self._sessions.get(session_id)
        if session is None:
            raise SessionNotFound(session_id)
        return session

    def _create(self, info: SessionInfo) -> "_Session":
        if info.id in self._sessions:
            raise already_there(info.id)
        session = self._sessions[info.id] = _Session(info)
        return session


class _Session:
    __slots__ = ("events", "info", "messages")

    def __init__(self, info: SessionInfo) -> None:
        self.info = info
        self.messages: dict[str, Message] = {}
        self.events: list[Event] = []

    @property
    def last_seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    def keep_events(self, events: Sequence[Event]) -> None:
        last = self.last_seq
        in_order = True
        for event in events:
            in_order = in_order and event.seq > last
            last = event.seq
        if in_order:
            self.events.extend(events)
            return
        merged = {event.seq: event for event in self.events}
        for event in events:
            if event.seq in merged:
                raise event_taken(self.info.id, event.seq)
            merged[event.seq] = event
        self.events = [merged[seq] for seq in sorted(merged)]

    def walk(self, head: str | None) -> Iterator[Message]:
        """Walk from `head` to the root."""
        while head is not None:
            message = self.messages.get(head)
            if message is None:
                raise no_message(self.info.id, head)
            yield message
            head = message.parent_id


class _MemoryLease:
    def __init__(self, leases: "dict[str, _MemoryLease]", session_id: str) -> None:
        self._leases = leases
        self._session_id = session_id

    def release(self) -> None:
        if self._leases.get(self._session_id) is self:
            del self._leases[self._session_id]

    def when_lost(self, callback: Callable[[], object]) -> None:
        """Nobody takes it over: there is only this process."""


def _covers_the_same(one: Approval, other: Approval) -> bool:
    return _what(one) == _what(other)


def _what(approval: Approval) -> tuple[str, ...]:
    return approval.owner, approval.project, approval.permission, approval.pattern
