"""Same wire in and out: what is said on either side reaches the other as it was said."""

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from gateway_play import HI, broken, sse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from relay_play import KEY, Says, chunks, events, relaying

USAGE = {"input_tokens": 12, "output_tokens": 1, "cache_read_input_tokens": 3, "service_tier": "priority"}
MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m-2026", "content": [], "usage": USAGE}
SIGNED = "EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds"
CITED = {"type": "char_location", "cited_text": "grass", "document_index": 0, "start_char_index": 0}
ODD = {"type": "a_block_of_next_year", "of": {"things": [1, None]}}
START = {"type": "message_start", "message": MESSAGE}
STOP = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}}
ANSWER = events(
    START,
    {"type": "ping"},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": SIGNED}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": ODD},
    {"type": "content_block_stop", "index": 1},
    {"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": "", "citations": []}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": 'say "message_stop" 你好'}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "citations_delta", "citation": CITED}},
    {"type": "content_block_stop", "index": 2},
    {"type": "an_event_of_next_year", "why": "not"},
    {**STOP, "context_management": {"applied_edits": []}},
    {"type": "message_stop"},
)
WHOLE = {**MESSAGE, "content": [{"type": "text", "text": "hello"}, ODD], "stop_reason": "end_turn", "container": None}
ASK: dict[str, Any] = {"model": "claude-x", "max_tokens": 100, "messages": HI}
SPENT = 'toolpost_tokens_total{{model="up/m",kind="{}"}} {}'


def document(value: Any, **more: Any) -> Says:
    return Says([json.dumps(value).encode()], content_type="application/json", **more)


async def spent(play: Any) -> tuple[bool, bool]:
    told = (await play.http.get("/metrics")).text
    return SPENT.format("input", 15) in told, SPENT.format("output", 7) in told


async def test_a_stream_comes_back_to_the_byte(folder: Path) -> None:
    async with relaying(folder, Says(ANSWER)) as play:
        assert await play.streamed("/v1/messages", **ASK) == b"".join(ANSWER)
        assert await spent(play) == (True, True)


@given(
    cuts=st.lists(st.integers(1, 3000), max_size=40), end=st.sampled_from(["\n", "\r\n", "\r"]), bytewise=st.booleans()
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_wherever_the_bytes_are_cut_they_come_back_the_same(
    folder: Path, cuts: list[int], end: str, bytewise: bool
) -> None:
    """Cut anywhere, in the middle of a character or of a line's end, or byte by byte."""
    whole = b"".join(ANSWER).replace(b"\n", end.encode())
    places = sorted({min(cut, len(whole)) for cut in cuts}) if cuts or not bytewise else range(1, len(whole))
    pieces = [whole[start:stop] for start, stop in pairwise([0, *places, len(whole)])]
    async with relaying(folder, Says(pieces)) as play:
        assert await play.streamed("/v1/messages", **ASK) == whole
        assert await spent(play) == (True, True)


async def test_a_whole_answer_comes_back_to_the_byte(folder: Path) -> None:
    body = json.dumps({**WHOLE, "usage": {**USAGE, "output_tokens": 7}}, indent=2).encode()
    async with relaying(folder, Says([body], content_type="application/json")) as play:
        answer = await play.http.post("/v1/messages", json=ASK)
        assert (answer.content, answer.headers["content-type"]) == (body, "application/json")
        assert await spent(play) == (True, True)


async def test_the_body_goes_on_as_it_came_but_for_its_model(folder: Path) -> None:
    body = (
        b'{"model": "claude-x", "max_tokens":  5, "messages":[{"role":"user","content":[{"type":"text",'
        b'"text":"h\\u00ef","cache_control":{"type":"ephemeral","ttl":"1h"}},{"type":"of_next_year","x":1.50}]}],'
        b'"context_management":{"edits":[]},"container":{"skills":[]},"of_next_year": [1e2, -0.0, null], "top_k": 1}'
    )
    async with relaying(folder, document(WHOLE)) as play:
        await play.http.post("/v1/messages", content=body)
        sent = play.vendor.heard[0].body
    assert json.loads(sent) == {**json.loads(body), "model": "m"}
    for piece in (b'"h\\u00ef"', b"1.50", b"[1e2, -0.0, null]"):
        assert piece in sent


async def test_betas_and_versions_go_on_and_keys_do_not(folder: Path) -> None:
    given = {
        "anthropic-version": "2026-10-21",
        "anthropic-beta": "one-2026,two-2026",
        "cookie": "mine=1",
        "x-api-key": "a-token-for-the-tests",
        "openai-organization": "org-of-the-client",
    }
    async with relaying(folder, document(WHOLE), config='headers = { "anthropic-beta" = "zero" }\n') as play:
        await play.http.post("/v1/messages", json=ASK, headers=given)
        heard = play.vendor.heard[0].headers
    assert (heard["anthropic-version"], heard["anthropic-beta"]) == ("2026-10-21", "zero,one-2026,two-2026")
    assert (heard["x-api-key"], heard["host"].split(":")[0]) == (KEY, "127.0.0.1")
    assert not {"cookie", "authorization", "openai-organization"} & heard.keys()
    assert "a-token-for-the-tests" not in str(heard)


async def test_the_vendors_ids_and_limits_come_back(folder: Path) -> None:
    headers = {"request-id": "req_of_the_vendor", "anthropic-ratelimit-requests-remaining": "9", "set-cookie": "a=b"}
    async with relaying(folder, document(WHOLE, headers=headers), Says(ANSWER, headers=headers)) as play:
        whole = await play.http.post("/v1/messages", json=ASK)
        stream = await play.http.post("/v1/messages", json={**ASK, "stream": True})
    for answer in (whole, stream):
        assert answer.headers["request-id"] == "req_of_the_vendor"
        assert answer.headers["anthropic-ratelimit-requests-remaining"] == "9"
        assert "set-cookie" not in answer.headers


async def test_settings_of_the_operator_stand_where_the_client_says_nothing(folder: Path) -> None:
    config = 'extra_body = { service_tier = "flex", thinking = { type = "enabled" } }\n'
    async with relaying(folder, document(WHOLE), document(WHOLE), config=config) as play:
        await play.http.post("/v1/messages", json=ASK)
        await play.http.post("/v1/messages", json={**ASK, "service_tier": "auto", "thinking": {"budget_tokens": 9}})
        first, second = (heard.json for heard in play.vendor.heard)
    assert first == {**ASK, "model": "m", "service_tier": "flex", "thinking": {"type": "enabled"}}
    assert (second["service_tier"], second["thinking"]) == ("auto", {"type": "enabled", "budget_tokens": 9})


async def test_signed_thinking_and_citations_make_the_round_through_anthropics_client(folder: Path) -> None:
    answer = [piece.replace(b'"index": 2', b'"index": 1') for piece in (*ANSWER[:6], *ANSWER[8:12], *ANSWER[13:])]
    async with relaying(folder, Says(answer), Says(answer)) as play:
        async with play.anthropic.messages.stream(**ASK) as stream:
            first = await stream.get_final_message()
        thought, said = first.content
        assert (thought.signature, said.citations[0].cited_text) == (SIGNED, "grass")
        assert (first.model, first.id, first.usage.service_tier) == ("m-2026", "msg_1", "priority")
        said_so_far = [*HI, {"role": "assistant", "content": first.content}, *HI]
        async with play.anthropic.messages.stream(**{**ASK, "messages": said_so_far}) as stream:
            await stream.get_final_message()
        sent = play.vendor.heard[1].json["messages"][1]["content"]
    assert sent[0] == {"type": "thinking", "thinking": "hm", "signature": SIGNED}
    assert sent[1]["citations"] == [CITED]


async def test_what_was_answered_here_before_is_put_in_other_words(folder: Path) -> None:
    """Thinking that another model signed with nothing is refused by the vendor, so it stays here."""
    unsigned = {"type": "thinking", "thinking": "hm", "signature": ""}
    said = [*HI, {"role": "assistant", "content": [unsigned, {"type": "text", "text": "a"}]}, *HI]
    async with relaying(folder, Says(ANSWER)) as play:
        await play.streamed("/v1/messages", **{**ASK, "messages": said})
        assert b"hm" not in play.vendor.heard[0].body


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_refusal_comes_back_in_the_vendors_words(folder: Path, is_streamed: bool) -> None:
    told = {"type": "error", "error": {"type": "invalid_request_error", "message": "x: odd", "details": {"at": 1}}}
    refusal = document(told, status=400, headers={"request-id": "req_v", "x-should-retry": "false"})
    async with relaying(folder, refusal) as play:
        with pytest.raises(anthropic.BadRequestError) as caught:
            await play.anthropic.messages.create(**ASK, stream=is_streamed)
    assert (caught.value.body, caught.value.request_id) == (told, "req_v")
    assert caught.value.response.headers["x-should-retry"] == "false"


async def test_a_refusal_of_our_key_says_so_and_shows_nothing_of_it(folder: Path) -> None:
    told = {"type": "error", "error": {"type": "authentication_error", "message": f"invalid x-api-key {KEY}"}}
    odd = {"type": "error", "error": {"type": "invalid_request_error", "message": f"odd: {KEY}"}}
    async with relaying(folder, document(told, status=401), document(odd, status=400)) as play:
        for error in (anthropic.AuthenticationError, anthropic.BadRequestError):
            with pytest.raises(error) as caught:
                await play.anthropic.messages.create(**ASK)
            assert KEY not in caught.value.response.text
            assert "***" in caught.value.response.text


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat", "openai_responses"])
async def test_a_stream_that_is_cut_ends_with_the_wires_own_error(folder: Path, wire: str) -> None:
    chat = chunks({"choices": [{"index": 0, "delta": {"content": "half"}, "finish_reason": None}]})
    responses = events({"type": "response.created"}, {"type": "response.output_text.delta", "delta": "half"})
    said = {"anthropic": ANSWER[:-3], "openai_chat": chat, "openai_responses": responses}[wire]
    async with relaying(folder, Says([*said, b"data: {"], is_cut=True), Says(said), wire=wire) as play:
        for _ in range(2):
            if wire == "anthropic":
                got = sse((await play.streamed("/v1/messages", **ASK)).decode())
                assert broken(got)["type"] == "api_error"
            elif wire == "openai_chat":
                with pytest.raises(openai.APIError):
                    [
                        one
                        async for one in await play.openai.chat.completions.create(model="m", messages=HI, stream=True)
                    ]
            else:
                with pytest.raises(openai.APIError):
                    [one async for one in await play.openai.responses.create(model="m", input="hi", stream=True)]


async def test_an_error_inside_the_stream_follows_what_came_before_it(folder: Path) -> None:
    failure = events({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    async with relaying(folder, Says([b"".join(ANSWER[:4] + failure)])) as play:
        got = await play.streamed("/v1/messages", **ASK)
    assert got.startswith(b"".join(ANSWER[:4]))
    assert broken(sse(got.decode()))["type"] == "overloaded_error"


TWO = '[server.routes.default]\nmodel = "up/first"\nfallbacks = ["up/second"]\n'


@pytest.mark.parametrize(
    "failure",
    [
        Says(events(START, {"type": "error", "error": {"type": "overloaded_error", "message": "full"}})),
        document({"type": "error", "error": {"type": "overloaded_error", "message": "full"}}, status=529),
        Says(events(START), is_cut=True),
    ],
    ids=["inside", "status", "cut"],
)
async def test_another_model_stands_in_before_the_answer_begins(folder: Path, failure: Says) -> None:
    async with relaying(folder, failure, Says(ANSWER), config=TWO) as play:
        assert await play.streamed("/v1/messages", **ASK) == b"".join(ANSWER)
        assert [heard.json["model"] for heard in play.vendor.heard] == ["first", "second"]


async def test_a_client_that_leaves_ends_the_vendors_work(folder: Path) -> None:
    async with relaying(folder, Says([*ANSWER[:4], asyncio.Event()])) as play:
        async with play.anthropic.messages.stream(**ASK) as stream:
            await anext(aiter(stream))
        async with asyncio.timeout(1):
            await play.vendor.gone.wait()


async def test_chat_completions_come_back_to_the_byte(folder: Path) -> None:
    choice = {"index": 0, "delta": {"content": 'a "error" b', "of_next_year": 1}, "finish_reason": None}
    usage = {"prompt_tokens": 15, "completion_tokens": 7, "total_tokens": 22}
    said = chunks(
        {"id": "c", "choices": [choice], "system_fingerprint": "fp", "usage": None},
        {"id": "c", "choices": [{**choice, "delta": {}, "finish_reason": "stop"}]},
    )
    counted, done = chunks({"id": "c", "choices": [], "usage": usage}, b"[DONE]")
    async with relaying(folder, *[Says([*said, counted, done])] * 2, wire="openai_chat") as play:
        ask = {"model": "gpt-x", "messages": HI, "prediction": {"type": "content"}, "of_next_year": True}
        got = await play.streamed(
            "/v1/chat/completions", **ask, headers={"openai-beta": "b", "authorization": "Bearer a-token-for-the-tests"}
        )
        assert got == b"".join([*said, done])
        assert await spent(play) == (True, True)
        heard = play.vendor.heard[0]
        assert heard.json == {**ask, "model": "m", "stream": True, "stream_options": {"include_usage": True}}
        assert (heard.headers["openai-beta"], heard.headers["authorization"]) == ("b", f"Bearer {KEY}")
        got = await play.streamed("/v1/chat/completions", **ask, stream_options={"include_usage": True})
        assert got == b"".join([*said, counted, done])


async def test_a_server_that_refuses_to_tell_usage_is_asked_without(folder: Path) -> None:
    refusal = document({"error": {"message": "stream_options is not supported"}}, status=400)
    said = chunks({"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": "stop"}]}, b"[DONE]")
    async with relaying(folder, refusal, Says(said), wire="openai_chat") as play:
        got = await play.streamed("/v1/chat/completions", model="m", messages=HI)
        assert got == b"".join(said)
        assert "stream_options" not in play.vendor.heard[1].json


async def test_an_answer_without_its_done_is_whole_once_it_gave_its_reason(folder: Path) -> None:
    said = chunks({"choices": [{"index": 0, "delta": {"content": "a"}, "finish_reason": "stop"}]})
    async with relaying(folder, Says(said), wire="openai_chat") as play:
        answer = await play.openai.chat.completions.create(model="m", messages=HI, stream=True)
        assert [one.choices[0].delta.content async for one in answer] == ["a"]


async def test_a_server_that_does_not_stream_is_told_as_if_it_did(folder: Path) -> None:
    whole = {"choices": [{"index": 0, "message": {"content": "hello"}, "finish_reason": "stop"}]}
    async with relaying(folder, document(whole), wire="openai_chat") as play:
        answer = await play.openai.chat.completions.create(model="m", messages=HI, stream=True)
        assert "".join([one.choices[0].delta.content or "" async for one in answer if one.choices]) == "hello"


async def test_responses_come_back_to_the_byte_and_tell_what_they_took(folder: Path) -> None:
    response = {"id": "resp_1", "object": "response", "status": "in_progress", "output": [], "error": None}
    usage = {"input_tokens": 15, "output_tokens": 7, "total_tokens": 22}
    done = {**response, "status": "completed", "usage": usage, "of_next_year": 1}
    said = events(
        {"type": "response.created", "response": response, "sequence_number": 0},
        {"type": "response.of_next_year", "delta": "hm", "obfuscation": "xyz"},
        {"type": "response.completed", "response": done},
    )
    async with relaying(folder, Says(said), document(done), wire="openai_responses") as play:
        ask = {"model": "m", "input": "hi", "reasoning": {"effort": "high", "of_next_year": 1}, "store": True}
        assert await play.streamed("/v1/responses", **ask) == b"".join(said)
        assert await spent(play) == (True, True)
        assert play.vendor.heard[0].json == {**ask, "stream": True}
        whole = await play.http.post("/v1/responses", json=ask)
        assert whole.json() == done


@pytest.mark.parametrize("tools", ["[]", '["glob"]'])
async def test_the_stop_sequence_is_told_where_the_answer_is_translated(folder: Path, tools: str) -> None:
    """With a tool of the server on offer, and where what a client sends back was made here, nothing is relayed."""
    thought = {"type": "thinking", "thinking": "hm", "signature": ""}
    said = [*HI, {"role": "assistant", "content": [thought, {"type": "text", "text": "a"}]}, *HI]
    answer = events(
        START,
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "b"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "stop_sequence", "stop_sequence": "END"}, "usage": {}},
        {"type": "message_stop"},
    )
    async with relaying(folder, Says(answer), config=f"[server]\ntools = {tools}\n") as play:
        message = await play.anthropic.messages.create(**{**ASK, "messages": said}, stop_sequences=["END"])
    assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", "END")


async def test_tokens_are_counted_by_the_vendor_where_it_can(folder: Path) -> None:
    none = document({"type": "error", "error": {"type": "not_found_error", "message": "no"}}, status=404)
    ask = {"model": "claude-x", "messages": HI}
    async with relaying(folder, document({"input_tokens": 4711, "of_next_year": 1}), none) as play:
        assert (await play.anthropic.messages.count_tokens(**ask)).input_tokens == 4711
        heard = play.vendor.heard[0]
        assert (heard.path, heard.json) == ("/v1/messages/count_tokens", {**ask, "model": "m"})
        assert 0 < (await play.anthropic.messages.count_tokens(**ask)).input_tokens < 100


async def test_a_vendor_that_falls_silent_is_given_up(folder: Path) -> None:
    config = "[limits]\nstream_idle = 0.2\n"
    async with relaying(folder, Says([*ANSWER[:4], asyncio.Event()]), config=config) as play:
        got = await play.streamed("/v1/messages", **ASK)
        await play.vendor.gone.wait()
    assert got.startswith(b"".join(ANSWER[:4]))
    assert broken(sse(got.decode()))["type"] == "timeout_error"
