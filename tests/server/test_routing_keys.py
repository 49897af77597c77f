"""Several keys of a provider in turn: which one a request goes with, and what becomes of one that is refused."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import pytest
from gateway_play import ADD, HI, blocks, gateway, listening, mcp_server, with_server

from toolpost.server.gateway.key_pool import FIRST_PAUSE, KeyRing
from toolpost.testing import Turn, call, cut, error_object, http_error, text
from toolpost.testing.upstream import Received
from toolpost.types.messages import ErrorInfo

ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": HI}
KEYS = 'api_key_env = ["KEY_A", "KEY_B", "KEY_C"]\n'


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for letter in "ABC":
        monkeypatch.setenv(f"KEY_{letter}", f"sk-secret-of-{letter}")


def refusing(*letters: str, how: Turn) -> Callable[[Received], Turn]:
    """A server that does not take these keys."""
    refused = [f"Bearer sk-secret-of-{letter}" for letter in letters]
    return lambda request: how if request.headers["authorization"] in refused else text("hello")


def used(play: Any) -> str:
    return "".join(request.headers["authorization"][-1] for request in play.up.requests)


@pytest.mark.parametrize("wire", ["openai_chat", "anthropic"])
async def test_keys_take_turns(folder: Path, monkeypatch: pytest.MonkeyPatch, wire: str) -> None:
    async with gateway(folder, *[text("hello")] * 5, wire=wire, config=KEYS) as play:
        for _ in range(5):
            await play.anthropic.messages.create(**ASK)
        header = "authorization" if wire == "openai_chat" else "x-api-key"
        assert [request.headers[header][-1] for request in play.up.requests] == list("ABCAB")


async def test_a_variable_that_is_not_set_is_no_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KEY_A")
    async with gateway(folder, *[text("hello")] * 3, config=KEYS) as play:
        for _ in range(3):
            await play.anthropic.messages.create(**ASK)
        assert used(play) == "BCB"


async def test_outside_of_a_server_the_first_key_that_is_set_is_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KEY_A")
    async with gateway(folder, config=KEYS) as play:
        assert play.workspace.locate("up/m").settings.api_key == "sk-secret-of-B"
        assert play.workspace.providers["up"].api_key_env == "KEY_B"


@pytest.mark.parametrize("refusal", [http_error(401), http_error(403), http_error(402), http_error(429)], ids=str)
async def test_a_request_goes_on_with_the_next_key_and_the_bad_one_is_left_out(folder: Path, refusal: Turn) -> None:
    answering = refusing("A", how=refusal)
    async with gateway(folder, *[answering] * 5, config=KEYS) as play:
        for _ in range(4):
            assert (await play.anthropic.messages.create(**ASK)).content[0].text == "hello"
        assert used(play) == "ABCBC"


async def test_every_turn_of_a_run_with_tools_has_keys_that_work(folder: Path) -> None:
    def turn(request: Received) -> Turn:
        if request.headers["authorization"].endswith("A"):
            return http_error(401)
        return text("done") if len(request.body["messages"]) > 1 else call("mcp__play__echo", {"text": "x"})

    async with listening(mcp_server().streamable_http_app()) as url:
        config = KEYS + with_server(folder, f"{url}/mcp")
        async with gateway(folder, turn, turn, turn, config=config) as play:
            answer = await play.anthropic.messages.create(**ASK)
            assert answer.content[-1].text == "done"
            assert used(play) == "ABC"


async def test_after_the_first_byte_no_other_key_is_tried(folder: Path) -> None:
    limited = text("half") + error_object({"message": "slow down", "code": 429})
    async with gateway(folder, limited, config=KEYS) as play:
        events = await play.events()
        assert [block["text"] for block in blocks(events)] == ["half"]
        assert events[-1]["error"]["type"] == "rate_limit_error"
        assert used(play) == "A"


async def test_a_failure_that_no_key_is_to_blame_for_leaves_none_out(folder: Path) -> None:
    async with gateway(folder, http_error(400, "odd"), *[text("hello")] * 3, config=KEYS) as play:
        with pytest.raises(anthropic.BadRequestError):
            await play.anthropic.messages.create(**ASK)
        for _ in range(3):
            await play.anthropic.messages.create(**ASK)
        assert used(play) == "ABCA"


async def test_with_every_key_left_out_a_stand_in_answers_or_the_wait_is_told(folder: Path) -> None:
    limited = http_error(429, "slow down", {"retry-after": "30"})
    route = '[server.routes.both]\nmodel = "up/m"\nfallbacks = ["other/m"]\n'
    other = '[providers.other]\nbase_url = "{up}/v1"\nheaders = { authorization = "Bearer other-D" }\n'
    turns = [limited] * 3 + [text("hello")]
    async with gateway(folder, *turns, config=KEYS + route + other) as play:
        for _ in range(2):
            with pytest.raises(anthropic.RateLimitError) as caught:
                await play.anthropic.messages.create(**ASK)
            assert 25 <= int(caught.value.response.headers["retry-after"]) <= 30
        assert (await play.anthropic.messages.create(**{**ASK, "model": "both"})).content[0].text == "hello"
        assert used(play) == "ABCD"


async def test_no_key_is_told_but_the_variable_is(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    def telling(request: Received) -> Turn:
        return http_error(401, f"I do not know {request.headers['authorization']}")

    async with gateway(folder, *[telling] * 3, config=KEYS) as play:
        answers = [await play.http.post("/v1/messages", json=ASK) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [401, 401]
    told = "\n".join([caplog.text, *(answer.text for answer in answers)])
    assert "sk-secret" not in told
    assert "the key in KEY_B got auth" in caplog.text
    assert "KEY_A, KEY_B, KEY_C" in answers[1].text


async def test_a_single_key_is_always_tried(folder: Path) -> None:
    config = 'api_key_env = "KEY_A"\n[server.keys.KEY_A]\nrequests_per_minute = 100\n'
    async with gateway(folder, http_error(401), http_error(401), text("hello"), config=config) as play:
        for _ in range(2):
            with pytest.raises(anthropic.AuthenticationError):
                await play.anthropic.messages.create(**ASK)
        await play.anthropic.messages.create(**ASK)
        assert used(play) == "AAA"


async def test_a_key_at_its_limit_gives_way_to_the_next(folder: Path) -> None:
    config = KEYS + "[server.keys.KEY_A]\nrequests_per_minute = 1\n[server.keys.KEY_B]\ntokens_per_minute = 1\n"
    async with gateway(folder, *[text("hello")] * 5, config=config) as play:
        for _ in range(5):
            await play.anthropic.messages.create(**ASK)
        assert used(play) == "ABCCC"


async def test_the_same_wire_is_passed_through_with_keys_in_turn(folder: Path) -> None:
    """What no adapter has a name for must reach the upstream and come back."""
    answering = refusing("A", how=http_error(401))
    async with gateway(folder, answering, answering, config=KEYS) as play:
        answer = await play.http.post(
            "/v1/chat/completions", json={"model": "m", "messages": HI, "tools": None, "unheard_of": {"x": 1}}
        )
        assert answer.status_code == 200, answer.text
        assert play.sent()["unheard_of"] == {"x": 1}
        assert used(play) == "AB"


def test_a_refused_key_is_left_out_for_a_time_that_grows_and_one_that_worked_is_forgiven() -> None:
    now = 0.0
    ring = KeyRing("up", ["A", "B"], clock=lambda: now)
    refused, pauses = ErrorInfo("auth", "no"), list[float]()
    for _ in range(3):
        key = next(key for key in ring.usable() if key.variable == "A")
        assert ring.failed(key, refused)
        assert [key.variable for key in ring.usable()] == ["B"]
        pauses.append(key.out_until - now)
        now = key.out_until
    assert pauses == [FIRST_PAUSE, FIRST_PAUSE * 2, FIRST_PAUSE * 4]


async def test_an_answer_that_breaks_off_is_told_as_broken(folder: Path) -> None:
    async with gateway(folder, text("half") + cut(), config=KEYS) as play:
        events = await play.events(tools=[ADD])
        assert events[-1]["type"] == "error"
