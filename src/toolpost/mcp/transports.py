"""The ways to a server: a process's pipes, streamable HTTP, or the older SSE."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct

from toolpost.guard.redact import remember_named

from .config import McpServer
from .pipes import LONGEST_MESSAGE

if TYPE_CHECKING:
    import httpx2
    from mcp.client._transport import TransportStreams

HTTP_SECONDS = 30.0

_EVENT_END = re.compile(rb"\n\n|\r\n\r\n|\r\r")

# The HTTP statuses that the requests of one call met: the SDK's errors do not tell them.
STATUSES: ContextVar[list[int] | None] = ContextVar("toolpost_mcp_statuses", default=None)


class Way(Struct, frozen=True):
    """How to reach a server, and how to begin: "auto" tries the newest protocol first, "legacy" only the handshake."""

    kind: Literal["stdio", "http", "sse"]
    mode: Literal["auto", "legacy"]


def ways(server: McpServer) -> tuple[Way, ...]:
    """What to try, in turn: some servers die of a question that they do not know, and some addresses are SSE."""
    match server.transport:
        case "url":
            return Way("http", "auto"), Way("sse", "legacy"), Way("http", "legacy")
        case "sse":
            return (Way("sse", "legacy"),)
        case kind:
            return Way(kind, "auto"), Way(kind, "legacy")


@asynccontextmanager
async def remote(
    server: McpServer,
    kind: Literal["http", "sse"],
    auth: "httpx2.Auth | None",
    cut: Callable[[str], None] = lambda reason: None,
) -> "AsyncGenerator[TransportStreams]":
    """The streams of a server that runs elsewhere. `cut` is told why it is not read any further."""
    remember_named(server.headers)
    # Imported here: the SDK takes a second or two, and most starts need no server.
    import httpx2
    from mcp.client.sse import sse_client
    from mcp.client.streamable_http import streamable_http_client

    def client(*_: Any, **__: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            # Compressed, a small answer could become one of any size.
            headers={"accept-encoding": "identity", **server.headers},
            auth=auth,
            # A call may take its time, and a stream may be silent for hours: limits are the caller's.
            timeout=httpx2.Timeout(HTTP_SECONDS, read=None),
            event_hooks={"response": [_note, partial(_bound, cut)]},
            transport=pinned_transport(httpx2.URL(server.url).host, server.addresses) if server.addresses else None,
        )

    if kind == "sse":
        async with sse_client(server.url, httpx_client_factory=client) as streams:
            yield streams
        return
    async with client() as http, streamable_http_client(server.url, http_client=http) as streams:
        yield streams


def pinned_transport(host: str, addresses: Sequence[str]) -> "httpx2.AsyncBaseTransport":
    """Connects to these addresses for this host, and to nothing else. A proxy of the environment's goes before it."""
    import httpx2

    class Pinned(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if request.url.host != host:
                raise httpx2.ConnectError(f"the server may be asked at {host} only, not at {request.url.host}")
            failure: httpx2.TransportError | None = None
            for address in addresses:
                try:
                    return await super().handle_async_request(_at(request, address))
                except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                    failure = error
            raise failure or httpx2.ConnectError(f"{host} has no address")

    return Pinned()


def _at(request: "httpx2.Request", address: str) -> "httpx2.Request":
    """The same request for an address; its headers and its certificate are still those of the name."""
    import httpx2

    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.raw_host.decode("ascii")},
    )


async def _note(response: "httpx2.Response") -> None:
    statuses = STATUSES.get()
    if statuses is not None:
        statuses.append(response.status_code)


async def _bound(cut: Callable[[str], None], response: "httpx2.Response") -> None:
    """The SDK takes an answer whole, and an event of a stream as well, however long."""
    import httpx2

    if response.headers.get("content-encoding", "identity").lower() != "identity":
        cut("it sent a compressed answer, which nobody asked for")
        raise httpx2.DecodingError("the server sends its answer compressed, which nobody asked for")
    events = response.headers.get("content-type", "").lower().startswith("text/event-stream")
    response.stream = _bounded_stream(cast("httpx2.AsyncByteStream", response.stream), events, cut)


def _bounded_stream(
    inner: "httpx2.AsyncByteStream", events: bool, cut: Callable[[str], None]
) -> "httpx2.AsyncByteStream":
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            count, last = 0, b""
            async for chunk in inner:
                seen = last + chunk
                count, last = count + len(chunk), seen[-3:]
                if events and _EVENT_END.search(seen):
                    count = 0
                if count > LONGEST_MESSAGE:
                    reason = f"it sent a message of more than {LONGEST_MESSAGE:,} bytes"
                    cut(reason)
                    raise httpx2.ReadError(reason)
                yield chunk

        async def aclose(self) -> None:
            await inner.aclose()

    return Bounded()
