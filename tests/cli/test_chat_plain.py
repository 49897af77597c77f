"""The chat as plain text, in a real terminal: no escape codes, each state in a word, `>` marks the choice."""

import asyncio

from console import Console

from toolpost.testing import Gate, Upstream, call, pause, text

TOKYO = call("get_weather", {"city": "Tokyo"})


async def test_plain_text_is_all_that_a_dumb_terminal_gets(tmp_path):
    async with Upstream(TOKYO, text("It is **sunny**.")) as up:
        console = Console(tmp_path, up.base_url, TERM="dumb")
        async with console.terminal("chat", "--tui", "auto", "--tools", str(console.tools)) as terminal:
            await terminal.seen("\n> ")
            terminal.type("How is Tokyo?\n")
            await terminal.seen("working")
            await terminal.seen("Allow get_weather")
            await terminal.seen("? ")
            terminal.type("y\n")
            await terminal.seen("call get_weather")
            await terminal.seen("sunny")
            await terminal.seen("It is **sunny**.")
            await terminal.seen("done: ")
            await terminal.seen("\n> ")
            terminal.type("/agent\n")
            await terminal.seen(" > build")
            await terminal.seen("\n> ")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert "\x1b" not in terminal.screen
    assert not set("●✓✗↳›") & set(terminal.screen)


async def test_a_plain_prompt_has_several_lines_and_ctrl_c_stops_its_run(tmp_path):
    gate = Gate()
    async with Upstream(text("It is") + pause(gate), text("sunny")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("chat", "--tui", "plain") as terminal:
            await terminal.seen("\n> ")
            terminal.type("one\\\ntwo\n")
            await terminal.seen("It is")
            await asyncio.wait_for(gate.reached.wait(), 30)
            terminal.type("\x03")
            await terminal.seen("stopped; the session is saved")
            await terminal.seen("\n> ")
            terminal.type("\x03")
            await terminal.seen("Ctrl-D or /exit quits")
            await terminal.seen("\n> ")
            terminal.type("go on\n")
            await terminal.seen("sunny")
            await terminal.seen("\n> ")
            terminal.type("/exit\n")
            assert await terminal.ended() == 0
    assert "\x1b" not in terminal.screen
    assert up.requests[0].body["messages"][-1]["content"] == "one\ntwo"


async def test_the_face_is_a_setting_and_is_changed_while_the_chat_goes_on(tmp_path):
    async with Upstream(text("one"), text("two")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("chat", "--tui", "plain") as terminal:
            await terminal.seen("\n> ")
            terminal.type("Alpha\n")
            await terminal.seen("one")
            await terminal.seen("\n> ")
            assert "\x1b" not in terminal.screen
            terminal.type("/tui inline\n")
            await terminal.seen("Alpha · 2 messages")
            await terminal.seen("›")
            terminal.type("Beta\r")
            await terminal.seen("two")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert [message["content"] for message in up.requests[1].body["messages"][1:]] == ["Alpha", "one", "Beta"]
