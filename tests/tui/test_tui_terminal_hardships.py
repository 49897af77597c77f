"""`toolpost chat` in terminals that are small, slow, poor or suddenly gone, and with more text than fits anywhere."""

import asyncio
import os
import re
import signal

import msgspec
from console import Console
from tmux_terminal import ended, needs_tmux, terminal

from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import Gate, Upstream, call, pause, text
from toolpost.tui.terminal_driver import plain_signs
from toolpost.types.messages import Message, TextPart

pytestmark = needs_tmux

SETTLED = 0.5


def chatting(tmp_path, up, **size):
    return terminal(Console(tmp_path, up.base_url), **size)


async def test_resizing_again_and_again_leaves_each_line_once(tmp_path):
    gate = Gate()
    lines = "\n\n".join(f"paragraph {number:03} of the answer" for number in range(80))
    async with (
        Upstream(text(lines) + pause(gate) + text("\n\nthe last line")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat()
        await screen.enter("go")
        await screen.seen("paragraph 079")
        for number in range(25):
            await screen.resize(45 + number * 37 % 90, 12 + number * 7 % 25)
        await screen.resize(100, 30)
        gate.open()
        shown = await screen.until(
            lambda shown: "the last line" in shown and len(shown.rstrip("\n").split("\n")) == 30, "the whole screen"
        )
        found = re.findall(r"paragraph (\d+)", shown)
        assert found == sorted(set(found))
        assert found[-1] == "079"
        assert shown.count("Ready") == 1


async def test_forty_columns_and_twelve_lines_in_chinese(tmp_path):
    ask = call("bash", {"command": "touch " + "long_name_" * 9})
    async with Upstream(ask, text("好的，做完了 🎉")) as up, chatting(tmp_path, up, columns=40, lines=12) as screen:
        await screen.chat(TOOLPOST_LANG="zh", LC_MESSAGES="zh_CN.UTF-8", LANGUAGE="zh_CN")
        await screen.enter("做吧")
        await screen.matched(r"> y ")
        await asyncio.sleep(SETTLED)
        await screen.key("y")
        shown = await screen.seen("好的，做完了 🎉")
        assert "›" in shown


async def test_without_utf_8_there_is_only_ascii(tmp_path):
    async with (
        Upstream(call("bash", {"command": "echo hi"}), text("plain 你好 answer")) as up,
        chatting(tmp_path, up, columns=120) as screen,
    ):
        await screen.chat(
            "--allow", "bash", ready="Ready", LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
        )
        await screen.enter("go")
        shown = await screen.seen("plain ???? answer", "Ready")
        assert "hi" in shown
        assert shown.isascii(), [char for char in shown if not char.isascii()]


async def test_a_dumb_terminal_gets_plain_text(tmp_path):
    async with Upstream(text("plain answer")) as up, chatting(tmp_path, up) as screen:
        await screen.chat(ready=">", TERM="dumb")
        assert await screen.format("#{alternate_on}") == "0"
        await screen.enter("go")
        await screen.seen("plain answer")


async def test_where_the_errors_go_elsewhere_it_is_no_full_screen(tmp_path):
    async with Upstream() as up, chatting(tmp_path, up) as screen:
        await screen.enter(f"{screen.console.python} -m toolpost chat 2>errors")
        await screen.seen("Ctrl-D")
        assert await screen.format("#{alternate_on}") == "0"


async def test_a_terminal_that_is_closed_leaves_its_run_open(tmp_path):
    """The run that waited for an approval still waits for it in the next chat."""
    async with Upstream(call("bash", {"command": "touch one"}), text("it is there")) as up:
        async with chatting(tmp_path, up) as screen:
            await screen.chat()
            pid = await screen.pid()
            await screen.enter("do it")
            await screen.seen("Allow this?")
            await screen.kill()
            await ended(pid)
            assert not (screen.console.folder / "one").exists()
        async with chatting(tmp_path, up) as screen:
            await screen.chat("-c", ready="Allow this?")
            # The run is driven again, and asks again.
            await screen.seen("❯ do it", "touch one", "Waiting for you")
            await asyncio.sleep(SETTLED)
            await screen.key("y")
            await screen.seen("it is there")
            assert (screen.console.folder / "one").exists()


async def test_a_run_whose_terminal_is_closed_goes_on_in_the_next_chat(tmp_path):
    gate = Gate()
    async with Upstream(text("It is") + pause(gate), text("It is done")) as up:
        async with chatting(tmp_path, up) as screen:
            await screen.chat()
            pid = await screen.pid()
            await screen.enter("do it")
            await screen.seen("It is")
            await screen.kill()
            await ended(pid)
        async with chatting(tmp_path, up) as screen:
            await screen.chat("-c")
            await screen.seen("❯ do it", "It is done", "Ready")


async def test_what_nothing_goes_on_with_is_stopped_with_its_terminal(tmp_path):
    gate = Gate()
    async with Upstream(text("It is") + pause(gate)) as up, chatting(tmp_path, up) as screen:
        (screen.console.folder / ".toolpost" / "config.toml").write_text('resume = "never"\n')
        await screen.chat()
        pid = await screen.pid()
        await screen.enter("do it")
        await screen.seen("It is")
        os.kill(pid, signal.SIGTERM)
        await screen.seen("left with 130")
        await screen.chat("-c")
        await screen.seen("Stopped", "Ready")


async def test_five_megabytes_of_an_answer(tmp_path):
    line = "word " * 19 + "\n\n"
    async with (
        Upstream(text(line * 52_000 + "**the end**", chunk=200_000), text("and on")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat()
        await screen.enter("go")
        await screen.seen("the end", "Ready")
        await screen.enter("again")
        await screen.seen("and on", "Ready")
        left = await screen.leave()
    assert "and on" in left


async def test_two_hundred_thousand_lines_of_output(tmp_path):
    async with (
        Upstream(call("bash", {"command": "seq 200000; sleep 0"}), text("counted")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat("--allow", "bash")
        await screen.enter("count")
        await screen.seen("counted", "Ready", "200000")


async def test_ten_thousand_messages_open_at_their_end(tmp_path):
    async with Upstream(text("answered")) as up, chatting(tmp_path, up) as screen:
        store = SqliteStore(screen.console.data / "toolpost.db")
        info = SessionInfo("ses_long", "A long one", str(screen.console.folder))
        messages, parent = [], None
        for number in range(10_000):
            role = "assistant" if number % 2 else "user"
            messages.append(Message(f"msg_{number:05}", role, (TextPart(f"said {number}"),), parent, 1.0))
            parent = messages[-1].id
        await store.create(info)
        info = await store.info("ses_long")
        await store.commit(SessionChanges("ses_long", msgspec.structs.replace(info, head=parent), messages=messages))
        await store.close()
        await screen.chat("-s", "ses_long")
        await screen.seen("said 9999", "Ready")
        await screen.key("F10")
        for _ in range(3):
            await screen.key("Home")
        await screen.gone("said 9999")
        await screen.key("C-End")
        await screen.seen("said 9999")
        await screen.key("F10")
        await screen.enter("go on")
        await screen.seen("answered")


async def test_wide_characters_keep_their_columns(tmp_path):
    answer = "| 名前 | 天気 |\n|---|---|\n| 東京タワー | ☀️ |\n| ab | 👨‍👩‍👧 |\n\n" + "漢字とかな" * 40
    async with Upstream(text(answer)) as up, chatting(tmp_path, up, columns=60) as screen:
        await screen.chat()
        await screen.enter("天気は？")
        shown = await screen.seen("東京タワー │", "Ready")
        await screen.type("你好 ab")
        await screen.seen("› 你好 ab")
        # The caret of an input method is behind what was typed: mark, blank, two wide characters, blank, two letters.
        assert await screen.format("#{cursor_x}") == "9"
        assert shown.count("漢字とかな") >= 30


async def test_a_terminal_that_does_not_read_holds_no_run_up(tmp_path):
    """Nothing is read of a terminal while a run fills it many times over: the run ends all the same."""
    answer = "\n\n".join(f"row {number} " + "x" * 70 for number in range(3_000))
    turns = (text(answer, chunk=300), call("bash", {"command": "touch done"}))
    async with Upstream(turns[0] + turns[1], text("over")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("chat", "--tui", "full", "--allow", "bash") as screen:
            await screen.seen("Ready")
            loop = asyncio.get_running_loop()
            loop.remove_reader(screen.master)
            screen.type("go\r")
            async with asyncio.timeout(60):
                while not (console.folder / "done").exists():  # noqa: ASYNC110 - nothing tells of it
                    await asyncio.sleep(0.05)
            loop.add_reader(screen.master, screen._read)
            await screen.seen("over")


async def test_a_second_of_delay_as_through_a_slow_line(tmp_path):
    """Keys that come one by one and late, as over SSH, are still those keys: no lone Esc is made of an arrow."""
    async with Upstream(text("answered")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("chat", "--tui", "full") as screen:
            await screen.seen("Ready")
            for piece in ("h", "x", "\x1b[", "D", "i", "\x1b[C", "\x7f", "\r"):
                screen.type(piece)
                await asyncio.sleep(0.03)
            await screen.seen("answered")
    assert up.requests[0].body["messages"][-1]["content"] == "hi"


def test_ascii_takes_as_many_cells_as_what_it_stands_for():
    assert plain_signs("a│你…·é\x1b[0m") == "a|??~-?\x1b[0m"
