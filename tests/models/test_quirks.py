"""Every quirk that servers of the OpenAI chat wire are known for, over a real socket."""

from typing import Any

import msgspec
import pytest
from wire_play import ADD, answer, called, made, model_on, only_error, request, said, thought

from toolpost.testing import Upstream, raw
from toolpost.types.stream import Finish, StreamEvent, ToolInputStart
from toolpost.types.tool_spec import ToolSpec

NOW = ToolSpec("now", "The time.", {"type": "object", "properties": {}})
STOP = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
Entry = dict[str, Any]


def chunk(**delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def entry(arguments: str | None = None, name: str | None = None, **fields: Any) -> Entry:
    return {**fields, "type": "function", "function": {"name": name, "arguments": arguments}}


def bare(arguments: str, **fields: Any) -> Entry:
    """An entry that goes on with a call: no name, and no id unless it is given."""
    return {**fields, "function": {"arguments": arguments}}


async def play(*chunks: dict[str, Any]) -> list[StreamEvent]:
    body = b"".join(b"data: " + msgspec.json.encode(item) + b"\n\n" for item in chunks)
    async with Upstream(raw(body + b"data: [DONE]\n\n")) as up:
        return await answer(model_on("openai_chat", up), request(tools=[ADD, NOW]))


async def play_calls(*chunks: list[Entry]) -> list[StreamEvent]:
    return await play(*(chunk(tool_calls=entries) for entries in chunks), STOP)


QUIRKS: dict[str, list[list[Entry]]] = {
    "the index is always 0": [
        [entry('{"a":1}', "add", index=0, id="x")],
        [entry('{"a":', "add", index=0, id="y")],
        [bare("2}", index=0)],
    ],
    "the index is always 0, in one chunk": [
        [entry('{"a":1}', "add", index=0, id="x"), entry('{"a":2}', "add", index=0, id="y")]
    ],
    "there is no index": [[entry('{"a":1}', "add", id="x")], [entry('{"a":', "add", id="y")], [bare("2}")]],
    "the id is empty when a call goes on": [
        [entry("", "add", index=0, id="x")],
        [bare('{"a":1}', index=0, id="")],
        [entry("", "add", index=1, id="y")],
        [bare('{"a":2}', index=1, id="")],
    ],
    "id and name are null when a call goes on": [
        [entry('{"a":', "add", index=0, id="x")],
        [entry("1}", None, index=0, id=None)],
        [entry('{"a":', "add", index=1, id="y")],
        [entry("2}", None, index=1, id=None)],
    ],
    "the id is repeated in each chunk": [
        [entry('{"a":', "add", index=0, id="x")],
        [bare("1}", index=0, id="x")],
        [entry('{"a":', "add", index=1, id="y")],
        [bare("2}", index=1, id="y")],
    ],
    "the id is never sent": [
        [entry('{"a":', "add", index=0)],
        [bare("1}", index=0)],
        [entry('{"a":2}', "add", index=1)],
    ],
    "one id for two calls": [[entry('{"a":1}', "add", index=0, id="x")], [entry('{"a":2}', "add", index=1, id="x")]],
    "the name is repeated in each chunk": [
        [entry('{"a":', "add", index=0, id="x")],
        [entry("1}", "add", index=0)],
        [entry('{"a":', "add", index=1, id="y")],
        [entry("2}", "add", index=1)],
    ],
    "the name is split over chunks": [
        [entry(None, "a", index=0, id="x")],
        [entry('{"a":1}', "dd", index=0)],
        [entry('{"a":2}', "add", index=1, id="y")],
    ],
    "the name comes late": [
        [entry("", None, index=0, id="x")],
        [entry('{"a":1}', "add", index=0)],
        [entry('{"a":2}', "add", index=1, id="y")],
    ],
    "several objects under one index": [[entry('{"a":1}{"a"', "add", index=0, id="x")], [bare(":2}", index=0)]],
    "arguments as an object": [
        [{"index": 0, "id": "x", "function": {"name": "add", "arguments": {"a": 1}}}],
        [{"index": 1, "id": "y", "function": {"name": "add", "arguments": {"a": 2}}}],
    ],
}


@pytest.mark.parametrize("quirk", QUIRKS)
async def test_two_calls_are_two_calls_however_they_are_written(quirk: str) -> None:
    """Index: ollama#15457, dynamo#4723. Ids: opencode#40969, sglang#35542, spring-ai#5973, vllm#18412. Names:
    hermes-agent#12230, continue#5849. Objects: open-webui#22235."""
    events = await play_calls(*QUIRKS[quirk])
    assert called(events) == [("add", {"a": 1}), ("add", {"a": 2})]
    assert [event.name for event in events if isinstance(event, ToolInputStart)] == ["add", "add"]
    assert len({event.id for event in made(events)} - {""}) == 2
    # Many say "stop" though they called (ollama#7963, sglang#2877).
    assert events[-1] == Finish("tool-calls")


@pytest.mark.parametrize("arguments", ["", None])
async def test_no_arguments_for_a_tool_without_any(arguments: str | None) -> None:
    """Claude over OpenRouter, vLLM, LM Studio (vercel/ai#6687)."""
    assert called(await play_calls([entry(arguments, "now", index=0, id="x")])) == [("now", {})]


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
async def test_reasoning_comes_in_either_field(field: str) -> None:
    """vLLM and OpenRouter, DeepSeek and SGLang and Ark (strands#2191, goose#7294)."""
    events = await play(chunk(**{field: "hm"}), chunk(content="so"), STOP)
    assert (thought(events), said(events)) == ("hm", "so")


async def test_chunks_with_empty_or_missing_choices_say_nothing() -> None:
    """Azure begins with one that tells of its filters, others end with one (Portkey#1629)."""
    empty = [{"choices": [], "prompt_filter_results": []}, {"id": "x"}, {"choices": None}]
    assert said(await play(*empty, chunk(content="so"), *empty, STOP, *empty)) == "so"


async def test_text_then_a_call_then_text_stay_apart() -> None:
    tool = [entry('{"a":1}', "add", index=0, id="x")]
    events = await play(chunk(content="let me see"), chunk(tool_calls=tool), chunk(content="done"), STOP)
    assert (said(events), called(events)) == ("let me seedone", [("add", {"a": 1})])
    kinds = [event.type for event in events]
    assert kinds.index("text-end") < kinds.index("tool-input-start")


async def test_no_finish_reason_is_no_end() -> None:
    assert (
        only_error(await play(chunk(tool_calls=[entry('{"a":1}', "add", index=0, id="x")]))).error.code == "truncated"
    )
