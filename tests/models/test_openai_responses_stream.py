"""What the adapter makes of a Responses stream, quirk by quirk, over a real socket."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_play import HI, answer, cut_at, made, only_error, read, said, thought

from toolpost.models.contract import ModelRequest, WireMemo
from toolpost.models.openai_responses.model import OpenAIResponses
from toolpost.models.openai_responses.stream import OpenAIResponsesStreamReader
from toolpost.testing import Turn, Upstream, call, http_error, raw, reasoning, text, turn
from toolpost.types.messages import Message, ReasoningPart, TextPart, Usage
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


async def play(*turns: Turn) -> list[StreamEvent]:
    async with Upstream(*turns) as up:
        return await answer(OpenAIResponses("any", base_url=up.base_url))


def wire(*events: dict[str, Any]) -> bytes:
    return b"".join(b"data: " + msgspec.json.encode(event) + b"\n\n" for event in events)


async def play_wire(*events: dict[str, Any], done: bool = True) -> list[StreamEvent]:
    return await play(raw(wire(*events, *([COMPLETED] if done else []))))


COMPLETED: dict[str, Any] = {"type": "response.completed", "response": {"status": "completed", "output": []}}


def added(index: int | None = 0, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(index: int | None = 0, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def delta(kind: str, text: str, index: int | None = 0, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}.delta", "delta": text, "output_index": index, **more}


def function(call_id: str = "c1", arguments: str = "", **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": "add", "arguments": arguments, **more}


async def test_reasoning_text_and_calls_in_their_order() -> None:
    script = reasoning("hm", chunk=1) + text("hello", chunk=3) + call("add", {"a": 1}, id="c1", chunk=4)
    item = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}
    assert await play(turn(script, usage=Usage(12, 3, 1, 4, 2))) == [
        ReasoningStart("0"),
        ReasoningDelta("h", "0"),
        ReasoningDelta("m", "0"),
        ReasoningEnd("0", {"openai_responses": {"item": {**item, "encrypted_content": "sealed 1"}}}),
        TextStart("1"),
        TextDelta("hel", "1"),
        TextDelta("lo", "1"),
        TextEnd("1"),
        ToolInputStart("c1", "add"),
        ToolInputDelta("c1", '{"a"'),
        ToolInputDelta("c1", ":1}"),
        ToolInputEnd("c1"),
        ToolCall("c1", "add", {"a": 1}),
        Finish("tool-calls", Usage(12, 3, 1, 4, 2)),
    ]


STREAM = wire(
    added(0, type="reasoning", id="rs"),
    delta("reasoning_summary_text", "思", summary_index=0),
    done(0, type="reasoning", id="rs", encrypted_content="x"),
    added(1, **function(id="fc1")),
    added(2, **function("c2", id="fc2")),
    delta("function_call_arguments", '{"a":', 1, item_id="fc1"),
    delta("function_call_arguments", '{"b":"', 2, item_id="fc2"),
    delta("function_call_arguments", "1}", 1, item_id="fc1"),
    {"type": "response.function_call_arguments.done", "item_id": "fc2", "arguments": '{"b":"🌍"}'},
    done(1, **function(arguments='{"a":1}', id="fc1")),
    done(2, **function("c2", '{"b":"🌍"}', id="fc2")),
    delta("output_text", "好 🌍", 3),
    COMPLETED,
)


@settings(deadline=None, max_examples=150)
@given(cuts=st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_any_cut_of_the_bytes_gives_the_same_events(cuts: list[int]) -> None:
    assert read(OpenAIResponsesStreamReader(), cut_at(STREAM, cuts)) == read(OpenAIResponsesStreamReader(), [STREAM])


@settings(deadline=None, max_examples=100)
@given(size=st.integers(0, len(STREAM) - 3))
def test_a_stream_cut_short_anywhere_is_one_error(size: int) -> None:
    assert only_error(read(OpenAIResponsesStreamReader(), [STREAM[:size]])).error.code == "truncated"


def test_calls_written_side_by_side_stay_two() -> None:
    assert made(read(OpenAIResponsesStreamReader(), [STREAM])) == [
        ToolCall("c1", "add", {"a": 1}),
        ToolCall("c2", "add", {"b": "🌍"}),
    ]


async def test_arguments_that_come_only_in_done_are_not_lost() -> None:
    """LM Studio sends no deltas (litellm#25321)."""
    whole = {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": '{"a":1}'}
    events = await play_wire(added(0, **function()), whole, done(0, **function()))
    assert made(events) == [ToolCall("c1", "add", {"a": 1})]
    assert ToolInputDelta("c1", '{"a":1}') in events


@pytest.mark.parametrize("before", [[], [added(0, **function())], [delta("function_call_arguments", '{"a"')]])
async def test_arguments_that_come_only_with_the_whole_item_are_not_lost(before: list[dict[str, Any]]) -> None:
    events = await play_wire(*before, done(0, **function(arguments='{"a":1}')))
    assert [(event.name, event.arguments) for event in made(events)] == [("add", {"a": 1})]
    assert events[-1] == Finish("tool-calls")


async def test_items_that_come_only_with_the_response_are_not_lost() -> None:
    message = {"type": "message", "content": [{"type": "output_text", "text": "hi"}]}
    output = [message, function(arguments='{"a":1}')]
    events = await play_wire({"type": "response.completed", "response": {"output": output}}, done=False)
    assert said(events) == "hi"
    assert made(events) == [ToolCall("c1", "add", {"a": 1})]


async def test_an_answer_in_one_document() -> None:
    body = {
        "object": "response",
        "status": "completed",
        "output": [function(arguments="")],
        "usage": {"input_tokens": 3},
    }
    events = await play(raw(msgspec.json.encode(body)))
    assert made(events) == [ToolCall("c1", "add", {})]
    assert events[-1] == Finish("tool-calls", Usage(input=3))


async def test_another_id_with_every_event_is_no_other_item() -> None:
    """Proxies that hide ids send another one each time; the place is the same."""
    events = await play_wire(
        added(0, **function(id="x1")),
        delta("function_call_arguments", '{"a":1}', 0, item_id="x2"),
        done(0, **function(arguments='{"a":1}', id="x3")),
    )
    assert made(events) == [ToolCall("c1", "add", {"a": 1})]


async def test_calls_that_all_claim_the_first_place_stay_apart() -> None:
    events = await play_wire(
        added(0, **function("c1", id="f1")),
        added(0, **function("c2", id="f2")),
        delta("function_call_arguments", '{"a":1}', 0, item_id="f1"),
        delta("function_call_arguments", '{"a":2}', 0, item_id="f2"),
        done(0, **function("c1", '{"a":1}', id="f1")),
        done(0, **function("c2", '{"a":2}', id="f2")),
    )
    assert made(events) == [ToolCall("c1", "add", {"a": 1}), ToolCall("c2", "add", {"a": 2})]


async def test_deltas_without_ids_and_places_belong_to_the_open_item() -> None:
    events = await play_wire(
        added(None, **function()),
        delta("function_call_arguments", '{"a":', None),
        delta("function_call_arguments", "1}", None),
        done(None, **function(arguments='{"a":1}')),
    )
    assert made(events) == [ToolCall("c1", "add", {"a": 1})]


async def test_two_calls_with_one_id_get_two() -> None:
    events = await play_wire(done(0, **function("c1", "{}", id="a")), done(1, **function("c1", '{"a":1}', id="b")))
    assert len({event.id for event in made(events)}) == 2


async def test_a_name_that_comes_late_is_waited_for() -> None:
    events = await play_wire(
        added(0, type="function_call", call_id="c1", arguments=""),
        delta("function_call_arguments", '{"a":1}'),
        done(0, **function(arguments='{"a":1}')),
    )
    assert events[:2] == [ToolInputStart("c1", "add"), ToolInputDelta("c1", '{"a":1}')]


async def test_arguments_as_an_object_are_read() -> None:
    assert made(await play_wire(done(0, **{**function(), "arguments": {"a": 1}}))) == [ToolCall("c1", "add", {"a": 1})]


async def test_sealed_reasoning_without_a_word_is_kept() -> None:
    item = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "sealed"}
    events = await play_wire(added(0, type="reasoning", id="rs"), done(0, **item, status=None))
    assert events[:3] == [
        ReasoningStart("0"),
        ReasoningDelta("", "0"),
        ReasoningEnd("0", {"openai_responses": {"item": item}}),
    ]


async def test_parts_of_a_summary_are_told_apart_and_raw_reasoning_is_read() -> None:
    parts = [delta("reasoning_summary_text", text, summary_index=place) for place, text in enumerate(["one", "two"])]
    assert thought(await play_wire(added(0, type="reasoning"), *parts)) == "one\n\ntwo"
    assert thought(await play_wire(delta("reasoning_text", "raw", content_index=0))) == "raw"


async def test_reasoning_that_nobody_sealed_is_shown_and_not_kept() -> None:
    events = await play_wire(done(0, type="reasoning", id="rs", summary=[{"type": "summary_text", "text": "hm"}]))
    assert events[:3] == [ReasoningStart("0"), ReasoningDelta("hm", "0"), ReasoningEnd("0")]


async def test_a_refusal_is_text_and_a_phase_is_kept() -> None:
    content = [{"type": "refusal", "refusal": "no"}]
    events = await play_wire(delta("refusal", "no"), done(0, type="message", content=content, phase="final_answer"))
    assert events[:3] == [
        TextStart("0"),
        TextDelta("no", "0"),
        TextEnd("0", {"openai_responses": {"phase": "final_answer"}}),
    ]


async def test_an_image_made_at_the_provider_is_a_file_under_its_id() -> None:
    events = await play_wire(
        added(0, type="image_generation_call", id="ig"),
        {"type": "response.image_generation_call.partial_image", "partial_image_b64": "half"},
        done(0, type="image_generation_call", id="ig", result="AAAA", output_format="webp"),
        done(1, type="image_generation_call", id="none", result=None),
    )
    file = GeneratedFile("image/webp", "AAAA", metadata={"openai_responses": {"id": "ig"}})
    assert events == [file, Finish("stop")]


async def test_items_of_tools_at_the_provider_say_nothing() -> None:
    assert await play_wire(added(0, type="web_search_call"), done(0, type="web_search_call")) == [Finish("stop")]


@pytest.mark.parametrize(("came", "kept"), [('{"a":', '{"a":'), ("", "{")])
async def test_a_call_cut_at_the_length_limit_is_raw(came: str, kept: str) -> None:
    body = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    events = await play_wire(
        added(0, **function()),
        delta("function_call_arguments", came),
        {"type": "response.incomplete", "response": body},
        done=False,
    )
    assert events[-2:] == [ToolCall("c1", "add", {}, kept), Finish("length")]


@pytest.mark.parametrize(
    ("problem", "code", "retryable"),
    [
        ({"code": "server_error", "message": "oops"}, "server", True),
        ({"code": "rate_limit_exceeded", "message": "slow"}, "rate_limit", True),
        ({"code": "invalid_prompt", "message": "bad"}, "bad_request", False),
        ({"code": "context_length_exceeded", "message": "too long"}, "context_overflow", False),
        ({"code": "insufficient_quota", "message": "no money"}, "spend_limit", False),
        ({"code": "image_content_policy_violation", "message": "no"}, "content_filter", False),
        (None, "server", True),
    ],
)
async def test_a_failed_response_is_an_error_that_says_whose_fault_it_is(
    problem: Any, code: str, retryable: bool
) -> None:
    failed = {"type": "response.failed", "response": {"status": "failed", "error": problem}}
    found = only_error(await play_wire(delta("output_text", "half"), failed, done=False)).error
    assert (found.code, found.retryable) == (code, retryable)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "code": "rate_limit_exceeded", "message": "slow", "param": None},
        {"type": "error", "error": {"type": "rate_limit_error", "message": "slow"}},
        {"error": {"code": 429, "message": "slow"}},
    ],
)
async def test_an_error_event_in_any_of_its_forms(event: dict[str, Any]) -> None:
    found = only_error(await play_wire(delta("output_text", "half"), event)).error
    assert (found.code, found.message) == ("rate_limit", "slow")


@pytest.mark.parametrize("body", [b"", b": ping\n\n", b"data: [DONE]\n\n", wire({"type": "response.created"})])
async def test_an_empty_stream_is_truncated(body: bytes) -> None:
    assert only_error(await play(raw(body))).error.code == "truncated"


async def test_the_last_event_counts_without_its_blank_line() -> None:
    assert (await play(raw(wire(delta("output_text", "x"), COMPLETED)[:-2])))[-1] == Finish("stop")


@pytest.mark.parametrize("body", [b"data: <html>\n\n", b"{not json", b'{"hello":1}'])
async def test_what_is_no_response_is_a_protocol_error(body: bytes) -> None:
    assert only_error(await play(raw(body))).error.code == "protocol"


async def test_types_that_are_off_are_read_all_the_same() -> None:
    event = {"type": "response.output_text.delta", "delta": "x", "output_index": "0", "item_id": 7}
    assert said(await play_wire(event)) == "x"


async def test_halves_of_a_character_are_joined_or_replaced() -> None:
    body = b'data: {"type":"response.output_text.delta","delta":"\\ud83c\\udf0d \\ud83c"}\n\n' + wire(COMPLETED)
    assert said(await play(raw(body))) == "🌍 \ufffd"


async def test_a_model_that_seals_nothing_is_asked_without_it_from_then_on() -> None:
    refusal = http_error(400, "Encrypted content is not supported with this model.")
    async with Upstream(refusal, text("x"), text("y")) as up:
        model = OpenAIResponses("gpt-4o", base_url=up.base_url)
        for _ in range(2):
            assert [event async for event in model.stream(ModelRequest([HI]))][-1] == Finish("stop", Usage(10, 5))
        assert ["include" in request.body for request in up.requests] == [True, False, False]


async def test_reasoning_that_can_no_longer_be_opened_is_left_out_from_then_on() -> None:
    """A key of another organisation: what the first one sealed is refused."""
    sealed = {"openai_responses": {"item": {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "x"}}}
    before = Message("a", "assistant", (ReasoningPart("", sealed), TextPart("so")), model="openai/m")
    refusal = http_error(400, "The encrypted content gAAA could not be verified.")
    async with Upstream(refusal, text("x")) as up:
        model, memo = OpenAIResponses("m", base_url=up.base_url), WireMemo()
        events = [event async for event in model.stream(ModelRequest([HI, before], memo=memo))]
        assert events[-1] == Finish("stop", Usage(10, 5))
        assert [len(request.body["input"]) for request in up.requests] == [3, 2]
        assert all("include" in request.body for request in up.requests)
