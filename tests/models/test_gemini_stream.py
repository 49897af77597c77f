"""What the adapter makes of a Gemini stream, quirk by quirk, over a real socket."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_play import answer, cut_at, made, only_error, read, request, said

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.gemini.model import Gemini
from toolpost.models.gemini.stream import GeminiStreamReader
from toolpost.testing import Turn, Upstream, call, error_object, http_error, raw, reasoning, reset, text, turn
from toolpost.types.errors import ModelError
from toolpost.types.messages import Usage
from toolpost.types.stream import (
    Finish,
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)


async def ask(up: Upstream, model: Gemini | None = None, **options: Any) -> list[StreamEvent]:
    model = model or Gemini("gemini-3-pro", base_url=up.url, api_key="g-key")
    return await answer(model, request(**options))


async def play(*turns: Turn, split: Any = None) -> list[StreamEvent]:
    async with Upstream(*turns, split=split) as up:
        return await ask(up)


def chunk(*parts: dict[str, Any], finish: str = "", **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], **more}


def wire(*chunks: dict[str, Any]) -> bytes:
    return b"".join(b"data: " + msgspec.json.encode(item) + b"\r\n\r\n" for item in chunks)


async def play_wire(*chunks: dict[str, Any]) -> list[StreamEvent]:
    return await play(raw(wire(*chunks)))


STOP = chunk({"text": ""}, finish="STOP")


def asked(name: str = "add", args: Any = None, **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {"a": 1} if args is None else args}, **more}


async def test_thoughts_text_and_calls_in_their_order() -> None:
    script = reasoning("hm", chunk=1) + text("hello", chunk=3) + call("add", {"a": 1}, id="c1") + call("add", id="c2")
    assert await play(turn(script, usage=Usage(12, 7, 4, 5))) == [
        ReasoningStart("0"),
        ReasoningDelta("h", "0"),
        ReasoningDelta("m", "0"),
        ReasoningEnd("0"),
        TextStart("1"),
        TextDelta("hel", "1"),
        TextDelta("lo", "1"),
        TextEnd("1"),
        ToolInputStart("c1", "add"),
        ToolInputDelta("c1", '{"a":1}'),
        ToolInputEnd("c1"),
        ToolInputStart("c2", "add"),
        ToolInputDelta("c2", "{}"),
        ToolInputEnd("c2"),
        ToolCall("c1", "add", {"a": 1}, metadata={"gemini": {"id": True, "signature": "signed 1"}}),
        ToolCall("c2", "add", {}, metadata={"gemini": {"id": True}}),
        Finish("tool-calls", Usage(12, 7, 4, 5)),
    ]


async def test_the_key_is_in_its_header_and_the_version_in_the_path() -> None:
    async with Upstream(text("x"), text("y")) as up:
        await ask(up)
        await ask(up, Gemini("models/m", base_url=f"{up.url}/v1?a=b"))
        first, second = up.requests
    assert first.path == "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"
    assert (first.headers["x-goog-api-key"], "authorization" in first.headers) == ("g-key", False)
    assert second.path == "/v1/models/m:streamGenerateContent?a=b&alt=sse"
    assert "x-goog-api-key" not in second.headers


STREAM = wire(
    chunk({"text": "思", "thought": True}, {"text": "", "thought": True, "thoughtSignature": "t"}),
    chunk({"text": "好 🌍"}),
    chunk({"functionCall": {"name": "add", "args": {"b": "🌍"}, "id": "c1"}, "thoughtSignature": "s"}),
    chunk(finish="STOP", usageMetadata={"promptTokenCount": 3, "candidatesTokenCount": 2}),
)


@settings(deadline=None, max_examples=150)
@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_any_cut_of_the_bytes_gives_the_same_events(cuts: list[int]) -> None:
    assert read(GeminiStreamReader(), cut_at(STREAM, cuts)) == read(GeminiStreamReader(), [STREAM])


@settings(deadline=None, max_examples=100)
@given(size=st.integers(0, len(STREAM) - 5))
def test_a_stream_cut_short_anywhere_is_one_error(size: int) -> None:
    assert only_error(read(GeminiStreamReader(), [STREAM[:size]])).error.code == "truncated"


async def test_a_signature_is_kept_with_what_it_signs() -> None:
    events = await play_wire(
        chunk({"text": "a", "thought": True, "thoughtSignature": "t"}),
        chunk({"text": "b"}),
        chunk({"text": "", "thoughtSignature": "x"}),
        STOP,
    )
    assert ReasoningEnd("0", {"gemini": {"signature": "t"}}) in events
    assert TextEnd("1", {"gemini": {"signature": "x"}}) in events


async def test_a_signature_that_comes_after_the_call_belongs_to_it() -> None:
    late = chunk({"text": "", "thoughtSignature": "late"})
    events = await play_wire(chunk(asked(), asked()), late, STOP)
    assert [event.metadata for event in made(events)] == [{"gemini": {"signature": "late"}}, None]


async def test_a_signature_inside_the_call_is_found() -> None:
    part = {"functionCall": {"name": "add", "args": {}, "thoughtSignature": "in"}}
    assert made(await play_wire(chunk(part), STOP))[0].metadata == {"gemini": {"signature": "in"}}


async def test_calls_without_ids_or_with_one_for_two_get_their_own() -> None:
    twice = [{"functionCall": {"name": "add", "args": {"a": a}, "id": "same"}} for a in (1, 2)]
    found = made(await play_wire(chunk(asked(), asked(), *twice), STOP))
    assert len({event.id for event in found}) == 4
    assert [event.metadata for event in found] == [None, None, {"gemini": {"id": True}}, None]


@pytest.mark.parametrize("args", [{}, None, ""])
async def test_a_call_without_arguments(args: Any) -> None:
    part = {"functionCall": {"name": "add", "args": args} if args is not None else {"name": "add"}}
    events = await play_wire(chunk(part), STOP)
    assert [(event.arguments, event.raw) for event in made(events)] == [({}, "")]
    assert events[-1] == Finish("tool-calls")


async def test_a_call_seen_means_tool_calls_though_the_wire_says_stop() -> None:
    assert (await play_wire(chunk(asked(), finish="STOP")))[-1] == Finish("tool-calls")


async def test_a_server_that_says_stop_with_every_chunk_is_read_to_its_end() -> None:
    events = await play_wire(*(chunk({"text": letter}, finish="STOP") for letter in "abc"))
    assert said(events) == "abc"
    assert events[-1] == Finish("stop")


async def test_two_finish_reasons_end_once_and_the_worse_holds() -> None:
    assert (await play_wire(chunk({"text": "x"}, finish="MAX_TOKENS"), STOP))[-1] == Finish("length")


@pytest.mark.parametrize(
    ("wire_reason", "reason"),
    [("MAX_TOKENS", "length"), ("SAFETY", "content-filter"), ("RECITATION", "content-filter"), ("NEW", "stop")],
)
async def test_finish_reasons(wire_reason: str, reason: str) -> None:
    last = (await play_wire(chunk({"text": "x"}, finish=wire_reason)))[-1]
    assert isinstance(last, Finish)
    assert last.reason == reason


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE", "OTHER"])
async def test_a_mistake_of_the_model_is_readable_and_tried_again_once(reason: str) -> None:
    candidate = {"finishReason": reason, "finishMessage": "print(default_api.add(a=1"}
    mistake = raw(wire({"candidates": [candidate]}))
    async with Upstream(mistake, mistake, text("x"), mistake) as up:
        model = Gemini("m", base_url=up.url)
        found = [only_error(await ask(up, model)).error for _ in range(2)]
        assert (await ask(up, model))[-1] == Finish("stop", Usage(10, 5))
        found.append(only_error(await ask(up, model)).error)
    assert [problem.retryable for problem in found] == [True, False, True]
    assert found[0].retry_after == 0
    assert reason in found[0].message
    assert "default_api.add(a=1" in found[0].message
    assert "simpler parameters" in found[0].message


async def test_too_many_calls_are_not_tried_again() -> None:
    assert not only_error(await play_wire(chunk(finish="TOO_MANY_TOOL_CALLS"))).error.retryable


async def test_a_blocked_prompt_is_a_content_filter_error() -> None:
    found = only_error(await play_wire({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})).error
    assert (found.code, found.retryable) == ("content_filter", False)
    assert "PROHIBITED_CONTENT" in found.message


async def test_usage_is_the_last_that_was_told() -> None:
    first = {"promptTokenCount": 10, "cachedContentTokenCount": 4, "promptTokensDetails": [{"modality": "TEXT"}]}
    last = {"promptTokenCount": 10, "candidatesTokenCount": 3, "thoughtsTokenCount": 5, "toolUsePromptTokenCount": 2}
    events = await play_wire(chunk({"text": "x"}, usageMetadata=first), chunk(finish="STOP", usageMetadata=last))
    assert events[-1] == Finish("stop", Usage(12, 8, 5, 4))


async def test_an_image_of_the_model_is_a_file_between_its_texts() -> None:
    image = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}
    sketch = {"inlineData": {"mimeType": "image/png", "data": "BBBB"}, "thought": True}
    signed = {**image, "thoughtSignature": "s"}
    events = await play_wire(chunk({"text": "Here:"}, sketch, image), chunk(signed, {"text": "Nice?"}), STOP)
    assert events[:-1] == [
        TextStart("0"),
        TextDelta("Here:", "0"),
        TextEnd("0"),
        GeneratedFile("image/png", "AAAA"),
        GeneratedFile("image/png", "AAAA", metadata={"gemini": {"signature": "s"}}),
        TextStart("1"),
        TextDelta("Nice?", "1"),
        TextEnd("1"),
    ]


async def test_other_candidates_are_not_mixed_in() -> None:
    other = {"content": {"parts": [{"text": "other"}]}, "index": 1}
    body = chunk({"text": "mine"}, finish="STOP")
    assert said(await play_wire({"candidates": [*body["candidates"], other]})) == "mine"


@pytest.mark.parametrize("as_list", [True, False])
async def test_an_answer_in_one_document(as_list: bool) -> None:
    chunks = [chunk({"text": "hel"}), chunk({"text": "lo"}, asked(), finish="STOP")]
    body = chunks if as_list else chunk({"text": "hello"}, asked(), finish="STOP")
    events = await play(raw(msgspec.json.encode(body)))
    assert said(events) == "hello"
    assert made(events)[0].arguments == {"a": 1}


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        ({"code": 429, "message": "slow", "status": "RESOURCE_EXHAUSTED"}, "rate_limit"),
        ({"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}, "overloaded"),
        ({"code": 500, "message": "oops", "status": "INTERNAL"}, "server"),
        ("plain text", "server"),
    ],
)
async def test_an_error_object_midway_is_an_error_event(problem: Any, code: str) -> None:
    events = await play(text("half") + error_object(problem))
    assert said(events) == "half"
    assert only_error(events).error.code == code


async def test_a_wire_that_breaks_after_the_finish_reason_loses_nothing() -> None:
    events = await play(raw(wire(chunk({"text": "x"}, asked(), finish="STOP"))) + reset())
    assert len(made(events)) == 1
    assert events[-1] == Finish("tool-calls")


@pytest.mark.parametrize("body", [b"", b": ping\r\n\r\n", wire({"usageMetadata": {"promptTokenCount": 3}})])
async def test_an_empty_stream_is_truncated(body: bytes) -> None:
    assert only_error(await play(raw(body))).error.code == "truncated"


@pytest.mark.parametrize("body", [b"data: <html>\n\n", b"{not json", b'data: {"candidates":3}\n\n'])
async def test_what_is_no_answer_is_a_protocol_error(body: bytes) -> None:
    assert only_error(await play(raw(body))).error.code == "protocol"


RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.07s"}


def google_error(status: int, message: str, *details: Any) -> Turn:
    return http_error(status, {"error": {"code": status, "message": message, "details": list(details)}})


@pytest.mark.parametrize(
    ("refusal", "code", "after"),
    [
        (google_error(429, "You exceeded your current quota", RETRY_INFO), "rate_limit", 34.07),
        (
            google_error(429, "quota", {"violations": [{"quotaId": "RequestsPerDayPerProject-FreeTier"}]}, RETRY_INFO),
            "spend_limit",
            34.07,
        ),
        (google_error(400, "API key not valid. Please pass a valid API key."), "auth", None),
        (google_error(400, "The input token count (9) exceeds the maximum"), "context_overflow", None),
        (google_error(404, "models/x is not found"), "not_found", None),
    ],
)
async def test_a_refusal_says_what_and_how_long(refusal: Turn, code: str, after: float | None) -> None:
    async with Upstream(refusal) as up:
        with pytest.raises(ModelError) as caught:
            await ask(up)
    assert (caught.value.code, caught.value.info.retry_after) == (code, after)


async def test_a_server_that_takes_no_json_schema_gets_the_other_form_from_then_on() -> None:
    refusal = http_error(400, 'Invalid JSON payload received. Unknown name "parametersJsonSchema"')
    async with Upstream(refusal, text("x"), text("y")) as up:
        model = Gemini("m", base_url=up.url)
        for _ in range(2):
            await ask(up, model)
        forms = [set(request.body["tools"][0]["functionDeclarations"][0]) for request in up.requests]
    assert ["parametersJsonSchema" in form for form in forms] == [True, False, False]
    assert "parameters" in forms[2]


async def test_the_models_of_a_server_are_listed() -> None:
    async with Upstream(models=["gemini-x", "gemini-y"]) as up:
        assert await Gemini.list_models(AdapterSettings("", base_url=up.url, api_key="k")) == ["gemini-x", "gemini-y"]
