"""Logins to MCP servers that a person finishes in a browser on the server's machine."""

import asyncio
import contextlib
import logging

from msgspec import Struct

from toolpost.config.token_store import TokenStore
from toolpost.mcp.config import McpServer
from toolpost.mcp.oauth import login
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.types.errors import ToolpostError
from toolpost.workspace import Workspace

from .mcp_servers import configured, joined

log = logging.getLogger("toolpost.server")

# To find out where a login is takes a few requests to the server and to whoever lets people in.
ADDRESS_SECONDS = 30.0
RESTART_SECONDS = 30.0


class LoginStep(Struct, frozen=True):
    """`url` is where a person logs in within five minutes; empty if the server needs no login."""

    url: str


class Logins:
    """One login at a time for each server: a new one cancels the one before."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._running: dict[str, asyncio.Task[None]] = {}

    async def begin(self, request: Request) -> None:
        server = self._server(request)
        if before := self._running.pop(server.name, None):
            before.cancel()
            with contextlib.suppress(asyncio.CancelledError, ToolpostError):
                await before
        address = asyncio.get_running_loop().create_future()
        task = self._running[server.name] = asyncio.create_task(self._log_in(server, address))
        await asyncio.wait([address, task], timeout=ADDRESS_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if task.done() and (error := task.exception()):
            raise Refusal("unreachable", str(error))
        if not address.done() and not task.done():
            task.cancel()
            raise Refusal("unreachable", f"{server.name} does not say where to log in")
        await request.reply_json(LoginStep(address.result() if address.done() else ""))

    def _server(self, request: Request) -> McpServer:
        name = request.params["server"]
        server = next((one for one in configured(self._workspace) if one.name == name), None)
        if server is None:
            raise Refusal("not_found", f"there is no MCP server {name}: GET /api/mcp lists them")
        if not request.settings.is_local:
            # The login ends at a loopback address, which is another machine's for whoever asks from afar.
            raise Refusal("conflict", f"log in on the server's machine: toolpost mcp login {name}")
        if server.project and not self._workspace.trusted:
            # Its address and its headers are the folder's word, and a header may name any key of the user's.
            raise Refusal(
                "conflict", f"{name} belongs to this folder, which is not trusted; if you trust it, run: toolpost trust"
            )
        return server

    async def _log_in(self, server: McpServer, address: "asyncio.Future[str]") -> None:
        async def show(url: str) -> None:
            # It goes into a link: what a server made up must not become a script there.
            if not url.startswith(("https://", "http://")):
                raise ToolpostError(f"{server.name} requires a login at an address that is not a valid URL")
            if address.done():
                # Nobody waits for a second one; the next login asks for all of it at once.
                raise ToolpostError(f"{server.name} requires a login with more permissions: log in again")
            address.set_result(url)

        try:
            await login(server, TokenStore(self._workspace.environ), show)
        except ToolpostError as error:
            if not address.done():
                raise
            log.warning("the login to %s came to nothing: %s", server.name, error)
            return
        await joined(self._workspace, server.name).restart(server.name, RESTART_SECONDS)
