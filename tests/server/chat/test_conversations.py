"""Sessions that are open here, and those that run in another process over the same store."""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest
from chat_gates import GATES, RAN
from chat_play import ASK, answers, asked, chatting, texts
from gateway_play import write
from postgres_server import PostgresServer
from rooms import ANNA, BOB, all_of, rooms_over, until

from toolpost.server.chat.session_settings import ChatSettings, settings_of
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.store import open_store
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.store.memory import MemoryStore
from toolpost.testing import Gate, call, pause, text
from toolpost.types.errors import ConfigError, SessionBusy, ToolpostError
from toolpost.types.events import RunStart

X = call("echo", {"text": "x"})


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture(scope="module")
def database():
    with PostgresServer() as server:
        yield server


@asynccontextmanager
async def two_processes(folder, database, *turns):
    """The conversations of one that runs the turns, and those of another over the same database."""
    url = database.url(f"rooms_{time.monotonic_ns()}")
    async with rooms_over(folder, open_store(url), *turns) as here, rooms_over(folder, open_store(url)) as there:
        yield here, there


async def test_a_run_of_another_process_is_followed_without_gap_or_double(folder, database):
    gate = Gate()
    turn = text("one two three", chunk=2) + pause(gate) + text("four five", chunk=2)
    async with two_processes(folder, database, turn) as (here, there):
        conversation = await here.create(ANNA)
        after = await conversation.start("hi")
        await gate.reached.wait()
        far = await there.find(conversation.id, ANNA)
        assert (conversation.runs_here, far.runs_here) == (True, False)
        following = asyncio.create_task(all_of(far, after))
        gate.open()
        own = await all_of(conversation, after)
        assert await following == own
        assert [event.seq for event in own] == list(range(after + 1, after + 1 + len(own)))
        assert own[-1].type == "settled"
        # The history of both is the same, too.
        assert await all_of(far, 0) == await all_of(conversation, 0)


async def test_another_process_is_told_replies_prompts_and_to_stop(folder, database):
    GATES["held"], gate = Gate(), Gate()
    turns = X, call("held", {"name": "held"}), text("steered") + pause(gate)
    async with two_processes(folder, database, *turns) as (here, there):
        conversation = await here.create(ANNA)
        far = await there.find(conversation.id, ANNA)
        after = await conversation.start("hi")
        ask = await until(conversation, after, "permission_asked")
        assert [asked.ask_id for asked in (await far.waiting()).asks] == [ask.ask_id]
        await far.reply(ask.ask_id, "once")
        await GATES["held"].reached.wait()
        assert RAN == ["echo x"]
        await far.put("faster", steer=True)
        async with asyncio.timeout(10):
            while not (await conversation.info()).inbox:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.001)
        GATES["held"].open()
        await gate.reached.wait()
        assert here.model.requests[-1].messages[-1].text == "faster"
        await far.stop()
        end = await until(far, after, "run_end")
        assert end.reason == "aborted"
        with pytest.raises(Refusal, match="no open ask"):
            await far.reply(ask.ask_id, "once")


async def test_a_prompt_that_waits_is_taken_back_from_another_process(folder, database):
    gate = Gate()
    async with two_processes(folder, database, text("one") + pause(gate)) as (here, there):
        conversation = await here.create(ANNA)
        far = await there.find(conversation.id, ANNA)
        after = await conversation.start("hi")
        await gate.reached.wait()
        await conversation.put("never", steer=False)
        (waiting,) = (await conversation.info()).inbox
        assert await far.take_back(waiting.id) == "never"
        assert await far.take_back(waiting.id) == ""
        gate.open()
        events = await all_of(far, after)
    assert [event.message.text for event in events if event.type == "message_end"] == ["hi", "one"]


async def test_a_question_is_answered_from_another_process(folder, database):
    question = call("question", {"questions": [{"question": "Which?", "options": ["a", "b"]}]})
    async with two_processes(folder, database, question, text("ok")) as (here, there):
        conversation = await here.create(ANNA)
        far = await there.find(conversation.id, ANNA)
        after = await conversation.start("hi")
        asked = await until(conversation, after, "question_asked")
        with pytest.raises(Refusal, match="no open question"):
            await far.answer("que_nobody", None)
        await far.answer(asked.question_id, ["b"])
        replied = await until(far, after, "question_replied")
    assert replied.answers == (("b",),)


async def test_a_chat_goes_on_at_another_worker_than_it_began(folder, database, driver):
    url, gate = database.url(f"rooms_{time.monotonic_ns()}"), Gate()
    turns = X, text("do") + pause(gate) + text("ne")
    async with (
        chatting(folder, driver, *turns, config=ASK, store=open_store(url)) as here,
        chatting(folder, driver, config=ASK, store=open_store(url)) as there,
    ):
        asking = await (await here.chat("a-chat-of-two-workers")).send("hi")
        client = await there.chat("a-chat-of-two-workers", messages=asking["messages"], auto=True)
        approving = asyncio.create_task(client.approve({**asked(asking["messages"][1])[0], "approved": True}))
        await gate.reached.wait()
        resuming = asyncio.create_task((await there.chat("a-chat-of-two-workers")).resume())
        async with asyncio.timeout(20):
            # Not before something of it was sent: a run that has ended by then is no more to be resumed.
            while not any(one.sent for one in there.app._running.values() if one.path.endswith("/stream")):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
        gate.open()
        state, resumed = await approving, await resuming
        kept = await there.history("a-chat-of-two-workers")
    assert answers(state["messages"]) == answers(kept)
    assert texts(resumed["messages"][0]) == texts(kept[1]) == ["do", "ne"]
    assert RAN == ["echo x"]


async def test_what_is_too_much_to_tell_another_process_is_refused(folder, database):
    gate = Gate()
    async with two_processes(folder, database, text("a") + pause(gate)) as (here, there):
        conversation = await here.create(ANNA)
        await conversation.start("hi")
        await gate.reached.wait()
        far = await there.find(conversation.id, ANNA)
        with pytest.raises(Refusal, match="another process") as refused:
            await far.put("x" * 7_000, steer=True)
        assert refused.value.status == 413
        with pytest.raises(SessionBusy):
            await far.start("me too")


async def test_a_run_of_an_older_version_is_closed_for_whoever_waits(folder, store):
    async with rooms_over(folder, store) as conversations:
        conversation = await conversations.create(ANNA)
        info = await store.info(conversation.id)
        dead = SessionInfo(info.id, owner="anna", open_run="run_1", run_seq=1, seq=1, metadata=info.metadata)
        await store.commit(SessionChanges(info.id, dead, events=[RunStart(1, info.id, 0.0, "run_1", "m")]))
        events = await all_of(conversation, 0)
    assert [event.type for event in events] == ["run_start", "run_end", "settled"]
    assert events[1].error.code == "interrupted"


async def test_an_ask_that_nobody_answers_is_rejected_with_a_text(folder, store):
    async with rooms_over(folder, store, X, text("without it"), ask_seconds=0.01) as conversations:
        conversation = await conversations.create(ANNA)
        after = await conversation.start("hi")
        replied = await until(conversation, after, "permission_replied")
        end = await until(conversation, after, "run_end")
    assert (replied.reply, end.reason, end.text) == ("reject", "done", "without it")
    assert "There was no answer within 0.01 s" in replied.message
    assert RAN == []


async def test_a_question_that_nobody_answers_is_dismissed(folder, store):
    question = call("question", {"questions": [{"question": "Which?"}]})
    async with rooms_over(folder, store, question, ask_seconds=0.01) as conversations:
        conversation = await conversations.create(ANNA)
        end = await until(conversation, await conversation.start("hi"), "run_end")
    assert end.reason == "denied"


async def test_only_so_many_rooms_are_open_and_the_one_used_longest_ago_goes_first(folder, store):
    gate = Gate()
    async with rooms_over(folder, store, pause(gate) + text("a"), text("b"), most_open=2) as conversations:
        running = await conversations.create(ANNA)
        await running.start("hi")
        await gate.reached.wait()
        second, third = await conversations.create(ANNA), await conversations.create(ANNA)
        assert list(conversations.open) == [running.id, third.id]
        # Whoever still has it in hand goes on with it, and it is the same for all others.
        after = await second.start("hi")
        assert await conversations.find(second.id, ANNA) is second
        assert list(conversations.open) == [running.id, second.id]
        assert (await all_of(second, after))[-1].type == "settled"
        gate.open()
        await conversations.finished()


async def test_where_all_rooms_are_in_use_another_is_refused(folder, store):
    gate = Gate()
    async with rooms_over(folder, store, pause(gate) + text("a"), most_open=1) as conversations:
        conversation = await conversations.create(ANNA)
        await conversation.start("hi")
        await gate.reached.wait()
        with pytest.raises(Refusal, match="1 sessions run at once") as refused:
            await conversations.create(ANNA)
        assert (refused.value.kind, list(conversations.open)) == ("overloaded", [conversation.id])


async def test_a_room_that_nobody_uses_is_closed(folder, store):
    async with rooms_over(folder, store, text("a"), idle_seconds=0.01) as conversations:
        conversation = await conversations.create(ANNA)
        with conversation.held():
            await asyncio.sleep(0.05)
            assert list(conversations.open) == [conversation.id]
        async with asyncio.timeout(10):
            while conversations.open:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.001)
        assert (await all_of(conversation, await conversation.start("hi")))[-1].type == "settled"


async def test_each_user_has_sessions_of_their_own(folder, store):
    async with rooms_over(folder, store) as conversations:
        conversation = await conversations.create(ANNA, title="mine")
        for reach in (
            conversations.info(conversation.id, BOB),
            conversations.find(conversation.id, BOB),
            conversations.create(BOB, session_id=conversation.id),
        ):
            with pytest.raises(Refusal) as refused:
                await reach
            assert refused.value.status == 404
        with pytest.raises(Refusal) as unknown:
            await conversations.info("ses_nobody", BOB)
        assert refused.value.message.replace(conversation.id, "") == unknown.value.message.replace("ses_nobody", "")
        # Nor does an admin see what others say.
        with pytest.raises(Refusal):
            await conversations.info(conversation.id, User("root"))
        assert (await conversations.info(conversation.id, ANNA)).title == "mine"
        # An id that is free again is nobody's any more.
        await store.delete(conversation.id)
        assert (await conversations.create(BOB, session_id=conversation.id)).user == BOB


async def test_a_variant_is_kept_with_the_session_and_one_run_may_have_another(folder, store):
    async with rooms_over(folder, store, text("a"), text("b")) as conversations:
        conversation = await conversations.create(ANNA, settings=ChatSettings(variant="low"))
        await all_of(conversation, await conversation.start("hi"))
        await all_of(conversation, await conversation.start("hi", variant="high"))
        assert [request.options["reasoning_effort"] for request in conversations.model.requests] == ["low", "high"]
        with pytest.raises(ConfigError, match="no variant 'x': it has low, medium, high"):
            await conversation.configure(ChatSettings(variant="x"))


async def test_settings_hold_from_the_next_run_on(folder, store):
    async with rooms_over(folder, store, text("a"), text("b"), text("c")) as conversations:
        conversation = await conversations.create(
            ANNA, settings=ChatSettings(system="Be brief.", switched_off=("echo",))
        )
        await all_of(conversation, await conversation.start("hi"))
        await conversation.configure(ChatSettings(system="Be kind.", options={"temperature": 1}, pinned=True))
        await all_of(conversation, await conversation.start("hi"))
        await all_of(conversation, await conversation.start("hi", system="Be quick."))
        asked = [(request.system[0], request.options.get("temperature")) for request in conversations.model.requests]
        assert asked == [("Be brief.", None), ("Be kind.", 1), ("Be quick.", 1)]
        offered = [any(tool.name == "echo" for tool in request.tools) for request in conversations.model.requests]
        assert offered == [False, True, True]
        assert settings_of(await conversation.info()).pinned
        assert len(conversation.session.messages) == 6


async def test_a_session_whose_agent_is_gone_can_be_read_but_not_run(folder, store):
    async with rooms_over(folder, store) as conversations:
        conversation = await conversations.create(ANNA)
        with pytest.raises(ToolpostError, match="no agent 'ghost'"):
            await conversation.configure(ChatSettings(agent="ghost"))
        with pytest.raises(ToolpostError, match="no agent 'ghost'"):
            await conversations.create(ANNA, agent="ghost")
        await conversation.session.keep("chat", {"agent": "ghost"})
        await conversations.close()
    async with rooms_over(folder, store) as conversations:
        again = await conversations.find(conversation.id, ANNA)
        assert (await again.info()).id == conversation.id
        with pytest.raises(ToolpostError, match="no agent 'ghost'"):
            await again.start("hi")


async def test_closing_lets_go_of_what_runs_and_the_next_process_goes_on_with_it(folder, store):
    gate = Gate()
    async with rooms_over(folder, store, text("half") + pause(gate)) as conversations:
        conversation = await conversations.create(ANNA)
        await conversation.start("hi")
        await gate.reached.wait()
        await conversations.close()
        record = await store.open_run(conversation.id)
        assert (record.state, (await conversations.state(await store.info(conversation.id)))) == ("queued", "queued")
        with pytest.raises(Refusal, match="stopping"):
            await conversation.start("more")
    async with rooms_over(folder, store, text("whole")) as conversations:
        conversations.start()
        kinds = [event.type for event in await all_of(await conversations.find(conversation.id, ANNA), 0)]
        info = await store.info(conversation.id)
        assert [message.text for message in await store.branch(conversation.id, info.head)] == ["hi", "whole"]
    assert [kind for kind in kinds if kind.startswith("run_")] == ["run_start", "run_parked", "run_resumed", "run_end"]
    assert kinds[-1] == "settled"


async def test_stopping_does_not_wait_for_a_person(folder, store):
    async with rooms_over(folder, store, X) as conversations:
        conversation = await conversations.create(ANNA)
        await until(conversation, await conversation.start("hi"), "permission_asked")
        async with asyncio.timeout(10):
            await conversations.finished()
        assert conversation.runs_here


async def test_a_prompt_for_a_session_that_is_idle_begins_a_run(folder, store):
    async with rooms_over(folder, store, text("a"), text("b")) as conversations:
        conversation = await conversations.create(ANNA)
        await conversation.put("one", steer=True)
        await conversations.finished()
        await conversation.put("two", steer=False)
        await conversations.finished()
        assert [message.text for message in conversation.session.messages] == ["one", "a", "two", "b"]


async def test_a_reader_that_is_far_behind_still_gets_all(folder, store):
    gate = Gate()
    async with rooms_over(folder, store, pause(gate) + text("x" * 25_000, chunk=1)) as conversations:
        conversation = await conversations.create(ANNA)
        after = await conversation.start("hi")
        events = conversation.events(after)
        first = await anext(events)
        gate.open()
        await conversations.finished()
        seqs = [first.seq] + [event.seq async for event in events]
    assert seqs == list(range(after + 1, after + 1 + len(seqs)))
    assert len(seqs) > 25_000


async def test_a_chat_s_tools_say_how_they_are_and_a_name_that_is_gone_may_stay_switched_off(folder, store):
    code = "from toolpost import tool\n\n@tool(init=lambda context: {'description': context.model.id})\n"
    write(folder / ".toolpost" / "tools" / "made.py", code + "def made() -> str:\n    'As written.'\n    return ''\n")
    async with rooms_over(folder, store, text("hi")) as conversations:
        conversation = await conversations.create(ANNA, settings=ChatSettings(switched_off=("gone",)))
        await until(conversation, await conversation.start("hi"), "settled")
        (request,) = conversations.model.requests
    assert {spec.name: spec.description for spec in request.tools}["made"] == "scripted/model"
