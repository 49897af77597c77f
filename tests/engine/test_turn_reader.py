"""How a model's stream is read to its end, for the engine, for evaluations and for the gateway alike."""

import asyncio

import pytest

from toolpost import ModelError, ModelInfo, ModelRequest
from toolpost.engine.turn_reader import TurnParts, TurnReader
from toolpost.types.messages import ErrorInfo, Pending, ReasoningPart, TextPart, ToolPart
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    StreamError,
    TextDelta,
    TextEnd,
    ToolCall,
    ToolInputDelta,
    ToolInputStart,
)


class Plain:
    """Yields what it is given, raises what is an exception, and waits for ever at an `asyncio.Event`."""

    info = ModelInfo("test", "plain")

    def __init__(self, *events):
        self.events = events
        self.is_closed = False

    async def stream(self, request):
        try:
            for event in self.events:
                if isinstance(event, Exception):
                    raise event
                if isinstance(event, asyncio.Event):
                    await event.wait()
                yield event
        finally:
            self.is_closed = True


async def read(model, seconds=None):
    parts = TurnParts()
    async with TurnReader(model, ModelRequest(()), seconds) as turn:
        async for event in turn.events:
            if turn.ends_with(event):
                break
            parts.add(event)
    return parts, turn.ending


@pytest.mark.parametrize(
    ("last", "code"),
    [
        (ModelError(ErrorInfo("overloaded", "later")), "overloaded"),
        (ValueError("a bug of the adapter"), "protocol"),
        (TextEnd(), "truncated"),
        (StreamError(ErrorInfo("auth", "no key")), "auth"),
    ],
)
async def test_a_stream_that_fails_ends_in_an_error_and_is_closed(last, code):
    model = Plain(TextDelta("half"), last)
    parts, ending = await read(model)
    assert isinstance(ending, StreamError)
    assert ending.error.code == code
    assert parts.text == "half"
    assert model.is_closed


async def test_a_turn_whose_time_is_up_has_no_ending():
    model = Plain(TextDelta("half"), asyncio.Event())
    parts, ending = await read(model, 0.01)
    assert ending is None
    assert parts.text == "half"
    assert model.is_closed


async def test_a_cancelled_reader_is_cancelled_and_closes_its_stream():
    model = Plain(asyncio.Event())
    task = asyncio.create_task(read(model, 60))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_comes_after_the_end_is_not_read():
    parts, ending = await read(Plain(TextDelta("all"), Finish("stop"), TextDelta("more")))
    assert (parts.text, ending) == ("all", Finish("stop"))


async def test_deltas_become_the_parts_of_a_message():
    call = ToolCall("c1", "add", {"a": 1})
    events = [
        ReasoningDelta("hm"),
        ReasoningEnd(metadata={"signature": "s"}),
        TextDelta("a"),
        TextDelta("b"),
        TextEnd(),
        TextDelta("next"),
        ToolInputStart("c1", "add"),
        ToolInputDelta("c1", '{"a":'),
        ToolInputDelta("c1", " 1}"),
        call,
        ToolInputStart("c2", "add"),
        ToolInputDelta("c2", '{"a'),
    ]
    parts, _ = await read(Plain(*events, Finish("length")))
    reasoning, *others = parts.joined()
    assert isinstance(reasoning, ReasoningPart)
    assert (reasoning.text, reasoning.metadata) == ("hm", {"signature": "s"})
    assert reasoning.ended >= reasoning.started > 0
    assert others == [
        TextPart("ab"),
        TextPart("next"),
        ToolPart("c1", "add", Pending('{"a": 1}')),
        ToolPart("c2", "add", Pending('{"a')),
    ]
    assert parts.calls == {3: call}
