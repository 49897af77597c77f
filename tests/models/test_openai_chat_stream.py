"""What the adapter makes of a server's stream, quirk by quirk, over a real socket."""

import asyncio
from typing import Any

import msgspec
import pytest
from tcp_server import HEAD, Peer, chunk, tcp_server
from wire_play import called, only_error, request, said, thought

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.testing import (
    Received,
    Turn,
    Upstream,
    call,
    error_object,
    http_error,
    raw,
    reasoning,
    reset,
    stall,
    text,
    turn,
)
from toolpost.testing.script import Raw, Wait
from toolpost.types.messages import Usage
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
)


async def ask(up: Upstream, *, wanted: ModelRequest | None = None, **options: Any) -> list[StreamEvent]:
    model = OpenAIChat("any", base_url=up.base_url, provider=options.pop("provider", "openai"), **options)
    return [event async for event in model.stream(wanted or request())]


async def play(*turns: Turn, **options: Any) -> list[StreamEvent]:
    async with Upstream(*turns, **options) as up:
        return await ask(up)


async def play_wire(*chunks: Any, done: bool = True) -> list[StreamEvent]:
    body = b"".join(
        b"data: " + (item if isinstance(item, bytes) else msgspec.json.encode(item)) + b"\n\n" for item in chunks
    )
    return await play(raw(body + (b"data: [DONE]\n\n" if done else b"")))


def delta(fields: dict[str, Any] | None = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields or {}, "finish_reason": finish}], **more}


async def test_a_text_answer() -> None:
    events = await play(turn(text("hello", chunk=3), usage=Usage(12, 3, 1, 4)))
    assert events == [
        TextStart("0"),
        TextDelta("hel", "0"),
        TextDelta("lo", "0"),
        TextEnd("0"),
        Finish("stop", Usage(12, 3, 1, 4)),
    ]


async def test_reasoning_text_and_calls_in_their_order() -> None:
    events = await play(reasoning("hm") + text("let me see") + call("add", {"a": 1}) + text("after"))
    assert events[:3] == [
        ReasoningStart("0"),
        ReasoningDelta("hm", "0"),
        ReasoningEnd("0", {"openai_chat": {"field": "reasoning_content"}}),
    ]
    assert events[3:6] == [TextStart("1"), TextDelta("let me see", "1"), TextEnd("1")]
    assert [event.type for event in events if not isinstance(event, ReasoningDelta | TextDelta)][-5:] == [
        "text-start",
        "text-end",
        "tool-input-end",
        "tool-call",
        "finish",
    ]
    assert called(events) == [("add", {"a": 1})]
    assert events[-1] == Finish("tool-calls", Usage(10, 5))


@pytest.mark.parametrize("finish", ["stop", "tool_calls", "function_call", "eos"])
async def test_a_call_seen_means_tool_calls_whatever_the_wire_says(finish: str) -> None:
    tool = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "add", "arguments": "{}"}}]}
    events = await play_wire(delta(tool), delta(finish=finish))
    assert events[-1] == Finish("tool-calls")


async def test_a_call_cut_at_the_length_limit_is_raw_and_the_reason_stays_length() -> None:
    tool = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "add", "arguments": '{"a":'}}]}
    events = await play_wire(delta(tool), delta(finish="length"))
    assert events[-2] == ToolCall("a", "add", {}, '{"a":')
    assert events[-1] == Finish("length")


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("content_filter", "content-filter"),
        ("tool_calls", "stop"),
        ("weird", "stop"),
    ],
)
async def test_finish_reasons(wire: str, reason: str) -> None:
    events = await play_wire(delta({"content": "x"}), delta(finish=wire))
    assert isinstance(events[-1], Finish)
    assert events[-1].reason == reason


@pytest.mark.parametrize("wire", ["error", "network_error", "insufficient_system_resource"])
async def test_a_finish_reason_that_means_failure_is_an_error(wire: str) -> None:
    assert only_error(await play_wire(delta({"content": "x"}), delta(finish=wire))).error.retryable


async def test_two_finish_reasons_end_once() -> None:
    events = await play_wire(
        delta({"content": "x"}), delta(finish="stop"), delta(finish="length"), delta(finish="stop")
    )
    assert [event for event in events if isinstance(event, Finish)] == [Finish("length")]


@pytest.mark.parametrize("done", [True, False])
async def test_a_stream_without_a_finish_reason_is_truncated(done: bool) -> None:
    error = only_error(await play_wire(delta({"content": "half"}), done=done)).error
    assert (error.code, error.retryable) == ("truncated", True)


async def test_a_finish_reason_is_enough_without_done() -> None:
    assert (await play_wire(delta({"content": "x"}, "stop"), done=False))[-1] == Finish("stop")


async def test_the_last_event_counts_without_its_blank_line() -> None:
    body = b"data: " + msgspec.json.encode(delta({"content": "x"}, "stop"))
    assert (await play(raw(body)))[-1] == Finish("stop")


@pytest.mark.parametrize("body", [b"", b": ping\n\n", b"data: [DONE]\n\n", b'data: {"choices":[]}\n\n'])
async def test_an_empty_stream_is_an_error(body: bytes) -> None:
    assert only_error(await play(raw(body))).error.code == "truncated"


async def test_a_wire_that_breaks_after_the_finish_reason_loses_nothing() -> None:
    body = b"data: " + msgspec.json.encode(delta({"content": "x"}, "stop")) + b"\n\n"
    assert (await play(raw(body) + reset()))[-1] == Finish("stop")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"message": "slow down", "code": 429}, "rate_limit"),
        ({"message": "slow down", "code": "429"}, "rate_limit"),
        ({"message": "busy", "type": "overloaded_error"}, "overloaded"),
        ({"message": "maximum context length is 10", "code": 400}, "context_overflow"),
        ("plain text", "server"),
    ],
)
async def test_an_error_object_midway_is_an_error_event(error: Any, code: str) -> None:
    events = await play(text("half") + error_object(error))
    assert only_error(events).error.code == code


async def test_an_error_under_message_without_choices_is_an_error_event() -> None:
    events = await play_wire({"object": "error", "message": "CUDA out of memory", "code": 500})
    assert "CUDA" in only_error(events).error.message


async def test_something_that_is_not_json_is_a_protocol_error() -> None:
    assert only_error(await play_wire(delta({"content": "x"}), b"<html>")).error.code == "protocol"


async def test_a_server_that_answers_in_one_document() -> None:
    message = {
        "role": "assistant",
        "content": "hi",
        "reasoning": "hm",
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"a":1}'}}],
    }
    body = msgspec.json.encode(
        {
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 4},
        }
    )
    events = await play(raw(body[:20]) + raw(body[20:]))
    assert (thought(events), said(events), called(events)) == ("hm", "hi", [("add", {"a": 1})])
    assert events[-1] == Finish("tool-calls", Usage(3, 4))


async def test_usage_in_every_place_it_is_sent_in() -> None:
    counts = {
        "prompt_tokens": 9,
        "completion_tokens": 2,
        "prompt_tokens_details": {"cached_tokens": 5},
        "completion_tokens_details": None,
    }
    wanted = Finish("stop", Usage(9, 2, 0, 5))
    text_first = delta({"content": "x"})
    assert (await play_wire(text_first, delta(finish="stop", usage=counts)))[-1] == wanted
    assert (await play_wire(text_first, delta(finish="stop"), {"choices": [], "usage": counts}))[-1] == wanted
    assert (await play_wire(text_first, delta(finish="stop", usage=None), {"usage": counts}))[-1] == wanted
    in_choice = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": counts}]}
    assert (await play_wire(text_first, in_choice))[-1] == wanted
    assert (await play_wire(text_first, delta(finish="stop", x_groq={"usage": counts})))[-1] == wanted
    deepseek = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 5}
    assert (await play_wire(text_first, delta(finish="stop", usage=deepseek)))[-1] == wanted


async def test_reasoning_in_either_field_and_its_field_is_kept() -> None:
    for field in ("reasoning", "reasoning_content"):
        events = await play_wire(
            delta({field: "hm", "content": None}), delta({field: "", "content": "x"}), delta(finish="stop")
        )
        assert (thought(events), said(events)) == ("hm", "x")
        assert ReasoningEnd("0", {"openai_chat": {"field": field}}) in events


async def test_reasoning_in_both_fields_is_not_told_twice() -> None:
    events = await play_wire(delta({"reasoning": "hm", "reasoning_content": "hm"}), delta(finish="stop"))
    assert thought(events) == "hm"


async def test_think_tags_at_the_start_are_reasoning() -> None:
    pieces = ["<th", "ink>wh", "y</th", "ink>\n\nbec", "ause <think>"]
    events = await play_wire(*(delta({"content": piece}) for piece in pieces), delta(finish="stop"))
    assert (thought(events), said(events)) == ("why", "because <think>")


async def test_held_back_text_is_not_lost_when_a_call_or_the_end_comes() -> None:
    tool = {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "add", "arguments": "{}"}}]}
    events = await play_wire(delta({"content": "<thi"}), delta(tool), delta(finish="stop"))
    assert said(events) == "<thi"
    assert [e.type for e in events].index("text-end") < [e.type for e in events].index("tool-input-start")
    assert said(await play_wire(delta({"content": "<"}), delta(finish="stop"))) == "<"


async def test_types_that_are_off_are_read_leniently() -> None:
    events = await play_wire(
        {"choices": None},
        {
            "id": 5,
            "choices": [{"index": "0", "delta": {"content": [{"type": "text", "text": "hi"}]}, "finish_reason": None}],
        },
        {"choices": [{"delta": {"content": None, "tool_calls": None}}]},
        {
            "choices": [
                {
                    "index": 0,
                    "delta": {
                        "tool_calls": [{"index": "0", "id": 7, "function": {"name": "add", "arguments": {"a": 1}}}]
                    },
                }
            ]
        },
        {
            "choices": [{"index": 0, "delta": None, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": "4", "completion_tokens": 1.0},
        },
    )
    assert (said(events), called(events)) == ("hi", [("add", {"a": 1})])
    assert events[-1] == Finish("tool-calls", Usage(4, 1))


async def test_bytes_that_are_no_utf8_do_not_end_the_stream() -> None:
    events = await play_wire(b'{"choices":[{"index":0,"delta":{"content":"a\xffb"},"finish_reason":"stop"}]}')
    assert said(events) == "a\ufffdb"


async def test_an_emoji_cut_in_two_does_not_end_the_stream() -> None:
    halves = (rb'{"choices":[{"delta":{"content":"a\ud83d"}}]}', rb'{"choices":[{"delta":{"content":"\ude00b"}}]}')
    events = await play_wire(*halves, delta(finish="stop"))
    assert said(events) == "a\ufffd\ufffdb"
    assert isinstance(events[-1], Finish)


async def test_other_choices_are_not_mixed_in() -> None:
    other = {"choices": [{"index": 1, "delta": {"content": "no"}, "finish_reason": None}]}
    assert said(await play_wire(delta({"content": "yes"}), other, delta(finish="stop"))) == "yes"


async def test_thought_signatures_are_kept_with_their_call() -> None:
    extra = {"google": {"thought_signature": "sig"}}
    tool = {
        "tool_calls": [{"index": 0, "id": "a", "extra_content": extra, "function": {"name": "add", "arguments": "{}"}}]
    }
    events = await play_wire(delta(tool), delta(finish="stop"))
    assert events[-2] == ToolCall("a", "add", {}, "", {"extra_content": extra})


async def test_requests_side_by_side_that_are_all_refused_all_go_on_without() -> None:
    refusal = http_error(400, {"error": {"message": "Unknown parameter: 'stream_options'."}})

    def answer(received: Received) -> Turn:
        return refusal if "stream_options" in received.body else text("hi")

    async with Upstream(answer, repeat=True) as up:
        model = OpenAIChat("m", base_url=up.base_url)

        async def one() -> list[StreamEvent]:
            return [event async for event in model.stream(request())]

        assert [said(events) for events in await asyncio.gather(*(one() for _ in range(4)))] == ["hi"] * 4
        assert sum("stream_options" in received.body for received in up.requests) > 1


async def test_a_server_that_refuses_stream_options_is_asked_again_without_and_remembered() -> None:
    refusal = http_error(400, {"error": {"message": "Unknown parameter: 'stream_options'."}})
    async with Upstream(refusal, text("a"), text("b")) as up:
        model = OpenAIChat("any", base_url=up.base_url)
        for wanted in "ab":
            assert said([event async for event in model.stream(request())]) == wanted
        assert ["stream_options" in received.body for received in up.requests] == [True, False, False]


async def test_a_finished_stream_gives_its_connection_back_even_if_its_end_comes_late() -> None:
    finished, ended = asyncio.Event(), asyncio.Event()

    async def script(peer: Peer) -> None:
        for _ in range(2):
            await peer.take_request()
            body = b"data: " + msgspec.json.encode(delta({"content": "x"}, "stop")) + b"\n\ndata: [DONE]\n\n"
            await peer.send(HEAD + chunk(body))
            await finished.wait()
            await peer.send(b"0\r\n\r\n")
            ended.set()
        await peer.gone()

    async with tcp_server(script) as server:
        model = OpenAIChat("any", base_url=server.url)
        assert [event async for event in model.stream(request())][-1] == Finish("stop")
        finished.set()
        await ended.wait()
        # The bytes are in the socket; a few turns of the loop let the client read them.
        for _ in range(10):
            await asyncio.sleep(0)
        assert [event async for event in model.stream(request())][-1] == Finish("stop")
        assert len(server.peers) == 1


async def test_a_server_that_keeps_the_connection_open_after_done_is_left() -> None:
    body = b"data: " + msgspec.json.encode(delta({"content": "x"}, "stop")) + b"\n\ndata: [DONE]\n\n"
    async with Upstream(raw(body) + stall()) as up:
        assert (await ask(up))[-1] == Finish("stop")
        await up.closed(1, 2)


async def test_models_are_listed() -> None:
    async with Upstream(models=["a/b", "c"]) as up:
        assert await OpenAIChat.list_models(AdapterSettings("", base_url=up.base_url)) == ["a/b", "c"]


async def test_the_query_of_a_base_url_stays_at_its_end() -> None:
    async with Upstream(text("x")) as up:
        [_ async for _ in OpenAIChat("any", base_url=f"{up.base_url}/?api-version=1").stream(request())]
        assert up.requests[0].path == "/v1/chat/completions?api-version=1"


async def test_a_server_that_keeps_the_connection_open_after_its_last_word_is_not_waited_for(monkeypatch) -> None:
    monkeypatch.setattr("toolpost.models.http_model.TRAILER_SECONDS", 0.05)
    last_word = b'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n'
    async with Upstream(raw(last_word) + stall()) as upstream:
        model = OpenAIChat("m", base_url=upstream.base_url)
        async with asyncio.timeout(5):
            events = [event async for event in model.stream(ModelRequest([]))]
        await upstream.closed(1, timeout=2)
    assert events[-1] == Finish("stop")


async def test_signs_of_life_after_the_last_word_do_not_hold_up_the_answer(monkeypatch) -> None:
    monkeypatch.setattr("toolpost.models.http_model.TRAILER_SECONDS", 0.2)
    last_word = b'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n'
    alive = Turn(tuple(step for _ in range(200) for step in (Raw(b": still here\n\n"), Wait(0.05))))
    async with Upstream(raw(last_word) + alive) as upstream:
        model = OpenAIChat("m", base_url=upstream.base_url)
        async with asyncio.timeout(5):
            events = [event async for event in model.stream(ModelRequest([]))]
        await upstream.closed(1, timeout=2)
    assert events[-1] == Finish("stop")
