"""Processes that hold sessions and die, freeze or fork, and those that go on with what they held."""

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from child import change
from postgres_help import asked
from psycopg import Connection
from small_disk import small_disk

from toolpost.store import open_store, worker
from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.store.postgres import PostgresStore
from toolpost.store.run_records import Holder
from toolpost.store.sqlite import lease as sqlite_lease
from toolpost.store.sqlite.store import SqliteStore
from toolpost.types.errors import SessionBusy, SessionTakenOver

CHILD = Path(__file__).with_name("child.py")
SECONDS = 20


class Child:
    """A process of `child.py`: what it says, and what it is told to do."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def says(self) -> str:
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), SECONDS)
        assert line, "it has ended"
        return line.decode().strip()

    async def does(self, word: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n".encode())
        return await self.says()

    async def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)
        await asyncio.to_thread(os.waitid, os.P_PID, self.process.pid, os.WSTOPPED | os.WNOWAIT)

    async def die(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.communicate()


@contextlib.asynccontextmanager
async def running(*arguments: object, prefix: tuple[str, ...] = ()) -> AsyncIterator[Child]:
    command = (*prefix, sys.executable, str(CHILD), *map(str, arguments))
    child = Child(await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
    try:
        yield child
    finally:
        await child.die()


@pytest.fixture
async def shared(database: str) -> AsyncIterator[Store]:
    """A store on the database that other processes use too, with a session `s`."""
    opened = open_store(database)
    await opened.create(SessionInfo("s"))
    yield opened
    await opened.close()


async def holder_of(store: Store, session_id: str) -> Holder:
    found = await store.holder(session_id)
    assert found is not None
    return found


async def until(store: Store, session_id: str, met: Callable[[Holder | None], bool]) -> Holder | None:
    async with asyncio.timeout(SECONDS):
        while not met(found := await store.holder(session_id)):  # noqa: ASYNC110 - another process changes it
            await asyncio.sleep(0.01)
    return found


async def test_who_holds_a_session_is_told_and_a_killed_process_is_still_named(database: str, shared: Store) -> None:
    assert await shared.holder("s") is None
    async with running("hold", database, "s") as child:
        assert await child.says() == "held"
        held = await holder_of(shared, "s")
        assert held.is_alive
        await child.die()
        dead = await until(shared, "s", lambda found: found is not None and not found.is_alive)
        assert dead is not None
        assert dead.worker == held.worker
    lease = await shared.lease("s")
    mine = await holder_of(shared, "s")
    assert mine.is_alive
    assert mine.worker != held.worker
    lease.release()
    assert await shared.holder("s") is None


async def test_a_session_of_a_frozen_process_is_taken_over_and_that_process_can_no_longer_write(
    database: str, shared: Store
) -> None:
    async with running("hold", database, "s") as child:
        assert await child.says() == "held"
        assert await child.does("commit s") == "committed"
        await child.freeze()
        frozen = await holder_of(shared, "s")
        assert frozen.is_alive
        with pytest.raises(SessionBusy, match="another process"):
            await shared.lease("s")
        lease = await shared.lease("s", instead_of=frozen)
        await shared.commit(change("s", 2, barrier=True))
        child.process.send_signal(signal.SIGCONT)
        # It notices by itself, with its next beat.
        assert await child.says() == "lost"
        assert await child.does("commit s") == "SessionTakenOver"
        # Nor afterwards: what it has not seen may have been done since.
        lease.release()
        assert await child.does("commit s") == "SessionTakenOver"
    assert [event.seq async for event in shared.events("s")] == [1, 2]


async def test_a_process_that_has_shown_itself_since_is_not_taken_for_frozen(database: str, shared: Store) -> None:
    async with running("hold", database, "s", 0.1) as child:
        assert await child.says() == "held"
        seen = await holder_of(shared, "s")
        await until(shared, "s", lambda found: found is not None and found.beat > seen.beat)
        with pytest.raises(SessionBusy):
            await shared.lease("s", instead_of=seen)
        assert await child.does("commit s") == "committed"


async def test_a_process_beats_while_its_event_loop_is_blocked(database: str, shared: Store) -> None:
    async with running("hold", database, "s", 0.1) as child:
        assert await child.says() == "held"
        assert await child.does("block") == "blocked"
        for _ in range(3):
            seen = await holder_of(shared, "s")
            await until(shared, "s", lambda found: found is not None and found.beat > seen.beat)  # noqa: B023


async def test_what_a_process_released_is_free_at_once_and_a_closed_store_holds_nothing(
    database: str, shared: Store
) -> None:
    async with running("hold", database, "s") as child:
        assert await child.says() == "held"
        assert await child.does("release s") == "released"
        (await shared.lease("s")).release()
    async with running("hold", database, "s") as child:
        assert await child.says() == "held"
        assert await child.does("close") == "closed"
        assert await shared.holder("s") is None
        (await shared.lease("s")).release()


async def test_a_process_whose_child_lives_on_has_died(shared: Store, database: str) -> None:
    """PostgreSQL can't know: the child has the connection too. There the session is that of a frozen process."""
    async with running("fork_holding", database, "s") as child:
        said, orphan = (await child.says()).split()
        assert said == "held"
        try:
            child.process.kill()
            if isinstance(shared, SqliteStore):
                await until(shared, "s", lambda found: found is not None and not found.is_alive)
                (await shared.lease("s")).release()
            else:
                (await shared.lease("s", instead_of=await holder_of(shared, "s"))).release()
        finally:
            os.kill(int(orphan), signal.SIGKILL)


async def test_a_store_that_was_opened_before_a_fork_is_another_worker_in_each_process(url: str) -> None:
    async with running("fork_sharing", url, "s") as child:
        assert [await child.says(), await child.says()] == ["held", "busy"]


async def test_a_lease_that_is_lost_is_told_once_to_all_who_ask(database: str, shared: Store) -> None:
    other = open_store(database)
    lost: asyncio.Queue[str] = asyncio.Queue()
    lease = await shared.lease("s")
    lease.when_lost(lambda: lost.put_nowait("first"))
    lease.when_lost(lambda: lost.put_nowait("second"))
    taken = await other.lease("s", instead_of=await holder_of(other, "s"))
    with pytest.raises(SessionTakenOver):
        await shared.commit(SessionChanges("s", SessionInfo("s", title="stale")))
    assert [await lost.get(), await lost.get()] == ["first", "second"]
    lease.when_lost(lambda: lost.put_nowait("late"))
    assert await lost.get() == "late"
    # What is lost can't be given back, and can be taken again like any other.
    lease.release()
    with pytest.raises(SessionBusy):
        await shared.lease("s")
    taken.release()
    again = await shared.lease("s")
    await shared.commit(SessionChanges("s", SessionInfo("s", title="mine")))
    assert lost.empty()
    again.release()
    await other.close()


async def test_a_worker_beats_while_others_keep_its_writer_busy(shared: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "BEAT_SECONDS", 0.05)
    lease = await shared.lease("s")
    for session_id in (ids := [f"busy{number}" for number in range(20)]):
        await shared.create(SessionInfo(session_id))
    stopped = asyncio.Event()

    async def write(session_id: str) -> None:
        number = 0
        while not stopped.is_set():
            number += 1
            await shared.commit(change(session_id, number, barrier=False))

    writing = asyncio.gather(*map(write, ids))
    for _ in range(3):
        seen = await holder_of(shared, "s")
        await until(shared, "s", lambda found: found is not None and found.beat > seen.beat)  # noqa: B023
    stopped.set()
    await writing
    lease.release()


async def test_a_commit_without_a_lease_is_refused_once_another_worker_had_the_session(
    database: str, shared: Store
) -> None:
    other = open_store(database)
    await other.commit(change("s", 1, barrier=False))
    (await shared.lease("s")).release()
    with pytest.raises(SessionTakenOver):
        await other.commit(change("s", 2, barrier=False))
    # The info alone is another matter: a session may be renamed by whoever sees that it does not run.
    await other.update(SessionInfo("s", title="renamed"))
    assert (await shared.info("s")).title == "renamed"
    await other.close()


async def test_dead_processes_leave_no_workers_behind(database: str, shared: Store) -> None:
    for _ in range(3):
        async with running("hold", database, "s") as child:
            assert await child.says() == "held"
            await child.die()
            await until(shared, "s", lambda found: found is not None and not found.is_alive)
        # From now on no session names it.
        (await shared.lease("s")).release()
    # The last one is still there: each new worker tidies up after those before it.
    assert workers_in(database) == 2
    other = open_store(database)
    lease = await other.lease("t")
    assert workers_in(database) == 2
    lease.release()
    await other.close()
    assert workers_in(database) == 1


def workers_in(database: str) -> int:
    if "://" in database:
        with asked(database) as connection:
            return connection.execute("SELECT count(*) FROM worker").fetchone()[0]
    with contextlib.closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT count(*) FROM worker").fetchone()[0]


async def test_a_deleted_session_leaves_no_lease_behind(database: str, shared: Store) -> None:
    async with running("hold", database, "s") as child:
        assert await child.says() == "held"
        await shared.delete("s")
        assert await child.says() == "lost"
        await shared.create(SessionInfo("s"))
        assert await shared.holder("s") is None


async def test_two_stores_of_one_process_do_not_free_what_the_other_holds(sqlite: SqliteStore) -> None:
    other = SqliteStore(sqlite.path)
    await sqlite.create(SessionInfo("s"))
    lease = await sqlite.lease("s")
    (await other.lease("t")).release()
    assert await other.holder("s") == await sqlite.holder("s")
    with pytest.raises(SessionBusy, match="this process"):
        await other.lease("s")
    await other.close()
    async with running("hold", sqlite.path, "s") as child:
        process = child.process
        _, _ = await process.communicate()
        assert process.returncode == 1
    lease.release()


async def test_without_locks_a_process_is_alive_for_as_long_as_it_beats(
    sqlite: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""
    monkeypatch.setattr(sqlite_lease, "fcntl", None)
    monkeypatch.setattr(sqlite_lease, "SILENT_MS", 500)
    await sqlite.create(SessionInfo("s"))
    async with running("hold", sqlite.path, "s", 0.1, "no") as child:
        assert await child.says() == "held"
        seen = await holder_of(sqlite, "s")
        later = await until(sqlite, "s", lambda found: found is not None and found.beat > seen.beat + 600)
        assert later is not None
        assert later.is_alive
        with pytest.raises(SessionBusy, match="another process"):
            await sqlite.lease("s")
        await child.die()
        await until(sqlite, "s", lambda found: found is not None and not found.is_alive)
    (await sqlite.lease("s")).release()


async def test_a_worker_that_is_frozen_in_the_middle_of_a_commit_does_not_hold_others_up(url: str) -> None:
    frozen, other = PostgresStore(url), PostgresStore(url)
    await frozen.create(SessionInfo("s"))
    await frozen.lease("s")
    reached, goes_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def freeze(connection: Connection) -> Callable[[], None]:
        connection.execute("SELECT 1 FROM session WHERE id = 's' FOR NO KEY UPDATE")

        def finish() -> None:
            loop.call_soon_threadsafe(reached.set)
            goes_on.wait(SECONDS)

        return finish

    committing = asyncio.gather(frozen._writer.write(freeze), frozen.commit(change("s", 1, barrier=False)))
    async with asyncio.timeout(SECONDS):
        await reached.wait()
        lease = await other.lease("s", instead_of=await holder_of(other, "s"))
        await other.commit(change("s", 1, barrier=False))
        goes_on.set()
        with pytest.raises(SessionTakenOver):
            await committing
    lease.release()
    await other.close()
    await frozen.close()


async def test_a_full_disk_keeps_leases_as_they_are_until_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data") as disk:
        on_disk = {"prefix": disk.prefix(tmp_path)}
        database = disk.folder / "t.db"
        async with running("write", database, "s", 1, **on_disk) as child:
            await child.process.communicate()
        async with running("hold", database, "s", **on_disk) as one, running("hold", database, "t", **on_disk) as two:
            assert [await one.says(), await two.says()] == ["held", "held"]
            disk.fill()
            assert await two.does("lease u") == "StoreFull"
            assert await one.does("release s") == "released"
            # It knows better than what could not be written; the other one can't.
            assert await one.does("holder s") == "nobody"
            assert await two.does("holder s") == "alive"
            disk.free()
            async with asyncio.timeout(SECONDS):
                while await two.does("lease s") != "held":
                    pass
            assert await two.does("commit t") == "SessionNotFound"


async def test_a_session_whose_run_was_cut_off_can_be_read_on_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data") as disk:
        on_disk = {"prefix": disk.prefix(tmp_path)}
        database = disk.folder / "t.db"
        async with running("open_run", database, "s", **on_disk) as child:
            await child.process.communicate()
        async with running("hold", database, "t", **on_disk) as child:
            assert await child.says() == "held"
            disk.fill()
            assert await child.does("open s") == "run_1"
            disk.free()
            assert await child.does("open s") == "None"
