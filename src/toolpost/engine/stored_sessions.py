"""Create, open, copy and lock sessions in the store."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable

from msgspec import structs

from toolpost.store.contract import Lease, SessionInfo, Store
from toolpost.store.run_records import Holder, RunRecord
from toolpost.types.errors import SessionBusy, StoreFull
from toolpost.types.text import clean

from .recovery import close_run
from .session_setup import Setup
from .state import Core


async def create_session(store: Store, setup: Setup, session_id: str, *, title: str, parent: str | None) -> SessionInfo:
    now = time.time()
    info = SessionInfo(
        session_id,
        clean(title),
        str(setup.folder),
        owner=setup.owner,
        created=now,
        updated=now,
        parent=parent,
    )
    await store.create(info)
    return info


async def open_session(store: Store, session_id: str) -> tuple[SessionInfo, RunRecord | None]:
    """What is kept about it, and its open run. One of which too little is known to go on is closed first."""
    info = await store.info(session_id)
    record = await store.open_run(session_id) if info.open_run is not None else None
    if info.open_run is not None and not can_go_on(record):
        with contextlib.suppress(SessionBusy, StoreFull):
            async with leased(store, session_id):
                return await close_run(store, await store.info(session_id)), None
    return info, record


def can_go_on(record: RunRecord | None) -> bool:
    """False for a run of an older version, which kept nothing but its id."""
    return record is not None and record.began > 0


async def copy_session(store: Store, origin: SessionInfo, session_id: str, at: str | None) -> None:
    """Make a session with the history of `origin` up to message `at` (by default all of it)."""
    at, now = at or origin.head, time.time()
    fresh = {"created": now, "updated": now, "open_run": None, "run_seq": 0, "open_seq": 0, "seq": 0, "inbox": ()}
    info = structs.replace(origin, id=session_id, head=at, forked_from=origin.id, **fresh)
    await store.fork(origin.id, at, info)


class SessionLock:
    """Of one session. The lease of a run is kept until `release`; any other is held for one block."""

    def __init__(self, store: Store, session_id: str) -> None:
        self._store = store
        self._session_id = session_id
        self._lease: Lease | None = None
        self.in_process = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def held(self, core: Core) -> AsyncGenerator[None]:
        """Hold the session, as it is now, for a change beside a run. While it runs here it is held already."""
        async with self.in_process:
            if core.run is not None:
                yield
                return
            async with leased(self._store, self._session_id):
                await self._catch_up(core)
                yield

    @contextlib.asynccontextmanager
    async def held_idle(self, core: Core, what: str) -> AsyncGenerator[None]:
        """The same, while it does not run: a run that a dead process left is closed. Raises `SessionBusy` while it runs
        or waits for a person."""
        self._refuse_if_running(core, what)
        async with self.held(core):
            if core.run is None:
                await self._close_left(core, what)
            yield

    @contextlib.asynccontextmanager
    async def held_for_run(
        self, core: Core, *, instead_of: Holder | None = None, closes: bool = True
    ) -> AsyncGenerator[None]:
        """Take the lease for a run that is begun in this block; without one, because it failed, it is released. Where
        it `closes`, a run that a dead process left is closed."""
        async with self.in_process:
            self._refuse_if_running(core, "start a run")
            self._lease = await self._store.lease(self._session_id, instead_of=instead_of)
            try:
                await self._catch_up(core)
                if closes:
                    await self._close_left(core, "start a run")
                yield
            except BaseException:
                self.release()
                raise

    def when_lost(self, callback: Callable[[], None]) -> None:
        """Call `callback` if another process takes over what is held for a run."""
        lease = self._lease
        if lease is not None:
            lease.when_lost(lambda: callback() if self._lease is lease else None)

    def release(self) -> None:
        """Give the lease of the run back."""
        if self._lease is not None:
            self._lease.release()
            self._lease = None

    def forget_loop(self) -> None:
        """Locks belong to the loop in which they were first waited for, and each `run_sync` has a loop of its own."""
        self.in_process = asyncio.Lock()

    async def _catch_up(self, core: Core) -> None:
        """Another process may have moved the session on since we last wrote to it, or died while doing so."""
        await core.journal.flush()
        info = await self._store.info(self._session_id)
        record = await self._store.open_run(self._session_id) if info.open_run is not None else None
        known = core.journal.info
        if info != known or record != core.journal.record:
            core.journal.reload(info, record)
        if info.seq != known.seq or info.head != known.head:
            core.change_branch(await self._store.branch(self._session_id, info.head))

    async def _close_left(self, core: Core, what: str) -> None:
        """Close a run that nobody drives. One that waits, for a person or for its turn, is not given up like that."""
        info, record = core.journal.info, core.journal.record
        if info.open_run is None:
            return
        if record is not None and record.state in ("waiting", "queued") and record.is_started:
            raise SessionBusy(
                f"session {self._session_id} has a run that {_WAITS[record.state]}: answer it, resume it, or stop it "
                f"before you {what}"
            )
        core.journal.reload(await close_run(self._store, info), None)
        core.change_branch(await self._store.branch(self._session_id, core.journal.info.head))

    def _refuse_if_running(self, core: Core, what: str) -> None:
        if core.run is not None:
            text = f"session {self._session_id} is running: wait, `abort()` it, or `steer()` before you {what}"
            raise SessionBusy(text)


_WAITS = {"waiting": "waits for a person", "queued": "waits to be resumed"}


@contextlib.asynccontextmanager
async def leased(store: Store, session_id: str, *, instead_of: Holder | None = None) -> AsyncGenerator[None]:
    """Hold the session for writing. Raises `SessionBusy` where another holds it."""
    lease = await store.lease(session_id, instead_of=instead_of)
    try:
        yield
    finally:
        lease.release()
