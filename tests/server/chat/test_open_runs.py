"""Open runs that this process does not drive: parked, interrupted, held by another process, or left to an engine."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from chat_gates import RAN
from chat_play import ASK, USERS
from msgspec import structs
from rooms import ANNA, all_of, rooms_over, until

from toolpost import Agent
from toolpost.engine.local_driver import LocalDriver, LocalEngine
from toolpost.server.accounts.roles import Role
from toolpost.server.chat import run_control
from toolpost.server.chat.run_control import AskClosed
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.store.contract import SessionChanges
from toolpost.store.memory import MemoryStore
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import Gate, ScriptedModel, call, calls, pause, text
from toolpost.types.errors import SessionBusy, ToolpostError

X = call("echo", {"text": "x"}, id="x")
BOTH = calls(X, call("echo", {"text": "y"}, id="y"))
QUESTION = call("question", {"questions": [{"question": "Which?", "options": ["a", "b"]}]})
# A run is parked at once.
PARK = ASK + "[server]\npark_seconds = 0\n"


@pytest.fixture(params=["memory", "sqlite"])
def stores(request, tmp_path):
    """Gives a store, and the same one again for another process, or for this one when it starts again."""
    known = MemoryStore()
    return lambda: known if request.param == "memory" else SqliteStore(tmp_path / "runs.db")


@pytest.fixture
def database(tmp_path):
    """The same, for processes that live at the same time."""
    return lambda: SqliteStore(tmp_path / "shared.db")


async def parked(conversations, prompt="hi"):
    """A conversation whose run waits for a person, and holds nothing."""
    conversation = await conversations.create(ANNA)
    event = await until(conversation, await conversation.start(prompt), "run_parked")
    assert event.reason == "waiting"
    while conversation.runs_here:  # noqa: ASYNC110 - it is let go of at once
        await asyncio.sleep(0)
    return conversation


def runs_of(events):
    return [event.type for event in events if event.type.startswith("run_")]


async def left_running(folder, store):
    """The id of a session whose process has ended in the middle of an answer, and said nothing of it."""
    gate = Gate()
    async with rooms_over(folder, store, text("half ") + pause(gate)) as conversations:
        conversation = await conversations.create(ANNA)
        await conversation.start("hi")
        await gate.reached.wait()
        await conversation.session.save()
        record = structs.replace(await store.open_run(conversation.id), state="running")
        await conversations.close()
        await store.commit(SessionChanges(conversation.id, run=record))
    return conversation.id


async def test_a_parked_run_goes_on_with_its_answer_and_its_followers_hear_all_of_it(folder, stores):
    async with rooms_over(folder, stores(), BOTH, text("done"), config=PARK) as conversations:
        conversation = await parked(conversations)
        following = asyncio.create_task(all_of(conversation, 0))
        first, second = (await conversation.waiting()).asks
        assert not conversation.runs_here
        assert await conversations.state(await conversation.info()) == "waiting"
        assert RAN == []
        await conversation.reply(first.ask_id, "once")
        await conversation.reply(second.ask_id, "once")
        events = await following
        with pytest.raises(AskClosed):
            await conversation.reply(first.ask_id, "once")
    assert sorted(RAN) == ["echo x", "echo y"]
    kinds = [event.type for event in events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (kinds.count("run_start"), kinds.count("run_end"), kinds[-1]) == (1, 1, "settled")
    assert kinds.count("permission_asked") == kinds.count("permission_replied") == 2


async def test_a_rejection_of_a_parked_run_ends_it(folder, stores):
    async with rooms_over(folder, stores(), BOTH, config=PARK) as conversations:
        conversation = await parked(conversations)
        first, _ = (await conversation.waiting()).asks
        await conversation.reply(first.ask_id, "reject")
        end = await until(conversation, 0, "run_end")
    assert (end.reason, RAN) == ("denied", [])


async def test_a_question_of_a_parked_run_is_answered_later(folder, stores):
    async with rooms_over(folder, stores(), QUESTION, text("b it is"), config=PARK) as conversations:
        conversation = await parked(conversations)
        (asked,) = (await conversation.waiting()).questions
        with pytest.raises(ToolpostError, match="give 1 answer"):
            await conversation.answer(asked.question_id, ["a", "b"])
        await conversation.answer(asked.question_id, ["b"])
        assert (await until(conversation, 0, "run_end")).text == "b it is"


async def test_a_parked_run_is_stopped_by_whoever_is_there(folder, database):
    async with (
        rooms_over(folder, database(), X, config=PARK) as here,
        rooms_over(folder, database()) as there,
    ):
        conversation = await parked(here)
        far = await there.find(conversation.id, ANNA)
        await far.stop()
        assert (await far.look()).state == "idle"
        events = await all_of(conversation, 0)
    assert (events[-2].reason, events[-1].type) == ("aborted", "settled")


async def test_a_prompt_for_a_parked_run_waits_until_that_has_ended(folder, stores):
    async with rooms_over(folder, stores(), X, text("one"), text("two"), config=PARK) as conversations:
        conversation = await parked(conversations)
        with pytest.raises(SessionBusy, match="waits for a person"):
            await conversation.start("and this?")
        await conversation.put("and this?", steer=False)
        (asked,) = (await conversation.waiting()).asks
        await conversation.reply(asked.ask_id, "once")
        events = await all_of(conversation, 0)
        said = [
            message.text
            for message in await conversations.store.branch(conversation.id, (await conversation.info()).head)
        ]
    assert said == ["hi", "", "one", "and this?", "two"]
    assert runs_of(events) == ["run_start", "run_parked", "run_resumed", "run_end", "run_start", "run_end"]


async def test_an_answer_that_was_lost_on_its_way_is_given_again(folder, database, monkeypatch):
    """The process that holds the session never hears of it, and ends."""
    monkeypatch.setattr(run_control, "HEED_SECONDS", 0.05)
    store = database()
    async with rooms_over(folder, database(), X, text("done"), config=PARK) as conversations:
        conversation = await parked(conversations)
        (asked,) = (await conversation.waiting()).asks
        lease = await store.lease(conversation.id)
        replying = asyncio.create_task(conversation.reply(asked.ask_id, "once"))
        done, _ = await asyncio.wait({replying}, timeout=0.2)
        assert not done
        lease.release()
        await replying
        assert (await until(conversation, 0, "run_end")).text == "done"
    await store.close()


async def test_whoever_answers_is_told_that_nobody_reacts(folder, database, monkeypatch):
    monkeypatch.setattr(run_control, "HEED_SECONDS", 0.01)
    monkeypatch.setattr(run_control, "PATIENCE_SECONDS", 0.1)
    store = database()
    async with rooms_over(folder, database(), X, config=PARK) as conversations:
        conversation = await parked(conversations)
        (asked,) = (await conversation.waiting()).asks
        lease = await store.lease(conversation.id)
        with pytest.raises(Refusal, match="does not react") as refused:
            await conversation.reply(asked.ask_id, "once")
        assert (refused.value.status, refused.value.code) == (503, "run_unreachable")
        with pytest.raises(Refusal, match="does not react"):
            await conversation.put("hello?", steer=True)
        lease.release()
    await store.close()


async def test_what_a_frozen_process_has_said_and_not_stored_is_said_again_by_the_next(folder, database):
    gate, far_store = Gate(), database()
    async with (
        rooms_over(folder, database(), text("half ") + pause(gate) + text("too late")) as here,
        rooms_over(folder, far_store, text("a whole answer")) as there,
    ):
        conversation = await here.create(ANNA)
        following = asyncio.create_task(all_of(conversation, await conversation.start("hi")))
        await gate.reached.wait()
        await conversation.session.save()
        record, holder = await far_store.open_run(conversation.id), await far_store.holder(conversation.id)
        # It has not moved since, as if it were frozen.
        assert await there.driver.drive(conversation.id, record.id, instead_of=holder) == "ended"
        gate.open()
        events = await following
        stored = [event async for event in far_store.events(conversation.id)]
        assert not conversation.runs_here
    kinds = [event.type for event in stored]
    assert [event.seq for event in stored] == list(range(1, len(stored) + 1))
    assert (kinds.count("run_start"), kinds.count("run_end"), kinds.count("settled")) == (1, 1, 1)
    # Its own reader was told from the last stored event on how it went on.
    resumed = next(place for place, event in enumerate(events) if event.type == "run_resumed")
    assert events[resumed:] == stored[kinds.index("run_resumed") :]
    assert events[-1].type == "settled"


async def test_a_new_prompt_does_not_push_aside_a_run_that_goes_on_by_itself(folder, stores):
    session_id = await left_running(folder, stores())
    async with rooms_over(folder, stores(), text("whole"), text("more")) as conversations:
        conversation = await conversations.find(session_id, ANNA)
        assert (await conversation.look()).state == "interrupted"
        with pytest.raises(SessionBusy, match="not over"):
            await conversation.start("more")
        conversations.start()
        assert (await until(conversation, 0, "run_end")).text == "whole"
        await conversations.finished()
        assert (await until(conversation, await conversation.start("more"), "run_end")).text == "more"


async def test_an_interrupted_run_goes_on_when_somebody_says_so(folder, stores):
    session_id = await left_running(folder, stores())
    async with rooms_over(folder, stores(), text("whole"), config='resume = "ask"\n' + ASK) as conversations:
        conversation = await conversations.find(session_id, ANNA)
        conversations.start()
        parked = await until(conversation, 0, "run_parked")
        while parked.reason != "interrupted":
            parked = await until(conversation, parked.seq, "run_parked")
        await conversation.resume()
        events = await all_of(conversation, 0)
        with pytest.raises(Refusal, match="no run to resume"):
            await conversation.resume()
    assert runs_of(events)[-2:] == ["run_resumed", "run_end"]
    assert events[-2].text == "whole"


async def test_the_run_of_a_sub_agent_is_not_resumed_by_itself(folder, stores):
    """It has the bounds of the run that sent it, which nobody knows without that one."""
    gate, task = Gate(), call("task", {"description": "d", "prompt": "work"}, id="t1")
    async with rooms_over(folder, stores(), task, text("x") + pause(gate), config=ASK) as conversations:
        conversation = await conversations.create(ANNA)
        await conversation.start("hi", switch_off=["echo"])
        await gate.reached.wait()
        await conversations.close()
    async with rooms_over(folder, stores(), config=ASK) as conversations:
        (child,) = [run.record async for run in conversations.store.open_runs() if run.parent is not None]
        alone = await conversations.find(child.session_id, ANNA)
        with pytest.raises(Refusal, match=f"goes on with the session that sent it, {conversation.id}"):
            await alone.resume()
        assert await conversations.store.open_run(child.session_id) == child


async def test_a_run_that_may_not_go_on_here_stays_open_for_a_person(tmp_path):
    """It is not tried again and again, and not given up."""
    store, gate = MemoryStore(), Gate()
    session = Agent(ScriptedModel(text("x") + pause(gate)), store=store, folder=tmp_path).session()
    running = asyncio.create_task(session.run("hi"))
    await gate.reached.wait()
    await session.release()
    assert (await running).reason == "parked"
    other = tmp_path / "other"
    other.mkdir()

    async def opened(info, record):
        return await Agent(ScriptedModel(), store=store, folder=other).session(info.id)

    run = await store.open_run(session.id)
    assert await LocalDriver(store, opened).drive(session.id, run.id) == "waiting"
    assert (await store.open_run(session.id)).state == "interrupted"


async def test_the_run_of_a_person_who_is_gone_ends_with_the_reason(folder, stores):
    async def nobody(name):
        return None

    session_id = await left_running(folder, stores())
    async with rooms_over(folder, stores(), find_user=nobody, config=ASK + USERS) as conversations:
        conversations.start()
        conversation = await conversations.find(session_id, ANNA)
        end = await until(conversation, 0, "run_end")
    assert (end.reason, end.error.code) == ("error", "given_up")
    assert "may not use this server any more" in end.error.message


async def test_a_run_goes_on_with_what_its_person_may_do_now(folder, stores):
    """Somebody lost the agent while the run was parked, and the right to approve it before that."""
    async with rooms_over(folder, stores(), X, config=PARK) as conversations:
        conversation = await parked(conversations)
        (asked,) = (await conversation.waiting()).asks
    reader = User("anna", Role("reader", frozenset({"use"}), tools=("web_search",)))

    async def find(name):
        return reader

    async with rooms_over(folder, stores(), text("without it"), find_user=find) as conversations:
        conversation = await conversations.find(conversation.id, reader)
        with pytest.raises(Refusal, match="you cannot approve it"):
            await conversation.reply(asked.ask_id, "once")
        await conversation.reply(asked.ask_id, "reject", "not mine")
        end = await until(conversation, 0, "run_end")
    assert (end.text, RAN) == ("without it", [])


@asynccontextmanager
async def with_engine(folder, database, *turns, config=ASK):
    """A process that accepts runs, and another one which drives them, as an engine says."""
    async with rooms_over(folder, database(), *turns, config=config) as drives:
        engine = LocalEngine(drives.driver, drives.store)
        async with rooms_over(folder, database(), config=config, engine=engine) as accepts:
            yield accepts, drives
        await engine.close()


async def test_with_an_engine_a_run_is_submitted_and_followed_where_it_is_driven(folder, database):
    async with with_engine(folder, database, X, text("done"), config=PARK) as (accepts, drives):
        conversation = await accepts.create(ANNA)
        after = await conversation.start("hi")
        asked = await until(conversation, after, "permission_asked")
        await until(conversation, after, "run_parked")
        await conversation.reply(asked.ask_id, "once")
        events = await all_of(conversation, after)
        assert events[0].type == "run_start"
        assert events[-2].text == "done"
        assert not conversation.runs_here
        assert len(drives.model.requests) == 2
        assert accepts.model.requests == []


async def test_with_an_engine_a_run_is_stopped_where_it_is_driven(folder, database):
    gate = Gate()
    async with with_engine(folder, database, text("half ") + pause(gate)) as (accepts, _):
        conversation = await accepts.create(ANNA)
        after = await conversation.start("hi")
        await gate.reached.wait()
        with pytest.raises(SessionBusy):
            await conversation.start("more")
        await conversation.stop()
        assert (await all_of(conversation, after))[-2].reason == "aborted"
        assert (await conversation.look()).state == "idle"


class Unreachable:
    """An engine whose server is away."""

    async def submit(self, ticket, *, delay=0.0):
        raise ToolpostError("the engine is away")

    wake = cancel = submit

    async def close(self):
        pass


class Silent:
    """An engine whose server takes connections and never answers."""

    async def submit(self, ticket, *, delay=0.0):
        pass

    wake = submit

    async def cancel(self, ticket):
        await asyncio.Event().wait()

    async def close(self):
        pass


async def test_a_stop_does_not_wait_for_an_engine_that_never_answers(folder):
    gate, store = Gate(), MemoryStore()
    async with (
        rooms_over(folder, store, text("half ") + pause(gate)) as drives,
        rooms_over(folder, store, engine=Silent()) as accepts,
    ):
        conversation = await accepts.create(ANNA)
        after = await conversation.start("hi")
        driving = asyncio.create_task(drives.driver.drive(conversation.id, (await conversation.info()).open_run))
        await gate.reached.wait()
        await conversation.stop()
        async with asyncio.timeout(60):
            assert (await all_of(conversation, after))[-2].reason == "aborted"
            assert await driving == "ended"
        # One that nobody drives, too.
        after = await conversation.start("again")
        async with asyncio.timeout(60):
            await conversation.stop()
            assert (await all_of(conversation, after))[-2].reason == "aborted"


async def test_a_server_without_users_does_not_end_the_runs_of_those_of_another(folder, stores):
    async def nobody(name):
        return None

    session_id = await left_running(folder, stores())
    async with rooms_over(folder, stores(), find_user=nobody, config=ASK) as conversations:
        record = await conversations.store.open_run(session_id)
        with pytest.raises(SessionBusy, match="knows no user anna"):
            await conversations.driver.drive(session_id, record.id)
        assert await conversations.store.open_run(session_id) == record


async def test_a_run_of_another_folder_is_not_driven_here(folder, stores):
    session_id = await left_running(folder, stores())
    async with rooms_over(folder, stores()) as conversations:
        store = conversations.store
        await store.update(structs.replace(await store.info(session_id), folder="/elsewhere"))
        record = await store.open_run(session_id)
        conversation = await conversations.find(session_id, ANNA)
        with pytest.raises(SessionBusy, match="belongs to /elsewhere"):
            await conversations.driver.drive(session_id, record.id)
        with pytest.raises(Refusal, match="belongs to the folder /elsewhere"):
            await conversation.resume()
        assert await store.open_run(session_id) == record


async def test_a_run_is_accepted_and_can_be_stopped_while_the_engine_is_away(folder, stores, caplog):
    async with rooms_over(folder, stores(), engine=Unreachable()) as conversations:
        conversation = await conversations.create(ANNA)
        await conversation.start("hi")
        assert (await conversation.look()).state == "queued"
        assert "could not be told" in caplog.text
        await conversation.stop()
        assert (await conversation.look()).state == "idle"
