"""What a session can do beside running: branch, fork, steer, queue, follow, remember."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost import (
    Agent,
    Answer,
    FilePart,
    Limits,
    Plugin,
    SqliteStore,
    ToolContext,
    ToolError,
    ToolpostError,
    ToolResult,
    tool,
)
from toolpost.engine.model_options import merge
from toolpost.store.memory import MemoryStore
from toolpost.testing import Gate, ScriptedModel, call, calls, pause, text
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


async def test_what_was_said_while_nothing_ran_stands_before_the_next_prompt():
    with ScriptedModel(text("Bonjour."), text("Salut.")) as model:
        session = Agent(model).session()
        await session.steer("speak French")
        await session.steer("be short")
        assert (await session.run("say hello")).text == "Bonjour."
        await session.run("again")
    assert said(model.requests[0]) == [("user", "speak French"), ("user", "be short"), ("user", "say hello")]
    assert [message.text for message in session.messages][3:] == ["Bonjour.", "again", "Salut."]
    assert session.info.title == "say hello"


async def test_what_is_said_once_a_run_has_begun_stands_after_its_prompt():
    with ScriptedModel(text("Done."), text("Also that.")) as model:
        session = await Agent(model).session()
        after = await session.begin("go")
        await session.steer("and also that")
        assert [event async for event in session.events(after)]
    texts = [message.text for message in session.messages if message.role == "user"]
    assert texts == ["go", "and also that"]


async def test_a_retry_after_something_was_said_reads_it_last():
    with ScriptedModel(text("One."), text("Two.")) as model:
        session = Agent(model).session()
        await session.run("go")
        await session.steer("shorter")
        await session.retry()
    assert said(model.requests[1]) == [("user", "go"), ("user", "shorter")]


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
    (tmp_path / ".git").mkdir()
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


LONE = "lone \ud83d surrogate"


async def test_what_no_encoder_takes_is_cleaned_before_it_is_stored(store):
    """A lone surrogate (half an emoji, an undecodable file name) or a value that is no JSON must brick no session."""

    @tool
    async def odd(ctx: ToolContext) -> ToolResult:
        """Everything that can't be stored as it is."""
        ctx.update(LONE, {"path": Path("x"), LONE: {1, 2}})
        await ctx.ask("odd", [LONE], title=LONE, details={"what": object()})
        return ToolResult([LONE], {"when": object(), 1: LONE, "nan": float("nan")}, LONE)

    @tool
    async def fail() -> str:
        """Fails with an undecodable name."""
        raise ToolError(LONE)

    async def on_ask(asked):
        return Answer("reject", LONE) if asked.permission == "no" else "always"

    @tool(permission="no")
    async def refused() -> str:
        """Is refused."""
        return ""

    turns = (calls(call("odd", {}), call("fail", {}), call("refused", {})), text(LONE))
    rules = {"odd": {"*surrogate*": "ask", "*": "allow"}, "no": "ask"}
    agent = Agent(ScriptedModel(*turns), [odd, fail, refused], permissions=rules, on_ask=on_ask, store=store)
    session = agent.session(title=LONE)
    queued = session.queue(LONE)
    await queued
    agent._setup.model.add(text("ok"))
    await session.run(LONE, files=[FilePart("text/plain", data="eA==", name=LONE)])
    await session.rename(LONE)
    again = await agent.session(session.id)
    assert again.messages[0].text == "lone \ufffd surrogate"
    odd_state, fail_state, refused_state = (part.state for part in again.messages[1].calls)
    assert (odd_state.status, odd_state.details["nan"]) == ("completed", "NaN")
    assert fail_state.message == refused_state.message == "lone \ufffd surrogate"
    assert again.messages == session.messages


async def test_a_queued_prompt_that_a_plugin_refuses_is_dropped_and_said_once():
    class Refuse(Plugin):
        async def chat_message(self, prompt):
            if prompt.text == "bad":
                raise ToolError("not this one")

    model = ScriptedModel(text("ok"), text("on"))
    session = Agent(model, plugins=[Refuse()]).session()
    await session.queue("bad")
    ends = []
    session.subscribe(lambda event: ends.append(event.error) if event.type == "run_end" else None)
    assert (await asyncio.wait_for(session.run("go"), 5)).text == "ok"
    assert [error and error.code for error in ends] == [None, "hook"]
    assert session.info.inbox == ()
    assert (await session.run("go on")).text == "on"


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
async def test_two_objects_of_one_session_take_turns(store, kind):
    """Each writes on what the other left: nothing goes back to an older head."""
    shared = store if kind == "sqlite" else MemoryStore()
    model = ScriptedModel(text("one"), text("two"), text("three"))
    agent = Agent(model, store=shared)
    one = await agent.session()
    other = await agent.session(one.id)
    await other.run("first")
    await one.rename("renamed")
    await one.steer("and this")
    await other.run("second")
    await one.run("third")
    assert [message.text for message in one.messages] == ["first", "one", "and this", "second", "two", "third", "three"]
    assert (await shared.info(one.id)).title == "renamed"


async def test_a_prompt_put_in_and_a_run_begun_at_once_do_not_get_in_each_other_s_way(store):
    session = await Agent(ScriptedModel(text("one"), text("two"), text("three")), store=store).session()
    results = await asyncio.gather(session.queue("a"), session.queue("b"), session.run("go"), session.rename("t"))
    assert results[2].text == "one"
    assert session.info.inbox == ()


def test_a_session_can_be_run_again_without_a_loop(tmp_path):
    """Each `run_sync` has a loop of its own; a lock must not stay with the one that is gone."""

    @tool
    async def add(a: int) -> int:
        """Add one."""
        return a + 1

    many = calls(*[call("add", {"a": n}) for n in range(8)])
    session = Agent(ScriptedModel(*[many, text("ok")] * 3), [add], store=tmp_path / "t.db").session()
    for _ in range(3):
        assert session.run_sync("go").text == "ok"


async def test_retrying_a_message_of_another_branch_is_a_clear_error():
    session = Agent(ScriptedModel(text("one"))).session()
    await session.run("go")
    with pytest.raises(ToolpostError, match="no prompt"):
        await session.retry("msg_nowhere")


async def test_a_waiting_message_is_taken_back_and_no_run_reads_it(store):
    gate = Gate()
    model = ScriptedModel(text("one") + pause(gate), text("two"), text("three"))
    session = Agent(model, store=store).session()
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    for message in ("queued", "gone"):
        await session.queue(message)
    await session.steer("steered")
    await session.steer("gone too")
    assert [(one.text, one.steer) for one in session.waiting] == [
        ("queued", False),
        ("gone", False),
        ("steered", True),
        ("gone too", True),
    ]
    ids = {one.text: one.id for one in session.waiting}
    assert [await session.unqueue(ids[one]) for one in ("gone", "gone too", "gone")] == ["gone", "gone too", ""]
    assert [one.text for one in (await store.info(session.id)).inbox] == ["queued", "steered"]
    gate.open()
    await running
    assert [message for role, message in said(model.requests[-1]) if role == "user"] == ["go", "steered", "queued"]
    assert (session.waiting, await session.unqueue(ids["queued"])) == ((), "")


async def test_a_message_that_a_plugin_is_just_looking_at_is_not_taken_back(store):
    gate, looked_at, let_go = Gate(), asyncio.Event(), asyncio.Event()

    class Slow(Plugin):
        async def chat_message(self, prompt):
            if prompt.text == "steered":
                looked_at.set()
                await let_go.wait()

    model = ScriptedModel(text("one") + pause(gate), text("two"))
    session = Agent(model, store=store, plugins=[Slow()]).session()
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await session.steer("steered")
    gate.open()
    await looked_at.wait()
    assert await session.unqueue(session.waiting[0].id) == ""
    let_go.set()
    await running
    assert said(model.requests[-1])[-1] == ("user", "steered")
