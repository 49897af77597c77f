"""Start MCP servers from the command line, report their state, and call a tool."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from toolpost.cli.shared.formats import lasted
from toolpost.cli.shared.tables import bold, dim, plain, plain_lines
from toolpost.config.token_store import TokenStore
from toolpost.mcp.config import McpServer
from toolpost.mcp.requests import Elicit
from toolpost.mcp.server_set import McpServers, ServerStatus
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied
from toolpost.types.messages import TextPart
from toolpost.types.text import counted
from toolpost.workspace import Workspace

STDERR_LINES = 20


def with_servers(
    workspace: Workspace,
    chosen: Sequence[McpServer],
    act: Callable[[McpServers], Awaitable[int]],
    elicit: Elicit | None = None,
) -> int:
    """Start these servers, do something with them, and end them. `elicit` answers what they ask during a call."""

    async def run() -> int:
        servers = McpServers(
            chosen,
            workspace.project,
            workspace.process_environ,
            trusted=workspace.trusted,
            elicit=elicit,
            vault=TokenStore(workspace.environ),
        )
        servers.start()
        try:
            return await act(servers)
        finally:
            await servers.close()

    return asyncio.run(run())


def report(status: ServerStatus, servers: McpServers, seconds: float) -> None:
    """What a server offers, or why it does not, with the last of its complaints."""
    about = f" {status.server}, protocol {status.protocol}" if status.server else ""
    _say(f"{bold(plain(status.name))}: {status.state}{plain(about)} ({lasted(seconds)})")
    if status.detail:
        _say(f"  {plain(status.detail)}")
    for tool in servers.all_tools():
        if tool.source == f"mcp:{status.name}":
            _say(f"  {plain(tool.name)}  {dim(plain(tool.description.partition(chr(10))[0]))}")
    for bad in status.quarantined:
        _say(f"  {plain(bad.tool)} is not offered: {plain(bad.reason)}")
    more = [counted(status.prompts, "prompt")] if status.prompts else []
    more += ["resources"] if status.resources else []
    if more:
        _say(f"  and {', '.join(more)}")
    lines = servers.stderr(status.name).splitlines()
    if status.state != "connected" and lines:
        _say("  its last output:")
        for line in lines[-STDERR_LINES:]:
            _say(f"    {plain(line)}")


def asked_here() -> Elicit:
    """A form on the terminal; without one there is nobody to ask, and what servers ask is declined."""
    from toolpost.cli.shared.questions import read_line
    from toolpost.cli.shared.terminal_writer import TerminalWriter
    from toolpost.mcp.elicitation import elicit_from_person

    from .form import TerminalForm

    return TerminalForm(TerminalWriter(sys.stderr), lambda: read_line(0)).elicit if has_person() else elicit_from_person


def has_person() -> bool:
    """Somebody who sees a question and can answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def call(
    servers: McpServers, server: McpServer, tool: str, arguments: dict[str, Any], workspace: Workspace
) -> None:
    """Call a tool and show what comes back; progress goes to stderr."""
    for part in await servers.call(server.name, tool, arguments, _context(workspace)):
        _say(
            plain_lines(part.text)
            if isinstance(part, TextPart)
            else f"[{plain(part.mime)}, {len(part.data)} characters of base64]"
        )


def _context(workspace: Workspace) -> ToolContext:
    def update(text: str, details: dict[str, Any] | None) -> None:
        sys.stderr.write(plain_lines(text) + "\n")

    async def ask(
        permission: str,
        patterns: Sequence[str],
        always: Sequence[str],
        title: str,
        details: dict[str, Any] | None,
        *_: object,
    ) -> None:
        raise PermissionDenied(f"{permission} is not allowed here")

    async def environment() -> dict[str, str]:
        return {}

    return ToolContext("", "", "", workspace.project, update, ask, environment)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
