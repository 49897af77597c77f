"""Checks of `toolpost doctor` for the store: the data folder, the database file or server."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.cli.shared.formats import at_home, size
from toolpost.types.errors import ConfigError, StoreError

from .check_result import CheckResult

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

INTEGRITY_SECONDS = 3.0


def _data(workspace: "Workspace") -> CheckResult:
    if _server_url(workspace):
        return CheckResult("data", "ok", "kept on a PostgreSQL server")
    path = _database_path(workspace)
    if path is None:
        return CheckResult("data", "note", 'store = "memory": sessions are not saved')
    folder = path.parent
    there = next(place for place in (folder, *folder.parents) if place.exists())
    # Tried, not asked: rights do not tell of a read-only disk.
    import tempfile

    from toolpost.store.sqlite.connection import has_room

    if not has_room(path):
        text = f"the disk of {at_home(there)} is full"
        return CheckResult("data", "broken", text, "free some space, or export TOOLPOST_DATA_DIR=<another disk>")
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"toolpost")
    except OSError as error:
        text = f"{at_home(there)} is not writable: {error.strerror or error}"
        return CheckResult("data", "broken", text, "export TOOLPOST_DATA_DIR=<a folder of yours>")
    return CheckResult(
        "data", "ok", f"{at_home(folder)} is writable" if there == folder else f"{at_home(folder)} will be created"
    )


def _database(workspace: "Workspace") -> CheckResult:
    if url := _server_url(workspace):
        return _server(url)
    path = _database_path(workspace)
    if path is None or not path.exists():
        return CheckResult("database", "note", "none yet; the first session creates it")
    try:
        complaint, is_whole = _integrity(path)
    except StoreError as error:
        return CheckResult(
            "database", "broken", str(error), f"move {at_home(path)} away, or export TOOLPOST_DATA_DIR=<another>"
        )
    if complaint:
        text = f"{at_home(path)} is damaged: {complaint}"
        return CheckResult("database", "broken", text, f"replace {at_home(path)} with a backup")
    checked = "is intact" if is_whole else f"opens; too large to check in {INTEGRITY_SECONDS:g} s"
    return CheckResult("database", "ok", f"{at_home(path)} {checked}, {size(path.stat().st_size)}")


def _server(url: str) -> CheckResult:
    import asyncio

    from toolpost.store import open_store

    async def ask() -> None:
        store = open_store(url)
        try:
            await store.approvals()
        finally:
            await store.close()

    try:
        asyncio.run(ask())
    except (StoreError, ConfigError) as error:
        return CheckResult("database", "broken", str(error), "toolpost config show --origin")
    return CheckResult("database", "ok", "the PostgreSQL server answers; its tables are up to date")


def _integrity(path: Path) -> tuple[str, bool]:
    """What is wrong with the file, if anything, and whether all of it could be looked at in time."""
    import sqlite3
    from contextlib import closing

    from toolpost.store.sqlite.connection import connect_to_read, explain
    from toolpost.store.sqlite.schema import check_version

    try:
        with closing(connect_to_read(path)) as connection:
            check_version(connection, path)
            watch = threading.Timer(INTEGRITY_SECONDS, connection.interrupt)
            watch.start()
            try:
                answer: bytes = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                    raise
                return "", False
            finally:
                watch.cancel()
    except (sqlite3.Error, OSError) as error:
        raise explain(error, path) from error
    return ("" if answer == b"ok" else answer.decode(errors="replace")), True


def _server_url(workspace: "Workspace") -> str:
    spec = workspace.config.store or ""
    return spec if "://" in spec else ""


def _database_path(workspace: "Workspace") -> Path | None:
    from toolpost.store import default_path

    spec = workspace.config.store or "sqlite"
    if spec == "memory":
        return None
    return default_path() if spec == "sqlite" else Path(spec).expanduser()


STORE_CHECKS: "dict[str, Callable[[Workspace], CheckResult]]" = {"data": _data, "database": _database}
