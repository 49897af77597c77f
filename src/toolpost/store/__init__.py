"""Stores: where sessions, their messages and events, and saved approvals are kept."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contract import Store

DATA_DIR_VARIABLE = "TOOLPOST_DATA_DIR"


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
    """The user's own database: in the folder that TOOLPOST_DATA_DIR names, else where the system keeps such data."""
    folder = os.environ.get(DATA_DIR_VARIABLE)
    if folder:
        return Path(folder).expanduser() / "toolpost.db"
    from platformdirs import user_data_path  # needed only for the default path

    return user_data_path("toolpost", appauthor=False) / "toolpost.db"


def _file_path(spec: "str | os.PathLike[str]") -> Path:
    from toolpost.types.errors import ConfigError

    if isinstance(spec, str):
        if spec.startswith(("postgresql://", "postgres://")):
            raise ConfigError("the PostgreSQL store is not there yet: use `sqlite` or the path of a database file")
        if "://" in spec or not spec:
            raise ConfigError(f"{spec!r} names no store: use `memory`, `sqlite` or the path of a database file")
    return Path(spec).expanduser()
