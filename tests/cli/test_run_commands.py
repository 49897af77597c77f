"""Commands of Markdown files, on the command line and in the chat."""

import pytest
from console import Console

from toolpost.testing import Upstream, text

TOOLS = """
from toolpost import tool
import subprocess
from pathlib import Path

@tool(patterns=lambda arguments: [arguments["command"]])
def bash(command: str) -> str:
    '''Run a command.'''
    return subprocess.run(command, shell=True, capture_output=True, text=True).stdout

@tool(read_only=True)
def read(path: str) -> str:
    '''Read a file.'''
    return Path(path).read_text()
"""
COMMAND = """\
---
description: Reviews a change
agent: build
---
Review $1. State: !`echo state of $1`
See @notes.txt
"""


@pytest.fixture
def console(tmp_path):
    def make(up):
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        own = console.folder / ".toolpost" / "tools"
        own.mkdir()
        (own / "tools.py").write_text(TOOLS)
        folder = console.folder / ".toolpost" / "commands"
        folder.mkdir()
        (folder / "review.md").write_text(COMMAND)
        (folder / "plain.md").write_text("Just do $ARGUMENTS")
        (console.folder / "notes.txt").write_text("my notes")
        return console

    return make


def prompt(up, request=0):
    return up.requests[request].body["messages"][-1]["content"]


async def test_a_command_is_filled_in_and_run_as_its_agent(console):
    async with Upstream(text("fine")) as up:
        cli = console(up)
        done = await cli.call("run", "--allow", "*", "--command", "review", "a.py")
        assert (done.status, done.out) == (0, "fine\n")
        assert prompt(up) == "Review a.py. State: state of a.py\n\nSee @notes.txt\n\nnotes.txt:\nmy notes"
        assert "software engineer" in up.requests[0].body["messages"][0]["content"]


async def test_its_shell_commands_need_the_permission_of_bash(console):
    async with Upstream(text("never"), strict=False) as up:
        cli = console(up)
        done = await cli.call("run", "--allow", "read", "--allow", "bash:echo other*", "--command", "review", "a.py")
        assert done.status != 0
        assert "!`echo state of a.py` in the command: bash needs approval" in done.err
        assert up.requests == []
        done = await cli.call("run", "--allow", "read", "--allow", "bash:echo state*", "--command", "review", "a.py")
        assert done.status == 0


async def test_an_unknown_command_names_a_near_one(console):
    async with Upstream() as up:
        done = await console(up).call("run", "--command", "reviw")
    assert done.status == 2
    assert "unknown command 'reviw': did you mean review?" in done.err


async def test_the_chat_lists_and_runs_them(console):
    async with Upstream(text("done it"), text("reviewed"), text("after")) as up:
        cli = console(up)
        async with cli.terminal("chat") as terminal:
            await terminal.seen("›")
            terminal.type("/help\r")
            await terminal.seen("Reviews a change")
            await terminal.seen("›")
            terminal.type("/plain the work\r")
            await terminal.seen("done it")
            await terminal.seen("›")
            terminal.type("/review b.py\r")
            assert "echo state of b.py" in await terminal.seen("? ")
            terminal.type("y\n")
            await terminal.seen("reviewed")
            await terminal.seen("›")
            terminal.type("go on\r")
            await terminal.seen("after")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
        assert prompt(up) == "Just do the work"
        assert prompt(up, 1).startswith("Review b.py. State: state of b.py")
        systems = [request.body["messages"][0]["content"] for request in up.requests]
        assert systems[0] == systems[2]
        assert "software engineer" in systems[1]
        assert len(up.requests[2].body["messages"]) == 6
