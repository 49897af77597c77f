"""Models that cannot make calls themselves behind the gateway: clients get calls from them all the same."""

import json
from typing import Any

import pytest
from gateway_play import HI, WIRES
from stage import Stage

from toolpost.testing import text, turn
from toolpost.types.messages import Usage

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = {"name": "get_weather", "description": "Get the current weather for a city.", "input_schema": CITY}
FUNCTION = {"name": "get_weather", "description": "Get the current weather for a city.", "parameters": CITY}
OSLO, ROME = (
    f'<tool_call>\n{{"name": "get_weather", "arguments": {{"city": "{city}"}}}}\n</tool_call>'
    for city in ("Oslo", "Rome")
)
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
pytestmark = pytest.mark.asyncio(loop_scope="module")
every_wire = pytest.mark.parametrize("wire", WIRES)


@every_wire
async def test_calls_in_words_are_tool_use_on_anthropics_wire(stage: Stage, wire: str) -> None:
    stage.script(turn(text(f"I look.\n{OSLO}\n{ROME}", chunk=3), usage=Usage(12, 7)), text("It rains.", chunk=2))
    ask: dict[str, Any] = {"model": stage.model(wire, "prompted"), "max_tokens": 200, "tools": [WEATHER]}
    shown = ""
    async with stage.anthropic.messages.stream(**ask, messages=HI) as stream:
        async for piece in stream.text_stream:
            shown += piece
        answer = await stream.get_final_message()
    assert shown.strip() == "I look."
    used = [block for block in answer.content if block.type == "tool_use"]
    assert [(block.name, block.input) for block in used] == [("get_weather", {"city": c}) for c in ("Oslo", "Rome")]
    assert (answer.stop_reason, answer.usage.output_tokens) == ("tool_use", 7)
    results = [{"type": "tool_result", "tool_use_id": block.id, "content": f"rain {block.id}"} for block in used]
    said = [*HI, {"role": "assistant", "content": answer.content}, {"role": "user", "content": results}]
    second = await stage.anthropic.messages.create(**ask, messages=said)
    assert (second.content[0].text, second.stop_reason) == ("It rains.", "end_turn")
    heard = json.dumps(stage.asked[-1])
    assert "tools" not in stage.asked[-1]
    assert all(f"rain {block.id}" in heard for block in used)


@every_wire
async def test_calls_in_words_are_tool_calls_on_openais_wires(stage: Stage, wire: str) -> None:
    stage.script(*[text(f"I look.\n{OSLO}", chunk=3)] * 2)
    model = stage.model(wire, "prompted")
    tools = [{"type": "function", "function": FUNCTION}]
    async with stage.openai.chat.completions.stream(model=model, messages=HI, tools=tools) as stream:
        message = (await stream.get_final_completion()).choices[0].message
    assert message.content.strip() == "I look."
    [made] = message.tool_calls
    assert (made.function.name, json.loads(made.function.arguments)) == ("get_weather", {"city": "Oslo"})
    answer = await stage.openai.responses.create(model=model, input="hi", tools=[{"type": "function", **FUNCTION}])
    assert answer.output_text.strip() == "I look."
    [made] = [item for item in answer.output if item.type == "function_call"]
    assert (made.name, json.loads(made.arguments)) == ("get_weather", {"city": "Oslo"})


@every_wire
async def test_json_can_be_asked_for_beside_tools(stage: Stage, wire: str) -> None:
    stage.script(text(f"{OSLO}"), text('{"n": 7}', chunk=2))
    ask: dict[str, Any] = {"model": stage.model(wire, "prompted"), "max_tokens": 200, "tools": [WEATHER]}
    form = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}
    first = await stage.anthropic.messages.create(**ask, messages=HI, extra_body=form)
    [used] = [block for block in first.content if block.type == "tool_use"]
    result = {"type": "tool_result", "tool_use_id": used.id, "content": "7 degrees"}
    said = [*HI, {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    second = await stage.anthropic.messages.create(**ask, messages=said, extra_body=form)
    assert json.loads(second.content[-1].text) == {"n": 7}


@pytest.mark.timeout(600)
async def test_the_embedded_model_calls_the_clients_tool(stage: Stage) -> None:
    asked = [{"role": "user", "content": "What's the weather like in Buenos Aires?"}]
    ask: dict[str, Any] = {"model": "embedded/qwen2.5-coder-1.5b", "max_tokens": 100, "messages": asked}
    async with stage.anthropic.messages.stream(**ask, tools=[WEATHER]) as stream:
        answer = await stream.get_final_message()
    assert [(block.name, block.input) for block in answer.content] == [("get_weather", {"city": "Buenos Aires"})]
    assert answer.stop_reason == "tool_use"
    tools = [{"type": "function", "function": FUNCTION}]
    completion = await stage.openai.chat.completions.create(**ask, tools=tools)
    [made] = completion.choices[0].message.tool_calls
    assert (made.function.name, json.loads(made.function.arguments)) == ("get_weather", {"city": "Buenos Aires"})


async def test_the_embedded_model_answers_in_json(stage: Stage) -> None:
    asked = [{"role": "user", "content": "How many legs has a cat?"}]
    form = {"type": "json_schema", "json_schema": {"name": "legs", "schema": SCHEMA}}
    answer = await stage.openai.chat.completions.create(
        model="embedded/smollm2", max_tokens=50, messages=asked, response_format=form
    )
    assert isinstance(json.loads(answer.choices[0].message.content)["n"], int)
