"""The scripted model plays its script, keeps to the contract, and fails when script and test do not fit."""

import asyncio

import pytest

from toolpost.models.contract import ModelRequest
from toolpost.testing import (
    Gate,
    ScriptedModel,
    ScriptError,
    Turn,
    call,
    calls,
    cut,
    error,
    parse_script,
    pause,
    reasoning,
    text,
    turn,
    wait,
)
from toolpost.types.errors import ModelError
from toolpost.types.messages import Message, TextPart, Usage
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamError,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)


def request(said: str = "hi") -> ModelRequest:
    return ModelRequest([Message("u", "user", (TextPart(said),))])


async def events(model: ScriptedModel, wanted: ModelRequest | None = None) -> list[StreamEvent]:
    return [event async for event in model.stream(wanted or request())]


async def test_a_turn_with_everything() -> None:
    script = turn(reasoning("hm"), text("hello", chunk=3), call("add", {"a": 1}), usage=Usage(5, 2))
    assert await events(ScriptedModel(script)) == [
        ReasoningStart("0"),
        ReasoningDelta("hm", "0"),
        ReasoningEnd("0"),
        TextStart("1"),
        TextDelta("hel", "1"),
        TextDelta("lo", "1"),
        TextEnd("1"),
        ToolInputStart("call_1", "add"),
        ToolInputDelta("call_1", '{"a":1}'),
        ToolInputEnd("call_1"),
        ToolCall("call_1", "add", {"a": 1}),
        Finish("tool-calls", Usage(5, 2)),
    ]


async def test_several_calls_have_their_own_ids_over_all_turns() -> None:
    model = ScriptedModel(calls(call("a"), call("b", id="mine")), call("c"))
    seen = [event.id for _ in range(2) for event in await events(model) if isinstance(event, ToolCall)]
    assert seen == ["call_1", "mine", "call_3"]


async def test_broken_arguments_are_raw() -> None:
    played = await events(ScriptedModel(turn(call("add", '{"a":'), finish="length")))
    assert played[-2:] == [ToolCall("call_1", "add", {}, '{"a":'), Finish("length")]


async def test_a_failure_is_raised_at_the_start_and_an_event_later() -> None:
    model = ScriptedModel(error("rate_limit", retry_after=3), text("half") + error("network"))
    with pytest.raises(ModelError) as caught:
        await events(model)
    assert (caught.value.code, caught.value.info.retryable, caught.value.info.retry_after) == ("rate_limit", True, 3)
    played = await events(model)
    assert isinstance(played[-1], StreamError)
    assert played[-1].error.code == "network"


async def test_a_turn_may_be_made_from_the_request() -> None:
    async def later(wanted: ModelRequest) -> Turn:
        return text(wanted.messages[-1].text.lower())

    model = ScriptedModel(lambda wanted: text(wanted.messages[-1].text.upper()), later)
    assert TextDelta("HI", "0") in await events(model)
    assert TextDelta("there", "0") in await events(model, request("There"))
    assert [wanted.messages[-1].text for wanted in model.requests] == ["hi", "There"]


async def test_a_gate_holds_the_stream_until_it_opens() -> None:
    gate = Gate()
    seen: list[StreamEvent] = []

    async def read() -> None:
        async for event in ScriptedModel(text("a") + pause(gate) + wait(0) + text("b")).stream(request()):
            seen.append(event)

    task = asyncio.create_task(read())
    await gate.reached.wait()
    assert TextDelta("a", "0") in seen
    assert not any(isinstance(event, Finish) for event in seen)
    gate.open()
    await task
    assert isinstance(seen[-1], Finish)


async def test_a_request_beyond_the_script_fails() -> None:
    model = ScriptedModel(text("one"))
    await events(model)
    with pytest.raises(ScriptError, match="request 2 came"):
        await events(model)


def test_turns_that_are_left_fail_at_the_end_but_do_not_hide_another_error() -> None:
    with pytest.raises(ScriptError, match="never asked for"), ScriptedModel(text("one")):
        pass
    with pytest.raises(ZeroDivisionError), ScriptedModel(text("one")):
        _ = 1 / 0


async def test_a_fault_of_the_wire_needs_a_wire() -> None:
    with pytest.raises(ScriptError, match="Upstream"):
        await events(ScriptedModel(text("a") + cut()))


def test_scripts_are_read_from_json() -> None:
    written = [
        {"text": "hi", "chunk": 1},
        [{"reasoning": "hm"}, {"call": {"name": "add", "arguments": {"a": 1}, "id": "x"}}, {"usage": {"input": 3}}],
        [{"text": "x"}, {"cut": True}],
        {"finish": "length"},
    ]
    turns = parse_script(written)
    assert turns[0] == text("hi", chunk=1)
    assert turns[1] == turn(reasoning("hm"), call("add", {"a": 1}, id="x"), usage=Usage(3))
    assert turns[2] == text("x") + cut()
    assert turns[3] == turn(finish="length")


@pytest.mark.parametrize("written", [{}, [1], [{"sing": "la"}], [{"text": 5}]])
def test_a_script_that_makes_no_sense_is_refused(written: object) -> None:
    with pytest.raises(ScriptError):
        parse_script(written)
