"""Runs of `toolpost serve` outlive its processes: killed, frozen, stopped and started again.

How long a takeover needs is measured by `python -m bench.resume`.
"""

import asyncio
import contextlib
import itertools
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from console import Console
from postgres_server import PostgresServer
from served import PATIENCE, Serving, found, serving

from toolpost.engine.permissions import Answer
from toolpost.engine.unheld_runs import answer_ask
from toolpost.store import open_store
from toolpost.testing import Gate, Upstream, call, pause, text

WRITE = call("write", {"path": "a.txt", "content": "hello"}, id="w1")

_schemas = itertools.count(1)

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for workers in /proc")


@pytest.fixture
def store(postgres: PostgresServer) -> str:
    return postgres.url(f"deaths_{next(_schemas)}")


@contextlib.asynccontextmanager
async def two_workers(
    console: Console, store: str, config: str = ""
) -> AsyncIterator[tuple[Serving, httpx.AsyncClient, httpx.AsyncClient]]:
    """A server with two workers, and a connection to each."""
    configure(console, config)
    async with (
        serving(console, "--agent", "build", "--workers", "2", "--store", store) as server,
        server.through("1") as first,
        server.through("2") as second,
    ):
        yield server, first, second


def configure(console: Console, config: str) -> None:
    (console.folder / ".toolpost" / "config.toml").write_text(config)


async def begin(http: httpx.AsyncClient, prompt: str = "hi") -> str:
    session = (await http.post("/api/sessions", json={})).json()["id"]
    answer = await http.post(f"/api/sessions/{session}/prompts", json={"text": prompt})
    assert answer.status_code == 202, answer.text
    return session


async def status(http: httpx.AsyncClient, session: str) -> dict[str, Any]:
    answer = await http.get(f"/api/sessions/{session}/status")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def until_state(http: httpx.AsyncClient, session: str, *states: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while (now := await status(http, session))["state"] not in states:  # noqa: ASYNC110 - a status is asked for
            await asyncio.sleep(0.02)
    return now


async def events_of(store: str, session: str) -> list[Any]:
    opened = open_store(store)
    try:
        return [event async for event in opened.events(session)]
    finally:
        await opened.close()


def check_history(events: list[Any]) -> list[str]:
    """One run with one beginning and one end, and numbers without a gap. Gives the types of its events."""
    kinds = [event.type for event in events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (kinds.count("run_start"), kinds.count("run_end"), kinds.count("settled")) == (1, 1, 1)
    assert len({event.run_id for event in events if hasattr(event, "run_id")}) == 1
    assert kinds[-2:] == ["run_end", "settled"]
    return kinds


async def test_another_worker_goes_on_with_the_run_of_one_that_is_killed(tmp_path: Path, store: str) -> None:
    gate = Gate()
    async with (
        Upstream(text("half ") + pause(gate), text("a whole answer"), strict=False) as up,
        two_workers(Console(tmp_path, up.base_url), store) as (server, first, second),
        second.stream("GET", "/api/events?after=0") as feed,
    ):
        told = aiter(feed.aiter_lines())
        session = await begin(first)
        run = (await found(told, '"type":"run_start"'))["run_id"]
        await found(told, '"text":"half "')
        following = asyncio.create_task(chat_of(second, session))
        os.kill(server.workers[0], signal.SIGKILL)
        assert (await status(second, session))["state"] in ("interrupted", "busy")
        resumed = await found(told, '"type":"run_resumed"')
        assert resumed["run_id"] == run
        assert (await found(told, '"type":"run_end"'))["reason"] == "done"
        chunks = await following
        assert "a whole answer" in chunks
        assert '"type":"data-retracted"' in chunks
        assert chunks.endswith("data: [DONE]\n\n")
        assert (await second.get(f"/api/sessions/{session}/messages")).json()["messages"][1]["parts"][-1][
            "text"
        ] == "a whole answer"
    check_history(await events_of(store, session))


async def chat_of(http: httpx.AsyncClient, session: str) -> str:
    answer = await http.get(f"/api/chat/{session}/stream?approvals=live&retract=reset-step")
    assert answer.status_code == 200, answer.text
    return answer.text


async def test_an_open_approval_outlives_all_workers_and_is_answered_afterwards(tmp_path: Path, store: str) -> None:
    async with (
        Upstream(WRITE, text("all done")) as up,
        two_workers(Console(tmp_path, up.base_url), store) as (server, first, _),
    ):
        async with first.stream("GET", "/api/events?after=0") as feed:
            session = await begin(first)
            await found(aiter(feed.aiter_lines()), '"type":"permission_asked"')
        for worker in server.workers:
            os.kill(worker, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE):
            while not (asks := await open_asks(server)):  # noqa: ASYNC110 - nothing tells when others serve again
                await asyncio.sleep(0.05)
        (asked,) = asks
        assert (asked["session"], asked["permission"]) == (session, "edit")
        answer = await server.ask("POST", f"/api/asks/{asked['id']}", json={"reply": "once"})
        assert answer.status_code == 204, answer.text
        async with server.through("2") as http:
            await until_state(http, session, "idle")
        kinds = check_history(await events_of(store, session))
    assert (tmp_path / "project" / "a.txt").read_text() == "hello"
    assert (kinds.count("permission_asked"), kinds.count("permission_replied")) == (1, 1)


async def open_asks(server: Serving) -> list[dict[str, Any]]:
    with contextlib.suppress(httpx.TransportError):
        return (await server.ask("GET", "/api/asks")).json()["asks"]
    return []


async def test_an_approval_that_is_answered_while_no_server_lives_is_heeded_by_the_next(
    tmp_path: Path, store: str
) -> None:
    console = Console(tmp_path)
    async with Upstream(WRITE, text("all done")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with two_workers(console, store, "[server]\npark_seconds = 0.1\n") as (server, first, _):
            async with first.stream("GET", "/api/events?after=0") as feed:
                session = await begin(first)
                ask = (await found(aiter(feed.aiter_lines()), '"type":"permission_asked"'))["ask_id"]
            server.process.send_signal(signal.SIGTERM)
            assert await server.ended() == 0
        opened = open_store(store)
        record = await opened.open_run(session)
        assert record is not None
        assert record.state == "waiting"
        await answer_ask(opened, session, ask, Answer("once"))
        await opened.close()
        async with two_workers(console, store) as (_, first, _):
            await until_state(first, session, "idle")
    kinds = check_history(await events_of(store, session))
    assert kinds.count("run_parked") == kinds.count("run_resumed") == 1
    assert (tmp_path / "project" / "a.txt").read_text() == "hello"


async def test_a_frozen_worker_loses_its_run_and_says_nothing_more(tmp_path: Path, store: str) -> None:
    gate = Gate()
    async with (
        Upstream(text("half ") + pause(gate) + text("too late"), text("a whole answer"), strict=False) as up,
        two_workers(Console(tmp_path, up.base_url), store) as (server, first, second),
        second.stream("GET", "/api/events?after=0") as feed,
        first.stream("POST", "/api/chat", json={"message": "hi", "retract": "reset-step"}) as chat,
    ):
        told, frozen = aiter(feed.aiter_lines()), server.workers[0]
        session = chat.headers["x-conversation-id"]
        await found(told, '"text":"half "')
        os.kill(frozen, signal.SIGSTOP)
        try:
            await found(told, '"type":"run_resumed"')
            assert (await found(told, '"type":"run_end"'))["reason"] == "done"
        finally:
            os.kill(frozen, signal.SIGCONT)
        # The client of the frozen one is told how it went on elsewhere.
        chunks = "\n".join([line async for line in chat.aiter_lines()])
        assert '"type":"reset-step"' in chunks
        assert "a whole answer" in chunks
        gate.open()
        assert (await until_state(first, session, "idle"))["run"] is None
    check_history(await events_of(store, session))


async def test_a_worker_that_is_ended_hands_its_run_over(tmp_path: Path, store: str) -> None:
    gate = Gate()
    async with (
        Upstream(text("half ") + pause(gate), text("a whole answer"), strict=False) as up,
        two_workers(Console(tmp_path, up.base_url), store) as (server, first, second),
        second.stream("GET", "/api/events?after=0") as feed,
    ):
        told = aiter(feed.aiter_lines())
        session = await begin(first)
        await found(told, '"text":"half "')
        stopping = server.workers[0]
        os.kill(stopping, signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            while (await first.get("/readyz")).status_code == 200:  # noqa: ASYNC110 - it is asked for
                await asyncio.sleep(0.01)
        # The second signal ends what is still given time.
        os.kill(stopping, signal.SIGTERM)
        assert (await found(told, '"type":"run_parked"'))["reason"] == "released"
        await found(told, '"type":"run_resumed"')
        assert (await found(told, '"type":"run_end"'))["reason"] == "done"
    check_history(await events_of(store, session))


async def test_a_run_is_stopped_right_after_its_worker_was_killed(tmp_path: Path, store: str) -> None:
    gate = Gate()
    async with (
        Upstream(text("half ") + pause(gate), strict=False) as up,
        two_workers(Console(tmp_path, up.base_url), store, 'resume = "ask"\n') as (server, first, second),
    ):
        session = await begin(first)
        await gate.reached.wait()
        os.kill(server.workers[0], signal.SIGKILL)
        await until_state(second, session, "interrupted")
        stopped = await second.post(f"/api/sessions/{session}/stop")
        assert (stopped.json()["is_running"], stopped.json()["state"]) == (False, "idle")
    *_, end, _ = await events_of(store, session)
    assert (end.type, end.reason) == ("run_end", "aborted")


@contextlib.asynccontextmanager
async def restarted(tmp_path: Path, config: str, *turns: Any) -> AsyncIterator[tuple[httpx.AsyncClient, str, str]]:
    """A server on SQLite that was killed in the middle of an answer, and started again; its session and its store."""
    console, gate = Console(tmp_path), Gate()
    store = str(tmp_path / "own.db")
    configure(console, config)
    async with Upstream(text("half ") + pause(gate), *turns, strict=False) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with serving(console, "--store", store) as server, client(server) as http:
            async with http.stream("GET", "/api/events?after=0") as feed:
                session = await begin(http)
                await found(aiter(feed.aiter_lines()), '"text":"half "')
            server.process.kill()
            await server.process.wait()
        async with serving(console, "--store", store) as server, client(server) as http:
            yield http, session, store


def client(server: Serving) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=server.url, headers={"x-api-key": "a-token-of-a-person"}, timeout=PATIENCE, trust_env=False
    )


async def test_a_run_goes_on_by_itself_when_its_server_is_started_again(tmp_path: Path) -> None:
    async with restarted(tmp_path, "", text("a whole answer")) as (http, session, store):
        await until_state(http, session, "idle")
        messages = (await http.get(f"/api/sessions/{session}/messages")).json()["messages"]
        assert messages[1]["parts"][-1]["text"] == "a whole answer"
    check_history(await events_of(store, session))


async def test_a_run_waits_for_a_word_where_the_settings_say_so(tmp_path: Path) -> None:
    async with restarted(tmp_path, 'resume = "ask"\n', text("a whole answer")) as (http, session, store):
        async with http.stream("GET", "/api/events?after=0") as feed:
            assert (await found(aiter(feed.aiter_lines()), '"type":"run_parked"'))["reason"] == "interrupted"
        (shown,) = (await http.get("/api/sessions")).json()["sessions"]
        assert (shown["state"], shown["is_running"]) == ("interrupted", False)
        chunks = await chat_of(http, session)
        assert "it goes on when you resume it" in chunks
        resumed = await http.post(f"/api/sessions/{session}/resume")
        assert resumed.status_code == 202, resumed.text
        await until_state(http, session, "idle")
        again = await http.post(f"/api/sessions/{session}/resume")
        assert again.status_code == 409
    check_history(await events_of(store, session))


async def test_a_run_is_closed_where_the_settings_say_so(tmp_path: Path) -> None:
    async with restarted(tmp_path, 'resume = "never"\n') as (http, session, store):
        await until_state(http, session, "idle")
        messages = (await http.get(f"/api/sessions/{session}/messages")).json()["messages"]
        assert messages[1]["parts"][-1]["text"] == "half "
    *_, end, _ = await events_of(store, session)
    assert (end.reason, end.error.code) == ("error", "interrupted")


async def test_a_run_that_a_terminal_drives_is_stopped_over_postgres(tmp_path: Path, store: str) -> None:
    gate = Gate()
    async with Upstream(text("first ") + pause(gate) + text("last"), strict=False) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / ".toolpost" / "config.toml").write_text(f'store = "{store}"\n')
        async with serving(console) as server:
            process = await console.start("run", "go")
            await gate.reached.wait()
            session = (await server.ask("GET", "/api/sessions")).json()["sessions"][0]["id"]
            answer = await server.ask("POST", f"/api/sessions/{session}/stop")
            assert (answer.status_code, answer.json()["state"]) == (200, "idle"), answer.text
            out, _ = await process.communicate()
        assert (process.returncode, out) == (130, b"first \n")


async def test_a_run_that_a_terminal_drives_is_not_said_to_be_stopped_over_sqlite(tmp_path: Path) -> None:
    gate = Gate()
    async with Upstream(text("first ") + pause(gate) + text("last"), strict=False) as up:
        console = Console(tmp_path, up.base_url)
        async with serving(console) as server:
            process = await console.start("run", "go")
            await gate.reached.wait()
            session = (await server.ask("GET", "/api/sessions")).json()["sessions"][0]["id"]
            answer = await server.ask("POST", f"/api/sessions/{session}/stop")
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "session_busy"), answer.text
            assert "stop it there" in answer.json()["error"]["message"]
            gate.open()
            out, _ = await process.communicate()
        assert (process.returncode, out) == (0, b"first last\n")
