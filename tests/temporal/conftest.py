"""One Temporal server for the tests of a process, and for each test a queue of its own with a ledger of its runs."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from temporal_runs import Runs
from temporal_server import TemporalServer


@pytest.fixture(scope="session")
def temporal() -> Iterator[TemporalServer]:
    with TemporalServer() as server:
        yield server


@pytest.fixture
async def runs(temporal: TemporalServer, tmp_path: Path) -> AsyncIterator[Runs]:
    own = Runs(temporal, tmp_path)
    yield own
    await own.close()
