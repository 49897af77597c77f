"""One HTTP/1.1 connection over asyncio: llhttp (httptools) reads the wire, this file owns the socket and its clock.

One request at a time; an answer that is not read to its end is closed at once, because a model goes on computing
for as long as its socket is open.
"""

import asyncio
from typing import NamedTuple, Protocol, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

BUFFER_LIMIT = 256 * 1024
LINGER_SECONDS = 0.5
# Up to here copying a body costs less than a second write to the socket.
ONE_WRITE = 64 * 1024


class WireError(Exception):
    """The wire broke, in one of the ways below; a plain `OSError` comes through as it is."""


class Stalled(WireError):
    """No byte came for the idle timeout."""


class CutShort(WireError):
    """The connection ended in the middle of an answer."""


class BadWire(WireError):
    """What came is not HTTP/1.1."""


class ConnectTimeout(WireError):
    """The connection was not open in time."""


class ProxyRefused(WireError):
    """The proxy does not open the tunnel."""


class Address(NamedTuple):
    """Where a connection leads: connections with one address may stand in for each other."""

    scheme: str
    host: str
    port: int
    proxy: str = ""


class Keeper(Protocol):
    """Who takes a connection back after its answer was read."""

    def keep(self, connection: "Connection") -> None: ...

    def linger(self, connection: "Connection") -> None: ...

    def forget(self, connection: "Connection") -> None: ...


class Connection(asyncio.Protocol):
    """One socket and the answer that is being read from it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, address: Address) -> None:
        self.address = address
        self.transport: asyncio.Transport | None = None
        self.lost = False
        self.idle_since = 0.0
        self._loop = loop
        self._keeper: Keeper | None = None
        self._keep_when_complete = False
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._pieces: list[bytes] = []
        self._parser = HttpResponseParser(self)
        self._reset(0.0)

    def _reset(self, idle_timeout: float) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self._idle_timeout = idle_timeout
        self._heard_at = self._loop.time()
        self._any_byte = False
        self._head_done = False
        self._complete = False
        self._reusable = False
        self._paused = False
        self._error: BaseException | None = None
        self._pieces.clear()

    async def send(self, head: bytes, body: bytes, idle_timeout: float) -> None:
        """Send one request and wait for the head of its answer."""
        self._reset(idle_timeout)
        if self.transport is None or self.lost:
            raise CutShort("the connection is closed")
        self._timer = self._loop.call_later(idle_timeout, self._check_idle)
        if len(body) < ONE_WRITE:
            self.transport.write(head + body)
        else:
            self.transport.write(head)
            self.transport.write(body)
        while not self._head_done:
            self._raise_if_broken()
            await self._wait()

    async def read(self) -> bytes:
        """Give what has come, or wait for it; b"" is the whole answer's end."""
        while not self._pieces:
            if self._complete:
                return b""
            self._raise_if_broken()
            await self._wait()
        pieces = self._pieces
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        if self._paused and self.transport is not None:
            self._paused = False
            self.transport.resume_reading()
        return data

    def close(self) -> None:
        """Give the connection back where its answer was read to the end, and close it everywhere else."""
        if self._complete:
            self._give_back()
        else:
            self.abort()

    def release(self) -> None:
        """Like `close`, for an answer whose last event was read: wait a moment for the wire's own end of body."""
        if self._complete or self.lost:
            return self.close()
        self._pieces.clear()
        self._stop_timer()
        self._timer = self._loop.call_later(LINGER_SECONDS, self.abort)
        self._keep_when_complete = True
        if self._keeper is not None:
            self._keeper.linger(self)
        return None

    @property
    def never_answered(self) -> bool:
        """True where the peer closed before a single byte: a kept connection that had gone stale."""
        return self.lost and not self._any_byte

    def abort(self) -> None:
        self._stop_timer()
        if self.transport is not None:
            self.transport.abort()

    def adopt(self, keeper: Keeper) -> None:
        self._keeper = keeper

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._complete:
            # Nobody asked for this: kept, the connection would give it to the next request as its answer.
            return self.abort()
        self._any_byte = True
        self._heard_at = self._loop.time()
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade) as error:
            self._error = BadWire(f"the server does not speak HTTP/1.1: {error}")
            self.abort()
        if self._complete and self._keep_when_complete:
            return self._give_back()
        if self._waiter is not None:
            self._wake()
        elif not self._paused and sum(map(len, self._pieces)) > BUFFER_LIMIT and self.transport is not None:
            self._paused = True
            self.transport.pause_reading()
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._stop_timer()
        if self._head_done and exc is None and self._error is None and self._ends_with_connection():
            self._complete = True
        if not self._complete and self._error is None:
            self._error = exc or CutShort("the connection was closed in the middle of an answer")
        if self._keeper is not None:
            self._keeper.forget(self)
        self._wake()

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()
        if self.status < 200:
            self.headers.clear()
        else:
            self._head_done = True

    def on_body(self, body: bytes) -> None:
        self._pieces.append(body)

    def on_message_complete(self) -> None:
        if self._head_done:
            self._complete = True
            self._reusable = self._parser.should_keep_alive()
            self._stop_timer()

    def _ends_with_connection(self) -> bool:
        return "content-length" not in self.headers and "transfer-encoding" not in self.headers

    def _give_back(self) -> None:
        self._keep_when_complete = False
        self._stop_timer()
        if self._reusable and not self.lost and self._keeper is not None:
            self._pieces.clear()
            self._keeper.keep(self)
        else:
            self.abort()

    def _raise_if_broken(self) -> None:
        if self._error is not None:
            raise self._error

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _check_idle(self) -> None:
        """One timer a request, pushed on lazily: a timer for every read would cost more than the read."""
        now = self._loop.time()
        # While nobody waits, the silence is the reader's and not the server's.
        heard = now if self._waiter is None else self._heard_at
        left = heard + self._idle_timeout - now
        if left > 0:
            self._timer = self._loop.call_later(left, self._check_idle)
            return
        self._error = Stalled(f"no byte came for {self._idle_timeout:g} s")
        self.abort()
        self._wake()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
