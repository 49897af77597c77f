"""Answers of `POST /v1/chat/completions`: what the `openai` package makes of what is written."""

import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai_play import Gateway, Told, answers, called, gateway, outs_of, ran, said, thought, usages
from pydantic import BaseModel

from toolpost.server.gateway.output import Done, OutputEvent
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.gateway.wires.openai_chat.request import read
from toolpost.server.gateway.wires.openai_chat.response import ChatWriter, whole
from toolpost.server.refusals import Refusal
from toolpost.types.messages import ErrorInfo, Usage
from toolpost.types.stream import GeneratedFile, StreamError, TextDelta, ToolCall, ToolInputDelta, ToolInputStart

MESSAGES: Any = [{"role": "user", "content": "hello"}]
PIXEL = "iVBORw0KGgo="
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Look up the weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
USAGE = Usage(input=30, output=12, reasoning=5, cache_read=20)


@pytest.fixture(scope="module")
def gate() -> Iterator[Gateway]:
    with gateway() as served:
        yield served


def asked(**fields: Any) -> GatewayRequest:
    return read({"model": "m", "messages": MESSAGES, **fields}, {})


def streamed(gate: Gateway, outs: list[OutputEvent], **fields: Any) -> Any:
    gate.outs, gate.refusal = outs, None
    with gate.client.chat.completions.stream(model="m", messages=MESSAGES, **fields) as stream:
        for _ in stream:
            pass
        return stream.get_final_completion()


def created(gate: Gateway, outs: list[OutputEvent], **fields: Any) -> Any:
    gate.outs, gate.refusal = outs, None
    return gate.client.chat.completions.create(model="m", messages=MESSAGES, **fields)


@pytest.mark.parametrize("ask", [streamed, created])
def test_text_reasoning_and_usage_arrive(gate: Gateway, ask: Any) -> None:
    options: Any = {"stream_options": {"include_usage": True}} if ask is streamed else {}
    completion = ask(gate, [*thought("hm"), *said("Sunny, 25°."), Done("stop", USAGE)], **options)
    [choice] = completion.choices
    assert (choice.finish_reason, choice.message.role, choice.message.content) == ("stop", "assistant", "Sunny, 25°.")
    assert choice.message.reasoning_content == "hm"
    assert (completion.object, completion.model) == ("chat.completion", "m")
    usage = completion.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (30, 12, 42)
    assert usage.prompt_tokens_details.cached_tokens == 20
    assert usage.completion_tokens_details.reasoning_tokens == 5


def test_usage_comes_only_if_asked_for_in_a_last_chunk_without_choices(gate: Gateway) -> None:
    gate.outs = [*said("a"), Done("stop", USAGE)]
    plain = list(gate.client.chat.completions.create(model="m", messages=MESSAGES, stream=True))
    assert all(chunk.choices and chunk.usage is None for chunk in plain)
    *_, last = gate.client.chat.completions.create(
        model="m", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
    )
    assert last.choices == []
    assert last.usage is not None


def test_calls_side_by_side_have_an_index_each_and_their_id_once(gate: Gateway) -> None:
    gate.outs = [
        ToolInputStart("call_a", "weather"),
        ToolInputStart("call_b", "weather"),
        ToolInputDelta("call_b", '{"city":'),
        ToolInputDelta("call_a", '{"city": "Oslo"}'),
        ToolInputDelta("call_b", '"Tokyo"}'),
        ToolCall("call_a", "weather", {"city": "Oslo"}),
        ToolCall("call_b", "weather", {"city": "Tokyo"}),
        Done("tool-calls"),
    ]
    chunks = list(gate.client.chat.completions.create(model="m", messages=MESSAGES, stream=True))
    deltas = [delta for chunk in chunks for delta in chunk.choices[0].delta.tool_calls or []]
    told = [(d.index, d.id, d.function.name, d.function.arguments) for d in deltas if d.function]
    assert told == [
        (0, "call_a", "weather", ""),
        (1, "call_b", "weather", ""),
        (1, None, None, '{"city":'),
        (0, None, None, '{"city": "Oslo"}'),
        (1, None, None, '"Tokyo"}'),
    ]
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices[0].finish_reason] == ["tool_calls"]


@pytest.mark.parametrize("ask", [streamed, created])
def test_a_call_without_arguments_has_an_empty_object(gate: Gateway, ask: Any) -> None:
    completion = ask(gate, [*called("call_1", "now", {}), Done("tool-calls")])
    [call] = completion.choices[0].message.tool_calls
    assert (call.id, call.function.name, call.function.arguments) == ("call_1", "now", "{}")


@pytest.mark.parametrize("ask", [streamed, created])
def test_a_call_that_comes_at_once_is_told_whole(gate: Gateway, ask: Any) -> None:
    signed = {"extra_content": {"google": {"thought_signature": "s"}}}
    completion = ask(gate, [ToolCall("call_1", "f", {"a": [1]}, metadata=signed), Done("tool-calls")])
    [call] = completion.choices[0].message.tool_calls
    assert json.loads(call.function.arguments) == {"a": [1]}
    assert call.extra_content == signed["extra_content"]


@pytest.mark.parametrize(
    ("reason", "told"), [("length", "length"), ("content-filter", "content_filter"), ("stop", "stop")]
)
def test_the_reason_of_the_end_is_told(gate: Gateway, reason: Any, told: str) -> None:
    assert created(gate, [*said("half an ans"), Done(reason)]).choices[0].finish_reason == told
    *_, last = created(gate, [*said("half an ans"), Done(reason)], stream=True)
    assert last.choices[0].finish_reason == told


def test_the_helpers_for_parsed_answers_know_a_cut_and_a_filter(gate: Gateway) -> None:
    with pytest.raises(openai.LengthFinishReasonError):
        streamed(gate, [*said("half"), Done("length")])
    with pytest.raises(openai.ContentFilterFinishReasonError):
        streamed(gate, [*said("half"), Done("content-filter")])


@pytest.mark.parametrize("ask", [streamed, created])
def test_calls_that_ran_here_are_hidden_and_leave_a_gap(gate: Gateway, ask: Any) -> None:
    outs = [*said("I look."), *ran("r", "read", {"a": 1}, "secret result"), *said("Done.", "1"), Done("stop")]
    message = ask(gate, outs).choices[0].message
    assert (message.content, message.tool_calls) == ("I look.\n\nDone.", None)


@pytest.mark.parametrize("ask", [streamed, created])
def test_a_gap_is_left_also_where_the_model_thinks_in_between(gate: Gateway, ask: Any) -> None:
    outs = [*said("a"), *ran("r", "read", {}, "x"), *thought("hm"), *said("b", "1"), Done("stop")]
    assert ask(gate, outs).choices[0].message.content == "a\n\nb"


@pytest.mark.parametrize("ask", [streamed, created])
def test_images_of_the_model_are_told_as_other_gateways_do(gate: Gateway, ask: Any) -> None:
    message = ask(gate, [GeneratedFile("image/png", PIXEL), Done("stop")]).choices[0].message
    assert message.images[0]["image_url"] == {"url": f"data:image/png;base64,{PIXEL}"}


class Weather(BaseModel):
    city: str
    degrees: int


def test_structured_output_is_parsed(gate: Gateway) -> None:
    gate.outs = [*said('{"city": "Tokyo", "degrees": 25}'), Done("stop")]
    parsed = gate.client.chat.completions.parse(model="m", messages=MESSAGES, response_format=Weather)
    assert parsed.choices[0].message.parsed == Weather(city="Tokyo", degrees=25)
    output = gate.asked[-1].output
    assert output is not None
    assert set(output.as_schema["properties"]) == {"city", "degrees"}
    final = streamed(gate, [*gate.outs], response_format=Weather)
    assert final.choices[0].message.parsed == Weather(city="Tokyo", degrees=25)


def test_old_clients_get_a_function_call(gate: Gateway) -> None:
    functions = [WEATHER["function"]]
    outs = [*called("call_1", "weather", {"city": "Oslo"}), Done("tool-calls")]
    for ask in (created, streamed):
        [choice] = ask(gate, outs, extra_body={"functions": functions}).choices
        assert choice.finish_reason == "function_call"
        assert (choice.message.function_call.name, choice.message.tool_calls) == ("weather", None)
        assert json.loads(choice.message.function_call.arguments) == {"city": "Oslo"}


@pytest.mark.parametrize("piece", [1, 7])
def test_characters_that_are_cut_in_two_on_their_way_arrive_whole(gate: Gateway, piece: int) -> None:
    text = "東京は晴れ 🌤️\u2028二行目\u0085\r\n\0end"
    gate.piece = piece
    try:
        assert streamed(gate, [*said(text, size=1), Done("stop")]).choices[0].message.content == text
    finally:
        gate.piece = 1 << 20


def test_no_line_of_a_stream_is_cut_by_a_client_that_knows_unicode() -> None:
    writer = ChatWriter(asked(stream=True), "chatcmpl-1")
    frame = writer.feed(TextDelta("a\u2028b\u2029c\u0085d")).decode()
    assert len(frame.splitlines()) == 2
    assert json.loads(frame.removeprefix("data: "))["choices"][0]["delta"]["content"] == "a\u2028b\u2029c\u0085d"


def test_half_a_character_does_not_end_the_stream() -> None:
    writer = ChatWriter(asked(stream=True), "chatcmpl-1")
    frame = writer.feed(TextDelta("a\ud83d"))
    assert json.loads(frame.removeprefix(b"data: "))["choices"][0]["delta"]["content"] == "a\ufffd"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(told=answers, usage=usages, is_streamed=st.booleans())
def test_what_is_put_in_comes_out(gate: Gateway, told: list[Told], usage: Usage, is_streamed: bool) -> None:
    outs = outs_of(told, usage)
    ask = streamed if is_streamed else created
    options: Any = {"stream_options": {"include_usage": True}} if is_streamed else {}
    completion = ask(gate, outs, **options)
    message = completion.choices[0].message
    stretches = {"text": [""], "reasoning": [""]}
    for thing in told:
        if thing.kind == "ran":
            for kind in stretches.values():
                kind.append("")
        elif thing.kind in stretches:
            stretches[thing.kind][-1] += thing.value
    assert (message.content or "") == "\n\n".join(filter(None, stretches["text"]))
    assert (getattr(message, "reasoning_content", None) or "") == "\n\n".join(filter(None, stretches["reasoning"]))
    calls = [(call.id, call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls or []]
    assert calls == [thing.value for thing in told if thing.kind == "call"]
    assert completion.usage.prompt_tokens == usage.input


def test_a_failure_in_the_middle_raises_and_never_ends_the_answer(gate: Gateway) -> None:
    gate.outs = [*said("Sunn"), StreamError(ErrorInfo("rate_limit", "slow down", 429))]
    chunks = iter(gate.client.chat.completions.create(model="m", messages=MESSAGES, stream=True))
    received = [next(chunks).choices[0] for _ in range(3)]
    with pytest.raises(openai.APIError, match="slow down") as caught:
        next(chunks)
    assert "".join(choice.delta.content or "" for choice in received) == "Sunn"
    assert all(choice.finish_reason is None for choice in received)
    assert caught.value.code == "rate_limit_exceeded"
    assert caught.value.type == "rate_limit_error"


def test_the_last_words_of_a_stream_are_its_reason_and_done() -> None:
    writer = ChatWriter(asked(stream=True))
    frames = writer.feed(Done("stop")).split(b"\n\n")
    assert json.loads(frames[0].removeprefix(b"data: "))["choices"][0]["finish_reason"] == "stop"
    assert frames[1:] == [b"data: [DONE]", b""]


@pytest.mark.parametrize("end", [StreamError(ErrorInfo("truncated", "cut")), Done("aborted")])
def test_a_failed_stream_has_no_done(end: OutputEvent) -> None:
    writer = ChatWriter(asked(stream=True), "chatcmpl-1")
    told = b"".join(writer.feed(out) for out in [*said("a"), end])
    assert b"[DONE]" not in told
    assert b'"finish_reason":"' not in told
    assert json.loads(told.rpartition(b"data: ")[2])["error"]["type"] == "server_error"


def test_a_failed_answer_is_no_completion() -> None:
    for end, kind in ((StreamError(ErrorInfo("rate_limit", "a")), "rate_limit"), (Done("interrupted"), "internal")):
        with pytest.raises(Refusal) as caught:
            whole(asked(), [*said("a"), end])
        assert caught.value.kind == kind
    with pytest.raises(Refusal, match="incomplete"):
        whole(asked(), said("a"))


@pytest.mark.parametrize(
    ("refusal", "error", "status", "code"),
    [
        (Refusal("authentication", "no"), openai.AuthenticationError, 401, "invalid_api_key"),
        (Refusal("billing", "no"), openai.RateLimitError, 429, "insufficient_quota"),
        (Refusal("permission", "no"), openai.PermissionDeniedError, 403, "permission_denied"),
        (Refusal("not_found", "no", code="not_found"), openai.NotFoundError, 404, "model_not_found"),
        (Refusal("not_found", "no"), openai.NotFoundError, 404, "not_found"),
        (Refusal("too_large", "no"), openai.APIStatusError, 413, "request_too_large"),
        (Refusal("rate_limit", "no"), openai.RateLimitError, 429, "rate_limit_exceeded"),
        (Refusal("internal", "no"), openai.InternalServerError, 500, "server_error"),
        (Refusal("timeout", "no"), openai.InternalServerError, 504, "timeout"),
        (Refusal("overloaded", "no"), openai.InternalServerError, 503, "overloaded"),
        (Refusal("invalid_request", "no", status=422), openai.UnprocessableEntityError, 422, None),
    ],
)
def test_a_refusal_raises_the_error_of_its_kind(
    gate: Gateway, refusal: Refusal, error: type[openai.APIStatusError], status: int, code: str | None
) -> None:
    gate.refusal = refusal
    with pytest.raises(error, match="no") as caught:
        gate.client.chat.completions.create(model="m", messages=MESSAGES)
    assert (caught.value.status_code, caught.value.code) == (status, code)


@pytest.mark.parametrize("end", [StreamError(ErrorInfo("server", "a")), Done("stop"), Done("error")])
def test_nothing_follows_the_end(end: OutputEvent) -> None:
    writer = ChatWriter(asked(stream=True))
    assert writer.feed(end)
    assert [writer.feed(out) for out in [*said("a"), StreamError(ErrorInfo("server", "b")), Done("stop")]] == [b""] * 5


def test_a_bad_request_raises_with_the_path(gate: Gateway) -> None:
    with pytest.raises(openai.BadRequestError, match=r"messages\[0\]\.content") as caught:
        gate.client.chat.completions.create(model="m", messages=[{"role": "user", "content": 3}])  # type: ignore[typeddict-item]
    assert caught.value.type == "invalid_request_error"


def test_models_are_listed_and_found(gate: Gateway) -> None:
    first, second = gate.client.models.list()
    assert (first.id, first.owned_by, first.object) == ("openai/gpt", "toolpost", "model")
    assert second.id == "default"
    assert gate.client.models.retrieve("openai/gpt") == first
    with pytest.raises(openai.NotFoundError):
        gate.client.models.retrieve("nothing")
