"""What holds on every wire, over a real socket: refusals, faults in the middle, and whose connection it is."""

import asyncio
from typing import Any

import msgspec
import pytest
from tcp_server import Peer, tcp_server
from wire_play import KEY, WIRES, answer, called, made, model_on, only_error, request, said, thought

from toolpost.models.contract import Tape
from toolpost.testing import (
    Gate,
    Turn,
    Upstream,
    call,
    calls,
    cut,
    end,
    error,
    error_object,
    http_error,
    pause,
    raw,
    reasoning,
    reset,
    stall,
    text,
    turn,
)
from toolpost.testing.wires import AnthropicWire, GeminiWire, OllamaWire, OpenAIChatWire, OpenAIResponsesWire
from toolpost.types.errors import ModelError
from toolpost.types.messages import Usage
from toolpost.types.stream import Finish, TextDelta, TextStart

pytestmark = pytest.mark.parametrize("wire", WIRES)


# An answer with two ends, as proxies make them: cut at the length limit, and then as if all were well.
TWO_ENDINGS = {
    "openai_chat": b'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"length"}]}\n\n'
    b'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    "anthropic": b'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}\n\n'
    b'data: {"type":"message_delta","delta":{"stop_reason":"max_tokens"}}\n\n'
    b'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n'
    b'data: {"type":"message_stop"}\n\ndata: {"type":"message_stop"}\n\n',
    "ollama": b'{"message":{"content":"x"},"done":true,"done_reason":"length"}\n{"done":true,"done_reason":"stop"}\n',
    "openai_responses": b'data: {"type":"response.output_text.delta","delta":"x"}\n\n'
    b'data: {"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}\n\n'
    b'data: {"type":"response.completed","response":{}}\n\n',
    "gemini": b'data: {"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"MAX_TOKENS"}]}\n\n'
    b'data: {"candidates":[{"finishReason":"STOP"}]}\n\n',
}


async def play(wire: str, *turns: Turn, split: Any = None, **options: Any) -> list[Any]:
    async with Upstream(*turns, split=split) as up:
        return await answer(model_on(wire, up), request(**options))


async def test_thinking_text_and_calls_are_told_with_what_they_cost(wire: str) -> None:
    script = reasoning("hm") + text("hello", chunk=3) + calls(call("add", {"a": 1}), call("add", {"a": 2}))
    events = await play(wire, turn(script, usage=Usage(12, 7)))
    assert (thought(events), said(events)) == ("hm", "hello")
    assert called(events) == [("add", {"a": 1}), ("add", {"a": 2})]
    assert events[-1] == Finish("tool-calls", Usage(12, 7))


@pytest.mark.parametrize("split", [[1], [7], 1, 2, 3], ids=str)
async def test_a_stream_split_anywhere_gives_the_same_events(wire: str, split: Any) -> None:
    script = reasoning("想一想") + text("你好，世界 🌍" * 4, chunk=2)
    script += calls(call("add", {"a": 1}, id="c1"), call("add", {"a": "二 🌍"}, id="c2"))
    assert await play(wire, script, split=split) == await play(wire, script)


@pytest.mark.parametrize(
    ("refusal", "code", "after", "retryable"),
    [
        (http_error(429, "slow down", {"retry-after": "3"}), "rate_limit", 3.0, True),
        (http_error(429, "slow down", {"retry-after-ms": "1500"}), "rate_limit", 1.5, True),
        (http_error(429, "slow down"), "rate_limit", None, True),
        (http_error(529, "overloaded", {"retry-after": "2"}), "overloaded", 2.0, True),
        (http_error(529, "overloaded"), "overloaded", None, True),
        (http_error(429, "You exceeded your current quota: insufficient_quota"), "spend_limit", None, False),
        (error("spend_limit"), "spend_limit", None, False),
        (error("context_overflow"), "context_overflow", None, False),
        (http_error(401, "no such key"), "auth", None, False),
        (http_error(400, "no such thing"), "bad_request", None, False),
        (http_error(500, "oops"), "server", None, True),
        (http_error(503, b"<html>down</html>"), "server", None, True),
    ],
)
async def test_a_refusal_is_raised_before_the_first_event_and_says_when_to_come_back(
    wire: str, refusal: Turn, code: str, after: float | None, retryable: bool
) -> None:
    async with Upstream(refusal) as up:
        with pytest.raises(ModelError) as caught:
            await answer(model_on(wire, up))
        assert len(up.requests) == 1
    assert (caught.value.code, caught.value.info.retry_after) == (code, after)
    assert caught.value.info.retryable is retryable


async def test_the_key_is_never_told(wire: str) -> None:
    async with Upstream(http_error(400, f"the key {KEY} is odd"), text("x") + error_object(f"{KEY} is odd")) as up:
        model = model_on(wire, up)
        with pytest.raises(ModelError) as caught:
            await answer(model)
        midway = only_error(await answer(model)).error
    for told in (str(caught.value), midway.message, repr(model)):
        assert KEY not in told
    assert "is odd" in midway.message
    assert "m" in repr(model)


@pytest.mark.parametrize(
    ("problem", "code"), [({"message": "slow down", "code": 429}, "rate_limit"), ("out of memory", "server")]
)
async def test_an_error_in_the_middle_is_the_last_event(wire: str, problem: Any, code: str) -> None:
    events = await play(wire, text("half") + error_object(problem))
    found = only_error(events).error
    # Ollama's errors are texts, and nothing but texts.
    assert (found.code, found.retryable) == ("server" if wire == "ollama" else code, True)
    assert said(events) == "half"


@pytest.mark.parametrize(
    ("fault", "code"), [(cut(), "truncated"), (end(), "truncated"), (reset(), "network")], ids=["cut", "end", "reset"]
)
async def test_a_wire_that_breaks_in_the_middle_is_one_error_event(wire: str, fault: Turn, code: str) -> None:
    events = await play(wire, text("half") + fault)
    found = only_error(events).error
    assert (found.code, found.retryable) == (code, True)
    assert said(events) == "half"


@pytest.mark.parametrize("fault", [cut(), end()], ids=["cut", "end"])
async def test_a_call_without_the_end_of_its_turn_is_no_answer(wire: str, fault: Turn) -> None:
    assert only_error(await play(wire, call("add", {"a": 1}) + fault)).error.code == "truncated"


@pytest.mark.parametrize("body", [b"", b"\n\n"])
async def test_an_empty_answer_is_an_error(wire: str, body: bytes) -> None:
    assert "without an answer" in only_error(await play(wire, raw(body))).error.message


async def test_what_is_no_json_is_a_protocol_error(wire: str) -> None:
    assert only_error(await play(wire, raw(b"data: <html>what?\n\n"))).error.code == "protocol"


async def test_silence_in_the_middle_is_a_timeout_event(wire: str) -> None:
    async with Upstream(text("half") + stall()) as up:
        found = only_error(await answer(model_on(wire, up), request(idle_timeout=0.2))).error
        assert (found.code, found.retryable) == ("timeout", True)
        await up.closed(1, 1)


async def test_silence_before_the_first_byte_is_raised(wire: str) -> None:
    async with Upstream(stall()) as up:
        with pytest.raises(ModelError) as caught:
            await answer(model_on(wire, up), request(idle_timeout=0.2))
        assert caught.value.code == "timeout"
        await up.closed(1, 1)


async def test_two_calls_with_one_id_get_two(wire: str) -> None:
    events = await play(wire, calls(call("add", {"a": 1}, id="x"), call("add", {"a": 2}, id="x")))
    assert called(events) == [("add", {"a": 1}), ("add", {"a": 2})]
    first, second = made(events)
    assert first.id == "x"
    assert second.id not in ("", "x")


async def test_no_arguments_are_an_empty_object(wire: str) -> None:
    events = await play(wire, call("add", ""))
    assert [(event.arguments, event.raw) for event in made(events)] == [({}, "")]


async def test_broken_arguments_are_kept_as_their_text(wire: str) -> None:
    events = await play(wire, call("add", '{"a": oops'))
    assert [(event.arguments, event.raw) for event in made(events)] == [({}, '{"a": oops')]


@pytest.mark.parametrize("finish", ["length", "content-filter"])
async def test_an_answer_that_was_cut_says_why(wire: str, finish: Any) -> None:
    last = (await play(wire, turn(text("half"), finish=finish)))[-1]
    # Ollama knows no filter.
    assert last == Finish("stop" if (wire, finish) == ("ollama", "content-filter") else finish, Usage(10, 5))


async def test_two_endings_end_once_and_a_cut_is_not_lost(wire: str) -> None:
    events = await play(wire, raw(TWO_ENDINGS[wire]))
    assert [event for event in events if isinstance(event, Finish)] == [Finish("length")]
    assert said(events) == "x"


async def test_a_server_that_does_not_stream_is_understood(wire: str) -> None:
    speaker = {"openai_chat": OpenAIChatWire, "openai_responses": OpenAIResponsesWire, "gemini": GeminiWire}
    speaker |= {"anthropic": AnthropicWire, "ollama": OllamaWire}
    document = speaker[wire]().document(text("hello") + call("add", {"a": 1}))
    events = await play(wire, raw(document[:30]) + raw(document[30:]))
    assert (said(events), called(events)) == ("hello", [("add", {"a": 1})])
    assert events[-1] == Finish("tool-calls", Usage(10, 5))


async def test_a_web_page_is_told_as_such(wire: str) -> None:
    page = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>"

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(page)

    async with tcp_server(script) as server:
        with pytest.raises(ModelError, match="web page"):
            await answer(WIRES[wire](Upstream(port=server.port)))


async def test_leaving_the_iterator_closes_the_connection(wire: str) -> None:
    async with Upstream(text("half") + stall()) as up:
        events = model_on(wire, up).stream(request())
        assert await anext(events) == TextStart("0")
        await events.aclose()
        await up.closed(1, 1)


async def test_cancelling_in_the_middle_closes_the_connection(wire: str) -> None:
    gate = Gate()
    async with Upstream(text("half") + pause(gate) + text("rest")) as up:
        seen = asyncio.Event()

        async def watch() -> None:
            async for event in model_on(wire, up).stream(request()):
                if isinstance(event, TextDelta):
                    seen.set()

        task = asyncio.create_task(watch())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await up.closed(1, 1)


async def test_many_streams_share_one_adapter_and_give_their_connections_back(wire: str) -> None:
    script = [text(f"answer {n}", chunk=2) + call("add", {"a": n}) for n in range(20)]
    async with Upstream(*script) as up:
        model = model_on(wire, up)

        async def one() -> str:
            events = await answer(model)
            return f"{said(events)} {made(events)[0].arguments['a']}"

        answers = await asyncio.gather(*(one() for _ in range(19)))
        total = up.total
        answers.append(await one())
        assert up.total == total
    assert sorted(answers) == sorted(f"answer {n} {n}" for n in range(20))


async def test_the_tape_of_a_request_is_fed(wire: str) -> None:
    tape = Tape()
    async with Upstream(text("hello")) as up:
        await answer(model_on(wire, up), request(tape=tape))
        assert tape.sent == up.requests[0].raw
        assert msgspec.json.decode(tape.sent) == up.requests[0].body
    assert b"hello" in tape.received
