"""`toolpost mcp serve`: our own tools for any MCP client, over stdio, or over HTTP with a token."""

import asyncio
import contextlib
import hmac
import logging
import socket
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from toolpost.tools.define import Tool
from toolpost.types.errors import PermissionDenied, ToolError, ToolpostError
from toolpost.types.messages import Content, TextPart

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession
    from mcp.types import CallToolRequestParams, CallToolResult, ContentBlock, ListToolsResult, PaginatedRequestParams
    from starlette.types import ASGIApp, Receive, Scope, Send

log = logging.getLogger("toolpost.mcp")

LOOPBACK = ("127.0.0.1", "::1", "localhost")
PATH = "/mcp"
LONGEST_MESSAGE = 500
MOST_WAITING = 100  # messages that a client has not taken yet


class Host(Protocol):
    """Whose tools are served. `call` may raise `ToolError` or `PermissionDenied`, and is cancelled with its request."""

    async def tools(self) -> Sequence[Tool]: ...

    async def call(
        self, name: str, arguments: dict[str, Any], on_update: Callable[[str], None]
    ) -> Sequence[Content]: ...


async def serve_stdio(make_host: Callable[[], Awaitable[Host]]) -> None:
    """Serve one client on stdin and stdout, until it leaves. Until then descriptor 1 is stderr for everybody else, so
    that no subprocess writes into the protocol; the host, whose files of tools may start one, is made after that."""
    from mcp.server.stdio import stdio_server

    try:
        async with stdio_server() as (read, write):
            server = make_server(await make_host())
            await server.run(read, write, server.create_initialization_options())
    except BaseExceptionGroup as failures:
        # What keeps the host from being made is wrapped by the tasks that read and write.
        refused, _ = failures.split(ToolpostError)
        while isinstance(refused, BaseExceptionGroup):
            refused = refused.exceptions[0]
        raise refused or failures from None


async def serve_http(
    host: Host, address: str, port: int, token: str, on_listening: Callable[[str], None] = lambda url: None
) -> None:
    """Serve clients that know the token, until stopped. Port 0 takes a free one; `on_listening` gets the address."""
    import uvicorn

    listening = socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    shown = f"[{address}]" if ":" in address else address
    on_listening(f"http://{shown}:{listening.getsockname()[1]}{PATH}")
    app = _Guarded(make_server(host).streamable_http_app(streamable_http_path=PATH, host=address), token)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2)
    with contextlib.closing(listening):
        await uvicorn.Server(config).serve(sockets=[listening])


def make_server(host: Host) -> "Server":
    # Imported here, and everything of the SDK below: it takes a second or two.
    from importlib.metadata import version

    from mcp import types
    from mcp.server import Server

    async def list_tools(
        ctx: "ServerRequestContext[Any]", params: "PaginatedRequestParams | None"
    ) -> "ListToolsResult":
        return types.ListToolsResult(tools=[_described(tool) for tool in await host.tools()])

    async def call_tool(ctx: "ServerRequestContext[Any]", params: "CallToolRequestParams") -> "CallToolResult":
        try:
            with _progress(ctx.session) as on_update:
                content = await host.call(params.name, params.arguments or {}, on_update)
        except (ToolError, PermissionDenied) as error:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(error))], is_error=True)
        return types.CallToolResult(content=[_block(part) for part in content])

    return Server("toolpost", version=version("toolpost"), on_list_tools=list_tools, on_call_tool=call_tool)


class _Guarded:
    """Lets only those in who send the token, and no page of a browser."""

    def __init__(self, app: "ASGIApp", token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        from starlette.responses import PlainTextResponse

        if scope["type"] == "http":
            headers = dict(scope["headers"])
            if not hmac.compare_digest(headers.get(b"authorization", b""), self._expected):
                refused = PlainTextResponse("a token is needed\n", 401, {"WWW-Authenticate": "Bearer"})
                return await refused(scope, receive, send)
            if b"origin" in headers:
                return await PlainTextResponse("not for web pages\n", 403)(scope, receive, send)
        return await self._app(scope, receive, send)


def _described(tool: Tool) -> Any:
    from mcp import types

    return types.Tool(
        name=tool.name,
        title=tool.label or None,
        description=tool.description,
        input_schema={"type": "object", **tool.parameters},
        annotations=types.ToolAnnotations(read_only_hint=tool.read_only),
    )


def _block(part: Content) -> "ContentBlock":
    from mcp import types

    if isinstance(part, TextPart):
        return types.TextContent(type="text", text=part.text)
    if part.mime.startswith("image/"):
        return types.ImageContent(type="image", data=part.data, mime_type=part.mime)
    if part.mime.startswith("audio/"):
        return types.AudioContent(type="audio", data=part.data, mime_type=part.mime)
    blob = types.BlobResourceContents(uri=f"file:///{part.name or 'file'}", blob=part.data, mime_type=part.mime)
    return types.EmbeddedResource(type="resource", resource=blob)


@contextlib.contextmanager
def _progress(session: "ServerSession") -> "Generator[Callable[[str], None]]":
    """What a tool shows while it works, sent on in order, as progress for clients that asked for it."""
    texts: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)

    def show(text: str) -> None:
        # What a slow client misses is in the result all the same.
        with contextlib.suppress(asyncio.QueueFull):
            texts.put_nowait(text)

    async def forward() -> None:
        sent = 0
        while True:
            text = await texts.get()
            sent += 1
            await session.report_progress(sent, message=text[-LONGEST_MESSAGE:])

    forwarding = asyncio.create_task(forward())
    try:
        yield show
    finally:
        forwarding.cancel()
