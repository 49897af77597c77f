"""Databases that were filled by the release before sessions had owners: they are brought up to date and lose nothing.

What is in `format_1` was dumped from what that release had written.
"""

import sqlite3
from pathlib import Path

import psycopg
import pytest

from toolpost.store import open_store
from toolpost.store.contract import Approval, Exchange, SessionChanges, SessionInfo, Store
from toolpost.store.postgres.address import read_address
from toolpost.types.events import Event, MessageUpdate, Settled
from toolpost.types.messages import Message, TextPart, Usage

DUMPS = Path(__file__).parent / "format_1"
FOLDER = "/home/anna/wiki"
APPROVALS = [
    Approval("apr_1", FOLDER, "bash", "ls *", 1.0),
    Approval("apr_2", FOLDER, "edit", "*", 2.0),
    Approval("apr_3", "/other", "bash", "ls *", 3.0),
]


@pytest.fixture(params=["sqlite", "postgres"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """What `open_store` opens: a database of format 1."""
    if request.param == "postgres":
        return old_schema(request.getfixturevalue("url"))
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript((DUMPS / "sqlite.sql").read_text())
    connection.close()
    return str(path)


def old_schema(url: str) -> str:
    address = read_address(url)
    dump = (DUMPS / "postgres.sql").read_text().replace("format_1", address.schema)
    with psycopg.connect(**address.parameters, autocommit=True) as connection:
        connection.execute(dump.encode())
    return url


def info(number: int) -> SessionInfo:
    return SessionInfo(
        f"s{number}",
        f"Title {number}",
        FOLDER,
        created=1.0,
        updated=float(number),
        head="b",
        seq=3,
        usage=Usage(5, 7),
    )


def messages(number: int) -> list[Message]:
    return [
        Message("a", "user", (TextPart(f"a needle of {number}"),), None, 1.0),
        Message("b", "assistant", (TextPart("an answer"),), "a", 2.0),
    ]


def events(number: int) -> list[Event]:
    deltas = [MessageUpdate(seq, f"s{number}", 1.0, "b", 0, "text", text) for seq, text in ((1, "an "), (2, "answer"))]
    return [*deltas, Settled(3, f"s{number}", 2.0)]


async def check_nothing_is_lost(store: Store) -> None:
    exchange = Exchange("b", "http://localhost", 200, 1.0, 2.0, 3.0, 4, 5, "sent", "received")
    assert [found async for found in store.sessions()] == [info(2), info(1)]
    for number in (1, 2):
        session_id = f"s{number}"
        assert await store.info(session_id) == info(number)
        assert [found async for found in store.messages(session_id)] == messages(number)
        assert await store.branch(session_id, "b") == messages(number)
        assert [event async for event in store.events(session_id)] == events(number)
        assert [found async for found in store.exchanges(session_id)] == [exchange]
    assert await store.approvals() == APPROVALS


async def test_nothing_is_lost(old: str) -> None:
    for _ in range(2):
        store = open_store(old)
        await check_nothing_is_lost(store)
        await store.close()


async def test_what_was_there_belongs_to_whoever_works_without_a_name(old: str) -> None:
    store = open_store(old)
    assert [found.id async for found in store.sessions(owner="")] == ["s2", "s1"]
    assert [hit.session_id async for hit in store.search("needle", owner="")] == ["s2", "s1"]
    assert await store.approvals(owner="") == APPROVALS
    assert [found async for found in store.sessions(owner="anna")] == []
    assert await store.approvals(owner="anna") == []
    await store.close()


async def test_it_goes_on_as_a_new_database_would(old: str) -> None:
    store = open_store(old)
    await store.create(SessionInfo("s3", owner="anna", updated=3.0))
    await store.commit(
        SessionChanges("s1", events=[Settled(4, "s1", 3.0)], messages=[Message("c", "user", (), "b", 3.0)])
    )
    # The same for another owner is a second approval; for the same owner it takes the old one's place.
    hers = Approval("apr_4", FOLDER, "bash", "ls *", 4.0, "anna")
    again = Approval("apr_5", FOLDER, "bash", "ls *", 5.0)
    await store.approve([hers, again])
    assert [found.id async for found in store.sessions()] == ["s3", "s2", "s1"]
    assert [found.id async for found in store.messages("s1")] == ["a", "b", "c"]
    assert await store.approvals() == [*APPROVALS[1:], hers, again]
    await store.close()
