"""How far a rule or a switch reaches: to a tool by its name, to what commands do, to what is there for all servers."""

import json
import sys

import pytest

from toolpost import Agent, tool
from toolpost.guard.rules import Rule
from toolpost.guard.trust import Trust
from toolpost.store.memory import MemoryStore
from toolpost.testing import ScriptedModel, call, text
from toolpost.workspace import Workspace

SERVER = '''
from mcp.server import MCPServer

server = MCPServer("play")

@server.resource("play://note")
def note() -> str:
    """A note."""
    return "noted"

for number in range(NUMBER):
    server.add_tool(lambda: "done", name=f"tool_{number}", description="Do it.")

server.run("stdio")
'''


@pytest.fixture
async def space(tmp_path, monkeypatch):
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    project = tmp_path / "project"
    (project / ".toolpost").mkdir(parents=True)
    (project / "keep.txt").write_text("keep\n")
    (project / "kept").mkdir()
    (project / "kept" / "a").write_text("a\n")
    space = Workspace(project, trusted=True)
    space.store = MemoryStore()
    yield space
    await space.close()


def rule(permission, action, pattern="*"):
    return Rule(permission, pattern, action, "test")


async def run(space, *turns, rules=()):
    with ScriptedModel(*turns) as model:
        session = space.session(space.setup(model, rules=rules))
        await session.run("go")
        states = [part.state for message in session.messages for part in message.calls]
        await session.close()
    return {spec.name for spec in model.requests[0].tools}, states


class TestDenyByName:
    async def test_a_tool_that_is_denied_by_its_own_name_is_not_offered(self, space):
        offered, _ = await run(space, text("ok"), rules=[rule("write", "deny"), rule("edit", "allow")])
        assert "write" not in offered
        assert {"edit", "apply_patch"} <= offered

    async def test_a_deny_of_a_tool_holds_for_its_pattern(self, space):
        turns = [call("write", {"path": path, "content": "x"}) for path in ("kept/b", "free")]
        rules = [rule("edit", "allow"), rule("write", "deny", "kept/*")]
        offered, states = await run(space, *turns, text("ok"), rules=rules)
        assert "write" in offered
        assert [getattr(state, "kind", "done") for state in states] == ["denied", "done"]
        assert not (space.project / "kept" / "b").exists()

    async def test_an_allow_of_a_tool_takes_back_only_a_deny_of_it(self, space):
        rules = [rule("write", "deny"), rule("write", "allow")]
        offered, states = await run(space, call("write", {"path": "x", "content": "x"}), text("ok"), rules=rules)
        assert "write" in offered
        assert states[0].kind == "denied"

    async def test_a_deny_of_everything_leaves_what_is_allowed_by_its_permission(self, space):
        offered, _ = await run(space, text("ok"), rules=[rule("*", "deny"), rule("edit", "allow")])
        assert offered == {"write", "edit", "apply_patch"}

    async def test_it_holds_for_a_tool_in_code_and_for_a_sub_agent(self):
        @tool(permission="shell", patterns=lambda arguments: [arguments["command"]])
        def sh(command: str) -> str:
            """Run a command."""
            return "ran"

        turns = (call("task", {"description": "Go", "prompt": "go"}), text("could not"), text("ok"))
        with ScriptedModel(*turns) as model:
            await Agent(model, [sh, "task"], permissions={"task": "allow", "sh": "deny", "shell": "allow"}).run("go")
        assert all("sh" not in {spec.name for spec in request.tools} for request in model.requests)


class TestCommandsAndFileRules:
    @pytest.mark.parametrize(
        "command", ["echo x > keep.txt", "rm keep.txt", "mv keep.txt y", "cd kept && echo x > ../keep.txt"]
    )
    async def test_a_command_does_not_write_what_may_not_be_edited(self, space, command):
        rules = [rule("bash", "allow"), rule("edit", "deny", "keep.txt")]
        _, states = await run(space, call("bash", {"command": command}), text("ok"), rules=rules)
        assert states[0].kind == "denied"
        assert "A rule denies edit for 'keep.txt'" in states[0].message
        assert (space.project / "keep.txt").read_text() == "keep\n"

    async def test_a_folder_whose_files_may_not_be_edited_is_not_removed(self, space):
        rules = [rule("bash", "allow"), rule("edit", "deny", "kept/*")]
        _, states = await run(space, call("bash", {"command": "rm -r kept"}), text("ok"), rules=rules)
        assert states[0].kind == "denied"
        assert (space.project / "kept" / "a").exists()

    @pytest.mark.parametrize("name", ["bash", "job_start"])
    async def test_a_command_does_not_read_what_may_not_be_read(self, space, name):
        (space.project / "link").symlink_to("keep.txt")
        rules = [rule("bash", "allow"), rule("read", "deny", "keep.txt")]
        turns = [call(name, {"command": f"cat {path}"}) for path in ("keep.txt", "link", "kept/a")]
        _, states = await run(space, *turns, text("ok"), rules=rules)
        assert [getattr(state, "kind", "done") for state in states] == ["denied", "denied", "done"]

    async def test_an_edit_that_would_be_asked_is_not_asked_again_of_a_command(self, space):
        rules = [rule("bash", "allow"), rule("edit", "ask"), rule("read", "ask")]
        await run(space, call("bash", {"command": "cat keep.txt > new"}), text("ok"), rules=rules)
        assert (space.project / "new").read_text() == "keep\n"

    async def test_who_denies_everything_and_allows_commands_has_commands_that_work(self, space):
        rules = [rule("*", "deny"), rule("bash", "allow")]
        await run(space, call("bash", {"command": "cat keep.txt > new"}), text("ok"), rules=rules)
        assert (space.project / "new").read_text() == "keep\n"


class TestSwitchesForServers:
    SHARED = frozenset({"mcp_list_resources", "mcp_read_resource"})
    SEARCH = frozenset({"mcp_search_tools", "mcp_call_tool"})

    def serve(self, space, number, config):
        (space.project / "server.py").write_text(SERVER.replace("NUMBER", str(number)))
        servers = {"play": {"command": sys.executable, "args": [str(space.project / "server.py")]}}
        (space.project / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
        (space.project / ".toolpost" / "config.toml").write_text(f"{config}\n[tool_limits]\nmcp_seconds = 60\n")
        Trust.of_user().give(space.project)

    async def offered(self, space):
        offered, _ = await run(space, text("ok"))
        return {name for name in offered if name.startswith("mcp_")}

    @pytest.mark.parametrize("number", [1, 60])
    async def test_what_switches_off_all_servers_leaves_nothing_of_them(self, space, number):
        for config in ('[tools]\n"mcp__*" = false', '[permissions]\n"mcp__*" = "deny"'):
            self.serve(space, number, config)
            fresh = Workspace(space.project, trusted=True)
            fresh.store = MemoryStore()
            try:
                assert await self.offered(fresh) == set()
            finally:
                await fresh.close()

    async def test_a_name_is_stronger_than_the_switch_before_it(self, space):
        self.serve(space, 1, '[tools]\n"mcp__*" = false\nmcp_read_resource = true')
        assert await self.offered(space) == {"mcp_read_resource"}

    async def test_a_switch_for_one_server_leaves_what_is_there_for_all(self, space):
        self.serve(space, 1, '[tools]\n"mcp__play__*" = false')
        assert await self.offered(space) == self.SHARED

    async def test_a_switch_holds_for_what_is_only_found_by_a_search(self, space):
        self.serve(space, 60, '[tools]\n"mcp__play__tool_7" = false\n[permissions]\n"mcp__*" = "allow"')
        turns = (
            call("mcp_call_tool", {"name": "mcp__play__tool_7", "arguments": {}}),
            call("mcp_call_tool", {"name": "mcp__play__tool_8", "arguments": {}}),
            call("mcp_search_tools", {"query": "mcp__play__tool_7", "limit": 40}),
        )
        offered, states = await run(space, *turns, text("ok"))
        assert offered >= self.SEARCH
        assert [getattr(state, "kind", "done") for state in states] == ["unknown_tool", "done", "done"]
        assert "tool_7\n" not in states[2].content[0].text
