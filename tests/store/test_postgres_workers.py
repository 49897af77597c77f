"""Many workers on one server: who has a session, and who hears of its events."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import pytest
from losing_proxy import LosingProxy
from postgres_help import (
    SECONDS,
    condition,
    deltas,
    end_connections,
    message,
    through,
)
from postgres_server import PostgresServer

from toolpost import Agent, tool
from toolpost.store.contract import EventNotice, SessionChanges, SessionInfo
from toolpost.store.postgres import PostgresStore
from toolpost.testing import ScriptedModel, call, text
from toolpost.types.errors import SessionBusy, SessionNotFound


async def test_of_two_workers_one_has_the_session(url: str, postgres: PostgresStore) -> None:
    other = PostgresStore(url)
    lease = await postgres.lease("s")
    with pytest.raises(SessionBusy, match="another process"):
        await other.lease("s")
    lease.release()
    # At once: whoever heard that the run has ended may start the next one anywhere.
    again = await other.lease("s")
    with pytest.raises(SessionBusy, match="another process"):
        await postgres.lease("s")
    again.release()
    await other.close()


async def test_of_many_workers_that_want_one_session_at_once_one_gets_it(url: str) -> None:
    stores = [PostgresStore(url) for _ in range(6)]
    taken = await asyncio.gather(*(store.lease("s") for store in stores), return_exceptions=True)
    assert sorted(isinstance(one, SessionBusy) for one in taken) == [False] + [True] * 5
    await asyncio.gather(*(store.close() for store in stores))


async def test_a_store_that_is_closed_holds_nothing(url: str, postgres: PostgresStore) -> None:
    other = PostgresStore(url)
    lease = await other.lease("s")
    await other.close()
    (await postgres.lease("s")).release()
    lease.release()


async def test_a_worker_that_was_cut_off_keeps_its_session_if_nobody_took_it(url: str) -> None:
    one, two = PostgresStore(url), PostgresStore(url)
    await one.create(SessionInfo("s"))
    await one.lease("s")
    end_connections(url)
    await one.commit(SessionChanges("s", messages=[message("a")]))
    with pytest.raises(SessionBusy):
        await two.lease("s")
    await one.close()
    await two.close()


async def test_a_worker_that_was_cut_off_cannot_write_to_a_session_that_was_taken_over(url: str) -> None:
    one, two = PostgresStore(url), PostgresStore(url)
    for session_id in ("s", "t"):
        await one.create(SessionInfo(session_id))
        await one.lease(session_id)
    end_connections(url)
    taken = await two.lease("s")
    with pytest.raises(SessionBusy, match="was taken over by another process while this one was frozen or cut off"):
        await one.commit(SessionChanges("s", SessionInfo("s", title="stale"), [message("a")], deltas("s", 1)))
    await one.commit(SessionChanges("t", SessionInfo("t", title="mine")))
    await two.commit(SessionChanges("s", events=deltas("s", 1)))
    assert ((await two.info("s")).title, (await two.info("t")).title) == ("", "mine")
    taken.release()
    await one.close()
    await two.close()


async def test_an_idle_worker_notices_that_it_was_cut_off_and_lives_on(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.store.worker.BEAT_SECONDS", 0.05)
    one, two = PostgresStore(url), PostgresStore(url)
    await one.lease("s")
    end_connections(url)
    await condition(url, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted")
    with pytest.raises(SessionBusy):
        await two.lease("s")
    await one.close()
    await two.close()


async def test_what_is_left_of_a_lost_connection_does_not_keep_its_worker_out(
    url: str, server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server may take a lost connection for alive: then it still has the worker's lock."""
    async with LosingProxy(server.port).running() as proxy:
        store = PostgresStore(through(proxy, url, server))
        await store.create(SessionInfo("s"))
        connection = store._writer._target._connected._connection
        monkeypatch.setattr(store._writer._target._connected, "_connection", None)
        await asyncio.wait_for(store.commit(SessionChanges("s", messages=[message("a")])), SECONDS)
        await store.close()
        connection.close()


async def test_a_lease_that_nobody_waits_for_any_more_is_given_back(url: str, postgres: PostgresStore) -> None:
    other = PostgresStore(url)
    await other.approvals()
    task = asyncio.create_task(other.lease("s"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (await postgres.lease("s")).release()
    (await other.lease("s")).release()
    await other.close()


async def test_a_follower_hears_of_what_another_worker_commits(url: str, postgres: PostgresStore) -> None:
    other = PostgresStore(url)
    await other.create(SessionInfo("s"))
    async with aclosing(postgres.follow()) as noticed, asyncio.timeout(SECONDS):
        assert await anext(noticed) == EventNotice(None)
        await other.commit(SessionChanges("s", events=deltas("s", 1, 2)))
        with pytest.raises(SessionNotFound):
            await other.commit(SessionChanges("nowhere", events=deltas("nowhere", 1)))
        await other.commit(SessionChanges("s", events=deltas("s", 3)))
        heard = await anext(noticed)
        while heard != EventNotice("s", 3):
            assert heard == EventNotice("s", 2)
            heard = await anext(noticed)
    await other.close()


async def test_a_follower_is_told_to_look_at_everything_after_a_gap(url: str, postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    async with aclosing(postgres.follow()) as noticed, asyncio.timeout(SECONDS):
        assert await anext(noticed) == EventNotice(None)
        waiting = asyncio.ensure_future(anext(noticed))
        await asyncio.sleep(0)
        end_connections(url)
        assert await waiting == EventNotice(None)
        await postgres.commit(SessionChanges("s", events=deltas("s", 1)))
        assert await anext(noticed) == EventNotice("s", 1)


async def test_workers_of_another_schema_are_not_heard(new_url: Callable[[], str], postgres: PostgresStore) -> None:
    other = PostgresStore(new_url())
    for store in (other, postgres):
        await store.create(SessionInfo("s"))
    async with aclosing(postgres.follow()) as noticed, asyncio.timeout(SECONDS):
        assert await anext(noticed) == EventNotice(None)
        await other.commit(SessionChanges("s", events=deltas("s", 1, 2)))
        await postgres.commit(SessionChanges("s", events=deltas("s", 1)))
        assert await anext(noticed) == EventNotice("s", 1)
    await other.close()


async def test_a_run_on_one_worker_is_followed_on_another_where_the_next_run_goes_on(
    url: str, postgres: PostgresStore
) -> None:
    other = PostgresStore(url)
    release = asyncio.Event()

    @tool
    async def wait() -> str:
        """Wait."""
        await release.wait()
        return "done"

    session = Agent(ScriptedModel(call("wait"), text("hello")), [wait], permissions="allow", store=postgres).session()
    there = Agent(ScriptedModel(text("and again")), store=other).session((await session).id)
    seen: list[str] = []
    async with aclosing(other.follow()) as noticed, asyncio.timeout(SECONDS):
        await anext(noticed)
        running = asyncio.create_task(session.run("hi"))
        last = 0
        while "settled" not in seen:
            assert (await anext(noticed)).session_id == session.id
            async for event in other.events(session.id, after=last):
                last = event.seq
                seen.append(event.type)
            if "tool_execution_start" in seen and not release.is_set():
                with pytest.raises(SessionBusy, match="another process"):
                    await there.run("go on")
                release.set()
    await running
    assert seen == [event.type async for event in postgres.events(session.id)]
    assert (await there.run("go on")).text == "and again"
    assert [found.text for found in there.messages if found.role == "user"] == ["hi", "go on"]
    await other.close()
