"""List the tools of the folder, and what the rules decide about each."""

from typing import Any

from msgspec import Struct

from toolpost.server.accounts.bounds import agent_for
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.tools.define import Tool
from toolpost.workspace import Workspace
from toolpost.workspace.explain_permissions import Runs, ToolPermissions


class ToolEntry(Struct, frozen=True):
    """`runs` is what the rules decide before any arguments are known: "depends" if it differs by pattern, "off" if
    models are not offered the tool, and then `hidden` says why. `permission` is its name in rules. `timeout` is in
    seconds, null for the default."""

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
    """Use the rules of the default agent, or of another."""

    agent: str = ""


def routes(workspace: Workspace) -> list[Route]:
    async def tools(request: Request) -> None:
        query = request.query_as(ToolQuery)
        user = request.user
        agent = agent_for(workspace, user, query.agent)[0]
        outcomes = ToolPermissions(workspace, agent, user.rules(workspace), user.tools)
        await workspace.prepare()
        await request.reply_json(ToolList(tuple(tool_entry(tool, outcomes) for tool in workspace.tools)))

    doc = Doc("List the tools of this folder", tag="tools", query=ToolQuery, gives=ToolList)
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
