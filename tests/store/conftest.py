"""One store of each kind, and short ways to fill it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore
from toolpost.store.sqlite import SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "toolpost.db")
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "toolpost.db")
    yield opened
    await opened.close()
