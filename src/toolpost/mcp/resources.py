"""List and read resources of MCP servers: tools for the model, `@server:uri` for a person."""

import asyncio
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct

from toolpost.tools.define import Tool, ToolResult, tool
from toolpost.types.errors import ToolError
from toolpost.types.messages import Content, TextPart

from .connection import McpConnection, all_pages
from .content import mark, resource
from .tools import visible

if TYPE_CHECKING:
    from mcp import Client

LIST_SECONDS = 20.0
MAX_LISTED = 200
# `server:scheme://…`; a path or an address of another kind is none.
_MENTION = re.compile(r"@?([^\s:@/]+):([A-Za-z][A-Za-z0-9+.-]*:\S+)")


class Resource(Struct, frozen=True):
    """A resource of a server. With `template`, `uri` has `{parts}` to fill in."""

    server: str
    uri: str
    name: str = ""
    description: str = ""
    mime: str = ""
    template: bool = False


async def list_resources(connections: Sequence[McpConnection]) -> tuple[list[Resource], list[str]]:
    """List the resources of all these servers, with the errors of those that failed."""
    answers = await asyncio.gather(*(_listed(connection) for connection in connections), return_exceptions=True)
    found: list[Resource] = []
    problems: list[str] = []
    for connection, answer in zip(connections, answers, strict=True):
        if isinstance(answer, ToolError | TimeoutError):
            problems.append(f"{connection.server.name}: {answer or 'timeout'}")
        elif isinstance(answer, BaseException):
            raise answer
        else:
            found += answer
    return found, problems


async def read_resource(connection: McpConnection, uri: str) -> list[Content]:
    """Read a resource; its text is marked as the server's."""
    result = await connection.ask(lambda client: client.read_resource(uri))
    return mark((resource(contents) for contents in result.contents), f"MCP server {connection.server.name}, {uri}")


def parse_mention(text: str, servers: Sequence[str]) -> tuple[str, str] | None:
    """The server and the address of `@server:uri`, or None where `text` is no such thing."""
    match = _MENTION.fullmatch(text)
    return (match[1], match[2]) if match and match[1] in servers else None


def resource_tools(connections: Sequence[McpConnection]) -> list[Tool]:
    """Make the resource tools for a model; none if no server has resources."""
    having = {connection.server.name: connection for connection in connections if connection.offered.has_resources}
    if not having:
        return []

    def named(server: str) -> McpConnection:
        if server not in having:
            raise ToolError(f'No MCP server "{server}" has resources. Those that have: {", ".join(having)}.')
        return having[server]

    @tool(read_only=True, patterns=lambda arguments: [arguments.get("server") or "*"])
    async def mcp_list_resources(server: Annotated[str, "Only of this server; empty for all"] = "") -> ToolResult:
        """List what MCP servers have to read: documents, tables, logs. Use before mcp_read_resource."""
        found, problems = await list_resources([named(server)] if server else list(having.values()))
        lines = [_line(entry) for entry in found[:MAX_LISTED]]
        if len(found) > MAX_LISTED:
            lines.append(f"… and {len(found) - MAX_LISTED} more: name a server to see fewer")
        lines += [f"(not listed: {problem})" for problem in problems]
        return ToolResult(mark([TextPart("\n".join(lines) or "There are none.")], "MCP servers"))

    @tool(read_only=True, patterns=lambda arguments: [f"{arguments.get('server')}:{arguments.get('uri')}"])
    async def mcp_read_resource(
        server: Annotated[str, "The server that has it"],
        uri: Annotated[str, "Its address as listed; fill in the {parts} of a template"],
    ) -> ToolResult:
        """Read a resource of an MCP server. Use mcp_list_resources first to find its address."""
        return ToolResult(await read_resource(named(server), uri), title=uri)

    return [mcp_list_resources, mcp_read_resource]


async def _listed(connection: McpConnection) -> list[Resource]:
    async def ask(client: "Client") -> list[Resource]:
        resources = await all_pages(lambda at: client.list_resources(cursor=at), "resources")
        templates = await all_pages(lambda at: client.list_resource_templates(cursor=at), "resource_templates")
        return [_resource(connection, entry) for entry in (*resources, *templates)]

    async with asyncio.timeout(LIST_SECONDS):
        return await connection.ask(ask)


def _resource(connection: McpConnection, entry: Any) -> Resource:
    template = getattr(entry, "uri_template", None)
    return Resource(
        connection.server.name,
        str(template or entry.uri),
        visible(entry.title or entry.name),
        visible(entry.description or ""),
        entry.mime_type or "",
        template is not None,
    )


def _line(entry: Resource) -> str:
    about = " ".join(entry.description.split())[:200]
    kind = f" ({entry.mime})" if entry.mime else ""
    return f"{entry.server}: {entry.uri}{kind} {entry.name}{f' - {about}' if about else ''}"
