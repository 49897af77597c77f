"""Many who follow one store are told from one source, for as long as there is anybody to tell."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing

import pytest
import uvloop
from postgres_help import SECONDS, asked, condition, deltas, no_connections

from toolpost.store.change_feed import LISTENING, MAX_SESSIONS_BEHIND, ChangeFeed, EventListener, FeedItem
from toolpost.store.contract import EventNotice, SessionChanges, SessionInfo, Signal
from toolpost.store.postgres import PostgresStore
from toolpost.types.errors import StoreError

LISTENERS = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"


class Source:
    """Tells what a test says, and counts how often it was opened and closed."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[FeedItem | Exception] = asyncio.Queue()
        self.opened = 0
        self.open = 0

    async def __call__(self) -> AsyncGenerator[FeedItem]:
        self.opened += 1
        self.open += 1
        try:
            while True:
                said = await self.said.get()
                if isinstance(said, Exception):
                    raise said
                yield said
        finally:
            self.open -= 1


async def test_any_number_of_followers_and_listeners_hold_one_connection(url: str, postgres: PostgresStore) -> None:
    await postgres.create(SessionInfo("s"))
    async with AsyncExitStack() as stack, asyncio.timeout(SECONDS):
        followers = [await stack.enter_async_context(aclosing(postgres.follow())) for _ in range(20)]
        listeners = [await stack.enter_async_context(aclosing(postgres.signals())) for _ in range(20)]
        assert [await anext(follower) for follower in followers] == [EventNotice(None)] * 20
        assert [await anext(listener) for listener in listeners] == [LISTENING] * 20
        with asked(url) as connection:
            assert connection.execute(LISTENERS).fetchone() == (1,)
        await postgres.commit(SessionChanges("s", events=deltas("s", 1)))
        await postgres.signal(Signal("s", b"stop"))
        assert [await anext(follower) for follower in followers] == [EventNotice("s", 1)] * 20
        assert [await anext(listener) for listener in listeners] == [Signal("s", b"stop")] * 20
    await condition(url, LISTENERS, lambda row: row == (0,))


async def test_followers_in_two_event_loops_are_both_told(url: str) -> None:
    store = PostgresStore(url)

    async def first_notice() -> EventNotice:
        async with aclosing(store.follow()) as noticed:
            return await anext(noticed)

    def elsewhere() -> EventNotice:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(first_notice())

    async with aclosing(store.follow()) as noticed, asyncio.timeout(SECONDS):
        assert await anext(noticed) == EventNotice(None)
        assert await asyncio.to_thread(elsewhere) == EventNotice(None)
        await store.create(SessionInfo("s"))
        await store.commit(SessionChanges("s", events=deltas("s", 1)))
        assert await anext(noticed) == EventNotice("s", 1)
    await store.close()
    await no_connections(url)


async def test_who_comes_later_hears_at_once_that_it_is_told_from_now_on() -> None:
    source = Source()
    following = ChangeFeed(source)
    async with aclosing(following.follow()) as one, aclosing(following.signals()) as two, asyncio.timeout(SECONDS):
        source.said.put_nowait(None)
        assert (await anext(one), await anext(two)) == (EventNotice(None), LISTENING)
        async with aclosing(following.follow()) as late:
            assert await anext(late) == EventNotice(None)
        source.said.put_nowait(EventNotice("s", 7))
        assert await anext(one) == EventNotice("s", 7)
    assert (source.opened, source.open) == (1, 0)


async def test_a_source_is_opened_again_for_who_comes_after_all_have_left() -> None:
    source = Source()
    following = ChangeFeed(source)
    for _ in range(3):
        source.said.put_nowait(None)
        async with aclosing(following.follow()) as noticed, asyncio.timeout(SECONDS):
            assert await anext(noticed) == EventNotice(None)
    assert (source.opened, source.open) == (3, 0)


async def test_a_source_that_fails_is_told_to_all_and_the_next_one_tries_again() -> None:
    source = Source()
    following = ChangeFeed(source)
    async with aclosing(following.follow()) as one, aclosing(following.signals()) as two, asyncio.timeout(SECONDS):
        asking = [asyncio.ensure_future(anext(one)), asyncio.ensure_future(anext(two))]
        source.said.put_nowait(StoreError("it is away"))
        for each in asking:
            with pytest.raises(StoreError, match="it is away"):
                await each
        async with aclosing(following.follow()) as again:
            source.said.put_nowait(None)
            assert await anext(again) == EventNotice(None)
    assert (source.opened, source.open) == (2, 0)


async def test_who_is_far_behind_is_told_to_look_at_everything() -> None:
    follower = EventListener()
    for number in range(MAX_SESSIONS_BEHIND):
        follower.tell(EventNotice(f"s{number}", 1))
    assert len(await follower.taken()) == MAX_SESSIONS_BEHIND
    for number in range(MAX_SESSIONS_BEHIND + 2):
        follower.tell(EventNotice(f"s{number}", 1))
    assert await follower.taken() == [EventNotice(None), EventNotice(f"s{MAX_SESSIONS_BEHIND + 1}", 1)]
