"""Responses and conversations that are kept: named by later requests, listed, deleted, and nobody else's."""

import json
from pathlib import Path
from typing import Any

import openai
import pytest
from gateway_play import Play, gateway
from openai import AsyncOpenAI
from openai.types.conversations import Conversation, ConversationItemList
from openai.types.responses import InputTokenCountResponse, ResponseItemList
from pydantic import TypeAdapter
from relay_play import Says, events, relaying
from responses_play import check_response

from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import call, http_error, reasoning, text

FUNCTION: Any = {"type": "function", "name": "add", "parameters": {"type": "object", "properties": {}}}
USERS = """
[server.users.ann]
token_env = "ANN"
[server.users.bob]
token_env = "BOB"
"""
TOKENS = {"ann": "the-token-of-ann-0", "bob": "the-token-of-bob-0"}


def said(play: Play) -> list[tuple[str, Any]]:
    return [(message["role"], message.get("content")) for message in play.sent()["messages"]]


def as_user(play: Play, name: str) -> AsyncOpenAI:
    return AsyncOpenAI(base_url=f"{play.url}/v1", api_key=TOKENS[name], max_retries=0, timeout=20.0)


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_response_goes_on_from_an_earlier_one(folder: Path, is_streamed: bool) -> None:
    async with gateway(folder, reasoning("hm") + text("Hello Ann."), text("Ann."), text("Bye.")) as play:
        ask = play.openai.responses
        if is_streamed:
            async with ask.stream(model="m", input="I am Ann.", instructions="Be kind.") as stream:
                first = await stream.get_final_response()
        else:
            first = await ask.create(model="m", input="I am Ann.", instructions="Be kind.")
        second = await ask.create(model="m", input=[{"role": "user", "content": "Who?"}], previous_response_id=first.id)
        assert second.previous_response_id == first.id
        # Instructions are those of one request only.
        assert said(play) == [("user", "I am Ann."), ("assistant", "Hello Ann."), ("user", "Who?")]
        await ask.create(model="m", input="Bye", previous_response_id=second.id, store=False)
        assert [content for _, content in said(play)] == ["I am Ann.", "Hello Ann.", "Who?", "Ann.", "Bye"]


async def test_a_call_of_an_earlier_response_gets_its_result(folder: Path) -> None:
    async with gateway(folder, call("add", {"a": 1}, id="call_1"), text("2")) as play:
        first = await play.openai.responses.create(model="m", input="add", tools=[FUNCTION])
        [item] = first.output
        assert item.type == "function_call"
        result: Any = {"type": "function_call_output", "call_id": item.call_id, "output": "2"}
        second = await play.openai.responses.create(
            model="m", input=[result], previous_response_id=first.id, tools=[FUNCTION]
        )
        assert second.output_text == "2"
        assert [role for role, _ in said(play)] == ["user", "assistant", "tool"]


async def test_a_response_is_got_listed_and_deleted(folder: Path) -> None:
    async with gateway(folder, text("Hello.")) as play:
        asked: Any = [{"role": "user", "content": "one"}, {"role": "developer", "content": "two"}]
        made = (await play.http.post("/v1/responses", json={"model": "m", "input": asked})).json()
        got = (await play.http.get(f"/v1/responses/{made['id']}")).json()
        assert check_response(got) == made
        listed = (await play.http.get(f"/v1/responses/{made['id']}/input_items")).json()
        TypeAdapter(ResponseItemList).validate_python(listed, strict=True)
        assert [item["content"][0]["text"] for item in listed["data"]] == ["two", "one"]
        items = play.openai.responses.input_items
        page = await items.list(made["id"], limit=1, order="asc")
        assert [item.role async for item in page if item.type == "message"] == ["user", "developer"]
        assert (await play.http.delete(f"/v1/responses/{made['id']}")).json() == {
            "id": made["id"],
            "object": "response",
            "deleted": True,
        }
        with pytest.raises(openai.NotFoundError):
            await play.openai.responses.retrieve(made["id"])
        with pytest.raises(openai.NotFoundError):
            await play.openai.responses.delete(made["id"])
        with pytest.raises(openai.BadRequestError) as caught:
            await play.openai.responses.create(model="m", input="a", previous_response_id=made["id"])
        assert (caught.value.param, caught.value.code) == ("previous_response_id", "previous_response_not_found")


@pytest.mark.parametrize("query", ["limit=0", "limit=x", "order=up", "after=nothing"])
async def test_a_list_that_is_asked_for_wrongly_is_refused(folder: Path, query: str) -> None:
    async with gateway(folder, text("Hello.")) as play:
        made = await play.openai.responses.create(model="m", input="hi")
        answer = await play.http.get(f"/v1/responses/{made.id}/input_items?{query}")
        assert answer.status_code == 400
        assert query.partition("=")[0] in answer.json()["error"]["message"]


async def test_a_response_that_is_not_to_be_stored_is_not(folder: Path) -> None:
    async with gateway(folder, text("Hello.")) as play:
        made = await play.openai.responses.create(model="m", input="hi", store=False)
        assert json.loads(made.model_dump_json())["store"] is False
        with pytest.raises(openai.NotFoundError):
            await play.openai.responses.retrieve(made.id)


async def test_what_one_user_keeps_is_not_there_for_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, token in TOKENS.items():
        monkeypatch.setenv(name.upper(), token)
    async with gateway(folder, text("A secret."), config=USERS) as play:
        ann, bob = as_user(play, "ann"), as_user(play, "bob")
        async with ann, bob:
            made = await ann.responses.create(model="m", input="hi")
            talk = await ann.conversations.create()
            assert (await ann.responses.retrieve(made.id)).output_text == "A secret."
            for missing in (
                bob.responses.retrieve(made.id),
                bob.responses.delete(made.id),
                bob.responses.input_items.list(made.id),
                bob.conversations.retrieve(talk.id),
                bob.conversations.delete(talk.id),
                bob.conversations.items.list(talk.id),
                bob.conversations.items.create(talk.id, items=[{"role": "user", "content": "a"}]),
                bob.responses.create(model="m", input="a", conversation=talk.id),
            ):
                with pytest.raises(openai.NotFoundError):
                    await missing
            with pytest.raises(openai.BadRequestError, match="previous_response_id"):
                await bob.responses.create(model="m", input="a", previous_response_id=made.id)
            item = {"type": "item_reference", "id": made.output[0].id}
            with pytest.raises(openai.BadRequestError, match=r"input\[1\].id"):
                await bob.responses.create(model="m", input=[{"role": "user", "content": "a"}, item])  # type: ignore[list-item]
            assert len(play.up.requests) == 1
            assert (await ann.responses.delete(made.id)) is None


async def test_a_server_that_keeps_nothing_says_so_with_the_field(folder: Path) -> None:
    config = "[server.responses]\nmost = 0\n"
    async with gateway(folder, text("Hello."), config=config) as play:
        made = await play.openai.responses.create(model="m", input="hi")
        assert json.loads(made.model_dump_json())["store"] is False
        for given in ({"previous_response_id": made.id}, {"conversation": "conv_1"}):
            answer = await play.http.post("/v1/responses", json={"model": "m", "input": "a", **given})
            assert answer.status_code == 400
            assert answer.json()["error"]["param"] == next(iter(given))
        assert (await play.http.get(f"/v1/responses/{made.id}")).status_code == 400
        assert (await play.http.post("/v1/conversations", json={})).status_code == 400


async def test_no_more_responses_are_kept_than_the_limit_says(folder: Path) -> None:
    config = "[server.responses]\nmost = 2\n"
    async with gateway(folder, *[text("a")] * 3, config=config) as play:
        made = [(await play.openai.responses.create(model="m", input="hi")).id for _ in range(3)]
        found = [(await play.http.get(f"/v1/responses/{one}")).status_code for one in made]
        assert found == [404, 200, 200]


async def test_a_conversation_that_grows_counts_at_once(folder: Path) -> None:
    config = "[server.responses]\nmost_bytes = 5000\n"
    async with gateway(folder, config=config) as play:
        older, newer = [(await play.http.post("/v1/conversations", json={})).json()["id"] for _ in range(2)]
        grown = f"/v1/conversations/{newer}/items"
        added = {"items": [{"type": "message", "role": "user", "content": "x" * 4800}]}
        assert (await play.http.post(grown, json=added)).status_code == 200
        assert (await play.http.get(f"/v1/conversations/{older}")).status_code == 404
        refused = await play.http.post(grown, json=added)
        assert (refused.status_code, "larger than 5,000 bytes" in refused.text) == (400, True)
        assert len((await play.http.get(grown)).json()["data"]) == 1


async def test_responses_outlive_the_server(folder: Path) -> None:
    async with gateway(folder, text("Hello."), store=SqliteStore(folder / "kept.db")) as play:
        made = await play.openai.responses.create(model="m", input="hi")
    async with gateway(folder, text("Again."), store=SqliteStore(folder / "kept.db")) as play:
        assert (await play.openai.responses.retrieve(made.id)).output_text == "Hello."
        again: Any = [{"type": "item_reference", "id": made.output[0].id}, {"role": "user", "content": "more"}]
        await play.openai.responses.create(model="m", input=again)
        assert said(play) == [("assistant", "Hello."), ("user", "more")]


async def test_a_conversation_grows_with_its_responses(folder: Path) -> None:
    async with gateway(folder, text("Hello Ann."), text("Ann.")) as play:
        client = play.openai
        begun = [{"type": "message", "role": "developer", "content": "Be kind."}]
        made = (await play.http.post("/v1/conversations", json={"metadata": {"a": "b"}, "items": begun})).json()
        TypeAdapter(Conversation).validate_python(made, strict=True)
        first = await client.responses.create(model="m", input="I am Ann.", conversation=made["id"])
        assert first.conversation is not None
        assert first.conversation.id == made["id"]
        await client.responses.create(model="m", input="Who?", conversation={"id": made["id"]}, store=False)
        assert [content for _, content in said(play)] == ["Be kind.", "I am Ann.", "Hello Ann.", "Who?"]
        listed = (await play.http.get(f"/v1/conversations/{made['id']}/items?order=asc")).json()
        TypeAdapter(ConversationItemList).validate_python(listed, strict=True)
        texts = [item["content"][0]["text"] for item in listed["data"]]
        assert texts == ["Be kind.", "I am Ann.", "Hello Ann.", "Who?", "Ann."]
        with pytest.raises(openai.BadRequestError) as caught:
            await client.responses.create(model="m", input="a", conversation=made["id"], previous_response_id=first.id)
        assert caught.value.param == "conversation"


async def test_a_conversation_is_changed_item_by_item(folder: Path) -> None:
    async with gateway(folder) as play:
        talks = play.openai.conversations
        made = await talks.create(metadata={"a": "b"})
        assert (await talks.retrieve(made.id)).metadata == {"a": "b"}
        assert (await talks.update(made.id, metadata={"c": "d"})).metadata == {"c": "d"}
        added = await talks.items.create(
            made.id, items=[{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]
        )
        one = added.data[0]
        assert one.type == "message"
        assert (await talks.items.retrieve(one.id, conversation_id=made.id)) == one
        await talks.items.delete(one.id, conversation_id=made.id)
        assert [item.id async for item in await talks.items.list(made.id)] == [added.data[1].id]
        with pytest.raises(openai.NotFoundError):
            await talks.items.retrieve(one.id, conversation_id=made.id)
        deleted = await talks.delete(made.id)
        assert deleted.deleted
        with pytest.raises(openai.NotFoundError):
            await talks.retrieve(made.id)
        with pytest.raises(openai.NotFoundError):
            await play.openai.responses.create(model="m", input="a", conversation=made.id)


def response_of(answer: str, response_id: str, **fields: Any) -> dict[str, Any]:
    content = [{"type": "output_text", "text": answer, "annotations": []}]
    message = {"type": "message", "id": f"msg_{response_id}", "role": "assistant", "status": "completed"}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return {
        "id": response_id,
        "object": "response",
        "status": "completed",
        "output": [{**message, "content": content}],
        "usage": usage,
        **fields,
    }


def whole(response: dict[str, Any]) -> Says:
    return Says([json.dumps(response).encode()], content_type="application/json")


def streamed(response: dict[str, Any]) -> Says:
    delta = {"type": "response.output_text.delta", "delta": "x", "item_id": "a", "output_index": 0}
    return Says(
        events(
            {"type": "response.created", "response": {}}, delta, {"type": "response.completed", "response": response}
        )
    )


async def test_an_upstream_that_repeats_an_id_makes_no_response_follow_itself(folder: Path) -> None:
    answers = [whole(response_of(text, "resp_1", store=False)) for text in ("a", "b")]
    async with relaying(folder, *answers, wire="openai_responses") as play:
        assert (await play.http.post("/v1/responses", json={"model": "m", "input": "one"})).status_code == 200
        more = {"model": "m", "input": "more", "previous_response_id": "resp_1"}
        assert (await play.http.post("/v1/responses", json=more)).status_code == 200
        assert (await play.http.get("/v1/responses/resp_1")).status_code == 404


@pytest.mark.parametrize("says", [whole, streamed])
async def test_an_upstream_that_keeps_its_responses_is_asked_to_go_on_from_them(folder: Path, says: Any) -> None:
    first = response_of("Hello.", "resp_1", store=True)
    async with relaying(folder, says(first), whole(response_of("b", "resp_2")), wire="openai_responses") as play:
        body = {"model": "m", "input": "hi", "stream": says is streamed}
        await play.http.post("/v1/responses", json=body)
        assert (await play.http.get("/v1/responses/resp_1")).json() == first
        listed = (await play.http.get("/v1/responses/resp_1/input_items")).json()
        assert [item["content"][0]["text"] for item in listed["data"]] == ["hi"]
        more = {"model": "m", "input": "more", "previous_response_id": "resp_1"}
        assert (await play.http.post("/v1/responses", json=more)).status_code == 200
        assert play.vendor.heard[1].json == more


@pytest.mark.parametrize("says", [whole, streamed])
async def test_an_upstream_that_keeps_nothing_gets_all_items(folder: Path, says: Any) -> None:
    first = response_of("Hello.", "resp_1", store=False)
    async with relaying(folder, says(first), whole(response_of("b", "resp_2")), wire="openai_responses") as play:
        await play.http.post("/v1/responses", json={"model": "m", "input": "hi", "stream": says is streamed})
        more = {"model": "m", "input": "more", "previous_response_id": "resp_1", "unknown": [1]}
        assert (await play.http.post("/v1/responses", json=more)).status_code == 200
        sent = play.vendor.heard[1].json
        assert "previous_response_id" not in sent
        assert sent["unknown"] == [1]
        assert [(item["role"], item["content"][0]["text"]) for item in sent["input"]] == [
            ("user", "hi"),
            ("assistant", "Hello."),
            ("user", "more"),
        ]
        # Ids that were made up here mean nothing there.
        assert [item.get("id") for item in sent["input"]] == [None, "msg_resp_1", None]


async def test_a_response_that_only_the_upstream_knows_is_left_to_it(folder: Path) -> None:
    async with relaying(folder, whole(response_of("b", "resp_2")), wire="openai_responses") as play:
        body = {"model": "m", "input": "more", "previous_response_id": "resp_of_last_year"}
        assert (await play.http.post("/v1/responses", json=body)).status_code == 200
        assert play.vendor.heard[0].json == body


async def test_tokens_are_counted_without_asking_a_model(folder: Path) -> None:
    async with gateway(folder, text("Hello.")) as play:
        first = await play.openai.responses.create(model="m", input="a" * 400)
        short = await play.openai.responses.input_tokens.count(model="m", input="hi")
        after = await play.openai.responses.input_tokens.count(
            input="hi", previous_response_id=first.id, tools=[FUNCTION]
        )
        assert 1 <= short.input_tokens < 20
        assert after.input_tokens > 100
        body = (await play.http.post("/v1/responses/input_tokens", json={"model": "m", "input": "hi"})).json()
        TypeAdapter(InputTokenCountResponse).validate_python(body, strict=True)
        assert len(play.up.requests) == 1


async def test_tokens_are_counted_by_an_upstream_that_can(folder: Path) -> None:
    counted = {"object": "response.input_tokens", "input_tokens": 4711}
    async with relaying(folder, whole(counted), wire="openai_responses") as play:
        assert (await play.openai.responses.input_tokens.count(model="m", input="hi")).input_tokens == 4711
        assert play.vendor.heard[0].path == "/v1/responses/input_tokens"


async def test_a_conversation_is_compacted_and_gone_on_from(folder: Path) -> None:
    async with gateway(folder, text("Ann asked for 42."), text("42")) as play:
        talk: Any = [
            {"role": "user", "content": "I am Ann. Find 42."},
            {"type": "function_call", "call_id": "c", "name": "find", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "found: 42"},
            {"role": "assistant", "content": "It is 42."},
        ]
        compacted = await play.openai.responses.compact(model="m", input=talk)
        assert compacted.object == "response.compaction"
        assert "found: 42" in play.sent()["messages"][0]["content"]
        assert "tools" not in play.sent()
        kinds = [item.type for item in compacted.output]
        assert kinds == ["message", "compaction"]
        assert compacted.usage.total_tokens >= 0
        # Its types know no message of the user's in an output, though its server sends them.
        more: Any = [item.model_dump(exclude_none=True, warnings=False) for item in compacted.output]
        answer = await play.openai.responses.create(model="m", input=[*more, {"role": "user", "content": "What?"}])
        assert answer.output_text == "42"
        texts = [content for _, content in said(play)]
        assert texts == ["I am Ann. Find 42.", "<summary>\nAnn asked for 42.\n</summary>", "What?"]


async def test_a_conversation_is_compacted_by_an_upstream_that_can(folder: Path) -> None:
    item = {"id": "cmp_1", "type": "compaction", "encrypted_content": "gAAA"}
    told = {"id": "resp_c", "object": "response.compaction", "created_at": 1, "output": [item], "usage": {}}
    refused = Says([b"{}"], 404, content_type="application/json")
    answer = whole(response_of("b", "resp_2"))
    async with relaying(folder, whole(told), answer, refused, wire="openai_responses") as play:
        body = {"model": "m", "input": "hi"}
        assert (await play.http.post("/v1/responses/compact", json=body)).json() == told
        assert play.vendor.heard[0].path == "/v1/responses/compact"
        # What it sealed goes back to it as it came.
        more = {"model": "m", "input": [item, {"role": "user", "content": "more"}]}
        assert (await play.http.post("/v1/responses", json=more)).status_code == 200
        assert play.vendor.heard[1].json == more


async def test_a_failure_while_compacting_is_told(folder: Path) -> None:
    async with gateway(folder, http_error(400, {"error": {"message": "too long"}})) as play:
        with pytest.raises(openai.BadRequestError, match="too long"):
            await play.openai.responses.compact(model="m", input="hi")


async def test_a_stream_is_kept_before_its_end_is_told(folder: Path) -> None:
    """Who has read the end may go on from it at once, also through another worker."""
    async with gateway(folder, text("Hello.")) as play:
        body = {"model": "m", "input": "hi", "stream": True}
        async with play.http.stream("POST", "/v1/responses", json=body) as answer:
            async for line in answer.aiter_lines():
                if line.startswith('data: {"type":"response.completed"'):
                    response = json.loads(line[6:])["response"]
                    break
            assert (await play.http.get(f"/v1/responses/{response['id']}")).json() == response
    assert response["status"] == "completed"
