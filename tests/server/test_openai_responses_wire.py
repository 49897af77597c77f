"""Answers of `POST /v1/responses`: what the `openai` package makes of what is written."""

import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai_play import Gateway, Told, answers, called, gateway, outs_of, ran, said, thought, usages
from pydantic import BaseModel

from toolpost.server.gateway.output import Done, OutputEvent, ServerCall
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.gateway.wires.openai_responses.request import read
from toolpost.server.gateway.wires.openai_responses.response import ResponseWriter, whole
from toolpost.server.refusals import Refusal
from toolpost.types.messages import ErrorInfo, ReasoningPart, TextPart, Usage
from toolpost.types.stream import (
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamError,
    TextDelta,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputStart,
)

PIXEL = "iVBORw0KGgo="
MCP: Any = {
    "type": "mcp",
    "server_label": "files",
    "server_url": "https://example.com/mcp",
    "authorization": "hidden-token",
    "require_approval": "never",
}
USAGE = Usage(input=30, output=12, reasoning=5, cache_read=20)


@pytest.fixture(scope="module")
def gate() -> Iterator[Gateway]:
    with gateway() as served:
        yield served


def asked(**fields: Any) -> GatewayRequest:
    return read({"model": "m", "input": "hello", **fields}, {})


def streamed(gate: Gateway, outs: list[OutputEvent], **fields: Any) -> Any:
    gate.outs, gate.refusal = outs, None
    with gate.client.responses.stream(model="m", input="hello", **fields) as stream:
        for _ in stream:
            pass
        return stream.get_final_response()


def created(gate: Gateway, outs: list[OutputEvent], **fields: Any) -> Any:
    gate.outs, gate.refusal = outs, None
    return gate.client.responses.create(model="m", input="hello", **fields)


def events(gate: Gateway, outs: list[OutputEvent], **fields: Any) -> list[Any]:
    return list(created(gate, outs, stream=True, **fields))


@pytest.mark.parametrize("ask", [streamed, created])
def test_text_reasoning_and_usage_arrive(gate: Gateway, ask: Any) -> None:
    response = ask(gate, [*thought("hm"), *said("Sunny, 25°."), Done("stop", USAGE)], metadata={"a": "b"})
    assert (response.status, response.output_text, response.model) == ("completed", "Sunny, 25°.", "m")
    reasoning, message = response.output
    assert [part.text for part in reasoning.summary] == ["hm"]
    assert (message.role, message.status) == ("assistant", "completed")
    assert response.metadata == {"a": "b"}
    usage = response.usage
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (30, 12, 42)
    assert usage.input_tokens_details.cached_tokens == 20
    assert usage.output_tokens_details.reasoning_tokens == 5


def test_events_come_in_their_order_with_a_number_each(gate: Gateway) -> None:
    outs = [*thought("hm"), *said("Hi", size=1), *called("call_1", "weather", {"a": 1}, size=99), Done("tool-calls")]
    told = events(gate, outs)
    assert [event.type.removeprefix("response.") for event in told] == [
        "created",
        "in_progress",
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    assert [event.sequence_number for event in told] == list(range(len(told)))
    added = [event for event in told if event.type == "response.output_item.added"]
    assert [event.output_index for event in added] == [0, 1, 2]
    done = {event.item.id: event.item for event in told if event.type == "response.output_item.done"}
    assert [done[event.item.id] for event in added] == told[-1].response.output


def test_calls_side_by_side_keep_their_places(gate: Gateway) -> None:
    outs: list[OutputEvent] = [
        ToolInputStart("a", "weather"),
        ToolInputStart("b", "weather"),
        ToolInputDelta("b", '{"city":'),
        ToolInputDelta("a", '{"city": "Oslo"}'),
        ToolInputDelta("b", '"Tokyo"}'),
        ToolCall("b", "weather", {"city": "Tokyo"}),
        ToolCall("a", "weather", {"city": "Oslo"}),
        Done("tool-calls"),
    ]
    for ask in (streamed, created):
        output = ask(gate, outs).output
        assert [(call.call_id, json.loads(call.arguments)["city"]) for call in output] == [
            ("a", "Oslo"),
            ("b", "Tokyo"),
        ]


@pytest.mark.parametrize("ask", [streamed, created])
def test_a_call_without_arguments_has_an_empty_object(gate: Gateway, ask: Any) -> None:
    [call] = ask(gate, [*called("call_1", "now", {}), Done("tool-calls")]).output
    assert (call.type, call.call_id, call.name, call.arguments) == ("function_call", "call_1", "now", "{}")


def test_blocks_that_have_no_end_are_ended_by_the_next_of_their_id(gate: Gateway) -> None:
    outs: list[OutputEvent] = []
    for word in ("one", "two"):
        outs += [ReasoningStart("0"), ReasoningDelta(word, "0"), TextStart("0"), TextDelta(word, "0")]
    for ask in (streamed, created):
        output = ask(gate, [*outs, Done("stop")]).output
        assert [(item.summary if item.type == "reasoning" else item.content)[0].text for item in output] == [
            "one",
            "one",
            "two",
            "two",
        ]


@pytest.mark.parametrize(("reason", "status"), [("tool-calls", "completed"), ("length", "incomplete")])
def test_arguments_that_cannot_be_read_are_whole_unless_the_answer_was_cut(
    gate: Gateway, reason: Any, status: str
) -> None:
    outs: list[OutputEvent] = [ToolInputStart("a", "f"), ToolInputDelta("a", '{"x'), ToolCall("a", "f", {}, '{"x')]
    outs += [*called("b", "g", {"y": 1}), Done(reason)]
    for call, after in (created(gate, outs).output, events(gate, outs)[-1].response.output):
        assert (call.status, call.arguments, call.call_id) == (status, '{"x', "a")
        assert (after.status, after.call_id) == ("completed", "b")


@pytest.mark.parametrize(("reason", "why"), [("length", "max_output_tokens"), ("content-filter", "content_filter")])
def test_an_answer_that_was_cut_is_incomplete(gate: Gateway, reason: Any, why: str) -> None:
    outs: list[OutputEvent] = [TextDelta("half"), ToolInputStart("a", "f"), ToolInputDelta("a", '{"x'), Done(reason)]
    last = events(gate, outs)[-1]
    assert last.type == "response.incomplete"
    for response in (last.response, created(gate, outs)):
        assert (response.status, response.incomplete_details.reason) == ("incomplete", why)
        assert response.output_text == "half"
        assert [item.status for item in response.output] == ["incomplete", "incomplete"]


@pytest.mark.parametrize("ask", [streamed, created])
def test_calls_that_ran_here_are_shown_to_who_asked_for_mcp(gate: Gateway, ask: Any) -> None:
    outs = [
        *said("I look."),
        *ran("r1", "read", {"a": 1}, "text"),
        *ran("r2", "read", {}, "gone", is_error=True),
        *said("Done.", "1"),
        Done("stop"),
    ]
    response = ask(gate, outs, tools=[MCP])
    _, good, bad, _ = response.output
    assert (good.type, good.server_label, good.name, good.status) == ("mcp_call", "files", "read", "completed")
    assert (json.loads(good.arguments), good.output, good.error) == ({"a": 1}, "text", None)
    assert (bad.status, bad.output, bad.error.content[0]["text"]) == ("failed", None, "gone")
    assert "hidden-token" not in response.model_dump_json()
    hidden = ask(gate, outs)
    assert [item.type for item in hidden.output] == ["message", "message"]
    assert "read" not in hidden.model_dump_json()


def test_the_life_of_a_call_that_ran_here_is_told(gate: Gateway) -> None:
    outs = [*ran("r1", "read", {"a": 1}, "text"), Done("stop")]
    told = [event.type for event in events(gate, outs, tools=[MCP])]
    assert told[2:-1] == [
        "response.output_item.added",
        "response.mcp_call.in_progress",
        "response.mcp_call_arguments.done",
        "response.mcp_call.completed",
        "response.output_item.done",
    ]


def test_what_a_provider_wants_echoed_comes_back_sealed(gate: Gateway) -> None:
    """Also reasoning without a word: some providers only sign it."""
    signed = {"anthropic": {"signature": "ÄÖ"}}
    outs: list[OutputEvent] = [
        *thought("hm", signed),
        ReasoningStart("x"),
        ReasoningEnd("x", signed),
        *said("Hi"),
        Done("stop"),
    ]
    for ask in (streamed, created):
        response = ask(gate, outs)
        again: Any = [
            {"role": "user", "content": "a"},
            *(item.model_dump(exclude_none=True) for item in response.output),
        ]
        gate.client.responses.create(model="m", input=again)
        assert gate.asked[-1].messages[1].parts == (
            ReasoningPart("hm", signed),
            ReasoningPart("", signed),
            TextPart("Hi"),
        )


def test_a_seal_that_was_changed_is_dropped() -> None:
    for sealed in ("toolpost-1.!!!", "toolpost-1.W10=", "toolpost-1.eyJhIjogMX0="):
        item = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}], "encrypted_content": sealed}
        [message] = asked(input=[item]).messages
        assert message.parts == (ReasoningPart("a"),)


def test_an_image_of_the_model_is_an_item(gate: Gateway) -> None:
    for ask in (streamed, created):
        [image] = ask(gate, [GeneratedFile("image/png", PIXEL), Done("stop")]).output
        assert (image.type, image.result) == ("image_generation_call", PIXEL)


class Weather(BaseModel):
    city: str
    degrees: int


def test_structured_output_is_parsed(gate: Gateway) -> None:
    gate.outs = [*said('{"city": "Tokyo", "degrees": 25}'), Done("stop")]
    parsed = gate.client.responses.parse(model="m", input="hello", text_format=Weather)
    assert parsed.output_parsed == Weather(city="Tokyo", degrees=25)
    output = gate.asked[-1].output
    assert output is not None
    assert set(output.as_schema["properties"]) == {"city", "degrees"}
    assert streamed(gate, [*gate.outs], text_format=Weather).output_parsed == parsed.output_parsed


@pytest.mark.parametrize("piece", [1, 7])
def test_characters_that_are_cut_in_two_on_their_way_arrive_whole(gate: Gateway, piece: int) -> None:
    text = "東京は晴れ 🌤️\u2028二行目\u0085\r\n\0end"
    gate.piece = piece
    try:
        assert streamed(gate, [*said(text, size=1), Done("stop")]).output_text == text
    finally:
        gate.piece = 1 << 20


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(told=answers, usage=usages, is_streamed=st.booleans())
def test_what_is_put_in_comes_out(gate: Gateway, told: list[Told], usage: Usage, is_streamed: bool) -> None:
    response = (streamed if is_streamed else created)(gate, outs_of(told, usage), tools=[MCP])
    found: list[Any] = []
    for item in response.output:
        if item.type == "message":
            found.append(("text", item.content[0].text))
        elif item.type == "reasoning":
            found.append(("reasoning", item.summary[0].text))
        elif item.type == "function_call":
            found.append(("call", (item.call_id, item.name, json.loads(item.arguments))))
        else:
            found.append(("ran", (item.name, json.loads(item.arguments), item.output)))
    expected = [(thing.kind, thing.value[1:] if thing.kind == "ran" else thing.value) for thing in told if thing.value]
    assert found == expected
    assert response.usage.output_tokens == usage.output


def test_a_failure_in_the_middle_raises(gate: Gateway) -> None:
    outs = [*said("Sunn"), StreamError(ErrorInfo("rate_limit", "slow down", 429))]
    with pytest.raises(openai.APIError, match="slow down") as caught:
        events(gate, outs)
    assert caught.value.code == "rate_limit_exceeded"
    with pytest.raises(openai.APIError, match="slow down"):
        streamed(gate, outs)


@pytest.mark.parametrize("end", [StreamError(ErrorInfo("context_overflow", "too long")), Done("interrupted")])
def test_a_failed_response_is_told_as_failed_and_nothing_else(end: OutputEvent) -> None:
    writer = ResponseWriter(asked(stream=True), "resp_1")
    outs: list[OutputEvent] = [*said("a"), ServerCall("r", "files", "read", {}), TextDelta("open", "1"), end]
    told = b"".join(writer.feed(out) for out in outs)
    *_, error, failed = [
        json.loads(frame.partition(b"data: ")[2]) for frame in told.split(b"\n\n") if b"data: " in frame
    ]
    assert (error["type"], failed["type"]) == ("error", "response.failed")
    assert error["message"] == error["error"]["message"] == failed["response"]["error"]["message"]
    assert failed["response"]["status"] == "failed"
    assert [item["content"][0]["text"] for item in failed["response"]["output"]] == ["a"]
    assert b"response.completed" not in told


def test_a_failed_answer_is_no_response(gate: Gateway) -> None:
    with pytest.raises(Refusal):
        whole(asked(), [*said("a"), Done("aborted")])
    with pytest.raises(openai.RateLimitError, match="slow down"):
        created(gate, [*said("a"), StreamError(ErrorInfo("rate_limit", "slow down"))])


@pytest.mark.parametrize("end", [StreamError(ErrorInfo("server", "a")), Done("stop"), Done("error")])
def test_nothing_follows_the_end(end: OutputEvent) -> None:
    writer = ResponseWriter(asked(stream=True))
    assert writer.feed(end)
    assert [writer.feed(out) for out in [*said("a"), StreamError(ErrorInfo("server", "b")), Done("stop")]] == [b""] * 5


def test_a_bad_request_raises_with_the_path(gate: Gateway) -> None:
    with pytest.raises(openai.BadRequestError, match="previous_response_id"):
        gate.client.responses.create(model="m", input="a", previous_response_id="resp_0")
