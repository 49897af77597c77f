"""MCP servers that a request brings along: connected for it alone, and only where its sender could reach them too."""

import contextlib
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path

from msgspec import structs

from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import AddressRefused, parse_url
from toolpost.mcp.config import McpServer
from toolpost.mcp.names import server_words
from toolpost.net.dial import MACHINE
from toolpost.server.refusals import BadRequest
from toolpost.store.contract import Approval
from toolpost.tools.define import Tool
from toolpost.tools.registry import Registry
from toolpost.tools.switched_tools import Choice
from toolpost.types.ids import new_id
from toolpost.workspace import Workspace

from .request import McpWish


class Brought:
    """The tools of such servers."""

    def __init__(self, wish: McpWish) -> None:
        self._wish = wish
        self._words = server_words({*wish.toolsets, *(server.name for server in wish.servers)})
        self._switches = {self._words[name]: Choice.switches(table) for name, table in wish.toolsets.items()}
        self._prefixes = tuple(f"mcp__{self._words[server.name]}__" for server in wish.servers)

    def replaces(self, name: str) -> bool:
        """Whether a tool of the folder has to give way: what the request approves must never be about it."""
        return name.startswith(self._prefixes) if self._prefixes else False

    def wants(self, name: str) -> bool:
        """Whether the request's toolsets leave this tool on, whoever's it is."""
        kind, _, rest = name.partition("__")
        word, _, bare = rest.partition("__")
        switches = self._switches.get(word) if kind == "mcp" else None
        return switches is None or switches.offers(bare)

    @contextlib.asynccontextmanager
    async def tools(self, workspace: Workspace) -> AsyncGenerator[list[Tool]]:
        """Connected until the context is left. Raises `BadRequest` where one cannot be."""
        if not self._wish.servers:
            yield []
            return
        servers = await pinned(self._wish.servers, workspace)
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
    """Who brings a server wants its tools to be called as they are now. That answers what a rule asks, and no deny."""
    return [
        Approval(new_id("apr"), str(project), tool.asks_for, "*", 0.0, owner, tool.fingerprint.digest)
        for tool in tools
        if tool.fingerprint is not None
    ]


async def pinned(servers: Iterable[McpServer], workspace: Workspace) -> tuple[McpServer, ...]:
    """The servers, each held to the addresses that its name has now. Raises `BadRequest` for one that whoever names it
    could not reach without us: one in our own network, say."""
    policy, held = Policy(workspace.config.web.allow_hosts), list[McpServer]()
    for server in servers:
        try:
            addresses = await policy.pin(parse_url(server.url), MACHINE.resolve)
            held.append(structs.replace(server, addresses=addresses))
        except AddressRefused as error:
            raise BadRequest(f"the MCP server {server.name}: {error}") from None
        except OSError as error:
            raise BadRequest(f"the MCP server {server.name} cannot be found: {error}") from None
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
