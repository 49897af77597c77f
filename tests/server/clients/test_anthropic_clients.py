"""Anthropic's own clients, from npm and from PyPI in every generation, with every wire behind the gateway."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from driven import Driver, SceneFailed
from gateway_play import ADD, HI, WIRES
from stage import Stage

from toolpost.testing import Turn, call, calls, cut, http_error, reasoning, stall, text, turn
from toolpost.types.messages import Usage

CLIENTS = {
    "npm 0": ("node", {"version": 0}),
    "npm 1": ("node", {"version": 1}),
    "pypi 0": ("python:anthropic-0", {}),
    "pypi 1": ("python:anthropic-1", {}),
    "pypi 2": ("python", {}),
}
every_wire = pytest.mark.parametrize("wire", WIRES)
streamed_or_not = pytest.mark.parametrize("streamed", [True, False])
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.parametrize("client", CLIENTS)]


class Client:
    """Plays scenes on the stage; more than `messages` is what the request says besides."""

    def __init__(self, driver: Driver, settings: dict[str, Any], stage: Stage) -> None:
        self._driver = driver
        self._settings = settings
        self._stage = stage

    async def __call__(self, scene: str, wire: str = "openai_chat", token: str = "", **more: Any) -> Any:
        body = {"model": self._stage.model(wire), "max_tokens": 1000, "messages": HI, **more.pop("body", {})}
        settings = {"body": body, **self._settings, **more}
        return await self._driver.play(f"anthropic.{scene}", self._stage.url, token or self._stage.token, **settings)


@pytest.fixture
def do(driver: Callable[[str], Driver], client: str, stage: Stage) -> Client:
    name, settings = CLIENTS[client]
    return Client(driver(name), settings, stage)


@every_wire
async def test_thinking_text_and_calls_come_through_a_stream(stage: Stage, do: Client, wire: str) -> None:
    script = reasoning("hm") + text("你好, hello", chunk=1)
    script += calls(call("add", {"a": 1}, chunk=3), call("add", {"a": 2}, chunk=1))
    stage.script(turn(script, usage=Usage(12, 7)))
    told = await do("stream", wire, body={"tools": [ADD]})
    thought, said, *called = told["message"]["content"]
    assert (thought["thinking"], said["text"], "".join(told["texts"])) == ("hm", "你好, hello", "你好, hello")
    assert len(told["texts"]) > 5
    assert [(block["name"], block["input"]) for block in called] == [("add", {"a": 1}), ("add", {"a": 2})]
    assert told["message"]["stop_reason"] == "tool_use"
    usage = told["message"]["usage"]
    assert (usage["input_tokens"], usage["output_tokens"]) == (12, 7)


@every_wire
async def test_the_same_comes_in_one_piece(stage: Stage, do: Client, wire: str) -> None:
    stage.script(turn(text("hello") + call("add", {"a": 1}), usage=Usage(12, 7)))
    told = await do("create", wire, body={"tools": [ADD]})
    said, called = told["content"]
    assert (said["text"], called["name"], called["input"]) == ("hello", "add", {"a": 1})
    assert (told["stop_reason"], told["usage"]["input_tokens"], told["usage"]["output_tokens"]) == ("tool_use", 12, 7)


@every_wire
@streamed_or_not
async def test_the_tool_runner_works_to_the_end(stage: Stage, do: Client, wire: str, streamed: bool) -> None:
    both = calls(call("add", {"a": 1, "b": 2}), call("add", {"a": 3, "b": 4}, chunk=2))
    stage.script(reasoning("hm") + text("I add") + both, call("add", {"a": 13, "b": 7}), text("it is 20"))
    told = await do("toolRunner", wire, streamed=streamed)
    assert told["seen"] == [[1, 2], [3, 4], [13, 7]]
    assert (told["message"]["content"][-1]["text"], told["message"]["stop_reason"]) == ("it is 20", "end_turn")
    assert all(f'"{result}"' in json.dumps(stage.asked[-1]) for result in ("3", "7", "20"))


@pytest.mark.parametrize(("wire", "streamed"), [*((wire, True) for wire in WIRES), ("openai_chat", False)])
async def test_mcp_servers_of_the_request_are_called_and_shown(
    stage: Stage, do: Client, wire: str, streamed: bool
) -> None:
    stage.script(text("I ask") + call("mcp__own__echo", {"text": "hi"}, chunk=3), text("done"), text("no more"))
    toolset = {"type": "mcp_toolset", "mcp_server_name": "own"}
    brought = {"mcp_servers": [{"type": "url", "name": "own", "url": stage.mcp_url}], "tools": [toolset]}
    told = await do("mcp", wire, body=brought, streamed=streamed)
    asked, used, result, said = told["content"]
    assert (asked["text"], said["text"], told["stop_reason"]) == ("I ask", "done", "end_turn")
    assert (used["type"], used["server_name"], used["name"]) == ("mcp_tool_use", "own", "echo")
    assert (used["input"], result["tool_use_id"], result["is_error"]) == ({"text": "hi"}, used["id"], False)
    assert "play: echo hi" in json.dumps(result["content"])
    # What the client was told, it can send again.
    said = [*HI, {"role": "assistant", "content": told["content"]}, {"role": "user", "content": "and?"}]
    again = await do("mcp", wire, body={**brought, "messages": said}, streamed=streamed)
    assert again["content"][0]["text"] == "no more"
    assert "play: echo hi" in json.dumps(stage.asked[-1])


@streamed_or_not
async def test_calls_that_run_here_are_tool_uses_with_their_results_where_that_is_asked_for(
    stage: Stage, do: Client, streamed: bool
) -> None:
    stage.script(text("I ask") + call("mcp__own__echo", {"text": "hi"}, chunk=3), text("done"), text("no more"))
    brought = {"mcp_servers": [{"type": "url", "name": "own", "url": stage.mcp_url}]}
    headers = {"x-toolpost-show-calls": "tool_use"}
    message = await do("mcp", body=brought, headers=headers, streamed=streamed)
    asked, used, result, said = message["content"]
    assert (asked["text"], said["text"], message["stop_reason"]) == ("I ask", "done", "end_turn")
    assert (used["type"], used["name"], used["input"]) == ("tool_use", "mcp__own__echo", {"text": "hi"})
    assert (result["type"], result["tool_use_id"], result["is_error"]) == ("tool_result", used["id"], False)
    assert "play: echo hi" in json.dumps(result["content"])
    # What the client was told, it can send again.
    before = [*HI, {"role": "assistant", "content": message["content"]}, {"role": "user", "content": "and?"}]
    again = await do("mcp", body={**brought, "messages": before}, headers=headers, streamed=streamed)
    assert again["content"][0]["text"] == "no more"
    assert "play: echo hi" in json.dumps(stage.asked[-1])


@every_wire
async def test_an_answer_has_the_form_that_was_asked_for(stage: Stage, do: Client, wire: str) -> None:
    stage.script(text('{"city": "Oslo", "degrees": 4.5}', chunk=5))
    assert await do("parse", wire) == {"city": "Oslo", "degrees": 4.5}
    assert "degrees" in json.dumps(stage.asked[-1])


async def test_events_come_in_the_wires_order(stage: Stage, do: Client) -> None:
    stage.script(text("hello", chunk=3))
    kinds = await do("events")
    block = ["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"]
    assert [kind for kind in kinds if kind != "ping"] == ["message_start", *block, "message_delta", "message_stop"]


async def test_tokens_are_counted(do: Client) -> None:
    few = await do("countTokens")
    many = await do("countTokens", body={"tools": [ADD], "system": "Be brief."})
    assert 0 < few["input_tokens"] < many["input_tokens"]


async def test_models_are_listed_page_by_page(do: Client) -> None:
    up = "openai_chat_up"
    listed = await do("models", limit=1)
    assert listed[:4] == ["quick", f"{up}/first", f"{up}/second", "up/m"]
    # What a server on this machine says that it has.
    assert f"{up}/scripted" in listed
    assert len(set(listed)) == len(listed)
    assert await do("model", model=f"{up}/first") == f"{up}/first"
    with pytest.raises(SceneFailed) as caught:
        await do("model", model="nobody")
    assert (caught.value.status, caught.value.name) == (404, "NotFoundError")


@pytest.mark.parametrize("scene", ["stream", "create"])
@pytest.mark.parametrize(
    ("failure", "name", "status", "kind"),
    [
        (http_error(401, "no such key"), "AuthenticationError", 401, "authentication_error"),
        (http_error(404, "no such model"), "NotFoundError", 404, "not_found_error"),
        (http_error(400, "odd"), "BadRequestError", 400, "invalid_request_error"),
        (http_error(429, "slow"), "RateLimitError", 429, "rate_limit_error"),
        (http_error(529, "full"), None, 529, "overloaded_error"),
        (http_error(500, "oops"), "InternalServerError", 500, "api_error"),
    ],
    ids=["401", "404", "400", "429", "529", "500"],
)
async def test_a_refusal_is_the_error_that_clients_know(
    stage: Stage, do: Client, scene: str, failure: Turn, name: str | None, status: int, kind: str
) -> None:
    stage.script(failure)
    with pytest.raises(SceneFailed) as caught:
        await do(scene)
    assert (caught.value.status, caught.value.kind) == (status, kind)
    assert name in (caught.value.name, None)


async def test_a_stream_that_breaks_is_an_error(stage: Stage, do: Client) -> None:
    stage.script(text("half") + cut())
    with pytest.raises(SceneFailed) as caught:
        await do("stream")
    assert caught.value.kind == "api_error"


async def test_another_token_is_refused(do: Client) -> None:
    with pytest.raises(SceneFailed) as caught:
        await do("create", token="a-token-of-someone-else")
    assert (caught.value.name, caught.value.status) == ("AuthenticationError", 401)


async def test_a_client_that_leaves_ends_the_models_answer(stage: Stage, do: Client) -> None:
    stage.script(text("half") + stall())
    ended = stage.up.total - stage.up.open
    await do("leave")
    await stage.up.closed(ended + 1, timeout=2.0)
