"""Open stores of sessions, messages, events and approvals: memory, SQLite, PostgreSQL."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.folders import user_folder

if TYPE_CHECKING:
    from .contract import Store


def open_store(spec: "str | os.PathLike[str] | None" = None) -> "Store":
    """Open what `spec` names.

    None or "memory", "sqlite" (the user's own database), the path of a database file, or a `postgresql://` URL.
    """
    if spec is None or spec == "memory":
        from .memory import MemoryStore

        return MemoryStore()
    if is_postgres(spec):
        return _open_postgres(str(spec))
    path = database_path(spec)
    # SQLite is imported only where a file is opened: a run in memory starts without it.
    from .sqlite.store import SqliteStore

    return SqliteStore(path)


def is_postgres(spec: "str | os.PathLike[str]") -> bool:
    return isinstance(spec, str) and spec.startswith(("postgresql://", "postgres://"))


def database_path(spec: "str | os.PathLike[str]") -> Path:
    """The file of a SQLite store."""
    return default_path() if spec == "sqlite" else _file_path(spec)


def default_path() -> Path:
    """The user's own database."""
    return user_folder("data") / "toolpost.db"


def _open_postgres(url: str) -> "Store":
    # Imported here: a run in memory starts without it.
    from toolpost.extras import require

    require("postgres", "a PostgreSQL store")
    from .postgres import PostgresStore

    return PostgresStore(url)


def _file_path(spec: "str | os.PathLike[str]") -> Path:
    from toolpost.types.errors import ConfigError

    if isinstance(spec, str) and ("://" in spec or not spec):
        # Only the beginning: what follows may hold a password.
        named = f"{spec.partition('://')[0]}://" if spec else "nothing"
        raise ConfigError(
            f"{named} is not a store: use `memory`, `sqlite`, the path of a database file or a postgresql:// URL"
        )
    return Path(spec).expanduser()
