"""Wait until runs end that other processes drive: what the store tells of their sessions is followed."""

import asyncio
import contextlib
import logging

from toolpost.store.contract import Store
from toolpost.types.errors import StoreError

log = logging.getLogger("toolpost.cli")

# A run tells of each step it takes; it is looked at no more often than this.
SECONDS_BETWEEN_LOOKS = 0.2
SECONDS_UNTIL_RETRY = 1.0


class RunEndings:
    """Use it in an `async with`, which ends the following."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed: dict[str, asyncio.Event] = {}
        self._is_stopped = False
        self._following: asyncio.Task[None] | None = None

    async def wait(self, session_id: str, run_id: str) -> bool:
        """True once the run is not open any more; False if it was `stop`ped before."""
        changed = self._changed[session_id] = asyncio.Event()
        try:
            while not self._is_stopped:
                changed.clear()
                if (await self._store.info(session_id)).open_run != run_id:
                    return True
                await changed.wait()
                await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        finally:
            del self._changed[session_id]
        return False

    def stop(self) -> None:
        """Let everybody go who waits."""
        self._is_stopped = True
        self._tell_all()

    async def __aenter__(self) -> "RunEndings":
        self._following = asyncio.create_task(self._follow())
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._following is not None
        self._following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._following

    async def _follow(self) -> None:
        while True:
            try:
                async for notice in self._store.follow():
                    if notice.session_id is None:
                        self._tell_all()
                    elif (changed := self._changed.get(notice.session_id)) is not None:
                        changed.set()
            except StoreError as error:
                log.warning("the store can't be followed now: %s", error)
            await asyncio.sleep(SECONDS_UNTIL_RETRY)

    def _tell_all(self) -> None:
        for changed in self._changed.values():
            changed.set()
