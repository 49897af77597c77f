"""MCP servers that a request brings: connected for it alone, at addresses that its sender could reach too."""

import contextlib
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path

from msgspec import structs

from toolpost.extras import is_installed, missing_text
from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import AddressRefused, parse_url
from toolpost.mcp.config import McpServer
from toolpost.mcp.names import server_words
from toolpost.net.dial import MACHINE
from toolpost.server.refusals import BadRequest
from toolpost.store.contract import Approval
from toolpost.tools.define import Tool
from toolpost.tools.offered_tools import ToolSwitches
from toolpost.tools.registry import Registry
from toolpost.types.ids import new_id
from toolpost.workspace import Workspace

from .request import McpOptions


class RequestServers:
    """The MCP servers of one request, and their tools."""

    def __init__(self, options: McpOptions) -> None:
        self._options = options
        self._words = server_words({*options.toolsets, *(server.name for server in options.servers)})
        self._switches = {self._words[name]: ToolSwitches.switches(table) for name, table in options.toolsets.items()}
        self._prefixes = tuple(f"mcp__{self._words[server.name]}__" for server in options.servers)

    def replaces(self, name: str) -> bool:
        """Return whether a tool of the folder is hidden for this request: an approval of the request must never apply
        to it."""
        return name.startswith(self._prefixes) if self._prefixes else False

    def wants(self, name: str) -> bool:
        """Return whether the request's toolsets leave this tool on, wherever it comes from."""
        kind, _, rest = name.partition("__")
        word, _, bare = rest.partition("__")
        switches = self._switches.get(word) if kind == "mcp" else None
        return switches is None or switches.offers(bare)

    @contextlib.asynccontextmanager
    async def tools(self, workspace: Workspace) -> AsyncGenerator[list[Tool]]:
        """The tools of the servers, connected until the context is left. Raises `BadRequest` if a server cannot be
        connected."""
        if not self._options.servers:
            yield []
            return
        servers = await pinned(self._options.servers, workspace)
        registry, problems = Registry(), list[str]()
        joined = _joined(servers, registry, workspace, lambda name: not self.wants(name), problems.append)
        try:
            await joined.prepare()
            if problems:
                raise BadRequest(f"mcp_servers: {problems[0]}")
            yield [tool for tool in registry if tool.name.startswith(self._prefixes)]
        finally:
            await joined.close()


def approvals_of(tools: Iterable[Tool], project: Path, owner: str = "") -> list[Approval]:
    """Return approvals for the tools of servers that a request brings, as these tools are now. They answer asks and
    never overrule a deny."""
    return [
        Approval(new_id("apr"), str(project), tool.asks_for, "*", 0.0, owner, tool.fingerprint.digest)
        for tool in tools
        if tool.fingerprint is not None
    ]


async def pinned(servers: Iterable[McpServer], workspace: Workspace) -> tuple[McpServer, ...]:
    """Return the servers, each fixed to the addresses that its name has now. Raises `BadRequest` for a server that the
    sender could not reach directly, such as one in our network."""
    # Imported here: only who brings servers needs it.

    servers = tuple(servers)
    if servers and not is_installed("mcp"):
        raise BadRequest(missing_text("mcp", f"the MCP server {servers[0].name}"))
    policy, held = Policy(workspace.config.web.allow_hosts), list[McpServer]()
    for server in servers:
        try:
            addresses = await policy.pin(parse_url(server.url), MACHINE.resolve)
            held.append(structs.replace(server, addresses=addresses))
        except AddressRefused as error:
            raise BadRequest(f"the MCP server {server.name}: {error}") from None
        except OSError as error:
            raise BadRequest(f"the MCP server {server.name} cannot be resolved: {error}") from None
    return tuple(held)


def _joined(
    servers: tuple[McpServer, ...],
    registry: Registry,
    workspace: Workspace,
    hides: Callable[[str], bool],
    tell: Callable[[str], None],
):
    # Imported here: it loads all of MCP.
    from toolpost.mcp.session_tools import JoinedServers

    return JoinedServers(
        servers,
        registry,
        folder=workspace.project,
        environ={},
        patience=workspace.config.tool_limits.mcp_seconds,
        hides=hides,
        tell=tell,
    )
