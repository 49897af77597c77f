"""What a dead process leaves behind is tidied up, and a store that fails loses nothing."""

import asyncio

import pytest

from toolpost import Agent, RunNotStored, SessionBusy, SqliteStore, StoreError, tool
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.testing import Gate, ScriptedModel, call, pause, text
from toolpost.types.events import MessageStart, MessageUpdate
from toolpost.types.messages import Message, Pending, Running, StepFinish, StepStart, TextPart, ToolPart


@pytest.fixture
async def store(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    yield store
    await store.close()


PROMPT = Message("msg_1", "user", (TextPart("go"),), time=1.0)
START = StepStart(1, "scripted/model", ("act",))


async def left_behind(store, message, *events):
    """The state of a session whose process died in the middle of a step."""
    await store.create(SessionInfo("ses_1"))
    begun = MessageStart(5, "ses_1", 1.0, Message("msg_2", "assistant", (START,), "msg_1", 1.0))
    info = SessionInfo("ses_1", head="msg_2", open_run="run_1", open_seq=5, seq=5 + len(events))
    await store.commit(SessionChanges("ses_1", info, (PROMPT, message), (begun, *events), barrier=True))


def answer(*parts):
    return Message("msg_2", "assistant", (START, *parts), "msg_1", 1.0)


async def test_text_that_was_streamed_is_kept_and_the_session_goes_on(store):
    deltas = [
        MessageUpdate(6 + i, "ses_1", 1.0, "msg_2", 1, "text", word) for i, word in enumerate(["Hel", "lo ", "wor"])
    ]
    await left_behind(store, answer(), *deltas)
    with ScriptedModel(text("world")) as model:
        session = Agent(model, store=store).session("ses_1")
        await session.run("go on")
    assert [message.text for message in model.requests[0].messages] == ["go", "Hello wor", "go on"]
    assert session.messages[1].finish.reason == "interrupted"


async def test_a_half_written_call_is_kept_as_an_error(store):
    deltas = [
        MessageUpdate(6, "ses_1", 1.0, "msg_2", 1, "reasoning", "I should act"),
        MessageUpdate(7, "ses_1", 1.0, "msg_2", 2, "tool_input", "", "c1", "act"),
        MessageUpdate(8, "ses_1", 1.0, "msg_2", 2, "tool_input", '{"n":', "c1"),
    ]
    await left_behind(store, answer(), *deltas)
    session = await Agent(ScriptedModel(), store=store).session("ses_1")
    (part,) = session.messages[-1].calls
    assert (part.name, part.state.kind, part.state.raw) == ("act", "interrupted", '{"n":')


async def test_a_call_that_was_running_is_marked_and_never_run_again(store):
    ran = []

    @tool
    async def act(n: int) -> str:
        """Act."""
        ran.append(n)
        return "ok"

    running = ToolPart("c1", "act", Running({"n": 1}, 1.0))
    waiting = ToolPart("c2", "act", Pending('{"n": 2}'))
    await left_behind(store, answer(running, waiting, StepFinish("tool-calls")))
    with ScriptedModel(text("I see.")) as model:
        session = Agent(model, [act], store=store).session("ses_1")
        await session.run("go on")
    assert ran == []
    assert [part.state.kind for part in session.messages[1].calls] == ["interrupted", "interrupted"]
    assert [part.state.status for part in model.requests[0].messages[1].calls] == ["error", "error"]


async def test_a_subscriber_that_comes_back_is_told_how_it_ended(store):
    await left_behind(store, answer(ToolPart("c1", "act", Running({}, 1.0)), StepFinish("tool-calls")))
    session = await Agent(ScriptedModel(), store=store).session("ses_1")
    missed = [event async for event in session.events(after=5)]
    assert [event.type for event in missed] == ["tool_execution_end", "message_end", "run_end", "settled"]
    assert missed[0].error_kind == "interrupted"
    assert missed[2].error.code == "interrupted"
    assert [event.seq for event in missed] == [6, 7, 8, 9]


async def test_a_session_that_runs_elsewhere_is_left_alone(store):
    gate = Gate()
    with ScriptedModel(text("half") + pause(gate)) as model:
        session = Agent(model, store=store).session()
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        await session._core.journal.flush()
        other = await Agent(ScriptedModel(), store=store).session(session.id)
        with pytest.raises(SessionBusy):
            await other.run("me too")
        gate.open()
        assert (await running).reason == "done"


async def test_a_session_that_went_on_elsewhere_is_caught_up_with(store):
    with ScriptedModel(text("a"), text("c")) as model, ScriptedModel(text("b")) as other_model:
        session = Agent(model, store=store).session()
        await session.run("one")
        await Agent(other_model, store=store).session(session.id).run("two")
        await session.run("three")
    assert [message.text for message in model.requests[1].messages] == ["one", "a", "two", "b", "three"]


class Failing:
    """A real store whose commits fail while `broken` is set: a disk that is full for a while."""

    def __init__(self, store):
        self._store = store
        self.broken = False

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def commit(self, changes):
        if self.broken:
            raise StoreError("the disk is full")
        await self._store.commit(changes)


async def test_a_call_does_not_run_if_its_start_cannot_be_stored(store):
    ran = []
    failing = Failing(store)

    @tool
    async def act() -> str:
        """Act."""
        ran.append(1)
        return "ok"

    def then_fail(request):
        failing.broken = True
        return call("act")

    session = Agent(ScriptedModel(then_fail), [act], store=failing).session()
    kinds = []
    session.subscribe(lambda event: kinds.append(event.type))
    with pytest.raises(StoreError, match="disk is full"):
        await session.run("go")
    assert ran == []
    assert "tool_execution_start" not in kinds
    assert kinds[-2:] == ["run_end", "settled"]


async def test_what_could_not_be_stored_is_stored_later(store):
    failing = Failing(store)

    def fail_now(request):
        failing.broken = True
        return text("lost?")

    model = ScriptedModel(fail_now, text("again"))
    session = Agent(model, store=failing).session()
    with pytest.raises(RunNotStored):
        await session.run("one")
    failing.broken = False
    await session.run("two")
    kept = [message.text async for message in store.messages(session.id)]
    assert kept == ["one", "lost?", "two", "again"]
    seqs = [event.seq async for event in store.events(session.id)]
    assert seqs == sorted(set(seqs))


async def test_a_prompt_that_cannot_be_stored_is_not_sent(store):
    failing = Failing(store)
    model = ScriptedModel(text("never"))
    session = await Agent(model, store=failing).session()
    failing.broken = True
    with pytest.raises(StoreError):
        await session.run("one")
    assert model.requests == []
