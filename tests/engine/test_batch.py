"""Several calls in one: each through the whole life of a call."""

import asyncio

import pytest
from bench_play import bench, shown, states

from toolpost import Agent, Limits, Plugin, ToolError, tool
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.builtin import batch


def wanted(*calls):
    return call("batch", {"calls": [{"tool": name, "arguments": arguments} for name, arguments in calls]})


@pytest.fixture
def ran():
    return []


@pytest.fixture
def tools(tmp_path, ran):
    @tool(patterns=lambda arguments: [arguments["path"]])
    async def look(path: str) -> str:
        """Look."""
        ran.append(path)
        if path == "missing":
            raise ToolError("it is not there")
        return f"saw {path}"

    return [look, batch.make(bench(tmp_path))]


async def test_results_come_in_order_and_a_failure_stops_no_other(tools):
    turn = wanted(("look", {"path": "a"}), ("look", {"path": "missing"}), ("nothing", {}), ("look", {}))
    with ScriptedModel(turn, text("ok")) as model:
        session = Agent(model, tools).session()
        await session.run("go")
    (state,) = states(session)
    assert shown(state).startswith(
        "[1] look: completed\nsaw a\n\n[2] look: failed\nit is not there\n\n[3] nothing: unknown"
    )
    assert "[4] look: invalid\n" in shown(state)
    assert state.title == "1 of 4 calls completed"


async def test_the_calls_run_side_by_side(tmp_path):
    both = asyncio.Barrier(2)

    @tool
    async def meet() -> str:
        """Meet."""
        await asyncio.wait_for(both.wait(), 5)
        return "met"

    with ScriptedModel(wanted(("meet", {}), ("meet", {})), text("ok")) as model:
        session = Agent(model, [meet, batch.make(bench(tmp_path))]).session()
        await session.run("go")
    assert shown(states(session)[0]).count("met") == 2


async def test_each_call_is_asked_about_and_seen_by_hooks_and_events(tools, ran):
    asked, hooked = [], []

    async def on_ask(ask):
        asked.append((ask.permission, ask.patterns))
        return "once"

    class Watch(Plugin):
        name = "watch"

        async def tool_execute_before(self, call):
            hooked.append(call.name)

    rules = {"look": {"*": "ask", "b": "deny"}}
    turn = wanted(("look", {"path": "a"}), ("look", {"path": "b"}))
    with ScriptedModel(turn, text("ok")) as model:
        agent = Agent(model, tools, permissions=rules, on_ask=on_ask, plugins=[Watch()])
        session = agent.session()
        events = [event async for event in session.stream("go")]
    assert asked == [("look", ("a",))]
    assert sorted(hooked) == ["batch", "look", "look"]
    assert ran == ["a"]
    assert "[2] look: denied" in shown(states(session)[0])
    begun = [event.call_id for event in events if event.type == "tool_execution_start"]
    assert begun == ["call_1", "call_1/1"]
    assert [part.name for part in session.messages[1].calls] == ["batch"]


async def test_a_reject_without_a_word_ends_the_run(tools, ran):
    async def on_ask(ask):
        return "reject"

    with ScriptedModel(wanted(("look", {"path": "a"}))) as model:
        session = Agent(model, tools, permissions={"look": "ask"}, on_ask=on_ask).session()
        assert (await session.run("go")).reason == "denied"
    assert ran == []


async def test_what_the_policy_denied_is_in_the_result(tools):
    with ScriptedModel(wanted(("look", {"path": "a"})), text("ok")) as model:
        result = await Agent(model, tools, permissions={"look": "ask"}).run("go")
    assert result.denied == ("look",)


@pytest.mark.parametrize(
    ("calls", "problem"),
    [
        ([], "list of calls is empty"),
        ([("look", {"path": "a"})] * 26, "too many"),
        ([("batch", {"calls": []})], "can't call itself"),
    ],
)
async def test_too_many_calls_and_nesting_are_refused(tools, ran, calls, problem):
    with ScriptedModel(wanted(*calls), text("ok")) as model:
        session = Agent(model, tools).session()
        await session.run("go")
    assert states(session)[0].kind == "invalid"
    assert problem in states(session)[0].message
    assert ran == []


async def test_a_misspelled_batch_inside_a_batch_is_no_way_around(tools):
    with ScriptedModel(wanted(("Batch", {"calls": []})), text("ok")) as model:
        session = Agent(model, tools).session()
        await session.run("go")
    assert "[1] Batch: unknown_tool" in shown(states(session)[0])


async def test_together_they_give_no_more_text_than_one_call_may(tmp_path):
    @tool
    async def much() -> str:
        """Give much."""
        return "x" * 40_000

    with ScriptedModel(wanted(*[("much", {})] * 10), text("ok")) as model:
        session = Agent(model, [much, batch.make(bench(tmp_path))], limits=Limits(output_bytes=50_000)).session()
        await session.run("go")
    told = shown(states(session)[0])
    assert len(told) <= 55_000
    assert [f"[{number}] much: completed" in told for number in range(1, 11)] == [True] * 10


async def test_an_abort_stops_the_calls_inside(tmp_path):
    stopped = asyncio.Event()
    begun = asyncio.Event()

    @tool
    async def hang() -> str:
        """Hang."""
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return ""

    with ScriptedModel(wanted(("hang", {}))) as model:
        session = Agent(model, [hang, batch.make(bench(tmp_path))]).session()
        ended = []
        session.subscribe(lambda event: ended.append(event) if event.type == "tool_execution_end" else None)
        running = asyncio.create_task(session.run("go"))
        await asyncio.wait_for(begun.wait(), 5)
        await session.abort()
        assert (await running).reason == "aborted"
    assert stopped.is_set()
    assert [(event.name, event.error_kind) for event in ended] == [("hang", "aborted"), ("batch", "aborted")]


async def test_a_circle_of_batches_is_noticed(tools):
    turns = [wanted(("look", {"path": "a"}))] * 3
    with ScriptedModel(*turns) as model:
        assert (await Agent(model, tools).run("go")).reason == "repetition"


async def test_a_face_can_call_a_tool_as_the_model_would(tools, ran):
    with ScriptedModel(text("ok")) as model:
        session = Agent(model, tools, permissions={"look": {"*": "allow", "b": "ask"}}).session()
        outcome = await session.call("look", {"path": "a"})
        assert (outcome.text, outcome.error_kind) == ("saw a", None)
        assert (await session.call("look", {"path": "b"})).error_kind == "denied"
        assert (await session.call("nothing", {})).error_kind == "unknown_tool"
        assert session.messages == ()
        await session.run("go")
    assert ran == ["a"]
