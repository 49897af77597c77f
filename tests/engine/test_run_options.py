"""What holds for one run: its system text, its variant, its options."""

from datetime import date

import pytest

from toolpost import Agent, ConfigError, ToolpostError, tool
from toolpost.testing import Gate, ScriptedModel, call, pause, text, turn


@tool
async def look(at: str) -> str:
    """Look at something."""
    return f"saw {at}"


async def test_a_system_text_stands_in_place_of_the_agents_for_one_run():
    with ScriptedModel(text("a"), text("b"), text("c")) as model:
        session = Agent(model, system="You are a clerk.").session()
        await session.run("go", system="You are a parrot.")
        async for _ in session.stream("go", system="You are a cat."):
            pass
        await session.run("go")
    heads = [request.system[0] for request in model.requests]
    assert heads == ["You are a parrot.", "You are a cat.", "You are a clerk."]


async def test_a_prompt_that_waits_is_run_as_the_run_before_it():
    gate = Gate()
    with ScriptedModel(turn(pause(gate), text("a")), text("b")) as model:
        session = Agent(model, system="You are a clerk.").session()
        await session.begin("go", system="You are a parrot.", variant="high")
        await gate.reached.wait()
        await session.queue("and on")
        gate.open()
        async for _ in session.events():
            pass
    assert [request.system[0] for request in model.requests] == ["You are a parrot."] * 2
    assert [request.options for request in model.requests] == [{"reasoning_effort": "high"}] * 2


async def test_a_variant_is_a_set_of_options_below_those_of_the_run():
    own = {"terse": {"max_tokens": 100, "temperature": 0}}
    with ScriptedModel(text("a"), text("b"), text("c")) as model:
        agent = Agent(model, options={"temperature": 1, "top_p": 0.5}, variants=own)
        await agent.run("go", variant="terse", options={"max_tokens": 50})
        await agent.run("go", variant="low")
        await agent.run("go")
    assert [request.options for request in model.requests] == [
        {"temperature": 0, "top_p": 0.5, "max_tokens": 50},
        {"temperature": 1, "top_p": 0.5, "reasoning_effort": "low"},
        {"temperature": 1, "top_p": 0.5},
    ]


async def test_an_unknown_variant_is_an_error_that_names_the_known_ones():
    model = ScriptedModel(text("never"))
    session = Agent(model, variants={"terse": {}}).session()
    with pytest.raises(ConfigError, match=r"scripted/model has no variant 'tense': it has low, medium, high, terse"):
        await session.run("go", variant="tense")
    assert model.requests == []
    assert session.status.state == "idle"


async def test_a_sub_agent_has_the_variant_and_the_system_text_of_the_run_that_sends_it():
    turns = (call("task", {"description": "look", "prompt": "go"}), text("done"), text("all done"))
    with ScriptedModel(*turns) as model:
        agent = Agent(model, tools=["task"], permissions={"task": "allow"})
        await agent.run("go", variant="high", system="You are a parrot.")
    child = model.requests[1]
    assert child.options == {"reasoning_effort": "high"}
    assert child.system[0].startswith("You are a parrot.")


async def test_an_argument_that_nobody_knows_is_named_with_what_was_meant():
    with pytest.raises(TypeError, match=r"sytem is not an argument of run; did you mean system\?"):
        await Agent(ScriptedModel()).run("go", sytem="x")
    with pytest.raises(ToolpostError, match=r"variant is 3 \(int\): give one text"):
        await Agent(ScriptedModel()).run("go", variant=3)


async def test_a_model_is_told_the_date_the_folder_and_the_operating_system(tmp_path):
    with ScriptedModel(call("look", {"at": "a"}), text("ok"), text("ok")) as model:
        session = Agent(model, [look], system="You are a clerk.", folder=tmp_path).session()
        await session.run("go")
        await session.run("on")
    head, body = model.requests[0].system
    assert head == "You are a clerk."
    assert f"Today's date: {date.today().isoformat()}\n" in body
    assert f"Working folder: {tmp_path}\n" in body
    assert "Operating system: " in body
    assert {request.system for request in model.requests} == {(head, body)}


async def test_what_is_told_of_the_environment_comes_last_so_that_the_rest_stays_cached(tmp_path):
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    with ScriptedModel(text("ok")) as model:
        await Agent(model, folder=tmp_path, instructions=True).run("go")
    (body,) = model.requests[0].system
    assert body.index("Use tabs.") < body.index("Today's date")
