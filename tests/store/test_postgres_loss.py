"""A server that goes away, connections that are cut, answers that are lost: nothing acknowledged goes with them."""

import asyncio
import signal

import pytest
from losing_proxy import LosingProxy
from postgres_help import (
    SECONDS,
    deltas,
    end_connections,
    message,
    seqs_of,
    through,
)
from postgres_server import PostgresServer

from toolpost import Agent, tool
from toolpost.store.contract import Approval, Exchange, SessionChanges, SessionInfo
from toolpost.store.postgres import PostgresStore
from toolpost.testing import ScriptedModel, call, text
from toolpost.types.errors import StoreError
from toolpost.types.events import RunEnd

COMMIT = b"COMMIT\x00"


async def test_what_was_behind_a_barrier_outlives_the_crash_of_the_server(
    url: str, postgres: PostgresStore, server: PostgresServer
) -> None:
    await postgres.create(SessionInfo("s"))
    await postgres.commit(SessionChanges("s", messages=[message("a")]))
    await postgres.commit(SessionChanges("s", messages=[message("b")], barrier=True))
    await asyncio.to_thread(server.stop, signal.SIGQUIT)
    late = asyncio.create_task(postgres.commit(SessionChanges("s", messages=[message("c")])))
    reading = asyncio.create_task(postgres.info("s"))
    await asyncio.to_thread(server.start)
    await asyncio.wait_for(late, SECONDS)
    await asyncio.wait_for(reading, SECONDS)
    assert [found.id async for found in postgres.messages("s")] == ["a", "b", "c"]


async def test_what_the_server_loses_in_a_crash_is_written_again_by_a_process_that_lives(
    url: str, postgres: PostgresStore, server: PostgresServer
) -> None:
    """Or a run that goes on would have lost some of its events, in the middle."""
    other = PostgresStore(url)
    for session_id in ("s", "t"):
        await postgres.create(SessionInfo(session_id))
        await postgres.lease(session_id)
        await postgres.commit(SessionChanges(session_id, events=deltas(session_id, 1), barrier=True))
    await postgres.commit(SessionChanges("s", SessionInfo("s", seq=2), [message("a")], deltas("s", 2)))
    await postgres.commit(SessionChanges("t", SessionInfo("t", seq=2), [message("a")], deltas("t", 2)))
    await asyncio.to_thread(server.crash)
    await asyncio.to_thread(server.start)
    assert await seqs_of(other, "s") == [1], "nothing was lost: this proves nothing"
    # One that is gone meanwhile stays so.
    await other.delete("t")
    await asyncio.wait_for(postgres.commit(SessionChanges("s", events=deltas("s", 3))), SECONDS)
    assert await seqs_of(postgres, "s") == [1, 2, 3]
    assert [found.id async for found in postgres.messages("s")] == ["a"]
    assert [info.id async for info in postgres.sessions()] == ["s"]
    await other.close()


async def test_a_server_that_is_away_is_said_so_and_the_store_goes_on_when_it_is_back(
    url: str, server: PostgresServer
) -> None:
    store = PostgresStore(url, patience=0.3)
    await store.create(SessionInfo("s"))
    await asyncio.to_thread(server.stop)
    try:
        commits = [store.commit(SessionChanges("s", messages=[message(f"m{n}")], barrier=True)) for n in range(50)]
        asked = (*commits, store.info("s"), store.delete("s"), store.lease("s"))
        for failed in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(failed, StoreError)
            assert "cannot be reached: check that it runs" in str(failed)
            assert server.password not in f"{failed!r} {failed.__cause__!r}"
    finally:
        await asyncio.to_thread(server.start)
    await store.commit(SessionChanges("s", messages=[message("a")], barrier=True))
    assert [found.id async for found in store.messages("s")] == ["a"]
    (await store.lease("s")).release()
    await store.close()


async def test_a_run_whose_end_the_server_does_not_get_has_failed(url: str, server: PostgresServer) -> None:
    store = PostgresStore(url, patience=0.3)

    @tool
    async def stop_server() -> str:
        """Stop the server."""
        await asyncio.to_thread(server.stop)
        return "stopped"

    try:
        with ScriptedModel(call("stop_server"), text("the answer")) as model:
            session = Agent(model, tools=[stop_server], store=store).session()
            told = [event async for event in session.stream("go")]
    finally:
        await asyncio.to_thread(server.start)
    end = told[-2]
    assert isinstance(end, RunEnd)
    assert (end.reason, end.text, end.error and end.error.code) == ("error", "the answer", "store")
    assert "cannot be reached" in (end.error.message if end.error else "")
    await session.save()
    assert [event async for event in store.events(session.id)] == told
    await store.close()


async def test_closing_does_not_wait_for_a_server_that_is_away(url: str, server: PostgresServer) -> None:
    store = PostgresStore(url)
    await store.create(SessionInfo("s"))
    await asyncio.to_thread(server.stop)
    try:
        late = asyncio.create_task(store.commit(SessionChanges("s")))
        asking = asyncio.create_task(store.info("s"))
        await asyncio.sleep(0)
        await asyncio.wait_for(store.close(), SECONDS)
        for task in (late, asking):
            with pytest.raises(StoreError):
                await task
    finally:
        await asyncio.to_thread(server.start)


async def test_connections_that_are_cut_again_and_again_lose_nothing_and_repeat_nothing(
    url: str, postgres: PostgresStore
) -> None:
    ids = [f"s{number}" for number in range(20)]
    await asyncio.gather(*(postgres.create(SessionInfo(this)) for this in ids))
    cuts = 0

    async def write(session_id: str) -> int:
        """Write until the connections were cut often enough, and return how much that was."""
        seq = 0
        while seq < 10 or cuts <= 3:
            seq += 1
            info = SessionInfo(session_id, seq=seq)
            exchange = Exchange(f"m{seq}", "http://localhost", 200, 1.0, 2.0, 3.0, 4, 5)
            changes = SessionChanges(
                session_id, info, [message(f"m{seq}")], deltas(session_id, seq), [exchange], seq % 3 == 0
            )
            await postgres.commit(changes)
        return seq

    writing = asyncio.gather(*map(write, ids))
    while not writing.done():
        cuts += await asyncio.to_thread(end_connections, url)
        await asyncio.sleep(0.02)
    for this, count in zip(ids, await writing, strict=True):
        written = [f"m{seq}" for seq in range(1, count + 1)]
        assert await seqs_of(postgres, this) == list(range(1, count + 1))
        assert [found.id async for found in postgres.messages(this)] == written
        assert [found.message_id async for found in postgres.exchanges(this)] == written


async def test_a_commit_whose_answer_is_lost_is_not_made_twice(url: str, server: PostgresServer) -> None:
    async with LosingProxy(server.port).running() as proxy:
        store = PostgresStore(through(proxy, url, server))
        await store.create(SessionInfo("s"))
        exchange = Exchange("a", "http://localhost", 200, 1.0, 2.0, 3.0, 4, 5)
        proxy.lose_answer_to(COMMIT)
        await store.commit(
            SessionChanges("s", SessionInfo("s", title="t"), [message("a")], deltas("s", 1, 2), [exchange])
        )
        proxy.lose_answer_to(COMMIT)
        await store.create(SessionInfo("t"))
        proxy.lose_answer_to(COMMIT)
        await store.approve([Approval("1", "p", "bash", "*", 1.0)])
        proxy.lose_answer_to(COMMIT)
        assert await store.revoke("1")
        assert proxy.lost == 4
        assert await seqs_of(store, "s") == [1, 2]
        assert len([found async for found in store.exchanges("s")]) == 1
        await store.close()


async def test_a_commit_that_nobody_could_tell_about_can_be_made_again_with_what_came_after_it(
    url: str, server: PostgresServer
) -> None:
    async with LosingProxy(server.port).running() as proxy:
        store = PostgresStore(through(proxy, url, server), patience=0)
        await store.create(SessionInfo("s"))
        proxy.lose_answer_to(COMMIT)
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.commit(SessionChanges("s", events=deltas("s", 1, 2)))
        await store.commit(SessionChanges("s", SessionInfo("s", title="t"), [message("a")], deltas("s", 1, 2, 3)))
        assert await seqs_of(store, "s") == [1, 2, 3]
        with pytest.raises(StoreError, match="already has an event 3"):
            await store.commit(SessionChanges("s", events=deltas("s", 3)))
        await store.close()
