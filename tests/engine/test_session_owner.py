"""Whose a session is: kept with it, handed on to what it makes, and the bound of what was approved."""

import asyncio
from dataclasses import replace

import pytest

from toolpost import Agent, MemoryStore, tool
from toolpost.engine.session import Session
from toolpost.testing import Gate, ScriptedModel, call, pause, text, turn
from toolpost.types.events import RunStart


@pytest.fixture
def store():
    return MemoryStore()


@tool
def delete_file(path: str) -> str:
    """Delete a file."""
    return f"deleted {path}"


def session_of(owner, agent, store, session_id=None):
    return Session(replace(agent._setup, owner=owner), store, session_id)


async def test_a_session_and_its_fork_are_its_owners(store):
    with ScriptedModel(text("hello")) as model:
        session = session_of("anna", Agent(model), store)
        assert session.info.owner == "anna"
        await session.run("hi")
        fork = await session.fork()
    assert {info.id async for info in store.sessions(owner="anna")} == {session.id, fork.id}
    assert (fork.info.run_seq, fork.info.open_seq) == (0, 0)


async def test_a_session_without_an_owner_is_nobodys_in_particular(store):
    with ScriptedModel(text("hello")) as model:
        await Agent(model, store=store).run("hi")
    assert [info.owner async for info in store.sessions()] == [""]


async def test_a_sub_agent_works_for_the_owner_of_its_sender(store):
    sent = call("task", {"agent": "helper", "description": "look", "prompt": "look around"})
    with ScriptedModel(sent, text("seen"), text("ok")) as model:
        helper = Agent(model, name="helper", description="helps")
        agent = Agent(model, agents=[helper], permissions={"*": "allow"})
        await session_of("anna", agent, store).run("go")
    infos = [info async for info in store.sessions()]
    assert [info.owner for info in infos] == ["anna", "anna"]
    assert sum(info.parent is not None for info in infos) == 1


async def test_what_one_owner_always_allows_is_asked_of_another(store, tmp_path):
    asked = []

    def asking(owner):
        async def on_ask(ask):
            asked.append(owner)
            return "always"

        return on_ask

    for owner in ("anna", "anna", "bert", "", "bert", ""):
        with ScriptedModel(call("delete_file", {"path": "a"}), text("ok")) as model:
            rules = {"*": "ask"}
            agent = Agent(model, [delete_file], permissions=rules, on_ask=asking(owner), folder=tmp_path)
            await session_of(owner, agent, store).run("go")
    assert asked == ["anna", "bert", ""]
    assert [approval.owner for approval in await store.approvals(str(tmp_path))] == ["anna", "bert", ""]


async def test_the_event_that_began_the_open_run_is_kept_with_it(store):
    gate = Gate()
    with ScriptedModel(text("one"), turn(pause(gate), text("two"))) as model:
        session = session_of("anna", Agent(model), store)
        await session.run("first")
        running = asyncio.create_task(session.run("second"))
        await gate.reached.wait()
        await session._core.journal.flush()
        info = await store.info(session.id)
        events = [event async for event in store.events(session.id) if isinstance(event, RunStart)]
        assert info.open_run == events[-1].run_id
        assert info.run_seq == events[-1].seq > events[0].seq
        gate.open()
        await running
