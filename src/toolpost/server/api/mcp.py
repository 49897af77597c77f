"""The MCP servers of this folder: how they are, what they offer, and calls of their tools without a model."""

from msgspec import Struct

from toolpost.mcp.config import first_state
from toolpost.mcp.connection import State
from toolpost.mcp.server_set import ServerStatus
from toolpost.mcp.tools import Quarantined
from toolpost.server.chat.conversations import Rooms
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.workspace.tool_permissions import ToolPermissions

from .mcp_call import CallResult, McpCall, McpCalls
from .mcp_servers import configured, joined, reached
from .tools import ToolEntry, tool_entry

RESTART_SECONDS = 30.0
SERVER = {"server": "The server's name"}


class ServerEntry(Struct, frozen=True):
    """`state` is how it is: only one that is connected can be called. `error` says why it is not; `tools` are as many
    as it offers, `left_out` those whose descriptions are broken. `server` is its own name and version."""

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
    """`name` is the server's own word for it; models and rules have the one in `tool`."""

    name: str
    tool: ToolEntry


class ServerTools(Struct, frozen=True):
    tools: tuple[ServerTool, ...]


def routes(rooms: Rooms) -> list[Route]:
    mcp = _Mcp(rooms)
    listed = Doc("The MCP servers of this folder", "tools", gives=ServerList)
    offered = Doc("What a server offers", "tools", gives=ServerTools, params=SERVER, errors=(502,))
    restarted = Doc("Leave a server and connect to it anew", "tools", gives=ServerEntry, params=SERVER, errors=(502,))
    called = Doc(
        "Call a tool of a server",
        "tools",
        takes=McpCall,
        gives=CallResult,
        errors=(404, 409, 502),
        description="A tool that fails is an answer, with `is_error`; 502 is for a server that can't be reached.",
    )
    return [
        Route("GET", "/api/mcp", mcp.list, listed),
        Route("POST", "/api/mcp/call", McpCalls(rooms).answer, called),
        Route("GET", "/api/mcp/{server}/tools", mcp.tools, offered),
        # It would break the calls of everybody else.
        Route("POST", "/api/mcp/{server}/restart", mcp.restart, restarted, needs="administer"),
    ]


class _Mcp:
    def __init__(self, rooms: Rooms) -> None:
        self._workspace = rooms.workspace

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
