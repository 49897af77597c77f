"""The events of a session that another process runs, as the store tells of them."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from toolpost.store.contract import EventNotice, Store
from toolpost.types.events import Event, RunEnd

# A session of which nothing was heard for so long may be one whose process has died.
SILENT_SECONDS = 20.0


async def events_elsewhere(
    store: Store, session_id: str, after: int, tidy_up: Callable[[], Awaitable[None]]
) -> AsyncGenerator[Event, None]:
    """Every event after `after` until the session is settled. `tidy_up` is called where it has long been silent."""
    last: Event | None = None
    async with aclosing(_Told(store, session_id)) as told:
        is_silent = False
        while True:
            async for event in store.events(session_id, after):
                after, last = event.seq, event
                is_silent = False
                yield event
            info = await store.info(session_id)
            if info.seq > after:
                continue
            # Between a run and the next one in the queue none is open, but the session is not settled.
            if info.open_run is None and (is_silent or not isinstance(last, RunEnd)):
                return
            is_silent = not await told.something()
            if is_silent:
                await tidy_up()


class _Told:
    """Waits for news of one session. Listens from the first wait on."""

    def __init__(self, store: Store, session_id: str) -> None:
        self._store = store
        self._session_id = session_id
        self._notices: AsyncGenerator[EventNotice, None] | None = None
        self._next: asyncio.Future[EventNotice] | None = None

    async def something(self) -> bool:
        """Return when there may be news; False where there was none for `SILENT_SECONDS`."""
        deadline = asyncio.get_running_loop().time() + SILENT_SECONDS
        while True:
            if self._notices is None:
                self._notices = _generator(self._store)
            if self._next is None:
                self._next = asyncio.ensure_future(anext(self._notices))
            left = deadline - asyncio.get_running_loop().time()
            await asyncio.wait({self._next}, timeout=max(0.0, left))
            if not self._next.done():
                return False
            notice, self._next = self._next.result(), None
            if notice.session_id in (None, self._session_id):
                return True

    async def aclose(self) -> None:
        if self._next is not None:
            self._next.cancel()
            await asyncio.wait({self._next})
        if self._notices is not None:
            await self._notices.aclose()


async def _generator(store: Store) -> AsyncGenerator[EventNotice, None]:
    async for notice in store.follow():
        yield notice
