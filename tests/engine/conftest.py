"""A store at a place, the workers that share it, and a process that forks those that play runs and die in them."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from played import Nursery
from workers import Workers

from toolpost.store import open_store
from toolpost.store.contract import Store

MEMORY = Path("/dev/shm")


@pytest.fixture
def store_place(tmp_path: Path) -> str:
    """Where the store is."""
    return str(tmp_path / "t.db")


@pytest.fixture
async def store(store_place: str) -> AsyncIterator[Store]:
    store = open_store(store_place)
    yield store
    await store.close()


@pytest.fixture
async def workers(store_place: str, tmp_path: Path) -> AsyncIterator[Workers]:
    async with Workers(store_place, tmp_path).open() as workers:
        yield workers


@pytest.fixture
def memory_folder(tmp_path: Path) -> Iterator[Path]:
    """In memory, where the system has such a folder: it is processes that die here, not disks."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else tmp_path) as made:
        yield Path(made)


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """One for all tests: to start it takes longer than most of what is played."""
    nursery = Nursery()
    yield nursery
    nursery.end()
