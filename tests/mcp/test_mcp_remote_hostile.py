"""Remote servers that send without end, or never answer: they cost a bounded share of memory and time."""

import asyncio
import gzip
import json
import socket
import time

import pytest
from mcp_play import Caller, running, serving, state_of, tools_of
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from toolpost.mcp import transports
from toolpost.mcp.config import McpServer
from toolpost.types.errors import ToolError

LIMIT = 300_000


class Hostile:
    """A server of the older protocol whose one tool does as its name says."""

    def __init__(self, kind):
        self.kind = kind
        self.sent = 0

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        if request.method == "DELETE" and self.kind == "hang":
            await asyncio.Event().wait()
        answer = self._answer(await request.json()) if request.method == "POST" else Response(status_code=405)
        if request.method == "GET" and self.kind == "junk":
            answer = StreamingResponse(self._endless(b"", b"data: nonsense\n\n"), media_type="text/event-stream")
        await answer(scope, receive, send)

    def _answer(self, message):
        method = message.get("method")
        if method == "initialize":
            info = {"name": "hostile", "version": "1"}
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
            return _result(message, result, {"mcp-session-id": "s1"})
        if method == "tools/list":
            names = [{"name": name, "inputSchema": {"type": "object"}} for name in ("act", "good")]
            return _result(message, {"tools": names})
        if method == "tools/call":
            return self._act(message)
        if "id" not in message:
            return Response(status_code=202)
        return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}})

    def _act(self, message):
        good = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": [{"type": "text", "text": "good"}]}}
        if message["params"]["name"] == "good":
            return JSONResponse(good)
        match self.kind:
            case "json":
                return StreamingResponse(self._endless(b'{"x": "'), media_type="application/json")
            case "line":
                return StreamingResponse(self._endless(b"data: "), media_type="text/event-stream")
            case "lines":
                return StreamingResponse(self._endless(b"", b"data: x\n"), media_type="text/event-stream")
            case "bomb":
                good["result"]["content"][0]["text"] = "x" * 5_000_000
                return Response(gzip.compress(json.dumps(good).encode()), 200, {"content-encoding": "gzip"}, JSON)
            case "events":
                return StreamingResponse(_events(good), media_type="text/event-stream")
            case _:
                return JSONResponse(good)

    async def _endless(self, first, piece=b"x"):
        yield first
        while True:
            self.sent += 10_000
            # Sending to who has gone away waits for nothing.
            await asyncio.sleep(0)
            yield piece * (10_000 // len(piece))


JSON = "application/json"
SAID = {"bomb": "it sent a compressed response"}


async def _events(good):
    """More than the limit, in events that are each below it."""
    note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "debug", "data": "x" * 10_000}}
    for _ in range(60):
        yield f"data: {json.dumps(note)}\n\n".encode()
    yield f"data: {json.dumps(good)}\n\n".encode()


def _result(message, result, headers=None):
    return JSONResponse({"jsonrpc": "2.0", "id": message["id"], "result": result}, headers=headers)


@pytest.fixture
def caller(tmp_path, monkeypatch):
    monkeypatch.setattr(transports, "MAX_MESSAGE", LIMIT)
    return Caller(tmp_path)


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def _config(port):
    return McpServer("site", url=f"http://127.0.0.1:{port}/mcp", type="http")


@pytest.mark.parametrize("kind", ["json", "line", "lines", "bomb"])
async def test_an_answer_without_end_is_given_up(tmp_path, caller, kind):
    hostile = Hostile(kind)
    async with serving(hostile, port := _free_port()), running(_config(port), folder=tmp_path) as servers:
        tools = tools_of(servers)
        async with asyncio.timeout(20):
            said = SAID.get(kind, "it sent a message of more than")
            with pytest.raises(ToolError, match=said):
                await tools["mcp__site__act"].execute({}, caller.context())
            await servers.changed.until(lambda: state_of(servers, "site").state == "connected")
            result = await tools["mcp__site__good"].execute({}, caller.context())
        assert "good" in result.content[0].text
        # What was on its way does not count.
        assert hostile.sent < 100 * LIMIT


async def test_a_stream_of_what_are_no_messages_is_given_up(tmp_path, caller):
    port = _free_port()
    async with serving(Hostile("junk"), port), running(_config(port), folder=tmp_path, ready=False) as servers:
        await servers.changed.until(
            lambda: "1,000 messages that are not valid in the protocol" in state_of(servers, "site").detail
        )


async def test_many_messages_in_one_stream_are_no_long_message(tmp_path, caller):
    async with serving(Hostile("events"), port := _free_port()), running(_config(port), folder=tmp_path) as servers:
        result = await tools_of(servers)["mcp__site__act"].execute({}, caller.context())
        assert "good" in result.content[0].text


async def test_a_server_that_does_not_let_go_is_left_all_the_same(tmp_path, caller):
    async with serving(Hostile("hang"), port := _free_port()):
        async with running(_config(port), folder=tmp_path) as servers:
            assert state_of(servers, "site").state == "connected"
            began = time.monotonic()
        assert time.monotonic() - began < 10
