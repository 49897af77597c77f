"""The AI SDK's providers for Anthropic and OpenAI (chat and responses), with every wire behind the gateway."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from driven import Driver, SceneFailed
from gateway_play import WIRES
from stage import PNG, Stage

from toolpost.testing import call, calls, cut, http_error, reasoning, text, turn
from toolpost.types.messages import Usage

# Chat Completions have no place for reasoning, and no MCP servers.
RICH = ["anthropic", "openai.responses"]
every_api = pytest.mark.parametrize("api", [*RICH, "openai.chat"])
every_rich_api = pytest.mark.parametrize("api", RICH)
THINKING = {
    "anthropic": {"thinking": {"type": "enabled", "budgetTokens": 2000}},
    "openai": {"reasoningEffort": "low", "reasoningSummary": "auto", "forceReasoning": True},
}
STRUCTURED = {"anthropic": {"structuredOutputMode": "outputFormat"}}
# The wires on which a thought is sent back in words.
GIVEN_BACK = {"openai_chat", "anthropic", "ollama"}
every_wire = pytest.mark.parametrize("wire", WIRES)
every_way = pytest.mark.parametrize("scene", ["streamed", "generated"])
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.parametrize("generation", [6, 7]),
]


class Client:
    def __init__(self, driver: Driver, stage: Stage, **settings: Any) -> None:
        self._driver = driver
        self._stage = stage
        self._settings = settings

    async def __call__(self, scene: str, wire: str = "openai_chat", **more: Any) -> Any:
        settings = {"model": self._stage.model(wire), **self._settings, **more}
        return await self._driver.play(f"ai_sdk.{scene}", self._stage.url, self._stage.token, **settings)


@pytest.fixture
def do(driver: Callable[[str], Driver], stage: Stage, generation: int, api: str) -> Client:
    return Client(driver("node"), stage, generation=generation, api=api)


@every_api
@every_wire
@every_way
async def test_tools_run_side_by_side_and_step_by_step(stage: Stage, do: Client, scene: str, wire: str) -> None:
    both = calls(call("add", {"a": 1, "b": 2}), call("add", {"a": 3, "b": 4}, chunk=2))
    first = turn(text("I add", chunk=2) + both, usage=Usage(10, 2))
    last = turn(text("it is 20", chunk=3), usage=Usage(30, 4))
    stage.script(first, turn(call("add", {"a": 13, "b": 7}), usage=Usage(20, 3)), last)
    told = await do(scene, wire, tools=True)
    assert told["seen"] == [[1, 2], [3, 4], [13, 7]]
    assert (told["text"], told["finish"], told["steps"]) == ("it is 20", "stop", 3)
    assert (told["usage"]["inputTokens"], told["usage"]["outputTokens"]) == (60, 9)
    sent = json.dumps(stage.asked[-1]).replace("\\", "").replace(" ", "")
    assert all(f'"sum":{result}' in sent for result in (3, 7, 20))


@every_rich_api
@every_wire
@every_way
async def test_reasoning_is_told_apart_and_goes_back_to_the_model(
    stage: Stage, do: Client, scene: str, wire: str
) -> None:
    stage.script(reasoning("hm, let me see", chunk=4) + call("add", {"a": 1, "b": 2}), text("it is 3"))
    told = await do(scene, wire, tools=True, providerOptions=THINKING)
    assert (told["text"], told["seen"]) == ("it is 3", [[1, 2]])
    assert told["reasoning"] == ["hm, let me see", ""]
    if wire in GIVEN_BACK:
        assert "hm, let me see" in json.dumps(stage.asked[-1])


@every_api
@pytest.mark.parametrize("scene", ["object", "output"])
@every_wire
async def test_an_answer_has_the_form_that_was_asked_for(stage: Stage, do: Client, scene: str, wire: str) -> None:
    answer = text('{"city": "Oslo", "degrees": 4.5}', chunk=5)
    stage.script(*([call("add", {"a": 1, "b": 2})] if scene == "output" else []), answer)
    told = await do(scene, wire, tools=scene == "output", providerOptions=STRUCTURED)
    found = told["output"] if scene == "output" else told
    assert found == {"city": "Oslo", "degrees": 4.5}
    assert "degrees" in json.dumps(stage.asked[-1])


@every_api
@every_wire
async def test_an_object_grows_as_it_comes(stage: Stage, do: Client, wire: str) -> None:
    stage.script(text('{"city": "Oslo", "degrees": 4.5}', chunk=5))
    told = await do("object", wire, streamed=True, providerOptions=STRUCTURED)
    assert (told["city"], told["degrees"]) == ("Oslo", 4.5)
    assert told["partial"] > 2


@every_api
@every_wire
async def test_an_image_reaches_the_model(stage: Stage, do: Client, wire: str) -> None:
    image = {"type": "image", "base64": PNG, "mediaType": "image/png"}
    asked = [{"role": "user", "content": [{"type": "text", "text": "what is it?"}, image]}]
    stage.script(text("a dot"))
    told = await do("generated", wire, messages=asked, system="Be brief.")
    assert (told["text"], told["content"][-1]) == ("a dot", "text")
    sent = json.dumps(stage.asked[-1])
    assert PNG in sent
    assert "what is it?" in sent
    assert "Be brief." in sent


@every_rich_api
@pytest.mark.parametrize(("wire", "scene"), [*((wire, "streamed") for wire in WIRES), ("openai_chat", "generated")])
async def test_mcp_servers_of_the_request_are_called_and_shown(stage: Stage, do: Client, scene: str, wire: str) -> None:
    stage.script(text("I ask. ") + call("mcp__own__echo", {"text": "hi"}, chunk=3), text("Done."))
    told = await do(scene, wire, mcp={"name": "own", "url": stage.mcp_url})
    assert (told["text"], told["finish"]) == ("I ask. Done.", "stop")
    assert told["content"][-3:] == ["tool-call", "tool-result", "text"]
    assert "play: echo hi" in json.dumps(stage.asked[-1])


@every_api
@every_way
async def test_a_failure_of_a_tool_is_told_to_the_model(stage: Stage, do: Client, scene: str) -> None:
    stage.script(call("fail"), text("so be it"))
    assert (await do(scene, tools=True))["text"] == "so be it"
    assert "it broke" in json.dumps(stage.asked[-1])


@every_api
@pytest.mark.parametrize("choice", ["required", "none", {"type": "tool", "toolName": "add"}], ids=str)
async def test_which_tool_has_to_be_called_is_asked_for(stage: Stage, do: Client, choice: Any) -> None:
    stage.script(text("no") if choice == "none" else call("add", {"a": 1, "b": 2}))
    await do("generated", "gemini", tools=True, toolChoice=choice, steps=1)
    sent = stage.asked[-1]
    offered = [one["name"] for table in sent.get("tools", ()) for one in table["functionDeclarations"]]
    if choice == "none":
        assert offered == []
        return
    assert sent["toolConfig"]["functionCallingConfig"]["mode"] == "ANY"
    assert offered == (["add", "fail"] if choice == "required" else ["add"])


@every_api
@pytest.mark.parametrize("wire", ["openai_chat", "gemini"])
async def test_what_a_program_wishes_reaches_the_model(stage: Stage, do: Client, api: str, wire: str) -> None:
    stage.script(text("so be it"))
    wishes = {"temperature": 0.5, "maxOutputTokens": 77, "stopSequences": ["X"]}
    await do("generated", wire, options=wishes)
    sent = stage.asked[-1].get("generationConfig", stage.asked[-1])
    assert sent.get("max_tokens", sent.get("maxOutputTokens")) == 77
    assert sent["temperature"] == 0.5
    if api != "openai.responses":
        assert sent.get("stop", sent.get("stopSequences")) == ["X"]


@every_api
@every_way
@pytest.mark.parametrize(
    ("status", "said"), [(401, "no such key"), (404, "no such model"), (429, "slow"), (500, "oops")]
)
async def test_a_refusal_is_the_error_that_programs_know(
    stage: Stage, do: Client, scene: str, status: int, said: str
) -> None:
    stage.script(http_error(status, said))
    with pytest.raises(SceneFailed) as caught:
        await do(scene)
    assert (caught.value.name, caught.value.status) == ("AI_APICallError", status)
    assert said in caught.value.message


@every_api
async def test_a_stream_that_breaks_is_an_error(stage: Stage, do: Client) -> None:
    stage.script(text("half") + cut())
    with pytest.raises(SceneFailed):
        await do("streamed")
