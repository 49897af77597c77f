"""MCP servers in the user's own file: list, test, add and remove them, and log in to them in a browser."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from toolpost.config.mcp_servers import add_entry, remove_entry, user_servers
from toolpost.config.token_store import TokenStore
from toolpost.guard.redact import known_redactor
from toolpost.mcp.config import UNSET, McpServer, from_table
from toolpost.mcp.connection import State
from toolpost.mcp.oauth import login
from toolpost.mcp.server_set import McpServers
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Route
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolpostError
from toolpost.workspace import Workspace

from .mcp import configured, joined

MAX_ERROR_TEXT = 4_000

Text = Annotated[str, Meta(max_length=10_000)]
Texts = Annotated[dict[Annotated[str, Meta(min_length=1, max_length=200)], Text], Meta(max_length=100)]
ServerName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
SERVER = {"server": "The server's name"}
_log = logging.getLogger("toolpost.server")

# To find out where a login is takes a few requests to the server and to whoever lets people in.
ADDRESS_SECONDS = 30.0
RESTART_SECONDS = 30.0


class NewServer(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A `command` that is started on the server's machine, or the `url` of a remote server. `${NAME}` stands for an
    environment variable, so that no secret has to be in the file."""

    name: ServerName
    url: Text = ""
    headers: Texts = {}
    type: Literal["stdio", "http", "sse", ""] = ""
    command: Text = ""
    args: Annotated[list[Text], Meta(max_length=100)] = []
    env: Texts = {}


class ConfiguredServer(Struct, frozen=True):
    """`place`: the user's own file, a configuration file, or the project's `.mcp.json`. Only servers in the user's own
    file can be removed here. `what` is its URL or its command, without secrets."""

    name: str
    place: Literal["user", "configuration", "project"]
    file: str
    what: str


class ConfiguredServers(Struct, frozen=True):
    """`file` is the file that servers are added to."""

    file: str
    servers: tuple[ConfiguredServer, ...]


class TriedServer(Struct, frozen=True):
    """The result of the attempt to connect. `tools` are the names that it offers; if it failed, `output` is the last
    output of its process."""

    state: State
    error: str
    server: str
    tools: tuple[str, ...]
    output: str


def mcp_routes(workspace: Workspace) -> list[Route]:
    servers = _Servers(workspace)
    listed = Doc("List the configured MCP servers", "settings", gives=ConfiguredServers, errors=(403,))
    tried = Doc(
        "Test an MCP server without adding it", "settings", takes=NewServer, gives=TriedServer, errors=(403, 409)
    )
    added = Doc(
        "Add an MCP server",
        "settings",
        takes=NewServer,
        gives=ConfiguredServer,
        status=201,
        errors=(403, 409),
        description="It is written to the user's own file and started. If several processes serve together, the "
        "others use it after their next start.",
    )
    removed = Doc("Remove an MCP server", "settings", status=204, errors=(403, 409), params=SERVER)
    login = Doc(
        "Log in to an MCP server",
        "settings",
        gives=LoginStep,
        errors=(403, 409, 502),
        params=SERVER,
        description="The response is the URL that a person opens, in a browser on the server's machine. After they "
        "have logged in, the server is connected.",
    )
    return [
        Route("GET", "/api/settings/mcp", servers.list, listed, needs="administer"),
        Route("POST", "/api/settings/mcp", servers.add, added, needs="administer"),
        Route("POST", "/api/settings/mcp/test", servers.test, tried, needs="administer"),
        Route("DELETE", "/api/settings/mcp/{server}", servers.remove, removed, needs="administer"),
        Route("POST", "/api/settings/mcp/{server}/login", Logins(workspace).begin, login, needs="administer"),
    ]


def check_command(server: McpServer, request: Request) -> None:
    """Refuse a server that is a program of this machine to people who may not use the machine."""
    if (server.command or not server.url) and "machine" not in request.user.rights:
        text = "this server is a command, which runs on the server's machine, and your role has no right to use that"
        raise Refusal("permission", f"{text}: use a `url`, or ask an admin who may", code="needs_machine")


class _Servers:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._file = user_servers(workspace.environ)
        self._one_change = asyncio.Lock()

    async def list(self, request: Request) -> None:
        shown = [self._shown(server) for server in self._configured()]
        await request.reply_json(ConfiguredServers(str(self._file), tuple(shown)))

    async def test(self, request: Request) -> None:
        server = self._checked(request.json(NewServer))
        check_command(server, request)
        if server.problem:
            raise BadRequest(server.problem)
        workspace = self._workspace
        servers = McpServers(
            [server], workspace.project, workspace.process_environ, vault=TokenStore(workspace.environ)
        )
        servers.start()
        try:
            await servers.ready(server.connect_timeout)
            await request.reply_json(_tried(servers))
        finally:
            await servers.close()

    async def add(self, request: Request) -> None:
        given = request.json(NewServer)
        server = self._checked(given)
        check_command(server, request)
        # A variable may be set before the next start; everything else would never work.
        if server.problem and not server.problem.startswith(UNSET):
            raise BadRequest(server.problem)
        async with self._one_change:
            if any(known.name == given.name for known in self._configured()):
                raise Refusal(
                    "conflict",
                    f"there is already a server {given.name}: remove it first, or use another name",
                    code="server_exists",
                )
            entry = _entry(given)
            await run_in_thread(lambda: add_entry(self._file, given.name, entry))
            if not server.problem:
                self._join(server)
        await request.reply_json(self._shown(server), status=201)

    async def remove(self, request: Request) -> None:
        name = request.params["server"]
        async with self._one_change:
            found = next((server for server in self._configured() if server.name == name), None)
            if found is None:
                raise Refusal("not_found", f"there is no MCP server {name}: GET /api/settings/mcp lists them")
            if self._shown(found).place != "user":
                raise Refusal(
                    "conflict", f"{name} is configured in {found.origin}: remove it there", code="server_of_a_file"
                )
            await run_in_thread(lambda: remove_entry(self._file, name))
            running = self._workspace.servers
            if running is not None and any(status.name == name for status in running.start().status()):
                await running.remove(name)
        await request.reply(status=204)

    def _configured(self) -> Sequence[McpServer]:
        return configured(self._workspace)

    def _join(self, server: McpServer) -> None:
        """Start the server. If there were none, the folder's servers are loaded again, and this one is among them."""
        running = self._workspace.servers
        if running is not None:
            running.add(server)
            return
        del self._workspace.servers
        started = self._workspace.servers
        if started is not None:
            started.start()

    def _checked(self, given: NewServer) -> McpServer:
        origin, base = str(self._file), self._file.parent
        return from_table(given.name, _entry(given), self._workspace.environ, origin=origin, base=base, project=False)

    def _shown(self, server: McpServer) -> ConfiguredServer:
        what = known_redactor().text(server.url or " ".join((server.command, *server.args)))
        if server.origin == str(self._file):
            return ConfiguredServer(server.name, "user", server.origin, what)
        place = "project" if server.origin.endswith(".mcp.json") else "configuration"
        return ConfiguredServer(server.name, place, server.origin, what)


def _entry(given: NewServer) -> dict[str, Any]:
    """Return the entry in the common format of these files."""
    entry: dict[str, Any] = {name: value for name, value in msgspec.to_builtins(given).items() if name != "name"}
    if given.url and not given.type:
        entry["type"] = "http"
    return entry


def _tried(servers: McpServers) -> TriedServer:
    (status,) = servers.status()
    tools = [tool.name.removeprefix("mcp__").partition("__")[2] for tool in servers.all_tools()]
    is_well = status.state == "connected"
    output = "" if is_well else known_redactor().text(servers.stderr(status.name))[-MAX_ERROR_TEXT:]
    return TriedServer(status.state, known_redactor().text(status.detail), status.server, tuple(tools), output)


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
        check_command(server, request)
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
            raise Refusal(
                "conflict", f"log in on the server's machine: toolpost mcp login {name}", code="login_on_machine"
            )
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
            _log.warning("the login to %s came to nothing: %s", server.name, error)
            return
        await joined(self._workspace, server.name).restart(server.name, RESTART_SECONDS)
