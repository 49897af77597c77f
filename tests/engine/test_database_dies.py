"""PostgreSQL dies under the workers, or with them: their runs go on when it is there again."""

import asyncio
from collections.abc import Iterator

import pytest
from postgres_server import PostgresServer
from workers import Workers, over, submitted

from toolpost.engine.permissions import Answer
from toolpost.engine.unheld_runs import answer_ask, open_requests
from toolpost.store.contract import Store
from toolpost.types.messages import Running


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


@pytest.fixture
def store_place(server: PostgresServer) -> str:
    return server.url()


async def restart(server: PostgresServer) -> None:
    server.crash()
    await asyncio.to_thread(server.start)


async def words_stored(store: Store, session_id: str) -> None:
    """Wait until something that the model said is in the database."""
    async with asyncio.timeout(20):
        while "text" not in [event.kind async for event in store.events(session_id) if event.type == "message_update"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("busy", ["hold", "talk"])
async def test_a_run_goes_on_in_its_process_when_the_database_was_away(
    server: PostgresServer, workers: Workers, store: Store, busy: str
) -> None:
    ticket = await submitted(store, f"work {busy} work")
    worker = await workers.start()
    await worker.hears("holding" if busy == "hold" else "talking")
    if busy == "talk":
        # Stored, but not flushed: the database loses it.
        await words_stored(store, ticket.session_id)
    await restart(server)
    worker.tell("go")
    left = await over(store, ticket)
    left.check(workers.effects)
    assert left.kinds["run_resumed"] == 0
    assert set(left.states) == {"completed"}


@pytest.mark.parametrize("busy", ["hold", "talk"])
async def test_what_the_database_lost_with_its_worker_is_done_again_or_told(
    server: PostgresServer, workers: Workers, store: Store, busy: str
) -> None:
    ticket = await submitted(store, f"work {busy} work")
    worker = await workers.start()
    await worker.hears("holding" if busy == "hold" else "talking")
    worker.kill()
    await restart(server)
    (await workers.start()).tell("go")
    left = await over(store, ticket)
    left.check(workers.effects)
    assert left.kinds["run_resumed"] == 1
    assert left.states.count("interrupted") == (busy == "hold")


async def test_what_all_workers_left_the_next_one_goes_on_with(
    server: PostgresServer, workers: Workers, store: Store
) -> None:
    tickets = [await submitted(store, "work hold work") for _ in range(4)]
    first, second = await workers.start("first"), await workers.start("second")
    # Each is held up in one of the two.
    while len(await holding(store)) < len(tickets):  # noqa: ASYNC110 - two processes tell of it, and either may
        await asyncio.sleep(0.01)
    first.kill()
    second.kill()
    await workers.start("third")
    for ticket in tickets:
        left = await over(store, ticket)
        left.check(workers.effects)
        assert left.states.count("interrupted") == 1


async def holding(store: Store) -> list[str]:
    """The sessions in which a call of `hold` runs."""
    running = [found.record.session_id async for found in store.open_runs(states=("running",))]
    branches = [await store.branch(session_id, (await store.info(session_id)).head) for session_id in running]
    calls = [part for branch in branches for message in branch for part in message.calls]
    return [part.call_id for part in calls if part.name == "hold" and isinstance(part.state, Running)]


async def test_an_answer_that_is_given_while_no_worker_lives_is_what_the_next_one_goes_on_with(
    server: PostgresServer, workers: Workers, store: Store
) -> None:
    ticket = await submitted(store, "work asked work")
    worker = await workers.start()
    await worker.hears("drove", lambda said: said["outcome"] == "waiting")
    worker.kill()
    asks, _ = await open_requests(store, await store.info(ticket.session_id))
    assert len(asks) == 2
    # They were asked side by side.
    asks = sorted(asks, key=lambda asked: asked.call_id)
    await answer_ask(store, ticket.session_id, asks[0].ask_id, Answer("once"))
    await answer_ask(store, ticket.session_id, asks[1].ask_id, Answer("reject", "not that one"))
    await restart(server)
    await workers.start()
    left = await over(store, ticket)
    left.check(workers.effects)
    assert left.states == ["completed"] * 2 + ["completed", "denied"] + ["completed"] * 2
