"""Limits, budgets and the repetition guard."""

import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost import Agent, Answer, Limits, ToolError, tool
from toolpost.engine.repetition import RepetitionGuard
from toolpost.testing import ScriptedModel, call, error, pause, text, turn
from toolpost.types.messages import Usage


@tool
async def look(at: str = "") -> str:
    """Look at something."""
    return f"saw {at}"


async def test_the_step_limit_asks_for_a_last_answer_without_tools():
    turns = [call("look", {"at": str(i)}) for i in range(3)]
    with ScriptedModel(*turns, text("This is as far as I got.")) as model:
        result = await Agent(model, [look], limits=Limits(max_steps=3)).run("go")
    assert (result.reason, result.limit, result.text) == ("limit", "max_steps", "This is as far as I got.")
    last = model.requests[-1]
    assert last.tools == ()
    assert "max_steps" in last.system[-1]


async def test_a_model_that_ends_by_itself_within_the_limit_is_done():
    with ScriptedModel(call("look", {}), text("ok")) as model:
        result = await Agent(model, [look], limits=Limits(max_steps=2)).run("go")
    assert result.reason == "done"


async def test_the_token_budget_ends_the_run():
    turns = [turn(call("look", {"at": str(i)}), usage=Usage(60, 10)) for i in range(2)]
    with ScriptedModel(*turns, text("enough")) as model:
        result = await Agent(model, [look], limits=Limits(max_tokens=100)).run("go")
    assert (result.reason, result.limit) == ("limit", "max_tokens")


async def test_the_time_budget_ends_the_run():
    import asyncio

    @tool
    async def slow() -> str:
        """Take a while."""
        await asyncio.sleep(0.05)
        return "ok"

    with ScriptedModel(call("slow", {}), text("enough")) as model:
        result = await Agent(model, [slow], limits=Limits(max_seconds=0.04)).run("go")
    assert (result.reason, result.limit) == ("limit", "max_seconds")


async def test_a_cost_budget_without_a_known_price_is_refused_before_anything_is_spent():
    from toolpost import ToolpostError

    model = ScriptedModel(text("expensive"))
    with pytest.raises(ToolpostError, match="max_cost"):
        await Agent(model, [look], limits=Limits(max_cost=1.0)).run("go")
    assert model.requests == []


@pytest.mark.parametrize("wrong", [{"max_steps": 0}, {"max_seconds": -1.0}, {"tool_timeout": 0.0}])
def test_a_limit_that_makes_no_sense_is_named(wrong):
    from toolpost import ConfigError

    with pytest.raises(ConfigError, match=next(iter(wrong))):
        Limits(**wrong)


def cycle(*names):
    return [call("look", {"at": name}) for name in itertools.islice(itertools.cycle(names), 12)]


@pytest.mark.parametrize(
    ("names", "steps"), [(["a"], 3), (["a", "b"], 5), (["a", "b", "c"], 7)], ids=["period 1", "period 2", "period 3"]
)
async def test_going_round_in_circles_is_asked_about_and_denying_ends_the_run(names, steps):
    asked = []

    async def on_ask(ask):
        asked.append((ask.permission, ask.patterns))
        return "reject"

    model = ScriptedModel(*cycle(*names))
    result = await Agent(model, [look], on_ask=on_ask).run("go")
    assert (result.reason, result.steps) == ("repetition", steps)
    assert asked == [("doom_loop", ("look",))]


async def test_the_ask_about_a_circle_shows_the_tool_and_its_arguments():
    asked = []

    async def on_ask(ask):
        asked.append(ask)
        return "reject"

    await Agent(ScriptedModel(*cycle("the door")), [look], on_ask=on_ask).run("go")
    assert asked[0].title.startswith("look was called")
    assert asked[0].details == {"arguments": {"at": "the door"}}


async def test_the_ask_about_a_circle_of_calls_that_are_no_json_shows_what_was_written():
    asked = []

    async def on_ask(ask):
        asked.append(ask.details)
        return "reject"

    await Agent(ScriptedModel(*[call("look", "{at")] * 3), [look], on_ask=on_ask).run("go")
    assert asked == [{"written": "{at"}]


async def test_what_a_person_writes_about_a_circle_reaches_the_model_and_the_run_goes_on():
    async def on_ask(ask):
        return Answer("reject", "Look behind the door instead.")

    with ScriptedModel(*[call("look", {"at": "a"})] * 3, text("I looked behind it.")) as model:
        session = Agent(model, [look], on_ask=on_ask).session()
        result = await session.run("go")
    assert (result.reason, result.text) == ("done", "I looked behind it.")
    last = model.requests[-1].messages[-1].calls[0]
    assert (last.state.kind, last.state.message) == ("denied", "Look behind the door instead.")
    assert last.consent.message == "Look behind the door instead."


async def test_without_a_person_repetition_ends_the_run():
    result = await Agent(ScriptedModel(*cycle("a")), [look]).run("go")
    assert result.reason == "repetition"


async def test_repetition_that_is_allowed_goes_on():
    with ScriptedModel(*[call("look", {"at": "a"})] * 5, text("ok")) as model:
        result = await Agent(model, [look], permissions={"look": "allow", "doom_loop": "allow"}).run("go")
    assert result.reason == "done"


async def test_polling_whose_result_changes_is_not_repetition():
    progress = itertools.count()

    @tool
    async def poll() -> str:
        """Ask how far it is."""
        return f"{next(progress)} %"

    with ScriptedModel(*[call("poll", {})] * 10, text("ok")) as model:
        result = await Agent(model, [poll]).run("go")
    assert result.reason == "done"


async def test_arguments_that_mean_the_same_count_as_the_same():
    turns = [call("look", {"at": "a"}), call("look", {"at": "a", "extra": None}), call("look", {"at": "a"})]

    @tool
    async def look_around(at: str, depth: int = 1) -> str:
        """Look."""
        return "nothing"

    turns = [
        call("look_around", a) for a in ({"at": "x", "depth": 1}, {"depth": 1, "at": "x"}, {"at": "x", "depth": 1.0})
    ]
    result = await Agent(ScriptedModel(*turns), [look_around]).run("go")
    assert result.reason == "repetition"


async def test_calls_that_can_never_run_are_repetition_too():
    result = await Agent(ScriptedModel(*[call("nothing", {})] * 6), [look]).run("go")
    assert (result.reason, result.steps) == ("repetition", 3)


async def test_a_tool_that_fails_the_same_way_again_and_again_is_repetition_too():
    @tool
    async def read(path: str) -> str:
        """Read a file."""
        raise ToolError(f"no file {path}")

    result = await Agent(ScriptedModel(*[call("read", {"path": "x"})] * 6), [read]).run("go")
    assert (result.reason, result.steps) == ("repetition", 3)


async def test_a_call_that_is_denied_again_and_again_is_repetition_too():
    agent = Agent(ScriptedModel(*[call("look", {"at": "x"})] * 6), [look], permissions={"look": "ask"})
    result = await agent.run("go")
    assert (result.reason, result.steps) == ("repetition", 3)


async def test_the_time_budget_stops_a_tool_that_hangs():
    @tool
    async def hang() -> str:
        """Never ends."""
        await asyncio.Event().wait()
        return ""

    with ScriptedModel(call("hang", {}), text("That took too long.")) as model:
        session = Agent(model, [hang], limits=Limits(max_seconds=0.05)).session()
        result = await asyncio.wait_for(session.run("go"), 10)
    assert (result.reason, result.limit, result.text) == ("limit", "max_seconds", "That took too long.")
    state = session.messages[1].calls[0].state
    assert (state.kind, "max_seconds" in state.message) == ("timeout", True)


async def test_the_time_budget_stops_a_stream_that_never_ends():
    with ScriptedModel(text("so far") + pause(asyncio.Event()), text("In short: so far.")) as model:
        session = Agent(model, [look], limits=Limits(max_seconds=0.05)).session()
        result = await asyncio.wait_for(session.run("go"), 10)
    assert (result.reason, result.limit, result.text) == ("limit", "max_seconds", "In short: so far.")


async def test_the_time_budget_does_not_wait_for_a_retry_beyond_it():
    limits = Limits(max_seconds=0.05, retry_delay=60.0, retry_delay_max=60.0)
    with ScriptedModel(error("overloaded", "busy"), text("Late.")) as model:
        result = await asyncio.wait_for(Agent(model, [look], limits=limits).run("go"), 10)
    assert (result.reason, result.limit, result.text) == ("limit", "max_seconds", "Late.")


@given(st.lists(st.sampled_from("abc"), max_size=12), st.integers(2, 4))
def test_the_guard_agrees_with_its_definition(keys, times):
    guard = RepetitionGuard(times)
    for key in keys[:-1]:
        guard.record(key, f"result of {key}")
    if keys:
        assert guard.repeats(keys[-1]) == _is_circle(keys, times)


def _is_circle(keys, times):
    """The last key begins (or is) round `times` of a circle of 1, 2 or 3 calls."""
    *before, last = keys
    for period in (1, 2, 3):
        needed = period * (times - 1)
        tail = before[-needed:]
        if len(tail) == needed and tail == tail[:period] * (times - 1) and tail[0] == last:
            return True
    return False
