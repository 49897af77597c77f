"""The real server over a folder of its own, with a scripted model behind it and the vendors' clients in front."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from anthropic import AsyncAnthropic
from mcp.server import MCPServer
from openai import AsyncOpenAI

from toolpost.server.app import App
from toolpost.server.serve import make_server, opened
from toolpost.server.settings import ServerSettings
from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore
from toolpost.testing import Upstream
from toolpost.workspace import Workspace

TOKEN = "a-token-for-the-tests"
HI = [{"role": "user", "content": "hi"}]
NUMBER = {"type": "object", "properties": {"a": {"type": "integer"}}}
ADD = {"name": "add", "description": "Add.", "input_schema": NUMBER}
ADD_CHAT = {"type": "function", "function": {"name": "add", "parameters": NUMBER}}
# Which part of an upstream's address each wire is given.
WIRES = {"openai_chat": "/v1", "openai_responses": "/v1", "anthropic": "", "gemini": "", "ollama": ""}
PROCESS = """
from mcp.server import MCPServer

server = MCPServer("play")

@server.tool()
def echo(text: str) -> str:
    return f"echo {text}"

server.run("stdio")
"""


class Play:
    """What a test has in its hands: the model's side `up`, and clients that are pointed at the gateway."""

    def __init__(self, url: str, up: Upstream, workspace: Workspace, app: App | None = None) -> None:
        self.url = url
        self.app = app
        self.up = up
        self.workspace = workspace
        self.anthropic = AsyncAnthropic(base_url=url, api_key=TOKEN, max_retries=0, timeout=20.0)
        self.openai = AsyncOpenAI(base_url=f"{url}/v1", api_key=TOKEN, max_retries=0, timeout=20.0)
        self.http = httpx.AsyncClient(base_url=url, headers={"x-api-key": TOKEN}, timeout=20.0)

    async def close(self) -> None:
        await self.anthropic.close()
        await self.openai.close()
        await self.http.aclose()

    async def events(self, headers: Mapping[str, str] | None = None, **body: Any) -> list[dict[str, Any]]:
        """The events of a streamed answer on Anthropic's wire, as they came."""
        asked = {"model": "m", "max_tokens": 100, "messages": HI, "stream": True, **body}
        answer = await self.http.post("/v1/messages", json=asked, headers=headers)
        assert answer.status_code == 200, answer.text
        return sse(answer.text)

    def sent(self, number: int = -1) -> Any:
        """What the model's server was asked."""
        return self.up.requests[number].body


@asynccontextmanager
async def gateway(
    folder: Path,
    *turns: Any,
    wire: str = "openai_chat",
    config: str = "",
    keep_alive: float = 15.0,
    repeat: bool = False,
    flags: Mapping[str, Any] | None = None,
    first: bool = False,
    settings: ServerSettings | None = None,
    store: Store | None = None,
) -> AsyncGenerator[Play]:
    """`config` is added to the folder's settings, with `first` before them; `{up}` in it is the model's address,
    `{port}` its port."""
    async with Upstream(*turns, repeat=repeat) as up:
        write(folder / ".git" / "HEAD", "")
        provider = f'[providers.up]\nwire = "{wire}"\nbase_url = "{up.url}{WIRES[wire]}"\ntool_calls = "native"\n'
        config = config.replace("{up}", up.url).replace("{port}", up.url.rpartition(":")[2])
        write(folder / ".toolpost" / "config.toml", config + provider if first else provider + config)
        workspace = Workspace(folder, trusted=True, flags=flags)
        workspace.store = store or MemoryStore()
        settings = settings or ServerSettings(keep_alive=keep_alive)
        async with (
            opened(workspace, workspace.model("up/m"), settings, TOKEN) as app,
            listening(app, make_server(app, settings)) as url,
        ):
            play = Play(url, up, workspace, app)
            try:
                yield play
            finally:
                await play.close()


@asynccontextmanager
async def listening(app: Any, server: uvicorn.Server | None = None) -> AsyncGenerator[str]:
    """An ASGI application on a port of its own, in this loop; served by ours where that is given."""
    if server is None:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=5))
    config = server.config
    config.load()
    server.lifespan = config.lifespan_class(config)
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        await server.startup(sockets=[door])
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            await server.shutdown(sockets=[door])


def mcp_server(name: str = "play") -> MCPServer:
    server, met = MCPServer(name), asyncio.Event()

    @server.tool()
    def echo(text: str) -> str:
        """Say it again."""
        return f"{name}: echo {text}"

    @server.tool()
    async def meet(name: str) -> str:
        """Return once both, the first and the second, have come."""
        if name == "first":
            await met.wait()
        met.set()
        return f"met {name}"

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ValueError("it broke")

    return server


def with_server(folder: Path, url: str = "", permission: str = "allow") -> str:
    """Put an MCP server into the folder, a process where it has no address; returns the settings that allow it."""
    write(folder / "server.py", PROCESS)
    process = {"command": sys.executable, "args": [str(folder / "server.py")]}
    table = {"mcpServers": {"play": {"type": "http", "url": url} if url else process}}
    write(folder / ".mcp.json", json.dumps(table))
    return f'[permissions]\n"mcp__*" = "{permission}"\n[tool_limits]\nmcp_seconds = 60\n'


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def sse(text: str) -> list[dict[str, Any]]:
    return [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]


def blocks(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of a stream, put together; fails where the stream breaks the wire's rules."""
    kinds = [event["type"] for event in events if event["type"] != "ping"]
    assert kinds[0] == "message_start"
    assert kinds.count("message_start") == 1
    found: list[dict[str, Any]] = []
    is_open = False
    for event in events:
        if event["type"] == "content_block_start":
            assert (event["index"], is_open) == (len(found), False)
            found.append({**event["content_block"], "_arguments": ""})
            is_open = True
        elif event["type"] == "content_block_delta":
            assert (event["index"], is_open) == (len(found) - 1, True)
            _grow(found[-1], event["delta"])
        elif event["type"] == "content_block_stop":
            assert (event["index"], is_open) == (len(found) - 1, True)
            is_open = False
    for block in found:
        arguments = block.pop("_arguments")
        if arguments:
            block["input"] = json.loads(arguments)
    return found


def whole(events: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """The blocks of a stream that ended well, and why it ended."""
    found = blocks(events)
    kinds = [event["type"] for event in events]
    assert kinds[-2:] == ["message_delta", "message_stop"]
    assert (kinds.count("message_delta"), kinds.count("message_stop"), kinds.count("error")) == (1, 1, 0)
    return found, events[-2]["delta"]["stop_reason"]


def broken(events: list[dict[str, Any]]) -> dict[str, Any]:
    """The error that a stream ended with."""
    kinds = [event["type"] for event in events]
    assert kinds[-1] == "error"
    assert "message_stop" not in kinds
    assert "message_delta" not in kinds
    return events[-1]["error"]


def _grow(block: dict[str, Any], delta: dict[str, Any]) -> None:
    match delta:
        case {"type": "text_delta", "text": text}:
            block["text"] += text
        case {"type": "thinking_delta", "thinking": text}:
            block["thinking"] += text
        case {"type": "input_json_delta", "partial_json": text}:
            block["_arguments"] += text
        case {"type": "signature_delta", "signature": text}:
            block["signature"] = text
        case _:
            raise AssertionError(delta)
