"""What the PostgreSQL store adds: tables that grow with versions, one transaction for all that waits, many loops."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing

import psycopg
import pytest
import uvloop
from postgres_help import (
    SECONDS,
    asked,
    condition,
    deltas,
    message,
    no_connections,
    seqs_of,
    waiting_for_a_lock,
)

from toolpost.store import open_store
from toolpost.store.contract import Approval, Exchange, SessionChanges, SessionInfo
from toolpost.store.postgres import PostgresStore, schema
from toolpost.store.postgres.address import read_address
from toolpost.store.postgres.connection import prepare
from toolpost.types.errors import StoreError
from toolpost.types.events import Settled
from toolpost.types.messages import Message, TextPart


async def test_everything_is_there_after_the_database_is_opened_again(url: str) -> None:
    exchange = Exchange("a", "http://localhost", 200, 1.0, 2.0, 3.0, 4, 5, "sent", "received")
    approval = Approval("1", "p", "bash", "*", 1.0)
    info = SessionInfo("s", title="t", head="a", seq=1)
    first = open_store(url)
    assert first.durable
    await first.create(SessionInfo("s"))
    await first.commit(SessionChanges("s", info, [message("a")], [Settled(1, "s", 1.0)], [exchange]))
    await first.approve([approval])
    await first.close()

    second = open_store(url)
    assert isinstance(second, PostgresStore)
    assert await second.info("s") == info
    assert [found async for found in second.messages("s")] == [message("a")]
    assert [event async for event in second.events("s")] == [Settled(1, "s", 1.0)]
    assert [found async for found in second.exchanges("s")] == [exchange]
    assert await second.approvals() == [approval]
    await second.close()


async def test_many_that_open_a_new_database_at_once_make_its_tables_once(url: str) -> None:
    stores = [PostgresStore(url) for _ in range(8)]
    await asyncio.gather(*(store.create(SessionInfo(f"s{n}")) for n, store in enumerate(stores)))
    assert len([info async for info in stores[0].sessions()]) == 8
    await asyncio.gather(*(store.close() for store in stores))


NEXT = ("ALTER TABLE session ADD COLUMN mood text NOT NULL DEFAULT 'good'", "CREATE TABLE extra (id text)")


def grow(url: str, *migrations: schema.Migration) -> None:
    with asked(url) as connection:
        prepare(connection)
        schema.migrate(connection, read_address(url), (*schema.MIGRATIONS, *migrations))


async def test_tables_grow_with_the_versions_and_keep_what_they_have(url: str) -> None:
    store = PostgresStore(url)
    await store.create(SessionInfo("s"))
    await store.close()
    grow(url, NEXT)
    with asked(url) as connection:
        assert connection.execute("SELECT id, mood FROM session").fetchall() == [("s", "good")]
        assert connection.execute("SELECT version FROM format").fetchall() == [(len(schema.MIGRATIONS) + 1,)]


async def test_a_migration_that_fails_changes_nothing(url: str, postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    with pytest.raises(psycopg.errors.UndefinedTable):
        grow(url, NEXT, ("DROP TABLE nowhere",))
    with asked(url) as connection:
        assert connection.execute("SELECT version FROM format").fetchall() == [(len(schema.MIGRATIONS),)]
        assert connection.execute("SELECT to_regclass('extra')").fetchone() == (None,)
    await postgres.update(SessionInfo("s", title="still here"))


async def test_tables_of_a_newer_version_are_refused(url: str) -> None:
    grow(url, NEXT)
    store = PostgresStore(url)
    with pytest.raises(StoreError, match=r"newer Toolpost .*: upgrade Toolpost"):
        await store.create(SessionInfo("s"))
    await store.close()


async def test_tables_that_were_changed_under_a_running_store_are_not_written(
    url: str, postgres: PostgresStore
) -> None:
    await postgres.create(SessionInfo("s"))
    grow(url, NEXT)
    with pytest.raises(StoreError, match="restart this one"):
        await postgres.create(SessionInfo("t"))
    with pytest.raises(StoreError, match="restart this one"):
        await postgres.delete("s")


async def test_a_schema_of_another_program_is_refused_and_left_as_it_was(url: str, postgres: PostgresStore) -> None:
    name = read_address(url).schema
    with asked(url) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
        connection.execute(f"CREATE TABLE {name}.session (mine integer)")
        with pytest.raises(StoreError, match="another program"):
            await postgres.create(SessionInfo("s"))
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", (name,)).fetchall()
    assert tables == [("session",)]


async def test_a_barrier_is_synced_and_the_rest_is_not(url: str, postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    flushed: list[bool] = []
    with asked(url) as connection:
        for barrier in (True, False, True):
            (before,) = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone() or ()
            await postgres.commit(SessionChanges("s", SessionInfo("s"), [message("a")], barrier=barrier))
            (there,) = connection.execute("SELECT pg_current_wal_flush_lsn() > %s", (before,)).fetchone() or ()
            flushed.append(there)
    assert flushed == [True, False, True]


async def test_fifty_sessions_commit_at_once(postgres: PostgresStore) -> None:
    ids = [f"s{number}" for number in range(50)]
    await asyncio.gather(*(postgres.create(SessionInfo(this)) for this in ids))

    async def write(session_id: str) -> None:
        lease = await postgres.lease(session_id)
        for seq in range(1, 21):
            info = SessionInfo(session_id, seq=seq, head=f"m{seq}")
            said = message(f"m{seq}", f"m{seq - 1}" if seq > 1 else None)
            await postgres.commit(SessionChanges(session_id, info, [said], deltas(session_id, seq), barrier=True))
            assert (await postgres.info(session_id)).seq == seq
        lease.release()

    await asyncio.gather(*map(write, ids))
    for this in ids:
        assert await seqs_of(postgres, this) == list(range(1, 21))
        assert len(await postgres.branch(this, "m20")) == 20


async def test_commits_that_wait_together_cost_one_transaction(url: str, postgres: PostgresStore) -> None:
    ids = [f"s{number}" for number in range(200)]
    await asyncio.gather(*(postgres.create(SessionInfo(this)) for this in ids))
    with asked(url) as connection:
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM session WHERE id = 's0' FOR UPDATE")
        first = asyncio.create_task(postgres.commit(SessionChanges("s0", SessionInfo("s0"))))
        await waiting_for_a_lock(url)
        rest = [
            asyncio.create_task(postgres.commit(SessionChanges(i, messages=[message("a")], barrier=True))) for i in ids
        ]
        await asyncio.sleep(0)
        connection.execute("COMMIT")
        await asyncio.gather(first, *rest)
        assert connection.execute("SELECT count(DISTINCT xmin::text) FROM message").fetchone() == (1,)


async def test_what_cannot_be_kept_fails_alone(postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    bad = Message("bad", "user", (TextPart("", {"x": object()}),))
    nul = Message("a\x00b", "user", (TextPart("x"),))
    many = (message("a"), bad, message("b", text="\ud800"), nul, message("c"))
    results = await asyncio.gather(
        *(postgres.commit(SessionChanges("s", messages=[each])) for each in many), return_exceptions=True
    )
    assert [isinstance(result, StoreError) for result in results] == [False, True, True, True, False]
    assert [found.id async for found in postgres.messages("s")] == ["a", "c"]
    with pytest.raises(StoreError, match="cannot be stored"):
        await postgres.approve([Approval("1", "p", "bash", "\ud800", 1.0)])


async def test_a_cancelled_commit_is_kept_all_the_same(postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    task = asyncio.create_task(postgres.commit(SessionChanges("s", messages=[message("a")])))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await postgres.update(SessionInfo("s"))
    assert (await postgres.message("s", "a")).text == "hello"


async def test_a_change_of_events_between_others_is_refused(postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    await postgres.commit(SessionChanges("s", events=deltas("s", 3, 4, 5)))
    with pytest.raises(StoreError, match="already has an event 4"):
        await postgres.commit(SessionChanges("s", events=deltas("s", 4)))


def test_one_store_serves_one_loop_after_another_and_uvloop_too(url: str) -> None:
    store = PostgresStore(url)

    async def use(session_id: str) -> list[str]:
        await store.create(SessionInfo(session_id))
        async with aclosing(store.follow()) as noticed, asyncio.timeout(SECONDS):
            await anext(noticed)
            await store.commit(SessionChanges(session_id, events=deltas(session_id, 1), barrier=True))
            assert (await anext(noticed)).session_id == session_id
        return [info.id async for info in store.sessions()]

    asyncio.run(use("one"))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert sorted(runner.run(use("two"))) == ["one", "two"]
    asyncio.run(store.close())


async def test_close_writes_what_is_queued_and_then_refuses_more(url: str) -> None:
    store = PostgresStore(url)
    await store.create(SessionInfo("s"))
    commits = [asyncio.create_task(store.commit(SessionChanges("s", messages=[message(f"m{n}")]))) for n in range(100)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*commits)
    with asked(url) as connection:
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (100,)
    with pytest.raises(StoreError, match="closed"):
        await store.commit(SessionChanges("s"))
    with pytest.raises(StoreError, match="closed"):
        await store.info("s")
    await store.close()
    await no_connections(url)


async def test_a_store_that_is_forgotten_ends_its_threads_and_its_connections(url: str) -> None:
    store = PostgresStore(url)
    await store.create(SessionInfo("s"))
    await store.info("s")
    del store
    gc.collect()
    await no_connections(url)
    assert not [thread for thread in threading.enumerate() if thread.name == "toolpost-store"]


async def test_a_worker_has_few_connections(url: str, postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    await postgres.commit(SessionChanges("s", messages=[message(f"m{n}") for n in range(1000)]))
    iterators = [postgres.messages("s") for _ in range(50)]
    await asyncio.gather(*(anext(iterator) for iterator in iterators))
    with asked(url) as connection:
        sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'toolpost'"
        (count,) = connection.execute(sql).fetchone() or (0,)
    assert 2 <= count <= 5


async def test_a_question_that_nobody_waits_for_is_stopped(url: str, postgres: PostgresStore) -> None:
    running = "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(100)'"
    task = asyncio.create_task(postgres._pool.read(lambda connection: connection.execute("SELECT pg_sleep(100)")))
    await condition(url, running)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await condition(url, running, lambda row: row is None)
    assert await postgres.approvals() == []


async def test_a_long_branch_is_walked_and_forked(postgres: PostgresStore) -> None:
    ids = [f"m{number}" for number in range(3000)]
    await postgres.create(SessionInfo("s"))
    messages = [message(this, parent) for this, parent in zip(ids, [None, *ids], strict=False)]
    await postgres.commit(SessionChanges("s", messages=messages))
    await postgres.fork("s", ids[-1], SessionInfo("copy"))
    assert await postgres.branch("copy", ids[-1]) == messages


async def test_a_restore_that_is_cancelled_leaves_nothing(postgres: PostgresStore) -> None:
    started = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        yield b'{"format":"toolpost-session","version":1,"info":{"id":"s"},"messages":[\n'
        started.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(postgres.restore(endless()))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [info async for info in postgres.sessions()] == []
