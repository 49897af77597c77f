"""Long silences before the first token: the client hears pings, and a failure after them is told inside the stream."""

from pathlib import Path
from typing import Any

import pytest
from anthropic import APIStatusError
from gateway_play import HI, broken, gateway, sse, whole
from openai import APIError

from toolpost.testing import Gate, error, pause, text

WIRES = [
    ("/v1/messages", {"max_tokens": 100, "messages": HI}, b"event: ping"),
    ("/v1/chat/completions", {"messages": HI}, b": working"),
    ("/v1/responses", {"input": "hi"}, b": working"),
]
FALLBACK = '[server.routes.default]\nmodel = "up/a"\nfallbacks = ["up/b"]\n'
NO_RETRIES = "[server]\nretries = 0\n"


@pytest.mark.parametrize(("path", "body", "ping"), WIRES, ids=[path for path, _, _ in WIRES])
async def test_a_model_that_thinks_for_long_is_bridged_by_pings(
    folder: Path, path: str, body: dict[str, Any], ping: bytes
) -> None:
    gate = Gate()
    async with gateway(folder, pause(gate) + text("at last"), keep_alive=0.02) as play:
        request = play.http.stream("POST", path, json={"model": "m", "stream": True, **body})
        async with request as answer:
            assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")
            pieces = answer.aiter_bytes()
            before = await anext(pieces) + await anext(pieces)
            gate.open()
            after = b"".join([piece async for piece in pieces])
        assert before.replace(ping, b"").replace(b'data: {"type":"ping"}', b"").strip() == b""
        assert b"at last" in after


async def test_vendor_clients_read_an_answer_that_begins_with_pings(folder: Path) -> None:
    gates = [Gate() for _ in range(3)]
    async with gateway(folder, *(pause(gate) + text("late") for gate in gates), keep_alive=0.01) as play:
        one, two, three = gates
        # Each client comes this far only with the head of the answer, and only a ping can have sent it.
        async with play.anthropic.messages.stream(model="m", max_tokens=9, messages=HI) as message:
            one.open()
            assert await message.get_final_text() == "late"
        chunks = await play.openai.chat.completions.create(model="m", messages=HI, stream=True)
        two.open()
        assert "".join([chunk.choices[0].delta.content or "" async for chunk in chunks if chunk.choices]) == "late"
        async with play.openai.responses.stream(model="m", input="hi") as events:
            three.open()
            assert (await events.get_final_response()).output_text == "late"


async def test_another_model_may_still_answer_after_pings(folder: Path) -> None:
    gate = Gate()
    turns = (pause(gate) + error("overloaded", status=529), text("the other"))
    async with gateway(folder, *turns, config=FALLBACK, keep_alive=0.02) as play:
        body = {"model": "m", "max_tokens": 9, "messages": HI, "stream": True}
        async with play.http.stream("POST", "/v1/messages", json=body) as answer:
            pieces = answer.aiter_text()
            ping = await anext(pieces)
            gate.open()
            events = sse(ping + "".join([piece async for piece in pieces]))
    assert events[0] == {"type": "ping"}
    blocks, reason = whole([event for event in events if event["type"] != "ping"])
    assert ([block["text"] for block in blocks], reason) == (["the other"], "end_turn")


async def test_a_failure_after_pings_is_told_inside_the_stream(folder: Path) -> None:
    """As each vendor's client knows it: the status was sent with the first ping, and the kind is told in the event."""
    gates = [Gate() for _ in range(3)]
    turns = (pause(gate) + error("rate_limit", "slow down") for gate in gates)
    async with gateway(folder, *turns, config=NO_RETRIES, keep_alive=0.01) as play:
        one, two, three = gates
        body = {"model": "m", "max_tokens": 9, "messages": HI, "stream": True}
        async with play.http.stream("POST", "/v1/messages", json=body) as answer:
            assert answer.status_code == 200
            one.open()
            told = broken(sse("".join([piece async for piece in answer.aiter_text()])))
        assert told == {"type": "rate_limit_error", "message": told["message"]}
        chunks = await play.openai.chat.completions.create(model="m", messages=HI, stream=True)
        two.open()
        with pytest.raises(APIError, match="slow down") as caught:
            [chunk async for chunk in chunks]
        assert caught.value.code == "rate_limit_exceeded"
        async with play.openai.responses.stream(model="m", input="hi") as events:
            three.open()
            with pytest.raises(APIError, match="slow down"):
                [event async for event in events]


async def test_a_failure_before_the_first_ping_keeps_its_status(folder: Path) -> None:
    async with gateway(folder, error("rate_limit", status=429), config=NO_RETRIES) as play:
        with pytest.raises(APIStatusError) as caught:
            await play.anthropic.messages.create(model="m", max_tokens=9, messages=HI, stream=True)
        assert caught.value.status_code == 429


@pytest.mark.parametrize("streamed", [True, False])
async def test_a_conversation_that_is_too_long_is_told_in_the_words_that_clients_look_for(
    folder: Path, streamed: bool
) -> None:
    too_long = error("context_overflow", "4096 is all", status=400)
    async with gateway(folder, too_long, too_long) as play:
        body = {"model": "m", "max_tokens": 9, "messages": HI, "stream": streamed}
        answer = await play.http.post("/v1/messages", json=body)
        assert answer.status_code == 400
        assert "prompt is too long" in answer.json()["error"]["message"]
        answer = await play.http.post("/v1/chat/completions", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "context_length_exceeded")
