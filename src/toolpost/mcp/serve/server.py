"""Serve MCP clients over stdio, or over HTTP with a token."""

import contextlib
import hmac
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from toolpost.types.errors import ToolpostError

from .handlers import ServedHost, make_server
from .logs import LogLevels
from .watched_resources import WatchedResources

if TYPE_CHECKING:
    from mcp.server import Server
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "::1", "localhost")
PATH = "/mcp"


async def serve_stdio(make_host: Callable[[], Awaitable[ServedHost]]) -> None:
    """Serve one client on stdin and stdout, until it leaves. Until then descriptor 1 is stderr for everybody else, so
    that no subprocess writes into the protocol; the host, whose files of tools may start one, is made after that."""
    from mcp.server.stdio import stdio_server

    try:
        async with stdio_server() as (read, write), _serving(await make_host()) as server:
            await server.run(read, write, server.create_initialization_options())
    except BaseExceptionGroup as failures:
        # What keeps the host from being made is wrapped by the tasks that read and write.
        refused, _ = failures.split(ToolpostError)
        while isinstance(refused, BaseExceptionGroup):
            refused = refused.exceptions[0]
        raise refused or failures from None


async def serve_http(
    host: ServedHost, address: str, port: int, token: str, on_listening: Callable[[str], None] = lambda url: None
) -> None:
    """Serve clients that know the token, until stopped. Port 0 takes a free one; `on_listening` gets the address."""
    import uvicorn

    listening = socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    shown, port = f"[{address}]" if ":" in address else address, listening.getsockname()[1]
    on_listening(f"http://{shown}:{port}{PATH}")
    async with _serving(host) as server:
        inner = server.streamable_http_app(streamable_http_path=PATH, host=address)
        own = (shown, "127.0.0.1", "localhost", "[::1]") if address in LOOPBACK else (shown,)
        app = _Guarded(inner, token, frozenset(f"http://{name}:{port}" for name in own))
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
        with contextlib.closing(listening):
            await uvicorn.Server(config).serve(sockets=[listening])


@asynccontextmanager
async def _serving(host: ServedHost) -> "AsyncGenerator[Server]":
    levels, watched = LogLevels(), WatchedResources()
    with levels.attached():
        async with watched.running():
            yield make_server(host, levels, watched)


class _Guarded:
    """Check the token, and the origin of requests from browsers."""

    def __init__(self, app: "ASGIApp", token: str, origins: frozenset[str]) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()
        self._origins = origins

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        from starlette.responses import PlainTextResponse

        if scope["type"] == "http":
            headers: dict[bytes, bytes] = dict(scope["headers"])
            if not hmac.compare_digest(headers.get(b"authorization", b""), self._expected):
                refused = PlainTextResponse("a token is required\n", 401, {"WWW-Authenticate": "Bearer"})
                return await refused(scope, receive, send)
            if b"origin" in headers and headers[b"origin"].decode("latin-1").lower() not in self._origins:
                return await PlainTextResponse("requests from other web pages are not allowed\n", 403)(
                    scope, receive, send
                )
        return await self._app(scope, receive, send)
