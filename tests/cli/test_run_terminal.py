"""`toolpost run` on a real terminal: colours, questions, and text that cannot steer the terminal."""

import asyncio
import re

import pytest
from console import Console

from toolpost.testing import Gate, Upstream, call, calls, pause, reasoning, text

TOKYO = call("get_weather", {"city": "Tokyo"})
COMMAND = call("sh", {"command": "git status"})
STYLE = re.compile(r"\x1b\[[0-9;]*m")


def plain(screen: str) -> str:
    return STYLE.sub("", screen)


async def test_a_person_sees_thoughts_calls_answer_and_what_it_took(tmp_path):
    async with Upstream(reasoning("Hm.") + TOKYO, text("It is **sunny**.", chunk=1)) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("run", "--tools", str(console.tools), "--allow", "*", "How is Tokyo?") as terminal:
            assert await terminal.ended() == 0
    screen = terminal.screen
    assert "\x1b[2mHm.\x1b[0m" in screen
    assert '● get_weather  city="Tokyo"\n  Tokyo: sunny, 22°C  0.0 s\n\nIt is **sunny**.\n' in plain(screen)
    assert "\x1b[1m**sunny**\x1b[0m" in screen
    assert re.search(r"toolpost: \d+ tokens \(.*\) · 2 steps · ", plain(screen))
    assert re.search(r'continue with: toolpost run -s ses_\w+ "…"', plain(screen))


async def test_without_colours_no_escape_is_written(tmp_path):
    async with Upstream(reasoning("Hm.") + TOKYO, text("It is **sunny**.")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "--allow", "*", "go") as terminal:
            assert await terminal.ended() == 0
    assert "\x1b" not in terminal.screen
    assert "sunny" in terminal.screen


async def test_neither_a_model_nor_a_tool_can_steer_the_terminal(tmp_path):
    evil = "a\x1b]0;owned\x07b\x1b[2Jc\x9b31md\x07e\x1b[31"
    async with Upstream(text(evil) + call("long_text", {}), text("m tail", chunk=1)) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "--allow", "*", "go") as terminal:
            assert await terminal.ended() == 0
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", terminal.screen)
    assert "abcd␇e␛[31" in terminal.screen
    assert "  row 0 red  ␇" in terminal.screen
    assert "  … 124 more lines" in terminal.screen


@pytest.mark.parametrize(
    ("answer", "shown", "status"),
    [
        ("y\n", "Tokyo: sunny", 0),
        ("a\n", "Tokyo: sunny", 0),
        ("take Paris\n", "✗ denied: take Paris", 0),
        ("n\n", "✗ denied: get_weather was rejected by the user.", 4),
    ],
)
async def test_a_question_is_answered_in_place(tmp_path, answer, shown, status):
    async with Upstream(TOKYO, text("done"), strict=False) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "go") as terminal:
            asked = await terminal.seen("? ")
            terminal.type(answer)
            assert await terminal.ended() == status
    assert "Allow get_weather\n  city: Tokyo\n" in asked
    assert 'a always in this project: get_weather "*"' in asked
    assert shown in terminal.screen


HIDDEN = "ls\u200b \u202egpj.\u2066x\U000e0072\U000e006d\ufeff\u00a0y\ny once\x1b[2K"


async def test_whoever_decides_sees_what_is_unseen_and_no_line_of_somebody_elses(tmp_path):
    async with Upstream(call("sh", {"command": HIDDEN}), text("done"), strict=False) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "go") as terminal:
            asked = await terminal.seen("? ")
            terminal.type("n\n")
            await terminal.ended()
    seen = "ls\\u{200b} \\u{202e}gpj.\\u{2066}x\\u{e0072}\\u{e006d}\\u{feff}\\u{a0}y"
    assert f"  command:\n    {seen}\n    y once\\x1b[2K\n" in asked
    assert f'a always in this project: shell "{seen}\\ny once\\x1b[2K"\n' in asked
    assert not re.search("[\u200b\u202e\u2066\ufeff\u00a0\U000e0000-\U000e0fff]", asked)


async def test_a_slip_of_the_finger_is_no_answer(tmp_path):
    async with Upstream(TOKYO, text("done")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "go") as terminal:
            await terminal.seen("? ")
            terminal.type("?\n")
            await terminal.seen("n reject and stop")
            await terminal.seen("? ")
            terminal.type("y\n")
            assert await terminal.ended() == 0
    assert "Tokyo: sunny" in terminal.screen


async def test_always_is_kept_and_is_exactly_the_rule_that_was_shown(tmp_path):
    other = call("sh", {"command": "git push"})
    async with Upstream(COMMAND, text("one"), COMMAND, text("two"), other, text("three")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "go") as terminal:
            assert 'shell "git status"' in await terminal.seen("? ")
            terminal.type("a\n")
            assert await terminal.ended() == 0
        assert (await console.run("go")).status == 0
        assert (await console.run("go")).status == 4


async def test_calls_side_by_side_ask_one_after_the_other_and_always_answers_both(tmp_path):
    berlin = call("get_weather", {"city": "Berlin"})
    async with Upstream(calls(TOKYO, berlin), text("done")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "go") as terminal:
            await terminal.seen("? ")
            terminal.type("a\n")
            assert await terminal.ended() == 0
    assert terminal.screen.count("Allow get_weather") == 1
    assert "Tokyo: sunny" in terminal.screen
    assert "Berlin: sunny" in terminal.screen


async def test_ctrl_c_at_a_question_stops_the_run_and_keeps_the_session(tmp_path):
    async with Upstream(TOKYO, text("sunny")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "go") as terminal:
            await terminal.seen("? ")
            terminal.type("\x03")
            assert await terminal.ended() == 130
        assert "continue with: toolpost run -s ses_" in terminal.screen
        assert (await console.run("-c", "and now?")).out == "sunny\n"


async def test_a_second_ctrl_c_kills(tmp_path):
    """A tool that ignores its cancellation holds the end up for a while; who presses twice does not want to wait."""
    async with Upstream(call("stubborn", {})) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        console.tools.write_text(STUBBORN)
        async with console.terminal("run", "--tools", str(console.tools), "--allow", "*", "go") as terminal:
            await terminal.seen("holding on")
            terminal.type("\x03")
            await terminal.seen("not yet")
            terminal.type("\x03")
            assert await terminal.ended() == -2


STUBBORN = '''
import sys, time
from toolpost import ToolContext, tool

@tool
async def stubborn(ctx: ToolContext) -> str:
    """Hold the loop up after a cancellation."""
    import asyncio
    ctx.update("holding on\\n")
    try:
        await asyncio.sleep(60)
    finally:
        sys.stderr.write("not yet")
        sys.stderr.flush()
        time.sleep(30)
'''


async def test_long_live_output_shows_its_head_and_its_tail(tmp_path):
    async with Upstream(COMMAND, text("done")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("run", "--tools", str(console.tools), "--allow", "*", "go") as terminal:
            assert await terminal.ended() == 0
    shown = re.findall(r"^  (line \d+|… .*?)(?:  0\.0 s)?$", terminal.screen, re.MULTILINE)
    assert shown == [*(f"line {n}" for n in range(8)), "… 8 more lines", *(f"line {n}" for n in range(16, 20))]


async def test_the_answer_is_shown_while_it_comes(tmp_path):
    gate = Gate()
    async with Upstream(text("It is **su") + pause(gate) + text("nny**.")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("run", "go") as terminal:
            await terminal.seen("su")
            await asyncio.wait_for(gate.reached.wait(), 30)
            gate.open()
            assert await terminal.ended() == 0


async def test_with_stdout_piped_a_person_is_still_asked_on_the_terminal(tmp_path):
    async with Upstream(TOKYO, text("sunny")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        command = f"{console.folder}/answer.txt"
        async with console.terminal("run", "--tools", str(console.tools), "go", stdout_to=command) as terminal:
            await terminal.seen("? ")
            terminal.type("y\n")
            assert await terminal.ended() == 0
    assert (console.folder / "answer.txt").read_text() == "sunny\n"


async def test_a_circle_is_shown_with_its_arguments_and_words_about_it_reach_the_model(tmp_path):
    look = call("get_weather", {"city": "Tokyo"})
    async with Upstream(look, look, look, text("Elsewhere, then.")) as up:
        console = Console(tmp_path, up.base_url)
        run = ("run", "--tools", str(console.tools), "--allow", "get_weather", "go")
        async with console.terminal(*run) as terminal:
            await terminal.seen("doom_loop")
            await terminal.seen("get_weather was called with the same arguments")
            await terminal.seen("city: Tokyo")
            await terminal.seen("? ")
            terminal.type("ask about Kyoto instead\r")
            await terminal.seen("Elsewhere, then.")
            assert await terminal.ended() == 0
    assert up.requests[-1].body["messages"][-1]["content"] == "ask about Kyoto instead"
