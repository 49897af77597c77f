"""Calls that run here, shown to a plain Anthropic client as `tool_use` blocks with their results (on its wish)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from gateway_play import ADD, HI, Play, gateway, sse, whole, with_server

from toolpost.testing import Gate, Turn, call, calls, pause, text, turn

AS_TOOL_USE = {"x-toolpost-show-calls": "tool_use"}
ECHO = call("mcp__play__echo", {"text": "hi"}, id="call_1", chunk=4)
ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": HI}


def kinds(found: list[Any]) -> list[str]:
    return [block["type"] for block in found]


async def shown(folder: Path, mcp_url: str, *turns: Turn, **body: Any) -> tuple[list[Any], list[Any], str]:
    async with gateway(folder, *turns, config=with_server(folder, mcp_url)) as play:
        events = await play.events(headers=AS_TOOL_USE, **body)
    return events, *whole(events)


async def test_a_call_is_a_tool_use_that_grows_and_its_result_a_block_after_it(folder: Path, mcp_url: str) -> None:
    events, found, reason = await shown(folder, mcp_url, text("I look") + ECHO, text("done"))
    assert kinds(found) == ["text", "tool_use", "tool_result", "text"]
    assert reason == "end_turn"
    call_block, result = found[1], found[2]
    assert (call_block["name"], call_block["input"]) == ("mcp__play__echo", {"text": "hi"})
    assert (result["tool_use_id"], result["is_error"]) == (call_block["id"], False)
    assert "echo hi" in result["content"][0]["text"]
    at = [event for event in events if event.get("index") == 1]
    assert at[0]["content_block"]["input"] == {}
    assert [event["delta"]["type"] for event in at[1:-1]] == ["input_json_delta"] * (len(at) - 2)
    assert len(at) > 4
    assert at[-1]["type"] == "content_block_stop"
    assert {event["type"] for event in events if event["type"].startswith("toolpost")} == set()


async def test_the_arguments_come_while_the_model_writes_them(folder: Path, mcp_url: str) -> None:
    gate = Gate()
    writing = call("mcp__play__echo", '{"text": "hi"}', id="call_1", chunk=4)
    # The turn waits after the call was written, and before it ends.
    async with gateway(folder, writing + pause(gate), text("done"), config=with_server(folder, mcp_url)) as play:
        asked = {**ASK, "stream": True}
        async with play.http.stream("POST", "/v1/messages", json=asked, headers=AS_TOOL_USE) as answer:
            pieces: list[str] = []
            async for line in answer.aiter_lines():
                pieces.append(line)
                if "input_json_delta" in line and not gate.opened.is_set():
                    async with asyncio.timeout(10):
                        await gate.reached.wait()
                    gate.open()
    found, _ = whole(sse("\n".join(pieces)))
    assert found[0]["input"] == {"text": "hi"}


async def test_it_is_the_same_in_one_piece(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, ECHO, text("done"), config=with_server(folder, mcp_url)) as play:
        answer = (await play.http.post("/v1/messages", json=ASK, headers=AS_TOOL_USE)).json()
    assert kinds(answer["content"]) == ["tool_use", "tool_result", "text"]
    assert answer["content"][0]["input"] == {"text": "hi"}
    assert answer["stop_reason"] == "end_turn"


async def test_calls_side_by_side_have_their_results_after_them(folder: Path, mcp_url: str) -> None:
    both = calls(call("mcp__play__meet", {"name": "first"}), call("mcp__play__meet", {"name": "second"}))
    _, found, _ = await shown(folder, mcp_url, both, text("done"))
    assert kinds(found) == ["tool_use", "tool_use", "tool_result", "tool_result", "text"]
    assert {found[0]["id"], found[1]["id"]} == {found[2]["tool_use_id"], found[3]["tool_use_id"]}
    assert [one["input"] for one in found[:2]] == [{"name": "first"}, {"name": "second"}]


async def test_a_failure_is_a_result_that_says_so(folder: Path, mcp_url: str) -> None:
    _, found, _ = await shown(folder, mcp_url, call("mcp__play__fail"), text("done"))
    assert (kinds(found), found[1]["is_error"]) == (["tool_use", "tool_result", "text"], True)


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_arguments_that_cannot_be_read_fail_their_call_and_not_the_answer(
    folder: Path, mcp_url: str, is_streamed: bool
) -> None:
    turns = (call("mcp__play__echo", '{"text": hi'), ECHO, text("done"))
    async with gateway(folder, *turns, config=with_server(folder, mcp_url)) as play:
        answer = await play.http.post("/v1/messages", json={**ASK, "stream": is_streamed}, headers=AS_TOOL_USE)
    assert answer.status_code == 200
    if is_streamed:
        started = [one["content_block"] for one in sse(answer.text) if one["type"] == "content_block_start"]
    else:
        started = answer.json()["content"]
    assert kinds(started) == ["tool_use", "tool_result", "tool_use", "tool_result", "text"]
    assert [one["is_error"] for one in started if one["type"] == "tool_result"] == [True, False]


async def conversation(play: Play) -> list[dict[str, Any]]:
    """One answer with a call in it, as anthropic's client makes it of the stream, and the next question."""
    async with play.anthropic.messages.stream(**ASK, extra_headers=AS_TOOL_USE) as stream:
        answer = await stream.get_final_message()
    assert (answer.content[-1].text, answer.stop_reason) == ("done", "end_turn")
    said = [block.model_dump(exclude_none=True) for block in answer.content]
    assert kinds(said) == ["tool_use", "tool_result", "text"]
    return [*HI, {"role": "assistant", "content": said}, {"role": "user", "content": "and now?"}]


async def test_what_anthropics_client_has_seen_comes_back_as_it_was(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, ECHO, text("done"), ECHO, text("again"), config=with_server(folder, mcp_url)) as play:
        messages = await conversation(play)
        again = await play.anthropic.messages.create(
            **{**ASK, "messages": messages}, tools=[ADD], extra_headers=AS_TOOL_USE
        )
        sent = play.sent(2)["messages"]
    assert [one["role"] for one in sent] == ["user", "assistant", "tool", "assistant", "user"]
    assert "echo hi" in json.dumps(sent[2])
    assert sent[1]["tool_calls"][0]["function"]["name"] == "mcp__play__echo"
    # The model counts its calls from one again; the conversation has no id twice.
    assert again.content[0].id != messages[1]["content"][0]["id"]


@pytest.mark.parametrize("what", ["dropped", "answered again", "in the user's turn"])
async def test_clients_that_handle_the_result_otherwise_can_go_on(folder: Path, mcp_url: str, what: str) -> None:
    async with gateway(folder, ECHO, text("done"), text("again"), config=with_server(folder, mcp_url)) as play:
        messages = await conversation(play)
        called, result, said = messages[1]["content"]
        if what != "answered again":
            messages[1]["content"] = [called, said]
        if what != "dropped":
            another = {"type": "tool_result", "tool_use_id": called["id"], "content": "no such tool", "is_error": True}
            own = another if what == "answered again" else result
            messages[2]["content"] = [own, {"type": "text", "text": "and now?"}]
        answer = await play.anthropic.messages.create(**{**ASK, "messages": messages})
        assert answer.content[0].text == "again"
        told = json.dumps([one for one in play.sent()["messages"] if one["role"] == "tool"])
    assert ("echo hi" in told) == (what != "dropped")
    assert "no such tool" not in told


async def test_results_of_the_clients_own_calls_still_belong_into_the_users_turn(folder: Path) -> None:
    turn_of_it = [
        {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {}},
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "2"},
    ]
    async with gateway(folder) as play:
        body = {**ASK, "messages": [*HI, {"role": "assistant", "content": turn_of_it}]}
        told = await play.http.post("/v1/messages", json=body)
    assert (told.status_code, "must be in the next user message" in told.text) == (400, True)


async def test_calls_that_are_left_for_the_client_are_told_apart_from_ours(folder: Path, mcp_url: str) -> None:
    both = turn(calls(ECHO, call("add", {"a": 1}, id="call_2")))
    _, found, reason = await shown(folder, mcp_url, both, tools=[ADD])
    assert reason == "tool_use"
    assert kinds(found) == ["tool_use", "tool_result", "tool_use"]
    assert [one["id"].startswith("toolu_here_") for one in found if one["type"] == "tool_use"] == [True, False]


async def test_nothing_of_it_is_sent_to_an_upstream_that_would_not_know_it(folder: Path, mcp_url: str) -> None:
    async with gateway(
        folder, ECHO, text("done"), text("again"), wire="anthropic", config=with_server(folder, mcp_url)
    ) as play:
        messages = await conversation(play)
        await play.anthropic.messages.create(**{**ASK, "messages": messages}, tool_choice={"type": "none"})
        sent = play.sent()["messages"]
    assert [kinds(one["content"]) for one in sent if one["role"] == "assistant"] == [["tool_use"], ["text"]]
    assert sent[2]["role"] == "user"
    assert sent[2]["content"][0]["type"] == "tool_result"


async def test_an_unknown_wish_is_refused_with_those_that_there_are(folder: Path) -> None:
    async with gateway(folder, text("hi"), text("hi")) as play:
        told = await play.http.post("/v1/messages", json=ASK, headers={"x-toolpost-show-calls": "tool-use"})
        assert told.status_code == 400
        said = told.json()["error"]["message"]
        assert said == "x-toolpost-show-calls is 'tool-use': it must be 1, tool_use or 0"
        for known in ("True", "off"):
            told = await play.http.post("/v1/messages", json=ASK, headers={"x-toolpost-show-calls": known})
            assert told.status_code == 200
