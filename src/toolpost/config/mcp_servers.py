"""The MCP servers that are configured for a folder, from the three places where they can stand."""

from collections.abc import Mapping
from pathlib import Path

from toolpost.mcp.config import PROJECT_FILE, USER_FILE, McpServer, from_table, merge, read_file
from toolpost.types.errors import ConfigError

from .check import dotted
from .layers import user_file
from .load import Loaded


def configured_servers(
    loaded: Loaded, project: Path, environ: Mapping[str, str], *, trusted: bool
) -> tuple[McpServer, ...]:
    """From the user's file, `[mcp]` of the configuration and the project's `.mcp.json`: later ones win by name."""
    user = read_file(user_servers(environ), environ, project=False)
    tables = tuple(_from_settings(loaded, name, project, environ) for name in loaded.config.mcp)
    return merge(user, tables, _own_servers(project, environ, trusted=trusted), trusted=trusted)


def user_servers(environ: Mapping[str, str]) -> Path:
    """The user's own servers, for every folder."""
    return user_file(environ).parent / USER_FILE


def _own_servers(project: Path, environ: Mapping[str, str], *, trusted: bool) -> tuple[McpServer, ...]:
    try:
        return read_file(project / PROJECT_FILE, environ, project=True)
    except ConfigError:
        # What a folder brings along can't stop anything either before it is trusted.
        if trusted:
            raise
        return ()


def _from_settings(loaded: Loaded, name: str, project: Path, environ: Mapping[str, str]) -> McpServer:
    settings = loaded.config.mcp[name]
    origin = loaded.origin(dotted(("mcp", name)))
    table = {**settings.given(), "oauth": settings.oauth.given(), "enabled": settings.enabled}
    is_project = origin.startswith("project")
    return from_table(name, table, environ, origin=origin, base=project, project=is_project)
