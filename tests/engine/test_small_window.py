"""A small context window: tools that do not fit are left out, and a person is told of it and of a cut answer."""

from pathlib import Path

import pytest

from toolpost import Agent, Tool, tool
from toolpost.engine.tool_budget import SMALL_WINDOW, fit_tools
from toolpost.testing import ScriptedModel, call, text, turn
from toolpost.types.messages import Usage
from toolpost.workspace import Workspace

OWN = '''
from toolpost import tool

@tool
async def find_order(number: str) -> str:
    """Find an order by its number."""
    return f"{number} was sent"
'''


@pytest.fixture
def space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    project = tmp_path / "project"
    (project / ".toolpost" / "tools").mkdir(parents=True)
    (project / ".toolpost" / "tools" / "orders.py").write_text(OWN)
    return Workspace(project, environ={"HOME": str(tmp_path)}, trusted=True)


def notices(events):
    return [event for event in events if event.type == "notice"]


async def test_tools_that_do_not_fit_are_left_out_once_said_and_the_users_own_stay(space: Workspace) -> None:
    with ScriptedModel(text("a"), text("b"), context_window=8_192) as model:
        session = space.session(space.setup(model))
        first = [event async for event in session.stream("go")]
        second = [event async for event in session.stream("again")]
    await session.close()
    await space.close()
    offered = {spec.name for spec in model.requests[0].tools}
    everything = {one.name for one in space.tools if not one.optional}
    (told,) = notices(first)
    assert told.code == "tools_left_out"
    assert set(told.data["tools"]) == everything - offered
    assert {"find_order", "web_search", "read"} <= offered < everything
    assert "8,192 tokens" in told.text
    assert told.data["tools"][0] in told.text
    assert not notices(second)


async def test_a_large_window_has_room_for_all_tools(space: Workspace) -> None:
    with ScriptedModel(text("a"), context_window=SMALL_WINDOW) as model:
        session = space.session(space.setup(model))
        events = [event async for event in session.stream("go")]
    await session.close()
    await space.close()
    assert {spec.name for spec in model.requests[0].tools} == {one.name for one in space.tools if not one.optional}
    assert not notices(events)


def wordy(name: str, source: str, tokens: int) -> Tool:
    return Tool(name, name, "x" * 4 * tokens, {"type": "object"}, lambda args, ctx: "", source=source)


def test_a_persons_own_tools_come_before_those_of_servers_and_those_before_built_ins() -> None:
    tools = [wordy(f"b{at}", "builtin", 500) for at in range(3)]
    tools += [wordy(f"m{at}", "mcp:s", 500) for at in range(3)]
    tools += [wordy(f"o{at}", "project:a.py", 500) for at in range(3)]
    kept = fit_tools(tools, 8_192)
    assert {one.name for one in kept.kept} == {"o0", "o1", "o2", "m0", "m1"}
    assert kept.left_out == ("b0", "b1", "b2", "m2")
    many = [wordy(f"o{at}", "sdk", 1_000) for at in range(10)]
    assert [one.name for one in fit_tools(many, 8_192).kept] == ["o0", "o1", "o2", "o3"]
    assert fit_tools(many, None).kept == tuple(many)


async def test_an_answer_that_fills_the_window_is_said_to_be_cut_by_it() -> None:
    with ScriptedModel(turn(text("So it be"), usage=Usage(3_900, 100), finish="length"), context_window=4_000) as model:
        events = [event async for event in Agent(model).session().stream("go")]
    (told,) = notices(events)
    assert (told.code, told.data["window"]) == ("window_full", 4_000)
    assert (events[-2].reason, events[-2].limit) == ("limit", "context_window")


async def test_an_answer_that_is_cut_at_its_own_limit_is_not_said_to_fill_the_window() -> None:
    with ScriptedModel(turn(text("So it be"), usage=Usage(100, 100), finish="length"), context_window=4_000) as model:
        events = [event async for event in Agent(model).session().stream("go")]
    assert not notices(events)
    assert events[-2].limit == "max_output"


async def test_a_chinese_conversation_is_summarised_before_the_window_is_full() -> None:
    """A Chinese character takes about a token, where four English letters do."""

    @tool
    async def look(at: str) -> str:
        """Look at something."""
        return "看见了一扇门。" * 500

    turns = (turn(call("look", {"at": "x"}), usage=Usage(1_000, 50)), text("SUMMARY"), text("一扇门。"))
    with ScriptedModel(*turns, context_window=4_000) as model:
        events = [event async for event in Agent(model, [look]).session().stream("有哪些门？")]
    assert [event.reason for event in events if event.type == "compaction_start"] == ["threshold"]
