"""What the Anthropic adapter makes of a server's stream, quirk by quirk, over a real socket."""

import msgspec
import pytest
from anthropic_play import begin, closed, opened, over, piece, play, play_wire, told, wire
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_play import called, cut_at, made, only_error, read, said

from toolpost.models.anthropic.stream import AnthropicStreamReader
from toolpost.testing import call, error_object, raw, reasoning, text, turn
from toolpost.types.messages import Usage
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)


async def test_a_text_answer() -> None:
    events = await play(turn(text("hello", chunk=3), usage=Usage(12, 3, 1, 4, 2)))
    assert events == [
        TextStart("0"),
        TextDelta("hel", "0"),
        TextDelta("lo", "0"),
        TextEnd("0"),
        Finish("stop", Usage(12, 3, 1, 4, 2)),
    ]


async def test_thinking_text_and_calls_in_their_order() -> None:
    events = await play(reasoning("hm") + text("so") + call("add", {"a": 1}, id="t1", chunk=4))
    assert events == [
        ReasoningStart("0"),
        ReasoningDelta("hm", "0"),
        ReasoningEnd("0", {"anthropic": {"signature": "signature-1"}}),
        TextStart("1"),
        TextDelta("so", "1"),
        TextEnd("1"),
        ToolInputStart("t1", "add"),
        ToolInputDelta("t1", '{"a"'),
        ToolInputDelta("t1", ":1}"),
        ToolInputEnd("t1"),
        ToolCall("t1", "add", {"a": 1}),
        Finish("tool-calls", Usage(10, 5)),
    ]


BODY = b"".join(
    [
        begin(input_tokens=3),
        opened(0, type="thinking", thinking="", signature=""),
        piece(0, "thinking_delta", thinking="嗯"),
        piece(0, "signature_delta", signature="s"),
        closed(0),
        wire("ping"),
        opened(1, type="redacted_thinking", data="abc"),
        closed(1),
        told(2, "héllo 🌍"),
        opened(4, type="tool_use", id="t1", name="add", input={}),
        piece(4, "input_json_delta", partial_json='{"a": "'),
        piece(4, "input_json_delta", partial_json='é"}'),
        closed(4),
        over("tool_use", {"output_tokens": 9}),
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, len(BODY)), max_size=12), st.booleans())
def test_any_cut_of_the_bytes_gives_the_same_events(cuts: list[int], windows: bool) -> None:
    body = BODY.replace(b"\n", b"\r\n") if windows else BODY
    assert read(AnthropicStreamReader(), cut_at(body, cuts)) == read(AnthropicStreamReader(), [BODY])


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(BODY) - 3))
def test_a_stream_that_ends_early_is_truncated_wherever_it_was_cut(length: int) -> None:
    assert only_error(read(AnthropicStreamReader(), [BODY[:length]])).error.code == "truncated"


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("refusal", "content-filter"),
        ("tool_use", "stop"),
        ("something_new", "stop"),
        (None, "stop"),
    ],
)
async def test_stop_reasons(stop: str | None, reason: str) -> None:
    events = await play_wire(begin(), told(0, "x"), over(stop))
    assert isinstance(events[-1], Finish)
    assert events[-1].reason == reason


@pytest.mark.parametrize("stop", ["end_turn", "tool_use", "pause_turn"])
async def test_a_call_seen_means_tool_calls_whatever_the_wire_says(stop: str) -> None:
    events = await play_wire(begin(), opened(0, type="tool_use", id="t", name="add", input={}), closed(0), over(stop))
    assert events[-1] == Finish("tool-calls")


async def test_what_stopped_the_model_is_told() -> None:
    events = await play_wire(begin(), told(0, "x"), over("stop_sequence", stop_sequence="END"))
    assert events[-1] == Finish("stop", metadata={"anthropic": {"stop_sequence": "END"}})
    details = {"type": "refusal", "category": "bio"}
    events = await play_wire(begin(), told(0, "x"), over("refusal", stop_details=details))
    assert events[-1] == Finish("content-filter", metadata={"anthropic": {"stop_details": details}})


async def test_a_full_window_is_an_overflow() -> None:
    events = await play_wire(begin(), told(0, "x"), over("model_context_window_exceeded"))
    assert only_error(events).error.code == "context_overflow"


async def test_a_call_cut_at_the_length_limit_is_raw_and_the_reason_stays_length() -> None:
    start = opened(0, type="tool_use", id="t", name="add", input={})
    events = await play_wire(begin(), start, piece(0, "input_json_delta", partial_json='{"a":'), over("max_tokens"))
    assert events[-2:] == [ToolCall("t", "add", {}, '{"a":'), Finish("length")]


async def test_usage_counts_are_totals_and_a_missing_one_leaves_the_last() -> None:
    start = begin(input_tokens=5, cache_read_input_tokens=100, cache_creation_input_tokens=20, output_tokens=1)
    usage = {"output_tokens": 30, "input_tokens": None, "cache_read_input_tokens": 0}
    details = {"output_tokens_details": {"thinking_tokens": 12}}
    events = await play_wire(start, told(0, "x"), over("end_turn", {**usage, **details}))
    assert events[-1] == Finish("stop", Usage(125, 30, 12, 100, 20))


async def test_hidden_thinking_is_kept_for_the_echo() -> None:
    events = await play_wire(
        begin(),
        opened(0, type="thinking", thinking="", signature=""),
        piece(0, "signature_delta", signature="sig"),
        closed(0),
        opened(1, type="redacted_thinking", data="abc"),
        closed(1),
        told(2, "x"),
        over(),
    )
    assert events[:6] == [
        ReasoningStart("0"),
        ReasoningDelta("", "0"),
        ReasoningEnd("0", {"anthropic": {"signature": "sig"}}),
        ReasoningStart("1"),
        ReasoningDelta("", "1"),
        ReasoningEnd("1", {"anthropic": {"redacted": "abc"}}),
    ]


async def test_thinking_without_a_signature_is_shown() -> None:
    start = opened(0, type="thinking", thinking="hm")
    events = await play_wire(begin(), start, closed(0), told(1, "x"), over())
    assert events[:3] == [ReasoningStart("0"), ReasoningDelta("hm", "0"), ReasoningEnd("0")]


async def test_unknown_events_blocks_and_deltas_are_passed_over() -> None:
    events = await play_wire(
        b": comment\n\n",
        begin(),
        wire("toolpost_progress", percent=3),
        b"event: ping\ndata: {}\n\n",
        opened(0, type="server_tool_use", id="s", name="web_search", input={}),
        piece(0, "input_json_delta", partial_json='{"q":1}'),
        closed(0),
        opened(1, type="web_search_tool_result", tool_use_id="s", content=[{"url": "u"}]),
        closed(1),
        opened(2, type="hologram", shape="cube"),
        piece(2, "hologram_delta", text="spin"),
        closed(2),
        told(3, "found"),
        piece(9, "new_delta", spark=1),
        b"data: [DONE]\n\n",
        over(),
    )
    assert events == [TextStart("3"), TextDelta("found", "3"), TextEnd("3"), Finish("stop")]


async def test_citations_are_kept_with_their_text() -> None:
    cited = {"type": "page_location", "cited_text": "x"}
    start = opened(0, type="text", text="") + piece(0, "text_delta", text="x")
    events = await play_wire(begin(), start, piece(0, "citations_delta", citation=cited), closed(0), over())
    assert events[2] == TextEnd("0", {"anthropic": {"citations": [cited]}})


async def test_gaps_in_the_indices_and_blocks_side_by_side() -> None:
    events = await play_wire(
        begin(),
        opened(2, type="tool_use", id="a", name="add", input={}),
        opened(7, type="tool_use", id="b", name="add", input={}),
        piece(7, "input_json_delta", partial_json='{"a":2}'),
        piece(2, "input_json_delta", partial_json='{"a":1}'),
        closed(7),
        closed(2),
        over("tool_use"),
    )
    assert made(events) == [ToolCall("b", "add", {"a": 2}), ToolCall("a", "add", {"a": 1})]


async def test_an_index_that_is_always_nought_does_not_merge_calls() -> None:
    events = await play_wire(
        begin(),
        opened(0, type="tool_use", id="a", name="add", input={}),
        piece(0, "input_json_delta", partial_json='{"a":1}'),
        closed(0),
        opened(0, type="tool_use", id="b", name="add", input={}),
        piece(0, "input_json_delta", partial_json='{"a":2}'),
        closed(0),
        over("tool_use"),
    )
    assert made(events) == [ToolCall("a", "add", {"a": 1}), ToolCall("b", "add", {"a": 2})]


async def test_blocks_that_are_never_closed_end_with_the_message_or_with_the_next_one() -> None:
    events = await play_wire(
        begin(),
        opened(0, type="text", text="") + piece(0, "text_delta", text="x"),
        opened(0, type="tool_use", id="a", name="add", input={}),
        over("tool_use"),
    )
    assert [event.type for event in events] == [
        "text-start",
        "text-delta",
        "text-end",
        "tool-input-start",
        "tool-input-end",
        "tool-call",
        "finish",
    ]


async def test_text_without_or_inside_another_block_is_text() -> None:
    events = await play_wire(
        piece(0, "text_delta", text="a"),
        piece(0, "text_delta", text="b"),
        closed(0),
        opened(1, type="tool_use", id="t", name="add", input={}),
        piece(1, "input_json_delta", partial_json='{"a"'),
        piece(1, "text_delta", text="c"),
        piece(1, "input_json_delta", partial_json=":1}"),
        closed(1),
        over("tool_use"),
    )
    assert said(events) == "abc"
    assert called(events) == [("add", {"a": 1})]


async def test_text_and_thinking_inside_a_call_are_kept_apart() -> None:
    events = await play_wire(
        begin(),
        opened(0, type="tool_use", id="t", name="add", input={}),
        piece(0, "text_delta", text="a"),
        piece(0, "thinking_delta", thinking="hm"),
        piece(0, "input_json_delta", partial_json="{}"),
        closed(0),
        over("tool_use"),
    )
    assert [event.type for event in events] == [
        "tool-input-start",
        "text-start",
        "text-delta",
        "text-end",
        "reasoning-start",
        "reasoning-delta",
        "tool-input-delta",
        "tool-input-end",
        "tool-call",
        "reasoning-end",
        "finish",
    ]


async def test_arguments_of_a_call_that_never_began_are_an_error() -> None:
    events = await play_wire(begin(), piece(0, "input_json_delta", partial_json="{"), over())
    assert only_error(events).error.code == "protocol"


async def test_arguments_may_come_whole_in_the_start() -> None:
    events = await play_wire(begin(), opened(0, type="tool_use", id="t", name="add", input={"a": 1}), over("tool_use"))
    assert events[:4] == [
        ToolInputStart("t", "add"),
        ToolInputDelta("t", '{"a":1}'),
        ToolInputEnd("t"),
        ToolCall("t", "add", {"a": 1}),
    ]


async def test_a_missing_id_is_made_up() -> None:
    events = await play_wire(begin(), opened(0, type="tool_use", name="add", input={}), over("tool_use"))
    assert made(events)[0].id.startswith("toolu_")


@pytest.mark.parametrize(
    ("problem", "code", "retryable"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, "overloaded", True),
        ({"type": "rate_limit_error", "message": "slow"}, "rate_limit", True),
        ({"type": "api_error", "message": "oops"}, "server", True),
        ({"type": "authentication_error", "message": "key"}, "auth", False),
        ({"type": "permission_error", "message": "no"}, "auth", False),
        ({"type": "not_found_error", "message": "model: x"}, "not_found", False),
        ({"type": "billing_error", "message": "pay"}, "spend_limit", False),
        ({"type": "request_too_large", "message": "big"}, "bad_request", False),
        ({"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}, "context_overflow", False),
    ],
)
async def test_an_error_midway(problem: dict[str, str], code: str, retryable: bool) -> None:
    events = await play(text("half") + error_object(problem))
    failed = only_error(events).error
    assert (failed.code, failed.retryable, failed.message) == (code, retryable, problem["message"])
    assert said(events) == "half"


@pytest.mark.parametrize(
    "body",
    [
        b'event: error\ndata: {"type":"error","message":"broke"}\n\n',
        b'event: error\ndata: {"message":"broke"}\n\n',
        b'data: {"error":{"message":"broke"}}\n\n',
        b'{"type":"error","error":{"type":"api_error","message":"broke"}}',
    ],
)
async def test_errors_of_other_shapes(body: bytes) -> None:
    assert only_error(await play(raw(body))).error.message == "broke"


async def test_a_stop_reason_without_message_stop_is_no_end() -> None:
    body = begin() + told(0, "x") + over().split(b"event: message_stop")[0]
    assert only_error(await play(raw(body))).error.code == "truncated"


async def test_a_last_event_without_its_blank_line_counts() -> None:
    events = await play_wire(begin(), told(0, "x"), over()[:-2])
    assert events[-1] == Finish("stop")


async def test_what_is_not_json_is_a_protocol_error() -> None:
    assert only_error(await play_wire(begin(), b"data: <html>\n\n")).error.code == "protocol"


async def test_types_that_are_off_are_read_all_the_same() -> None:
    events = await play_wire(
        begin(),
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":"0","delta":'
        b'{"type":"text_delta","text":"x"}}\n\n',
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":[],"delta":[]}\n\n',
        over(),
    )
    assert said(events) == "x"
    assert events[-1] == Finish("stop")


async def test_broken_utf8_is_replaced() -> None:
    body = begin() + told(0, "a~b").replace(b"~", b"\xff") + over()
    assert said(await play(raw(body))) == "a\ufffdb"


async def test_a_server_that_does_not_stream_is_understood() -> None:
    document = {
        "type": "message",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "text", "text": "so"},
            {"type": "tool_use", "id": "t", "name": "add", "input": {"a": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }
    events = await play(raw(msgspec.json.encode(document)))
    assert ReasoningEnd("0", {"anthropic": {"signature": "s"}}) in events
    assert said(events) == "so"
    assert made(events) == [ToolCall("t", "add", {"a": 1})]
    assert events[-1] == Finish("tool-calls", Usage(3, 4))
