"""Connect to MCP servers over stdio, streamable HTTP or SSE."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from functools import partial
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct

from toolpost.guard.redact import known_redactor, remember_named

from .config import McpServer
from .errors import HttpFailure
from .stdio import MAX_MESSAGE
from .tools import one_line

if TYPE_CHECKING:
    import httpx2
    from mcp.client._transport import TransportStreams

log = logging.getLogger("toolpost.mcp")

HTTP_SECONDS = 30.0
FAILURE_SECONDS = 10.0  # for the text of a failure
MAX_FAILURE = 300
MAX_READ = 20_000

_EVENT_END = re.compile(rb"\n\n|\r\n\r\n|\r\r")

_TAG = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL | re.IGNORECASE)
_HEARD: ContextVar[list[HttpFailure] | None] = ContextVar("toolpost_mcp_failures", default=None)


@contextmanager
def heard_failures() -> Generator[list[HttpFailure]]:
    """Collect the failures of HTTP requests in this task and the tasks that it starts."""
    failures: list[HttpFailure] = []
    token = _HEARD.set(failures)
    try:
        yield failures
    finally:
        _HEARD.reset(token)


class ConnectMode(Struct, frozen=True):
    """How to reach a server, and how to begin: "auto" tries the newest protocol first, "legacy" only the handshake."""

    kind: Literal["stdio", "http", "sse"]
    mode: Literal["auto", "legacy"]


def ways(server: McpServer) -> tuple[ConnectMode, ...]:
    """What to try, in turn: some servers die of a question that they do not know, and some addresses are SSE."""
    match server.transport:
        case "url":
            return ConnectMode("http", "auto"), ConnectMode("sse", "legacy"), ConnectMode("http", "legacy")
        case "sse":
            return (ConnectMode("sse", "legacy"),)
        case kind:
            return ConnectMode(kind, "auto"), ConnectMode(kind, "legacy")


@asynccontextmanager
async def remote(
    server: McpServer,
    kind: Literal["http", "sse"],
    auth: "httpx2.Auth | None",
    cut: Callable[[str], None] = lambda reason: None,
) -> "AsyncGenerator[TransportStreams]":
    """Open the streams of a remote server. `cut` gets the reason if reading stops."""
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
            event_hooks={"response": [partial(_bound, cut), partial(_note, server, kind)]},
            transport=pinned_transport(httpx2.URL(server.url).host, server.addresses) if server.addresses else None,
        )

    if kind == "sse":
        async with sse_client(server.url, httpx_client_factory=client) as streams:
            yield streams
        return
    async with client() as http, streamable_http_client(server.url, http_client=http) as streams:
        yield streams


def missing_scope(response: "httpx2.Response") -> str | None:
    """What a login would have to allow for this request; None where that is not why it was refused."""
    from mcp.client.auth.utils import extract_field_from_www_auth, extract_scope_from_www_auth

    if response.status_code != HTTPStatus.FORBIDDEN:
        return None
    if extract_field_from_www_auth(response, "error") != "insufficient_scope":
        return None
    return one_line(extract_scope_from_www_auth(response) or "")[:MAX_FAILURE]


def pinned_transport(host: str, addresses: Sequence[str]) -> "httpx2.AsyncBaseTransport":
    """Connects to these addresses for this host, and to nothing else. A proxy of the environment's goes before it."""
    import httpx2

    class Pinned(httpx2.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            if request.url.host != host:
                raise httpx2.ConnectError(f"requests to this server may go to {host} only, not to {request.url.host}")
            failure: httpx2.TransportError | None = None
            for address in addresses:
                try:
                    return await super().handle_async_request(_at(request, address))
                except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                    failure = error
            raise failure or httpx2.ConnectError(f"{host} has no address")

    return Pinned()


def _at(request: "httpx2.Request", address: str) -> "httpx2.Request":
    """Copy the request for an address; headers and certificate stay those of the host name."""
    import httpx2

    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.raw_host.decode("ascii")},
    )


async def _note(server: McpServer, kind: str, response: "httpx2.Response") -> None:
    """Keep the text of an error response, which the SDK's errors lack. Responses of login servers are left out."""
    heard, request = _HEARD.get(), response.request
    if response.status_code < HTTPStatus.BAD_REQUEST or (kind == "http" and str(request.url) != server.url):
        return
    async with asyncio.timeout(FAILURE_SECONDS):
        await response.aread()
    failure = HttpFailure(response.status_code, _said(response), missing_scope(response))
    # That there is nothing to listen to, or no session to end, is no failure.
    level = logging.DEBUG if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED else logging.INFO
    log.log(level, "MCP server %s answered a %s with %s", server.name, request.method, failure)
    if heard is not None and level != logging.DEBUG:
        heard.append(failure)


def _said(response: "httpx2.Response") -> str:
    text = response.text[:MAX_READ]
    if "html" in response.headers.get("content-type", "").lower():
        text = unescape(_TAG.sub(" ", text))
    return one_line(known_redactor().text(text))[:MAX_FAILURE]


async def _bound(cut: Callable[[str], None], response: "httpx2.Response") -> None:
    """The SDK takes an answer whole, and an event of a stream as well, however long."""
    import httpx2

    if response.headers.get("content-encoding", "identity").lower() != "identity":
        cut("it sent a compressed response, which was not requested")
        raise httpx2.DecodingError("the server sent a compressed response, which was not requested")
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
                if count > MAX_MESSAGE:
                    reason = f"it sent a message of more than {MAX_MESSAGE:,} bytes"
                    cut(reason)
                    raise httpx2.ReadError(reason)
                yield chunk

        async def aclose(self) -> None:
            await inner.aclose()

    return Bounded()
