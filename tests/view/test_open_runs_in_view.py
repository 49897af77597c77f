"""Runs that no process drives for a while: parked, gone on with, with a half step said again."""

import asyncio

import pytest
from view_play import Watched, fed, opened, stored

from toolpost import Agent, SqliteStore, ToolContext, tool
from toolpost.testing import Gate, ScriptedModel, call, calls, pause, reasoning, text
from toolpost.view.transcript import TranscriptView


@pytest.fixture
async def store(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    yield store
    await store.close()


@tool(patterns=lambda arguments: [arguments["path"]])
async def delete_file(path: str) -> str:
    """Delete a file."""
    return f"deleted {path}"


async def kept(store, session_id):
    return [event async for event in store.events(session_id)]


async def test_a_parked_run_waits_with_its_ask_and_goes_on_when_it_is_answered(store):
    options = {"interactive": True, "permissions": {"*": "ask"}, "store": store}
    session = Agent(ScriptedModel(call("delete_file", {"path": "a"})), [delete_file], **options).session()
    watched, asked = Watched(session), asyncio.Event()
    session.subscribe(lambda event: asked.set() if event.type == "permission_asked" else None)
    running = asyncio.create_task(session.run("go"))
    await asked.wait()
    await session.park()
    await running
    view = watched.view
    (ask,) = view.asks
    (notice,) = watched.of("notice")
    assert (view.facts.state, notice.code, notice.data["reason"]) == ("waiting", "parked", "waiting")
    assert not notice.is_finished

    later = Agent(ScriptedModel(text("ok")), [delete_file], **options).session(session.id)
    watched.watch(later)
    await later.respond(ask.id, "once")
    for event in await kept(store, session.id):
        view.feed(event)
    await later.resume()
    assert watched.kinds == ["prompt", "call", "text", "run_end"]
    (item,) = watched.of("call")
    assert (item.phase, item.consent.reply) == ("done", "once")
    assert (view.facts.state, view.asks) == ("idle", [])
    again = fed(await kept(store, session.id))
    assert [item.id for item in again.items] == [item.id for item in view.items]
    assert stored(again.items) == stored(opened(later.messages).items)


async def test_a_half_step_of_a_process_that_left_is_taken_back_and_said_again(store):
    gate = Gate()
    turn = reasoning("hm") + text("Hel") + call("delete_file", {"path": "a"}) + pause(gate)
    session = Agent(ScriptedModel(turn), [delete_file], store=store).session()
    watched = Watched(session)
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await session.release()
    await running
    assert watched.kinds == ["prompt", "reasoning", "text", "call", "notice"]
    assert (watched.of("notice")[0].data["reason"], watched.view.facts.state) == ("released", "queued")
    later = Agent(ScriptedModel(text("Hello")), [delete_file], store=store).session(session.id)
    watched.watch(later)
    await later.resume()
    assert watched.kinds == ["prompt", "notice", "text", "run_end"]
    assert watched.of("notice")[0].code == "resumed"
    assert watched.of("text")[0].text == "Hello"
    assert stored(watched.items) == stored(opened(later.messages).items)
    assert stored(fed(await kept(store, session.id)).items) == stored(watched.items)


@pytest.mark.parametrize("may_run_again", [True, False])
async def test_a_call_that_was_running_begins_again_or_is_interrupted(store, may_run_again):
    reached, ran = asyncio.Event(), []

    @tool(idempotent=may_run_again)
    async def work(n: int, ctx: ToolContext) -> str:
        """Work."""
        ctx.update(f"step {len(ran)}\n")
        ran.append(n)
        reached.set()
        if len(ran) == 1:
            await asyncio.Event().wait()
        return f"did {n}"

    session = Agent(ScriptedModel(call("work", {"n": 1})), [work], store=store).session()
    watched = Watched(session)
    running = asyncio.create_task(session.run("go"))
    await reached.wait()
    await session.release()
    await running
    assert watched.of("call")[0].phase == "running"
    later = Agent(ScriptedModel(text("ok")), [work], store=store).session(session.id)
    watched.watch(later)
    await later.resume()
    (item,) = watched.of("call")
    if may_run_again:
        assert (item.phase, item.output.lines.lines) == ("done", ["step 1"])
    else:
        assert (item.phase, item.error.kind) == ("failed", "interrupted")
    assert watched.of("run_end")[0].reason == "done"
    assert stored(watched.items) == stored(opened(later.messages).items)


async def test_the_time_of_a_run_is_that_in_which_a_process_worked_on_it(store):
    reached = asyncio.Event()

    @tool(idempotent=True)
    async def work(n: int) -> str:
        """Work."""
        if not reached.is_set():
            reached.set()
            await asyncio.Event().wait()
        return "ok"

    session = Agent(ScriptedModel(calls(call("work", {"n": 1}))), [work], store=store).session()
    running = asyncio.create_task(session.run("go"))
    await reached.wait()
    await session.release()
    await running
    later = Agent(ScriptedModel(text("ok")), [work], store=store).session(session.id)
    await later.resume()
    events = await kept(store, session.id)
    start, parked, resumed, end = (
        next(event.time for event in events if event.type == kind)
        for kind in ("run_start", "run_parked", "run_resumed", "run_end")
    )
    (item,) = [item for item in fed(events).items if item.kind == "run_end"]
    assert item.seconds == pytest.approx((parked - start) + (end - resumed))


async def test_a_running_session_of_another_process_is_opened_with_its_stored_messages(store):
    """A face that comes to it in the middle: messages as they are stored, then the events of the last one."""
    gate = Gate()
    turns = (call("delete_file", {"path": "a"}), reasoning("hm") + text("Hel") + pause(gate) + text("lo"))
    session = Agent(ScriptedModel(*turns), [delete_file], store=store).session()
    watched = Watched(session)
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    seen = [*session.messages]
    async for _ in session.events():
        break  # from then on all of it is in the store
    info = await store.info(session.id)

    view = TranscriptView(session.id)
    view.open(await store.branch(session.id, info.head), after=info.open_seq - 1, is_running=True)
    for event in await kept(store, session.id):
        view.feed(event)
    near = TranscriptView(session.id)
    near.open(seen, after=session.seq, is_running=True)
    assert [item.id for item in view.items] == [item.id for item in near.items] == [item.id for item in watched.items]
    assert [item.text for item in near.items if item.kind == "text"] == ["Hel"]
    session.subscribe(near.feed)
    gate.open()
    await running
    for event in await kept(store, session.id):
        view.feed(event)
    assert stored(view.items) == stored(watched.items) == stored(near.items)
    assert view.facts.state == near.facts.state == "idle"


async def test_a_parked_session_is_opened_with_what_it_asks(store):
    options = {"interactive": True, "permissions": {"*": "ask"}, "store": store}
    session = Agent(ScriptedModel(call("delete_file", {"path": "a"})), [delete_file], **options).session()
    asked = asyncio.Event()
    session.subscribe(lambda event: asked.set() if event.type == "permission_asked" else None)
    running = asyncio.create_task(session.run("go"))
    await asked.wait()
    await session.park()
    await running
    later = await Agent(ScriptedModel(text("ok")), [delete_file], **options).session(session.id)
    view = TranscriptView(session.id)
    view.open(later.messages, after=later.seq, is_running=True, asks=await later.requests())
    (ask,) = view.asks
    (item,) = [item for item in view.items if item.kind == "call"]
    assert (ask.call, item.phase, view.facts.state) == (item.id, "asking", "waiting")
    await later.respond(ask.id, "once")
    later.subscribe(view.feed)
    for event in await kept(store, session.id):
        view.feed(event)
    await later.resume()
    assert [item.kind for item in view.items] == ["prompt", "call", "text", "run_end"]
    assert view.facts.state == "idle"
