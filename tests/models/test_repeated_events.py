"""A stream that says something twice, on every wire: one call stays one call, two stay two."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_play import WIRES, answer, called, made, model_on, request

from toolpost import Agent, tool
from toolpost.models.call_ids import CallIds
from toolpost.models.prompted.adapter import Prompted
from toolpost.testing import Turn, Upstream, call, calls, raw, text
from toolpost.testing.script import CallTool
from toolpost.testing.wires import AnthropicWire, GeminiWire, OllamaWire, OpenAIChatWire, OpenAIResponsesWire
from toolpost.types.stream import Finish, ToolCall, ToolInputDelta, ToolInputEnd, ToolInputStart

SERVERS: dict[str, Any] = {
    "openai_chat": OpenAIChatWire,
    "anthropic": AnthropicWire,
    "ollama": OllamaWire,
    "openai_responses": OpenAIResponsesWire,
    "gemini": GeminiWire,
}
on_every_wire = pytest.mark.parametrize("wire", WIRES)
ADD = CallTool("add", {"a": 1}, "c1")


def body(wire: str, *steps: Any, repeat: tuple[int, int] | None = None) -> tuple[Turn, int]:
    """The bytes of an answer, with those of its events from one place to another said once more."""
    server, turn = SERVERS[wire](), Turn(steps)
    events = [event for step in steps for event in server.step(step)]
    if repeat is not None:
        first, last = repeat
        events[last:last] = events[first:last]
    return raw(b"".join((*server.opening(turn), *events, *server.closing(turn, {"stream": True})))), len(events)


async def events_of(wire: str, played: Turn) -> list[Any]:
    async with Upstream(played) as up:
        return await answer(model_on(wire, up), request())


def balanced(events: list[Any]) -> None:
    """Every call that began has ended and is whole, under an id of its own."""
    for kind in (ToolInputStart, ToolInputEnd):
        assert [event.id for event in events if isinstance(event, kind)] == [event.id for event in made(events)]
    assert len({event.id for event in made(events)}) == len(made(events))


@on_every_wire
@pytest.mark.parametrize("chunk", [None, 100], ids=["pieces", "whole"])
async def test_a_call_that_is_said_twice_is_one_call(wire: str, chunk: int | None) -> None:
    ask = CallTool("add", {"a": 1}, "c1", chunk)
    count = body(wire, ask)[1]
    events = await events_of(wire, body(wire, ask, repeat=(0, count))[0])
    assert [(event.id, event.name, event.arguments) for event in made(events)] == [("c1", "add", {"a": 1})]
    assert isinstance(events[-1], Finish)
    assert events[-1].reason == "tool-calls"
    balanced(events)


@on_every_wire
@pytest.mark.parametrize("chunk", [None, 100], ids=["pieces", "whole"])
async def test_whichever_events_are_repeated_a_call_never_runs_twice_or_with_other_arguments(
    wire: str, chunk: int | None
) -> None:
    ask = CallTool("add", {"a": 1}, "c1", chunk)
    count = body(wire, ask)[1]
    for first in range(count):
        for last in range(first + 1, count + 1):
            events = await events_of(wire, body(wire, ask, repeat=(first, last))[0])
            runnable = [event.arguments for event in made(events) if not event.raw]
            assert runnable in ([{"a": 1}], []), (first, last)
            balanced(events)


@on_every_wire
async def test_one_id_for_calls_with_other_arguments_stays_two_calls(wire: str) -> None:
    asks = (ADD, CallTool("add", {"a": 2}, "c1"), CallTool("now", {"a": 1}, "c1"))
    events = await events_of(wire, body(wire, *asks)[0])
    assert called(events) == [("add", {"a": 1}), ("add", {"a": 2}), ("now", {"a": 1})]
    assert made(events)[0].id == "c1"
    balanced(events)


@on_every_wire
async def test_among_several_calls_only_the_repeated_one_is_dropped(wire: str) -> None:
    asks = (ADD, CallTool("add", {"a": 2}, "c2"), ADD, CallTool("add", {"a": 2}, "c2"), CallTool("add", {"a": 3}, "c1"))
    events = await events_of(wire, body(wire, *asks)[0])
    assert called(events) == [("add", {"a": 1}), ("add", {"a": 2}), ("add", {"a": 3})]
    balanced(events)


WITHOUT_IDS = {
    "openai_chat": b'data: {"choices":[{"delta":{"tool_calls":['
    b'{"index":0,%(id)s"function":{"name":"add","arguments":"{\\"a\\":1}"}},'
    b'{"index":1,%(id)s"function":{"name":"add","arguments":"{\\"a\\":1}"}}]},"finish_reason":"tool_calls"}]}\n\n'
    b"data: [DONE]\n\n",
    "anthropic": b'data: {"type":"content_block_start","index":0,"content_block":'
    b'{"type":"tool_use",%(id)s"name":"add","input":{"a":1}}}\n\ndata: {"type":"content_block_stop","index":0}\n\n'
    b'data: {"type":"content_block_start","index":1,"content_block":'
    b'{"type":"tool_use",%(id)s"name":"add","input":{"a":1}}}\n\ndata: {"type":"content_block_stop","index":1}\n\n'
    b'data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}\n\ndata: {"type":"message_stop"}\n\n',
    "ollama": b'{"message":{"tool_calls":[{%(id)s"function":{"name":"add","arguments":{"a":1}}},'
    b'{%(id)s"function":{"name":"add","arguments":{"a":1}}}]},"done":true}\n',
    "openai_responses": b'data: {"type":"response.output_item.done","output_index":0,"item":'
    b'{"type":"function_call",%(id)s"name":"add","arguments":"{\\"a\\":1}"}}\n\n'
    b'data: {"type":"response.output_item.done","output_index":1,"item":'
    b'{"type":"function_call",%(id)s"name":"add","arguments":"{\\"a\\":1}"}}\n\n'
    b'data: {"type":"response.completed","response":{}}\n\n',
    "gemini": b'data: {"candidates":[{"content":{"parts":[{"functionCall":{%(id)s"name":"add","args":{"a":1}}},'
    b'{"functionCall":{%(id)s"name":"add","args":{"a":1}}}]},"finishReason":"STOP"}]}\n\n',
}


@on_every_wire
@pytest.mark.parametrize("given", [b"", b'"id":"",', b'"id":null,'], ids=["none", "empty", "null"])
async def test_two_equal_calls_without_ids_are_two_calls(wire: str, given: bytes) -> None:
    events = await events_of(wire, raw(WITHOUT_IDS[wire] % {b"id": given}))
    assert called(events) == [("add", {"a": 1})] * 2
    balanced(events)


@on_every_wire
async def test_a_repeated_call_runs_once_in_an_agent(wire: str) -> None:
    ran: list[int] = []

    @tool
    async def add(a: int) -> str:
        """Add."""
        ran.append(a)
        return str(a)

    count = body(wire, ADD)[1]
    async with Upstream(body(wire, ADD, repeat=(0, count))[0], text("done")) as up:
        result = await Agent(model_on(wire, up), [add]).run("go")
    assert (ran, result.text) == ([1], "done")


@on_every_wire
@pytest.mark.parametrize(
    ("ids", "count"), [(("c1", "c1"), 1), (("c1", "c2"), 2), (("", ""), 2)], ids=["one id", "two ids", "no ids"]
)
async def test_calls_written_as_text_are_told_apart_by_their_ids(wire: str, ids: tuple[str, str], count: int) -> None:
    said = [{"name": "add", "arguments": {"a": 1}} | ({"id": given} if given else {}) for given in ids]
    written = "\n".join(f"<tool_call>\n{json.dumps(one)}\n</tool_call>" for one in said)
    async with Upstream(text(written, chunk=5)) as up:
        events = await answer(Prompted(model_on(wire, up)), request())  # pyright: ignore[reportArgumentType]
    assert called(events) == [("add", {"a": 1})] * count
    balanced(events)


async def test_the_server_gives_each_call_its_own_id_where_the_script_has_none() -> None:
    async with Upstream(calls(call("add", {"a": 1}), call("add", {"a": 1}))) as up:
        assert called(await answer(model_on("openai_chat", up))) == [("add", {"a": 1})] * 2


saying = st.lists(st.tuples(st.sampled_from(["", "x", "y"]), st.sampled_from(["add", "now"]), st.integers(0, 2)))


@given(saying)
@settings(max_examples=300)
def test_a_call_is_dropped_only_if_the_same_one_came_under_its_id(said: list[tuple[str, str, int]]) -> None:
    ids = CallIds()
    passed: list[Any] = []
    for wire_id, name, number in said:
        call_id = ids.unique(wire_id)
        whole = ToolCall(call_id, name, {"a": number})
        passed += ids.settle(
            [ToolInputStart(call_id, name), ToolInputDelta(call_id, "{}"), ToolInputEnd(call_id), whole]
        )
    passed += ids.settle([Finish("tool-calls")])
    wanted: list[tuple[str, str, int]] = []
    for one in said:
        if not one[0] or one not in wanted:
            wanted.append(one)
    assert [(event.name, event.arguments["a"]) for event in made(passed)] == [one[1:] for one in wanted]
    balanced(passed)


async def responses(*said: dict[str, Any]) -> list[Any]:
    return await events_of(
        "openai_responses", raw(b"".join(b"data: %s\n\n" % json.dumps(one).encode() for one in said))
    )


ITEM = {"type": "function_call", "id": "f1", "call_id": "c1", "name": "add"}
WHOLE = ITEM | {"arguments": '{"n":12}'}
ADDED = {"type": "response.output_item.added", "output_index": 0, "item": ITEM | {"arguments": ""}}
DOUBLED = [
    {"type": "response.function_call_arguments.delta", "output_index": 0, "item_id": "f1", "delta": delta}
    for delta in ('{"n":', "1", "1", "2}")
]
COMPLETED = {"type": "response.completed", "response": {"output": []}}


@pytest.mark.parametrize(
    "ending",
    [
        [
            {
                "type": "response.function_call_arguments.done",
                "output_index": 0,
                "item_id": "f1",
                "arguments": '{"n":12}',
            }
        ],
        [{"type": "response.output_item.done", "output_index": 0, "item": WHOLE}],
        [{"type": "response.completed", "response": {"output": [WHOLE]}}],
        [{"type": "response.completed", "response": {"output": [ITEM | {"arguments": {"n": 12}}]}}],
    ],
    ids=["arguments done", "item done", "response", "response with an object"],
)
async def test_arguments_that_came_whole_count_and_not_a_doubled_piece_of_them(ending: list[dict[str, Any]]) -> None:
    events = await responses(ADDED, *DOUBLED, *ending, COMPLETED)
    assert called(events) == [("add", {"n": 12})]
    balanced(events)


async def test_arguments_that_never_came_whole_are_those_of_the_pieces() -> None:
    done = {"type": "response.output_item.done", "output_index": 0, "item": ITEM | {"arguments": ""}}
    assert called(await responses(ADDED, *DOUBLED, done, COMPLETED)) == [("add", {"n": 112})]


@pytest.mark.parametrize("chunk", [1, 2, 3])
async def test_whichever_piece_of_a_response_is_repeated_its_arguments_stay(chunk: int) -> None:
    ask = CallTool("add", {"n": 12, "p": "/tmp/a"}, "c1", chunk)
    count = body("openai_responses", ask)[1]
    for place in range(count):
        events = await events_of("openai_responses", body("openai_responses", ask, repeat=(place, place + 1))[0])
        assert [event.arguments for event in made(events)] == [{"n": 12, "p": "/tmp/a"}], place
