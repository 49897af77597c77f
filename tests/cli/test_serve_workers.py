"""`toolpost serve` with a store of its own, and with several workers on a real PostgreSQL."""

import asyncio
import itertools
import os
import re
import signal
from pathlib import Path

import pytest
from console import Console
from postgres_server import PostgresServer
from served import PATIENCE, found, is_alive, serving

from toolpost.store import open_store
from toolpost.store.contract import SessionInfo
from toolpost.testing import Gate, Upstream, call, pause, text

ASK = {"model": "any", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}

_schemas = itertools.count(1)

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")


@pytest.fixture
def store(postgres: PostgresServer) -> str:
    return postgres.url(f"workers_{next(_schemas)}")


async def test_requests_spread_over_all_workers_which_share_one_token_and_one_greeting(
    tmp_path: Path, store: str
) -> None:
    async with (
        Upstream(*[text("hello")] * 4) as up,
        serving(Console(tmp_path, up.base_url), "--workers", "2", "--store", store, token="") as server,
    ):
        found = re.search(r"ANTHROPIC_AUTH_TOKEN=(\S{32,})", server.greeting)
        assert found is not None
        assert server.greeting.count("serving") == 1
        answered = await server.until_answered(lambda workers: len(workers) == 2, found[1])
        assert set(answered) == {"1", "2"}
        for _ in range(4):
            answer = await server.ask("POST", "/v1/messages", found[1], json=ASK)
            assert answer.json()["content"][0]["text"] == "hello"
        assert (await server.ask("POST", "/v1/messages", json=ASK)).status_code == 401
        workers = server.workers
        assert len(workers) == 2
        server.process.send_signal(signal.SIGTERM)
        assert await server.ended() == 0
        assert not any(map(is_alive, workers))


async def test_a_killed_worker_is_replaced_and_no_request_after_that_fails(tmp_path: Path, store: str) -> None:
    async with serving(Console(tmp_path), "--workers", "2", "--store", store) as server:
        before = await server.until_answered(lambda workers: len(workers) == 2)
        killed = server.workers[1]
        os.kill(killed, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while killed in server.workers:  # noqa: ASYNC110 - nothing tells of another's child
                await asyncio.sleep(0.001)
        # `until_answered` fails with the first answer that is none, also while only one worker is left.
        after = await server.until_answered(lambda workers: workers.get("2", before["2"]) != before["2"])
        assert after.get("1", before["1"]) == before["1"]
        assert len(server.workers) == 2
        server.process.send_signal(signal.SIGINT)
        assert await server.ended() == 0


async def test_a_stream_that_runs_is_finished_after_sigterm_and_then_all_are_gone(tmp_path: Path, store: str) -> None:
    gate = Gate()
    async with (
        Upstream(text("first ") + pause(gate) + text("last")) as up,
        serving(Console(tmp_path, up.base_url), "--workers", "2", "--store", store) as server,
    ):
        asking = asyncio.create_task(server.ask("POST", "/v1/messages", json={**ASK, "stream": True}))
        await gate.reached.wait()
        workers = server.workers
        server.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            # Whoever has nothing to do has left; the other one waits for its stream.
            while len(server.workers) != 1:  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        gate.open()
        answer = (await asking).text
        assert "last" in answer
        assert "message_stop" in answer
        assert await server.ended() == 0
        assert not any(map(is_alive, workers))


async def test_a_run_is_followed_and_answered_through_another_worker(tmp_path: Path, store: str) -> None:
    async with (
        Upstream(call("write", {"path": "a.txt", "content": "hello"}), text("all done")) as up,
        serving(Console(tmp_path, up.base_url), "--agent", "build", "--workers", "2", "--store", store) as server,
        server.through("1") as runs,
        server.through("2") as watches,
        server.through("2") as answers,
        watches.stream("GET", "/api/events?after=0") as events,
        runs.stream("POST", "/api/chat", json={"message": "hi", "approvals": "live"}) as chat,
    ):
        seen, told = aiter(events.aiter_lines()), aiter(chat.aiter_lines())
        asked = await found(seen, '"type":"permission_asked"')
        (waiting,) = (await answers.get("/api/asks")).json()["asks"]
        assert waiting["id"] == asked["ask_id"]
        assert waiting["session"] == chat.headers["x-conversation-id"]
        assert (await answers.post(f"/api/asks/{waiting['id']}", json={"reply": "once"})).is_success
        await found(told, '"delta":"all done"')
        assert (await found(seen, '"type":"run_end"'))["reason"] == "done"


async def test_a_run_is_stopped_through_another_worker(tmp_path: Path, store: str) -> None:
    gate = Gate()
    async with (
        Upstream(text("half ") + pause(gate) + text("whole")) as up,
        serving(Console(tmp_path, up.base_url), "--workers", "2", "--store", store) as server,
        server.through("1") as runs,
        server.through("2") as stops,
        runs.stream("POST", "/api/chat", json={"message": "hi"}) as chat,
    ):
        told = aiter(chat.aiter_lines())
        await found(told, '"delta":"half "')
        session = chat.headers["x-conversation-id"]
        assert (await stops.post(f"/api/chat/{session}/stop")).json() == {"is_stopped": True}
        await found(told, '"type":"abort"')
        messages = (await stops.get(f"/api/sessions/{session}/messages")).json()["messages"]
        assert messages[1]["parts"][-1]["text"] == "half "


async def test_no_worker_outlives_a_server_that_is_killed(tmp_path: Path, store: str) -> None:
    async with serving(Console(tmp_path), "--workers", "2", "--store", store) as server:
        workers = server.workers
        server.process.kill()
        await server.ended()
        async with asyncio.timeout(PATIENCE):
            while any(is_alive(worker) for worker in workers):  # noqa: ASYNC110
                await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--workers", "2"), "--store postgresql://user@host/database"),
        (("--workers", "2", "--store", "sessions.db"), "several workers need a shared store"),
        (("--workers", "0"), "--workers must be a number from 1 to 64"),
        (("--workers", "65"), "--workers must be a number from 1 to 64"),
        (("--store", "mysql://host/x"), "mysql:// is not a store"),
    ],
)
async def test_what_cannot_work_is_refused_with_what_to_do(
    tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    done = await Console(tmp_path).call("serve", "--port", "0", *arguments)
    assert done.status == 2
    assert why in done.err
    assert "Traceback" not in done.err
    assert "serving" not in done.err


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_database_that_is_not_there_is_said_once_and_before_anything_is_served(
    tmp_path: Path, store: str, workers: str
) -> None:
    away = re.sub(r":\d+/", ":9/", store)
    done = await Console(tmp_path).call("serve", "--port", "0", "--workers", workers, "--store", away)
    assert done.status == 1
    assert done.err.count("cannot be reached") == 1
    assert "serving" not in done.err


async def test_one_worker_keeps_its_sessions_where_it_is_told(tmp_path: Path) -> None:
    console = Console(tmp_path)
    async with serving(console, "--store", "own.db") as server:
        assert "worker=" not in (await server.ask("GET", "/metrics")).text
        server.process.send_signal(signal.SIGTERM)
        assert await server.ended() == 0
    assert (console.folder / "own.db").exists()
    assert not (console.data / "toolpost.db").exists()


async def test_one_worker_may_have_a_database_on_a_server(tmp_path: Path, store: str) -> None:
    async with serving(Console(tmp_path), "--store", store) as server:
        opened = open_store(store)
        await opened.create(SessionInfo("s"))
        await opened.close()
        server.process.send_signal(signal.SIGTERM)
        assert await server.ended() == 0
