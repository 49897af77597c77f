"""The tools of this folder, wherever they come from, and what the rules say about each."""

from typing import Any

from msgspec import Struct

from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.tools.define import Tool
from toolpost.workspace import Workspace
from toolpost.workspace.tool_permissions import Runs, ToolPermissions


class ToolEntry(Struct, frozen=True):
    """`runs` is what the rules say before any arguments are known: "depends" where they differ by pattern, "off" where
    models are not offered it, and then `hidden` says why. `permission` is what rules call it. `timeout` is in seconds,
    null where the usual one holds."""

    name: str
    label: str
    description: str
    parameters: dict[str, Any]
    source: str
    permission: str
    runs: Runs
    hidden: str
    is_read_only: bool
    timeout: float | None


class ToolList(Struct, frozen=True):
    tools: tuple[ToolEntry, ...]


class ToolQuery(Struct, frozen=True):
    """As the default agent has them, or another."""

    agent: str = ""


def routes(workspace: Workspace) -> list[Route]:
    async def tools(request: Request) -> None:
        query = request.query_as(ToolQuery)
        outcomes = ToolPermissions(workspace, query.agent or None, request.user.rules(workspace))
        await workspace.prepare()
        await request.reply_json(ToolList(tuple(tool_entry(tool, outcomes) for tool in workspace.tools)))

    doc = Doc("The tools of this folder", tag="tools", query=ToolQuery, gives=ToolList)
    return [Route("GET", "/api/tools", tools, doc)]


def tool_entry(tool: Tool, outcomes: ToolPermissions) -> ToolEntry:
    return ToolEntry(
        tool.name,
        tool.label,
        tool.description,
        tool.parameters,
        tool.source,
        tool.asks_for,
        outcomes(tool),
        outcomes.why_hidden(tool),
        tool.read_only,
        tool.timeout,
    )
