"""The PostgreSQL server of all servers that tests start as processes; each takes a schema of its own."""

from collections.abc import Iterator

import pytest
from postgres_server import PostgresServer


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer() as started:
        yield started
