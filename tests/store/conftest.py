"""One store of each kind, and short ways to fill it."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import version_5
from postgres_server import PostgresServer

from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore
from toolpost.store.postgres import PostgresStore
from toolpost.store.sqlite.store import SqliteStore

_schemas = itertools.count(1)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened: Store
    if request.param == "memory":
        opened = MemoryStore()
    elif request.param == "sqlite":
        opened = SqliteStore(tmp_path / "toolpost.db")
    else:
        opened = PostgresStore(request.getfixturevalue("new_url")())
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "toolpost.db")
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What `open_store` opens, for a store that several processes share."""
    return str(tmp_path / "new" / "t.db") if request.param == "sqlite" else request.getfixturevalue("url")


@pytest.fixture
def database_5(database: str) -> str:
    """The same, of the version before open runs had a table."""
    if "://" in database:
        version_5.write_schema(database)
    else:
        version_5.write_file(Path(database))
    return database


@pytest.fixture
async def postgres(url: str) -> AsyncIterator[PostgresStore]:
    opened = PostgresStore(url)
    yield opened
    await opened.close()


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    return new_url()


@pytest.fixture(scope="session")
def new_url(server: PostgresServer) -> Callable[[], str]:
    """Each URL is a schema of its own: making one is quicker than emptying another."""
    return lambda: server.url(f"test_{next(_schemas)}")


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as started:
        yield started
