"""How a failure is told on each wire: its status, its words, the field that is to blame, and no address of ours."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import httpx
import openai
import pytest
from gateway_play import ADD, ADD_CHAT, HI, Play, broken, gateway, sse

from toolpost.testing import Turn, call, cut, end, error_object, http_error, raw, reset, text, turn

ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": HI}
# Each of our wires, with a request that it takes.
ASKED: dict[str, dict[str, Any]] = {
    "/v1/messages": ASK,
    "/v1/chat/completions": {"model": "m", "messages": HI},
    "/v1/responses": {"model": "m", "input": "hi"},
}
ONCE = "[server]\nretries = 0\n"
every_route = pytest.mark.parametrize("path", ASKED)
streamed_and_not = pytest.mark.parametrize("is_streamed", [False, True])
# The first speaks the client's wire on one of our routes, the second on another: both ways are gone.
upstreams = pytest.mark.parametrize("wire", ["openai_chat", "anthropic"])


async def posted(play: Play, path: str, is_streamed: bool = False, **more: Any) -> httpx.Response:
    return await play.http.post(path, json={**ASKED[path], "stream": is_streamed, **more})


@streamed_and_not
@upstreams
@pytest.mark.parametrize("status", [403, 413, 502, 503, 504])
async def test_the_status_of_an_upstream_stays(folder: Path, is_streamed: bool, wire: str, status: int) -> None:
    async with gateway(folder, *[http_error(status, "not today")] * 3, wire=wire, config=ONCE) as play:
        for path in ASKED:
            answer = await posted(play, path, is_streamed)
            assert answer.status_code == status
            assert "not today" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("status", "of_anthropic", "kind", "of_openai", "code"),
    [
        (403, anthropic.PermissionDeniedError, "permission_error", openai.PermissionDeniedError, "permission_denied"),
        (413, anthropic.APIStatusError, "request_too_large", openai.APIStatusError, "request_too_large"),
        (502, anthropic.InternalServerError, "api_error", openai.InternalServerError, "upstream_failed"),
        (503, anthropic.InternalServerError, "overloaded_error", openai.InternalServerError, "overloaded"),
        (504, anthropic.InternalServerError, "timeout_error", openai.InternalServerError, "timeout"),
    ],
)
async def test_clients_are_told_in_their_own_words(
    folder: Path, status: int, of_anthropic: Any, kind: str, of_openai: Any, code: str
) -> None:
    # Gemini's wire is nobody's here, so both are told in words of ours.
    async with gateway(folder, *[http_error(status, "not today")] * 2, wire="gemini", config=ONCE) as play:
        with pytest.raises(of_anthropic) as told:
            await play.anthropic.messages.create(**ASK)
        assert (told.value.status_code, told.value.body["error"]["type"]) == (status, kind)
        assert told.value.request_id == told.value.body["request_id"]
        with pytest.raises(of_openai) as heard:
            await play.openai.chat.completions.create(model="m", messages=HI)
        assert (heard.value.status_code, heard.value.code) == (status, code)
        assert heard.value.request_id.startswith("req_")


async def test_a_prompt_that_is_too_large_for_a_proxy_keeps_the_words_that_clients_look_for(folder: Path) -> None:
    too_long = http_error(413, "maximum context length exceeded")
    async with gateway(folder, too_long, too_long, wire="gemini", config=ONCE) as play:
        told = await posted(play, "/v1/messages")
        assert (told.status_code, told.json()["error"]["message"][:18]) == (413, "prompt is too long")
        heard = await posted(play, "/v1/chat/completions")
        assert (heard.status_code, heard.json()["error"]["code"]) == (413, "context_length_exceeded")


@pytest.mark.parametrize("failure", [reset(), raw(b"not JSON at all"), text("half") + cut()], ids=str)
@every_route
async def test_an_upstream_that_does_not_answer_is_a_bad_gateway(folder: Path, failure: Turn, path: str) -> None:
    async with gateway(folder, failure, wire="gemini", config=ONCE) as play:
        assert (await posted(play, path)).status_code == 502


@every_route
async def test_every_answer_names_its_request(folder: Path, path: str) -> None:
    async with gateway(folder, text("hello"), text("hello"), wire="gemini") as play:
        header = "request-id" if path == "/v1/messages" else "x-request-id"
        for is_streamed in (False, True):
            assert (await posted(play, path, is_streamed)).headers[header].startswith("req_")
        refused = await posted(play, path, model=7)
        assert refused.headers[header].startswith("req_")
        strange = await play.http.post(path, json={}, headers={"x-api-key": "wrong"})
        assert (strange.status_code, strange.headers[header][:4]) == (401, "req_")


async def test_openais_client_has_the_id_of_its_request(folder: Path) -> None:
    async with gateway(folder, text("hello"), wire="gemini") as play:
        answer = await play.openai.chat.completions.create(model="m", messages=HI)
        assert answer._request_id.startswith("req_")
        assert (await play.openai.models.list())._request_id.startswith("req_")


@pytest.mark.parametrize(
    ("path", "body", "param"),
    [
        ("/v1/chat/completions", {"model": 7, "messages": HI}, "model"),
        ("/v1/chat/completions", {"model": "m"}, "messages"),
        ("/v1/chat/completions", {"model": "m", "messages": [{"role": "nobody"}]}, "messages[0].role"),
        ("/v1/chat/completions", {"model": "m", "messages": HI, "temperature": "hot"}, "temperature"),
        ("/v1/chat/completions", {"model": "m", "messages": HI, "tools": [{"type": "function"}]}, "tools[0].function"),
        (
            "/v1/chat/completions",
            {
                "model": "m",
                "messages": [
                    {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:nothing"}}]}
                ],
            },
            "messages[0].content[0].image_url.url",
        ),
        ("/v1/chat/completions", {"model": "nowhere/x", "messages": HI}, "model"),
        ("/v1/responses", {"model": "m"}, "input"),
        ("/v1/responses", {"model": "m", "input": [{"type": "message", "role": "nobody"}]}, "input[0].role"),
        ("/v1/responses", {"model": "nowhere/x", "input": "hi"}, "model"),
        (
            "/v1/chat/completions",
            {"model": "m", "messages": HI, "tool_choice": {"type": "function", "function": {"name": "none"}}},
            "tool_choice.function.name",
        ),
    ],
)
async def test_openais_errors_name_the_field_that_is_to_blame(
    folder: Path, path: str, body: dict[str, Any], param: str
) -> None:
    async with gateway(folder) as play:
        told = (await play.http.post(path, json=body)).json()["error"]
    assert told["param"] == param, told
    assert told["type"] == "invalid_request_error"


async def test_a_body_that_is_no_json_is_no_fields_fault(folder: Path) -> None:
    async with gateway(folder) as play:
        told = await play.http.post("/v1/chat/completions", content=b"{")
    assert (told.status_code, told.json()["error"]["param"]) == (400, None)


PLACES: dict[str, Callable[[str], Turn]] = {
    "refused": lambda url: http_error(403, f"{url}/v1/chat/completions says no to {url.removeprefix('http://')}"),
    "missing": lambda url: http_error(404, "no such model"),
    "redirected": lambda url: http_error(308, "moved", {"location": f"{url}/elsewhere"}),
    "failed": lambda url: http_error(500, {"error": {"message": f"the worker at http://10.1.2.3:8000/x died ({url})"}}),
    "in a stream": lambda url: text("half") + error_object({"message": f"{url} has failed", "code": 500}),
    "reset": lambda url: reset(),
    "cut": lambda url: text("half") + cut(),
    "ended": lambda url: text("half") + end(),
    "no JSON": lambda url: raw(b"data: {nonsense\n\n"),
}
# A relayed answer in one piece has no middle.
STREAMED_ONLY = ("in a stream", "cut", "ended")


@streamed_and_not
@upstreams
async def test_no_client_learns_where_the_upstream_is(
    folder: Path, is_streamed: bool, wire: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with gateway(folder, wire=wire, config=ONCE) as play:
        for path, why in itertools.product(ASKED, PLACES):
            if why in STREAMED_ONLY and not is_streamed:
                continue
            caplog.clear()
            play.up.add(PLACES[why](play.up.url))
            answer = await posted(play, path, is_streamed)
            assert "error" in answer.text, (path, why)
            for hidden in (play.up.url, play.up.url.rpartition(":")[2], "127.0.0.1", "10.1.2.3"):
                assert hidden not in answer.text, (path, why)
            # Whoever runs the server has to know.
            assert "up/m failed" in caplog.text, (path, why)


@every_route
async def test_where_nothing_listens_is_told_to_the_operator_alone(
    folder: Path, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    gone = '[providers.gone]\nwire = "openai_chat"\nbase_url = "http://127.0.0.1:9/v1"\n'
    async with gateway(folder, config=gone + ONCE) as play:
        answer = await posted(play, path, model="gone/m")
    assert (answer.status_code, "127.0.0.1" in answer.text, "gone: cannot connect" in answer.text) == (502, False, True)
    assert "http://127.0.0.1:9/v1" in caplog.text


async def test_links_that_help_a_client_are_left_in(folder: Path) -> None:
    told = "over your quota, see https://platform.example.com/limits"
    async with gateway(folder, http_error(429, told), wire="gemini", config=ONCE) as play:
        assert "https://platform.example.com/limits" in (await posted(play, "/v1/messages")).text


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/chat/completions/x/y", "/v1/embeddings"])
async def test_a_path_that_is_not_there_is_not_blamed_on_the_model(folder: Path, path: str) -> None:
    async with gateway(folder) as play:
        told = await play.http.post(path, json={})
        assert (told.status_code, told.json()["error"]["code"]) == (404, "not_found")
        assert path in told.json()["error"]["message"]
        of_anthropic = await play.http.post(path, json={}, headers={"anthropic-version": "2023-06-01"})
        assert (of_anthropic.status_code, of_anthropic.json()["error"]["type"]) == (404, "not_found_error")
        with pytest.raises(openai.NotFoundError) as caught:
            await play.openai.post(path.removeprefix("/v1"), cast_to=object, body={})
        assert caught.value.code == "not_found"


async def test_another_method_is_told_which_ones_there_are(folder: Path) -> None:
    async with gateway(folder) as play:
        for path in ASKED:
            told = await play.http.delete(path)
            assert (told.status_code, told.headers["allow"]) == (405, "POST")
        assert (await play.http.delete("/v1/chat/completions")).json()["error"]["code"] == "method_not_allowed"
        assert (await play.http.post("/v1/models")).headers["allow"] == "GET"


async def test_a_model_that_is_not_there_is_the_models_fault(folder: Path) -> None:
    async with gateway(folder) as play:
        with pytest.raises(openai.NotFoundError) as caught:
            await play.openai.chat.completions.create(model="nowhere/x", messages=HI)
        assert (caught.value.code, caught.value.param) == ("model_not_found", "model")
        with pytest.raises(openai.NotFoundError) as caught:
            await play.openai.models.retrieve("nowhere/x")
        assert caught.value.code == "model_not_found"


class TestArgumentsThatCannotBeRead:
    """A client must never take what a model has written wrongly for a call without arguments."""

    BROKEN = ('{"a": tru', '{"a" 1}', "[1, 2]", "nonsense", '{"a": 1', "[" * 100_000)

    @pytest.mark.parametrize("arguments", BROKEN, ids=lambda text: text[:12])
    async def test_in_one_piece_the_answer_has_failed_and_says_why(self, folder: Path, arguments: str) -> None:
        async with gateway(folder, call("add", arguments), wire="openai_responses") as play:
            with pytest.raises(anthropic.InternalServerError) as caught:
                await play.anthropic.messages.create(**ASK, tools=[ADD])
        assert caught.value.status_code == 502
        assert "arguments for add" in caught.value.message
        assert len(caught.value.message) < 1000

    async def test_anthropics_client_asks_again_by_itself(self, folder: Path) -> None:
        turns = (call("add", '{"a": tru'), call("add", {"a": 1}))
        async with gateway(folder, *turns, wire="openai_responses") as play:
            client = play.anthropic.with_options(max_retries=1)
            answer = await client.messages.create(**ASK, tools=[ADD])
        assert answer.content[0].input == {"a": 1}

    @pytest.mark.parametrize("arguments", BROKEN[:4])
    async def test_streamed_they_come_as_they_were_written(self, folder: Path, arguments: str) -> None:
        async with gateway(folder, call("add", arguments), wire="openai_responses") as play:
            events = await play.events(tools=[ADD])
        pieces = [one["delta"]["partial_json"] for one in events if one["type"] == "content_block_delta"]
        assert "".join(pieces) == arguments

    @pytest.mark.parametrize("arguments", ['{"a": "a long te', "{", ""])
    async def test_a_call_that_was_cut_at_the_limit_is_a_text(self, folder: Path, arguments: str) -> None:
        cut_off = turn(text("so:"), call("add", arguments), finish="length")
        async with gateway(folder, cut_off) as play:
            answer = await play.anthropic.messages.create(**ASK, tools=[ADD])
        assert answer.stop_reason == "max_tokens"
        assert [block.type for block in answer.content] == ["text", "text"]
        assert answer.content[1].text.startswith("[The call of add was cut")
        assert arguments in answer.content[1].text

    async def test_on_openais_wires_they_are_the_text_that_the_model_wrote(self, folder: Path) -> None:
        async with gateway(folder, *[call("add", '{"a": tru')] * 2, wire="gemini") as play:
            chat = await play.openai.chat.completions.create(model="m", messages=HI, tools=[ADD_CHAT])
            assert chat.choices[0].message.tool_calls[0].function.arguments == '{"a": tru'
            tools = [{"type": "function", **ADD_CHAT["function"]}]
            answer = await play.openai.responses.create(model="m", input="hi", tools=tools)
            assert (answer.output[0].arguments, answer.output[0].status) == ('{"a": tru', "completed")


DEEP = "[" * 100_000
CHUNK = {"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": None}], "id": 1}


def deep_chunk(at: str) -> bytes:
    return b"data: " + json.dumps(CHUNK).replace(at, DEEP, 1).encode() + b"\n\n"


DEEP_ANSWERS: dict[str, Turn] = {
    "body": raw(DEEP.encode()),
    "object": raw(b'{"choices":' + DEEP.encode()),
    "closed": raw(b'{"choices":' + DEEP.encode() + b"]" * 100_000 + b"}"),
    "event": raw(b"data: " + DEEP.encode() + b"\n\n"),
    "in an event": raw(deep_chunk('"x"')),
    "unended event": raw(b"data: " + DEEP.encode()),
    "unended object": raw(b'data: {"a":' + DEEP.encode() + b"]" * 100_000 + b"}"),
    "halves": raw(b'data: {"a":"\\ud800","b":' + DEEP.encode() + b"]" * 100_000 + b"}\n\n"),
}


@pytest.mark.parametrize("wire", ["openai_chat", "openai_responses", "anthropic", "gemini", "ollama"])
@streamed_and_not
async def test_nesting_without_end_is_an_error_that_can_be_read(
    folder: Path, wire: str, is_streamed: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with gateway(folder, wire=wire, config=ONCE) as play:
        for path, place in itertools.product(ASKED, DEEP_ANSWERS):
            play.up.add(DEEP_ANSWERS[place])
            answer = await posted(play, path, is_streamed)
            where = (path, place, answer.text[:500])
            assert "error" in answer.text, where
            assert "the server failed" not in answer.text, where
            assert len(answer.text) < 5_000, where
            assert answer.status_code in ((200, 502) if is_streamed else (502,)), where
    assert "RecursionError" not in caplog.text


@every_route
async def test_a_request_that_is_nested_without_end_is_the_clients_fault(folder: Path, path: str) -> None:
    async with gateway(folder) as play:
        for body in (DEEP.encode(), b'{"model":"m","messages":' + DEEP.encode() + b"]" * 100_000 + b"}"):
            answer = await play.http.post(path, content=body, headers={"content-type": "application/json"})
            assert answer.status_code == 400
            assert answer.json()["error"]["message"]


@streamed_and_not
async def test_prompted_calls_that_are_nested_without_end_are_told_as_text_or_error(
    folder: Path, is_streamed: bool
) -> None:
    prompted = '[providers.words]\nwire = "openai_chat"\nbase_url = "{up}/v1"\ntool_calls = "prompted"\n'
    written = [
        DEEP,
        '<tool_call>{"name": "add", "arguments": ' + DEEP,
        '<tool_call>{"name": "add", "arguments": {"a": ' + DEEP + "]" * 100_000 + "}}</tool_call>",
        '```json\n{"name": "add", "arguments": {"a": ' + '{"a":' * 50_000,
        "<tool_call>add(a=" + "(" * 100_000,
    ]
    async with gateway(folder, *map(text, written), config=prompted) as play:
        for _ in written:
            answer = await posted(play, "/v1/messages", is_streamed, model="words/m", tools=[ADD])
            assert answer.status_code in (200, 502)
            assert "the server failed" not in answer.text


async def test_a_stream_that_has_begun_tells_of_nesting_inside_it(folder: Path) -> None:
    async with gateway(folder, text("half") + raw(deep_chunk('"x"'))) as play:
        assert broken(sse((await posted(play, "/v1/messages", True)).text))["message"]
