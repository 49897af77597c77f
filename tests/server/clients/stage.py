"""A gateway that stays up for many tests: a model on every wire behind it, each test with a script of its own."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gateway_play import TOKEN, WIRES, Play, gateway, listening, mcp_server

from toolpost.testing import Received, Turn, http_error
from toolpost.testing.upstream import TurnFrom

# One pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ROUTES = '[server.routes.quick]\nmodel = "openai_chat_up/first"\nfallbacks = ["openai_chat_up/second"]\n'


class Script:
    """What the model says: turns one after the other, or `always` the same function, for clients that ask in an order
    of their own."""

    def __init__(self) -> None:
        self.left: list[Turn] = []
        self.always: TurnFrom | None = None

    def __call__(self, request: Received) -> Turn:
        if self.always is not None:
            return self.always(request)
        return self.left.pop(0) if self.left else http_error(400, "the script has no turn left")


class Stage:
    """`url` is the gateway's, `mcp_url` that of an MCP server that requests may bring."""

    token = TOKEN

    def __init__(self, play: Play, says: Script, mcp_url: str) -> None:
        self.url = play.url
        self.anthropic = play.anthropic
        self.openai = play.openai
        self.http = play.http
        self.up = play.up
        self.mcp_url = mcp_url
        self.says = says

    def clear(self) -> None:
        self.says.left.clear()
        self.says.always = None
        self.up.requests.clear()

    def script(self, *turns: Turn) -> None:
        """What the model says next, request by request."""
        self.says.left += turns

    @property
    def asked(self) -> Sequence[Any]:
        """What the model was asked, the bodies alone."""
        return [request.body for request in self.up.requests]

    def model(self, wire: str, calls: str = "native") -> str:
        """The name of the model that is asked on this wire, and makes its calls so or so."""
        return f"{wire}_up/m" if calls == "native" else f"{wire}_words/m"


@asynccontextmanager
async def raised(folder: Path) -> AsyncGenerator[Stage]:
    says = Script()
    async with listening(mcp_server().streamable_http_app()) as mcp:
        inside = f'[web]\nallow_hosts = ["{mcp.removeprefix("http://")}"]\n'
        providers = "".join(_provider(wire, "up", "native") + _provider(wire, "words", "prompted") for wire in WIRES)
        async with gateway(folder, says, config=providers + inside + ROUTES, repeat=True) as play:
            yield Stage(play, says, f"{mcp}/mcp")


def _provider(wire: str, name: str, calls: str) -> str:
    return f'[providers.{wire}_{name}]\nwire = "{wire}"\nbase_url = "{{up}}{WIRES[wire]}"\ntool_calls = "{calls}"\n'
