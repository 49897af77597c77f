"""Every field of a response, streamed and whole, as Open Responses requires it and the vendor's types have it."""

from pathlib import Path
from typing import Any

import pytest
from gateway_play import Play, gateway, sse
from responses_play import check_events, check_response

from toolpost.testing import call, error_object, reasoning, text, turn
from toolpost.types.messages import Usage

ADD: dict[str, Any] = {"type": "function", "name": "add", "parameters": {"type": "object", "properties": {}}}
USUAL: dict[str, Any] = {
    "presence_penalty": 0,
    "frequency_penalty": 0,
    "top_logprobs": 0,
    "max_tool_calls": None,
    "service_tier": "default",
    "safety_identifier": None,
    "prompt_cache_key": None,
    "temperature": 1,
    "top_p": 1,
    "truncation": "disabled",
    "tool_choice": "auto",
    "background": False,
    "store": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "text": {"format": {"type": "text"}},
    "metadata": {},
}
SAID: dict[str, Any] = {
    "presence_penalty": 0.5,
    "frequency_penalty": -0.5,
    "top_logprobs": 2,
    "max_tool_calls": 3,
    "service_tier": "flex",
    "safety_identifier": "user-7",
    "prompt_cache_key": "key-7",
    "temperature": 0.25,
    "top_p": 0.5,
    "truncation": "auto",
    "store": False,
    "max_output_tokens": 64,
    "instructions": "Be brief.",
    "metadata": {"a": "b"},
    "user": "ann",
    "parallel_tool_calls": False,
}


async def both(play: Play, **body: Any) -> list[dict[str, Any]]:
    """The answer whole and streamed, each checked."""
    asked = {"model": "m", "input": "hi", **body}
    whole = await play.http.post("/v1/responses", json=asked)
    assert whole.status_code == 200, whole.text
    streamed = await play.http.post("/v1/responses", json={**asked, "stream": True})
    return [check_response(whole.json()), check_events(sse(streamed.text))]


async def test_all_fields_have_their_defaults(folder: Path) -> None:
    script = turn(reasoning("hm") + text("hello") + call("add", {}), usage=Usage(12, 7))
    async with gateway(folder, script, script) as play:
        for response in await both(play, tools=[ADD]):
            assert {name: response[name] for name in USUAL} == USUAL
            assert response["tools"] == [{**ADD, "description": None, "strict": None}]
            assert response["usage"]["total_tokens"] == 19


async def test_all_fields_tell_what_the_request_said(folder: Path) -> None:
    said = {
        **SAID,
        "tools": [{**ADD, "strict": True, "description": "Add."}],
        "tool_choice": {"type": "allowed_tools", "tools": [{"type": "function", "name": "add"}]},
        "reasoning": {"effort": "low"},
        "text": {"format": {"type": "json_schema", "name": "sum", "schema": {"type": "object"}}, "verbosity": "low"},
    }
    async with gateway(folder, text("{}"), text("{}")) as play:
        for response in await both(play, **said):
            assert {name: response[name] for name in SAID} == SAID
            assert response["tools"] == said["tools"]
            assert response["tool_choice"] == {**said["tool_choice"], "mode": "auto"}
            assert response["reasoning"] == {"effort": "low", "summary": None}
            assert response["text"]["verbosity"] == "low"
            assert response["text"]["format"]["name"] == "sum"


async def test_penalties_reach_a_model_on_the_other_wire_of_openai(folder: Path) -> None:
    async with gateway(folder, text("a")) as play:
        await play.openai.responses.create(
            model="m", input="hi", extra_body={"presence_penalty": 0.5, "frequency_penalty": 0.25}
        )
        assert (play.sent()["presence_penalty"], play.sent()["frequency_penalty"]) == (0.5, 0.25)


async def test_an_answer_that_was_cut_and_one_that_failed_have_all_fields_too(folder: Path) -> None:
    async with gateway(folder, turn(text("half"), finish="length")) as play:
        streamed = await play.http.post("/v1/responses", json={"model": "m", "input": "hi", "stream": True})
        response = check_events(sse(streamed.text))
        assert (response["status"], response["incomplete_details"]) == ("incomplete", {"reason": "max_output_tokens"})
    async with gateway(folder, text("half") + error_object({"message": "it broke"})) as play:
        streamed = await play.http.post("/v1/responses", json={"model": "m", "input": "hi", "stream": True})
        *_, error, failed = sse(streamed.text)
        assert error["type"] == "error"
        assert check_response({**failed["response"]})["status"] == "failed"


@pytest.mark.parametrize("wire", ["openai_chat", "anthropic"])
async def test_a_call_with_arguments_that_cannot_be_read_is_completed(folder: Path, wire: str) -> None:
    script = call("add", '{"a": oops')
    async with gateway(folder, script, script, wire=wire) as play:
        for response in await both(play, tools=[ADD]):
            [item] = response["output"]
            assert (item["status"], item["arguments"], response["status"]) == ("completed", '{"a": oops', "completed")
