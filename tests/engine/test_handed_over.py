"""Tools that whoever asked brought along: their calls end the run, open, and its own tools have run before."""

from toolpost import MemoryStore, Tool, tool
from toolpost.engine.call_pipeline import CLIENT
from toolpost.engine.session import Session
from toolpost.engine.session_setup import Setup
from toolpost.guard.rules import Rule, Rules
from toolpost.testing import ScriptedModel, call
from toolpost.tools.registry import Registry
from toolpost.types.messages import Completed, Running

RAN: list[str] = []


@tool
def look(at: str) -> str:
    """Look at something."""
    RAN.append(at)
    return f"saw {at}"


async def never(arguments, ctx):
    raise AssertionError("not run here")


def session_of(model):
    registry = Registry([look])
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}}
    registry.add(Tool("weather", "Weather", "The weather.", parameters, never), CLIENT)
    return Session(Setup(model, registry, Rules([Rule("look", "*", "allow")])), MemoryStore())


async def test_a_call_of_such_a_tool_ends_the_run_and_stays_open():
    with ScriptedModel(call("weather", {"city": "Oslo"})) as model:
        result = await session_of(model).run("go")
    assert result.reason == "handed_over"


async def test_its_arguments_reach_the_client_as_the_model_wrote_them(monkeypatch):
    monkeypatch.setenv("ACME_API_KEY", key := "k7-Quite_unlike-any-known-key.9")
    with ScriptedModel(call("weather", {"city": key})) as model:
        session = session_of(model)
        await session.run("go")
    (theirs,) = session.messages[-1].calls
    assert theirs.state.arguments == {"city": key}


async def test_its_own_tools_of_the_same_turn_have_run():
    RAN.clear()
    turn = call("look", {"at": "x"}) + call("weather", {"city": "Oslo"})
    with ScriptedModel(turn) as model:
        session = session_of(model)
        result = await session.run("go")
    assert result.reason == "handed_over"
    assert RAN == ["x"]
    own, theirs = session.messages[-1].calls
    assert isinstance(own.state, Completed)
    assert isinstance(theirs.state, Running)
    assert theirs.state.arguments == {"city": "Oslo"}


async def test_turns_before_it_go_on_by_themselves():
    RAN.clear()
    with ScriptedModel(call("look", {"at": "a"}), call("weather", {})) as model:
        result = await session_of(model).run("go")
    assert result.reason == "handed_over"
    assert result.steps == 2
