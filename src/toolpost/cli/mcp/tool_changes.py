"""Record the tools of MCP servers, and show what changed since a person accepted them."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from toolpost.cli.shared.output import say
from toolpost.cli.shared.tables import dim, plain
from toolpost.mcp.config import McpServer
from toolpost.mcp.known_tools import KnownTools, ToolChange
from toolpost.workspace import Workspace

if TYPE_CHECKING:
    from toolpost.mcp.server_set import McpServers

_WORDS = {"new": "is new", "changed": "has changed", "gone": "was removed"}


def note_tools(workspace: Workspace, servers: "McpServers") -> None:
    """Remember how the tools of connected servers are now."""
    known = KnownTools.of_project(workspace.project, workspace.environ)
    for server, tools in servers.fingerprints().items():
        known.note(server, tools)


def changed_tools(workspace: Workspace, servers: Iterable[McpServer]) -> dict[str, list[ToolChange]]:
    """The changes by server, as far as it was started. Tools that were approved as they are now are left out."""
    known = KnownTools.of_project(workspace.project, workspace.environ)
    found = {server.name: known.changes(server.name) for server in servers}
    if not any(found.values()):
        return {}
    approved = asyncio.run(_approved(workspace))
    left = {name: [one for one in changes if one.now not in approved] for name, changes in found.items()}
    return {name: changes for name, changes in left.items() if changes}


def show_changes(server: str, changes: Sequence[ToolChange]) -> None:
    """Say which tools of a server came, changed or went, and how."""
    for change in changes:
        say(f"{plain(change.tool)} {_WORDS[change.kind]} since {plain(server)} was first seen")
        for line in change.diff.splitlines():
            say(f"  {plain(line)}")
    say(dim(f"to accept them: toolpost mcp accept {plain(server)}"))


async def _approved(workspace: Workspace) -> set[str]:
    try:
        return {one.fingerprint for one in await workspace.store.approvals(str(workspace.project), "")} - {""}
    finally:
        await workspace.store.close()
