"""Runs that go on by themselves, what a session keeps beside them, and what a person said to a call."""

import pytest

from toolpost import Agent, tool
from toolpost.store.memory import MemoryStore
from toolpost.testing import Gate, ScriptedModel, call, pause, text
from toolpost.types.errors import MessageNotFound, SessionBusy, ToolpostError


@tool
async def send(to: str) -> str:
    """Send it."""
    return f"sent to {to}"


async def test_a_run_that_was_begun_goes_on_by_itself():
    gate = Gate()
    with ScriptedModel(text("one"), pause(gate) + text("two")) as model:
        session = Agent(model).session()
        first = [event async for event in session.events(await session.begin("hi"))]
        after = await session.begin("and?")
        assert (first[0].type, first[-1].type, after) == ("run_start", "settled", first[-1].seq)
        await gate.reached.wait()
        with pytest.raises(SessionBusy):
            await session.begin("me too")
        gate.open()
        # Events from long ago on do not end where an earlier run has.
        everything = [event async for event in session.events(0)]
    assert [event.type for event in everything].count("settled") == 2
    assert session.seq == everything[-1].seq


async def test_a_run_begins_at_another_message_in_one_step():
    with ScriptedModel(text("one"), text("other")) as model:
        session = Agent(model).session()
        await session.run("hi")
        prompt = session.messages[0].id
        [event async for event in session.events(await session.begin(None, at=prompt))]
        assert [message.text for message in session.messages] == ["hi", "other"]
        with pytest.raises(MessageNotFound):
            await session.begin("x", at="msg_nobody")
        with pytest.raises(ToolpostError, match="nothing to continue from"):
            await session.begin(None, at=None)


async def test_what_a_session_keeps_is_there_when_it_is_opened_again():
    store = MemoryStore()
    session = await Agent(ScriptedModel(), store=store).session()
    await session.keep("color", {"name": "blue"})
    await session.keep("size", 3)
    assert (await store.info(session.id)).metadata == {"color": {"name": "blue"}, "size": 3}


@pytest.mark.parametrize(("reply", "message"), [("once", ""), ("reject", "not to them")])
async def test_a_call_remembers_what_a_person_said(reply, message):
    with ScriptedModel(call("send", {"to": "all"}), text("done")) as model:
        session = Agent(model, tools=[send], permissions={"send": "ask"}, interactive=True).session()
        async for event in session.stream("hi"):
            if event.type == "permission_asked":
                asked = event.ask_id
                session.reply(asked, reply, message)
    (part,) = session.messages[1].calls
    assert (part.consent.ask_id, part.consent.reply, part.consent.message) == (asked, reply, message)
