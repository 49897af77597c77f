"""uvicorn's HTTP connection with limits on the size and time of a request's head, and on requests sent ahead."""

import asyncio
import re
from collections.abc import Container
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .settings import ServerSettings

# Requests that a client may send before the reply to the first; honest clients stay far below.
MAX_AHEAD = 32
HEAD_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\n"
UNREADABLE = b"HTTP/1.1 400 Bad Request\r\n"
TOLD = b'content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n{"error":{"message":"%s"}}'


def connection_class(settings: ServerSettings, sockets: Container[str] = ()) -> type[HttpToolsProtocol]:
    """A head is refused where it is larger than `head_bytes`, or not there after `head_seconds`. `sockets` are paths
    that become WebSockets; elsewhere a request for one is answered as any other."""

    class Configured(LimitedConnection):
        head_bytes = settings.head_bytes
        head_seconds = settings.head_seconds
        socket_paths = sockets

    return Configured


class LimitedConnection(HttpToolsProtocol):
    head_bytes: int
    head_seconds: float
    socket_paths: Container[str] = ()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._is_in_head = False
        self._has_just_begun = False
        self._unparsed = 0
        self._body = self._around_body = 0
        self._late: Any = None
        self._answering: Any = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        self._has_just_begun, before = False, self._body
        super().data_received(data)
        if not self._is_in_head and not self._has_just_begun and not self.transport.is_closing():
            # Extensions of chunks and trailers: nobody reads them, and the parser collects a field until it ends.
            self._around_body += len(data) - (self._body - before)
            if self._around_body > self.head_bytes + 16 * self._body:
                self._refuse(HEAD_TOO_LARGE, b"what surrounds the body of the request is too large")
                return
        if not self._is_in_head or self.transport.is_closing():
            return
        # Where the head began within this piece, what stands before it is not its own.
        self._unparsed += 0 if self._has_just_begun else len(data)
        if self._unparsed > self.head_bytes:
            self._refuse(HEAD_TOO_LARGE, b"the head of the request is too large")
        elif self._late is None:
            self._expect_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head, self._has_just_begun, self._unparsed = True, True, 0
        self._body = self._around_body = 0

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        super().on_body(body)

    def on_header(self, name: bytes, value: bytes) -> None:
        # A trailer is not a header: it was not checked, and nothing bounds it.
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        self._forget_late()
        if sum(len(name) + len(value) for name, value in self.headers) + len(self.url) > self.head_bytes:
            self._refuse(HEAD_TOO_LARGE, b"the head of the request is too large")
            raise ValueError
        if problem := self._problem_of_head():
            self._refuse(UNREADABLE, problem)
            raise ValueError
        if len(self.pipeline) >= MAX_AHEAD:
            self._refuse(UNREADABLE, b"too many requests at once on one connection")
            raise ValueError
        # A client that takes nothing is aborted: closing would wait until it has taken all.
        scope = cast("dict[str, Any]", self.scope)
        scope["toolpost.abort"] = self.transport.abort
        scope["toolpost.takes_at_once"] = self._takes_at_once
        scope["toolpost.gone"] = []
        super().on_headers_complete()
        # uvicorn reads no more once a request was sent ahead, and so would not see its client leave.
        self.flow.resume_reading()

    def send_400_response(self, msg: str) -> None:
        if not self.transport.is_closing():
            self._refuse(UNREADABLE, b"this is not a valid HTTP request")

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_late()
        # uvicorn tells only the last of several requests that were sent ahead.
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()
            for tell in tuple(self._answering.scope["toolpost.gone"]):
                tell()
        super().connection_lost(exc)

    def timeout_keep_alive_handler(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            super().timeout_keep_alive_handler()

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        cycle.transport = JoiningTransport(cycle.transport, self.loop)
        super()._start_asgi_task(cycle, app)

    def _should_upgrade(self) -> bool:
        path = self.url.partition(b"?")[0].decode("latin-1")
        is_get = self.parser is not None and self.parser.get_method() == b"GET"
        return is_get and path in self.socket_paths and super()._should_upgrade()

    def _unsupported_upgrade_warning(self) -> None:
        """No warning: the request is answered as any other."""

    def _problem_of_head(self) -> bytes:
        """An error text for a head that two parsers could read in two ways (request smuggling); else b""."""
        names = {name for name, _ in self.headers}
        if b"transfer-encoding" in names and self.parser and self.parser.get_http_version() == "1.0":
            return b"HTTP/1.0 has no transfer-encoding"
        _, is_absolute, rest = self.url.partition(b"://")
        if is_absolute and not self.url.startswith(b"/"):
            host = re.split(rb"[/?#]", rest, maxsplit=1)[0]
            if any(name == b"host" and value != host for name, value in self.headers):
                return b"the request is for another host than the header host says"
        return b""

    def _takes_at_once(self) -> bool:
        return not self.flow.write_paused

    def _expect_head(self) -> None:
        self._late = self.loop.call_later(self.head_seconds, self._is_late)

    def _is_late(self) -> None:
        if self._is_in_head:
            self._refuse(TOO_SLOW, b"the head of the request did not come in time")
        else:
            self.transport.close()

    def _forget_late(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _refuse(self, status: bytes, message: bytes) -> None:
        is_answering = self._answering is not None and not self._answering.response_complete
        if not is_answering:
            self.transport.write(status + TOLD % (len(message) + 24, message))
        self.transport.close()


class JoiningTransport:
    """Joins the head of a reply with the first piece of its body: uvicorn writes them one by one, and every write is a
    system call that wakes the client."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""
        self.write = self._write_first

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _write_first(self, data: bytes) -> None:
        self._held = data
        self.write = self._write_second
        self._loop.call_soon(self._flush)

    def _write_second(self, data: bytes) -> None:
        held, self._held = self._held, b""
        self.write = self._transport.write
        self._transport.write(held + data)

    def _flush(self) -> None:
        """Write the head alone: no body followed it at once."""
        if self._held and not self._transport.is_closing():
            self._write_second(b"")
