"""Find the folder's MCP servers by name, and connect to them."""

from collections.abc import Mapping, Sequence

from toolpost.config.mcp_servers import configured_servers
from toolpost.mcp.config import McpServer
from toolpost.mcp.server_set import McpServers
from toolpost.server.refusals import Refusal
from toolpost.tools.define import Tool
from toolpost.types.errors import ToolError
from toolpost.workspace import Workspace


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


async def reached(servers: McpServers, name: str, patience: float) -> Mapping[str, Tool]:
    """Return the tools of a server by its own names, once it is connected."""
    try:
        return await servers.reach(name, patience)
    except ToolError as error:
        raise unreachable(servers, name) from error


def unreachable(servers: McpServers, name: str) -> Refusal:
    status = next(one for one in servers.status() if one.name == name)
    return Refusal("unreachable", f"the MCP server {name} cannot be reached ({status.state}): {status.detail}")
