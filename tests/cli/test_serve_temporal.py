"""`toolpost serve` and `toolpost worker` with a real Temporal server: one takes prompts, others drive the runs."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from console import Console
from served import PATIENCE, Serving, serving
from temporal_server import TemporalServer

from toolpost.store import open_store
from toolpost.testing import Gate, Upstream, call, pause, text

TOOLS = '''
from toolpost import tool

@tool
def large() -> str:
    """Give a large result."""
    return "row of text\\n" * 450_000
'''


@pytest.fixture(scope="module")
def temporal() -> Iterator[TemporalServer]:
    with TemporalServer() as started:
        yield started


@pytest.fixture
def console(tmp_path: Path, temporal: TemporalServer) -> Console:
    console = Console(tmp_path)
    console.environ["TOOLPOST_TOKEN"] = "a-token-of-a-person"
    console.trusted = False
    settings = f'''
        store = "{tmp_path / "t.db"}"
        [engine]
        url = "{temporal.url()}"
        pool = "{tmp_path.name[-40:]}"
        [permissions]
        large = "allow"
        [server]
        park_seconds = 0.2
    '''
    (console.folder / ".toolpost" / "config.toml").write_text(settings)
    (console.folder / ".toolpost" / "tools").mkdir()
    (console.folder / ".toolpost" / "tools" / "large.py").write_text(TOOLS)
    console.trusted = True
    return console


@contextlib.asynccontextmanager
async def working(console: Console) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await console.start("worker")
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            said = (await process.stderr.readuntil(b" at once\n")).decode()
        assert "driving runs of" in said
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@contextlib.asynccontextmanager
async def submitting(console: Console, *arguments: str) -> AsyncIterator[tuple[Serving, httpx.AsyncClient]]:
    async with (
        serving(console, "--agent", "build", *arguments) as server,
        httpx.AsyncClient(
            base_url=server.url,
            headers={"x-api-key": console.environ["TOOLPOST_TOKEN"]},
            timeout=PATIENCE,
            trust_env=False,
        ) as http,
    ):
        yield server, http


async def begin(http: httpx.AsyncClient, prompt: str = "hi") -> str:
    session = (await http.post("/api/sessions", json={})).json()["id"]
    answer = await http.post(f"/api/sessions/{session}/prompts", json={"text": prompt})
    assert answer.status_code == 202, answer.text
    return session


async def until_state(http: httpx.AsyncClient, session: str, *states: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while True:
            now = (await http.get(f"/api/sessions/{session}/status")).json()
            if now["state"] in states:
                return now
            await asyncio.sleep(0.02)


async def until_settled(http: httpx.AsyncClient, session: str) -> None:
    """After the end of a run its process says once more that the session is settled."""
    async with asyncio.timeout(PATIENCE):
        while True:
            seq = (await until_state(http, session, "idle"))["seq"]
            events = (await http.get(f"/api/sessions/{session}/events?after={seq - 1}")).json()["events"]
            if events and events[-1]["type"] == "settled":
                return
            await asyncio.sleep(0.02)


async def history(console: Console, session: str) -> list[Any]:
    """The events of the session: of one run, with numbers without a gap."""
    store = open_store(str(console.folder.parent / "t.db"))
    try:
        events = [event async for event in store.events(session)]
    finally:
        await store.close()
    kinds = [event.type for event in events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (kinds.count("run_start"), kinds.count("run_end"), kinds.count("settled")) == (1, 1, 1)
    return events


async def test_a_server_submits_and_a_worker_drives(console: Console) -> None:
    async with Upstream(text("hello from a worker")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http), working(console):
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
    events = await history(console, session)
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
    kinds = [event.type for event in await history(console, session)]
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
    kinds = [event.type for event in await history(console, session)]
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
    assert (await history(console, session))[-2].text == "half and the rest"
    assert (await history(console, other))[-2].text == "and on"


async def test_a_large_result_stays_out_of_the_engine(console: Console, temporal: TemporalServer) -> None:
    from temporalio.client import Client

    async with Upstream(call("large", {}), text("that was much")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with submitting(console) as (_, http), working(console):
            session = await begin(http)
            await until_settled(http, session)
    run = next(event for event in await history(console, session) if event.type == "run_start").run_id
    client = await Client.connect(temporal.target)
    told = await client.get_workflow_handle(run).fetch_history()
    assert sum(event.ByteSize() for event in told.events) < 20_000
