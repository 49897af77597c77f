"""Files of tools as the commands see them: the user's own, names that clash, and what they print."""

import pytest
from console import Console
from project import Project

from toolpost.testing import Upstream, call, calls, text

PRINTS = '''
import asyncio, sys
from toolpost import tool

print("printed while the file is loaded")

@tool
def sync_one(name: str) -> str:
    """Print from a thread."""
    print(f"sync {name}")
    sys.stdout.buffer.write(b"bytes\\\\n")
    return "sync result"

@tool
async def async_one(name: str) -> str:
    """Print from the loop."""
    print(f"async {name}")
    return "async result"
'''.replace("\\\\", "\\")
TOOL = '''from toolpost import tool

@tool
def {name}() -> str:
    """Say where it stands. Use it when asked."""
    return {said!r}
'''


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    made = Project(tmp_path, monkeypatch, capsys)
    (made.folder / ".toolpost/tools/weather.py").unlink()
    return made


def mine(project, name, text):
    folder = project.folder.parent / ".config" / "toolpost" / "tools"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def sources(project):
    listed = project.call("tools", "--json").json
    return {tool["name"]: tool["source"] for tool in listed if tool["source"] != "builtin"}


def doctors_finding(project):
    return {check["name"]: check for check in project.call("doctor", "--json").json["checks"]}["tools"]


async def test_what_tools_print_is_live_output_and_log_and_never_the_answer(tmp_path):
    made = calls(call("sync_one", {"name": "a"}), call("async_one", {"name": "b"}))
    async with Upstream(made, text("The answer."), made, text("The answer.")) as up:
        console = Console(tmp_path, up.base_url)
        console.tools.write_text(PRINTS)
        done = await console.run("--allow", "*", "go")
        as_json = await console.run("--allow", "*", "--format", "json", "go")
    assert done.out == "The answer.\n"
    live = {"sync_one": "", "async_one": ""}
    for event in as_json.events:
        if event["type"] == "tool_execution_update":
            live[event["name"]] += event["text"]
    assert live == {"sync_one": "sync a\nbytes\n", "async_one": "async b\n"}
    log = (console.data / "toolpost.log").read_text()
    for line in ("tools.py: printed while the file is loaded", "sync_one: sync a", "async_one: async b"):
        assert log.count(line) == 2


async def test_what_a_tool_prints_is_shown_while_it_runs_on_a_terminal(tmp_path):
    async with Upstream(call("sync_one", {"name": "a"}), text("The answer.")) as up:
        console = Console(tmp_path, up.base_url)
        console.tools.write_text(PRINTS)
        async with console.terminal("run", "--tools", str(console.tools), "--allow", "*", "go") as terminal:
            await terminal.seen("sync a")
            await terminal.seen("The answer.")
            assert await terminal.ended() == 0


def test_the_users_own_tools_are_there_in_every_project_without_trust(project):
    mine(project, "mine.py", TOOL.format(name="mine", said="mine"))
    project.write(".toolpost/tools/theirs.py", TOOL.format(name="theirs", said="theirs"))
    project.trusted = False
    assert sources(project) == {"mine": "user:~/.config/toolpost/tools/mine.py"}


def test_a_projects_tool_takes_the_place_of_the_users_and_it_is_announced(project):
    mine(project, "mine.py", TOOL.format(name="same", said="mine"))
    project.write(".toolpost/tools/theirs.py", TOOL.format(name="same", said="theirs"))
    done = project.call("tools")
    assert sources(project) == {"same": "project:.toolpost/tools/theirs.py"}
    assert (
        "the project's .toolpost/tools/theirs.py takes the place of your ~/.config/toolpost/tools/mine.py, "
        "which has a tool same" in done.err
    )
    assert doctors_finding(project)["state"] == "ok"


def test_one_bad_or_doubled_name_keeps_no_other_tool_away(project):
    project.write(".toolpost/tools/a.py", TOOL.format(name="get", said="a") + TOOL.format(name="fine", said="fine"))
    project.write(".toolpost/tools/b.py", TOOL.format(name="get", said="b"))
    bad = TOOL.replace("@tool", '@tool(name="{call}")').format(name="odd", said="x", call="no good name")
    twice = "".join(
        TOOL.replace("@tool", '@tool(name="twice")').format(name=name, said=name) for name in ("first", "second")
    )
    project.write(".toolpost/tools/c.py", twice)
    project.write(".toolpost/tools/d.py", bad)
    done = project.call("tools")
    assert set(sources(project)) == {"a_get", "b_get", "fine", "twice"}
    assert "note: get of a.py is named a_get, for b.py has a tool get, too" in done.err
    assert '.toolpost/tools/d.py:3: UsageError: "no good name" is not a valid tool name' in done.err
    assert "two tools in the project's .toolpost/tools/c.py are named twice" in done.err
    found = doctors_finding(project)
    assert found["state"] == "broken"
    assert "no good name" in found["text"]
    checked = project.call("tools", "check", "--json").json
    assert set(checked["checked"]) == {"a_get", "b_get", "fine", "twice"}
    assert len(checked["broken"]) == 2


def test_a_neighbour_that_changes_takes_the_trust_away(project):
    project.write(".toolpost/tools/helpers.py", "RATE = 3\n")
    project.write(".toolpost/tools/money.py", "from helpers import RATE\n" + TOOL.format(name="money", said="x"))
    assert set(sources(project)) == {"money"}
    project.trusted = False
    project.write(".toolpost/tools/helpers.py", "RATE = 4\n")
    done = project.call("tools")
    assert sources(project) == {}
    assert ".toolpost/tools/helpers.py" in done.err
