"""Rate limits and the result cache."""

import asyncio
import re
import time

import pytest

from toolpost import Agent, tool
from toolpost.testing import ScriptedModel, call, calls
from toolpost.tools.define import RateLimit
from toolpost.tools.throttle import RateLimiter, ResultCache


async def test_no_window_has_more_calls_than_the_limit() -> None:
    limiter = RateLimiter(RateLimit(3, 0.1))
    begun: list[float] = []

    async def one() -> None:
        await limiter.wait()
        begun.append(time.monotonic())

    await asyncio.gather(*(one() for _ in range(8)))
    # The limiter looks at the clock a moment before the call does.
    assert all(later - earlier >= 0.095 for earlier, later in zip(begun, begun[3:], strict=False))


async def test_waiting_calls_go_in_their_order() -> None:
    limiter = RateLimiter(RateLimit(1, 0.02))
    order: list[int] = []

    async def one(n: int) -> None:
        await limiter.wait()
        order.append(n)

    await asyncio.gather(*(one(n) for n in range(5)))
    assert order == list(range(5))


async def test_a_cancelled_wait_gives_up_its_place() -> None:
    limiter = RateLimiter(RateLimit(1, 1.0))
    await limiter.wait()
    begun = time.monotonic()
    given_up, patient = asyncio.create_task(limiter.wait()), asyncio.create_task(limiter.wait())
    await asyncio.sleep(0)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    await patient
    assert time.monotonic() - begun < 1.9


async def test_a_call_that_waits_for_its_rate_says_so() -> None:
    @tool(rate_limit=RateLimit(calls=1, seconds=60))
    async def ring(bell: str) -> str:
        """Ring a bell."""
        return "rung"

    with ScriptedModel(calls(call("ring", {"bell": "a"}), call("ring", {"bell": "b"}))) as model:
        session = Agent(model, tools=[ring]).session()
        async for event in session.stream("ring both"):
            if event.type == "tool_execution_update":
                assert re.fullmatch(r"ring waits (59|60) s: its limit is 1 call in 60 s\.\n", event.text)
                session.abort()
    assert event.type == "settled"


def test_a_limiter_works_in_one_event_loop_after_another() -> None:
    limiter = RateLimiter(RateLimit(1, 0.01))

    async def twice() -> int:
        return len(await asyncio.gather(limiter.wait(), limiter.wait()))

    assert [asyncio.run(twice()), asyncio.run(twice())] == [2, 2]


def test_a_result_is_known_until_its_seconds_are_over() -> None:
    cache, spent = ResultCache(60), ResultCache(0)
    cache.put("k", "v")
    spent.put("k", "v")
    assert (cache.get("k"), cache.get("other"), spent.get("k")) == ("v", None, None)
    assert len(spent) == 0


def test_the_least_recently_used_result_goes_first() -> None:
    cache = ResultCache(60, size=2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
