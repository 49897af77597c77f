"""Structured output: a validated value of the type that was asked for."""

from dataclasses import dataclass

import msgspec
import pytest
from pydantic import BaseModel

from toolpost import Agent, OutputError, tool
from toolpost.testing import ScriptedModel, call, text


class City(msgspec.Struct):
    name: str
    people: int


@dataclass
class Town:
    name: str
    people: int


class Village(BaseModel):
    name: str
    people: int


@pytest.mark.parametrize("kind", [City, Town, Village])
async def test_the_output_is_a_value_of_the_type(kind):
    with ScriptedModel(call("final_output", {"name": "Tokyo", "people": 14_000_000})) as model:
        result = await Agent(model).run("The capital of Japan?", output=kind)
    assert result.output == kind(name="Tokyo", people=14_000_000)
    assert result.reason == "done"


async def test_a_json_schema_gives_plain_data():
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    with ScriptedModel(call("final_output", {"ok": True})) as model:
        result = await Agent(model).run("go", output=schema)
    assert result.output == {"ok": True}


async def test_a_plain_type_is_wrapped_and_unwrapped():
    with ScriptedModel(call("final_output", {"value": [1, 2]})) as model:
        assert (await Agent(model).run("go", output=list[int])).output == [1, 2]


async def test_the_json_itself_as_text_is_as_good_as_the_call():
    with ScriptedModel(text('```json\n{"name": "Oslo", "people": 700000}\n```')) as model:
        result = await Agent(model).run("go", output=City)
    assert result.output == City("Oslo", 700_000)


async def test_a_wrong_value_goes_back_to_the_model():
    turns = (call("final_output", {"name": "Tokyo"}), call("final_output", {"name": "Tokyo", "people": 14}))
    with ScriptedModel(*turns) as model:
        session = Agent(model).session()
        result = await session.run("go", output=City)
    assert result.output == City("Tokyo", 14)
    assert "people" in session.messages[1].calls[0].state.message


async def test_plain_prose_is_asked_for_again_with_a_tool_required():
    turns = (text("It is Tokyo."), call("final_output", {"name": "Tokyo", "people": 14}))
    with ScriptedModel(*turns) as model:
        result = await Agent(model).run("go", output=City)
    assert result.output == City("Tokyo", 14)
    assert model.requests[1].tool_choice == "required"
    assert model.requests[1].messages[-1].role == "user"


async def test_retries_are_bounded():
    with ScriptedModel(*[text("It is Tokyo.")] * 3) as model, pytest.raises(OutputError):
        await Agent(model).run("go", output=City)


async def test_wrong_values_are_bounded_too():
    turns = [call("final_output", {"name": str(i)}) for i in range(3)]
    with ScriptedModel(*turns) as model, pytest.raises(OutputError):
        await Agent(model).run("go", output=City)


async def test_other_tools_are_used_on_the_way():
    @tool
    async def count(name: str) -> int:
        """Count the people of a city."""
        return 42

    with ScriptedModel(call("count", {"name": "X"}), call("final_output", {"name": "X", "people": 42})) as model:
        result = await Agent(model, [count]).run("go", output=City)
    assert result.output.people == 42


async def test_the_end_of_the_run_carries_the_output_as_plain_data():
    with ScriptedModel(call("final_output", {"name": "Oslo", "people": 7})) as model:
        events = [event async for event in Agent(model).session().stream("go", output=City)]
    assert events[-2].output == {"name": "Oslo", "people": 7}


async def test_a_last_answer_at_a_limit_may_be_the_output_and_else_it_is_an_error():
    from toolpost import Limits

    @tool
    async def count(n: int) -> int:
        """Count."""
        return n

    limits = Limits(max_steps=1)
    with ScriptedModel(call("count", {"n": 1}), text('{"name": "X", "people": 1}')) as model:
        assert (await Agent(model, [count], limits=limits).run("go", output=City)).output == City("X", 1)
    with (
        ScriptedModel(call("count", {"n": 1}), text("no idea")) as model,
        pytest.raises(OutputError, match="max_steps"),
    ):
        await Agent(model, [count], limits=limits).run("go", output=City)
