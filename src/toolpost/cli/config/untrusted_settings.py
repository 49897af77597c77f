"""What a folder that is not trusted says of itself, for a person who looks at its settings before trusting it."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from toolpost.plugins.hooks import Plugin
from toolpost.tools.registry import Registry
from toolpost.workspace import Workspace

if TYPE_CHECKING:
    from toolpost.mcp.session_tools import JoinedServers


class AsWritten(Workspace):
    """The settings and agents as they would be, which are texts. All that runs is left as it is `now`: to look at a
    folder must import no tool of it, start no server, and load no plugin that the user has switched off."""

    def __init__(self, now: Workspace) -> None:
        super().__init__(now.folder, environ=now.environ, trusted=True)
        self._now = now

    @cached_property
    def plugins(self) -> Sequence[Plugin]:
        return self._now.plugins

    @cached_property
    def tools(self) -> Registry:
        return self._now.tools

    @cached_property
    def servers(self) -> "JoinedServers | None":
        return self._now.servers
