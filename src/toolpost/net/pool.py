"""Keep the connections of an event loop for reuse, and send requests on them or on new ones."""

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

from .connection import HttpConnection
from .dial import MACHINE, AddressCheck, Dialer, Endpoint, open_connection
from .errors import ResponseCut

POOL_IDLE_SECONDS = 60.0

_pools: "dict[asyncio.AbstractEventLoop, ConnectionPool]" = {}


class ConnectionPool:
    """The connections of one event loop, by their endpoints. They are closed with the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._idle: dict[Endpoint, list[HttpConnection]] = {}
        # Those whose last event was read and whose body has not quite ended.
        self._lingering: set[HttpConnection] = set()
        self._closer = _close_with_loop(self)

    async def watch_loop(self) -> None:
        await anext(self._closer)

    async def send(
        self, endpoint: Endpoint, head: bytes, body: bytes, *, connect_timeout: float | None, idle_timeout: float
    ) -> HttpConnection:
        """Send a request on a kept connection, or on a new one, and wait for the head of its response."""
        while (kept := self._take(endpoint)) is not None:
            try:
                return await _begin(kept, head, body, idle_timeout)
            except (OSError, ResponseCut):
                if not kept.had_no_response:
                    raise
        connection = await open_connection(endpoint, connect_timeout, None, MACHINE)
        connection.adopt(self, endpoint)
        return await _begin(connection, head, body, idle_timeout)

    def linger(self, connection: HttpConnection) -> None:
        self._lingering.add(connection)

    def keep(self, connection: HttpConnection) -> None:
        self._lingering.discard(connection)
        now = connection.idle_since = self._loop.time()
        kept = self._idle.setdefault(cast("Endpoint", connection.key), [])
        kept.append(connection)
        # The last one is taken first, so those that are not needed grow old at the front.
        while kept[0].idle_since < now - POOL_IDLE_SECONDS:
            kept.pop(0).abort()

    def forget(self, connection: HttpConnection) -> None:
        self._lingering.discard(connection)
        kept = self._idle.get(cast("Endpoint", connection.key))
        if kept and connection in kept:
            kept.remove(connection)

    def close(self) -> None:
        for kept in self._idle.values():
            for connection in kept:
                connection.abort()
        self._idle.clear()
        for connection in list(self._lingering):
            connection.abort()

    async def aclose(self) -> None:
        self.close()
        await self._closer.aclose()

    def _take(self, endpoint: Endpoint) -> HttpConnection | None:
        kept = self._idle.get(endpoint)
        oldest = self._loop.time() - POOL_IDLE_SECONDS
        while kept:
            connection = kept.pop()
            if connection.idle_since >= oldest and not connection.lost:
                return connection
            connection.abort()
        return None


async def pool_of_loop() -> ConnectionPool:
    """Return the pool of the running loop."""
    loop = asyncio.get_running_loop()
    pool = _pools.get(loop)
    if pool is None:
        # Other threads may do the same for loops of their own.
        for other in [other for other in list(_pools) if other.is_closed()]:
            _pools.pop(other, None)
        pool = _pools[loop] = ConnectionPool(loop)
        await pool.watch_loop()
    return pool


async def close_pool() -> None:
    """Close the kept connections of the running loop; they are also closed when it shuts down."""
    pool = _pools.pop(asyncio.get_running_loop(), None)
    if pool is not None:
        await pool.aclose()


async def send_once(
    endpoint: Endpoint,
    head: bytes,
    body: bytes,
    *,
    connect_timeout: float | None,
    idle_timeout: float,
    check: AddressCheck,
    dialer: Dialer,
) -> HttpConnection:
    """Send a request on a connection of its own: `check` has allowed it for this request and for no other."""
    connection = await open_connection(endpoint, connect_timeout, check, dialer)
    return await _begin(connection, head, body, idle_timeout)


async def _begin(connection: HttpConnection, head: bytes, body: bytes, idle_timeout: float) -> HttpConnection:
    try:
        await connection.send(head, body, idle_timeout)
    except BaseException:
        connection.abort()
        raise
    return connection


async def _close_with_loop(pool: ConnectionPool) -> AsyncGenerator[None]:
    """Close the pool with its loop: a loop that shuts down closes its async generators."""
    try:
        yield
    finally:
        pool.close()
        await asyncio.sleep(0)
