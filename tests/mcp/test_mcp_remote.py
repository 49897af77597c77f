"""Servers that run elsewhere, over streamable HTTP and SSE: built with the SDK, on real sockets."""

import asyncio
import socket
import sys
from contextlib import asynccontextmanager

import pytest
from mcp.server.mcpserver import Context, MCPServer
from mcp_play import HERE, Caller, inside, running, serving, state_of, text_of, tools_of, until
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from toolpost.mcp.config import McpServer
from toolpost.types.errors import ToolError


class Site:
    """A web server on one port, which can go away and come back."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.requests = []
        self.calls = []
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}/{'sse' if kind == 'sse' else 'mcp'}"

    @asynccontextmanager
    async def up(self):
        app = _app(self)
        app = app.sse_app() if self.kind == "sse" else app.streamable_http_app()

        async def noting(scope, receive, send):
            if scope["type"] == "http":
                self.requests.append({name.decode(): value.decode() for name, value in scope["headers"]})
            await app(scope, receive, send)

        async with serving(noting, self.port):
            yield


def _app(site: Site) -> MCPServer:
    app = MCPServer("site", version="1")

    @app.tool()
    async def add(a: int, b: int) -> int:
        """Add two numbers."""
        site.calls.append((a, b))
        return a + b

    @app.tool()
    async def count(to: int, ctx: Context) -> str:
        """Count, slowly."""
        for number in range(to):
            await ctx.report_progress(number + 1, to, f"at {number + 1}")
        return "counted"

    @app.tool()
    async def wait() -> str:
        """Wait for ever."""
        site.calls.append("waiting")
        try:
            await asyncio.Event().wait()
        finally:
            site.calls.append("cancelled")
        return ""

    @app.tool()
    async def learn(ctx: Context) -> str:
        """Learn another tool."""

        async def learnt() -> str:
            return "yes"

        app.add_tool(learnt)
        await ctx.notify_tools_changed()
        await ctx.session.send_tool_list_changed()
        return "ok"

    return app


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def caller(tmp_path):
    return Caller(tmp_path)


@pytest.fixture
def impatient(monkeypatch):
    """Comes back sooner than it would."""
    monkeypatch.setattr("toolpost.mcp.connection.MAX_DELAY", 0.2)


@pytest.fixture(params=["http", "sse"])
async def site(request):
    site = Site(request.param)
    async with site.up():
        yield site


async def call(servers, tool, caller, /, **arguments):
    return inside(text_of(await tools_of(servers)[f"mcp__site__{tool}"].execute(arguments, caller.context())))


async def test_a_remote_server_is_called_with_its_headers_and_shows_progress(site, tmp_path, caller):
    config = McpServer("site", url=site.url, type=site.kind, headers={"X-Key": "abc"})
    async with running(config, folder=tmp_path) as servers:
        assert await call(servers, "add", caller, a=20, b=22) == "42"
        assert await call(servers, "count", caller, to=3) == "counted"
        assert [text for text, _ in caller.updates] == ["at 1\n", "at 2\n", "at 3\n"]
        assert {headers.get("x-key") for headers in site.requests} == {"abc"}


async def test_a_tool_that_a_server_learns_is_offered(site, tmp_path, caller):
    async with running(McpServer("site", url=site.url, type=site.kind), folder=tmp_path) as servers:
        await call(servers, "learn", caller)
        await servers.changed.until(lambda: "mcp__site__learnt" in tools_of(servers))
        assert await call(servers, "learnt", caller) == "yes"


async def test_an_address_alone_is_enough(site, tmp_path, caller):
    async with running(McpServer("site", url=site.url), folder=tmp_path) as servers:
        assert await call(servers, "add", caller, a=1, b=2) == "3"


async def test_a_cancelled_call_is_cancelled_at_the_other_end(site, tmp_path, caller):
    async with running(McpServer("site", url=site.url, type=site.kind), folder=tmp_path) as servers:
        waiting = asyncio.create_task(call(servers, "wait", caller))
        await until(lambda: "waiting" in site.calls)
        waiting.cancel()
        await asyncio.wait({waiting})
        await until(lambda: "cancelled" in site.calls)


async def test_an_address_where_nobody_is_fails_with_a_reason_and_is_tried_again(tmp_path, caller, impatient):
    site = Site("http")
    async with running(McpServer("site", url=site.url, type="http"), folder=tmp_path) as servers:
        assert state_of(servers, "site").state == "waiting"
        assert state_of(servers, "site").detail
        async with site.up():
            await servers.changed.until(lambda: state_of(servers, "site").state == "connected")
            assert await call(servers, "add", caller, a=2, b=2) == "4"


async def test_a_call_that_loses_its_server_fails_and_the_server_is_found_again(tmp_path, caller, impatient):
    port, log = _free_port(), tmp_path / "calls.log"
    config = McpServer("site", url=f"http://127.0.0.1:{port}/sse", type="sse")
    async with killable(port, log) as process, running(config, folder=tmp_path) as servers:
        await servers.changed.until(lambda: state_of(servers, "site").state == "connected")
        waiting = asyncio.create_task(call(servers, "wait", caller))
        await until(log.exists)
        process.kill()
        with pytest.raises(ToolError, match="not known"):
            await waiting
        async with killable(port, log):
            await servers.changed.until(lambda: state_of(servers, "site").state == "connected")
            assert await call(servers, "add", caller, a=1, b=2) == "3"
    assert log.read_text() == "waiting\n"


@asynccontextmanager
async def killable(port, log):
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(HERE / "mcp_sse_server.py"), str(port), str(log), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await until(lambda: _is_open(port))
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_session_that_the_server_has_forgotten_is_begun_anew_and_the_call_made(tmp_path, caller):
    """The server never looked at the call, so to send it again is safe."""
    forgetful = Forgetful()
    async with serving(forgetful, port := _free_port()):
        config = McpServer("site", url=f"http://127.0.0.1:{port}/mcp", type="http")
        async with running(config, folder=tmp_path) as servers:
            assert await call(servers, "add", caller) == "done in s1"
            forgetful.sessions.clear()
            assert await call(servers, "add", caller) == "done in s2"
            assert forgetful.done == 2


@pytest.mark.parametrize("kind", ["http", "sse"])
async def test_an_http_error_of_a_server_is_told_with_its_status_and_text(tmp_path, kind, caplog):
    async def down(scope, receive, send):
        if scope["type"] == "http":
            text = "<html><head><style>p {}</style></head><p>The cellar is <b>flooded</b> &amp; dark</p></html>"
            await Response(text, 503, media_type="text/html")(scope, receive, send)

    caplog.set_level("INFO", "toolpost.mcp")
    async with serving(down, port := _free_port()):
        config = McpServer("site", url=f"http://127.0.0.1:{port}/mcp", type=kind)
        async with running(config, folder=tmp_path) as servers:
            told = "HTTP 503 Service Unavailable: The cellar is flooded & dark"
            assert state_of(servers, "site").detail == told
    assert f"MCP server site is not connected: {told}" in caplog.text


async def test_a_call_that_meets_an_http_error_fails_with_its_status_and_text(tmp_path, caller):
    class Tired(Forgetful):
        def _answer(self, message, session):
            if message.get("method") == "tools/call":
                return Response("come back\ntomorrow", 429)
            return super()._answer(message, session)

    async with serving(Tired(), port := _free_port()):
        config = McpServer("site", url=f"http://127.0.0.1:{port}/mcp", type="http")
        async with running(config, folder=tmp_path) as servers:
            with pytest.raises(ToolError, match="HTTP 429 Too Many Requests: come back tomorrow"):
                await call(servers, "add", caller)
            assert state_of(servers, "site").state == "connected"


class Forgetful:
    """A server of the older protocol that knows its sessions, as long as it does."""

    def __init__(self) -> None:
        self.sessions = set()
        self.begun = self.done = 0

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        session = request.headers.get("mcp-session-id")
        if request.method != "POST":
            await Response(status_code=405)(scope, receive, send)
            return
        message = await request.json()
        if session is not None and session not in self.sessions:
            error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "Session not found"}}
            await JSONResponse(error, 404)(scope, receive, send)
            return
        await self._answer(message, session)(scope, receive, send)

    def _answer(self, message, session):
        method = message.get("method")
        if method == "initialize":
            self.begun += 1
            self.sessions.add(f"s{self.begun}")
            info = {"name": "forgetful", "version": "1"}
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
            return _result(message, result, {"mcp-session-id": f"s{self.begun}"})
        if method == "tools/list":
            return _result(message, {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]})
        if method == "tools/call":
            self.done += 1
            return _result(message, {"content": [{"type": "text", "text": f"done in {session}"}]})
        if "id" not in message:
            return Response(status_code=202)
        return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}})


def _result(message, result, headers=None):
    return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": result}, headers=headers)
