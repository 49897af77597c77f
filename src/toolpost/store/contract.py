"""The contract of a store: sessions, their messages and events, saved approvals, records of accounts; the errors that
all stores raise.

Everything a session changes reaches the store as one `SessionChanges`, which is one transaction. With `barrier` it is
on disk when `commit` returns; without, it is safe from the death of the process but not of the machine.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Protocol

from msgspec import UNSET, Struct, UnsetType

from toolpost.types.errors import MessageNotFound, StoreError
from toolpost.types.events import Event
from toolpost.types.messages import CompactionPart, Message, Usage

from .account_records import AccountStore
from .run_records import Holder, Prompt, RunRecord, RunStore

CLOSED_TEXT = "the store is closed: open it again"


class SessionInfo(Struct, frozen=True, omit_defaults=True):
    """The stored info of a session, beside its messages. `head` is the message that the next one follows.

    `open_run` is set while a run is under way, `run_seq` is the event that began it, and `open_seq` the one that began
    its last message: what is needed to tidy up after a process that died, and to show a run from its beginning.
    `owner` is the user of a server for several; elsewhere there is only one, "".
    """

    id: str
    title: str = ""
    folder: str = ""
    model: str = ""
    agent: str = ""
    owner: str = ""
    created: float = 0.0
    updated: float = 0.0
    head: str | None = None
    forked_from: str | None = None
    parent: str | None = None
    open_run: str | None = None
    run_seq: int = 0
    open_seq: int = 0
    seq: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0
    inbox: tuple[Prompt, ...] = ()
    metadata: dict[str, Any] | None = None


class Exchange(Struct, frozen=True, omit_defaults=True):
    """One request to a model and what came back, bounded, for `toolpost trace`. Secrets are never in it."""

    message_id: str
    url: str
    status: int
    sent_at: float
    first_byte_at: float
    ended_at: float
    sent_bytes: int
    received_bytes: int
    sent: str = ""
    received: str = ""


class Approval(Struct, frozen=True, omit_defaults=True):
    """A saved `always`: it answers its owner's ask for this permission and pattern in this project, never a deny.

    `fingerprint` is that of the tool that was approved, where it has one, and `described` what it said of itself then.
    """

    id: str
    project: str
    permission: str
    pattern: str
    time: float = 0.0
    owner: str = ""
    fingerprint: str = ""
    described: str = ""


class SessionHit(Struct, frozen=True, omit_defaults=True):
    """Where a search found its text: `snippet` is the text around it."""

    session_id: str
    message_id: str
    role: str
    time: float
    snippet: str


class SessionChanges(Struct, frozen=True):
    """What a session changes in one transaction. `run` takes the place of its open run; None deletes it."""

    session_id: str
    info: SessionInfo | None = None
    messages: Sequence[Message] = ()
    events: Sequence[Event] = ()
    exchanges: Sequence[Exchange] = ()
    barrier: bool = False
    run: RunRecord | UnsetType | None = UNSET


class EventNotice(Struct, frozen=True):
    """There are new events of a session, up to `seq`. Without a session: look at all that you follow."""

    session_id: str | None
    seq: int = 0


class Signal(Struct, frozen=True):
    """A message to the process that runs a session. It is not stored.

    Without a session id it means that from now on every signal is received.
    """

    session_id: str
    body: bytes = b""


class StoredObject(Struct, frozen=True, omit_defaults=True):
    """An object of the gateway's API that clients name later: a response, or a conversation. `body` is its JSON.
    `previous` is the one that it follows. Ids are unique for an owner: nobody else's object is ever found."""

    id: str
    owner: str
    kind: str
    time: float
    body: bytes
    previous: str | None = None


# More objects than this never follow each other; it ends a walk over ones that follow themselves.
MAX_CHAIN = 10_000


class ObjectLimits(Struct, frozen=True):
    """What is kept of one owner's objects: so many, so many bytes in all, and none from before `since`."""

    most: int
    most_bytes: int
    since: float = 0.0


class Lease(Protocol):
    """The right to write to a session. It ends with `release`, with the process, or when another process takes the
    session over because this one was frozen: then its commits raise `SessionTakenOver`."""

    def release(self) -> None: ...

    def when_lost(self, callback: Callable[[], object]) -> None:
        """Call `callback`, in the event loop that took the lease, once another process has taken the session over."""
        ...


class Store(AccountStore, RunStore, Protocol):
    """Every method may be called from many tasks at once. Ids that do not exist raise `SessionNotFound`."""

    @property
    def durable(self) -> bool:
        """False if nothing outlives the process: then barriers cost nothing and exchanges are not kept."""
        ...

    async def create(self, info: SessionInfo) -> None: ...

    async def info(self, session_id: str) -> SessionInfo: ...

    async def update(self, info: SessionInfo) -> None:
        """Replace the info of a session that is not running (rename, pin); a running one uses `commit`."""
        ...

    async def commit(self, changes: SessionChanges) -> None: ...

    async def lease(self, session_id: str, *, instead_of: Holder | None = None) -> Lease:
        """Take the session for writing or raise `SessionBusy`. What a dead process held is free.

        `instead_of` is a holder that is frozen: the session is taken from it if it has not moved its `beat` since.
        """
        ...

    async def branch(self, session_id: str, head: str | None) -> list[Message]:
        """The messages from the root to `head`, but none before the last compaction's `kept_from`."""
        ...

    async def last_messages(self, session_id: str, head: str | None, limit: int) -> list[Message]:
        """The last `limit` messages on the way from the root to `head`, over compactions too. Those before them end at
        the parent of the first."""
        ...

    async def message(self, session_id: str, message_id: str) -> Message: ...

    def messages(self, session_id: str) -> AsyncIterator[Message]:
        """All messages of all branches in the order in which they were made."""
        ...

    def events(self, session_id: str, after: int = 0) -> AsyncIterator[Event]:
        """The kept events with `seq` greater than `after`, in order."""
        ...

    def follow(self) -> AsyncIterator[EventNotice]:
        """Tells of new events of any session, whichever process committed them; then read `events` after your last.

        The first notice names no session: from then on nothing is missed. So does each notice after a gap, when the
        database was out of reach. Several commits may come as one notice, and one commit twice.
        """
        ...

    def exchanges(self, session_id: str) -> AsyncIterator[Exchange]: ...

    def sessions(
        self, *, folder: str | None = None, owner: str | None = None, query: str = ""
    ) -> AsyncIterator[SessionInfo]:
        """Newest first; `query` is looked for in titles. Without an owner, everybody's."""
        ...

    def search(
        self, query: str, *, session_id: str | None = None, owner: str | None = None
    ) -> AsyncIterator[SessionHit]:
        """Messages whose text, reasoning, arguments or results contain `query`, in any ASCII case; newest first.

        Without an owner, everybody's. With one, a session of somebody else is not there.
        """
        ...

    async def fork(self, session_id: str, at: str | None, info: SessionInfo) -> None:
        """Make `info` a new session whose branch is the path of `session_id` up to `at`."""
        ...

    async def delete(self, session_id: str) -> None: ...

    def export(self, session_id: str) -> AsyncIterator[bytes]:
        """Export the session as JSON, piece by piece."""
        ...

    async def restore(self, source: AsyncIterator[bytes], *, owner: str | None = None) -> SessionInfo:
        """Import what `export` gave, under a new id if the old one is taken. It becomes `owner`'s, where one is given:
        who brings a document along can write any name into it."""
        ...

    async def approvals(self, project: str | None = None, owner: str | None = None) -> list[Approval]:
        """The oldest first. Without a project those of all, without an owner everybody's."""
        ...

    async def approve(self, approvals: Sequence[Approval]) -> None:
        """Save them. Each takes the place of the one that says the same for its owner and project."""
        ...

    async def revoke(self, approval_id: str) -> bool: ...

    async def put_object(self, stored: StoredObject, limits: ObjectLimits) -> None:
        """Keep it, in the place of one of its id. Of its owner's objects the oldest are deleted that are over the
        limits; this one is not, unless it is larger than all may be together."""
        ...

    async def find_object(self, owner: str, kind: str, object_id: str) -> StoredObject | None: ...

    async def object_chain(self, owner: str, kind: str, object_id: str) -> list[StoredObject]:
        """The object after all that it follows, as far as they are kept; nothing where there is no such object."""
        ...

    async def change_object(
        self, owner: str, kind: str, object_id: str, edit: Callable[[bytes], bytes], time: float, limits: ObjectLimits
    ) -> bool:
        """Replace the body by what `edit` makes of it, with nobody changing it in between; `edit` may be called twice
        and in another thread. The limits hold as in `put_object`. False where there is no such object."""
        ...

    async def delete_object(self, owner: str, kind: str, object_id: str) -> bool: ...

    async def signal(self, signal: Signal) -> None:
        """Tell all who listen now; if nobody does, it is gone. Nobody looks whether there is such a session.

        Only PostgreSQL reaches other processes; elsewhere the listeners of this very store hear it. At most
        `signals.MAX_BODY_BYTES` of body.
        """
        ...

    def signals(self) -> AsyncIterator[Signal]:
        """What is told to any session, each signal once and in the order of one sender.

        The first names no session: from then on nothing is missed. So does the first after a gap, when the database
        was out of reach. A listener that is far behind misses what is too much for its queue.
        """
        ...

    async def close(self) -> None: ...


def keeps_from(message: Message) -> str | None:
    """The id where a walk to the root that met `message` ends; None if the message does not compact."""
    for part in message.parts:
        if type(part) is CompactionPart:
            return part.kept_from or message.id
    return None


def event_taken(session_id: str, seq: int) -> StoreError:
    """Two writers of one session would show here first: refuse, rather than keep two events under one `seq`."""
    return StoreError(f"session {session_id} already has an event {seq}: does another process run the session?")


def already_there(session_id: str) -> StoreError:
    return StoreError(f"there is already a session {session_id}: choose another id")


def no_message(session_id: str, message_id: str) -> StoreError:
    return MessageNotFound(session_id, message_id)


def busy_text(session_id: str, holder: str) -> str:
    return (
        f"session {session_id} has a run in {holder}: "
        "wait until that run has ended, stop it, or fork the session to go on at once"
    )
