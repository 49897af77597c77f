"""What a session can do beside running: branch, fork, steer, queue, follow, remember."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost import Agent, Limits, SqliteStore, ToolpostError, tool
from toolpost.engine.options import merge
from toolpost.testing import Gate, ScriptedModel, call, pause, text
from toolpost.types.messages import TextPart


@pytest.fixture
async def store(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    yield store
    await store.close()


def said(request):
    """The conversation that a request carries, as (role, text)."""
    return [(message.role, message.text) for message in request.messages]


async def test_a_second_prompt_carries_the_first(store):
    with ScriptedModel(text("Hello Ann."), text("You are Ann.")) as model:
        session = Agent(model, store=store).session()
        await session.run("I am Ann.")
        await session.run("Who am I?")
    assert said(model.requests[1]) == [("user", "I am Ann."), ("assistant", "Hello Ann."), ("user", "Who am I?")]


async def test_a_stored_session_goes_on_in_another_process_of_the_same_agent(tmp_path):
    with ScriptedModel(text("Hello Ann.")) as model:
        first = Agent(model, store=tmp_path / "t.db").session(title="Ann")
        await first.run("I am Ann.")
    with ScriptedModel(text("You are Ann.")) as model:
        again = Agent(model, store=tmp_path / "t.db").session(first.id)
        assert (await again.run("Who am I?")).text == "You are Ann."
    assert again.info.title == "Ann"
    assert len(said(model.requests[0])) == 3


async def test_a_session_that_does_not_exist_is_a_clear_error(tmp_path):
    with pytest.raises(ToolpostError, match="ses_nope"):
        await Agent(ScriptedModel(), store=tmp_path / "t.db").session("ses_nope")


async def test_an_edit_is_a_branch_and_the_old_one_stays(store):
    with ScriptedModel(text("Paris."), text("Rome.")) as model:
        session = Agent(model, store=store).session()
        await session.run("Capital of France?")
        await session.edit(session.messages[0].id, "Capital of Italy?")
    assert [message.text for message in session.messages] == ["Capital of Italy?", "Rome."]
    kept = {message.text async for message in store.messages(session.id)}
    assert kept == {"Capital of France?", "Paris.", "Capital of Italy?", "Rome."}


async def test_a_retry_answers_the_same_prompt_again_beside_the_first_answer(store):
    with ScriptedModel(text("Perhaps."), text("Yes.")) as model:
        session = Agent(model, store=store).session()
        await session.run("Is it so?")
        first = session.messages[-1]
        await session.retry()
    assert [message.text for message in session.messages] == ["Is it so?", "Yes."]
    assert session.messages[-1].parent_id == first.parent_id


async def test_one_can_go_back_to_an_older_branch():
    with ScriptedModel(text("Paris."), text("Rome."), text("ok")) as model:
        session = Agent(model).session()
        await session.run("France?")
        first_answer = session.messages[-1].id
        await session.edit(session.messages[0].id, "Italy?")
        await session.branch(first_answer)
        await session.run("And then?")
    assert said(model.requests[2]) == [("user", "France?"), ("assistant", "Paris."), ("user", "And then?")]


async def test_undo_gives_the_last_prompt_back():
    with ScriptedModel(text("a"), text("b"), text("c")) as model:
        session = Agent(model).session()
        await session.run("one")
        await session.run("two")
        assert (await session.undo()).text == "two"
        await session.run("three")
    assert [text for _, text in said(model.requests[2])] == ["one", "a", "three"]


async def test_a_fork_shares_the_past_and_not_the_future(store):
    with ScriptedModel(text("a"), text("b"), text("c")) as model:
        session = Agent(model, store=store).session()
        await session.run("one")
        fork = session.fork()
        await fork.run("two in the fork")
        await session.run("two in the original")
    assert [text for _, text in said(model.requests[1])] == ["one", "a", "two in the fork"]
    assert [text for _, text in said(model.requests[2])] == ["one", "a", "two in the original"]
    assert fork.info.forked_from == session.id


async def test_a_fork_of_a_running_session_takes_what_was_there(store):
    gate = Gate()
    with ScriptedModel(text("a"), text("half") + pause(gate), text("c")) as model:
        session = Agent(model, store=store).session()
        await session.run("one")
        running = asyncio.create_task(session.run("two"))
        await gate.reached.wait()
        fork = session.fork(at=session.messages[1].id)
        gate.open()
        await running
        await fork.run("three")
    assert [text for _, text in said(model.requests[2])] == ["one", "a", "three"]


async def test_steering_is_taken_at_the_next_step():
    gate = Gate()

    @tool
    async def work() -> str:
        """Work."""
        gate.reached.set()
        await gate.opened.wait()
        return "worked"

    with ScriptedModel(call("work"), text("Stopped as you wished.")) as model:
        session = Agent(model, [work]).session()
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        await session.steer("that is enough")
        gate.open()
        await running
    assert said(model.requests[1])[-1] == ("user", "that is enough")


async def test_steering_that_comes_with_the_last_answer_is_still_read():
    gate = Gate()
    with ScriptedModel(text("Done.") + pause(gate), text("Also that.")) as model:
        session = Agent(model).session()
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        await session.steer("and also that")
        gate.open()
        result = await running
    assert result.text == "Also that."


async def test_a_queued_prompt_runs_after_the_run_and_settled_comes_once():
    gate = Gate()
    with ScriptedModel(text("one done") + pause(gate), text("two done")) as model:
        session = Agent(model).session()
        kinds = []
        session.subscribe(lambda event: kinds.append(event.type))
        running = asyncio.create_task(session.run("one"))
        await gate.reached.wait()
        await session.queue("two")
        gate.open()
        assert (await running).text == "one done"
    assert [message.text for message in session.messages] == ["one", "one done", "two", "two done"]
    assert kinds.count("run_end") == 2
    assert kinds.count("settled") == 1
    assert kinds[-1] == "settled"


async def test_the_model_can_be_changed_in_mid_session():
    @tool
    async def look() -> str:
        """Look."""
        return "seen"

    with ScriptedModel(call("look"), text("a")) as first, ScriptedModel(text("b"), name="other") as second:
        session = Agent(first, [look]).session()
        await session.run("one")
        session.use_model(second)
        await session.run("two")
    assert [message.model for message in session.messages if message.role == "assistant"][-1] == "scripted/other"
    assert len(second.requests[0].messages) == 4


async def test_a_reader_that_comes_back_gets_what_it_missed_and_nothing_else(store):
    gate = Gate()
    with ScriptedModel(text("Hello ", chunk=2) + pause(gate) + text("world", chunk=1)) as model:
        session = Agent(model, store=store).session()
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        seen = []
        async for event in session.events():
            seen.append(event)
            if len(seen) == 4:
                break
        gate.open()
        rest = [event async for event in session.events(after=seen[-1].seq)]
        await running
    everything = [event async for event in store.events(session.id)]
    assert seen + rest == everything
    assert [event.seq for event in everything] == list(range(1, len(everything) + 1))
    assert everything[-1].type == "settled"


async def test_a_slow_reader_is_cut_off_with_a_marker_and_the_run_is_not():
    with ScriptedModel(text("x" * 100, chunk=1)) as model:
        session = await Agent(model, limits=Limits(subscriber_queue=10)).session()
        reader = session._core.journal.subscribe()
        assert (await session.run("go")).text == "x" * 100
        seen = [event async for event in reader]
    assert seen[-1].type == "cut_off"
    assert seen[-1].seq == seen[-2].seq
    assert len(seen) == 11


async def test_a_slow_owner_slows_the_run_and_misses_nothing():
    with ScriptedModel(text("x" * 500, chunk=1)) as model:
        session = Agent(model, limits=Limits(owner_queue=4)).session()
        seen = []
        async for event in session.stream("go"):
            await asyncio.sleep(0)
            seen.append(event)
    assert sum(event.type == "message_update" for event in seen) == 500


async def test_a_subscriber_that_fails_does_not_break_the_run_and_an_async_one_gets_all():
    got = []
    settled = asyncio.Event()

    def broken(event):
        raise RuntimeError("boom")

    async def careful(event):
        await asyncio.sleep(0)
        got.append(event.type)
        if event.type == "settled":
            settled.set()

    with ScriptedModel(text("ok")) as model:
        session = Agent(model).session()
        session.subscribe(broken)
        session.subscribe(careful)
        assert (await session.run("go")).text == "ok"
        await asyncio.wait_for(settled.wait(), 2)
    assert got[0] == "run_start"
    assert got[-1] == "settled"


async def test_unsubscribing_stops_the_events():
    got = []
    with ScriptedModel(text("a"), text("b")) as model:
        session = Agent(model).session()
        stop = session.subscribe(got.append)
        await session.run("one")
        stop()
        seen = len(got)
        await session.run("two")
    assert len(got) == seen > 0


def test_the_sync_face_gives_what_the_async_one_gives():
    def run(method):
        model = ScriptedModel(text("Hello!"))
        return method(Agent(model))

    sync = run(lambda agent: agent.run_sync("Hi"))
    through_session = run(lambda agent: agent.session().run_sync("Hi"))
    asynchronous = run(lambda agent: asyncio.run(agent.run("Hi")))
    assert sync.text == through_session.text == asynchronous.text == "Hello!"
    assert sync.usage == asynchronous.usage


async def test_the_sync_face_inside_a_loop_says_what_to_do():
    with pytest.raises(RuntimeError, match="await"):
        Agent(ScriptedModel()).run_sync("Hi")


async def test_the_system_prompt_has_a_fixed_head_and_a_body_with_the_instructions_of_the_tree(tmp_path):
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "CLAUDE.md").write_text("Be brief.")
    with ScriptedModel(text("ok")) as model:
        await Agent(model, system="You are a tester.", folder=inner, instructions=True).run("go")
    head, body = model.requests[0].system
    assert head == "You are a tester."
    assert body.index("Use tabs.") < body.index("Be brief.")


async def test_a_title_is_made_from_the_first_prompt():
    with ScriptedModel(text("ok")) as model:
        session = Agent(model).session()
        await session.run("Explain the following file to me:\nlots of text")
    assert session.info.title == "Explain the following file to me:"


def nested():
    return st.dictionaries(
        st.sampled_from("abc"),
        st.recursive(
            st.integers(), lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3), max_leaves=6
        ),
        max_size=3,
    )


@given(nested(), nested(), nested())
def test_merging_options_layer_by_layer_is_merging_them_all(a, b, c):
    assert merge(merge(a, b), c) == merge(a, b, c)
    assert merge(a, {}) == merge({}, a) == merge(a) == a


@given(nested(), nested())
def test_the_later_layer_wins_and_no_layer_is_changed(a, b):
    import copy

    before = copy.deepcopy((a, b))
    merged = merge(a, b)
    assert (a, b) == before
    assert all(merged[key] == value for key, value in b.items() if not isinstance(value, dict))
    assert merged.keys() == a.keys() | b.keys()


def test_none_takes_an_option_away():
    assert merge({"temperature": 1, "extra": {"a": 1, "b": 2}}, {"temperature": None, "extra": {"a": None}}) == {
        "extra": {"b": 2}
    }


async def test_files_go_with_the_prompt():
    from toolpost import FilePart

    with ScriptedModel(text("a cat")) as model:
        await Agent(model).session().run("What is it?", files=[FilePart("image/png", data="aGk=")])
    assert model.requests[0].messages[0].parts == (TextPart("What is it?"), FilePart("image/png", data="aGk="))
