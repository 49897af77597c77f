"""What happens to runs when their worker stops, dies, or is killed by one of them."""

import asyncio
import signal
import time

import pytest
from temporal_runs import Runs, until
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import CancelledError

from toolpost.temporal.workflow import ATTEMPTS, HEARTBEAT

# What another worker needs beyond the time in which the death is noticed; seconds.
MARGIN = 2.0


async def test_a_worker_that_is_stopped_hands_its_runs_over_within_a_second(runs: Runs) -> None:
    first = await runs.process()
    tickets = [await runs.submit("works 60") for _ in range(5)]
    for ticket in tickets:
        await runs.is_at(ticket, "begins")
    second = await runs.process()
    told = time.time()
    first.send_signal(signal.SIGTERM)
    taken: list[float] = []
    for ticket in tickets:
        await runs.is_at(ticket, "begins", 2)
        (released,) = runs.ledger.entries(ticket.run_id, "released")
        begun = runs.ledger.entries(ticket.run_id, "begins")
        assert [entry.pid for entry in begun] == [first.pid, second.pid]
        assert released.pid == first.pid
        taken.append(begun[1].at - told)
    # A busy machine may be late with some; what is noticed by its silence only is later than all.
    assert min(taken) < 1.0
    assert max(taken) < HEARTBEAT.total_seconds()
    assert await asyncio.wait_for(first.wait(), 5.0) == 0


async def test_the_run_of_a_worker_that_is_killed_goes_on_elsewhere(runs: Runs) -> None:
    first = await runs.process()
    ticket = await runs.submit("works 60")
    await runs.is_at(ticket, "begins")
    # Heartbeats are sent meanwhile.
    second = await runs.process()
    killed = time.time()
    first.kill()
    await runs.is_at(ticket, "begins", 2)
    begun = runs.ledger.entries(ticket.run_id, "begins")
    assert [entry.pid for entry in begun] == [first.pid, second.pid]
    assert begun[1].at - killed < HEARTBEAT.total_seconds() + MARGIN


async def test_a_run_that_kills_its_workers_is_given_up_and_the_others_go_on(runs: Runs) -> None:
    await runs.process(slots=1)
    deadly = await runs.submit("dies")
    harmless = [await runs.submit("works 0.1") for _ in range(3)]
    over = asyncio.create_task(runs.ended(deadly, 60))
    while not over.done():
        # What a supervisor does.
        if not runs.alive:
            await runs.process(slots=1)
        await asyncio.wait({over}, timeout=0.1)
    assert "five times and ended the process each time" in await over
    assert runs.ledger.begun(deadly.run_id) == ATTEMPTS == 5
    for ticket in harmless:
        assert await runs.ended(ticket) == "done"


async def test_a_cancelled_run_of_a_worker_that_is_dead_ends_too(runs: Runs) -> None:
    first = await runs.process()
    ticket = await runs.submit("works 60")
    await runs.is_at(ticket, "begins")
    first.kill()
    await runs.process()
    await runs.engine.cancel(ticket)
    assert await runs.ended(ticket, HEARTBEAT.total_seconds() + MARGIN) == "aborted"
    assert runs.ledger.begun(ticket.run_id) == 1
    handle = await runs.handle(ticket)
    with pytest.raises(WorkflowFailureError) as raised:
        await handle.result()
    assert isinstance(raised.value.cause, CancelledError)


async def test_a_frozen_worker_does_not_hold_up_the_others(runs: Runs) -> None:
    frozen = await runs.process()
    held = await runs.submit("works 6")
    await runs.is_at(held, "begins")
    await runs.process()
    frozen.send_signal(signal.SIGSTOP)
    # Some of them go to the frozen one, which has asked for work.
    tickets = [await runs.submit("works 0.1") for _ in range(6)]
    for ticket in tickets:
        assert await runs.ended(ticket, 4 * HEARTBEAT.total_seconds()) == "done"
    frozen.send_signal(signal.SIGCONT)
    assert await runs.ended(held) == "done"
    assert runs.ledger.begun(held.run_id) == 1


async def test_of_many_queued_runs_none_is_lost_none_driven_twice_and_no_slot_too_many_is_taken(runs: Runs) -> None:
    tickets = [ticket for _ in range(15) for ticket in await runs.submit_all("works 0.05", 20)]
    workers = [await runs.process(slots=5) for _ in range(2)]
    await until(lambda: len(runs.ledger.entries(what="ended")) == len(tickets), 60)
    driven = {worker.pid: 0 for worker in workers}
    for entry in runs.ledger.entries():
        if entry.what in ("begins", "ended"):
            driven[entry.pid] += 1 if entry.what == "begins" else -1
            assert driven[entry.pid] <= 5
    assert sorted(entry.run for entry in runs.ledger.entries(what="begins")) == sorted(t.run_id for t in tickets)


async def test_a_queue_begins_no_more_runs_a_second_than_allowed(runs: Runs) -> None:
    async with runs.worker(per_second=5):
        tickets = [await runs.submit("works 0") for _ in range(20)]
        for ticket in tickets:
            await runs.ended(ticket)
    begun = sorted(entry.at for entry in runs.ledger.entries(what="begins"))
    # The bucket begins full.
    assert begun[-1] - begun[0] > 2.0


async def test_one_owner_does_not_starve_the_others(runs: Runs) -> None:
    for _ in range(10):
        await runs.submit_all("works 0.02", 20, "heavy")
    light = await runs.submit("works 0.02", "light")
    async with runs.worker(slots=2):
        await runs.ended(light)
        before = len(runs.ledger.entries(what="begins"))
    assert before < 50
