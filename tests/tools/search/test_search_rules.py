"""The search tools in a session: what the rules keep from being read is not shown by a search of its folder either."""

import pytest
from search_desk import SearchDesk

from toolpost import Agent
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.builtin import list as list_tool

ALLOWED = {"grep": "allow", "glob": "allow", "list": "allow", "code_search": "allow"}


@pytest.fixture
def desk(tmp_path):
    made = SearchDesk(tmp_path / "project")
    made.put("src/open.py", "def treasure(): ...\n")
    made.put("private/deep/a.py", "def treasure_map(): ...\n")
    made.put("private/b.py", "treasure = 1\n")
    return made


async def run(desk, name, permissions, **arguments):
    """The state of one call, with nobody there to be asked."""
    tools = [*desk.tools.values(), list_tool.make(desk.bench)]
    with ScriptedModel(call(name, arguments), text("done")) as model:
        session = Agent(model, tools, permissions=ALLOWED | permissions, folder=desk.root).session()
        await session.run("go")
    [state] = [part.state for message in session.messages for part in message.calls]
    return state


async def say(desk, name, permissions, **arguments):
    state = await run(desk, name, permissions, **arguments)
    assert state.status == "completed", state
    return "\n".join(part.text for part in state.content)


@pytest.mark.parametrize("action", ["deny", "ask"])
@pytest.mark.parametrize("mode", ["content", "files", "count"])
async def test_what_may_not_be_read_is_left_out_of_a_search_and_it_is_said(desk, mode, action):
    rules = {"read": {"*": "allow", "private/*": action}}
    shown = await say(desk, "grep", rules, pattern="treasure", mode=mode)
    assert "src/open.py" in shown
    assert "treasure_map" not in shown
    assert "treasure = 1" not in shown
    assert "2 files left out that may not be read without permission: private/b.py, private/deep/a.py" in shown


async def test_a_rule_about_grep_itself_holds_below_the_folder_that_is_searched(desk):
    shown = await say(desk, "grep", {"grep": {"*": "allow", "private/deep/*": "deny"}}, pattern="treasure")
    assert "treasure_map" not in shown
    assert "treasure = 1" in shown


@pytest.mark.parametrize("path", ["private/b.py", "private/deep/../b.py", "link.py", "private"])
async def test_a_file_that_may_not_be_read_cannot_be_searched_by_its_name(desk, path):
    (desk.root / "link.py").symlink_to("private/b.py")
    state = await run(desk, "grep", {"read": {"*": "allow", "private/*": "deny"}}, pattern="treasure", path=path)
    shown = str(state)
    assert "treasure = 1" not in shown
    assert state.status == ("completed" if path == "private" else "error")


async def test_symbols_are_not_found_in_what_may_not_be_read(desk):
    shown = await say(desk, "code_search", {"read": {"*": "allow", "private/*": "deny"}}, query="treasure")
    assert "src/open.py:1" in shown
    assert "private" not in shown


@pytest.mark.parametrize("read", ["ask", {"*": "ask", "docs/*": "allow"}])
async def test_who_is_asked_for_everything_has_said_yes_to_the_search_as_a_whole(desk, read):
    """A rule that makes no difference between the folder and its files holds nothing back."""
    assert "treasure_map" in await say(desk, "grep", {"read": read}, pattern="treasure")


async def test_without_a_rule_about_reading_nothing_is_held_back(desk):
    assert "treasure_map" in await say(desk, "grep", {}, pattern="treasure")
    assert "treasure_map" in await say(desk, "grep", {}, pattern="treasure", path="private/deep/a.py")


async def test_names_are_kept_back_by_the_rules_of_those_who_list_them(desk):
    shown = await say(desk, "glob", {"glob": {"*": "allow", "private/*": "deny"}}, pattern="*.py")
    assert shown == "src/open.py\n(2 files left out that may not be found without permission)"
    shown = await say(desk, "list", {"list": {"*": "allow", "private/*": "deny"}})
    assert "open.py" in shown
    assert "b.py" not in shown
    assert "deep" not in shown
    assert "2 may not be listed without permission" in shown
