"""A run that is cancelled or aborted at any turn of the event loop leaves everything as it should be."""

import asyncio
from itertools import pairwise

import pytest
from test_stopping import our_tasks

from toolpost import Agent, Answer, Limits, SqliteStore, tool
from toolpost.store.memory import MemoryStore
from toolpost.testing import ScriptedModel, call, calls, error, text, turn
from toolpost.types.messages import Completed, Failed, Usage

WINDOW = 4_000
LOOP_TURNS = {"memory": range(0, 160, 1), "sqlite": range(0, 200, 4)}


@tool
async def look(at: str) -> str:
    """Look at something."""
    await asyncio.sleep(0)
    return f"saw {at} " + "x" * 400


@tool
def count(to: int) -> int:
    """Count in a thread."""
    return to


@tool(parallel=False)
async def touch(what: str) -> str:
    """Touch something, alone."""
    try:
        await asyncio.sleep(0)
    finally:
        await asyncio.sleep(0)
    return what


async def answer(asked):
    await asyncio.sleep(0)
    return Answer("once")


def full_script():
    """Parallel calls, a call alone, asks, a retry, a compaction and an answer."""
    return (
        calls(
            call("look", {"at": "a"}), call("look", {"at": "b"}), call("count", {"to": 3}), call("touch", {"what": "c"})
        ),
        text("half an ans") + error("overloaded", "try again"),
        turn(calls(call("look", {"at": "d"}), call("touch", {"what": "e"})), usage=Usage(3_500, 50)),
        text("SUMMARY"),
        text("The end."),
    )


def make_agent(store):
    limits = Limits(retry_delay=0.0, flush_seconds=0.001)
    model = ScriptedModel(*full_script(), context_window=WINDOW)
    rules = {"look": "ask"}
    return Agent(model, [look, count, touch], permissions=rules, on_ask=answer, limits=limits, store=store), model


@pytest.fixture(params=["memory", "sqlite"])
async def store(request, tmp_path):
    store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "t.db")
    store.name = request.param
    yield store
    await store.close()


async def check(session, store, live, model):
    """What must hold after any stop, and that the session goes on."""
    assert session.status.state == "idle"
    left = our_tasks()
    if left:
        await asyncio.wait(left, timeout=1)
    assert not {task for task in left if not task.done()}
    model._turns[:] = [text("On we go.")] * 2  # one may go into a summary
    result = await session.run("go on")
    assert (result.reason, result.text) == ("done", "On we go.")
    for message in model.requests[-1].messages:
        assert all(isinstance(call.state, Completed | Failed) for call in message.calls)
    assert all(one < other for one, other in pairwise(event.seq for event in live))
    kept = [event async for event in store.events(session.id)]
    assert [event.seq for event in kept] == [event.seq for event in live]
    opened = 0
    for event in kept:
        opened += event.type == "run_start"
        if event.type == "run_end":
            assert opened == 1
            opened = 0
    assert opened == 0
    assert kept[-1].type == "settled"
    starts = sum(event.type == "run_start" for event in kept)
    assert sum(event.type == "settled" for event in kept) in (starts, starts + 1)
    info = await store.info(session.id)
    assert (info.open_run, info.head) == (None, session.messages[-1].id)
    branch = await store.branch(session.id, info.head)
    assert session.messages[-len(branch) :] == tuple(branch)
    (await store.lease(session.id)).release()


async def after(loop_turns, act):
    for _ in range(loop_turns):
        await asyncio.sleep(0)
    return act()


async def test_a_run_cancelled_at_any_turn_of_the_loop_leaves_a_session_that_goes_on(store):
    for loop_turns in LOOP_TURNS[store.name]:
        agent, model = make_agent(store)
        session = agent.session()
        live = []
        session.subscribe(live.append)
        running = asyncio.create_task(session.run("go"))
        await after(loop_turns, running.cancel)
        await asyncio.wait({running})
        await check(session, store, live, model)


async def test_a_run_aborted_at_any_turn_of_the_loop_gives_its_result(store):
    for loop_turns in LOOP_TURNS[store.name]:
        agent, model = make_agent(store)
        session = await agent.session()
        live = []
        session.subscribe(live.append)
        running = asyncio.create_task(session.run("go"))
        await (await after(loop_turns, session.abort))
        if session.status.state != "idle":
            await session.abort()
        result = await asyncio.wait_for(running, 5)
        assert result.reason in ("aborted", "done")
        if result.reason == "aborted" and session.messages:
            finish = session.messages[-1].finish
            assert finish is not None, "whoever reads it sees that the answer was stopped"
            assert finish.reason == "aborted"
        await check(session, store, live, model)


async def test_a_stream_aborted_at_any_turn_of_the_loop_ends_with_settled(store):
    for loop_turns in LOOP_TURNS[store.name]:
        agent, model = make_agent(store)
        session = await agent.session()
        live = []
        session.subscribe(live.append)

        async def read(session=session):
            return [event async for event in session.stream("go")]

        running = asyncio.create_task(read())
        await (await after(loop_turns, session.abort))
        if session.status.state != "idle":
            await session.abort()
        events = await asyncio.wait_for(running, 5)
        assert events[-1].type == "settled"
        await check(session, store, live, model)


async def opened(session):
    return await session


async def test_a_fork_whose_opening_is_cancelled_can_be_opened_again(store):
    agent, model = make_agent(store)
    model._turns[:] = [text("ok")]
    parent = agent.session()
    await parent.run("go")
    for loop_turns in range(12):
        fork = parent.fork()
        opening = asyncio.ensure_future(opened(fork))
        await after(loop_turns, opening.cancel)
        await asyncio.wait({opening})
        model._turns[:] = [text("forked")]
        assert (await fork.run("on")).text == "forked"
