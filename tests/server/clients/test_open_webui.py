"""The requests that open-webui makes of an OpenAI connection, as it makes them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from gateway_play import WIRES, sse
from stage import PNG, Stage

from toolpost.testing import call, http_error, reasoning, text, turn
from toolpost.types.messages import Usage

TASK = '### Task:\nGenerate a concise title.\n### Output:\nJSON format: {"title": "your title"}'
SEARCH = {
    "type": "function",
    "function": {
        "name": "search_web",
        "description": "Search.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}
pytestmark = pytest.mark.asyncio(loop_scope="module")
every_wire = pytest.mark.parametrize("wire", WIRES)


async def post(stage: Stage, wire: str, **body: Any) -> Any:
    """A streamed answer's chunks, or the whole answer."""
    answer = await stage.http.post(
        "/v1/chat/completions", json={"model": stage.model(wire), **body}, headers=headers(stage)
    )
    assert answer.status_code == 200, answer.text
    return sse(answer.text) if body["stream"] else answer.json()


def headers(stage: Stage) -> Mapping[str, str]:
    user = {"X-OpenWebUI-User-Name": "Ann", "X-OpenWebUI-User-Id": "u-1", "X-OpenWebUI-Chat-Id": "c-1"}
    return {"Authorization": f"Bearer {stage.token}", "x-api-key": "", **user}


def deltas(chunks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [choice["delta"] for chunk in chunks for choice in chunk["choices"]]


async def test_its_list_of_models_is_filled(stage: Stage) -> None:
    listed = (await stage.http.get("/v1/models", headers=headers(stage))).json()
    assert listed["object"] == "list"
    assert "quick" in [model["id"] for model in listed["data"]]
    assert all(model["object"] == "model" for model in listed["data"])


@every_wire
async def test_a_chat_streams_with_reasoning_and_usage(stage: Stage, wire: str) -> None:
    stage.script(turn(reasoning("hm", chunk=1) + text("你好!", chunk=1), usage=Usage(12, 7)))
    said = [
        {"type": "text", "text": "what is it?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
    ]
    chunks = await post(
        stage,
        wire,
        stream=True,
        stream_options={"include_usage": True},
        messages=[{"role": "system", "content": "Be kind."}, {"role": "user", "content": said}],
    )
    told = deltas(chunks)
    assert "".join(delta.get("reasoning_content") or "" for delta in told) == "hm"
    assert "".join(delta.get("content") or "" for delta in told) == "你好!"
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert (chunks[-1]["choices"], chunks[-1]["usage"]["total_tokens"]) == ([], 19)
    assert PNG in json.dumps(stage.asked[-1])


@every_wire
async def test_its_tools_are_called_and_their_results_read(stage: Stage, wire: str) -> None:
    stage.script(text("I look.") + call("search_web", {"query": "cats"}, chunk=3), text("Cats sleep."))
    ask = {"stream": True, "tools": [SEARCH]}
    question = {"role": "user", "content": "Tell me of cats."}
    pieces = [
        one
        for delta in deltas(await post(stage, wire, **ask, messages=[question]))
        for one in delta.get("tool_calls", ())
    ]
    made = {"id": pieces[0]["id"], "type": "function", "function": {"name": pieces[0]["function"]["name"]}}
    made["function"]["arguments"] = "".join(piece["function"]["arguments"] for piece in pieces)
    assert {piece["index"] for piece in pieces} == {0}
    assert json.loads(made["function"]["arguments"]) == {"query": "cats"}
    answered = [
        {"role": "assistant", "content": "I look.", "tool_calls": [made]},
        {"role": "tool", "tool_call_id": made["id"], "content": "they sleep"},
    ]
    told = deltas(await post(stage, wire, **ask, messages=[question, *answered]))
    assert "".join(delta.get("content") or "" for delta in told) == "Cats sleep."
    assert "they sleep" in json.dumps(stage.asked[-1])


@every_wire
async def test_titles_and_tags_are_made_in_the_background(stage: Stage, wire: str) -> None:
    stage.script(text('{"title": "Cats"}'))
    asked = [{"role": "user", "content": TASK}]
    answer = await post(stage, wire, stream=False, max_completion_tokens=1000, messages=asked)
    assert json.loads(answer["choices"][0]["message"]["content"]) == {"title": "Cats"}
    assert "1000" in json.dumps(stage.asked[-1])


async def test_a_failure_is_told_in_words_that_it_shows(stage: Stage) -> None:
    stage.script(http_error(401, "no such key"))
    body = {"model": stage.model("gemini"), "stream": True, "messages": [{"role": "user", "content": "hi"}]}
    answer = await stage.http.post("/v1/chat/completions", json=body, headers=headers(stage))
    assert answer.status_code == 401
    assert "no such key" in answer.json()["error"]["message"]
