"""What `toolpost models probe` finds out about a model, over real sockets."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from console import Console

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.server_facts import ServerFacts, ask_server
from toolpost.testing import Turn, Upstream, call, http_error, text, turn

AX, BK = {"order_id": "AX-1207"}, {"order_id": "BK-3391"}


def written(*orders: dict[str, str]) -> Turn:
    blocks = (msgspec.json.encode({"name": "get_order_status", "arguments": order}).decode() for order in orders)
    return turn(text("\n".join(f"<tool_call>\n{block}\n</tool_call>" for block in blocks)))


@pytest.fixture
def console(tmp_path: Path) -> Callable[[Upstream], Console]:
    def at(up: Upstream) -> Console:
        made = Console(tmp_path, up.base_url)
        settings = f'[providers.local]\nbase_url = "{up.base_url}"\n'
        (made.folder / ".toolpost" / "config.toml").write_text(settings)
        return made

    return at


async def test_a_model_with_native_calls_is_known_for_one(console: Callable[[Upstream], Console]) -> None:
    native = turn(call("get_order_status", AX))
    both = turn(call("get_order_status", AX) + call("get_order_status", BK))
    async with Upstream(turn(text("Hello.")), native, written(AX), both) as up:
        done = await console(up).call("models", "probe", "local/m")
    assert done.status == 0
    lines = {line[2:18].strip(): line[20:23].strip() for line in done.out.splitlines() if line.startswith("  ")}
    assert lines == {
        "answers": "yes",
        "native calls": "yes",
        "calls as text": "yes",
        "with a grammar": "-",
        "several at once": "yes",
    }
    assert "from now on it is asked for tool calls natively" in done.out


async def test_a_server_that_refuses_tools_is_remembered_as_one(console: Callable[[Upstream], Console]) -> None:
    refusal = http_error(400, {"error": {"message": "m does not support tools"}})
    async with Upstream(turn(text("Hello.")), refusal, written(AX), written(AX), turn(text("hi"))) as up:
        there = console(up)
        done = await there.call("models", "probe", "local/m", "--json")
        found: dict[str, Any] = msgspec.json.decode(done.out)
        assert found["verdict"]["mode"] == "prompted"
        assert [trial["ok"] for trial in found["trials"]] == [True, False, True, None, False]
        assert found["trials"][-1]["told"] == "1 of 2 calls"
        await there.run("-m", "local/m", "hello")
        assert "tools" not in up.requests[-1].body


async def test_a_model_that_writes_its_native_calls_as_text_is_found_out(
    console: Callable[[Upstream], Console],
) -> None:
    async with Upstream(turn(text("Hello.")), written(AX), written(AX), written(AX, BK)) as up:
        done = await console(up).call("models", "probe", "local/m")
    assert "it writes them as text" in done.out
    assert "from now on it is asked for tool calls as text" in done.out


async def test_a_model_that_makes_no_call_at_all_is_said_to_be_no_good(console: Callable[[Upstream], Console]) -> None:
    async with Upstream(*[turn(text("I don't know."))] * 3) as up:
        done = await console(up).call("models", "probe", "local/m")
    assert done.status == 1
    assert "no right call" in done.out


async def test_a_model_that_does_not_answer_is_an_error(console: Callable[[Upstream], Console]) -> None:
    async with Upstream(http_error(401, {"error": {"message": "bad key"}})) as up:
        done = await console(up).call("models", "probe", "local/m")
    assert done.status == 1
    assert "bad key" in done.err


async def answering(routes: dict[str, Any], ask: Callable[[str], Any]) -> ServerFacts:
    """A server with just these routes, asked once."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split()[1].partition("?")[0]
        body = msgspec.json.encode(routes.get(path, {"error": "no"}))
        status = b"200 OK" if path in routes else b"404 Not Found"
        writer.write(b"HTTP/1.1 %s\r\ncontent-type: application/json\r\n" % status)
        writer.write(b"content-length: %d\r\nconnection: close\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        return await ask(f"http://127.0.0.1:{port}")


async def test_what_servers_say_about_their_models() -> None:
    ollama = {"/api/show": {"capabilities": ["completion", "tools"], "model_info": {"qwen3.context_length": 40960}}}
    said = await answering(ollama, lambda url: ask_server("ollama", AdapterSettings("m", base_url=url)))
    assert said == ServerFacts(tools=True, context_window=40960)
    caps = {"supports_tool_calls": False, "supports_parallel_tool_calls": False}
    props = {"/props": {"chat_template_caps": caps, "default_generation_settings": {"n_ctx": 4096}}}
    said = await answering(props, lambda url: ask_server("openai_chat", AdapterSettings("m", base_url=f"{url}/v1")))
    assert said == ServerFacts(tools=False, context_window=4096, parallel=False)
    listed = {"/v1/models": {"data": [{"id": "x"}, {"id": "m", "max_model_len": 32768}]}}
    said = await answering(listed, lambda url: ask_server("openai_chat", AdapterSettings("m", base_url=f"{url}/v1")))
    assert said == ServerFacts(context_window=32768)
    assert (
        await answering({}, lambda url: ask_server("openai_chat", AdapterSettings("m", base_url=f"{url}/v1")))
        == ServerFacts()
    )
