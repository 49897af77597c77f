"""Built-in tools and MCP servers in an agent that is made in code."""

import sys
from pathlib import Path

import pytest

from toolpost import Agent, McpServer
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.limits import ToolLimits
from toolpost.tools.untrusted import RULE

EVERYTHING = Path(__file__).parent / "mcp" / "servers" / "node_modules" / ".bin" / "mcp-server-everything"
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
def folder(tmp_path):
    (tmp_path / "notes.txt").write_text("a lathe turns the work\n")
    return tmp_path


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """On a busy machine a server takes longer to start than a run waits for it."""
    monkeypatch.setattr("toolpost.sdk.ToolLimits", lambda: ToolLimits(mcp_seconds=60.0))


@pytest.fixture
def server(tmp_path):
    file = tmp_path / "server.py"
    file.write_text(SERVER)
    return McpServer("play", command=sys.executable, args=(str(file),))


def results(session) -> list[str]:
    return [
        "\n".join(part.text for part in one.state.content) if hasattr(one.state, "content") else one.state.message
        for message in session.messages
        for one in message.calls
    ]


async def test_a_built_in_works_in_the_agents_folder_and_changes_nothing_unasked(folder):
    turns = (
        call("read", {"path": "notes.txt"}),
        call("write", {"path": "new.txt", "content": "x"}),
        call("read", {"path": "/etc/hostname"}),
        text("ok"),
    )
    with ScriptedModel(*turns) as model:
        async with Agent(model, tools=["read", "write"], folder=folder) as agent:
            session = agent.session()
            result = await session.run("go")
    assert "a lathe turns the work" in results(session)[0]
    assert result.denied == ("write", "read")
    assert not (folder / "new.txt").exists()


async def test_a_rule_lets_a_built_in_write(folder):
    with ScriptedModel(call("write", {"path": "new.txt", "content": "x"}), text("ok")) as model:
        await Agent(model, tools=["write"], folder=folder, permissions={"edit": "allow"}).run("go")
    assert (folder / "new.txt").read_text() == "x"


async def test_a_server_given_in_code_may_be_called(folder, server):
    with ScriptedModel(call("mcp__play__echo", {"text": "hi"}), text("ok")) as model:
        async with Agent(model, mcp=[server], folder=folder) as agent:
            session = agent.session()
            await session.run("go")
            assert "mcp__play__echo" in agent.tools
        assert "mcp__play__echo" not in agent.tools
    assert "echo hi" in results(session)[0]
    (told,) = model.requests[0].system
    assert told.startswith(f"{RULE}\n\nToday's date: ")


def test_without_a_loop_of_ones_own_servers_end_with_the_run(folder, server):
    with ScriptedModel(
        call("mcp__play__echo", {"text": "1"}), text("one"), call("mcp__play__echo", {"text": "2"}), text("two")
    ) as model:
        agent = Agent(model, mcp=[server], folder=folder)
        assert agent.run_sync("go").text == "one"
        assert agent.run_sync("go").text == "two"


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_server_may_ask_the_model_where_that_is_allowed(folder, allowed):
    server = McpServer("everything", command=str(EVERYTHING), args=("stdio",))
    rules = {"mcp_sampling": "allow"} if allowed else None
    think = call("mcp__everything__trigger-sampling-request", {"prompt": "why?", "maxTokens": 50})
    turns = [think, *([text("because")] if allowed else []), text("ok")]
    with ScriptedModel(*turns) as model:
        async with Agent(model, mcp=[server], folder=folder, permissions=rules) as agent:
            session = agent.session()
            result = await session.run("go")
    assert ("because" in results(session)[0]) is allowed
    assert result.text == "ok"
    if allowed:
        aside = model.requests[1]
        assert "why?" in aside.messages[0].text
        assert aside.options["max_tokens"] == 50
        assert aside.tools == ()


async def test_the_servers_of_an_agent_that_is_sent_are_ready_as_well(folder, server):
    with ScriptedModel(call("mcp__play__echo", {"text": "below"}), text("reported")) as below:
        helper = Agent(below, name="helper", description="Helps.", mcp=[server], folder=folder)
        errand = call("task", {"description": "Help", "prompt": "help", "agent": "helper"})
        with ScriptedModel(errand, text("ok")) as model:
            async with Agent(model, agents=[helper], folder=folder) as agent:
                result = await agent.run("go")
    assert result.text == "ok"
    assert "mcp__play__echo" in {spec.name for spec in below.requests[0].tools}
    assert "below" in below.requests[1].messages[-1].calls[0].state.content[0].text
