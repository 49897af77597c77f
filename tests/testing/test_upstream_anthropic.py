"""The scripted server speaks Anthropic Messages as the vendor's own client reads it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import httpx2
import pytest

from toolpost.testing import (
    Gate,
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
    reasoning,
    reset,
    text,
    turn,
)
from toolpost.types.messages import Usage

ASKED: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}


@asynccontextmanager
async def vendor(up: Upstream, **options: Any) -> AsyncIterator[anthropic.AsyncAnthropic]:
    async with anthropic.AsyncAnthropic(base_url=up.url, api_key="sk-x", max_retries=0, **options) as client:
        yield client


async def whole(client: anthropic.AsyncAnthropic, *, streamed: bool) -> anthropic.types.Message:
    if not streamed:
        return await client.messages.create(**ASKED)
    async with client.messages.stream(**ASKED) as stream:
        return await stream.get_final_message()


@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
async def test_the_vendors_client_reads_thinking_text_calls_and_usage(streamed: bool) -> None:
    script = turn(
        reasoning("hm", chunk=1),
        text("hello", chunk=2),
        calls(call("add", {"a": 1}), call("now"), call("add", {"a": "二"}, id="own", chunk=1)),
        usage=Usage(20, 3, 1, 4, 2),
    )
    async with Upstream(script) as up, vendor(up) as client:
        message = await whole(client, streamed=streamed)
        assert up.requests[0].body["messages"] == ASKED["messages"]
    assert [block.to_dict() for block in message.content] == [
        {"type": "thinking", "thinking": "hm", "signature": "signature-1"},
        {"type": "text", "text": "hello"},
        {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 1}},
        {"type": "tool_use", "id": "toolu_2", "name": "now", "input": {}},
        {"type": "tool_use", "id": "own", "name": "add", "input": {"a": "二"}},
    ]
    assert message.stop_reason == "tool_use"
    usage = message.usage
    assert (usage.input_tokens, usage.output_tokens) == (14, 3)
    assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (4, 2)
    assert usage.output_tokens_details is not None
    assert usage.output_tokens_details.thinking_tokens == 1


@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize(
    ("finish", "wire"), [("stop", "end_turn"), ("length", "max_tokens"), ("content-filter", "refusal")]
)
async def test_the_reasons_to_stop(finish: Any, wire: str, streamed: bool) -> None:
    async with Upstream(turn(text("x"), finish=finish)) as up, vendor(up) as client:
        assert (await whole(client, streamed=streamed)).stop_reason == wire


def test_the_vendors_blocking_client_reads_it_too() -> None:
    async def serve() -> tuple[str, list[str]]:
        async with Upstream(text("hello", chunk=2), models=["a", "b"]) as up:
            return await asyncio.to_thread(ask, up.url)

    def ask(url: str) -> tuple[str, list[str]]:
        with anthropic.Anthropic(base_url=url, api_key="sk-x", max_retries=0) as client:
            with client.messages.stream(**ASKED) as stream:
                said = "".join(stream.text_stream)
            return said, [model.id for model in client.models.list()]

    assert asyncio.run(serve()) == ("hello", ["a", "b"])


@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
async def test_the_vendors_client_raises_what_the_script_says(streamed: bool) -> None:
    script: list[tuple[Turn, type[anthropic.APIStatusError], str]] = [
        (http_error(429, "slow", {"retry-after": "9"}), anthropic.RateLimitError, "rate_limit_error"),
        (error("auth"), anthropic.AuthenticationError, "authentication_error"),
        (error("context_overflow"), anthropic.BadRequestError, "invalid_request_error"),
        (error("overloaded"), anthropic.InternalServerError, "overloaded_error"),
        (http_error(404, "no such model"), anthropic.NotFoundError, "not_found_error"),
    ]
    async with Upstream(*(refusal for refusal, _, _ in script)) as up, vendor(up) as client:
        for _, kind, wire in script:
            with pytest.raises(kind) as failed:
                await whole(client, streamed=streamed)
            assert failed.value.body["error"]["type"] == wire


@pytest.mark.parametrize(
    ("fault", "wire"),
    [
        (error_object({"type": "overloaded_error", "message": "broke"}), "overloaded_error"),
        (error("rate_limit", "broke"), "rate_limit_error"),
        (error_object({"message": "broke"}), "api_error"),
    ],
)
async def test_an_error_midway_reaches_the_vendors_client(fault: Turn, wire: str) -> None:
    async with Upstream(text("half") + fault) as up, vendor(up) as client:
        with pytest.raises(anthropic.APIStatusError, match="broke") as failed:
            await whole(client, streamed=True)
        assert failed.value.body["error"]["type"] == wire


@pytest.mark.parametrize("fault", [cut(), reset()], ids=["cut", "reset"])
async def test_a_broken_wire_breaks_the_vendors_client(fault: Turn) -> None:
    async with Upstream(text("half") + fault) as up, vendor(up) as client:
        with pytest.raises((anthropic.APIConnectionError, httpx2.TransportError)):
            await whole(client, streamed=True)


async def test_an_end_without_a_terminal_event() -> None:
    async with Upstream(text("half") + end()) as up, vendor(up) as client:
        assert (await whole(client, streamed=True)).stop_reason is None


@pytest.mark.parametrize("split", [[1], [3, 50], 7], ids=str)
async def test_a_split_stream_is_the_same_stream(split: Any) -> None:
    script = text("你好 world", chunk=1) + call("add", {"a": "二"})
    async with Upstream(script, split=split) as up, vendor(up) as client:
        message = await whole(client, streamed=True)
    assert [block.to_dict() for block in message.content] == [
        {"type": "text", "text": "你好 world"},
        {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": "二"}},
    ]


async def test_a_gate_before_the_first_word_holds_everything_back() -> None:
    gate = Gate()
    async with Upstream(pause(gate) + text("late")) as up, vendor(up) as client:
        asking = asyncio.create_task(whole(client, streamed=True))
        await gate.reached.wait()
        gate.open()
        assert (await asking).content[0].to_dict() == {"type": "text", "text": "late"}


async def test_streams_side_by_side_keep_their_own_indices() -> None:
    gate = Gate()
    script = [text("a") + pause(gate) + text("b"), text("c") + call("add") + text("d")]
    async with Upstream(*script) as up, vendor(up) as client:
        first = asyncio.create_task(whole(client, streamed=True))
        await gate.reached.wait()
        second = await whole(client, streamed=True)
        gate.open()
        assert [block.type for block in (await first).content] == ["text", "text"]
        assert [block.type for block in second.content] == ["text", "tool_use", "text"]
