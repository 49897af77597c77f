"""The step that runs, as `session.messages` shows it, and the times of the model's thinking."""

import time

import msgspec

from toolpost import Agent, Limits, SqliteStore, tool
from toolpost.testing import Gate, ScriptedModel, call, calls, error, pause, reasoning, text, turn
from toolpost.types.messages import Message, ReasoningPart, message_decoder


@tool
async def look(at: str) -> str:
    """Look at something."""
    return f"saw {at}"


async def test_what_has_been_said_so_far_is_in_the_messages_while_the_model_speaks():
    gate = Gate()
    with ScriptedModel(turn(reasoning("Hm."), text("Half of", chunk=2), pause(gate), text(" it."))) as model:
        session = Agent(model).session()
        await session.begin("go")
        await gate.reached.wait()
        prompt, running = session.messages
        gate.open()
        async for _ in session.events():
            pass
    assert (prompt.text, running.role, running.text) == ("go", "assistant", "Half of")
    assert running.finish is None
    assert running.parts[1].text == "Hm."
    (last,) = session.messages[1:]
    assert (last.id, last.text) == (running.id, "Half of it.")


async def test_each_call_of_the_running_step_is_there_in_its_state():
    gate = Gate()

    @tool(parallel=False)
    async def wait() -> str:
        """Wait."""
        await gate.passed()
        return "waited"

    with ScriptedModel(
        calls(call("look", {"at": "a"}), call("wait", {}), call("look", {"at": "b"})), text("ok")
    ) as model:
        session = Agent(model, [look, wait]).session()
        await session.begin("go")
        await gate.reached.wait()
        states = [part.state.status for part in session.messages[-1].calls]
        gate.open()
        async for _ in session.events():
            pass
    assert states == ["completed", "running", "pending"]
    assert [message.role for message in session.messages] == ["user", "assistant", "assistant"]


async def test_arguments_that_still_arrive_are_there_as_far_as_they_have_come():
    gate = Gate()

    def slow(request):
        return turn(call("look", {"at": "the door"}), pause(gate))

    with ScriptedModel(slow, text("ok")) as model:
        session = Agent(model, [look]).session()
        await session.begin("go")
        await gate.reached.wait()
        (part,) = session.messages[-1].calls
        gate.open()
        async for _ in session.events():
            pass
    assert (part.name, part.state.status, part.state.raw) == ("look", "pending", '{"at":"the door"}')


async def test_an_attempt_that_failed_is_not_among_the_messages():
    gate = Gate()
    turns = (turn(text("Half"), error("overloaded")), turn(pause(gate), text("Whole.")))
    with ScriptedModel(*turns) as model:
        session = Agent(model, limits=Limits(retry_delay=0.0)).session()
        await session.begin("go")
        await gate.reached.wait()
        shown = [message.text for message in session.messages]
        gate.open()
        async for _ in session.events():
            pass
    assert shown == ["go", ""]
    assert [message.text for message in session.messages] == ["go", "Whole."]


async def test_thinking_has_its_times(tmp_path):
    before = time.time()
    store = SqliteStore(tmp_path / "t.db")
    with ScriptedModel(turn(reasoning("Let me see."), text("Yes."))) as model:
        session = Agent(model, store=store).session()
        await session.run("go")
    stored = await store.branch(session.id, session.info.head)
    (thought,) = [part for part in stored[-1].parts if isinstance(part, ReasoningPart)]
    assert before <= thought.started <= thought.ended <= time.time()
    await store.close()


async def test_thinking_that_is_cut_off_ends_with_its_message():
    gate = Gate()
    session = Agent(ScriptedModel(turn(reasoning("Let me"), pause(gate)))).session()
    await session.begin("go")
    await gate.reached.wait()
    await session.abort()
    (thought,) = [part for part in session.messages[-1].parts if isinstance(part, ReasoningPart)]
    assert 0 < thought.started <= thought.ended


def test_thinking_that_was_stored_without_times_is_still_read():
    old = b'{"id":"m","role":"assistant","parts":[{"type":"reasoning","text":"Hm."}]}'
    assert message_decoder.decode(old) == Message("m", "assistant", (ReasoningPart("Hm."),))
    assert msgspec.json.encode(message_decoder.decode(old)) == old
