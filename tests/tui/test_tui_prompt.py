"""The prompt of the terminal: sending, several lines, pastes, and where the cursor is."""

from pathlib import Path

import pytest
from prompt_play import playing
from textual import events
from textual._xterm_parser import XTermParser
from textual.widgets import Static


async def test_enter_sends_and_empties_the_prompt() -> None:
    async with playing() as play:
        await play.type("hello")
        await play.keys("enter")
        sent = await play.sent()
        assert (sent.text, sent.files, sent.is_steer, play.text) == ("hello", (), False, "")
        await play.keys("enter", "space", "enter")
        assert len(play.app.sent) == 1


@pytest.mark.parametrize("key", ["shift+enter", "ctrl+j", "alt+enter", "shift+\r"])
async def test_a_new_line_is_made_by_more_than_one_key(key: str) -> None:
    async with playing() as play:
        await play.keys("a", key, "b", "enter")
        assert (await play.sent()).text == "a\nb"


async def test_a_backslash_before_enter_makes_a_new_line() -> None:
    async with playing() as play:
        await play.keys("a", "\\", "enter", "b")
        assert play.text == "a\nb"


@pytest.mark.parametrize(
    ("sequence", "key"),
    [
        ("\x1b[13;2u", "shift+enter"),
        ("\x1b\r", "alt+enter"),
        ("\x1b[13;3u", "alt+enter"),
        ("\n", "ctrl+j"),
    ],
)
def test_a_terminal_with_and_without_the_kitty_protocol_is_understood(sequence: str, key: str) -> None:
    found = list(XTermParser().feed(sequence))
    assert [event.key for event in found if isinstance(event, events.Key)] == [key]


async def test_while_a_run_works_enter_steers_and_tab_queues() -> None:
    async with playing() as play:
        play.prompt.is_busy = True
        assert "steers" in str(play.prompt.area.placeholder)
        await play.type("left")
        await play.keys("enter")
        await play.type("later")
        await play.keys("tab")
        assert [(one.text, one.is_steer) for one in (await play.sent(1), await play.sent(2))] == [
            ("left", True),
            ("later", False),
        ]


async def test_beside_a_run_of_another_process_nothing_is_said_to_steer_it() -> None:
    async with playing() as play:
        play.prompt.is_busy = play.prompt.is_elsewhere = True
        assert str(play.prompt.area.placeholder).startswith("Another process drives this run")
        play.prompt.is_elsewhere = False
        assert "steers" in str(play.prompt.area.placeholder)


async def test_keys_can_be_given_to_other_actions() -> None:
    async with playing() as play:
        play.app.set_keymap({"prompt.send": "ctrl+s", "prompt.new_line": "enter"})
        await play.keys("a", "enter", "b")
        assert play.text == "a\nb"
        await play.keys("ctrl+s")
        assert (await play.sent()).text == "a\nb"


async def test_the_prompt_grows_up_to_ten_rows() -> None:
    async with playing(size=(30, 30)) as play:
        assert play.prompt.area.size.height == 1
        await play.type("x" * 40)
        assert play.prompt.area.size.height == 2
        for _ in range(14):
            await play.keys("ctrl+j")
        assert play.prompt.area.size.height == 10
        play.prompt.clear()
        await play.until(lambda: play.prompt.area.size.height == 1)


async def test_the_terminals_cursor_is_at_the_caret_for_input_methods() -> None:
    async with playing() as play:
        await play.type("你好ab")
        assert play.app.cursor_position == play.prompt.area.cursor_screen_offset
        start = play.prompt.area.content_region.x
        assert play.app.cursor_position == (start + 6, 19)
        await play.keys("left", "left", "left")
        assert play.app.cursor_position == (start + 2, 19)
        await play.pilot.resize_terminal(40, 12)
        await play.until(lambda: play.app.cursor_position == (start + 2, 11))


async def test_the_cursor_follows_where_the_prompt_moves() -> None:
    async with playing() as play:
        await play.type("你")
        await play.app.mount(Static("below\nit"), after=play.prompt)
        await play.until(lambda: play.app.cursor_position == play.prompt.area.cursor_screen_offset != (4, 19))
        assert play.app.cursor_position.y == 17


async def test_chinese_text_is_typed_wrapped_and_sent() -> None:
    async with playing(size=(22, 10)) as play:
        text = "请把这个文件翻译成英文，谢谢😀"
        await play.type(text)
        assert play.prompt.area.size.height == 2
        await play.keys("backspace", "enter")
        assert (await play.sent()).text == text[:-1]


async def test_typing_is_undone_and_redone() -> None:
    async with playing() as play:
        await play.type("one")
        await play.keys("ctrl+u")
        assert play.text == ""
        await play.keys("ctrl+underscore")
        assert play.text == "one"
        await play.keys("alt+underscore")
        assert play.text == ""


async def test_a_long_paste_is_one_label_and_sent_whole() -> None:
    pasted = "\n".join(f"line {number}" for number in range(120))
    async with playing() as play:
        await play.type("see ")
        await play.paste(pasted)
        assert play.text == "see [pasted 120 lines]"
        assert play.prompt.draft == f"see {pasted}"
        await play.keys("enter")
        assert (await play.sent()).text == f"see {pasted}"


async def test_a_long_line_is_folded_and_a_short_paste_is_not() -> None:
    async with playing() as play:
        await play.paste("x" * 1_001)
        assert play.text == "[pasted 1,001 characters]"
        await play.paste("a\r\nb\rc")
        assert play.text.endswith("]a\nb\nc")


async def test_two_equal_pastes_have_labels_of_their_own() -> None:
    first, second = "a\n" * 20, "b\n" * 20
    async with playing() as play:
        await play.paste(first)
        await play.paste(second)
        assert play.text == "[pasted 20 lines][pasted 20 lines #2]"
        assert play.prompt.draft == first + second


async def test_a_label_is_stepped_over_and_deleted_as_a_whole() -> None:
    async with playing() as play:
        await play.type("a")
        await play.paste("x\n" * 20)
        await play.type("b")
        await play.keys("left", "left", "c")
        assert play.text == "ac[pasted 20 lines]b"
        await play.keys("right", "backspace")
        assert play.text == "acb"
        await play.keys("ctrl+underscore")
        assert play.text == "ac[pasted 20 lines]b"
        await play.keys("home", "right", "right", "delete")
        assert play.text == "acb"
        await play.keys("ctrl+underscore")
        assert play.prompt.draft == "ac" + "x\n" * 20 + "b"


async def test_a_label_is_unfolded_by_a_key() -> None:
    async with playing() as play:
        await play.type("see ")
        await play.paste("x\n" * 20)
        await play.keys("alt+p")
        assert play.text == "see " + "x\n" * 20
        await play.keys("ctrl+underscore")
        assert play.text == "see [pasted 20 lines]"


async def test_five_megabytes_are_pasted_without_being_drawn() -> None:
    pasted = "0123456789abcde\n" * (5_000_000 // 16)
    async with playing() as play:
        await play.paste(pasted)
        assert play.text == "[pasted 312,500 lines]"
        await play.keys("alt+p")
        assert play.app.notes == ["This text is too long to be shown here. Use the external editor."]
        await play.type(" done")
        await play.keys("enter")
        assert (await play.sent()).text == pasted + " done"


async def test_a_long_draft_that_is_loaded_is_folded() -> None:
    text = "x" * 200_000
    async with playing() as play:
        play.prompt.load(text)
        assert play.text == "[pasted 200,000 characters]"
        assert play.prompt.draft == text


async def test_what_a_terminal_would_act_on_is_taken_out_of_a_paste() -> None:
    async with playing() as play:
        await play.paste("a\x1b[31mred\x1b[0m\tb")
        assert play.text == "ared\tb"


async def test_lines_that_come_as_a_burst_of_keys_do_not_send() -> None:
    async with playing(guards_keys=True) as play:
        await play.burst("first\nsecond\nthird\n")
        await play.until(lambda: play.text == "first\nsecond\nthird\n")
        assert play.app.sent == []


async def test_one_line_and_enter_from_a_program_that_types_is_sent() -> None:
    async with playing(guards_keys=True) as play:
        await play.burst("hello\n")
        assert (await play.sent()).text == "hello"


async def test_short_lines_in_a_burst_do_not_send_either() -> None:
    async with playing(guards_keys=True) as play:
        await play.burst("1\n2\n3")
        await play.until(lambda: play.text == "1\n2\n3")
        assert play.app.sent == []


async def test_a_shell_command_is_marked() -> None:
    async with playing() as play:
        await play.type("!ls")
        assert play.prompt.is_shell
        assert play.prompt.has_class("-shell")
        assert "shell" in play.foot
        await play.keys("home", "delete")
        assert not play.prompt.has_class("-shell")
        assert not play.prompt.has_class("-foot")


async def test_ctrl_d_in_an_empty_prompt_is_the_apps() -> None:
    async with playing() as play:
        play.app.bind("ctrl+d", "stop")
        await play.keys("ctrl+d")
        assert play.app.stops == 1
        await play.type("ab")
        await play.keys("home", "ctrl+d")
        assert play.text == "b"


async def test_the_placeholder_and_labels_are_in_chinese(tmp_path: Path) -> None:
    async with playing(language="zh") as play:
        assert "输入问题" in str(play.prompt.area.placeholder)
        await play.paste("x\n" * 20)
        assert play.text == "[已粘贴 20 行]"


async def test_a_key_lays_nothing_out_again_but_a_new_row_does() -> None:
    layouts: list[object] = []
    async with playing() as play:
        await play.type("a")
        play.app.screen.screen_layout_refresh_signal.subscribe(play.app, layouts.append, immediate=True)
        await play.type("bcd")
        assert (play.text, layouts) == ("abcd", [])
        await play.keys("ctrl+j")
        assert layouts
