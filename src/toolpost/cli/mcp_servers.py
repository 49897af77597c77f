"""What `toolpost mcp` does to the files that servers stand in, and whether a folder's own may be started."""

import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from toolpost.guard.trust import Trust
from toolpost.mcp.config import PROJECT_FILE, McpServer, read_table
from toolpost.types.errors import ConfigError
from toolpost.workspace import Workspace


@contextmanager
def keeping_trust(workspace: Workspace) -> Generator[None]:
    """What a person changes with a command of ours needs no second word: a trusted folder stays so."""
    trust = Trust.of_user(workspace.environ)
    trusted = trust.standing(workspace.project).trusted
    yield
    if trusted:
        trust.give(workspace.project)


def state_of(server: McpServer, *, trusted: bool) -> str:
    """How a server is before it is started."""
    if server.problem:
        return f"broken: {server.problem}"
    if not server.enabled:
        return "off"
    return "untrusted" if server.project and not trusted else "on"


def project_path(workspace: Workspace) -> Path:
    return workspace.project / PROJECT_FILE


def add_entry(file: Path, name: str, entry: dict[str, Any]) -> None:
    """Put a server into a file, which keeps everything else that it holds."""
    table = read_table(file) if file.is_file() else {}
    servers = table.setdefault("mcpServers", {})
    if name in servers:
        raise ConfigError(f"{file} has a server {name} already: remove it first, or take another name")
    servers[name] = entry
    _write(file, table)


def remove_entry(file: Path, name: str) -> bool:
    """Take a server out of a file; False if it is not in there."""
    table = read_table(file) if file.is_file() else {}
    if table.get("mcpServers", {}).pop(name, None) is None:
        return False
    _write(file, table)
    return True


def _write(file: Path, table: Mapping[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = mkstemp(dir=file.parent, prefix=f".{file.name}.")
    with os.fdopen(handle, "w") as new:
        new.write(json.dumps(table, indent=2, ensure_ascii=False) + "\n")
    if file.exists():
        Path(name).chmod(file.stat().st_mode & 0o777)
    Path(name).replace(file)
