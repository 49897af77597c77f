"""What the flaky upstream has taught, each in a small case of its own."""

from pathlib import Path

import pytest
from gateway_play import ADD, HI, broken, gateway, sse, with_server

from toolpost.testing import call, end, http_error, raw, text
from toolpost.testing.flaky import FlakyUpstream

FALLBACK = '[server.routes.default]\nmodel = "up/a"\nfallbacks = ["up/b"]\n'


@pytest.mark.parametrize("wire", ["anthropic", "gemini", "ollama"])
async def test_a_call_of_an_answer_that_broke_off_is_not_run(folder: Path, mcp_url: str, wire: str) -> None:
    """These wires send a call whole before the answer ends; what else it would have said nobody knows."""
    turn = call("mcp__play__echo", {"text": "x"}) + end()
    async with gateway(folder, turn, wire=wire, config=with_server(folder, mcp_url)) as play:
        events = await play.events(headers={"x-toolpost-show-calls": "1"})
        assert broken(events)["type"] == "api_error"
        assert "echo x" not in str(events)
        assert len(play.up.requests) == 1


@pytest.mark.parametrize("wire", ["anthropic", "gemini", "ollama"])
async def test_a_clients_call_of_an_answer_that_broke_off_is_not_told_as_a_whole_answer(
    folder: Path, mcp_url: str, wire: str
) -> None:
    turn = call("add", {"a": 1}) + end()
    async with gateway(folder, turn, wire=wire, config=with_server(folder, mcp_url)) as play:
        asked = {"model": "m", "max_tokens": 9, "messages": HI, "tools": [ADD]}
        answer = await play.http.post("/v1/messages", json=asked)
        assert (answer.status_code, answer.json()["type"]) == (502, "error")


async def test_a_server_that_answers_with_something_else_is_passed_over(folder: Path) -> None:
    async with gateway(folder, raw(b"data: no json\n\n"), text("the other"), config=FALLBACK) as play:
        message = await play.anthropic.messages.create(model="m", max_tokens=9, messages=HI)
        assert message.content[0].text == "the other"


async def test_a_server_that_is_not_there_is_passed_over(folder: Path) -> None:
    away = '[providers.away]\nwire = "openai_chat"\nbase_url = "http://127.0.0.1:1/v1"\n'
    config = away + '[server.routes.default]\nmodel = "away/a"\nfallbacks = ["up/b"]\n'
    async with gateway(folder, text("the other"), config=config) as play:
        message = await play.anthropic.messages.create(model="m", max_tokens=9, messages=HI)
        assert message.content[0].text == "the other"


async def test_an_event_that_no_client_can_read_is_told_as_a_failure(folder: Path) -> None:
    """Where the answer goes on to the client as it comes, too."""
    begun = b'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n'
    async with gateway(folder, raw(begun + b"data: \xff{no json\n\n")) as play:
        asked = {"model": "m", "messages": HI, "stream": True}
        answer = await play.http.post("/v1/chat/completions", json=asked)
        assert sse(answer.text)[-1]["error"]["type"] == "server_error"
        assert b"\xff" not in answer.content


async def test_a_model_that_is_away_for_long_holds_up_nobody_who_is_not(folder: Path) -> None:
    away = http_error(429, headers={"retry-after": "3600"})
    async with gateway(folder, away, http_error(429), text("the other"), config=FALLBACK) as play:
        message = await play.anthropic.messages.create(model="m", max_tokens=9, messages=HI)
        assert message.content[0].text == "the other"


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/responses"])
async def test_an_answer_without_an_end_is_given_up(folder: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.models.http_model.MAX_BYTES", 50_000)
    async with FlakyUpstream(lambda request: text("more and more"), weights={"endless": 1.0}) as up:
        away = f'[providers.endless]\nwire = "openai_chat"\nbase_url = "{up.url}/v1"\n'
        async with gateway(folder, config=away) as play:
            asked = {"model": "endless/m", "max_tokens": 9, "messages": HI, "input": "hi"}
            answer = await play.http.post(path, json=asked)
            assert (answer.status_code, "larger than 50,000 bytes" in answer.text) == (502, True)
            await up.closed()
