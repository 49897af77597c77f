"""Manage all MCP servers of a folder: start, status, tools, resources, prompts, close."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.fingerprint import Fingerprint
from toolpost.types.errors import ConfigError, ToolError
from toolpost.types.messages import Content

from . import prompts, resources
from .config import McpServer, first_state
from .connection import ConnectionContext, McpConnection, State
from .content import contents, text_of
from .names import server_words
from .oauth import TokenStore
from .prompts import McpPrompt, PromptMessage
from .requests import Elicit, Sample
from .resources import Resource
from .server_process import ServerReaper
from .tool_search import is_big, search_tools
from .tools import Quarantined


class ServerStatus(Struct, frozen=True):
    """The state of one server. `detail` says why it is not connected; `server` is its own name and version."""

    name: str
    state: State
    transport: str
    origin: str
    detail: str = ""
    tools: int = 0
    prompts: int = 0
    resources: bool = False
    quarantined: tuple[Quarantined, ...] = ()
    server: str = ""
    protocol: str = ""
    instructions: str = ""


class McpServers:
    """`start` returns at once; what `tools` gives grows as servers connect, and `on_change` says when to look again.

    Servers that the folder brought with it stay where they are unless it is `trusted`. `sample` and `elicit` answer
    servers that ask for the model or for the person; without them, servers are told that there is no such thing.
    `vault` keeps the tokens of logins. `on_change` is called on the loop and must not block.
    """

    def __init__(
        self,
        configs: Sequence[McpServer],
        folder: Path,
        environ: Mapping[str, str],
        on_change: Callable[[], None] = lambda: None,
        *,
        trusted: bool = False,
        sample: Sample | None = None,
        elicit: Elicit | None = None,
        vault: TokenStore | None = None,
    ) -> None:
        self._warden = ServerReaper()
        self._around = ConnectionContext(folder, environ, on_change, sample, elicit, vault, self._warden)
        words = server_words(config.name for config in configs)
        self._connections = {
            config.name: McpConnection(config, words[config.name], self._around, first_state(config, trusted=trusted))
            for config in configs
        }
        self._searched = False

    def start(self) -> None:
        """Begin to connect and return at once. Needs a running loop."""
        for connection in self._connections.values():
            connection.start()

    async def ready(self, timeout: float) -> bool:
        """Wait until every server is connected or has failed; False if that takes longer."""
        waiting = [asyncio.ensure_future(connection.settled.wait()) for connection in self._connections.values()]
        if not waiting:
            return True
        try:
            _, late = await asyncio.wait(waiting, timeout=timeout)
            return not late
        finally:
            for future in waiting:
                future.cancel()

    async def restart(self, server: str, timeout: float) -> ServerStatus:
        """Reconnect to a server and return its state when it is connected, or after so many seconds."""
        old = self._named(server)
        if old.state in ("off", "untrusted"):
            return _status(old)
        await old.close()
        # Where two restart it at once, one of them does.
        if self._named(server) is old:
            self._connections[server] = McpConnection(old.server, old.word, self._around)
            self._connections[server].start()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._named(server).settled.wait()
        return _status(self._named(server))

    def add(self, config: McpServer) -> None:
        """Add a server and begin to connect to it. The names of the others do not change."""
        word = server_words([*self._connections, config.name])[config.name]
        if config.name in self._connections or any(one.word == word for one in self._all):
            raise ConfigError(f"another server already uses the prefix mcp__{word}__: choose another name")
        self._connections[config.name] = McpConnection(config, word, self._around)
        self._connections[config.name].start()

    async def remove(self, server: str) -> None:
        """Disconnect from a server and remove it."""
        await self._connections.pop(server).close()
        self._around.on_change()

    async def close(self) -> None:
        """Disconnect from all servers and end all of their processes."""
        await asyncio.gather(*(connection.close() for connection in self._connections.values()))
        await self._warden.close()

    def tools(self, hides: Callable[[str], bool] = lambda name: False) -> list[Tool]:
        """The tools to offer now, by name: every tool, or the search over them if there are too many.

        `hides` says which names a rule denies outright; the search does not find those either.
        """

        def shown() -> list[Tool]:
            return [tool for tool in self.all_tools() if not hides(tool.name)]

        present = shown()
        # Once there were too many, it stays so: a list that changes its form in a conversation confuses the model.
        self._searched = self._searched or is_big(present)
        servers = [name for name, connection in self._connections.items() if connection.offered.tools]
        offered = search_tools(shown, servers) if self._searched else present
        return sorted((*offered, *resources.resource_tools(self._all)), key=lambda tool: tool.name)

    def all_tools(self) -> list[Tool]:
        """Every tool of every connected server, however many there are."""
        found = [tool for connection in self._all for tool in connection.offered.tools]
        return sorted(found, key=lambda tool: tool.name)

    def fingerprints(self) -> dict[str, dict[str, Fingerprint]]:
        """The fingerprints of all tools of connected servers, by server and by the name that rules use."""
        return {
            one.server.name: {tool.name: tool.fingerprint for tool in one.offered.tools if tool.fingerprint is not None}
            for one in self._all
            if one.state == "connected"
        }

    def status(self) -> list[ServerStatus]:
        """All servers, by name."""
        return [_status(self._connections[name]) for name in sorted(self._connections)]

    async def reach(self, server: str, patience: float) -> Mapping[str, Tool]:
        """The tools of a server by its own names for them, once it is connected; `ToolError` if it is not in time."""
        connection = self._named(server)
        await connection.client(patience)
        return connection.offered.by_name

    def stderr(self, server: str) -> str:
        """The last lines that a server's process wrote to stderr."""
        return self._named(server).stderr.text()

    async def call(
        self,
        server: str,
        tool: str,
        arguments: dict[str, Any],
        ctx: ToolContext,
        digest: str = "",
        silence: float | None = None,
    ) -> list[Content]:
        """Call a tool for a person, by the server's own name for it: nothing is marked, and nobody is asked. `digest`
        is what it was allowed as, where somebody was; `silence` is how long it may take without a word."""
        result = await self._named(server).call(tool, arguments, ctx, digest, silence, _unmarked)
        parts = contents(result)
        if result.is_error:
            raise ToolError(text_of(parts))
        return parts

    async def resources(self) -> tuple[list[Resource], list[str]]:
        """List what can be read with `@server:uri`, with the errors of servers that failed."""
        return await resources.list_resources([one for one in self._all if one.offered.has_resources])

    async def mention(self, text: str) -> list[Content] | None:
        """Read the resource `@server:uri`; None if `text` names no configured server."""
        found = resources.parse_mention(text, tuple(self._connections))
        return None if found is None else await resources.read_resource(self._named(found[0]), found[1])

    def prompts(self) -> list[McpPrompt]:
        """The prompts of all servers."""
        return prompts.list_prompts(self._all)

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> list[PromptMessage]:
        """The messages of a prompt."""
        for prompt in self.prompts():
            if prompt.name == name:
                return await prompts.get_prompt(self._named(prompt.server), prompt, arguments)
        raise ToolError(f"no MCP server has the prompt {name}")

    @property
    def _all(self) -> list[McpConnection]:
        return list(self._connections.values())

    def _named(self, server: str) -> McpConnection:
        return self._connections[server]


def _unmarked(text: str, source: str) -> str:
    return text


def _status(connection: McpConnection) -> ServerStatus:
    offered, identity = connection.offered, connection.identity
    return ServerStatus(
        connection.server.name,
        connection.state,
        connection.server.transport,
        connection.server.origin,
        connection.problem,
        len(offered.tools),
        len(offered.prompts),
        offered.has_resources,
        offered.quarantined,
        identity.name,
        identity.protocol,
        identity.instructions,
    )
