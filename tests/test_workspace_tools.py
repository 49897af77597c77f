"""A folder's built-in tools, servers and trust, as the faces get them."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from toolpost import Plugin, tool
from toolpost.guard.rules import Rule
from toolpost.guard.trust import Trust
from toolpost.store.memory import MemoryStore
from toolpost.testing import ScriptedModel, call, text
from toolpost.workspace import Workspace

TOOLS = '''
from pathlib import Path
from toolpost import tool

Path("loaded").touch()

@tool
def look() -> str:
    """Look."""
    return "seen"
'''
SERVER = '''

from mcp.server import MCPServer

server = MCPServer("play")

@server.tool()
def echo(text: str) -> str:
    """Say it again."""
    return f"echo {text}"

server.run("stdio")
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    project = tmp_path / "project"
    project.mkdir()
    (project / ".git").mkdir()
    (project / "notes.txt").write_text("a lathe turns the work\n")
    monkeypatch.chdir(project)
    return project


@pytest.fixture
async def open_folder(folder):
    opened = []

    def make(**options):
        space = Workspace(folder, **options)
        space.store = MemoryStore()
        opened.append(space)
        return space

    yield make
    for space in opened:
        await space.close()


def write(folder: Path, name: str, content: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


async def run(space: Workspace, *turns, **setup):
    with ScriptedModel(*turns) as model:
        session = space.session(space.setup(model, **setup))
        result = await session.run("go")
    return model, session, result


def results(session) -> list[str]:
    calls = [part for message in session.messages for part in message.calls]
    return [part.state.message if hasattr(part.state, "message") else part.state.content[0].text for part in calls]


async def test_files_are_read_without_a_question_and_changed_only_with_one(open_folder, folder):
    turns = (
        call("read", {"path": "notes.txt"}),
        call("edit", {"path": "notes.txt", "old_text": "lathe", "new_text": "mill"}),
        text("ok"),
    )
    _, session, result = await run(open_folder(), *turns)
    assert result.denied == ("edit",)
    assert "a lathe turns the work" in results(session)[0]
    assert (folder / "notes.txt").read_text() == "a lathe turns the work\n"


async def test_a_change_is_in_the_journal_and_a_command_runs_in_the_sandbox(open_folder, folder):
    space = open_folder()
    write(folder, ".toolpost/config.toml", '[permissions]\nedit = "allow"\nbash = "allow"\n')
    Trust.of_user().give(folder)
    turns = (
        call("read", {"path": "notes.txt"}),
        call("edit", {"path": "notes.txt", "old_text": "lathe", "new_text": "mill"}),
        call("bash", {"command": "cat notes.txt; d=..; touch $d/outside"}),
        text("ok"),
    )
    _, session, _ = await run(space, *turns)
    assert (folder / "notes.txt").read_text() == "a mill turns the work\n"
    assert "a mill turns the work" in results(session)[2]
    assert not (folder.parent / "outside").exists()
    (change,) = space.journal.changes()
    assert Path(change.path) == folder / "notes.txt"


async def test_what_a_folder_brings_along_does_nothing_before_it_is_trusted(open_folder, folder):
    write(folder, ".toolpost/tools/tools.py", TOOLS)
    write(
        folder,
        ".toolpost/config.toml",
        'system = "Obey."\n[permissions]\n"*" = "allow"\n[mcp.play]\ncommand = "touch"\nargs = ["started"]\n',
    )
    write(folder, ".mcp.json", json.dumps({"mcpServers": {"other": {"command": "touch", "args": ["started"]}}}))
    write(folder, ".toolpost/agents/a.md", "Be an agent.")
    write(folder, ".toolpost/skills/s/SKILL.md", "---\nname: s\ndescription: A skill.\n---\nDo it.")
    model, _, result = await run(space := open_folder(), call("bash", {"command": "true"}), text("ok"))
    offered = {spec.name for spec in model.requests[0].tools}
    assert "look" not in offered
    assert "skill" not in offered
    assert "Obey." not in model.requests[0].system[1]
    assert "a" not in space.agents
    assert space.servers is None
    assert result.denied == ("bash",)
    assert not (folder / "loaded").exists()
    assert not (folder / "started").exists()
    assert any("toolpost trust" in notice for notice in space.notices)


async def test_trust_ends_with_the_first_byte_that_changes(open_folder, folder):
    write(folder, ".toolpost/tools/tools.py", TOOLS)
    Trust.of_user().give(folder)
    assert "look" in open_folder().tools
    write(folder, ".toolpost/tools/tools.py", f"{TOOLS}#")
    space = open_folder()
    assert "look" not in space.tools
    assert "changed since you trusted it: .toolpost/tools/tools.py" in space.notices[0]


def test_settings_above_the_project_have_to_be_trusted_as_well(open_folder, folder):
    inner = folder / "inner"
    write(inner, ".toolpost/agents/a.md", "Be an agent.")
    write(folder, ".toolpost/config.toml", 'model = "a/b"')
    Trust.of_user().give(inner)
    assert Workspace(inner).config.model is None
    Trust.of_user().give(folder)
    assert Workspace(inner).config.model == "a/b"


async def test_the_tools_of_a_server_are_there_in_the_first_step(open_folder, folder):
    write(folder, "server.py", SERVER)
    server = {"command": sys.executable, "args": [str(folder / "server.py")]}
    write(folder, ".mcp.json", json.dumps({"mcpServers": {"play": server}}))
    write(folder, ".toolpost/config.toml", '[permissions]\n"mcp__*" = "allow"\n[tool_limits]\nmcp_seconds = 60\n')
    Trust.of_user().give(folder)
    model, session, _ = await run(open_folder(), call("mcp__play__echo", {"text": "hi"}), text("ok"))
    assert "mcp__play__echo" in {spec.name for spec in model.requests[0].tools}
    assert "echo hi" in results(session)[0]


async def test_a_server_that_never_answers_does_not_hold_the_run(open_folder, folder):
    server = {"command": sys.executable, "args": ["-c", "import time; time.sleep(600)"]}
    write(folder, ".mcp.json", json.dumps({"mcpServers": {"dead": server}}))
    write(folder, ".toolpost/config.toml", "[tool_limits]\nmcp_seconds = 0.2\n")
    Trust.of_user().give(folder)
    _, _, result = await run(space := open_folder(), text("hello"))
    assert result.text == "hello"
    assert any("dead is still connecting" in notice for notice in space.notices)


async def test_a_very_small_model_is_offered_the_users_own_tools_only(open_folder, folder):
    def offered(space):
        model = ScriptedModel(provider="embedded")
        setup = space.setup(model)
        return [tool.name for tool in setup.tools if setup.choice.offers(tool.name)]

    assert offered(open_folder()) == ["glob", "grep", "list", "read"]
    write(folder, ".toolpost/tools/tools.py", TOOLS)
    write(folder, ".toolpost/config.toml", "[tools]\nbash = true\n")
    Trust.of_user().give(folder)
    assert offered(open_folder()) == ["bash", "look"]


@asynccontextmanager
async def searxng():
    """A search engine with one result for everything; gives its port and what it was asked."""
    asked: list[str] = []

    async def answer(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        asked.append(head.split()[1].decode())
        found = [{"title": "Lathes", "url": "https://lathe.example/", "content": "They turn the work."}]
        body = json.dumps({"results": found}).encode()
        kind = b"Content-Type: application/json\r\n"
        writer.write(b"HTTP/1.1 200 OK\r\n" + kind + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], asked


@pytest.mark.parametrize("allowed", [True, False])
async def test_an_agent_that_searches_first_gets_results_beside_the_question(open_folder, folder, allowed):
    async with searxng() as (port, asked):
        rule = "" if allowed else 'permissions = { web_search = "ask" }\n'
        settings = f'[web]\nsearxng = "http://127.0.0.1:{port}"\nsearch = "searxng"\n'
        write(folder, ".toolpost/config.toml", f"{rule}{settings}[agents.build]\npresearch = true\n")
        Trust.of_user().give(folder)
        model, session, _ = await run(open_folder(), text("ok"))
    prompt = model.requests[0].messages[0].text
    assert prompt.startswith("go")
    assert ("https://lathe.example/" in prompt) is allowed
    assert ("<untrusted" in prompt) is allowed
    assert bool(asked) is allowed
    # What is kept is what was written; what was found stands beside it.
    stored = session.messages[0]
    assert stored.text == "go"
    assert [part.type for part in stored.parts] == (["text", "context"] if allowed else ["text"])


async def test_what_was_found_for_a_question_is_read_in_later_turns_and_searched_for_no_more(open_folder, folder):
    async with searxng() as (port, asked):
        settings = f'[web]\nsearxng = "http://127.0.0.1:{port}"\nsearch = "searxng"\n'
        write(folder, ".toolpost/config.toml", f"{settings}[agents.build]\npresearch = true\n")
        Trust.of_user().give(folder)
        space = open_folder()
        with ScriptedModel(text("one"), text("two"), text("three")) as model:
            session = space.session(space.setup(model))
            await session.run("go")
            await session.run("and then?")
            await session.retry()
    first, _, second = (message.text for message in model.requests[1].messages)
    assert first.startswith("go\n\n")
    assert "https://lathe.example/" in first
    assert second.startswith("and then?\n\n")
    assert model.requests[2].messages == model.requests[1].messages
    assert len(asked) == 2
    assert [message.text for message in session.messages if message.role == "user"] == ["go", "and then?"]


async def test_a_read_only_agent_can_write_neither_by_tool_nor_by_shell_nor_by_a_child(open_folder, folder):
    write(folder, ".toolpost/config.toml", '[permissions]\n"*" = "allow"\n')
    Trust.of_user().give(folder)
    below = call("bash", {"command": "touch by-child; echo ran"})
    turns = (
        call("write", {"path": "by-tool", "content": "x"}),
        call("bash", {"command": "touch by-shell; echo ran"}),
        call("job_start", {"command": "touch by-job"}),
        call("batch", {"calls": [{"tool": "write", "arguments": {"path": "by-batch", "content": "x"}}]}),
        call("task", {"description": "Touch", "prompt": "touch"}),
        below,
        text("child done"),
        text("ok"),
    )
    model, session, _ = await run(open_folder(), *turns, agent="plan")
    offered = {spec.name for spec in model.requests[0].tools}
    assert offered >= {"read", "grep", "bash", "task", "question"}
    assert not offered & {"write", "edit", "apply_patch"}
    assert "ran" in results(session)[1]
    assert sorted(path.name for path in folder.glob("by-*")) == []


async def test_what_stands_for_nothing_while_a_command_runs_is_not_listed(open_folder, folder):
    write(folder, "inner/file.txt", "x")
    space = Workspace(folder / "inner", trusted=True)
    space.project = folder / "inner"
    space.store = MemoryStore()
    turns = (
        call("job_start", {"command": "sleep 60"}),
        call("list", {}),
        text("ok"),
    )
    _, session, _ = await run(space, *turns, rules=[Rule("bash", "*", "allow")])
    assert (folder / "inner" / ".toolpost").exists()
    assert "file.txt" in results(session)[1]
    assert ".toolpost" not in results(session)[1]
    await space.close()
    assert not (folder / "inner" / ".toolpost").exists()


INIT = '''
from toolpost import InitContext, tool

async def init(context: InitContext):
    if context.agent == "plan":
        return None
    return {"description": f"For {context.model.id} as {context.agent} in {context.folder.name}."}

@tool(init=init)
def look() -> str:
    """Look."""
    return "seen"

@tool(init=lambda context: 1 / 0)
def broken() -> str:
    """Break when a session starts."""
    return ""
'''


async def test_tools_of_a_folder_say_how_they_are_for_agent_and_model(open_folder, folder):
    write(folder, ".toolpost/tools/tools.py", INIT)
    Trust.of_user().give(folder)
    space = open_folder()
    model, session, _ = await run(space, call("look"), text("ok"), rules=[Rule("look", "*", "allow")])
    offered = {spec.name: spec.description for spec in model.requests[0].tools}
    assert offered["look"] == "For scripted/model as build in project."
    assert results(session) == ["seen"]
    assert "broken" not in offered
    told = "tool broken: its init failed: ZeroDivisionError: division by zero. The tool is not offered"
    assert [told in notice for notice in space.notices].count(True) == 1
    await run(space, text("ok"))
    assert [told in notice for notice in space.notices].count(True) == 1
    model, _, _ = await run(space, text("ok"), agent="plan")
    assert "look" not in {spec.name for spec in model.requests[0].tools}


async def test_a_folder_goes_on_without_the_tools_of_a_plugin_that_fails(open_folder):
    class Slow(Plugin):
        name = "slow"

        async def tools(self):
            await asyncio.sleep(0)
            return [replace(nothing, name="slow_tool", touches_machine=True)]

    class Broken(Plugin):
        name = "broken"

        def tools(self):
            raise RuntimeError("no licence")

    class Late(Plugin):
        name = "late"

        async def tools(self):
            raise RuntimeError("no network")

    space = open_folder()
    space.plugins = [Broken(), Late(), Slow()]
    assert "slow_tool" not in space.tools
    assert "slow_tool" not in space.machine_permissions
    model, _, _ = await run(space, text("ok"))
    assert "slow_tool" in {spec.name for spec in model.requests[0].tools}
    # On a server with several users, these are for admins.
    assert "slow_tool" in space.machine_permissions
    assert any("plugin broken: tools() failed: RuntimeError: no licence" in notice for notice in space.notices)
    assert any("plugin late: tools() failed: RuntimeError: no network" in notice for notice in space.notices)


@tool
def nothing() -> str:
    """Do nothing."""
    return ""
