"""Read the MCP servers that are configured for a folder; add and remove entries in their files."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from toolpost.mcp.config import PROJECT_FILE, USER_FILE, McpServer, from_table, merge, read_file, read_table
from toolpost.types.errors import ConfigError

from .check import dotted
from .layers import user_file
from .load import LoadedConfig


def configured_servers(
    loaded: LoadedConfig, project: Path, environ: Mapping[str, str], *, trusted: bool
) -> tuple[McpServer, ...]:
    """From the user's file, `[mcp]` of the configuration and the project's `.mcp.json`: later ones win by name."""
    user = read_file(user_servers(environ), environ, project=False)
    tables = tuple(_from_settings(loaded, name, project, environ) for name in loaded.config.mcp)
    return merge(user, tables, _own_servers(project, environ, trusted=trusted), trusted=trusted)


def user_servers(environ: Mapping[str, str]) -> Path:
    """The user's own servers, for every folder."""
    return user_file(environ).parent / USER_FILE


def add_entry(file: Path, name: str, entry: dict[str, Any]) -> None:
    """Put a server into a file, which keeps everything else that it holds."""
    table = read_table(file, project=file.name == PROJECT_FILE)
    servers = table.setdefault("mcpServers", {})
    if name in servers:
        raise ConfigError(f"{file} already has a server {name}: remove it first, or choose another name")
    servers[name] = entry
    _write(file, table)


def remove_entry(file: Path, name: str) -> bool:
    """Take a server out of a file; False if it is not in there."""
    table = read_table(file, project=file.name == PROJECT_FILE)
    if table.get("mcpServers", {}).pop(name, None) is None:
        return False
    _write(file, table)
    return True


def _own_servers(project: Path, environ: Mapping[str, str], *, trusted: bool) -> tuple[McpServer, ...]:
    try:
        return read_file(project / PROJECT_FILE, environ, project=True)
    except ConfigError:
        # What a folder brings along can't stop anything either before it is trusted.
        if trusted:
            raise
        return ()


def _from_settings(loaded: LoadedConfig, name: str, project: Path, environ: Mapping[str, str]) -> McpServer:
    settings = loaded.config.mcp[name]
    origin = loaded.origin(dotted(("mcp", name)))
    table = {**settings.given(), "oauth": settings.oauth.given(), "enabled": settings.enabled}
    is_project = origin.startswith("project")
    return from_table(name, table, environ, origin=origin, base=project, project=is_project)


def _write(file: Path, table: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = mkstemp(dir=file.parent, prefix=f".{file.name}.")
    with os.fdopen(handle, "w") as new:
        new.write(json.dumps(table, indent=2, ensure_ascii=False) + "\n")
    if file.exists():
        Path(name).chmod(file.stat().st_mode & 0o777)
    Path(name).replace(file)
