"""Create, open and copy sessions in the store."""

import contextlib
import time

from msgspec import structs

from toolpost.store.contract import SessionInfo, Store
from toolpost.types.errors import SessionBusy
from toolpost.types.text import clean

from .recovery import recover
from .session_lock import leased
from .session_setup import Setup


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
            async with leased(store, session_id):
                return await recover(store, await store.info(session_id))
    return info


async def copy_session(store: Store, origin: SessionInfo, session_id: str, at: str | None) -> None:
    """Make a session with the history of `origin` up to message `at` (by default all of it)."""
    at, now = at or origin.head, time.time()
    fresh = {"created": now, "updated": now, "open_run": None, "run_seq": 0, "open_seq": 0, "seq": 0, "inbox": ()}
    info = structs.replace(origin, id=session_id, head=at, forked_from=origin.id, **fresh)
    await store.fork(origin.id, at, info)
