"""Put servers into the files that they are configured in, and take them out again."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from toolpost.mcp.config import PROJECT_FILE, read_table
from toolpost.types.errors import ConfigError


def add_entry(file: Path, name: str, entry: dict[str, Any]) -> None:
    """Put a server into a file, which keeps everything else that it holds."""
    table = read_table(file, project=file.name == PROJECT_FILE)
    servers = table.setdefault("mcpServers", {})
    if name in servers:
        raise ConfigError(f"{file} has a server {name} already: remove it first, or take another name")
    servers[name] = entry
    _write(file, table)


def remove_entry(file: Path, name: str) -> bool:
    """Take a server out of a file; False if it is not in there."""
    table = read_table(file, project=file.name == PROJECT_FILE)
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
