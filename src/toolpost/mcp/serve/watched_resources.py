"""Notify MCP clients when the files behind resources that they subscribed to change."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from toolpost.types.errors import ToolError

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

log = logging.getLogger("toolpost.mcp")

MAX_OF_ONE = 100
MAX_SUBSCRIPTIONS = 1_000  # with more, the oldest go: clients leave without a word
LOOK_SECONDS = 1.0

# When it was changed, and its size; None where there is none.
_State = tuple[int, int] | None


class WatchedResources:
    """Looks at the files while it is `running`. A client that has gone is forgotten with the first change."""

    def __init__(self) -> None:
        self._files: dict[tuple[str, str], tuple[str, _State, ServerSession]] = {}

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            looking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await looking

    def add(self, client: str, uri: str, path: str, session: "ServerSession") -> None:
        self._files.pop((client, uri), None)
        if sum(one == client for one, _ in self._files) >= MAX_OF_ONE:
            raise ToolError(f"you have {MAX_OF_ONE} subscriptions: unsubscribe from one first")
        self._files[client, uri] = path, _state(path), session
        while len(self._files) > MAX_SUBSCRIPTIONS:
            del self._files[next(iter(self._files))]

    def remove(self, client: str, uri: str) -> None:
        self._files.pop((client, uri), None)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for key, (path, before, session) in list(self._files.items()):
                now = _state(path)
                if now != before and key in self._files:
                    self._files[key] = path, now, session
                    await self._tell(key, session)

    async def _tell(self, key: tuple[str, str], session: "ServerSession") -> None:
        try:
            await session.send_resource_updated(key[1])
        except Exception:  # the SDK raises its own kinds for a client that has gone
            log.debug("an MCP client was not told of a change", exc_info=True)
            self._files.pop(key, None)


def _state(path: str) -> _State:
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
