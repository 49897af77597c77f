"""Which store a setting names."""

import asyncio
import sys
from pathlib import Path

import pytest

from toolpost.store import open_store
from toolpost.store.memory import MemoryStore
from toolpost.store.postgres import PostgresStore
from toolpost.store.sqlite.store import SqliteStore
from toolpost.types.errors import ConfigError


@pytest.mark.parametrize("spec", [None, "memory"])
def test_memory_is_the_store_without_a_setting(spec: str | None) -> None:
    store = open_store(spec)
    assert isinstance(store, MemoryStore)
    assert not store.durable


async def test_sqlite_is_the_users_own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    store = open_store("sqlite")
    assert isinstance(store, SqliteStore)
    assert store.path == tmp_path / "data" / "toolpost.db"
    await store.close()


async def test_the_users_own_database_is_where_the_system_keeps_such_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOOLPOST_DATA_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    store = open_store("sqlite")
    assert isinstance(store, SqliteStore)
    assert store.path.is_relative_to(tmp_path)
    assert store.path.name == "toolpost.db"
    await store.close()


def test_a_path_is_the_file_of_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for spec in (tmp_path / "a #?%41.db", str(tmp_path / "b.db"), "~/c.db"):
        store = open_store(spec)
        assert isinstance(store, SqliteStore)
        asyncio.run(store.close())
    assert {file.name for file in tmp_path.iterdir()} == {"a #?%41.db", "b.db", "c.db"}


async def test_a_url_is_a_database_on_a_server_which_is_asked_nothing_yet() -> None:
    store = open_store("postgres://localhost:1/toolpost")
    assert isinstance(store, PostgresStore)
    await store.close()


def test_a_driver_that_is_not_installed_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigError, match=r"pip install 'toolpost\[postgres\]'"):
        open_store("postgresql://localhost/toolpost")


@pytest.mark.parametrize("spec", ["mysql://localhost", ""])
def test_a_store_that_is_not_there_is_said_so(spec: str) -> None:
    with pytest.raises(ConfigError, match="path of a database file"):
        open_store(spec)
