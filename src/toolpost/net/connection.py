"""One HTTP/1.1 connection on asyncio: httptools parses the response, this module owns the socket and its timer.

One request at a time. A response that is not read to its end closes the connection at once, because a model goes on
computing for as long as its socket is open.
"""

import asyncio
from collections.abc import Hashable
from typing import Protocol, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from .errors import BadResponse, BodyTooLarge, ResponseCut, ResponseStalled

BUFFER_LIMIT = 256 * 1024
HEAD_LIMIT = 64 * 1024
# What surrounds a chunk of one byte takes five more, and extensions of chunks are hardly ever used.
FRAMING_LIMIT, FRAMING_PER_BYTE = 64 * 1024, 16
LINGER_SECONDS = 0.5
# Up to here copying a body costs less than a second write to the socket.
ONE_WRITE = 64 * 1024


class ConnectionKeeper(Protocol):
    """Takes a connection back after its response was read."""

    def keep(self, connection: "HttpConnection") -> None: ...

    def linger(self, connection: "HttpConnection") -> None: ...

    def forget(self, connection: "HttpConnection") -> None: ...


class HttpConnection(asyncio.Protocol):
    """One socket and the response that is being read from it."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.lost = False
        self.idle_since = 0.0
        self.key: Hashable = None
        self._loop = asyncio.get_running_loop()
        self._keeper: ConnectionKeeper | None = None
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
        self._received = self._body_read = 0
        self._check_at = HEAD_LIMIT
        self._head_done = False
        self._complete = False
        self._reusable = False
        self._paused = False
        self._error: BaseException | None = None
        self._pieces.clear()

    async def send(self, head: bytes, body: bytes, idle_timeout: float) -> None:
        """Send one request and wait for the head of its response."""
        self._reset(idle_timeout)
        if self.transport is None or self.lost:
            raise ResponseCut("the connection is closed")
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
        """Return what has come of the body, or wait for it; b"" is its end."""
        while not self._pieces:
            if self._complete:
                return b""
            self._raise_if_broken()
            await self._wait()
        pieces = self._pieces
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        self._body_read += len(data)
        if self._paused and self.transport is not None:
            self._paused = False
            self.transport.resume_reading()
        return data

    def close(self) -> None:
        """Give the connection back if its response was read to the end, else close it."""
        if self._complete:
            self._give_back()
        else:
            self.abort()

    def release(self) -> None:
        """Like `close`, after the last event of interest: wait a moment for the end of the body itself."""
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
    def had_no_response(self) -> bool:
        """True if the server closed before a single byte: a kept connection that had gone stale."""
        return self.lost and not self._received

    def abort(self) -> None:
        self._stop_timer()
        if self.transport is not None:
            self.transport.abort()

    def adopt(self, keeper: ConnectionKeeper, key: Hashable) -> None:
        """From now on `keeper` takes the connection back, and finds it under `key`."""
        self._keeper, self.key = keeper, key

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._complete:
            # No request asked for this: kept, the connection would give it to the next one as its response.
            return self.abort()
        self._received += len(data)
        self._heard_at = self._loop.time()
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._fail(BadResponse("the server switched to another protocol"))
        except HttpParserError as error:
            if self._complete:
                # What follows a complete response is not read, and the connection is not kept.
                self.abort()
            else:
                self._fail(
                    BadResponse(f"the server does not speak HTTP/1.1 ({error}); is it http:// or https:// there?")
                )
        if self._received > self._check_at:
            self._check_size()
        if self._complete and self._keep_when_complete:
            return self._give_back()
        if self._waiter is not None:
            self._wake()
        elif self._is_buffer_full() and self.transport is not None:
            self._paused = True
            self.transport.pause_reading()
        return None

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._stop_timer()
        if self._head_done and exc is None and self._error is None and self._ends_with_connection():
            self._complete = True
        if not self._complete and self._error is None:
            self._error = exc or ResponseCut(
                "the connection was closed in the middle of the response"
                if self._received
                else "the connection was closed before a response came"
            )
        if self._keeper is not None:
            self._keeper.forget(self)
        self._wake()

    def on_message_begin(self) -> None:
        if self._complete:
            # The beginning of a response that no request asked for: the next request must not get it.
            self._reusable = False

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._head_done:
            return  # a trailer
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        if key not in self.headers:
            self.headers[key] = text
        elif key == "content-encoding":
            self.headers[key] += f", {text}"

    def on_headers_complete(self) -> None:
        if self._complete:
            raise BadResponse("a second response came")  # ends the parsing
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

    def _is_buffer_full(self) -> bool:
        # A response that is complete may be given back unread: its connection has to stay readable.
        return not self._paused and not self._complete and sum(map(len, self._pieces)) > BUFFER_LIMIT

    def _check_size(self) -> None:
        """Give up a head without end, and chunks that are nearly all framing: neither would ever reach the reader."""
        if not self._head_done:
            return self._fail(BadResponse(f"the head of the response is longer than {HEAD_LIMIT:,} bytes"))
        self._check_at = self._received + FRAMING_LIMIT
        # What is not read yet is counted only where it decides.
        if self._has_too_much_framing(self._body_read):
            body = self._body_read + sum(map(len, self._pieces))
            if self._has_too_much_framing(body):
                return self._fail(BodyTooLarge("what surrounds the chunks of the response goes on without end"))
        return None

    def _has_too_much_framing(self, body: int) -> bool:
        return self._received - body > HEAD_LIMIT + FRAMING_LIMIT + FRAMING_PER_BYTE * body

    def _fail(self, error: Exception) -> None:
        self._error = error
        self.abort()

    def _raise_if_broken(self) -> None:
        if self._error is not None:
            raise self._error

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        # While nobody waited, the silence was the reader's and not the server's.
        self._heard_at = self._loop.time()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _check_idle(self) -> None:
        """Check for silence with one timer for a request: a timer for every read would cost more than the read."""
        now = self._loop.time()
        heard = now if self._waiter is None else self._heard_at
        left = heard + self._idle_timeout - now
        if left > 0:
            self._timer = self._loop.call_later(left, self._check_idle)
            return
        self._error = ResponseStalled(f"no byte came for {self._idle_timeout:g} s")
        self.abort()
        self._wake()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
