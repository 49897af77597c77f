"""Keep the tools of MCP servers in a registry while the servers connect and change."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolpost.tools.define import ALL_SERVERS, Tool
from toolpost.tools.fingerprint import Fingerprint
from toolpost.tools.registry import Registry

from .config import McpServer
from .elicitation import elicit_from_person
from .known_tools import KnownTools
from .oauth import TokenStore
from .requests import sample_from_model
from .server_set import McpServers

log = logging.getLogger("toolpost.mcp")

KIND = "mcp"


class JoinedServers:
    """`start` begins to connect, `prepare` waits a while for that: a slow server joins in a later step.

    Servers live in an event loop: in another one they are started anew. `tell` gets what a person should know: also
    that a tool has changed which a rule allows, for about the others a person is asked. `known` keeps how the tools
    were; without it, that is known from this start on.
    """

    def __init__(
        self,
        configs: Sequence[McpServer],
        registry: Registry,
        *,
        folder: Path,
        environ: Mapping[str, str],
        patience: float,
        hides: Callable[[str], bool] = lambda name: False,
        trusted: bool = False,
        vault: TokenStore | None = None,
        tell: Callable[[str], None] = lambda text: None,
        known: KnownTools | None = None,
        allows: Callable[[str], bool] = lambda name: True,
    ) -> None:
        self._configs = configs
        self._registry = registry
        self._folder = folder
        self._environ = environ
        self._patience = patience
        self._hides = hides
        self._trusted = trusted
        self._vault = vault
        self._tell = tell
        self._known = known
        self._allows = allows
        self._told: set[str] = set()
        self._noted: dict[str, dict[str, Fingerprint]] = {}
        self._servers: McpServers | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._deadline = 0.0

    def start(self) -> McpServers:
        """The servers of this event loop; start to connect to them if needed."""
        loop = asyncio.get_running_loop()
        if self._servers is None or self._loop is not loop:
            self._loop, self._deadline = loop, loop.time() + self._patience
            self._servers = McpServers(
                self._configs,
                self._folder,
                self._environ,
                self._join,
                trusted=self._trusted,
                sample=sample_from_model,
                elicit=elicit_from_person,
                vault=self._vault,
            )
            self._servers.start()
        return self._servers

    async def prepare(self) -> None:
        """Wait until all servers are connected or have failed, up to a time after the start."""
        servers = self.start()
        left = self._deadline - asyncio.get_running_loop().time()
        if left > 0:
            await servers.ready(left)
        self._join()
        self._report(servers)

    def add(self, server: McpServer) -> None:
        """Add a server; its tools are registered when it is connected."""
        self.start().add(server)
        self._configs = [*self._configs, server]

    async def remove(self, name: str) -> None:
        """Disconnect from a server and remove its tools."""
        self._configs = [one for one in self._configs if one.name != name]
        if self._servers is not None:
            await self._servers.remove(name)

    async def close(self) -> None:
        servers, self._servers = self._servers, None
        if servers is not None and self._loop is asyncio.get_running_loop():
            await servers.close()
        self._registry.swap(KIND, ())

    def _join(self) -> None:
        if self._servers is not None:
            self._registry.swap(KIND, [_sourced(tool) for tool in self._servers.tools(self._hides)])
            for server, found in self._servers.fingerprints().items():
                if found != self._noted.get(server):
                    self._compare(server, found)

    def _compare(self, server: str, found: dict[str, Fingerprint]) -> None:
        before, self._noted[server] = self._noted.get(server), found
        if self._known is not None:
            changed = {change.tool for change in self._known.note(server, found) if change.kind == "changed"}
        else:
            changed = {name for name in found if before and name in before and found[name] != before[name]}
        for name in sorted(filter(self._allows, changed)):
            text = _CHANGED.format(server=server, name=name)
            if text not in self._told:
                self._told.add(text)
                log.warning("%s", text)
                self._tell(text)

    def _report(self, servers: McpServers) -> None:
        """Report the error of each server once."""
        for status in servers.status():
            text = _PROBLEMS.get(status.state, "").format(name=status.name, detail=status.detail)
            if text and text not in self._told:
                self._told.add(text)
                self._tell(text)


_CHANGED = (
    "the MCP server {server} changed {name} since it was first seen, and a rule allows it: "
    "`toolpost mcp list` shows what changed, `toolpost mcp accept {server}` accepts it"
)
_PROBLEMS = {
    "connecting": "the MCP server {name} is still connecting; its tools will be added later",
    "waiting": "the MCP server {name} cannot be reached, retrying: {detail}",
    "failed": "the MCP server {name} failed: {detail}. For details: toolpost mcp test {name}",
    "needs_login": "the MCP server {name} requires a login: toolpost mcp login {name}",
}


def _sourced(tool: Tool) -> Tool:
    """The search over many tools, and what reads resources, belong to no single server."""
    return tool if tool.source.startswith(f"{KIND}:") else replace(tool, source=ALL_SERVERS)
