"""The Anthropic adapter against a server that refuses, breaks off, falls silent and pauses, over a real socket."""

import pytest
from anthropic_play import ask, begin, closed, opened, over, piece, told, wire
from wire_play import only_error, request, said

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.anthropic.model import Anthropic
from toolpost.models.anthropic.stream import MAX_PAUSES
from toolpost.testing import Upstream, error_object, http_error, raw, text, wait
from toolpost.testing.wires import AnthropicWire
from toolpost.types.errors import ModelError
from toolpost.types.messages import Usage
from toolpost.types.stream import Finish, TextStart


async def test_a_ping_keeps_a_silent_stream_alive() -> None:
    pings = sum([wait(0.2) + raw(wire("ping"))] * 4, raw(begin()))
    async with Upstream(pings + raw(told(0, "x") + over())) as up:
        assert (await ask(up, request(idle_timeout=0.7)))[-1] == Finish("stop")


async def test_a_pause_is_continued_from_what_was_said() -> None:
    first = b"".join(
        [
            begin(input_tokens=5),
            opened(3, type="thinking", thinking="hm", signature="") + piece(3, "signature_delta", signature="s"),
            closed(3),
            told(0, "Looking. "),
            opened(1, type="server_tool_use", id="s", name="web_search", input={}),
            piece(1, "input_json_delta", partial_json='{"q":"x"}'),
            closed(1),
            opened(2, type="web_search_tool_result", tool_use_id="s", content=[]),
            closed(2),
            over("pause_turn", {"output_tokens": 7}),
        ]
    )
    async with Upstream(raw(first), raw(first), text("Found.")) as up:
        events = await ask(up)
        paused = up.requests[2].body["messages"][-1]
    assert said(events) == "Looking. Looking. Found."
    assert events[-1] == Finish("stop", Usage(20, 19))
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Looking. "},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
    ]
    assert paused == {"role": "assistant", "content": blocks + blocks}
    assert len({event.id for event in events if isinstance(event, TextStart)}) == 3


async def test_a_failure_after_a_pause_ends_the_stream_it_does_not_raise() -> None:
    async with Upstream(raw(begin() + told(0, "x") + over("pause_turn")), http_error(529, "Overloaded")) as up:
        events = await ask(up)
    assert only_error(events).error.code == "overloaded"
    assert said(events) == "x"


async def test_a_server_that_only_pauses_is_left_at_last() -> None:
    paused = raw(begin() + told(0, "x") + over("pause_turn"))
    async with Upstream(paused, repeat=True) as up:
        assert (await ask(up))[-1] == Finish("length")
        assert len(up.requests) == MAX_PAUSES + 1


@pytest.mark.parametrize(
    ("status", "kind", "code", "retryable"),
    [
        (400, "invalid_request_error", "bad_request", False),
        (401, "authentication_error", "auth", False),
        (402, "billing_error", "spend_limit", False),
        (403, "permission_error", "auth", False),
        (404, "not_found_error", "not_found", False),
        (413, "request_too_large", "bad_request", False),
        (429, "rate_limit_error", "rate_limit", True),
        (500, "api_error", "server", True),
        (504, "timeout_error", "server", True),
        (529, "overloaded_error", "overloaded", True),
    ],
)
async def test_refusals(status: int, kind: str, code: str, retryable: bool) -> None:
    refusal = {"type": "error", "error": {"type": kind, "message": "sorry"}, "request_id": "r"}
    async with Upstream(http_error(status, refusal, {"retry-after": "7"})) as up:
        with pytest.raises(ModelError) as caught:
            await ask(up)
    info = caught.value.info
    assert (info.code, info.status, info.retryable, info.retry_after) == (code, status, retryable, 7.0)
    assert "sorry" in info.message


async def test_a_spend_limit_under_429_is_not_tried_again() -> None:
    refusal = {"type": "error", "error": {"type": "rate_limit_error", "message": "your spend limit is reached"}}
    async with Upstream(http_error(429, refusal)) as up:
        with pytest.raises(ModelError) as caught:
            await ask(up)
    assert (caught.value.code, caught.value.info.retryable) == ("spend_limit", False)


async def test_keys_are_never_told() -> None:
    async with Upstream(http_error(401, "bad key sk-secret"), text("x") + error_object({"message": "tok-en"})) as up:
        with pytest.raises(ModelError) as caught:
            await ask(up, api_key="sk-secret")
        assert "sk-secret" not in str(caught.value)
        assert "tok-en" not in only_error(await ask(up, auth_token="tok-en")).error.message


def test_a_model_shows_where_it_is_but_no_key() -> None:
    shown = repr(Anthropic("m", base_url="https://user:pass@x.test", api_key="sk-secret"))
    assert "anthropic/m" in shown
    assert "https://x.test/v1/messages" in shown
    assert "secret" not in shown
    assert "pass" not in shown


async def test_headers() -> None:
    async with Upstream(text("a"), text("b"), text("c")) as up:
        await ask(up, api_key=" sk-1 ", headers={"Anthropic-Beta": "x-1"})
        await ask(up, auth_token="tok", version="2026-10-21")
        await ask(up, api_key="k", headers={"anthropic-version": "2024-01-01"})
        first, second, third = (received.headers for received in up.requests)
    assert (first["x-api-key"], first["anthropic-beta"], first["anthropic-version"]) == ("sk-1", "x-1", "2023-06-01")
    assert "authorization" not in first
    assert (second["authorization"], second["anthropic-version"]) == ("Bearer tok", "2026-10-21")
    assert "x-api-key" not in second
    assert third["anthropic-version"] == "2024-01-01"


@pytest.mark.parametrize("base", ["", "/", "/v1", "/v1/"])
async def test_the_base_url_may_end_in_v1_or_not(base: str) -> None:
    async with Upstream(text("x")) as up:
        [_ async for _ in Anthropic("m", base_url=up.url + base).stream(request())]
        assert up.requests[0].path == "/v1/messages"


async def test_models_are_listed() -> None:
    async with Upstream(models=["a", "b"], wire=AnthropicWire()) as up:
        assert await Anthropic.list_models(AdapterSettings("", base_url=up.url, api_key="k")) == ["a", "b"]
