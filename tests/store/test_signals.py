"""Signals: a word to whoever listens now, in one process or, with PostgreSQL, in any."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from postgres_help import SECONDS, deltas, end_connections

from toolpost.store.change_feed import LISTENING, MAX_BODY_BYTES, MAX_ID_BYTES, MAX_SIGNALS_BEHIND
from toolpost.store.contract import EventNotice, SessionChanges, SessionInfo, Signal, Store
from toolpost.store.memory import MemoryStore
from toolpost.store.postgres import PostgresStore
from toolpost.store.postgres.notices import notice_text, read_notice, signal_text
from toolpost.types.errors import StoreError

LONGEST = Signal("s" * MAX_ID_BYTES, bytes(range(256)) * 23 + b"x" * (MAX_BODY_BYTES - 256 * 23))


async def test_a_signal_reaches_all_who_listen_once_and_in_order(store: Store) -> None:
    sent = [Signal("s", b"stop"), Signal("t", b""), Signal("s", b"\x00\xff"), LONGEST]
    async with aclosing(store.signals()) as one, aclosing(store.signals()) as two, asyncio.timeout(SECONDS):
        assert [await anext(one), await anext(two)] == [LISTENING] * 2
        for signal in sent:
            await store.signal(signal)
        for listener in (one, two):
            assert [await anext(listener) for _ in sent] == sent


async def test_a_signal_that_nobody_listens_to_is_gone(store: Store) -> None:
    await store.signal(Signal("s", b"unheard"))
    async with aclosing(store.signals()) as listener, asyncio.timeout(SECONDS):
        assert await anext(listener) == LISTENING
        await store.signal(Signal("s", b"heard"))
        assert await anext(listener) == Signal("s", b"heard")


async def test_a_listener_that_has_left_is_told_nothing_more_and_the_others_are(store: Store) -> None:
    async with aclosing(store.signals()) as staying, asyncio.timeout(SECONDS):
        async with aclosing(store.signals()) as leaving:
            assert [await anext(staying), await anext(leaving)] == [LISTENING] * 2
        await store.signal(Signal("s", b"still"))
        assert await anext(staying) == Signal("s", b"still")


@pytest.mark.parametrize(
    ("signal", "text"),
    [
        (Signal("s", b"x" * (MAX_BODY_BYTES + 1)), r"may have 6000 bytes, this one has 6001: store long data"),
        (Signal("é" * (MAX_ID_BYTES // 2 + 1)), r"an id of more than 400 bytes"),
        (Signal("", b"x"), "needs the id of the session"),
    ],
)
async def test_a_signal_that_not_every_store_could_pass_on_is_refused(store: Store, signal: Signal, text: str) -> None:
    with pytest.raises(StoreError, match=text):
        await store.signal(signal)


async def test_signals_and_new_events_do_not_get_in_each_other_s_way(store: Store) -> None:
    await store.create(SessionInfo("s"))
    async with aclosing(store.signals()) as signals, aclosing(store.follow()) as notices, asyncio.timeout(SECONDS):
        assert (await anext(signals), await anext(notices)) == (LISTENING, EventNotice(None))
        await store.signal(Signal("s", b"1"))
        await store.commit(SessionChanges("s", events=deltas("s", 1)))
        await store.signal(Signal("s", b"2"))
        await store.commit(SessionChanges("s", events=deltas("s", 2)))
        assert [await anext(signals), await anext(signals)] == [Signal("s", b"1"), Signal("s", b"2")]
        heard = await anext(notices)
        while heard != EventNotice("s", 2):
            assert heard == EventNotice("s", 1)
            heard = await anext(notices)


async def test_a_listener_that_is_too_far_behind_misses_what_is_too_much(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    async with aclosing(store.signals()) as listener, asyncio.timeout(SECONDS):
        assert await anext(listener) == LISTENING
        with caplog.at_level(logging.WARNING):
            for number in range(MAX_SIGNALS_BEHIND + 1):
                await store.signal(Signal("s", b"%d" % number))
            heard = [int((await anext(listener)).body) for _ in range(MAX_SIGNALS_BEHIND)]
        await store.signal(Signal("s", b"again"))
        assert await anext(listener) == Signal("s", b"again")
    assert heard == list(range(MAX_SIGNALS_BEHIND))
    assert "a signal for session s was dropped" in caplog.text


async def test_a_signal_crosses_from_one_postgres_store_to_another(url: str, postgres: PostgresStore) -> None:
    other = PostgresStore(url)
    async with aclosing(postgres.signals()) as listener, asyncio.timeout(SECONDS):
        assert await anext(listener) == LISTENING
        await other.signal(LONGEST)
        assert await anext(listener) == LONGEST
    await other.close()


async def test_signals_of_another_schema_are_not_heard(new_url: Callable[[], str]) -> None:
    one, two = PostgresStore(new_url()), PostgresStore(new_url())
    async with aclosing(one.signals()) as listener, asyncio.timeout(SECONDS):
        assert await anext(listener) == LISTENING
        await two.signal(Signal("s", b"theirs"))
        await one.signal(Signal("s", b"ours"))
        assert await anext(listener) == Signal("s", b"ours")
    await one.close()
    await two.close()


async def test_a_listener_that_lost_its_connection_says_when_it_hears_again(url: str, postgres: PostgresStore) -> None:
    async with aclosing(postgres.signals()) as listener, asyncio.timeout(SECONDS):
        assert await anext(listener) == LISTENING
        assert end_connections(url) >= 1
        assert await anext(listener) == LISTENING
        await postgres.signal(Signal("s", b"after"))
        assert await anext(listener) == Signal("s", b"after")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=50), st.binary(max_size=200))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_into_a_notice_is_read_back(session_id: str, body: bytes) -> None:
    assert read_notice(signal_text(Signal(session_id, body))) == Signal(session_id, body)
    assert read_notice(notice_text(session_id, 7)) == EventNotice(session_id, 7)


def test_the_longest_signal_fits_into_a_notice() -> None:
    assert len(signal_text(LONGEST).encode()) < 8000


@pytest.mark.parametrize("text", ["signal", "signal ", "signal abc", "signal ~~~~~\x7f s", "signal ~~~~~ s"])
def test_a_signal_that_cannot_be_read_is_passed_over(text: str) -> None:
    assert read_notice(text) is None


@pytest.mark.parametrize("text", ["", "12", "words s", "² s"])
def test_a_notice_that_is_not_known_may_be_about_anything(text: str) -> None:
    assert read_notice(text) == EventNotice(None)
