"""Write a batch of jobs as one PostgreSQL transaction, in one pipeline.

One transaction for all that waits matters here even more than one sync: the server lets only one transaction that
notifies commit at a time.
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg import Connection

from toolpost.store.writer import WriteJob
from toolpost.types.errors import StoreError

from .connection import PostgresServer
from .lease import come_alive
from .reconnecting import ReconnectingConnection

# How long a lost connection may go unnoticed by a worker that holds sessions and writes nothing.
HEARTBEAT_S = 5.0


class PostgresTransactions:
    """Owns the connection that writes, and with it the life of the worker. A job is the `Work` of a transaction."""

    idle_seconds: float | None = HEARTBEAT_S

    def __init__(self, link: PostgresServer, worker: int) -> None:
        self._link = link
        self._connected = ReconnectingConnection(link, lambda connection: come_alive(connection, worker))

    def transact(self, jobs: Sequence[WriteJob]) -> None:
        def work(connection: Connection) -> Callable[[], list[Any]]:
            finishes: list[Callable[[], Any]] = [job.write(connection) for job in jobs]
            return lambda: [finish() for finish in finishes]

        results = self._connected.transact(work, barrier=any(job.barrier for job in jobs), pipeline=True)
        for job, result in zip(jobs, results, strict=True):
            job.result = result

    def explain(self, error: Exception) -> StoreError:
        return self._link.explain(error)

    def idle(self) -> None:
        # The first look may find the connection lost; the second opens it again.
        for _ in range(2):
            with contextlib.suppress(psycopg.Error, StoreError):
                self._connected.check()
                return

    def close(self) -> None:
        self._connected.close()
