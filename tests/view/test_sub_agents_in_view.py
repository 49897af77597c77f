"""Sub-agents: a call that has sent one shows how it gets on, and its session has a view of its own."""

import pytest
from view_play import Watched, fed, opened, stored

from toolpost import Agent, MemoryStore, tool
from toolpost.testing import ScriptedModel, call, error, text, turn
from toolpost.types.messages import Usage


@tool
async def look(at: str) -> str:
    """Look at something."""
    return f"saw {at}"


@tool(patterns=lambda arguments: [arguments["path"]])
async def delete_file(path: str) -> str:
    """Delete a file."""
    return f"deleted {path}"


def sent(prompt="look around", **more):
    return call("task", {"description": "Look around", "prompt": prompt, "agent": "helper", **more})


def agent_of(big, small, tools=(look,), **options):
    helper = Agent(small, tools, name="helper", description="Helps")
    return Agent(big, agents=[helper], **options)


@pytest.fixture
def store():
    return MemoryStore()


async def test_its_call_counts_what_it_does_and_says_how_it_ended(store):
    small = ScriptedModel(turn(call("look", {"at": "x"}), usage=Usage(10, 5)), text("Nothing there."))
    session = agent_of(ScriptedModel(sent(), text("done")), small, store=store).session()
    watched = Watched(session)
    seen = []
    session.subscribe(lambda event: seen.extend(item.sub_agent for item in watched.of("call")))
    await session.run("go")
    first = next(one for one in seen if one is not None)
    assert (first.agent, first.calls, first.ending) == ("helper", 0, "")
    (item,) = watched.of("call")
    assert (item.sub_agent.agent, item.sub_agent.calls, item.sub_agent.tokens) == ("helper", 1, 15)
    assert item.sub_agent.ending == "done"
    assert stored([item]) == stored(one for one in opened(session.messages).items if one.kind == "call")


async def test_its_session_has_a_view_of_its_own_that_is_fed_beside_the_first(store):
    small = ScriptedModel(call("look", {"at": "x"}), text("Nothing there."))
    session = agent_of(ScriptedModel(sent(), text("done")), small, store=store).session()
    watched = Watched(session)
    await session.run("go")
    child = watched.of("call")[0].sub_agent.session_id
    events = [event async for event in store.events(child)]
    assert all(not watched.view.feed(event) for event in events), "nobody looks at it yet"
    inside = watched.view.sub_agent(child)
    changes = [watched.view.feed(event) for event in events]
    assert changes[-1].sub_agents.keys() == {child}
    assert [item.kind for item in inside.items] == ["prompt", "call", "text", "run_end"]
    assert [item.kind for item in watched.items] == ["prompt", "call", "text", "run_end"]
    messages = [message async for message in store.messages(child)]
    assert stored(inside.items) == stored(opened(messages).items)


async def test_what_it_asks_for_is_shown_at_the_call_that_sent_it_and_inside(store):
    small = ScriptedModel(call("delete_file", {"path": "a"}), text("Deleted."))
    big = ScriptedModel(sent(), text("done"))
    session = agent_of(
        big, small, [delete_file], store=store, on_ask=lambda ask: "once", permissions={"delete_file": "ask"}
    ).session()
    watched = Watched(session)
    await session.run("go")
    child = watched.of("call")[0].sub_agent.session_id
    events = [event async for event in store.events(child)]
    asked = next(place for place, event in enumerate(watched.events) if event.type == "permission_asked")
    began = next(place for place, event in enumerate(events) if event.type == "tool_execution_start")

    view = fed(watched.events[: asked + 1])
    (ask,) = view.asks
    (sender,) = [item for item in view.items if item.kind == "call"]
    assert (ask.agent, ask.session_id, ask.call) == ("helper", child, sender.id)
    assert (sender.phase, sender.sub_agent.is_asking) == ("asking", True)

    inside = view.sub_agent(child)
    for event in events[:began]:
        view.feed(event)
    (theirs,) = [item for item in inside.items if item.kind == "call"]
    assert (inside.asks[0].id, inside.asks[0].call) == (ask.id, theirs.id)
    assert (theirs.phase, inside.facts.state) == ("asking", "waiting")

    answered = view.feed(watched.events[asked + 1])
    assert [item.state for item in answered.sub_agents[child].removed] == ["once"]
    for event in [*events[began:], *watched.events[asked + 2 :]]:
        view.feed(event)
    (theirs,) = [item for item in inside.items if item.kind == "call"]
    assert (theirs.phase, theirs.consent.reply) == ("done", "once")
    (sender,) = [item for item in view.items if item.kind == "call"]
    assert (sender.phase, sender.consent, sender.sub_agent.is_asking) == ("done", None, False)


async def test_one_that_did_not_finish_can_still_be_entered(store):
    small = ScriptedModel(call("look", {"at": "x"}), error("auth", "no such key"))
    session = agent_of(ScriptedModel(sent(), text("done")), small, store=store).session()
    watched = Watched(session)
    await session.run("go")
    (item,) = watched.of("call")
    (later,) = [one for one in opened(session.messages).items if one.kind == "call"]
    assert (item.phase, item.sub_agent.ending) == ("failed", "error")
    assert item.sub_agent.session_id == later.sub_agent.session_id
