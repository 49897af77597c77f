"""The JSON form of messages, events and stream events: whole, and the same in every version."""

from typing import Any

import msgspec
import pytest
import strategies
from hypothesis import given

from toolpost.types import events as ev
from toolpost.types import messages as ms
from toolpost.types import stream as sm

stream_event_decoder = msgspec.json.Decoder(sm.StreamEvent)


@given(strategies.messages())
def test_a_message_comes_back_from_json_as_it_was(message: ms.Message) -> None:
    assert ms.message_decoder.decode(ms.message_encoder.encode(message)) == message


@given(strategies.events())
def test_an_event_comes_back_from_json_as_it_was(event: ev.Event) -> None:
    back = ev.event_decoder.decode(ev.event_encoder.encode(event))
    assert back == event
    assert back.type == event.type


@given(strategies.stream_events)
def test_a_stream_event_comes_back_from_json_as_it_was(event: sm.StreamEvent) -> None:
    assert stream_event_decoder.decode(msgspec.json.encode(event)) == event


@given(strategies.messages(), strategies.messages())
def test_json_of_messages_never_holds_a_line_break(one: ms.Message, other: ms.Message) -> None:
    lines = ms.message_encoder.encode_lines([one, other])
    assert [ms.message_decoder.decode(line) for line in lines.split(b"\n")[:-1]] == [one, other]


ERROR = ms.ErrorInfo("rate_limit", "slow down", 429, True, 3.0)
ERROR_JSON = {"code": "rate_limit", "message": "slow down", "status": 429, "retryable": True, "retry_after": 3.0}
USAGE = ms.Usage(5, 4, 3, 2, 1)
USAGE_JSON = {"input": 5, "output": 4, "reasoning": 3, "cache_read": 2, "cache_write": 1}
HI = ms.TextPart("hi")
HI_JSON = {"type": "text", "text": "hi"}
MESSAGE = ms.Message("m2", "assistant", (HI,), "m1", 1.5, "test/model", "build", ERROR)
MESSAGE_JSON = {
    "id": "m2",
    "role": "assistant",
    "parts": [HI_JSON],
    "parent_id": "m1",
    "time": 1.5,
    "model": "test/model",
    "agent": "build",
    "error": ERROR_JSON,
}

PARTS: list[tuple[ms.Part, dict[str, Any]]] = [
    (ms.TextPart("hi", {"a": 1}), {"type": "text", "text": "hi", "metadata": {"a": 1}}),
    (ms.ReasoningPart("hm", {"s": "x"}), {"type": "reasoning", "text": "hm", "metadata": {"s": "x"}}),
    (
        ms.FilePart("image/png", "aGk=", "https://example.com/a.png", "a.png", {"a": 1}),
        {
            "type": "file",
            "mime": "image/png",
            "data": "aGk=",
            "url": "https://example.com/a.png",
            "name": "a.png",
            "metadata": {"a": 1},
        },
    ),
    (
        ms.ToolPart("c1", "read", ms.Pending('{"pa'), "Read", {"i": 0}),
        {
            "type": "tool",
            "call_id": "c1",
            "name": "read",
            "state": {"status": "pending", "raw": '{"pa'},
            "asked": "Read",
            "metadata": {"i": 0},
        },
    ),
    (
        ms.ToolPart("c1", "read", ms.Running({"path": "a"}, 1.0)),
        {
            "type": "tool",
            "call_id": "c1",
            "name": "read",
            "state": {"status": "running", "arguments": {"path": "a"}, "started": 1.0},
        },
    ),
    (
        ms.ToolPart("c1", "read", ms.Completed({"path": "a"}, (HI,), 1.0, 2.0, "a", {"lines": 1})),
        {
            "type": "tool",
            "call_id": "c1",
            "name": "read",
            "state": {
                "status": "completed",
                "arguments": {"path": "a"},
                "content": [HI_JSON],
                "started": 1.0,
                "ended": 2.0,
                "title": "a",
                "details": {"lines": 1},
            },
        },
    ),
    (
        ms.ToolPart("c1", "read", ms.Failed("denied", "no", {"path": "a"}, "raw", 1.0, 2.0, {"rule": "x"})),
        {
            "type": "tool",
            "call_id": "c1",
            "name": "read",
            "state": {
                "status": "error",
                "kind": "denied",
                "message": "no",
                "arguments": {"path": "a"},
                "raw": "raw",
                "started": 1.0,
                "ended": 2.0,
                "details": {"rule": "x"},
            },
        },
    ),
    (
        ms.StepStart(2, "test/model", ("read",)),
        {"type": "step-start", "step": 2, "model": "test/model", "tools": ["read"]},
    ),
    (
        ms.StepFinish("tool-calls", USAGE, 0.5, {"id": "r"}),
        {"type": "step-finish", "reason": "tool-calls", "usage": USAGE_JSON, "cost": 0.5, "metadata": {"id": "r"}},
    ),
    (
        ms.ContextPart("found", "web_search", (ms.SourceLink("https://a.example/", "A"), ms.SourceLink("b"))),
        {
            "type": "context",
            "text": "found",
            "source": "web_search",
            "links": [{"url": "https://a.example/", "title": "A"}, {"url": "b"}],
        },
    ),
    (
        ms.CompactionPart("so far", "m1", 900),
        {"type": "compaction", "summary": "so far", "kept_from": "m1", "tokens_before": 900},
    ),
    (ms.RetryPart(1, ERROR, 2.0), {"type": "retry", "attempt": 1, "error": ERROR_JSON, "delay": 2.0}),
]


@pytest.mark.parametrize(("part", "written"), PARTS, ids=lambda value: getattr(value, "type", ""))
def test_the_json_form_of_a_part_is_stable(part: ms.Part, written: dict[str, Any]) -> None:
    message = ms.Message("m", "assistant", (part,))
    expected = {"id": "m", "role": "assistant", "parts": [written]}
    assert msgspec.json.decode(ms.message_encoder.encode(message)) == expected
    assert ms.message_decoder.decode(msgspec.json.encode(expected)) == message


def test_the_json_form_of_a_message_is_stable() -> None:
    assert msgspec.json.decode(ms.message_encoder.encode(MESSAGE)) == MESSAGE_JSON
    assert ms.message_decoder.decode(msgspec.json.encode(MESSAGE_JSON)) == MESSAGE


HEAD_JSON = {"seq": 7, "session_id": "s", "time": 1.5}
CALL_JSON = {"message_id": "m", "call_id": "c", "name": "read", "arguments": {"path": "a"}}

EVENTS: list[tuple[ev.Event, dict[str, Any]]] = [
    (ev.RunStart(7, "s", 1.5, "r", "test/model"), {"type": "run_start", "run_id": "r", "model": "test/model"}),
    (
        ev.StepStarted(7, "s", 1.5, 2, "test/model", ("read",)),
        {"type": "step_start", "step": 2, "model": "test/model", "tools": ["read"]},
    ),
    (ev.MessageStart(7, "s", 1.5, MESSAGE), {"type": "message_start", "message": MESSAGE_JSON}),
    (
        ev.MessageUpdate(7, "s", 1.5, "m", 1, "tool_input", '{"', "c", "read"),
        {
            "type": "message_update",
            "message_id": "m",
            "part": 1,
            "kind": "tool_input",
            "text": '{"',
            "call_id": "c",
            "name": "read",
        },
    ),
    (ev.MessageEnd(7, "s", 1.5, MESSAGE), {"type": "message_end", "message": MESSAGE_JSON}),
    (ev.ToolCalled(7, "s", 1.5, "m", "c", "read", {"path": "a"}), {"type": "tool_call", **CALL_JSON}),
    (
        ev.ToolExecutionStart(7, "s", 1.5, "m", "c", "read", {"path": "a"}, "Read"),
        {"type": "tool_execution_start", **CALL_JSON, "label": "Read"},
    ),
    (
        ev.ToolExecutionUpdate(7, "s", 1.5, "c", "read", "more", {"n": 1}),
        {"type": "tool_execution_update", "call_id": "c", "name": "read", "text": "more", "details": {"n": 1}},
    ),
    (
        ev.ToolExecutionEnd(7, "s", 1.5, "m", "c", "read", (HI,), 0.5, True, "failed", "a", {"n": 1}),
        {
            "type": "tool_execution_end",
            "message_id": "m",
            "call_id": "c",
            "name": "read",
            "content": [HI_JSON],
            "duration": 0.5,
            "is_error": True,
            "error_kind": "failed",
            "title": "a",
            "details": {"n": 1},
        },
    ),
    (
        ev.PermissionAsked(7, "s", 1.5, "a", "bash", ("ls",), ("ls *",), "List", "c", {"n": 1}, "plan", "ses_2"),
        {
            "type": "permission_asked",
            "ask_id": "a",
            "permission": "bash",
            "patterns": ["ls"],
            "always": ["ls *"],
            "title": "List",
            "call_id": "c",
            "details": {"n": 1},
            "agent": "plan",
            "child": "ses_2",
        },
    ),
    (
        ev.QuestionAsked(7, "s", 1.5, "q", (ev.Question("Which?", ("a", "b"), True),), "c", "plan", "ses_2"),
        {
            "type": "question_asked",
            "question_id": "q",
            "questions": [{"question": "Which?", "options": ["a", "b"], "multiple": True}],
            "call_id": "c",
            "agent": "plan",
            "child": "ses_2",
        },
    ),
    (
        ev.QuestionReplied(7, "s", 1.5, "q", (("a", "b"),)),
        {"type": "question_replied", "question_id": "q", "answers": [["a", "b"]]},
    ),
    (
        ev.PermissionReplied(7, "s", 1.5, "a", "reject", "not now", "policy"),
        {"type": "permission_replied", "ask_id": "a", "reply": "reject", "message": "not now", "by": "policy"},
    ),
    (
        ev.Retry(7, "s", 1.5, 1, 2.0, 3.5, ERROR),
        {"type": "retry", "attempt": 1, "delay": 2.0, "next_at": 3.5, "error": ERROR_JSON},
    ),
    (ev.CompactionStart(7, "s", 1.5, "overflow", 9), {"type": "compaction_start", "reason": "overflow", "tokens": 9}),
    (
        ev.Notice(7, "s", 1.5, "window_full", "the window is full", {"window": 9}),
        {"type": "notice", "code": "window_full", "text": "the window is full", "data": {"window": 9}},
    ),
    (ev.CompactionEnd(7, "s", 1.5, "m", ERROR), {"type": "compaction_end", "message_id": "m", "error": ERROR_JSON}),
    (
        ev.StepEnd(7, "s", 1.5, 2, "stop", USAGE, 0.5),
        {"type": "step_end", "step": 2, "reason": "stop", "usage": USAGE_JSON, "cost": 0.5},
    ),
    (
        ev.RunEnd(7, "s", 1.5, "r", "limit", "done", 2, USAGE, 0.5, ERROR, "steps"),
        {
            "type": "run_end",
            "run_id": "r",
            "reason": "limit",
            "text": "done",
            "steps": 2,
            "usage": USAGE_JSON,
            "cost": 0.5,
            "error": ERROR_JSON,
            "limit": "steps",
        },
    ),
    (
        ev.RunParked(7, "s", 1.5, "run_1", "waiting"),
        {"type": "run_parked", "run_id": "run_1", "reason": "waiting"},
    ),
    (
        ev.RunResumed(7, "s", 1.5, "run_1", "m/x", ("c1",), ("c2",)),
        {"type": "run_resumed", "run_id": "run_1", "model": "m/x", "again": ["c1"], "interrupted": ["c2"]},
    ),
    (ev.Settled(7, "s", 1.5), {"type": "settled"}),
    (ev.CutOff(7, "s", 1.5), {"type": "cut_off"}),
]


@pytest.mark.parametrize(("event", "written"), EVENTS, ids=lambda value: getattr(value, "type", ""))
def test_the_json_form_of_an_event_is_stable(event: ev.Event, written: dict[str, Any]) -> None:
    expected = HEAD_JSON | written
    assert msgspec.json.decode(ev.event_encoder.encode(event)) == expected
    assert ev.event_decoder.decode(msgspec.json.encode(expected)) == event


STREAM_EVENTS: list[tuple[sm.StreamEvent, dict[str, Any]]] = [
    (sm.TextStart("1"), {"type": "text-start", "id": "1"}),
    (sm.TextDelta("hi", "1"), {"type": "text-delta", "text": "hi", "id": "1"}),
    (sm.TextEnd("1", {"a": 1}), {"type": "text-end", "id": "1", "metadata": {"a": 1}}),
    (sm.ReasoningStart("1"), {"type": "reasoning-start", "id": "1"}),
    (sm.ReasoningDelta("hm", "1"), {"type": "reasoning-delta", "text": "hm", "id": "1"}),
    (sm.ReasoningEnd("1", {"a": 1}), {"type": "reasoning-end", "id": "1", "metadata": {"a": 1}}),
    (sm.ToolInputStart("c", "read"), {"type": "tool-input-start", "id": "c", "name": "read"}),
    (sm.ToolInputDelta("c", '{"'), {"type": "tool-input-delta", "id": "c", "text": '{"'}),
    (sm.ToolInputEnd("c"), {"type": "tool-input-end", "id": "c"}),
    (
        sm.ToolCall("c", "read", {"path": "a"}, "raw", {"a": 1}),
        {
            "type": "tool-call",
            "id": "c",
            "name": "read",
            "arguments": {"path": "a"},
            "raw": "raw",
            "metadata": {"a": 1},
        },
    ),
    (
        sm.GeneratedFile("image/png", "aGk=", name="a.png", metadata={"a": 1}),
        {"type": "file", "mime": "image/png", "data": "aGk=", "name": "a.png", "metadata": {"a": 1}},
    ),
    (
        sm.Finish("stop", USAGE, {"a": 1}),
        {"type": "finish", "reason": "stop", "usage": USAGE_JSON, "metadata": {"a": 1}},
    ),
    (sm.StreamError(ERROR), {"type": "error", "error": ERROR_JSON}),
]


@pytest.mark.parametrize(("event", "written"), STREAM_EVENTS, ids=lambda value: getattr(value, "type", ""))
def test_the_json_form_of_a_stream_event_is_stable(event: sm.StreamEvent, written: dict[str, Any]) -> None:
    assert msgspec.json.decode(msgspec.json.encode(event)) == written
    assert stream_event_decoder.decode(msgspec.json.encode(written)) == event


def test_every_type_has_a_sample_here() -> None:
    assert {type(part) for part, _ in PARTS} == set(ms.Part.__args__)
    assert {type(part.state) for part, _ in PARTS if isinstance(part, ms.ToolPart)} == set(ms.CallState.__args__)
    assert {type(event) for event, _ in EVENTS} == set(ev.Event.__args__)
    assert {type(event) for event, _ in STREAM_EVENTS} == set(sm.StreamEvent.__args__)


def test_fields_that_a_newer_version_added_are_passed_over() -> None:
    assert ms.message_decoder.decode(msgspec.json.encode(MESSAGE_JSON | {"mood": "good"})) == MESSAGE
    settled = {"type": "settled", **HEAD_JSON, "mood": "good"}
    assert ev.event_decoder.decode(msgspec.json.encode(settled)) == ev.Settled(7, "s", 1.5)
