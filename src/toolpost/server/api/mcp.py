"""The MCP servers of the folder: status, tools, restarts; calls of tools without a model, under the rules."""

import contextlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from toolpost.config.mcp_servers import configured_servers
from toolpost.engine.external_calls import OutsideCalls
from toolpost.engine.session_setup import Setup
from toolpost.mcp.config import McpServer, first_state, from_table
from toolpost.mcp.connection import State
from toolpost.mcp.names import server_words
from toolpost.mcp.server_set import McpServers, ServerStatus
from toolpost.mcp.tools import Quarantined
from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.session_settings import ChatSettings, settings_of
from toolpost.server.gateway.request_mcp import approvals_of, pinned
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Route
from toolpost.server.users import User
from toolpost.store.memory import MemoryStore
from toolpost.tools.define import Tool, ToolContext, ToolResult
from toolpost.tools.host import CallOutcome
from toolpost.types.errors import PermissionDenied, ToolError
from toolpost.types.messages import CallErrorKind, Content
from toolpost.workspace import Workspace
from toolpost.workspace.explain_permissions import ToolPermissions

from .tools import ToolEntry, tool_entry

RESTART_SECONDS = 30.0
SERVER = {"server": "The server's name"}
Text = Annotated[str, Meta(max_length=10_000)]
Texts = Annotated[dict[str, Text], Meta(max_length=100)]
Name = Annotated[str, Meta(max_length=200)]


class ServerEntry(Struct, frozen=True):
    """`state`: only a connected server can be called. `error` says why it is not connected; `tools` is how many tools
    it offers, `left_out` are tools with invalid descriptions. `server` is its own name and version."""

    name: str
    state: State
    transport: str
    error: str
    tools: int
    prompts: int
    has_resources: bool
    left_out: tuple[Quarantined, ...]
    server: str
    protocol: str
    instructions: str


class ServerList(Struct, frozen=True):
    servers: tuple[ServerEntry, ...]


class ServerTool(Struct, frozen=True):
    """`name` is the server's own name for the tool; models and rules use the one in `tool`."""

    name: str
    tool: ToolEntry


class ServerTools(Struct, frozen=True):
    tools: tuple[ServerTool, ...]


def routes(conversations: Conversations) -> list[Route]:
    mcp = _Mcp(conversations)
    listed = Doc("List the MCP servers of this folder", "tools", gives=ServerList)
    offered = Doc("List the tools of an MCP server", "tools", gives=ServerTools, params=SERVER, errors=(502,))
    restarted = Doc("Reconnect to an MCP server", "tools", gives=ServerEntry, params=SERVER, errors=(502,))
    called = Doc(
        "Call a tool of an MCP server",
        "tools",
        takes=McpCall,
        gives=CallResult,
        errors=(404, 409, 502),
        description="A tool that fails is a result with `is_error`; 502 means that the server cannot be reached.",
    )
    return [
        Route("GET", "/api/mcp", mcp.list, listed),
        Route("POST", "/api/mcp/call", McpCalls(conversations).answer, called),
        Route("GET", "/api/mcp/{server}/tools", mcp.tools, offered),
        # It would break the calls of everybody else.
        Route("POST", "/api/mcp/{server}/restart", mcp.restart, restarted, needs="administer"),
    ]


class _Mcp:
    def __init__(self, conversations: Conversations) -> None:
        self._workspace = conversations.workspace

    async def list(self, request: Request) -> None:
        running, trusted = self._workspace.servers, self._workspace.trusted
        known = {one.name: one for one in running.start().status()} if running else {}
        for server in configured(self._workspace):
            # One that may not be started is not among those that run.
            state = first_state(server, trusted=trusted)
            waiting = ServerStatus(server.name, state, server.transport, server.origin, server.problem)
            known.setdefault(server.name, waiting)
        await request.reply_json(ServerList(tuple(_entry(known[name]) for name in sorted(known))))

    async def tools(self, request: Request) -> None:
        name = request.params["server"]
        patience = self._workspace.config.tool_limits.mcp_seconds
        found = await _reached(joined(self._workspace, name), name, patience)
        outcomes = ToolPermissions(self._workspace, None, request.user.rules(self._workspace), request.user.tools)
        shown = [ServerTool(own, tool_entry(found[own], outcomes)) for own in sorted(found)]
        await request.reply_json(ServerTools(tuple(shown)))

    async def restart(self, request: Request) -> None:
        name = request.params["server"]
        status = await joined(self._workspace, name).restart(name, RESTART_SECONDS)
        await request.reply_json(_entry(status))


def _entry(status: ServerStatus) -> ServerEntry:
    return ServerEntry(
        status.name,
        status.state,
        status.transport,
        status.detail,
        status.tools,
        status.prompts,
        status.resources,
        status.quarantined,
        status.server,
        status.protocol,
        status.instructions,
    )


class Configuration(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A server that is not configured in this folder: the `url` of a remote server, with the headers or the token that
    it needs, or a `command` that is started here, which only admins may do."""

    type: Literal["url", "http", "sse", "stdio", ""] = ""
    url: Text = ""
    headers: Texts = {}
    authorization_token: Text = ""
    command: Text = ""
    args: Annotated[list[Text], Meta(max_length=100)] = []
    env: Texts = {}


class McpCall(Struct, frozen=True, forbid_unknown_fields=True):
    """`server` is one of the folder's servers, or a name for the one in `configuration`; `tool` is the server's own
    name for its tool, or the name that models use. With `session` the call is made there, under its rules and with its
    asks and events. Without it permissions cannot be asked. `timeout` is in seconds."""

    server: Annotated[str, Meta(min_length=1, max_length=200)]
    tool: Annotated[str, Meta(min_length=1, max_length=200)]
    input: dict[str, Any] = {}
    configuration: Configuration | None = None
    session: Name = ""
    timeout: Annotated[float, Meta(gt=0, le=600)] | None = None


class CallResult(Struct, frozen=True):
    """`is_error`: the tool failed, and `error` says how; `content` is its output."""

    tool: str
    content: tuple[Content, ...]
    is_error: bool
    error: CallErrorKind | None


class McpCalls:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._workspace = conversations.workspace

    async def answer(self, request: Request) -> None:
        asked = request.json(McpCall)
        async with self._servers(asked, request.user) as servers:
            patience = self._workspace.config.tool_limits.mcp_seconds
            tools = await _reached(servers, asked.server, patience)
            outcome = await self._call(asked, _for_people(servers, tools, asked), request.user)
        await request.reply_json(_result(outcome))

    @contextlib.asynccontextmanager
    async def _servers(self, asked: McpCall, user: User) -> AsyncGenerator[McpServers]:
        """Yield the folder's servers, or the one that the request brings, for this call only."""
        if asked.configuration is None:
            yield joined(self._workspace, asked.server)
            return
        server = _brought(asked.server, asked.configuration, user, self._workspace)
        if server.url:
            (server,) = await pinned([server], self._workspace)
        servers = _started(server, self._workspace)
        try:
            await servers.ready(server.connect_timeout)
            if any(status.state != "connected" for status in servers.status()):
                raise _unreachable(servers, server.name)
            yield servers
        finally:
            await servers.close()

    async def _call(self, asked: McpCall, tool: Tool, user: User) -> CallOutcome:
        chosen = settings_of(await self._conversations.info(asked.session, user)) if asked.session else ChatSettings()
        setup = self._conversations.setup(user, chosen)
        if why := setup.offering.why_not(tool):
            raise Refusal("permission", f"{tool.name} is {why}")
        try:
            if not asked.session:
                return await self._call_alone(asked, tool, setup)
            conversation = await self._conversations.find(asked.session, user)
            with conversation.held():
                return await conversation.session.call(tool, asked.input)
        except PermissionDenied as error:
            raise Refusal("permission", str(error)) from None

    async def _call_alone(self, asked: McpCall, tool: Tool, setup: Setup) -> CallOutcome:
        """Call without a session. Saved approvals do not count: they were given to agents that a person watches."""
        brought = () if asked.configuration is None else approvals_of([tool], setup.folder, setup.owner)
        return await OutsideCalls(setup, MemoryStore, brought).call(tool, asked.input)


def _brought(name: str, given: Configuration, user: User, workspace: Workspace) -> McpServer:
    if given.command and not (user.is_admin and "machine" in user.rights):
        missing = "administer" if "machine" in user.rights else "machine"
        raise Refusal(
            "permission",
            "configuration.command starts a program on this machine, which only an admin who may use the machine may "
            "do: use a `url`, or ask for the server to be added to this folder",
            code=f"needs_{missing}",
        )
    taken = server_words(server.name for server in configured(workspace)).values()
    if server_words([name])[name] in taken:
        # Rules and approvals for the folder's server must not become this one's.
        raise BadRequest(
            f"server: this folder has an MCP server {name}: use another name for the one in `configuration`"
        )
    table: dict[str, Any] = msgspec.to_builtins(given)
    if given.type == "url":
        del table["type"]
    if token := table.pop("authorization_token", ""):
        table["headers"] = {**given.headers, "authorization": f"Bearer {token}"}
    # Nothing of our own environment is filled in: its variables hold keys.
    server = from_table(name, table, {}, origin="the request", base=workspace.project, project=False)
    if server.problem:
        raise BadRequest(f"configuration: {server.problem}")
    return server


def _started(server: McpServer, workspace: Workspace) -> McpServers:
    # Imported here: they are for servers that ask back, and load what few calls need.
    from toolpost.mcp.elicitation import elicit_from_person
    from toolpost.mcp.requests import sample_from_model

    environ: Mapping[str, str] = workspace.process_environ if server.command else {}
    servers = McpServers([server], workspace.project, environ, sample=sample_from_model, elicit=elicit_from_person)
    servers.start()
    return servers


def _for_people(servers: McpServers, tools: Mapping[str, Tool], asked: McpCall) -> Tool:
    """Return the tool with the server's own results, without the marks that models need."""
    own = next((name for name, tool in tools.items() if asked.tool in (name, tool.name)), None)
    if own is None:
        hint = f"GET /api/mcp/{asked.server}/tools lists them" if asked.configuration is None else "it has others"
        raise Refusal("not_found", f"the MCP server {asked.server} has no tool {asked.tool}: {hint}")

    tool = tools[own]
    digest = tool.fingerprint.digest if tool.fingerprint else ""

    async def execute(arguments: dict[str, Any], ctx: ToolContext) -> ToolResult:
        return ToolResult(await servers.call(asked.server, own, arguments, ctx, digest, asked.timeout))

    return replace(tool, execute=execute, timeout=asked.timeout or tool.timeout)


def _result(outcome: CallOutcome) -> CallResult:
    """Return the result. A mistake in the request is refused; a failure of the tool is a result."""
    if outcome.error_kind == "denied":
        raise Refusal("permission", outcome.text)
    if outcome.error_kind == "invalid":
        raise BadRequest(f"input: {outcome.text}")
    return CallResult(outcome.name, outcome.content, outcome.error_kind is not None, outcome.error_kind)


def configured(workspace: Workspace) -> Sequence[McpServer]:
    return configured_servers(workspace.loaded, workspace.project, workspace.environ, trusted=workspace.trusted)


def joined(workspace: Workspace, name: str) -> McpServers:
    """Return the folder's servers. Raises `Refusal` if none has this name."""
    servers = workspace.servers.start() if workspace.servers else None
    if servers is not None and any(status.name == name for status in servers.status()):
        return servers
    known = {server.name: server for server in configured(workspace)}
    if name not in known:
        raise Refusal("not_found", f"this folder has no MCP server {name}: GET /api/mcp lists them")
    why = known[name].problem or "it is switched off, or this folder is not trusted"
    raise Refusal("unreachable", f"the MCP server {name} is not started: {why}")


async def _reached(servers: McpServers, name: str, patience: float) -> Mapping[str, Tool]:
    """Return the tools of a server by its own names, once it is connected."""
    try:
        return await servers.reach(name, patience)
    except ToolError as error:
        raise _unreachable(servers, name) from error


def _unreachable(servers: McpServers, name: str) -> Refusal:
    status = next(one for one in servers.status() if one.name == name)
    return Refusal("unreachable", f"the MCP server {name} cannot be reached ({status.state}): {status.detail}")
