"""What comes in another order than usual: parts that take turns, views that come late, calls that nobody streamed."""

import asyncio
from itertools import count

import pytest
from view_play import Watched, fed, stored

from toolpost import Agent, ToolContext, tool
from toolpost.testing import Gate, ScriptedModel, call, error, pause, text
from toolpost.types.events import (
    MessageEnd,
    MessageStart,
    MessageUpdate,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from toolpost.types.messages import Message, Pending, ReasoningPart, StepFinish, StepStart, TextPart, ToolPart
from toolpost.view.transcript import TranscriptView

numbers = count(1)


def stamp():
    return next(numbers), "ses", 0.0


def said(part, text, kind="text", **more):
    return MessageUpdate(*stamp(), "m", part, kind, text, **more)


def begun():
    return MessageStart(*stamp(), Message("m", "assistant", (StepStart(1, "x"),)))


def test_parts_that_take_turns_stand_in_their_order():
    view = fed(
        [
            begun(),
            said(3, "c1"),
            said(1, "a1", "reasoning"),
            said(2, '{"n"', "tool_input", call_id="c", name="work"),
            said(3, "c2"),
            said(1, "a2", "reasoning"),
            said(2, ": 1}", "tool_input", call_id="c"),
        ]
    )
    assert [item.kind for item in view.items] == ["reasoning", "call", "text"]
    thought, work, answer = view.items
    assert (thought.text, str(work.raw), answer.text) == ("a1a2", '{"n": 1}', "c1c2")
    parts = (
        StepStart(1, "x"),
        ReasoningPart("a1a2", started=1.0, ended=2.0),
        ToolPart("c", "work", Pending('{"n": 1}')),
        TextPart("c1c2"),
        StepFinish("tool-calls"),
    )
    view.feed(MessageEnd(*stamp(), Message("m", "assistant", parts)))
    assert [item.kind for item in view.items] == ["reasoning", "call", "text"]


def test_calls_whose_arguments_were_not_streamed_stand_where_they_were_made():
    def called(call_id):
        return ToolCalled(*stamp(), "m", call_id, "work", {"n": 1})

    view = fed([begun(), said(1, "Look:"), called("c1"), said(3, "and"), called("c2")])
    assert [item.kind for item in view.items] == ["text", "call", "text", "call"]
    parts = (
        StepStart(1, "x"),
        TextPart("Look:"),
        ToolPart("c1", "work", Pending('{"n": 1}')),
        TextPart("and"),
        ToolPart("c2", "work", Pending('{"n": 1}')),
        StepFinish("tool-calls"),
    )
    before = list(view.ids)
    view.feed(MessageEnd(*stamp(), Message("m", "assistant", parts)))
    assert list(view.ids) == before


def test_a_view_that_comes_when_a_call_runs_already_shows_it():
    view = fed(
        [
            ToolExecutionStart(*stamp(), "m", "c", "work", {"n": 1}, "My work"),
            ToolExecutionUpdate(*stamp(), "c", "work", "one\n", {"done": 1}),
            ToolExecutionEnd(*stamp(), "m", "c", "work", (TextPart("ok"),), 0.5),
        ]
    )
    (item,) = view.items
    assert (item.phase, item.label, item.arguments, item.duration) == ("done", "My work", {"n": 1}, 0.5)
    view = fed(
        [
            ToolExecutionUpdate(*stamp(), "c", "work", "one\n"),
            ToolExecutionEnd(*stamp(), "m", "c", "work", (TextPart("no"),), 0.5, True, "failed"),
        ]
    )
    (item,) = view.items
    assert (item.phase, item.error.text, item.output.lines.lines) == ("failed", "no", ["one"])


async def test_a_view_that_comes_in_the_middle_of_an_answer_shows_what_is_said_from_then_on():
    gate = Gate()
    with ScriptedModel(text("Hel") + pause(gate) + text("lo")) as model:
        session = Agent(model).session()
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        watched = Watched(session)
        gate.open()
        await running
    assert watched.kinds == ["text", "text", "run_end"]
    assert [item.text for item in watched.of("text")] == ["Hel", "lo"]


async def test_a_summary_that_failed_says_so():
    turns = (text("one " * 200), error("auth", "no such key"))
    with ScriptedModel(*turns) as model:
        session = Agent(model).session()
        watched = Watched(session)
        await session.run("tell me " * 100)
        assert not await session.compact()
    (notice,) = watched.of("notice")
    assert (notice.code, notice.error.code, notice.is_finished) == ("compaction_failed", "auth", True)


async def test_details_take_the_place_of_those_before_while_output_is_appended():
    reached, go = asyncio.Event(), asyncio.Event()

    @tool
    async def work(ctx: ToolContext) -> str:
        """Work."""
        ctx.update("one\n", {"done": 1})
        ctx.update("two\n", {"done": 2})
        reached.set()
        await go.wait()
        return "ok"

    with ScriptedModel(call("work"), text("ok")) as model:
        session = Agent(model, [work]).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await reached.wait()
        (item,) = watched.of("call")
        assert (item.details, item.output.lines.lines) == ({"done": 2}, ["one", "two"])
        go.set()
        await running
    (item,) = watched.of("call")
    assert item.details is None
    assert stored(watched.items) == stored(fed(watched.events).items)


def test_an_item_that_is_not_there_any_more_is_a_key_error():
    view = TranscriptView()
    for look in (view.item, view.position):
        with pytest.raises(KeyError):
            look("m/1")
