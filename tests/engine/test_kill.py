"""SIGKILL at random moments: nothing acknowledged is lost, nothing runs twice, the session always goes on."""

import asyncio
import os
import random
import signal
import sqlite3
import sys
from collections import Counter
from pathlib import Path

import pytest
from postgres_server import PostgresServer

from toolpost import Agent
from toolpost.store import open_store
from toolpost.testing import ScriptedModel, text
from toolpost.types.messages import Completed, Failed

ROUNDS_ON_A_FILE = 300
ROUNDS_ON_A_SERVER = 80
CHILD = Path(__file__).with_name("kill_child.py")


class Nursery:
    """The process that forks what we kill."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def round(self, seconds: float) -> list[tuple[int, str]]:
        """Let a child live for a while after its first acknowledgement, kill it, and give what it acknowledged."""
        self._process.stdin.write(b"go\n")
        # Of the child itself, whose number may be another one's once it has ended.
        child = os.pidfd_open(int((await self._line()).removeprefix("pid ")))
        try:
            return await self._live(child, seconds)
        finally:
            os.close(child)

    async def _live(self, child: int, seconds: float) -> list[tuple[int, str]]:
        acknowledged: list[tuple[int, str]] = []
        deadline: float | None = None
        killed = False
        loop = asyncio.get_running_loop()
        while True:
            if deadline is not None and not killed and loop.time() >= deadline:
                signal.pidfd_send_signal(child, signal.SIGKILL)
                killed = True
            timeout = 10 if deadline is None or killed else max(0.0, deadline - loop.time())
            try:
                line = await asyncio.wait_for(self._line(), timeout)
            except TimeoutError:
                assert deadline is not None, "the session did not go on after the last kill"
                continue
            if line == "dead":
                return acknowledged
            assert line.startswith("ack "), line
            _, seq, kind = line.split()
            acknowledged.append((int(seq), kind))
            deadline = deadline or loop.time() + seconds

    async def _line(self) -> str:
        return (await self._process.stdout.readline()).decode().strip()


@pytest.mark.timeout(300)
async def test_a_killed_process_loses_nothing_that_it_acknowledged_and_its_session_goes_on(tmp_path):
    database = tmp_path / "t.db"
    await kill_again_and_again(str(database), tmp_path / "effects", ROUNDS_ON_A_FILE)
    with sqlite3.connect(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.timeout(300)
async def test_the_same_holds_on_a_server_which_frees_the_session_when_its_process_is_killed(tmp_path):
    with PostgresServer() as server:
        await kill_again_and_again(server.url(), tmp_path / "effects", ROUNDS_ON_A_SERVER)


async def kill_again_and_again(database, effects, rounds):
    process = await asyncio.create_subprocess_exec(
        sys.executable, CHILD, database, effects, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    nursery, chance, acknowledged = Nursery(process), random.Random(4711), []
    for _ in range(rounds):
        acknowledged += await nursery.round(chance.choice((0, chance.uniform(0, 0.004), chance.uniform(0, 0.04))))
    process.stdin.close()
    await process.wait()

    store = open_store(database)
    (info,) = [info async for info in store.sessions()]
    session = Agent(ScriptedModel(text("still here")), store=store).session(info.id)
    assert (await session.run("are you there?")).text == "still here"

    events = [event async for event in store.events(info.id)]
    assert [event.seq for event in events] == sorted({event.seq for event in events})
    kinds = {event.seq: event.type for event in events}
    assert [(seq, kinds.get(seq)) for seq, _ in acknowledged] == acknowledged
    assert len(acknowledged) > rounds

    ran = Counter(effects.read_text().split())
    assert set(ran.values()) == {1}, "a call ran twice"
    begun = {event.call_id for event in events if event.type == "tool_execution_start"}
    assert set(ran) <= begun, "a call ran before its start was on disk"

    messages = [message async for message in store.messages(info.id)]
    states = [part.state for message in messages for part in message.calls]
    assert all(isinstance(state, Completed | Failed) for state in states)
    assert any(isinstance(state, Failed) and state.kind == "interrupted" for state in states)
    await store.close()
