"""Temporal and PostgreSQL are killed at the same time, as on a machine that has both, and come back."""

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import PostgresServer
from served import PATIENCE
from serving_with_temporal import begin, console_of, history, submitting, until_settled, until_state, working
from temporal_server import TemporalServer

from toolpost.testing import Gate, Received, Turn, Upstream, call, pause, text


@pytest.fixture
def temporal() -> Iterator[TemporalServer]:
    with TemporalServer() as started:
        yield started


@pytest.fixture
def database() -> Iterator[PostgresServer]:
    with PostgresServer() as started:
        yield started


async def killed_and_back(temporal: TemporalServer, database: PostgresServer) -> None:
    temporal.kill()
    database.crash()
    await asyncio.gather(*(asyncio.to_thread(server.start) for server in (database, temporal)))


class Model:
    """Answers by the prompt: it writes a file, talks until the gate is open, or says a word."""

    def __init__(self) -> None:
        self.gate = Gate()

    def __call__(self, request: Received) -> Turn:
        last = request.body["messages"][-1]
        match last["content"]:
            case "write":
                return call("write", {"path": "a.txt", "content": "hello"}, id="w1")
            case "talk":
                return text("half ") + pause(self.gate) + text("and the rest")
            case _:
                return text("a word")


@pytest.mark.parametrize("worker_dies", [False, True])
async def test_runs_go_on_when_both_have_died(
    tmp_path: Path, temporal: TemporalServer, database: PostgresServer, worker_dies: bool
) -> None:
    """One that a worker drives, one that waits for a person, and one that is begun when both are back."""
    model, console = Model(), console_of(tmp_path, temporal, database.url())
    async with Upstream(model, repeat=True, strict=False) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http), working(console) as driving, contextlib.AsyncExitStack() as stack:
            waiting = await begin(http, "write")
            (ask,) = (await until_state(http, waiting, "waiting"))["asks"]
            running = await begin(http, "talk")
            async with asyncio.timeout(PATIENCE):
                await model.gate.reached.wait()
            if worker_dies:
                driving.kill()
            await killed_and_back(temporal, database)
            model.gate.open()
            if worker_dies:
                await stack.enter_async_context(working(console))
            await until_settled(http, running)
            answer = await http.post(f"/api/asks/{ask}", json={"reply": "once"})
            assert answer.status_code == 204, answer.text
            await until_settled(http, waiting)
            later = await begin(http, "later")
            await until_settled(http, later)
    events = await history(database.url(), running)
    assert (events[-2].reason, events[-2].text) == ("done", "half and the rest")
    assert [event.type for event in events].count("run_resumed") == worker_dies
    assert (console.folder / "a.txt").read_text() == "hello"
    for session in (waiting, later):
        assert (await history(database.url(), session))[-2].text == "a word"
