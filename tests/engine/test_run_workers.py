"""Several workers, one store: what one of them leaves, another goes on with."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from postgres_server import PostgresServer
from workers import Left, Workers, submitted

from toolpost.store.contract import Store


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def store_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "t.db")
    return request.getfixturevalue("server").url(f"schema_{abs(hash(tmp_path))}")


async def test_what_a_killed_worker_drove_another_one_goes_on_with(workers: Workers, store: Store) -> None:
    ticket = await submitted(store, "work hold work")
    first = await workers.start("first")
    await first.hears("holding")
    second = await workers.start("second")
    first.kill()
    await second.event("run_resumed")
    await second.event("settled")
    left = await Left.of(store, ticket.session_id)
    left.check(workers.effects)
    assert left.states == ["completed", "completed", "interrupted", "completed", "completed"]


async def test_a_frozen_worker_is_replaced_and_does_nothing_more_when_it_thaws(workers: Workers, store: Store) -> None:
    ticket = await submitted(store, "work hold work")
    first = await workers.start("first")
    await first.hears("holding")
    first.kill(signal.SIGSTOP)
    second = await workers.start("second")
    await second.event("run_resumed")
    first.tell("go")
    first.kill(signal.SIGCONT)
    await first.hears("drove", lambda said: said["outcome"] == "elsewhere")
    assert await first.event("cut_off")
    await second.event("settled")
    (await Left.of(store, ticket.session_id)).check(workers.effects)
    # It is as good as any other from now on.
    second.kill()
    another = await submitted(store, "work")
    await first.event("settled", another.session_id)
    logged = [said for said in first.said if said["what"] == "log"]
    assert [said for said in logged if said["level"] == "ERROR"] == []
    assert len(logged) < 5


@pytest.mark.parametrize("store_place", ["sqlite"], indirect=True)
async def test_workers_that_are_frozen_together_take_nothing_from_each_other(workers: Workers, store: Store) -> None:
    """The machine that they all run on was, say."""
    ticket = await submitted(store, "hold work")
    first = await workers.start("first")
    await first.hears("holding")
    # What it counts is the time between its looks, so it looks when that matters, and not while this test is slow.
    second = await workers.start("second", frozen_seconds=2.0, first_sweep_after=3600.0)
    first.kill(signal.SIGSTOP)
    await second.sweep()
    second.kill(signal.SIGSTOP)
    # Nothing happens that could be waited for: it is time that has to pass.
    await asyncio.sleep(2.5)
    second.kill(signal.SIGCONT)
    await second.sweep()
    assert [said for said in second.said if said["what"] == "submitted"] == []
    first.kill(signal.SIGCONT)
    first.tell("go")
    await first.event("settled", ticket.session_id)
    left = await Left.of(store, ticket.session_id)
    left.check(workers.effects)
    assert left.kinds["run_resumed"] == 0


@pytest.mark.parametrize("busy", ["hold", "talk"])
async def test_a_worker_that_stops_hands_over_at_once(workers: Workers, store: Store, busy: str) -> None:
    ticket = await submitted(store, f"work {busy} work")
    first = await workers.start("first")
    await first.hears("holding" if busy == "hold" else "talking")
    second = await workers.start("second")
    second.tell("go")
    first.tell("release")
    await first.hears("released")
    await second.event("settled")
    left = await Left.of(store, ticket.session_id)
    left.check(workers.effects)
    assert left.kinds["run_parked"] == left.kinds["run_resumed"] == 1
    assert left.states.count("interrupted") == (busy == "hold")
