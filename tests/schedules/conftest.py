"""Stores that hold schedules: in memory, and the two that several processes share."""

import itertools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from postgres_server import PostgresServer

from toolpost.store import open_store
from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore

_schemas = itertools.count(1)


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as started:
        yield started


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "memory":
        opened: Store = MemoryStore()
    elif request.param == "sqlite":
        opened = open_store(str(tmp_path / "toolpost.db"))
    else:
        opened = open_store(request.getfixturevalue("server").url(f"schedules_{next(_schemas)}"))
    yield opened
    await opened.close()
