"""What the gateway keeps between requests: as much as it says, and nothing of anybody else's."""

from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from gateway_play import HI, gateway

from toolpost.server.gateway.lru import LruCache, LruCaches
from toolpost.testing import reasoning, text

CALL = {"type": "function_call", "call_id": "c", "name": "add", "arguments": "{}"}


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_response_can_be_named_by_its_items(folder: Path, is_streamed: bool) -> None:
    async with gateway(folder, reasoning("hm") + text("a lathe"), text("it turns")) as play:
        if is_streamed:
            async with play.openai.responses.stream(model="m", input="what is it?") as stream:
                first = await stream.get_final_response()
        else:
            first = await play.openai.responses.create(model="m", input="what is it?")
        named = [{"type": "item_reference", "id": item.id} for item in first.output]
        said = [{"role": "user", "content": "what is it?"}, *named, {"role": "user", "content": "go on"}]
        await play.openai.responses.create(model="m", input=said)
        told = [(message["role"], message["content"]) for message in play.sent()["messages"]]
    assert told == [("user", "what is it?"), ("assistant", "a lathe"), ("user", "go on")]


async def test_what_shall_not_be_stored_is_not(folder: Path) -> None:
    async with gateway(folder, text("a lathe")) as play:
        first = await play.openai.responses.create(model="m", input="what is it?", store=False)
        named = [{"type": "item_reference", "id": item.id} for item in first.output]
        with pytest.raises(openai.BadRequestError, match="not stored here"):
            await play.openai.responses.create(model="m", input=named)


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    "named",
    [
        {"input": [*HI, {"type": "item_reference", "id": "msg_9"}, CALL, {"role": "user", "content": "go on"}]},
        {"input": [{"type": "function_call_output", "call_id": "c", "output": "2"}], "previous_response_id": "resp_9"},
    ],
    ids=["item", "response"],
)
async def test_what_the_models_own_server_keeps_can_be_named(
    folder: Path, named: dict[str, Any], is_streamed: bool
) -> None:
    async with gateway(folder, text("it turns"), wire="openai_responses") as play:
        answer = await play.http.post("/v1/responses", json={"model": "m", "stream": is_streamed, **named})
        assert "it turns" in answer.text
        assert {name: play.sent()[name] for name in named} == named
    async with gateway(folder, wire="openai_chat") as play:
        answer = await play.http.post("/v1/responses", json={"model": "m", "stream": is_streamed, **named})
        assert answer.status_code == 400
        assert "not stored here" in answer.text


async def test_a_thread_is_refused_in_words_that_clients_know(folder: Path) -> None:
    """Answered as if it were nothing, its next request would bring the end of the conversation alone."""
    async with gateway(folder) as play:
        thread = {"thread": {"type": "create"}}
        with pytest.raises(anthropic.BadRequestError, match="send all messages") as caught:
            await play.anthropic.messages.create(model="m", max_tokens=9, messages=HI, extra_body=thread)
    assert caught.value.body["error"]["details"]["error_code"] == "thread_unsupported_request"


def test_what_was_used_last_stays_longest() -> None:
    shelf = LruCache(most_bytes=10)
    shelf.put("a", b"1234")
    shelf.put("b", b"1234")
    assert shelf.get("a") == b"1234"
    shelf.put("c", b"1234")
    assert (shelf.get("a"), shelf.get("b"), shelf.get("c")) == (b"1234", None, b"1234")
    shelf.put("a", b"12")
    shelf.put("d", b"1234")
    assert (shelf.get("a"), shelf.get("c")) == (b"12", b"1234")
    shelf.put("e", b"more than there is room for")
    assert shelf.get("e") is None


def test_users_do_not_see_or_push_out_each_other() -> None:
    shelves = LruCaches(most_bytes=4)
    shelves.of("ada").put("a", b"1234")
    shelves.of("bob").put("b", b"1234")
    assert (shelves.of("ada").get("a"), shelves.of("bob").get("a")) == (b"1234", None)
