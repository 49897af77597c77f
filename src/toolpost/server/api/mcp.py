"""The MCP servers of the folder: their status and tools, restarts, and calls of tools without a model."""

from msgspec import Struct

from toolpost.mcp.config import first_state
from toolpost.mcp.connection import State
from toolpost.mcp.server_set import ServerStatus
from toolpost.mcp.tools import Quarantined
from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.workspace.explain_permissions import ToolPermissions

from .mcp_call import CallResult, McpCall, McpCalls
from .mcp_servers import configured, joined, reached
from .tools import ToolEntry, tool_entry

RESTART_SECONDS = 30.0
SERVER = {"server": "The server's name"}


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
        found = await reached(joined(self._workspace, name), name, patience)
        outcomes = ToolPermissions(self._workspace, rules=request.user.rules(self._workspace))
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
