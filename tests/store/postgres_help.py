"""What the tests of the PostgreSQL store share."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from losing_proxy import LosingProxy
from postgres_server import PostgresServer

from toolpost.store.postgres import PostgresStore
from toolpost.store.postgres.address import read_address
from toolpost.types.events import Event, MessageUpdate
from toolpost.types.messages import Message, TextPart

SECONDS = 20


def message(message_id: str, parent: str | None = None, text: str = "hello") -> Message:
    return Message(message_id, "user", (TextPart(text),), parent)


def deltas(session_id: str, *seqs: int) -> list[Event]:
    return [MessageUpdate(seq, session_id, 1.0, "m", 0, "text", f"delta {seq}") for seq in seqs]


async def seqs_of(store: PostgresStore, session_id: str) -> list[int]:
    return [event.seq async for event in store.events(session_id)]


@contextmanager
def asked(url: str) -> Iterator[psycopg.Connection]:
    """A connection beside the store's, which sees its tables."""
    address = read_address(url)
    with psycopg.connect(**address.parameters | {"application_name": "test"}, autocommit=True) as connection:
        connection.execute(f"SET search_path TO {address.schema}")
        yield connection


def end_connections(url: str, application: str = "toolpost") -> int:
    """End what the stores of this process hold, as a server that is restarted would."""
    with asked(url) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = %s", (application,)
        )
        return len(ended.fetchall())


async def waiting_for_a_lock(url: str) -> None:
    await condition(url, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")


async def condition(url: str, sql: str, met: Callable[[object], bool] = bool) -> None:
    async with asyncio.timeout(SECONDS):
        with asked(url) as connection:
            while not met(connection.execute(sql).fetchone()):  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.01)


async def no_connections(url: str) -> None:
    sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'toolpost'"
    await condition(url, sql, lambda row: row == (0,))


def through(proxy: LosingProxy, url: str, server: PostgresServer) -> str:
    return url.replace(f":{server.port}/", f":{proxy.port}/")
