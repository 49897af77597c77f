"""Answers on Anthropic's wire, as its own client reads them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import anthropic
import msgspec
import pytest
from anthropic_client import SaysSo, says_so
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.server.gateway.output import Done, OutputEvent, ServerCall, ServerProgress, ServerResult
from toolpost.server.gateway.request import GatewayRequest, McpOptions
from toolpost.server.gateway.route_choice import tokens_of
from toolpost.server.gateway.wires.anthropic import response as anthropic_response
from toolpost.server.gateway.wires.anthropic.call_ids import from_wire, to_shown, to_wire
from toolpost.server.gateway.wires.anthropic.content_writer import NOTHING_SAID
from toolpost.server.gateway.wires.anthropic.request import read
from toolpost.server.gateway.wires.anthropic.response import AnthropicWriter, error, error_event, whole
from toolpost.server.gateway.wires.model_lists import ListedModel, anthropic_model, anthropic_page
from toolpost.server.gateway.wires.sealed_reasoning import seal
from toolpost.server.refusals import STATUS, BadRequest, Refusal
from toolpost.types.messages import Completed, ErrorInfo, FilePart, Message, TextPart, ToolPart, Usage
from toolpost.types.stream import (
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamError,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

HI = Message("msg_0", "user", (TextPart("hi"),))
PLAIN = GatewayRequest("anthropic", "claude-x", (HI,), {})
SHOWN = GatewayRequest("anthropic", "claude-x", (HI,), {}, mcp=McpOptions(is_shown=True, is_live=True))
STOP = Done("stop")


@pytest.fixture(scope="module")
def server() -> Iterator[SaysSo]:
    with says_so() as server:
        yield server


def written(outs: Sequence[OutputEvent], asked: GatewayRequest = PLAIN) -> list[bytes]:
    writer = AnthropicWriter(asked, "msg_1")
    return [writer.start(), *map(writer.feed, outs)]


def events(pieces: Sequence[bytes]) -> list[dict[str, Any]]:
    """What is in the frames of a stream; each has to name its event and to hold one line of data."""
    found: list[dict[str, Any]] = []
    frames = b"".join(pieces).split(b"\n\n")
    assert frames.pop() == b""
    for frame in frames:
        name, data = frame.split(b"\n")
        found.append(msgspec.json.decode(data.removeprefix(b"data: ")))
        assert name == b"event: " + found[-1]["type"].encode()
    return found


def kinds(pieces: Sequence[bytes]) -> list[str]:
    return [event["type"] for event in events(pieces)]


def plain(message: Any) -> list[dict[str, Any]]:
    """The content without what was not there."""
    return [
        {name: value for name, value in block.items() if value is not None} for block in message.to_dict()["content"]
    ]


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def tool_use(call_id: str, given: dict[str, Any], name: str = "add") -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def call_outs(
    call_id: str, given: dict[str, Any], *, cuts: Sequence[int] = (3,), name: str = "add"
) -> list[OutputEvent]:
    written = msgspec.json.encode(given).decode()
    ends = [0, *sorted(min(cut, len(written)) for cut in cuts), len(written)]
    deltas = [ToolInputDelta(call_id, written[a:b]) for a, b in pairwise(ends)]
    return [ToolInputStart(call_id, name), *deltas, ToolInputEnd(call_id), ToolCall(call_id, name, given)]


def check_grammar(pieces: Sequence[bytes]) -> None:
    """One thing after another: contiguous indices, one block at a time, one beginning and one end."""
    seen = [event for event in events(pieces) if not event["type"].startswith("toolpost_")]
    assert [event["type"] for event in seen[-2:]] == ["message_delta", "message_stop"]
    assert seen[0]["type"] == "message_start"
    index, is_open = 0, False
    for event in seen[1:-2]:
        assert event["index"] == index
        if event["type"] == "content_block_start":
            assert not is_open
            is_open = True
        else:
            assert is_open
            assert event["type"] in ("content_block_delta", "content_block_stop")
        if event["type"] == "content_block_stop":
            is_open = False
            index += 1
    assert not is_open


def test_a_stream_in_full() -> None:
    pieces = written(
        [
            ReasoningStart(),
            ReasoningDelta("hm"),
            ReasoningEnd("0", {"anthropic": {"signature": "sig"}}),
            TextStart("1"),
            TextDelta("Let ", "1"),
            TextDelta("me see", "1"),
            TextEnd("1"),
            *call_outs("toolu_1", {"a": 1}),
            Done("tool-calls", Usage(100, 20, 5, 60, 30)),
        ],
    )
    counts = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 0}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 0, **counts}}

    def delta(index: int, kind: str, **fields: Any) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}

    def start(index: int, block: dict[str, Any]) -> dict[str, Any]:
        return {"type": "content_block_start", "index": index, "content_block": block}

    def stop(index: int) -> dict[str, Any]:
        return {"type": "content_block_stop", "index": index}

    assert events(pieces) == [
        {"type": "message_start", "message": message},
        start(0, {"type": "thinking", "thinking": "", "signature": ""}),
        delta(0, "thinking_delta", thinking="hm"),
        delta(0, "signature_delta", signature="sig"),
        stop(0),
        start(1, text("")),
        delta(1, "text_delta", text="Let "),
        delta(1, "text_delta", text="me see"),
        stop(1),
        start(2, tool_use("toolu_1", {})),
        delta(2, "input_json_delta", partial_json='{"a'),
        delta(2, "input_json_delta", partial_json='":1}'),
        stop(2),
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {
                "input_tokens": 10,
                "cache_creation_input_tokens": 30,
                "cache_read_input_tokens": 60,
                "output_tokens": 20,
                "output_tokens_details": {"thinking_tokens": 5},
            },
        },
        {"type": "message_stop"},
    ]


def test_every_frame_goes_out_at_once() -> None:
    writer = AnthropicWriter(PLAIN)
    assert kinds([writer.start()]) == ["message_start"]
    assert writer.feed(TextStart()) == b""
    assert kinds([writer.feed(TextDelta("a"))]) == ["content_block_start", "content_block_delta"]
    assert kinds([writer.feed(TextDelta("b"))]) == ["content_block_delta"]
    assert kinds([writer.feed(TextEnd())]) == ["content_block_stop"]
    assert kinds([writer.feed(ToolInputStart("c", "add"))]) == ["content_block_start"]
    assert kinds([writer.feed(ToolInputDelta("c", '{"a'))]) == ["content_block_delta"]
    assert kinds([writer.feed(ToolInputEnd("c"))]) == ["content_block_stop"]
    assert writer.feed(ToolCall("c", "add", {})) == b""


@pytest.mark.parametrize(
    ("done", "reason", "sequence"),
    [
        (Done("stop"), "end_turn", None),
        (Done("stop", stop_sequence="END"), "stop_sequence", "END"),
        (Done("length"), "max_tokens", None),
        (Done("tool-calls"), "tool_use", None),
        (Done("content-filter"), "refusal", None),
    ],
)
def test_why_it_ended(server: SaysSo, done: Done, reason: str, sequence: str | None) -> None:
    outs = [TextDelta("a"), done]
    for message in (server.streamed(written(outs)), server.answered(whole(PLAIN, outs))):
        assert (message.stop_reason, message.stop_sequence) == (reason, sequence)


@pytest.mark.parametrize("reason", ["error", "aborted", "interrupted"])
def test_an_answer_that_is_not_whole_is_never_an_end_turn(reason: Any) -> None:
    outs = [TextDelta("a"), Done(reason)]
    assert kinds(written(outs))[-1] == "error"
    with pytest.raises(Refusal):
        whole(PLAIN, outs)
    with pytest.raises(Refusal):
        whole(PLAIN, outs[:1])


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("auth", "authentication_error"),
        ("spend_limit", "billing_error"),
        ("rate_limit", "rate_limit_error"),
        ("overloaded", "overloaded_error"),
        ("timeout", "timeout_error"),
        ("not_found", "not_found_error"),
        ("bad_request", "invalid_request_error"),
        ("context_overflow", "invalid_request_error"),
        ("truncated", "api_error"),
        ("never heard of", "api_error"),
    ],
)
def test_a_failure_is_an_error_event_and_then_nothing(server: SaysSo, code: str, kind: str) -> None:
    outs: list[OutputEvent] = [TextDelta("a"), *call_outs("c", {})[:1], TextDelta("held")]
    pieces = written([*outs, StreamError(ErrorInfo(code, "went wrong")), TextDelta("b"), STOP])
    assert pieces[-2:] == [b"", b""]
    last = events(pieces)[-1]
    assert last["error"]["type"] == kind
    with pytest.raises(anthropic.APIStatusError, match="went wrong"):
        server.streamed(pieces)
    with pytest.raises(Refusal, match="went wrong"):
        whole(PLAIN, [*outs, StreamError(ErrorInfo(code, "went wrong"))])


def test_a_prompt_that_is_too_long_is_told_in_the_words_that_clients_look_for() -> None:
    (event,) = events([AnthropicWriter(PLAIN).feed(StreamError(ErrorInfo("context_overflow", "4096 is all")))])
    assert event["error"]["message"] == "prompt is too long: 4096 is all"


def test_errors_have_the_shape_and_the_status_that_the_client_knows(server: SaysSo) -> None:
    for kind, status in STATUS.items():
        body = error(Refusal(kind, "no"), "req_9")
        with pytest.raises(anthropic.APIStatusError) as caught:
            server.answered(body, status=status)
        assert caught.value.status_code == status
        assert caught.value.body["error"] == {"type": anthropic_response._ERROR_TYPES[kind], "message": "no"}
        assert caught.value.body["request_id"] == "req_9"
    assert error_event("overloaded", "later") == (
        b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"later"}}\n\n'
    )


def test_calls_that_run_here_are_shown_whole_where_the_client_asked_for_mcp(server: SaysSo) -> None:
    outs: list[OutputEvent] = [
        TextDelta("looking"),
        ServerProgress("s1", "find", '{"q":', is_input=True),
        ServerCall("s1", "files", "find", {"q": "x"}),
        ServerProgress("s1", "find", "half way"),
        ServerResult("s1", (TextPart("found"), FilePart("image/png", data="aa", name="p.png")), is_error=True),
        TextDelta("there"),
        STOP,
    ]
    pieces = written(outs, SHOWN)
    check_grammar(pieces)
    custom = [event for event in events(pieces) if event["type"].startswith("toolpost_")]
    assert custom == [
        {"type": "toolpost_input", "id": "mcptoolu_s1", "name": "find", "text": '{"q":'},
        {"type": "toolpost_progress", "id": "mcptoolu_s1", "name": "find", "text": "half way"},
    ]
    assert b"input_json_delta" not in b"".join(pieces)
    message = server.streamed(pieces, beta=True)
    use, result = message.content[1:3]
    assert use.model_dump() == {
        "type": "mcp_tool_use",
        "id": "mcptoolu_s1",
        "name": "find",
        "server_name": "files",
        "input": {"q": "x"},
    }
    assert (result.tool_use_id, result.is_error) == ("mcptoolu_s1", True)
    assert [block.text for block in result.content] == ["found", "[image p.png (image/png)]"]
    assert [message.content[place].text for place in (0, 3)] == ["looking", "there"]
    assert plain(server.answered(whole(SHOWN, outs), beta=True)) == plain(message)
    hidden = written(outs)
    assert plain(server.streamed(hidden)) == [text("looking"), text("there")]
    assert b"toolpost" not in b"".join(hidden)


def test_what_was_shown_is_read_back_as_calls() -> None:
    outs = [ServerCall("s1", "files", "find", {"q": "x"}), ServerResult("s1", (TextPart("found"),)), TextDelta("so")]
    answer = msgspec.json.decode(whole(SHOWN, [*outs, STOP]))
    turns = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": answer["content"]}]
    again = read({"model": "m", "messages": [*turns, turns[0]]}, {})
    done = Completed({"q": "x"}, (TextPart("found"),), 0.0, 0.0)
    assert again.messages[1].parts == (ToolPart("mcptoolu_s1", "mcp__files__find", done),)
    assert again.messages[2].text == "so"


@pytest.mark.parametrize(
    "outs",
    [
        [],
        [TextStart(), TextEnd()],
        [TextDelta(" \n"), TextEnd()],
        [ReasoningDelta("hm"), ReasoningEnd()],
        [ServerCall("s", "a", "b", {}), ServerResult("s", ())],
    ],
)
def test_an_answer_ends_with_text(server: SaysSo, outs: list[OutputEvent]) -> None:
    message = server.streamed(written([*outs, STOP], SHOWN), beta=True)
    assert message.content[-1].text == NOTHING_SAID


def test_calls_for_the_client_are_the_end_even_beside_others() -> None:
    outs = [*call_outs("c", {}), ServerCall("s", "a", "b", {}), ServerResult("s", ()), Done("tool-calls")]
    assert NOTHING_SAID.encode() not in b"".join(written(outs, SHOWN))


def test_calls_side_by_side_and_text_between_come_one_after_another(server: SaysSo) -> None:
    outs: list[OutputEvent] = [
        ToolInputStart("a", "add"),
        ToolInputDelta("a", '{"a":'),
        ToolInputStart("b", "add"),
        ToolInputDelta("b", '{"b"'),
        TextDelta("beside"),
        ToolInputDelta("a", "1}"),
        ToolInputDelta("b", ":2}"),
        ToolInputEnd("b"),
        ToolCall("b", "add", {"b": 2}),
        ToolInputEnd("a"),
        ToolCall("a", "add", {"a": 1}),
        Done("tool-calls"),
    ]
    pieces = written(outs)
    check_grammar(pieces)
    assert plain(server.streamed(pieces)) == [tool_use("a", {"a": 1}), tool_use("b", {"b": 2}), text("beside")]


def test_what_waits_for_a_call_without_arguments_comes_before_what_follows(server: SaysSo) -> None:
    outs: list[OutputEvent] = [
        ToolInputStart("a", "now"),
        ToolInputStart("b", "add"),
        ToolInputDelta("b", '{"b"'),
        ToolInputEnd("a"),
        ToolInputDelta("b", ":2}"),
        TextDelta("after"),
        ToolInputStart("c", "add"),
        ToolInputDelta("c", "{"),
        Done("length"),
    ]
    pieces = written(outs)
    check_grammar(pieces)
    content = [tool_use("a", {}, "now"), tool_use("b", {"b": 2}), text("after"), tool_use("c", {})]
    assert plain(server.streamed(pieces)) == content


def test_a_call_that_comes_at_once_and_one_without_arguments(server: SaysSo) -> None:
    outs = [ToolCall("a", "add", {"a": "…"}), ToolInputStart("b", "now"), ToolInputEnd("b"), ToolCall("b", "now", {})]
    pieces = written([*outs, Done("tool-calls")])
    assert plain(server.streamed(pieces)) == [tool_use("a", {"a": "…"}), tool_use("b", {}, "now")]


@pytest.mark.parametrize("odd", ['"{\\"a\\":1}"', " [1]", "nonsense"])
def test_arguments_that_are_not_an_object_wait_for_the_whole_call(server: SaysSo, odd: str) -> None:
    outs = [ToolInputStart("a", "add"), ToolInputDelta("a", odd), ToolInputDelta("a", " "), ToolInputEnd("a")]
    pieces = written([*outs, ToolCall("a", "add", {"a": 1}), Done("tool-calls")])
    assert plain(server.streamed(pieces)) == [tool_use("a", {"a": 1})]
    pieces = written([*outs, TextDelta("so"), Done("tool-calls")])
    assert plain(server.streamed(pieces)) == [tool_use("a", {}), text("so")]


def test_a_call_cut_at_the_length_limit_is_closed(server: SaysSo) -> None:
    pieces = written([ToolInputStart("a", "add"), ToolInputDelta("a", '{"a":"long'), Done("length")])
    check_grammar(pieces)
    message = server.streamed(pieces)
    assert (message.stop_reason, message.content[0].input) == ("max_tokens", {})


@pytest.mark.parametrize("call_id", ["call:1", "函数", "", "x" * 65, "functions.add:0"])
def test_ids_fit_the_wire_and_lead_back(call_id: str) -> None:
    answer = msgspec.json.decode(whole(PLAIN, [ToolCall(call_id, "add", {}), Done("tool-calls")]))
    wire_id = answer["content"][0]["id"]
    assert wire_id.startswith("toolu_")
    assert from_wire(wire_id) == call_id or len(call_id) > 40


def test_an_id_that_the_conversation_has_already_is_another_one_now() -> None:
    held = ToolPart("call_0", "add", Completed({}, (), 0.0, 0.0))
    asked = GatewayRequest("anthropic", "m", (HI, Message("msg_1", "assistant", (held,))), {})
    outs = [ToolCall("call_0", "add", {}), ToolCall("call_0", "add", {}), ToolCall("call_1", "add", {})]
    answer = msgspec.json.decode(whole(asked, [*outs, Done("tool-calls")]))
    ids = [block["id"] for block in answer["content"]]
    assert len({"call_0", *ids}) == 4
    assert ids[2] == "call_1"


def test_sealed_and_hidden_thinking_go_out(server: SaysSo) -> None:
    outs: list[OutputEvent] = [
        ReasoningStart("0"),
        ReasoningDelta("", "0"),
        ReasoningEnd("0", {"anthropic": {"signature": "sig"}}),
        ReasoningStart("1"),
        ReasoningDelta("", "1"),
        ReasoningEnd("1", {"anthropic": {"redacted": "sealed"}}),
        ReasoningStart("2"),
        ReasoningDelta("other", "2"),
        ReasoningEnd("2", {"openai_chat": {"field": "reasoning"}}),
        TextDelta("so", "3"),
        STOP,
    ]
    content = plain(server.streamed(written(outs)))
    assert content == [
        {"type": "thinking", "thinking": "", "signature": "sig"},
        {"type": "redacted_thinking", "data": "sealed"},
        {"type": "thinking", "thinking": "other", "signature": seal({"openai_chat": {"field": "reasoning"}})},
        text("so"),
    ]
    assert plain(server.answered(whole(PLAIN, outs))) == content


def test_a_thought_in_pieces_is_not_signed() -> None:
    signed = ReasoningEnd("0", {"anthropic": {"signature": "sig"}})
    pieces = written([ReasoningDelta("a"), TextDelta("b", "1"), ReasoningDelta("c"), signed, TextDelta("d", "2"), STOP])
    check_grammar(pieces)
    assert b"signature_delta" not in b"".join(pieces)


def test_citations_go_out(server: SaysSo) -> None:
    cited = {"type": "char_location", "cited_text": "a", "document_index": 0, "document_title": "d"}
    cited |= {"start_char_index": 0, "end_char_index": 1, "file_id": None}
    outs: list[OutputEvent] = [TextDelta("said"), TextEnd("0", {"anthropic": {"citations": [cited, cited]}}), STOP]
    for message in (server.streamed(written(outs)), server.answered(whole(PLAIN, outs))):
        assert [citation.cited_text for citation in message.content[0].citations] == ["a", "a"]


def test_a_file_is_told_of(server: SaysSo) -> None:
    made = [GeneratedFile("image/png", url="https://x.test/a.png", name="a"), GeneratedFile("image/png", data="aa")]
    content = plain(server.streamed(written([TextDelta("see"), *made, STOP])))
    assert content == [text("see"), text("![a](https://x.test/a.png)"), text("[image without a name (image/png)]")]


SPOKEN = '一 é 👩‍👩‍👧 \u2028\u2029\x85\x0b\x1c\r\n\\" end'


def test_text_arrives_whole_wherever_it_is_cut(server: SaysSo) -> None:
    outs = [*(TextDelta(letter) for letter in SPOKEN), STOP]
    stream = b"".join(written(outs))
    assert plain(server.streamed([stream[place : place + 1] for place in range(len(stream))])) == [text(SPOKEN)]
    short = b"".join(written([TextDelta(SPOKEN), STOP]))
    for cut in range(1, len(short), 3):
        assert plain(server.streamed([short[:cut], short[cut:]])) == [text(SPOKEN)]


def test_no_frame_has_a_line_end_that_only_unicode_knows() -> None:
    outs = [TextDelta(SPOKEN), ServerCall("s", "a", "b", {"q": SPOKEN}), ServerProgress("s", "b", SPOKEN)]
    stream = b"".join(written([*outs, *call_outs("c", {"q": SPOKEN}), STOP], SHOWN)).decode()
    assert stream.splitlines() == stream.split("\n")[:-1]
    error = error_event("internal", SPOKEN).decode()
    assert error.splitlines() == error.split("\n")[:-1]


def test_halves_of_a_character_do_not_break_a_stream(server: SaysSo) -> None:
    pieces = written([TextDelta("a"), TextDelta("\ud83d"), TextDelta("b"), ReasoningDelta("\ude00"), STOP])
    assert server.streamed(pieces).content[0].text == "a\ufffdb"


letters = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
arguments = st.dictionaries(
    letters,
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | letters | st.lists(letters, max_size=2),
    max_size=3,
)
Item = tuple[list[OutputEvent], list[dict[str, Any]]]


@st.composite
def said(draw: st.DrawFn) -> Item:
    pieces = draw(st.lists(letters, max_size=4))
    whole = "".join(pieces)
    outs = [TextStart(), *map(TextDelta, pieces), TextEnd()]
    return outs, [text(whole)] if whole.strip() else []


@st.composite
def thought(draw: st.DrawFn) -> Item:
    pieces, signature = draw(st.lists(letters, max_size=3)), draw(st.sampled_from(["", "sig"]))
    whole = "".join(pieces)
    kept = {"anthropic": {"signature": signature}} if signature else None
    outs = [ReasoningStart(), *map(ReasoningDelta, pieces), ReasoningEnd("0", kept)]
    block = {"type": "thinking", "thinking": whole, "signature": signature or seal({})}
    return outs, [block] if whole or signature else []


@st.composite
def called(draw: st.DrawFn, call_id: str) -> Item:
    given, cuts = draw(arguments), draw(st.lists(st.integers(0, 30), max_size=3))
    outs = call_outs(call_id, given, cuts=cuts)
    return draw(st.sampled_from([outs, outs[-1:], outs[:-1]])), [tool_use(to_wire(call_id), given)]


@st.composite
def served(draw: st.DrawFn, call_id: str) -> Item:
    given, found, failed = draw(arguments), draw(letters), draw(st.booleans())
    outs = [
        ServerProgress(call_id, "find", "{", is_input=True),
        ServerCall(call_id, "files", "find", given),
        ServerProgress(call_id, "find", found),
        ServerResult(call_id, (TextPart(found),), failed),
    ]
    shown = to_shown(call_id)
    use = {"type": "mcp_tool_use", "id": shown, "name": "find", "server_name": "files", "input": given}
    result = {"type": "mcp_tool_result", "tool_use_id": shown, "is_error": failed, "content": [text(found)]}
    return outs, [use, result]


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[OutputEvent], list[dict[str, Any]]]:
    """What goes out, and the content that it says, where calls that run here are shown."""
    outs: list[OutputEvent] = []
    content: list[dict[str, Any]] = []
    for number in range(draw(st.integers(0, 6))):
        call_id = draw(st.sampled_from(["toolu_", "call:"])) + str(number)
        item = draw(st.one_of(said(), thought(), called(call_id), served(call_id)))
        outs += item[0]
        content += item[1]
    if not content or content[-1]["type"] not in ("text", "tool_use"):
        content.append(text(NOTHING_SAID))
    return [*outs, STOP], content


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answer=answers())
def test_the_client_makes_of_any_stream_what_was_said(
    server: SaysSo, answer: tuple[list[OutputEvent], list[dict[str, Any]]]
) -> None:
    outs, content = answer
    pieces = written(outs, SHOWN)
    check_grammar(pieces)
    assert plain(server.streamed(pieces, beta=True)) == content
    assert msgspec.json.decode(whole(SHOWN, outs))["content"] == content


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_calls_in_any_order_lose_nothing(data: st.DataObject) -> None:
    lanes = {
        "a": data.draw(called("a"))[0],
        "b": data.draw(called("b"))[0],
        "text": data.draw(said())[0],
        "thought": data.draw(thought())[0],
        "served": data.draw(served("s"))[0],
    }
    left = {name: list(lane) for name, lane in lanes.items()}
    order = data.draw(st.permutations([name for name, lane in lanes.items() for _ in lane]))
    outs = [left[name].pop(0) for name in order]
    pieces = written([*outs, Done("tool-calls")], SHOWN)
    check_grammar(pieces)
    content = msgspec.json.decode(whole(SHOWN, [*outs, Done("tool-calls")]))["content"]
    given = {block["id"]: block["input"] for block in content if block["type"] == "tool_use"}
    assert given == {"a": wanted(lanes["a"]), "b": wanted(lanes["b"])}
    spoken = "".join(out.text for out in lanes["text"] if isinstance(out, TextDelta))
    assert "".join("".join(block["text"] for block in content if block["type"] == "text").split()) == "".join(
        spoken.split()
    )
    kinds = [block["type"] for block in content]
    assert kinds.index("mcp_tool_use") < kinds.index("mcp_tool_result")
    assert kinds.count("mcp_tool_result") == 1


def wanted(outs: list[OutputEvent]) -> dict[str, Any]:
    last = outs[-1]
    if isinstance(last, ToolCall):
        return last.arguments
    return msgspec.json.decode("".join(out.text for out in outs if isinstance(out, ToolInputDelta)))


def test_a_long_stream_side_by_side_takes_linear_time() -> None:
    """Hundreds of calls that are written side by side are each looked at once."""
    ids = [f"c{number}" for number in range(300)]
    outs: list[OutputEvent] = [ToolInputStart(call_id, "add") for call_id in ids]
    for piece in ('{"a":"', *("x" * 50), '"}'):
        outs += [ToolInputDelta(call_id, piece) for call_id in ids]
    outs += [ToolInputEnd(call_id) for call_id in ids]
    content = msgspec.json.decode(whole(PLAIN, [*outs, Done("tool-calls")]))["content"]
    assert [block["id"] for block in content] == ids
    assert all(block["input"] == {"a": "x" * 50} for block in content)


LISTED = [ListedModel(f"claude-{number}", f"Claude {number}") for number in range(5)]


def test_the_models_are_listed_as_the_client_pages_through_them(server: SaysSo) -> None:
    server.status, server.pieces = 200, [anthropic_page(LISTED, {"limit": "1000"})]
    page = server.client.models.list(limit=1000)
    assert [listed.id for listed in page.data] == [model.id for model in LISTED]
    assert (page.data[0].display_name, page.data[0].max_input_tokens) == ("Claude 0", None)
    assert not page.has_more
    server.pieces = [anthropic_model(LISTED[3])]
    assert server.client.models.retrieve("claude-3").id == "claude-3"


def test_pages_of_models() -> None:
    def page(**query: str) -> tuple[list[str], bool]:
        found = msgspec.json.decode(anthropic_page(LISTED, query))
        ids = [row["id"] for row in found["data"]]
        assert [found["first_id"], found["last_id"]] == ([ids[0], ids[-1]] if ids else [None, None])
        return [name[-1] for name in ids], found["has_more"]

    assert page(limit="2") == (["0", "1"], True)
    assert page(limit="2", after_id="claude-1") == (["2", "3"], True)
    assert page(limit="2", after_id="claude-3") == (["4"], False)
    assert page(limit="2", before_id="claude-3") == (["1", "2"], True)
    assert page(limit="9", before_id="claude-1") == (["0"], False)
    assert page(after_id="claude-4") == ([], False)
    for wrong in ({"limit": "0"}, {"limit": "1001"}, {"limit": "x"}, {"after_id": "none"}, {"before_id": "none"}):
        with pytest.raises(BadRequest, match=next(iter(wrong))):
            page(**wrong)


def test_the_system_prompt_and_the_tools_count_as_tokens() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": "x" * 400}}}
    body = {"model": "m", "messages": [{"role": "user", "content": "a" * 400}]}
    tools = [{"name": "add", "description": "Add.", "input_schema": schema}]
    assert tokens_of(read(body, {})) == 100
    assert 300 < tokens_of(read({**body, "system": "s" * 400, "tools": tools}, {})) < 400
