"""`toolpost serve` as a process of its own: its door, its signals, and what it does to the model behind it."""

import asyncio
import contextlib
import re
import signal
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import msgspec
import pytest
import served
from console import Console
from served import TOKEN

from toolpost.testing import Gate, Upstream, pause, text
from toolpost.testing import stall as stalled

ASK = {"model": "any", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}
STREAMED = {**ASK, "stream": True}


class Serving(msgspec.Struct):
    process: asyncio.subprocess.Process
    greeting: str
    http: httpx.AsyncClient

    def ask(self, body: dict):
        return self.http.stream("POST", "/v1/messages", json=body, headers={"x-api-key": TOKEN})

    async def ended(self) -> tuple[int, float]:
        """Its exit code, and how long it took from now on."""
        began = time.monotonic()
        async with asyncio.timeout(15):
            code = await self.process.wait()
        return code, time.monotonic() - began


@contextlib.asynccontextmanager
async def serving(console: Console, *arguments: str, token: str = TOKEN) -> AsyncIterator[Serving]:
    async with (
        served.serving(console, *arguments, token=token) as server,
        httpx.AsyncClient(base_url=server.url, timeout=15, trust_env=False) as http,
    ):
        yield Serving(server.process, server.greeting, http)


async def test_a_token_is_made_and_shown_once(tmp_path: Path) -> None:
    async with Upstream(text("hello")) as up, serving(Console(tmp_path, up.base_url), token="") as server:
        found = re.search(r"ANTHROPIC_AUTH_TOKEN=(\S{32,})", server.greeting)
        assert found is not None
        assert f"/#token={found[1]}\n" in server.greeting
        headers = {"authorization": f"Bearer {found[1]}"}
        answer = await server.http.post("/v1/messages", json=ASK, headers=headers)
        assert answer.json()["content"][0]["text"] == "hello"
        assert (await server.http.post("/v1/messages", json=ASK)).status_code == 401
        server.process.send_signal(signal.SIGTERM)
        assert (await server.ended())[0] == 0


async def test_a_token_of_a_person_is_never_shown(tmp_path: Path) -> None:
    async with serving(Console(tmp_path)) as server:
        assert TOKEN not in server.greeting


@pytest.mark.parametrize(
    ("arguments", "setting", "agent"),
    [
        ((), "", "chat"),
        (("--agent", "build"), "", "build"),
        ((), 'agent = "plan"', "plan"),
        (("--agent", "build"), 'agent = "plan"', "build"),
    ],
)
async def test_chats_begin_with_the_agent_chat_unless_a_person_says_otherwise(
    tmp_path: Path, arguments: tuple[str, ...], setting: str, agent: str
) -> None:
    async with Upstream(text("hello")) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / ".toolpost" / "config.toml").write_text(f"{setting}\n")
        async with serving(console, *arguments) as server:
            headers = {"authorization": f"Bearer {TOKEN}"}
            assert (await server.http.get("/api/me", headers=headers)).json()["agent"] == agent
            listed = (await server.http.get("/api/agents", headers=headers)).json()["agents"]
            assert [one["name"] for one in listed if one["is_default"]] == [agent]
            assert {"build", "chat"} <= {one["name"] for one in listed if one["mode"] == "primary"}
            await server.http.post("/api/chat", json={"message": "hi"}, headers=headers)
        offered = {tool["function"]["name"] for tool in up.requests[0].body["tools"]}
        assert ("read" in offered) == (agent != "chat")
        assert "web_search" in offered


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--agent", "nobody"), "no agent 'nobody'"),
        (("--host", "0.0.0.0"), "TOOLPOST_TOKEN"),
        (("--token", "short"), "too short"),
        (("--port", "70000"), "no such port"),
        (("--host", "256.0.0.1", "--token", TOKEN), "can't be listened on"),
    ],
)
async def test_what_cannot_be_served_is_said_in_one_line(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    done = await Console(tmp_path).call("serve", "--port", "0", *arguments)
    assert done.status not in (0, 1)
    assert why in done.err
    assert "Traceback" not in done.err


async def test_a_page_of_a_configured_origin_may_call_and_any_other_may_not(tmp_path: Path) -> None:
    async with Upstream(text("hello")) as up:
        console = Console(tmp_path, up.base_url)
        settings = console.folder / ".toolpost" / "config.toml"
        settings.write_text('[server]\norigins = ["https://page.example"]\n')
        async with serving(console) as server:
            asks = {"access-control-request-method": "POST", "access-control-request-headers": "authorization"}
            for origin, status in (("https://page.example", 204), ("https://other.example", 403)):
                told = await server.http.options("/v1/messages", headers={"origin": origin, **asks})
                assert told.status_code == status
                assert ("access-control-allow-origin" in told.headers) == (status == 204)
            headers = {"x-api-key": TOKEN, "origin": "https://page.example"}
            answer = await server.http.post("/v1/messages", json=STREAMED, headers=headers)
            assert answer.headers["access-control-allow-origin"] == "https://page.example"
            assert "hello" in answer.text
            headers["origin"] = "https://other.example"
            told = await server.http.post("/v1/messages", json=STREAMED, headers=headers)
            assert told.status_code == 403
            assert "see `origins`" in told.json()["error"]["message"]


async def test_a_port_in_use_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = await Console(tmp_path).call("serve", "--port", str(port))
    assert f"127.0.0.1:{port} can't be listened on: Address already in use" in done.err
    assert done.status != 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_an_idle_server_ends_at_once_and_well(tmp_path: Path, number: signal.Signals) -> None:
    async with serving(Console(tmp_path)) as server:
        assert (await server.http.get("/healthz")).status_code == 200
        server.process.send_signal(number)
        code, seconds = await server.ended()
        assert code == 0
        assert seconds < 3


async def test_a_stream_that_runs_is_finished_and_new_requests_are_refused(tmp_path: Path) -> None:
    gate = Gate()
    turn = text("first ") + pause(gate) + text("last")
    async with Upstream(turn) as up, serving(Console(tmp_path, up.base_url)) as server:
        async with server.ask(STREAMED) as answer:
            pieces = answer.aiter_raw()
            await _until(pieces, b"first")
            server.process.send_signal(signal.SIGTERM)
            await _refused(server)
            gate.open()
            rest = b"".join([piece async for piece in pieces])
        assert b"last" in rest
        assert b"message_stop" in rest
        assert (await server.ended())[0] == 0


async def test_a_stream_that_never_ends_is_told_and_does_not_hold_the_process(tmp_path: Path) -> None:
    async with Upstream(text("first ") + stalled()) as up, serving(Console(tmp_path, up.base_url)) as server:
        began = time.monotonic()
        async with server.ask(STREAMED) as answer:
            pieces = answer.aiter_raw()
            await _until(pieces, b"first")
            server.process.send_signal(signal.SIGINT)
            rest = b"".join([piece async for piece in pieces])
        assert b"event: error" in rest
        assert b"the server is stopping" in rest
        assert b"message_stop" not in rest
        assert (await server.ended())[0] == 0
        assert time.monotonic() - began < 10


@pytest.mark.parametrize("asked", [ASK, STREAMED], ids=["whole", "streamed"])
async def test_a_client_that_leaves_before_the_first_byte_ends_the_request_upstream(
    tmp_path: Path, asked: dict
) -> None:
    async with Upstream(stalled()) as up, serving(Console(tmp_path, up.base_url)) as server:
        asking = asyncio.create_task(_read(server, asked))
        await up.requested()
        asking.cancel()
        await up.closed(timeout=1.0)


async def test_a_client_that_leaves_in_the_middle_ends_the_request_upstream(tmp_path: Path) -> None:
    async with Upstream(text("first ") + stalled()) as up, serving(Console(tmp_path, up.base_url)) as server:
        async with server.ask(STREAMED) as answer:
            await _until(answer.aiter_raw(), b"first")
        await up.closed(timeout=1.0)


async def test_the_access_log_is_written_where_it_is_wanted_and_holds_no_token(tmp_path: Path) -> None:
    console = Console(tmp_path)
    async with serving(console, "--access-log") as server:
        answer = await server.http.get(f"/nothing/{TOKEN}?token={TOKEN}", headers={"x-api-key": TOKEN})
        assert answer.status_code == 404
        number = answer.headers["request-id"]
        server.process.send_signal(signal.SIGTERM)
        await server.ended()
    log = (console.data / "toolpost.log").read_text()
    assert f"{number} GET /nothing/" in log
    assert TOKEN not in log


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory of a process from /proc")
async def test_a_reader_that_stalls_does_not_fill_the_memory(tmp_path: Path) -> None:
    flood = text("x" * 60_000_000, chunk=60_000)
    async with Upstream(text("warm"), flood, strict=False) as up, serving(Console(tmp_path, up.base_url)) as server:
        # What the first request loads is not what a reader holds.
        await _read(server, STREAMED)
        before = _megabytes(server.process.pid)
        async with server.ask(STREAMED) as answer:
            await _until(answer.aiter_raw(), b"xxx")
            # Nothing is read from here on: what can be taken is taken until nothing moves any more.
            held = [before]
            while len(held) < 10 or held[-1] > held[-10]:
                await asyncio.sleep(0.05)
                held.append(_megabytes(server.process.pid))
            assert held[-1] - before < 25


async def _read(server: Serving, asked: dict) -> None:
    async with server.ask(asked) as answer:
        await answer.aread()


async def _until(pieces: AsyncIterator[bytes], wanted: bytes) -> None:
    got = b""
    async with asyncio.timeout(10):
        while wanted not in got:
            got += await anext(pieces)


async def _refused(server: Serving) -> None:
    """Wait until the signal has come through."""
    async with asyncio.timeout(5):
        while (await server.http.get("/readyz")).status_code != 503:
            pass
    refused = await server.http.post("/v1/messages", json=ASK, headers={"x-api-key": TOKEN})
    assert (refused.status_code, refused.json()["type"]) == (503, "error")


def _megabytes(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


async def test_the_first_start_says_in_chinese_how_to_become_the_admin(tmp_path: Path) -> None:
    console = Console(tmp_path)
    console.environ["LANG"] = "zh_CN.UTF-8"
    process = await console.start("serve", "--port", "0", "--accounts")
    assert process.stderr is not None
    try:
        async with asyncio.timeout(20):
            said = (await process.stderr.readuntil(b"#setup=")).decode()
    finally:
        process.terminate()
        await process.communicate()
    url = re.search(r"^已启动：(http://\S+)，模型 ", said, re.MULTILINE)
    assert url is not None
    assert "  智能体：    chat\n" in said
    assert f"  第一次启动：请在一天内打开此链接，创建管理员：{url[1]}/#setup=" in said
