"""Create, open, copy and lock sessions in the store."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator

from msgspec import structs

from toolpost.store.contract import Lease, SessionInfo, Store
from toolpost.types.errors import SessionBusy
from toolpost.types.text import clean

from .recovery import recover
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


async def open_session(store: Store, session_id: str) -> SessionInfo:
    """What is kept about it. A run that a dead process left open is closed first."""
    info = await store.info(session_id)
    if info.open_run is not None:
        with contextlib.suppress(SessionBusy):
            async with _leased(store, session_id):
                return await recover(store, await store.info(session_id))
    return info


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
            async with _leased(self._store, self._session_id):
                await self._catch_up(core)
                yield

    @contextlib.asynccontextmanager
    async def held_idle(self, core: Core, what: str) -> AsyncGenerator[None]:
        """The same, while it does not run. Raises `SessionBusy` while it does."""
        self._refuse_if_running(core, what)
        async with self.held(core):
            yield

    @contextlib.asynccontextmanager
    async def held_for_run(self, core: Core) -> AsyncGenerator[None]:
        """Take the lease for a run that is begun in this block; without one, because it failed, it is released."""
        async with self.in_process:
            self._refuse_if_running(core, "start a run")
            self._lease = await self._store.lease(self._session_id)
            try:
                await self._catch_up(core)
                yield
            except BaseException:
                self.release()
                raise

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
        if info.open_run is not None:
            info = await recover(self._store, info)
        known = core.journal.info
        if info != known:
            core.journal.reload(info)
        if info.seq != known.seq or info.head != known.head:
            core.change_branch(await self._store.branch(self._session_id, info.head))

    def _refuse_if_running(self, core: Core, what: str) -> None:
        if core.run is not None:
            text = f"session {self._session_id} is running: wait, `abort()` it, or `steer()` before you {what}"
            raise SessionBusy(text)


@contextlib.asynccontextmanager
async def _leased(store: Store, session_id: str) -> AsyncGenerator[None, None]:
    """Hold the session for writing. Raises `SessionBusy` where another holds it."""
    lease = await store.lease(session_id)
    try:
        yield
    finally:
        lease.release()
