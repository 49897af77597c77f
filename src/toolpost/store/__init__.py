"""Stores: where sessions, their messages and events, and saved approvals are kept."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.folders import user_folder

if TYPE_CHECKING:
    from .contract import Store


def open_store(spec: "str | os.PathLike[str] | None" = None) -> "Store":
    """Open what `spec` names: None or "memory", "sqlite" (the user's own database), or the path of a database."""
    if spec is None or spec == "memory":
        from .memory import MemoryStore

        return MemoryStore()
    path = default_path() if spec == "sqlite" else _file_path(spec)
    # SQLite is imported only where a file is opened: a run in memory starts without it.
    from .sqlite import SqliteStore

    return SqliteStore(path)


def default_path() -> Path:
    """The user's own database."""
    return user_folder("data") / "toolpost.db"


def _file_path(spec: "str | os.PathLike[str]") -> Path:
    from toolpost.types.errors import ConfigError

    if isinstance(spec, str):
        if spec.startswith(("postgresql://", "postgres://")):
            raise ConfigError("the PostgreSQL store is not there yet: use `sqlite` or the path of a database file")
        if "://" in spec or not spec:
            raise ConfigError(f"{spec!r} names no store: use `memory`, `sqlite` or the path of a database file")
    return Path(spec).expanduser()
