"""What the model asks a person, answered on a real terminal; and sub-agents, whose asks come the same way."""

import re

import pytest
from console import Console

from toolpost.testing import Upstream, call, text

# The built-ins under names of their own, so that these tests say which tools there are.
TOOLS = """
from pathlib import Path
from toolpost import Tool, tool
from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import question, task
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.workbench import Workbench

bench = Workbench(FileAccess(Path.cwd()), ReadTracker(), agents={"explore": "Looks"})

def own(made, name):
    async def execute(arguments, ctx):
        return await made.execute(arguments, ctx)

    return Tool(
        name,
        made.label,
        made.description,
        made.parameters,
        execute,
        timeout=made.timeout,
        read_only=made.read_only,
        heeds_read_only=made.heeds_read_only,
        patterns=made.patterns,
        check=made.check,
    )

ask = own(question.make(bench), "ask_user")
send = own(task.make(bench), "send_agent")

@tool(read_only=True)
def look(at: str) -> str:
    '''Look at something.'''
    return f"saw {at}"

@tool
def change(at: str) -> str:
    '''Change something.'''
    return f"changed {at}"
"""

ASKED = call(
    "ask_user",
    {
        "questions": [
            {"question": "Which colour?", "options": ["red", "blue\x1b[31m"]},
            {"question": "Which sizes?", "options": ["S", "M", "L"], "multiple": True},
            {"question": "Why?"},
        ]
    },
)
ALLOWED = ("--allow", "ask_user", "--allow", "send_agent")


@pytest.fixture
def console(tmp_path):
    def make(up):
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        console.tools.write_text(TOOLS)
        return console

    return make


def answered(up):
    """What the model read as the call's result."""
    return up.requests[1].body["messages"][-1]["content"]


async def test_a_person_chooses_by_number_several_or_writes(console):
    async with Upstream(ASKED, text("thanks")) as up:
        cli = console(up)
        async with cli.terminal("run", "--tools", str(cli.tools), *ALLOWED, "go") as terminal:
            shown = await terminal.seen("? ")
            assert "Which colour?\n  1 red\n  2 blue\\x1b[31m\n" in shown
            assert "a number, or other text; Ctrl-D to decline and stop" in shown
            terminal.type("9\n")
            await terminal.seen("? ")
            terminal.type("1,2\n")
            await terminal.seen("? ")
            terminal.type("green\n")
            assert "Which sizes?\n  1 S\n  2 M\n  3 L\n  numbers such as 1,3" in await terminal.seen("? ")
            terminal.type("3, 1\n")
            assert "Why?\n  type your answer" in await terminal.seen("? ")
            terminal.type("\n")
            await terminal.seen("? ")
            terminal.type("1\n")
            assert await terminal.ended() == 0
        assert answered(up) == "Which colour?\nAnswer: green\n\nWhich sizes?\nAnswer: L, S\n\nWhy?\nAnswer: 1"
    assert "thanks" in terminal.screen


async def test_ctrl_d_declines_and_ends_the_run(console):
    async with Upstream(ASKED) as up:
        cli = console(up)
        async with cli.terminal("run", "--tools", str(cli.tools), *ALLOWED, "go") as terminal:
            await terminal.seen("? ")
            terminal.type("\x04")
            assert await terminal.ended() == 4
    assert "the run ended because a call was rejected" in terminal.screen


async def test_without_a_terminal_the_model_is_told_that_nobody_is_there(console):
    async with Upstream(ASKED, text("I took red")) as up:
        cli = console(up)
        done = await cli.run(*ALLOWED, "go")
        assert (done.status, done.out) == (0, "I took red\n")
        assert answered(up).startswith("Nobody is there to answer.")


async def test_the_chat_asks_between_its_lines(console):
    async with Upstream(ASKED, text("thanks")) as up:
        cli = console(up)
        async with cli.terminal("chat", "--tools", str(cli.tools), *ALLOWED) as terminal:
            await terminal.seen("›")
            terminal.type("go\r")
            for answer in ("2", "1", "so"):
                await terminal.seen("? ")
                terminal.type(f"{answer}\n")
            await terminal.seen("thanks")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
        assert answered(up).startswith("Which colour?\nAnswer: blue")


ERRAND = call("send_agent", {"description": "Look", "prompt": "look at x", "agent": "explore"})


async def test_a_sub_agents_ask_says_whose_it_is_and_its_calls_are_seen(console):
    async with Upstream(ERRAND, call("look", {"at": "x"}), text("x is there"), text("done")) as up:
        cli = console(up)
        async with cli.terminal("run", "--tools", str(cli.tools), *ALLOWED, "go") as terminal:
            assert "Allow look\n  for the sub-agent explore\n" in await terminal.seen("? ")
            terminal.type("y\n")
            assert await terminal.ended() == 0
        offered = {spec["function"]["name"] for spec in up.requests[1].body["tools"]}
        assert "look" in offered
        assert "change" not in offered
    assert "look x" in terminal.screen
    assert "x is there" in terminal.screen


async def test_what_a_sub_agent_was_denied_is_told_at_the_end_and_its_session_is_not_the_latest(console):
    turns = (ERRAND, call("look", {"at": "x"}), text("I may not"), text("done"), text("again"))
    async with Upstream(*turns) as up:
        cli = console(up)
        done = await cli.run(*ALLOWED, "go")
        assert done.status == 4
        assert "denied because no person could approve it: look. To allow it: --allow look" in done.err
        assert (await cli.run("-c", *ALLOWED, "go on")).out == "again\n"
        assert [message["content"] for message in up.requests[-1].body["messages"] if message["role"] == "user"] == [
            "go",
            "go on",
        ]


async def test_a_chat_goes_on_as_a_planner_that_is_offered_nothing_that_changes(console):
    async with Upstream(text("one"), text("two")) as up:
        cli = console(up)
        async with cli.terminal("chat", "--tools", str(cli.tools)) as terminal:
            await terminal.seen("›")
            terminal.type("/agent\r")
            assert re.search(r"build +Does the work", await terminal.seen("/agent NAME selects another"))
            await terminal.seen("›")
            terminal.type("first\r")
            await terminal.seen("one")
            await terminal.seen("›")
            terminal.type("/agent plan\r")
            await terminal.seen("the agent is now plan, which is read-only")
            await terminal.seen("›")
            terminal.type("second\r")
            await terminal.seen("two")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
        before, after = ({spec["function"]["name"] for spec in request.body["tools"]} for request in up.requests)
        assert {"ask_user", "change", "look", "send_agent"} <= before
        assert {"ask_user", "look", "send_agent"} <= after
        assert "change" not in after
