"""Resources and prompts of MCP servers, for a person at the command line: a real server that nobody here wrote."""

import json
from pathlib import Path

import pytest
from console import Console
from hypothesis import given
from hypothesis import strategies as st

from toolpost.cli.shared.mcp_mentions import fill_in
from toolpost.testing import Upstream, call, text

EVERYTHING = Path(__file__).parents[1] / "mcp" / "servers" / "node_modules" / ".bin" / "mcp-server-everything"


@pytest.fixture
def console(tmp_path):
    def make(up):
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        servers = {"everything": {"command": str(EVERYTHING), "args": ["stdio"]}}
        (console.folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
        (console.folder / ".toolpost" / "config.toml").write_text("[tool_limits]\nmcp_seconds = 60\n")
        return console

    return make


def asked(up, request=0):
    content = next(one["content"] for one in up.requests[request].body["messages"] if one["role"] == "user")
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


async def test_what_a_prompt_mentions_goes_along_marked_as_the_servers(console):
    async with Upstream(text("read it")) as up:
        done = await console(up).call("run", "Sum up @everything:demo://resource/static/document/features.md please")
        assert done.status == 0, done.err
        assert asked(up).startswith("Sum up @everything:demo://resource/static/document/features.md please")
        assert '<untrusted source="MCP server everything, demo://resource' in asked(up)


async def test_a_mention_that_cannot_be_read_is_told_before_anything_is_sent(console):
    async with Upstream() as up:
        done = await console(up).call("run", "Sum up @everything:demo://nothing/here")
        assert done.status == 1
        assert "@everything:demo://nothing/here: " in done.err
        assert up.requests == []


async def test_a_mention_of_a_server_that_is_not_there_is_told_and_sent_as_it_is(console):
    async with Upstream(text("read it")) as up:
        done = await console(up).call("run", "Sum up @everythin:demo://resource/1, @me:note:x and http://me@h:80/x")
        assert done.status == 0, done.err
        assert "unknown MCP server everythin; configured: everything" in done.err
        assert done.err.count("unknown MCP server") == 1
        assert asked(up).endswith("Sum up @everythin:demo://resource/1, @me:note:x and http://me@h:80/x")


async def test_a_prompt_of_a_server_is_a_command(console):
    async with Upstream(text("sunny")) as up:
        done = await console(up).call("run", "--command", "mcp__everything__args-prompt", "city=Oslo")
        assert done.status == 0, done.err
        assert "Oslo" in asked(up)


async def test_a_tool_of_a_server_runs_where_a_rule_allows_it(console):
    async with Upstream(call("mcp__everything__echo", {"message": "lathe"}), text("said")) as up:
        done = await console(up).call("run", "--allow", "mcp__everything__echo", "go")
        assert done.status == 0, done.err
        result = up.requests[1].body["messages"][-1]["content"]
        assert "Echo: lathe" in result
        assert result.startswith("<untrusted")


async def test_the_chat_runs_and_lists_prompts_of_servers(console):
    async with Upstream(text("sunny")) as up, console(up).terminal("chat") as terminal:
        await terminal.seen("›")
        terminal.type("/mcp__everything__args-prompt Oslo\r")
        await terminal.seen("sunny")
        await terminal.seen("›")
        terminal.type("/help\r")
        await terminal.seen("/mcp__everything__args-prompt")
        await terminal.seen("›")
        terminal.type("/mcp\r")
        await terminal.seen("everything  connected")
        await terminal.seen("›")
        terminal.type("\x04")
        assert await terminal.ended() == 0
        assert "Oslo" in asked(up)


@pytest.mark.parametrize(
    ("typed", "filled"),
    [
        ("Oslo", {"city": "Oslo"}),
        ("Oslo in the north", {"city": "Oslo", "state": "in the north"}),
        ("state=Viken Oslo", {"city": "Oslo", "state": "Viken"}),
        ('"New York"', {"city": "New York"}),
        ("it's", {"city": "it's"}),
        ("", {}),
    ],
)
def test_arguments_are_given_by_name_or_place(typed, filled):
    assert fill_in(["city", "state"], typed) == filled


@given(st.lists(st.sampled_from(["a", "b", "c"]), unique=True), st.text(max_size=30))
def test_whatever_is_typed_only_known_arguments_are_filled(names, typed):
    assert set(fill_in(names, typed)) <= set(names)
