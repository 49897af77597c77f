"""Many processes on one database, and processes that die."""

import asyncio
import random
import sqlite3
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from toolpost.store import open_store
from toolpost.store.contract import EventNotice, SessionChanges, SessionInfo, Signal
from toolpost.types.errors import SessionBusy
from toolpost.types.events import MessageUpdate
from toolpost.types.messages import Message, TextPart

CHILD = Path(__file__).with_name("child.py")
KILLS_OF_A_FILE = 40
KILLS_OF_A_SERVER = 12  # each child loads a driver too


async def start(*arguments: object) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, str(CHILD), *map(str, arguments)), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


async def finish(child: asyncio.subprocess.Process) -> str:
    out, err = await child.communicate()
    assert child.returncode == 0, err.decode()
    return out.decode()


def check_whole(database: str) -> None:
    """PostgreSQL looks after itself; a file can be asked."""
    if "://" not in database:
        connection = sqlite3.connect(database)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()


async def test_many_processes_write_to_one_database_and_none_is_turned_away(database: str) -> None:
    children = [await start("write", database, f"s{number}", 60) for number in range(6)]
    for child in children:
        await finish(child)
    store = open_store(database)
    for number in range(6):
        assert (await store.info(f"s{number}")).seq == 60
        assert [event.seq async for event in store.events(f"s{number}")] == list(range(1, 61))
        assert len(await store.branch(f"s{number}", "m60")) == 60
    await store.close()
    check_whole(database)


async def test_every_acknowledged_change_outlives_a_killed_process(database: str) -> None:
    chance = random.Random(7)
    acknowledged: dict[str, int] = {}
    for number in range(KILLS_OF_A_SERVER if "://" in database else KILLS_OF_A_FILE):
        session_id = f"s{number}"
        child = await start("acknowledge", database, session_id)
        assert child.stdout is not None
        for _ in range(chance.randrange(1, 40)):
            acknowledged[session_id] = int(await child.stdout.readline())
        await asyncio.sleep(chance.uniform(0, 0.01))
        child.kill()
        rest, _ = await child.communicate()
        for line in rest.splitlines(keepends=True):
            acknowledged[session_id] = int(line) if line.endswith(b"\n") else acknowledged[session_id]

    store = open_store(database)
    for session_id, last in acknowledged.items():
        # The last change may have been committed without being acknowledged, but then it is there whole.
        kept = (await store.info(session_id)).seq
        assert last <= kept <= last + 1
        assert [event.seq async for event in store.events(session_id)] == list(range(1, kept + 1))
        assert [found.id for found in await store.branch(session_id, f"m{kept}")] == [
            f"m{number}" for number in range(1, kept + 1)
        ]
    await store.close()
    check_whole(database)


async def test_a_lease_keeps_other_processes_out_until_its_process_is_killed(database: str) -> None:
    store = open_store(database)
    child = await start("lease", database, "s")
    assert child.stdout is not None
    assert await child.stdout.readline() == b"held\n"
    with pytest.raises(SessionBusy, match="another process"):
        await store.lease("s")
    (await store.lease("t")).release()
    child.kill()
    await child.communicate()
    (await store.lease("s")).release()
    await store.close()


async def test_a_lease_held_here_keeps_other_processes_out(database: str) -> None:
    store = open_store(database)
    lease = await store.lease("s")
    child = await start("lease", database, "s")
    _, err = await child.communicate()
    assert b"SessionBusy: session s has a run in another process" in err
    lease.release()
    await store.close()


async def test_another_process_hears_a_signal_and_what_it_does_is_followed_here(url: str) -> None:
    store = open_store(url)
    await store.create(SessionInfo("s"))
    child = await start("obey", url, "s")
    assert child.stdout is not None
    assert await child.stdout.readline() == b"listening\n"
    said: list[str] = []
    async with aclosing(store.follow()) as noticed, asyncio.timeout(30):
        assert await anext(noticed) == EventNotice(None)
        for word in ("stop", "go on"):
            await store.signal(Signal("somebody else", b"not for you"))
            await store.signal(Signal("s", word.encode()))
            assert await anext(noticed) == EventNotice("s", len(said) + 1)
            said += [event.text async for event in store.events("s", len(said)) if isinstance(event, MessageUpdate)]
    assert said == ["stop", "go on"]
    child.kill()
    await child.communicate()
    await store.close()


async def test_a_program_that_forgets_to_close_ends_and_loses_nothing(database: str) -> None:
    await finish(await start("leave", database, 60))
    store = open_store(database)
    assert (await store.info("s")).seq == 60
    await store.close()


async def test_a_large_session_passes_through_a_small_memory(database: str, tmp_path: Path) -> None:
    store = open_store(database)
    await store.create(SessionInfo("s"))
    for batch in range(60):
        numbers = range(batch * 50 + 1, batch * 50 + 51)
        messages = [Message(f"m{n}", "user", (TextPart(f"{n} " * 2200),)) for n in numbers]
        events = [MessageUpdate(n, "s", 1.0, f"m{n}", 0, "text", f"{n} " * 2200) for n in numbers]
        await store.commit(SessionChanges("s", messages=messages, events=events))
    restored, grown = (await finish(await start("copy", database, "s", tmp_path / "s.json"))).split()
    assert (tmp_path / "s.json").stat().st_size > 60_000_000
    assert int(grown) < 25
    assert [found async for found in store.messages(restored)] == [found async for found in store.messages("s")]
    assert [event.seq async for event in store.events(restored)] == list(range(1, 3001))
    await store.close()
