"""The ways to a server: a process's pipes, streamable HTTP, or the older SSE."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from .config import McpServer

if TYPE_CHECKING:
    import httpx2
    from mcp.client._transport import TransportStreams

HTTP_SECONDS = 30.0

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
    server: McpServer, kind: Literal["http", "sse"], auth: "httpx2.Auth | None"
) -> "AsyncGenerator[TransportStreams]":
    """The streams of a server that runs elsewhere."""
    # Imported here: the SDK takes a second or two, and most starts need no server.
    import httpx2
    from mcp.client.sse import sse_client
    from mcp.client.streamable_http import streamable_http_client

    def client(*_: Any, **__: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            headers=server.headers,
            auth=auth,
            # A call may take its time, and a stream may be silent for hours: limits are the caller's.
            timeout=httpx2.Timeout(HTTP_SECONDS, read=None),
            event_hooks={"response": [_note]},
        )

    if kind == "sse":
        async with sse_client(server.url, httpx_client_factory=client) as streams:
            yield streams
        return
    async with client() as http, streamable_http_client(server.url, http_client=http) as streams:
        yield streams


async def _note(response: "httpx2.Response") -> None:
    statuses = STATUSES.get()
    if statuses is not None:
        statuses.append(response.status_code)
