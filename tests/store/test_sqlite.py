"""What the SQLite store adds: it outlives its process, its file can grow with versions, and its disk may fail."""

import asyncio
import gc
import json
import os
import sqlite3
import stat
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest
import uvloop

from toolpost.store.contract import Approval, EventNotice, Exchange, SessionChanges, SessionInfo
from toolpost.store.sqlite import schema as sqlite_schema
from toolpost.store.sqlite.store import SqliteStore
from toolpost.types.errors import SessionBusy, StoreError
from toolpost.types.events import Settled
from toolpost.types.messages import CompactionPart, Message, TextPart


def message(message_id: str, parent: str | None = None, text: str = "hello") -> Message:
    return Message(message_id, "user", (TextPart(text),), parent)


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


async def test_everything_is_there_after_the_file_is_opened_again(tmp_path: Path) -> None:
    exchange = Exchange("a", "http://localhost", 200, 1.0, 2.0, 3.0, 4, 5, "sent", "received")
    approval = Approval("1", "p", "bash", "*", 1.0)
    info = SessionInfo("s", title="t", head="a", seq=1)
    first = SqliteStore(tmp_path / "t.db")
    await first.create(SessionInfo("s"))
    await first.commit(SessionChanges("s", info, [message("a")], [Settled(1, "s", 1.0)], [exchange]))
    await first.approve([approval])
    await first.close()

    second = SqliteStore(tmp_path / "t.db")
    assert second.durable
    assert await second.info("s") == info
    assert [found async for found in second.messages("s")] == [message("a")]
    assert [event async for event in second.events("s")] == [Settled(1, "s", 1.0)]
    assert [found async for found in second.exchanges("s")] == [exchange]
    assert await second.approvals() == [approval]
    await second.close()


async def test_only_the_owner_can_read_what_is_kept(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        store = SqliteStore(tmp_path / "new" / "t.db")
        await store.create(SessionInfo("s"))
        (await store.lease("s")).release()
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "new").iterdir()}
        await store.close()
    finally:
        os.umask(before)
    assert modes == {"t.db": 0o600, "t.db-wal": 0o600, "t.db-shm": 0o600, "t.db-leases": 0o600}
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


NEXT = ("ALTER TABLE session ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'", "CREATE TABLE extra (id TEXT)")


async def test_a_file_grows_with_the_versions_and_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    store = SqliteStore(path)
    await store.create(SessionInfo("s"))
    await store.close()
    sqlite_schema.open_database(path, (*sqlite_schema.MIGRATIONS, NEXT)).close()
    assert rows(path, "SELECT id, mood FROM session") == [("s", "good")]
    assert rows(path, "PRAGMA user_version") == [(len(sqlite_schema.MIGRATIONS) + 1,)]


async def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    await SqliteStore(path).close()
    with pytest.raises(StoreError, match="no such table: nowhere"):
        sqlite_schema.open_database(path, (*sqlite_schema.MIGRATIONS, NEXT, ("DROP TABLE nowhere",)))
    assert rows(path, "PRAGMA user_version") == [(len(sqlite_schema.MIGRATIONS),)]
    assert rows(path, "SELECT 1 FROM sqlite_master WHERE name = 'extra'") == []
    await SqliteStore(path).close()


@pytest.mark.parametrize(
    "lines", [b"[1,2]\n", b'"x"\n', b"7\n", b"null\n", b'{"type":7}\n', b'{"type":"new"}\n{\n', b"\xff\n"]
)
async def test_events_that_are_damaged_are_an_error_of_the_store(tmp_path: Path, lines: bytes) -> None:
    store = SqliteStore(path := tmp_path / "t.db")
    await store.create(SessionInfo("s"))
    await store.commit(SessionChanges("s", events=[Settled(1, "s", 1.0)], barrier=True))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE event_batch SET events = ?", (lines,))
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="cannot be read"):
        assert [event async for event in store.events("s")] == []
    await store.close()


async def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    sqlite_schema.open_database(path, (*sqlite_schema.MIGRATIONS, NEXT)).close()
    with pytest.raises(StoreError, match=r"newer Toolpost .*: upgrade Toolpost"):
        SqliteStore(path)


async def test_a_file_that_was_migrated_under_a_running_store_is_not_written(sqlite: SqliteStore) -> None:
    sqlite_schema.open_database(sqlite.path, (*sqlite_schema.MIGRATIONS, NEXT)).close()
    with pytest.raises(StoreError, match="restart this one"):
        await sqlite.create(SessionInfo("s"))


def test_a_file_that_is_no_database_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes\n" * 1000)
    with pytest.raises(StoreError, match="is not a database"):
        SqliteStore(notes)
    assert notes.read_text() == "my notes\n" * 1000


def test_a_database_of_another_program_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE session (mine)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot use .*t\.db"):
        SqliteStore(tmp_path / "file" / "t.db")


async def test_a_full_disk_fails_the_commit_and_the_store_stays_usable(sqlite: SqliteStore) -> None:
    await sqlite.create(SessionInfo("s"))
    connection = sqlite._writer._target._connection  # the limit can be set only on the connection that writes
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 20}")
    big = SessionChanges("s", SessionInfo("s", title="big"), [message("big", text="x" * 1_000_000)], barrier=True)
    small = [SessionChanges("s", messages=[message(f"small{number}")]) for number in range(5)]
    results = await asyncio.gather(*(sqlite.commit(c) for c in (*small, big)), return_exceptions=True)
    assert results[:5] == [None] * 5
    assert isinstance(results[5], StoreError)
    assert "the disk is full" in str(results[5])
    assert (await sqlite.info("s")).title == ""
    connection.execute("PRAGMA max_page_count = 1000000")
    await sqlite.commit(big)
    assert [found.id async for found in sqlite.messages("s")] == [*(f"small{number}" for number in range(5)), "big"]


async def test_what_is_no_json_fails_alone(sqlite: SqliteStore) -> None:
    await sqlite.create(SessionInfo("s"))
    bad = Message("bad", "user", (TextPart("", {"x": object()}),))
    commits = [
        SessionChanges("s", messages=[m]) for m in (message("a"), bad, message("b", text="\ud800"), message("c"))
    ]
    results = await asyncio.gather(*(sqlite.commit(c) for c in commits), return_exceptions=True)
    assert [isinstance(result, StoreError) for result in results] == [False, True, True, False]
    assert [found.id async for found in sqlite.messages("s")] == ["a", "c"]


async def test_a_cancelled_commit_is_kept_all_the_same(sqlite: SqliteStore) -> None:
    await sqlite.create(SessionInfo("s"))
    task = asyncio.create_task(sqlite.commit(SessionChanges("s", messages=[message("a")])))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await sqlite.update(SessionInfo("s"))
    assert (await sqlite.message("s", "a")).text == "hello"


async def test_a_change_that_fails_unseen_is_logged(sqlite: SqliteStore, caplog: pytest.LogCaptureFixture) -> None:
    task = asyncio.create_task(sqlite.commit(SessionChanges("nowhere")))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await sqlite.create(SessionInfo("s"))
    assert "a change that nobody waited for was not saved: no session nowhere" in caplog.text


async def test_commits_that_wait_together_cost_one_transaction(sqlite: SqliteStore) -> None:
    ids = [f"s{number}" for number in range(200)]
    await asyncio.gather(*(sqlite.create(SessionInfo(this)) for this in ids))
    statements: list[str] = []
    connection = sqlite._writer._target._connection
    release = threading.Event()
    blocker = asyncio.create_task(sqlite._writer.write(lambda _: release.wait()))
    await asyncio.sleep(0)
    connection.set_trace_callback(lambda sql: statements.append(sql.split()[0]))
    commits = [
        asyncio.create_task(sqlite.commit(SessionChanges(i, messages=[message("a")], barrier=True))) for i in ids
    ]
    await asyncio.sleep(0)
    statements.clear()
    release.set()
    await asyncio.gather(blocker, *commits)
    connection.set_trace_callback(None)
    assert statements.count("INSERT") == 200
    assert statements.count("BEGIN") == 1


async def test_a_barrier_is_synced_and_the_rest_is_not(sqlite: SqliteStore) -> None:
    await sqlite.create(SessionInfo("s"))
    levels: list[int] = []
    for barrier in (True, False, True):
        await sqlite.commit(SessionChanges("s", barrier=barrier))
        levels += sqlite._writer._target._connection.execute("PRAGMA synchronous").fetchone()
    assert levels == [2, 1, 2]
    assert sqlite._writer._target._connection.execute("PRAGMA journal_mode").fetchone() == (b"wal",)


def test_one_store_serves_one_loop_after_another_and_uvloop_too(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.db")

    async def use(session_id: str) -> list[str]:
        await store.create(SessionInfo(session_id))
        await store.commit(SessionChanges(session_id, messages=[message("a")], barrier=True))
        return [info.id async for info in store.sessions()]

    asyncio.run(use("one"))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert sorted(runner.run(use("two"))) == ["one", "two"]
    asyncio.run(store.close())


async def test_close_writes_what_is_queued_and_then_refuses_more(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.db")
    await store.create(SessionInfo("s"))
    commits = [asyncio.create_task(store.commit(SessionChanges("s", messages=[message(f"m{n}")]))) for n in range(100)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*commits)
    assert rows(store.path, "SELECT count(*) FROM message") == [(100,)]
    with pytest.raises(StoreError, match="closed"):
        await store.commit(SessionChanges("s"))
    with pytest.raises(StoreError, match="closed"):
        await store.info("s")
    await store.close()
    assert not (tmp_path / "t.db-wal").exists()


async def test_a_store_that_is_forgotten_ends_its_threads_and_lets_go_of_its_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.db")
    await store.create(SessionInfo("s"))
    await store.info("s")
    del store
    gc.collect()
    assert not [thread for thread in threading.enumerate() if thread.name == "toolpost-store"]
    assert not (tmp_path / "t.db-wal").exists()


async def test_an_abandoned_iterator_holds_no_connection(sqlite: SqliteStore) -> None:
    await sqlite.create(SessionInfo("s"))
    await sqlite.commit(SessionChanges("s", messages=[message(f"m{n}") for n in range(1000)]))
    iterators = [sqlite.messages("s") for _ in range(50)]
    for iterator in iterators:
        await anext(iterator)
    assert len(_open_files(sqlite.path)) <= 1 + 8
    await sqlite.close()
    assert _open_files(sqlite.path) == []


def _open_files(path: Path) -> list[str]:
    targets = [os.path.realpath(link) for link in Path("/proc/self/fd").iterdir()]
    return [target for target in targets if target == str(path)]


async def test_a_search_that_nobody_waits_for_is_stopped(sqlite: SqliteStore) -> None:
    asked = threading.Event()

    def endless(connection: sqlite3.Connection) -> None:
        asked.set()
        connection.execute("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")

    task = asyncio.create_task(sqlite._readers.read(endless))
    await asyncio.to_thread(asked.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(sqlite._readers.join)


async def test_a_branch_reads_nothing_before_its_compaction(sqlite: SqliteStore) -> None:
    compaction = Message("sum", "user", (CompactionPart("so far", "b"),), "b")
    await sqlite.create(SessionInfo("s"))
    await sqlite.commit(SessionChanges("s", messages=[message("a"), message("b", "a"), compaction]))
    damage = sqlite3.connect(sqlite.path)
    damage.execute("UPDATE message SET body = 'damaged' WHERE id = 'a'")
    damage.commit()
    damage.close()
    assert [found.id for found in await sqlite.branch("s", "sum")] == ["b", "sum"]
    with pytest.raises(StoreError, match="cannot be read"):
        await sqlite.branch("s", "b")


async def test_a_long_branch_is_walked_and_forked(sqlite: SqliteStore) -> None:
    ids = [f"m{number}" for number in range(5000)]
    await sqlite.create(SessionInfo("s"))
    messages = [message(this, parent) for this, parent in zip(ids, [None, *ids], strict=False)]
    await sqlite.commit(SessionChanges("s", messages=messages))
    await sqlite.fork("s", ids[-1], SessionInfo("copy"))
    assert await sqlite.branch("copy", ids[-1]) == messages


async def test_events_of_a_type_that_is_not_known_here_are_passed_over(sqlite: SqliteStore) -> None:
    await sqlite.create(SessionInfo("s"))
    await sqlite.commit(SessionChanges("s", events=[Settled(1, "s", 1.0), Settled(2, "s", 2.0)]))
    lines = [{"type": "newer", "seq": 1}, {"type": "settled", "seq": 2, "session_id": "s", "time": 2.0}]
    newer = sqlite3.connect(sqlite.path)
    newer.execute("UPDATE event_batch SET events = ?", ("".join(json.dumps(line) + "\n" for line in lines).encode(),))
    newer.commit()
    newer.close()
    assert [event async for event in sqlite.events("s")] == [Settled(2, "s", 2.0)]


async def test_a_restore_that_is_cancelled_leaves_nothing(sqlite: SqliteStore) -> None:
    started = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        yield b'{"format":"toolpost-session","version":1,"info":{"id":"s"},"messages":[\n'
        started.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(sqlite.restore(endless()))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [info async for info in sqlite.sessions()] == []
    assert {file.name for file in sqlite.path.parent.iterdir()} == {"toolpost.db", "toolpost.db-wal", "toolpost.db-shm"}


async def test_a_lease_is_the_same_by_every_path_and_through_every_store(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    one, two = SqliteStore(tmp_path / "real" / "t.db"), SqliteStore(tmp_path / "link" / "t.db")
    lease = await one.lease("s")
    with pytest.raises(SessionBusy):
        await two.lease("s")
    lease.release()
    again = await two.lease("s")
    with pytest.raises(SessionBusy):
        await one.lease("s")
    # A store that is closed holds nothing.
    await two.close()
    (await one.lease("s")).release()
    again.release()
    await one.close()


async def test_a_lease_file_has_one_descriptor_however_many_leases(sqlite: SqliteStore) -> None:
    leases = [await sqlite.lease(f"s{number}") for number in range(10)]
    assert len(_open_files(Path(f"{sqlite.path}-leases"))) == 1
    for lease in leases:
        lease.release()
    assert len(_open_files(Path(f"{sqlite.path}-leases"))) == 1


async def test_a_follower_hears_of_what_another_store_commits_to_the_file(sqlite: SqliteStore) -> None:
    other = SqliteStore(sqlite.path)
    await other.create(SessionInfo("s"))
    async with aclosing(sqlite.follow()) as noticed, asyncio.timeout(20):
        assert await anext(noticed) == EventNotice(None)
        await other.commit(SessionChanges("s", events=[Settled(1, "s", 1.0)]))
        assert await anext(noticed) == EventNotice("s", 1)
    await other.close()


async def test_a_follower_whose_last_event_was_deleted_is_told_to_look_at_everything(sqlite: SqliteStore) -> None:
    for session_id in ("s", "t"):
        await sqlite.create(SessionInfo(session_id))
        await sqlite.commit(SessionChanges(session_id, events=[Settled(1, session_id, 1.0)]))
    async with aclosing(sqlite.follow()) as noticed, asyncio.timeout(20):
        assert await anext(noticed) == EventNotice(None)
        # Its row's number is free again, and the next event of another session gets it.
        await sqlite.delete("t")
        await sqlite.commit(SessionChanges("s", events=[Settled(2, "s", 1.0)]))
        assert await anext(noticed) == EventNotice(None)
        await sqlite.commit(SessionChanges("s", events=[Settled(3, "s", 1.0)]))
        assert await anext(noticed) == EventNotice("s", 3)
