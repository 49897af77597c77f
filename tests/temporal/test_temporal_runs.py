"""The life of a run that Temporal holds: queued, driven, waiting, answered, cancelled, given up."""

import asyncio
import json
import time

import pytest
from temporal_runs import Runs, until
from temporalio.api.history.v1 import History
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowFailureError

from toolpost.engine.drive import RunTicket
from toolpost.temporal import activities
from toolpost.types.ids import new_id

# What a cancellation may take; seconds.
SOON = 1.0


async def result(runs: Runs, ticket: RunTicket) -> str:
    return await (await runs.handle(ticket)).result()


async def status(runs: Runs, ticket: RunTicket) -> WorkflowExecutionStatus | None:
    return (await (await runs.handle(ticket)).describe()).status


async def is_over(runs: Runs, ticket: RunTicket) -> bool:
    return await status(runs, ticket) != WorkflowExecutionStatus.RUNNING


async def is_begun(runs: Runs, ticket: RunTicket) -> bool:
    """Whether a worker has it."""
    description = await (await runs.handle(ticket)).describe()
    return any(one.HasField("last_started_time") for one in description.raw_description.pending_activities)


async def attempts(runs: Runs, ticket: RunTicket) -> list[int]:
    """How often what is to be done now was begun."""
    description = await (await runs.handle(ticket)).describe()
    return [one.attempt for one in description.raw_description.pending_activities]


async def histories(runs: Runs, ticket: RunTicket) -> list[History]:
    """The first one, and those that went on from it."""
    client = await Client.connect(runs.server.target)
    found = [one async for one in client.list_workflows(f"WorkflowId = '{ticket.run_id}'")]
    handles = [client.get_workflow_handle(ticket.run_id, run_id=one.run_id) for one in found]
    return [History(events=(await handle.fetch_history()).events) for handle in handles]


async def test_a_submitted_run_is_driven_once(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("works 0")
        assert await result(runs, ticket) == "ended"
    assert [entry.what for entry in runs.ledger.entries(ticket.run_id)] == ["begins", "is done", "ended"]


async def test_a_run_that_is_submitted_twice_is_driven_once(runs: Runs) -> None:
    ticket = runs.add("works 0.2")
    await asyncio.gather(*(runs.engine.submit(ticket) for _ in range(5)))
    async with runs.worker():
        await runs.is_at(ticket, "begins")
        await runs.engine.submit(ticket)
        assert await result(runs, ticket) == "ended"
        # Also once it has ended: what is in the store decides.
        await runs.engine.submit(ticket)
        assert await result(runs, ticket) == "elsewhere"
    assert runs.ledger.begun(ticket.run_id) == 1


async def test_a_run_that_waits_is_driven_on_when_it_is_answered(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("asks 2")
        for count in (1, 2):
            await runs.is_at(ticket, "waiting", count)
            await runs.answer(ticket)
        assert await runs.ended(ticket) == "done"
        assert runs.ledger.begun(ticket.run_id) == 3


async def test_an_answer_that_comes_before_the_wait_is_not_lost(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("asks slowly")
        await runs.is_at(ticket, "begins")
        await runs.answer(ticket)
        assert runs.ledger.times(ticket.run_id, "waiting") == []
        assert await runs.ended(ticket) == "done"


async def test_a_run_that_waits_takes_no_slot(runs: Runs) -> None:
    async with runs.worker(slots=1):
        waiting = await runs.submit("asks 1")
        await runs.is_at(waiting, "waiting")
        assert await runs.ended(await runs.submit("works 0")) == "done"


async def test_an_answer_brings_back_a_run_that_temporal_has_lost(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("asks 1")
        await runs.is_at(ticket, "waiting")
        await (await runs.handle(ticket)).terminate()
        await runs.answer(ticket)
        assert await runs.ended(ticket) == "done"


async def test_a_delayed_run_begins_later(runs: Runs) -> None:
    began = time.time()
    async with runs.worker():
        ticket = await runs.submit("works 0", delay=1.0)
        await runs.ended(ticket)
    (begun,) = runs.ledger.times(ticket.run_id, "begins")
    assert 1.0 <= begun - began < 3.0


async def test_a_run_that_is_driven_is_cancelled_within_a_second(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("works 60")
        await runs.is_at(ticket, "begins")
        await runs.engine.cancel(ticket)
        assert await runs.ended(ticket, SOON) == "aborted"
        await until(lambda: is_over(runs, ticket))
    assert await status(runs, ticket) == WorkflowExecutionStatus.CANCELED


async def test_a_queued_run_is_cancelled_within_a_second_though_all_slots_are_taken(runs: Runs) -> None:
    async with runs.worker(slots=1):
        driven = await runs.submit("works 60")
        await runs.is_at(driven, "begins")
        queued = await runs.submit("works 60")
        await runs.engine.cancel(queued)
        assert await runs.ended(queued, SOON) == "aborted"
        await until(lambda: is_over(runs, queued))
        assert await status(runs, queued) == WorkflowExecutionStatus.CANCELED
        assert runs.ledger.begun(queued.run_id) == 0
        assert runs.ledger.ended(driven.run_id) == ""


async def test_a_run_that_waits_is_cancelled_within_a_second(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("asks 1")
        await runs.is_at(ticket, "waiting")
        await runs.engine.cancel(ticket)
        assert await runs.ended(ticket, SOON) == "aborted"


async def test_a_delayed_run_is_cancelled_within_a_second(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("works 0", delay=3600)
        await runs.engine.cancel(ticket)
        assert await runs.ended(ticket, SOON) == "aborted"


async def test_a_run_that_is_cancelled_while_no_worker_lives_is_ended_by_the_next_one(runs: Runs) -> None:
    ticket = await runs.submit("works 60")
    await runs.engine.cancel(ticket)
    async with runs.worker():
        assert await runs.ended(ticket) == "aborted"
    assert runs.ledger.begun(ticket.run_id) == 0


async def test_a_cancelled_run_whose_session_is_held_ends_once_it_is_free(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("asks 1")
        await runs.is_at(ticket, "waiting")
        with runs.ledger.held(ticket.run_id):
            await runs.engine.cancel(ticket)
            await asyncio.sleep(2.0)
        assert await runs.ended(ticket) == "aborted"
        await until(lambda: is_over(runs, ticket))
    (history,) = await histories(runs, ticket)
    assert len(history.events) < 40


async def test_a_run_that_is_cancelled_while_a_tool_blocks_the_loop_does_not_begin(runs: Runs) -> None:
    await runs.process()
    blocking = await runs.submit("blocks 2")
    await runs.is_at(blocking, "begins")
    ticket = await runs.submit("works 60")
    await until(lambda: is_begun(runs, ticket))
    await runs.engine.cancel(ticket)
    assert await runs.ended(ticket, 5.0) == "aborted"
    assert runs.ledger.begun(ticket.run_id) == 0


async def test_what_is_over_or_was_never_there_can_be_cancelled(runs: Runs) -> None:
    await runs.engine.cancel(RunTicket("s", new_id("r")))
    async with runs.worker():
        ticket = await runs.submit("works 0")
        await result(runs, ticket)
        await runs.engine.cancel(ticket)
    assert runs.ledger.ended(ticket.run_id) == "done"


async def test_a_run_that_fails_each_time_is_given_up_and_temporal_reads_nothing_of_it(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("fails")
        ended = await runs.ended(ticket)
        assert "five times and failed each time (ValueError)" in ended
        with pytest.raises(WorkflowFailureError):
            await result(runs, ticket)
    assert runs.ledger.begun(ticket.run_id) == 5
    (history,) = await histories(runs, ticket)
    assert b"ValueError" in history.SerializeToString()
    assert b"a prompt of a person" not in history.SerializeToString()


async def test_a_session_that_is_held_elsewhere_is_waited_for(runs: Runs) -> None:
    async with runs.worker():
        ticket = runs.add("works 0")
        with runs.ledger.held(ticket.run_id):
            await runs.engine.submit(ticket)
            # Longer than a failure would take to be tried again.
            await asyncio.sleep(1.5)
            assert await attempts(runs, ticket) == [1]
        assert await runs.ended(ticket, 2.0) == "done"


async def test_a_session_that_is_held_for_long_gives_its_slot_back(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activities, "BUSY_SECONDS", 0.1)
    async with runs.worker(slots=1):
        held = runs.add("works 0")
        with runs.ledger.held(held.run_id):
            await runs.engine.submit(held)
            assert await runs.ended(await runs.submit("works 0"), 5.0) == "done"
        # And it is driven when the pause is over.
        assert await runs.ended(held) == "done"


async def test_a_tool_that_blocks_the_loop_does_not_look_like_a_dead_worker(runs: Runs) -> None:
    async with runs.worker():
        # Longer than the heartbeat timeout.
        ticket = await runs.submit("blocks 5")
        assert await result(runs, ticket) == "ended"
    assert runs.ledger.begun(ticket.run_id) == 1


async def test_runs_can_be_searched_by_owner_agent_session_and_state(runs: Runs) -> None:
    client = await Client.connect(runs.server.target)
    owner = new_id("o")

    async def has(state: str) -> None:
        """Visibility lags behind a little."""
        query = f"ToolpostOwner = '{owner}' AND ToolpostAgent = 'chat' AND ToolpostState = '{state}'"
        await until(lambda: found(query))

    async def found(query: str) -> bool:
        return [one.id async for one in client.list_workflows(query)] == [ticket.run_id]

    ticket = await runs.submit("works 60", owner)
    await has("queued")
    async with runs.worker(slots=1):
        await has("running")
        await runs.engine.cancel(ticket)
        ticket = await runs.submit("asks 1", owner)
        await has("waiting")
        other = await runs.submit("works 60")
        await runs.is_at(other, "begins")
        await runs.answer(ticket)
        await has("queued")
    assert await found(f"ToolpostSession = '{ticket.session_id}'")
    description = await (await runs.handle(ticket)).describe()
    assert await description.static_summary() == f"chat for {owner}"


async def test_a_history_is_short_and_holds_ids_only(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("asks 1")
        await runs.is_at(ticket, "waiting")
        await runs.answer(ticket)
        await result(runs, ticket)
    (history,) = await histories(runs, ticket)
    assert len(history.events) < 35
    assert history.ByteSize() < 5_000
    started = history.events[0].workflow_execution_started_event_attributes
    (payload,) = started.input.payloads
    assert json.loads(payload.data) == {"session_id": ticket.session_id, "run_id": ticket.run_id}
    assert str(runs.folder).encode() not in history.SerializeToString()


async def test_no_history_grows_without_end(runs: Runs) -> None:
    async with runs.worker():
        ticket = await runs.submit("asks 45")
        for count in range(1, 46):
            await runs.is_at(ticket, "waiting", count)
            await runs.answer(ticket)
        assert await runs.ended(ticket) == "done"
        await until(lambda: is_over(runs, ticket))
    found = await histories(runs, ticket)
    assert len(found) == 4
    assert all(history.ByteSize() < 20_000 for history in found)
