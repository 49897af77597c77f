"""The scripted server speaks the wire as the vendor's own client reads it, and fails as it is told to."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import openai
import pytest

from toolpost.testing import (
    Gate,
    ScriptError,
    Turn,
    Upstream,
    call,
    calls,
    cut,
    end,
    error,
    error_object,
    http_error,
    pause,
    raw,
    reset,
    stall,
    text,
    turn,
)
from toolpost.types.messages import Usage

ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


@asynccontextmanager
async def vendor(up: Upstream, **options: Any) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=up.base_url, api_key="sk-x", max_retries=0, **options) as client:
        yield client


async def streamed(client: openai.AsyncOpenAI, **options: Any) -> list[Any]:
    stream = await client.chat.completions.create(**ASKED, stream=True, **options)
    return [chunk async for chunk in stream]


async def test_the_vendors_client_reads_a_streamed_turn() -> None:
    script = turn(text("hello", chunk=2), calls(call("add", {"a": 1}), call("now")), usage=Usage(7, 3, 1, 2))
    async with Upstream(script) as up, vendor(up) as client:
        chunks = await streamed(client, stream_options={"include_usage": True})
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert "".join(delta.content or "" for delta in deltas) == "hello"
    pieces = [piece for delta in deltas for piece in delta.tool_calls or ()]
    assert [(piece.index, piece.id, piece.function.name) for piece in pieces if piece.id] == [
        (0, "call_1", "add"),
        (1, "call_2", "now"),
    ]
    assert "".join(piece.function.arguments for piece in pieces if piece.index == 0) == '{"a":1}'
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "tool_calls"
    usage = chunks[-1].usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (7, 3, 10)
    assert usage.prompt_tokens_details.cached_tokens == 2
    assert up.requests[0].headers["authorization"] == "Bearer sk-x"
    assert up.requests[0].body["messages"] == ASKED["messages"]


async def test_the_vendors_client_reads_a_whole_turn_and_the_models() -> None:
    async with Upstream(text("hello") + call("add", {"a": 1}), models=["a", "b"]) as up, vendor(up) as client:
        answer = await client.chat.completions.create(**ASKED)
        assert answer.choices[0].message.content == "hello"
        assert answer.choices[0].message.tool_calls[0].function.arguments == '{"a":1}'
        assert answer.choices[0].finish_reason == "tool_calls"
        assert [model.id async for model in client.models.list()] == ["a", "b"]


async def test_the_vendors_client_raises_what_the_script_says() -> None:
    script: list[Turn] = [
        http_error(429, "slow", {"retry-after": "9"}),
        error("auth"),
        error("context_overflow"),
        error("server"),
    ]
    async with Upstream(*script) as up, vendor(up) as client:
        caught: list[openai.APIStatusError] = []
        for _ in script:
            with pytest.raises(openai.APIStatusError) as failed:
                await streamed(client)
            caught.append(failed.value)
    assert [failed.status_code for failed in caught] == [429, 401, 400, 500]
    assert caught[0].response.headers["retry-after"] == "9"
    assert caught[2].code == "context_length_exceeded"


async def test_an_error_object_midway_reaches_the_vendors_client() -> None:
    async with Upstream(text("half") + error_object({"message": "broke", "code": 500})) as up, vendor(up) as client:
        with pytest.raises(openai.APIError, match="broke"):
            await streamed(client)


@pytest.mark.parametrize("fault", [cut(), reset()], ids=["cut", "reset"])
async def test_a_broken_wire_breaks_the_vendors_client(fault: Turn) -> None:
    async with Upstream(text("half") + fault) as up, vendor(up) as client:
        with pytest.raises(Exception, match=r"(?i)connection|peer|closed|read"):
            await streamed(client)


async def test_an_end_without_a_terminal_event() -> None:
    async with Upstream(text("half") + end()) as up, vendor(up) as client:
        assert [chunk.choices[0].finish_reason for chunk in await streamed(client)] == [None, None]


async def test_a_stall_ends_when_the_client_gives_up_and_the_server_sees_it() -> None:
    async with Upstream(text("half") + stall()) as up, vendor(up, timeout=0.3) as client:
        with pytest.raises(Exception, match=r"(?i)time"):
            await streamed(client)
        await up.closed(1, 2)
        assert (up.open, up.total) == (0, 1)


@pytest.mark.parametrize("split", [[1], [3, 50], 7], ids=str)
async def test_a_split_stream_is_the_same_stream(split: Any) -> None:
    async with Upstream(text("你好 world", chunk=1), split=split) as up, vendor(up) as client:
        chunks = await streamed(client)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "你好 world"


async def test_a_gate_holds_the_answer_midway() -> None:
    gate = Gate()
    async with Upstream(text("a") + pause(gate) + text("b")) as up, vendor(up) as client:
        stream = await client.chat.completions.create(**ASKED, stream=True)
        first = [await anext(stream), await anext(stream)]
        assert first[1].choices[0].delta.content == "a"
        await gate.reached.wait()
        gate.open()
        assert (await anext(stream)).choices[0].delta.content == "b"
        await stream.close()


async def test_raw_bytes_are_sent_as_they_stand() -> None:
    async with Upstream(raw(b"not an event")) as up:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(up.url.rpartition(":")[2]))
        writer.write(b'POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 15\r\n\r\n{"stream":true}')
        assert b"c\r\nnot an event\r\n0\r\n\r\n" in await reader.readuntil(b"0\r\n\r\n")
        writer.close()


async def test_turns_may_be_made_from_the_request_and_repeat() -> None:
    async with Upstream(lambda received: text(received.body["model"]), repeat=True) as up, vendor(up) as client:
        for _ in range(3):
            assert (await client.chat.completions.create(**ASKED)).choices[0].message.content == "m"
        await up.requested(3)


async def test_script_and_requests_must_fit() -> None:
    async with Upstream(text("only")) as up, vendor(up) as client:
        await streamed(client)
        with pytest.raises(openai.BadRequestError, match="no turn left for request 2"):
            await streamed(client)
    with pytest.raises(ScriptError, match="never asked for"):
        async with Upstream(text("unused")):
            pass
    async with Upstream(text("unused"), strict=False):
        pass


async def test_an_unknown_path_is_not_found() -> None:
    async with Upstream() as up, vendor(up) as client:
        with pytest.raises(openai.NotFoundError):
            await client.embeddings.create(model="m", input="x")


async def test_it_runs_as_a_process_and_prints_its_url_first(tmp_path: Path) -> None:
    script = tmp_path / "turns.json"
    script.write_text(json.dumps([{"text": "hello"}, [{"text": "x"}, {"cut": True}]]))
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "toolpost.testing.upstream",
        "--script",
        str(script),
        "--model",
        "m1",
    ]
    process = await asyncio.create_subprocess_exec(
        *command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Where the tests themselves run in the background, Ctrl-C is ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    url = (await process.stdout.readline()).decode().strip()
    async with openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0) as client:
        assert [model.id async for model in client.models.list()] == ["m1"]
        assert (await client.chat.completions.create(**ASKED)).choices[0].message.content == "hello"
    process.send_signal(signal.SIGINT)
    assert await process.stderr.read() == b""
    assert await process.wait() == 130
