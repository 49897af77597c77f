"""`toolpost serve` and `toolpost worker` with a real Temporal server: one takes prompts, others drive the runs."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from console import Console
from served import PATIENCE
from serving_with_temporal import begin, console_of, history, submitting, until_settled, until_state, working
from temporal_server import TemporalServer

from toolpost.testing import Gate, Upstream, call, pause, text


@pytest.fixture(scope="module")
def temporal() -> Iterator[TemporalServer]:
    with TemporalServer() as started:
        yield started


@pytest.fixture
def console(tmp_path: Path, temporal: TemporalServer) -> Console:
    return console_of(tmp_path, temporal, str(tmp_path / "t.db"))


async def test_a_server_submits_and_a_worker_drives(console: Console) -> None:
    async with Upstream(text("hello from a worker")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (server, http), working(console):
            assert server.process.stderr is not None
            async with asyncio.timeout(PATIENCE):
                await server.process.stderr.readuntil(b"wait for a `toolpost worker`")
            answer = await http.post("/api/chat", json={"message": "hi"})
            assert "hello from a worker" in answer.text
            assert answer.text.endswith("data: [DONE]\n\n")


async def test_a_server_can_drive_as_well(console: Console) -> None:
    async with Upstream(text("all in one")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console, "--drive") as (_, http):
            assert "all in one" in (await http.post("/api/chat", json={"message": "hi"})).text


async def test_another_worker_goes_on_with_the_run_of_a_killed_one(console: Console) -> None:
    gate = Gate()
    async with Upstream(text("half ") + pause(gate), text("a whole answer"), strict=False) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http), working(console) as first:
            session = await begin(http)
            async with asyncio.timeout(PATIENCE):
                await gate.reached.wait()
            async with working(console):
                first.kill()
                await until_settled(http, session)
    events = await history(store_of(console), session)
    assert [event.type for event in events].count("run_resumed") == 1
    assert events[-2].text == "a whole answer"


async def test_a_worker_that_is_told_to_stop_hands_its_run_over(console: Console) -> None:
    gate = Gate()
    async with Upstream(text("half ") + pause(gate), text("a whole answer"), strict=False) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http), working(console) as first, working(console) as second:
            session = await begin(http)
            async with asyncio.timeout(PATIENCE):
                await gate.reached.wait()
            # Whichever drives it; the other one only ends.
            first.send_signal(signal.SIGTERM)
            await first.wait()
            if (await until_state(http, session, "idle", "busy", "queued"))["state"] == "busy":
                async with working(console):
                    second.send_signal(signal.SIGTERM)
                    await until_settled(http, session)
            else:
                await until_settled(http, session)
    kinds = [event.type for event in await history(store_of(console), session)]
    assert kinds.count("run_parked") >= 1
    assert kinds.count("run_resumed") == kinds.count("run_parked")


async def test_an_approval_is_answered_while_no_worker_lives(console: Console) -> None:
    write = call("write", {"path": "a.txt", "content": "hello"}, id="w1")
    async with Upstream(write, text("all done")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http):
            async with working(console) as worker:
                session = await begin(http)
                (ask,) = (await until_state(http, session, "waiting"))["asks"]
                worker.kill()
            answer = await http.post(f"/api/asks/{ask}", json={"reply": "once"})
            assert answer.status_code == 204, answer.text
            async with working(console):
                await until_settled(http, session)
    assert (console.folder / "a.txt").read_text() == "hello"
    kinds = [event.type for event in await history(store_of(console), session)]
    assert (kinds.count("permission_asked"), kinds.count("permission_replied")) == (1, 1)


async def test_a_queued_run_is_stopped_within_a_moment(console: Console) -> None:
    async with Upstream() as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http):
            session = await begin(http)
            assert (await until_state(http, session, "queued"))["run"]
            await http.post(f"/api/sessions/{session}/stop")
            assert (await until_state(http, session, "idle"))["run"] is None
        assert up.requests == []


async def test_a_run_outlives_the_death_of_temporal(console: Console, temporal: TemporalServer) -> None:
    gate = Gate()
    async with Upstream(text("half ") + pause(gate) + text("and the rest")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http), working(console):
            session = await begin(http)
            async with asyncio.timeout(PATIENCE):
                await gate.reached.wait()
            temporal.kill()
            gate.open()
            await until_settled(http, session)
            temporal.start()
            other = await begin(http, "after that")
            up.add(text("and on"))
            await until_settled(http, other)
    assert (await history(store_of(console), session))[-2].text == "half and the rest"
    assert (await history(store_of(console), other))[-2].text == "and on"


async def test_a_large_result_stays_out_of_the_engine(console: Console, temporal: TemporalServer) -> None:
    from temporalio.client import Client

    async with Upstream(call("large", {}), text("that was much")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http), working(console):
            session = await begin(http)
            await until_settled(http, session)
    run = next(event for event in await history(store_of(console), session) if event.type == "run_start").run_id
    client = await Client.connect(temporal.target)
    told = await client.get_workflow_handle(run).fetch_history()
    assert sum(event.ByteSize() for event in told.events) < 20_000


def store_of(console: Console) -> str:
    return str(console.folder.parent / "t.db")
