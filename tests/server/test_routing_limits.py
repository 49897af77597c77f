"""Limits of users over a real socket, and the two ledgers that count them."""

import asyncio
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from gateway_play import ADD, HI, Play, gateway, with_server

from toolpost.config.schema import UseSettings
from toolpost.models.contract import ModelRequest
from toolpost.server.gateway.budgets import Budgets, MeteredAnswer
from toolpost.server.gateway.cache import replay
from toolpost.server.gateway.gateway import SharedState
from toolpost.server.gateway.targets import Targets
from toolpost.server.usage_limits import LocalLedger
from toolpost.server.users import User
from toolpost.testing import Gate, call, http_error, pause, text, turn
from toolpost.types.errors import ModelError
from toolpost.types.messages import Message, TextPart, Usage
from toolpost.types.stream import Finish

ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": HI}
CHAT: dict[str, Any] = {"model": "m", "messages": HI}
ANN, BOB = "the-token-that-ann-has", "the-token-that-bob-has"


@pytest.fixture(autouse=True)
def tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANN_TOKEN", ANN)
    monkeypatch.setenv("BOB_TOKEN", BOB)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")


def limits(of_ann: str, usual: str = "") -> str:
    return (
        f'[server.limits]\n{usual}\n[server.users.ann]\ntoken_env = "ANN_TOKEN"\nlimits = {{ {of_ann} }}\n'
        '[server.users.bob]\ntoken_env = "BOB_TOKEN"\n'
    )


async def nothing_runs(play: Play) -> None:
    async with asyncio.timeout(10):
        while 'toolpost_requests_running{path="/v1/messages"} 0' not in (await play.http.get("/metrics")).text:
            pass


async def test_requests_a_minute_are_refused_in_the_wires_own_words(folder: Path) -> None:
    async with gateway(folder, *[text("hello")] * 4, config=limits("requests_per_minute = 2")) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        answer = await ann.messages.with_raw_response.create(**ASK)
        assert answer.headers["anthropic-ratelimit-requests-limit"] == "2"
        assert answer.headers["anthropic-ratelimit-requests-remaining"] == "1"
        assert answer.headers["anthropic-ratelimit-requests-reset"].endswith("Z")
        chat = play.openai.with_options(api_key=ANN).chat.completions
        told = await chat.with_raw_response.create(**CHAT)
        assert told.headers["x-ratelimit-remaining-requests"] == "0"
        assert told.headers["x-ratelimit-reset-requests"].endswith("s")
        with pytest.raises(anthropic.RateLimitError, match="requests a minute") as caught:
            await ann.messages.create(**ASK)
        assert 1 <= int(caught.value.response.headers["retry-after"]) <= 30
        with pytest.raises(openai.RateLimitError) as other:
            await chat.create(**CHAT, stream=True)
        assert other.value.response.headers["x-ratelimit-remaining-requests"] == "0"
        # Nobody else is touched.
        await play.anthropic.with_options(api_key=BOB).messages.create(**ASK)
        await play.anthropic.messages.create(**ASK)


async def test_the_usual_limits_are_of_everybody_who_has_no_other(folder: Path) -> None:
    config = limits("requests_per_minute = 2", "requests_per_minute = 1")
    async with gateway(folder, *[text("hello")] * 4, config=config) as play:
        for token, allowed in ((ANN, 2), (BOB, 1), ("", 1)):
            client = play.anthropic.with_options(api_key=token) if token else play.anthropic
            for _ in range(allowed):
                await client.messages.create(**ASK)
            with pytest.raises(anthropic.RateLimitError):
                await client.messages.create(**ASK)


async def test_tokens_count_when_an_answer_is_over(folder: Path) -> None:
    spent = turn(text("hello"), usage=Usage(40, 60))
    async with gateway(folder, spent, spent, config=limits("tokens_per_minute = 150")) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        async with ann.messages.stream(**ASK) as stream:
            await stream.get_final_message()
        answer = await ann.messages.with_raw_response.create(**ASK)
        assert 40 <= int(answer.headers["anthropic-ratelimit-tokens-remaining"]) <= 55
        with pytest.raises(anthropic.RateLimitError, match="tokens a minute"):
            await ann.messages.create(**ASK)


async def test_a_run_with_tools_is_one_request_with_the_tokens_of_all_its_turns(folder: Path, mcp_url: str) -> None:
    config = limits("requests_per_minute = 2, tokens_per_minute = 1000") + with_server(folder, mcp_url)
    turns = [
        turn(call("mcp__play__echo", {"text": "x"}), usage=Usage(100, 50)),
        turn(text("done"), usage=Usage(200, 50)),
        text("hello"),
    ]
    async with gateway(folder, *turns, config=config) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        await ann.messages.create(**ASK)
        answer = await ann.messages.with_raw_response.create(**ASK)
        assert answer.headers["anthropic-ratelimit-requests-remaining"] == "0"
        assert 590 <= int(answer.headers["anthropic-ratelimit-tokens-remaining"]) <= 700


async def test_a_request_that_failed_takes_no_tokens(folder: Path) -> None:
    long = {**ASK, "messages": [{"role": "user", "content": "x" * 4000}]}
    config = limits("tokens_per_minute = 1000")
    async with gateway(folder, http_error(400), text("hello"), config=config) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        with pytest.raises(anthropic.BadRequestError):
            await ann.messages.create(**long)
        await ann.messages.create(**ASK)


@pytest.mark.parametrize("wire", ["openai_chat", "anthropic"])
async def test_an_answer_whose_client_left_counts_what_is_known_of_it(folder: Path, wire: str) -> None:
    """Also where its bytes go on as they come."""
    gate = Gate()
    config = limits("tokens_per_minute = 1000")
    async with gateway(folder, text("x" * 8000, chunk=400) + pause(gate), wire=wire, config=config) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        async with ann.messages.stream(**ASK, tools=[ADD]) as stream:
            await gate.reached.wait()
            async for event in stream:
                if event.type == "text":
                    break
        await play.up.closed(1)
        await nothing_runs(play)
        with pytest.raises(anthropic.RateLimitError, match="tokens a minute"):
            await ann.messages.create(**ASK)


async def test_places_are_free_again_when_an_answer_is_over_or_left(folder: Path) -> None:
    gates = Gate(), Gate()
    turns = [text("a") + pause(gates[0]), text("b") + pause(gates[1]), text("c")]
    async with gateway(folder, *turns, config=limits("concurrent = 1")) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        running = asyncio.create_task(ann.messages.create(**ASK))
        await gates[0].reached.wait()
        with pytest.raises(anthropic.RateLimitError, match="at the same time"):
            await ann.messages.create(**ASK)
        gates[0].open()
        await running
        leaving = asyncio.create_task(ann.messages.create(**ASK))
        await gates[1].reached.wait()
        leaving.cancel()
        await asyncio.wait({leaving})
        await play.up.closed(1)
        await nothing_runs(play)
        assert (await ann.messages.create(**ASK)).content[0].text == "c"


# Written like this, 127.0.0.1 is not known to be this machine: what is there has its price.
PRICED = """
[providers.openai]
base_url = "http://2130706433:{port}/v1"
[server.routes.priced]
model = "openai/gpt-4o-mini"
"""


@pytest.mark.parametrize(("limit", "shown"), [("cost_per_day = 1.0", "day's"), ("cost_per_month = 1.0", "month's")])
async def test_cost_is_counted_and_what_is_over_the_limit_refused(folder: Path, limit: str, shown: str) -> None:
    dear = turn(text("hello"), usage=Usage(4_000_000, 1_000_000))
    async with gateway(folder, dear, config=limits(limit) + PRICED) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        await ann.messages.create(**{**ASK, "model": "priced"})
        with pytest.raises(anthropic.RateLimitError, match=shown) as caught:
            await ann.messages.create(**{**ASK, "model": "priced"})
        assert int(caught.value.response.headers["retry-after"]) >= 1


UNPRICED = '[providers.mine]\nbase_url = "http://2130706433:{port}/v1"\n'


async def test_with_a_limit_of_cost_a_model_without_a_price_is_refused(folder: Path) -> None:
    config = limits("cost_per_day = 1.0") + UNPRICED + PRICED
    config += '[server.routes.both]\nmodel = "mine/m"\nfallbacks = ["openai/gpt-4o-mini"]\n'
    async with gateway(folder, *[text("hello")] * 3, config=config) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        with pytest.raises(anthropic.PermissionDeniedError, match="price of mine/m is not known"):
            await ann.messages.create(**{**ASK, "model": "mine/m"})
        await ann.messages.create(**{**ASK, "model": "both"})
        assert play.sent()["model"] == "gpt-4o-mini"
        # Who has no such limit may, and a model on this machine costs nothing.
        await play.anthropic.messages.create(**{**ASK, "model": "mine/m"})
        await ann.messages.create(**ASK)


async def test_models_without_a_price_can_be_allowed(folder: Path) -> None:
    config = limits("cost_per_day = 1.0, unpriced = true") + UNPRICED
    async with gateway(folder, text("hello"), config=config) as play:
        await play.anthropic.with_options(api_key=ANN).messages.create(**{**ASK, "model": "mine/m"})


async def test_an_answer_that_was_closed_before_it_began_gives_its_place_back() -> None:
    budgets = Budgets(LocalLedger(), UseSettings(concurrent=1))
    for _ in range(2):
        meter = await budgets.user(User("ann"), lambda: 0)
        assert meter is not None
        assert not meter.verdict.refused
        await MeteredAnswer(replay([]), meter).aclose()


async def test_a_new_day_and_a_new_month_begin_with_nothing_spent() -> None:
    now = 1_793_491_199.0  # The last second of October 2026.
    ledger, daily = LocalLedger(lambda: now), UseSettings(cost_per_day=1.0)
    monthly = UseSettings(cost_per_month=1.0)
    for who, limits in (("a", daily), ("b", monthly)):
        assert not (await ledger.take(who, limits, "one", 0)).refused
        ledger.settle(who, limits, "one", 0, 1.0)
        verdict = await ledger.take(who, limits, "two", 0)
        assert (verdict.refused, verdict.retry_after) == (next(iter(limits.given())), 1.0)
    now += 1.0
    for who, limits in (("a", daily), ("b", monthly)):
        assert not (await ledger.take(who, limits, "three", 0)).refused


async def test_turns_of_a_session_count_for_its_user(folder: Path) -> None:
    spent = turn(text("hello"), usage=Usage(40, 60))
    config = limits("requests_per_minute = 10, tokens_per_minute = 90")
    async with gateway(folder, spent, spent, config=config) as play:
        budgets = SharedState(play.workspace.config.server).budgets
        targets = Targets(play.workspace, play.workspace.model("up/m"), budgets)
        own = play.workspace.config.server.users
        users = [User(name, limits=own[name].limits if name in own else UseSettings()) for name in ("ann", "bob")]
        anns, bobs = targets.model("up/other", users[0]), targets.model("", users[1])
        asked = ModelRequest([Message("u", "user", (TextPart("hi"),))])
        for model in (anns, bobs):
            assert isinstance([event async for event in model.stream(asked)][-1], Finish)
        with pytest.raises(ModelError, match="tokens a minute") as caught:
            await anext(anns.stream(asked))
        assert (caught.value.code, caught.value.info.retryable) == ("own_limit", True)


async def test_a_price_of_ones_own_counts_against_a_limit_of_cost(folder: Path) -> None:
    """A model on this machine costs nothing, unless a person says what it costs."""
    spent = turn(text("hello"), usage=Usage(100_000, 100_000))
    config = "models.m.price = { input = 1, output = 9 }\n" + limits("cost_per_day = 0.5")
    async with gateway(folder, spent, config=config) as play:
        ann = play.anthropic.with_options(api_key=ANN)
        await ann.messages.create(**ASK)
        with pytest.raises(anthropic.RateLimitError, match="cost"):
            await ann.messages.create(**ASK)


async def test_the_id_of_an_endpoint_of_ark_is_a_model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARK_API_KEY", "a-key-of-ark")
    config = '[providers.ark]\nbase_url = "{up}/v1"\n'
    async with gateway(folder, text("one"), text("two"), config=config) as play:
        for name in ("ep-20260101-abcde", "volcengine/ep-20260101-abcde"):
            await play.anthropic.messages.create(**{**ASK, "model": name})
        assert [sent.body["model"] for sent in play.up.requests] == ["ep-20260101-abcde"] * 2
