"""Tools of the Responses wire that other wires have no word for: namespaces, free text, and what runs elsewhere."""

import json
from pathlib import Path
from typing import Any

import openai
import pytest
from gateway_play import ADD_CHAT, NUMBER, WIRES, Play, gateway, sse, with_server
from relay_play import Says, relaying
from responses_play import check_events, check_response

from toolpost.server.gateway.wires.openai.tools import flat_name
from toolpost.testing import call, text

HI: Any = [{"role": "user", "content": "hi"}]
NOW: dict[str, Any] = {"type": "function", "name": "now", "description": "The time.", "parameters": NUMBER}
TIME: Any = {"type": "namespace", "name": "mcp__time", "description": "A clock.", "tools": [{**NOW, "strict": False}]}
PATCH: Any = {
    "type": "custom",
    "name": "apply_patch",
    "description": "Change files.",
    "format": {"type": "grammar", "syntax": "lark", "definition": 'start: "x"'},
}
FUNCTION: Any = {"type": "function", "name": "add", "parameters": NUMBER}
SEALED: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}


async def both(play: Play, **body: Any) -> list[dict[str, Any]]:
    whole = await play.http.post("/v1/responses", json={"model": "m", **body})
    assert whole.status_code == 200, whole.text
    streamed = await play.http.post("/v1/responses", json={"model": "m", **body, "stream": True})
    return [check_response(whole.json()), check_events(sse(streamed.text))]


async def refusal(play: Play, **body: Any) -> dict[str, Any]:
    answer = await play.http.post("/v1/responses", json={"model": "m", "input": "hi", **body})
    assert answer.status_code == 400, answer.text
    return answer.json()["error"]


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire != "openai_responses"])
async def test_a_tool_in_a_namespace_is_called_and_answered_on_every_wire(folder: Path, wire: str) -> None:
    script = call("mcp__time__now", {"a": 1})
    async with gateway(folder, script, script, text("It is noon."), wire=wire) as play:
        for response in await both(play, input=HI, tools=[TIME, FUNCTION]):
            [item] = response["output"]
            assert (item["type"], item["namespace"], item["name"]) == ("function_call", "mcp__time", "now")
            assert json.loads(item["arguments"]) == {"a": 1}
            assert response["tools"][0] == TIME
        assert "A clock." in json.dumps(play.sent())
        result = {"type": "function_call_output", "call_id": item["call_id"], "output": "12:00"}
        answer = await play.openai.responses.create(model="m", input=[*HI, item, result], tools=[TIME, FUNCTION])
        assert answer.output_text == "It is noon."
        sent = json.dumps(play.sent())
        assert sent.count("mcp__time__now") == 2 + (wire in ("gemini", "ollama"))
        assert "12:00" in sent


async def test_the_events_of_such_a_call_have_its_namespace(folder: Path) -> None:
    async with gateway(folder, call("mcp__time__now", {"a": 1})) as play:
        body = {"model": "m", "input": "hi", "tools": [TIME], "stream": True}
        events = sse((await play.http.post("/v1/responses", json=body)).text)
    items = [event["item"] for event in events if "item" in event]
    assert [(item["namespace"], item["name"], item["status"]) for item in items] == [
        ("mcp__time", "now", "in_progress"),
        ("mcp__time", "now", "completed"),
    ]


async def test_a_tool_in_a_namespace_can_be_the_only_choice(folder: Path) -> None:
    async with gateway(folder, call("mcp__time__now", {"a": 1}), text("a")) as play:
        choice: Any = {"type": "function", "name": "now", "namespace": "mcp__time"}
        await both_once(play, tools=[TIME, FUNCTION], tool_choice=choice)
        assert [tool["function"]["name"] for tool in play.sent()["tools"]] == ["mcp__time__now"]
        allowed = {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "namespace", "name": "mcp__time"}]}
        await both_once(play, tools=[TIME, FUNCTION], tool_choice=allowed)
        assert [tool["function"]["name"] for tool in play.sent()["tools"]] == ["mcp__time__now"]


async def both_once(play: Play, **body: Any) -> dict[str, Any]:
    answer = await play.http.post("/v1/responses", json={"model": "m", "input": "hi", **body})
    assert answer.status_code == 200, answer.text
    return check_response(answer.json())


def test_names_for_models_are_short_plain_and_the_same_every_time() -> None:
    assert flat_name("", "now") == "now"
    assert flat_name("crm", "find") == "crm__find"
    assert flat_name("mcp__time__", "_now") == "mcp__time__now"
    long = flat_name("mcp__" + "server" * 12, "tool")
    assert (len(long), long) == (64, flat_name("mcp__" + "server" * 12, "tool"))
    assert flat_name("a b", "c") != flat_name("a_b", "c")


async def test_two_tools_that_models_could_not_tell_apart_are_refused(folder: Path) -> None:
    async with gateway(folder) as play:
        error = await refusal(play, tools=[TIME, {**NOW, "name": "mcp__time__now"}])
        assert error["param"] == "tools[1].name"


async def test_a_tool_that_takes_free_text_is_called_and_answered(folder: Path) -> None:
    script = call("apply_patch", {"input": "*** Begin\nPatch"}, chunk=3)
    async with gateway(folder, script, script, text("Done.")) as play:
        for response in await both(play, input=HI, tools=[PATCH]):
            [item] = response["output"]
            assert (item["type"], item["name"], item["input"]) == (
                "custom_tool_call",
                "apply_patch",
                "*** Begin\nPatch",
            )
        assert 'start: \\"x\\"' in json.dumps(play.sent()["tools"])
        result = {"type": "custom_tool_call_output", "call_id": item["call_id"], "output": "patched"}
        answer = await play.openai.responses.create(model="m", input=[*HI, item, result], tools=[PATCH])
        assert answer.output_text == "Done."
        called, told = play.sent()["messages"][1:]
        assert json.loads(called["tool_calls"][0]["function"]["arguments"]) == {"input": "*** Begin\nPatch"}
        assert told["content"] == "patched"


async def test_free_text_that_is_no_object_is_the_text(folder: Path) -> None:
    async with gateway(folder, call("apply_patch", "*** Begin")) as play:
        [item] = (await both_once(play, tools=[PATCH]))["output"]
        assert item["input"] == "*** Begin"


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "file_search", "vector_store_ids": ["vs"]},
        {"type": "code_interpreter", "container": {"type": "auto"}},
        {"type": "web_search"},
        {"type": "local_shell"},
        {"type": "tool_search"},
        {"type": "something_new"},
    ],
)
async def test_a_tool_that_the_model_cannot_use_is_refused_by_name(folder: Path, tool: dict[str, Any]) -> None:
    async with gateway(folder) as play:
        error = await refusal(play, tools=[FUNCTION, tool])
        assert tool["type"] in error["message"]
        assert error["param"].startswith("tools")
        assert not play.up.requests


async def test_another_model_that_can_use_the_tool_stands_in(folder: Path) -> None:
    config = '[providers.other]\nwire = "openai_responses"\nbase_url = "{up}/v1"\ntool_calls = "native"\n'
    config += '[server.routes.default]\nmodel = "up/m"\nfallbacks = ["other/m"]\n'
    async with gateway(folder, text("found"), config=config) as play:
        answer = await play.openai.responses.create(model="x", input="hi", tools=[{"type": "web_search"}])
        assert answer.output_text == "found"
        assert play.sent()["tools"] == [{"type": "web_search"}]


async def test_a_search_of_the_web_is_done_by_our_own_tool_where_it_is_offered(folder: Path) -> None:
    config = '[server]\ntools = ["web_search"]\n[permissions]\nweb_search = "allow"\n'
    async with gateway(folder, text("found"), config=config) as play:
        answer = await play.openai.responses.create(model="m", input="hi", tools=[{"type": "web_search"}])
        assert answer.output_text == "found"
        assert [tool["function"]["name"] for tool in play.sent()["tools"]] == ["web_search"]


async def test_every_tool_and_item_goes_on_to_a_responses_upstream_as_it_came(folder: Path) -> None:
    tools = [FUNCTION, TIME, PATCH, {"type": "local_shell"}, {"type": "something_new", "x": [1]}]
    items = [*HI, {"type": "shell_call", "call_id": "s", "action": {}}, {"type": "input_image", "file_id": "f"}]
    answer = {"id": "resp_up", "object": "response", "status": "completed", "output": [], "store": True}
    says = Says([json.dumps(answer).encode()], content_type="application/json")
    async with relaying(folder, says, wire="openai_responses") as play:
        body = {"model": "m", "input": items, "tools": tools, "text": {"format": {"type": "text"}}}
        told = await play.http.post("/v1/responses", json=body)
        assert (told.status_code, told.json()) == (200, answer)
        assert play.vendor.heard[0].json == body


async def test_namespaces_and_our_own_tools_go_together_on_the_responses_wire(folder: Path, mcp_url: str) -> None:
    """With tools that run here the request can't be sent on as it came."""
    config = with_server(folder, mcp_url)
    script = call("mcp__time__now", {"a": 1})
    async with gateway(folder, script, wire="openai_responses", config=config) as play:
        [item] = (await both_once(play, tools=[TIME]))["output"]
        assert (item["namespace"], item["name"]) == ("mcp__time", "now")
        names = [tool["name"] for tool in play.sent()["tools"]]
        assert "mcp__time__now" in names
        assert "mcp__play__echo" in names


@pytest.mark.parametrize("has_own", [False, True])
async def test_strictness_and_names_reach_chat_completions(folder: Path, mcp_url: str, has_own: bool) -> None:
    config = with_server(folder, mcp_url) if has_own else ""
    loose = {"type": "function", "name": "loose", "parameters": NUMBER}
    strict = {"type": "function", "name": "exact", "parameters": SEALED, "strict": True}
    form = {"type": "json_schema", "name": "sum", "schema": SEALED, "strict": True, "description": "A sum."}
    async with gateway(folder, text('{"a": 1}'), text("{}"), config=config) as play:
        await both_once(play, tools=[loose, strict], text={"format": form})
        told = {tool["function"]["name"]: tool["function"].get("strict") for tool in play.sent()["tools"]}
        assert (told["loose"], told["exact"]) == (None, True)
        assert play.sent()["response_format"] == {
            "type": "json_schema",
            "json_schema": {"name": "sum", "schema": SEALED, "strict": True, "description": "A sum."},
        }
        await both_once(play, text={"format": {"type": "json_object"}})
        assert play.sent()["response_format"] == {"type": "json_object"}


async def test_strictness_and_names_reach_responses(folder: Path) -> None:
    strict: Any = {"type": "function", "function": {"name": "exact", "parameters": SEALED, "strict": True}}
    form: Any = {"type": "json_schema", "json_schema": {"name": "sum", "schema": SEALED, "strict": True}}
    async with gateway(folder, text("{}"), text("{}"), wire="openai_responses") as play:
        messages: Any = HI
        await play.openai.chat.completions.create(
            model="m", messages=messages, tools=[ADD_CHAT, strict], response_format=form
        )
        assert {tool["name"]: tool["strict"] for tool in play.sent()["tools"]} == {"add": False, "exact": True}
        assert play.sent()["text"]["format"] == {
            "type": "json_schema",
            "name": "sum",
            "schema": SEALED,
            "strict": True,
        }
        loose: Any = {"type": "json_schema", "json_schema": {"name": "sum", "schema": SEALED}}
        await play.openai.chat.completions.create(model="m", messages=messages, response_format=loose)
        assert play.sent()["text"]["format"]["strict"] is False


async def test_the_vendors_client_reads_a_call_in_a_namespace(folder: Path) -> None:
    async with gateway(folder, call("mcp__time__now", {"a": 1})) as play:
        async with play.openai.responses.stream(model="m", input="hi", tools=[TIME]) as stream:
            response = await stream.get_final_response()
        [item] = response.output
        assert isinstance(item, openai.types.responses.ResponseFunctionToolCall)
        assert (item.namespace, item.name) == ("mcp__time", "now")
