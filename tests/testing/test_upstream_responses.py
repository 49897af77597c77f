"""The scripted server speaks Responses as the vendor's own client reads it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import openai
import pytest

from toolpost.testing import Upstream, call, calls, error_object, http_error, reasoning, text, turn
from toolpost.types.messages import Usage

TOOL: dict[str, Any] = {
    "type": "function",
    "name": "add",
    "parameters": {"type": "object", "properties": {}},
    "strict": False,
}
ASKED: dict[str, Any] = {"model": "m", "input": "hi", "tools": [TOOL]}
SCRIPT = turn(
    reasoning("hm"),
    text("hello", chunk=2),
    calls(call("add", {"a": 1}, id="c1"), call("add")),
    usage=Usage(7, 3, 1, 2),
)


@asynccontextmanager
async def vendor(up: Upstream) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(base_url=up.base_url, api_key="sk-x", max_retries=0) as client:
        yield client


def check(response: Any) -> None:
    assert response.output_text == "hello"
    assert [item.type for item in response.output] == ["reasoning", "message", "function_call", "function_call"]
    assert [(item.call_id, item.name, item.arguments) for item in response.output[2:]] == [
        ("c1", "add", '{"a":1}'),
        ("call_1", "add", "{}"),
    ]
    usage = response.usage
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (7, 3, 10)
    assert (usage.input_tokens_details.cached_tokens, usage.output_tokens_details.reasoning_tokens) == (2, 1)


async def test_the_vendors_client_reads_a_streamed_turn() -> None:
    async with Upstream(SCRIPT) as up, vendor(up) as client, client.responses.stream(**ASKED) as stream:
        kinds = [event.type async for event in stream]
        # The helper puts the response together from the events, so they all fit.
        check(await stream.get_final_response())
    assert kinds[:2] == ["response.created", "response.in_progress"]
    assert kinds[-1] == "response.completed"
    assert kinds.count("response.output_text.delta") == 3
    assert "response.function_call_arguments.done" in kinds


async def test_the_vendors_client_reads_plain_events_in_their_types() -> None:
    async with Upstream(SCRIPT) as up, vendor(up) as client:
        events = [event async for event in await client.responses.create(**ASKED, stream=True)]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    for event in events:
        type(event).model_validate(event.model_dump(by_alias=True, warnings=False), strict=False)


async def test_the_vendors_client_reads_a_whole_turn() -> None:
    async with Upstream(SCRIPT) as up, vendor(up) as client:
        check(await client.responses.create(**ASKED))


async def test_an_incomplete_turn_says_why() -> None:
    async with Upstream(turn(text("half"), finish="length")) as up, vendor(up) as client:
        response = await client.responses.create(**ASKED)
    assert (response.status, response.incomplete_details.reason) == ("incomplete", "max_output_tokens")


async def test_errors_are_the_vendors() -> None:
    async with Upstream(http_error(429), text("half") + error_object({"message": "busy"})) as up, vendor(up) as client:
        with pytest.raises(openai.RateLimitError):
            await client.responses.create(**ASKED)
        events = [event async for event in await client.responses.create(**ASKED, stream=True)]
    assert "busy" in [event.message for event in events if event.type == "error"]
