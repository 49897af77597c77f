"""The panel that asks for approvals: what it shows, what answers it, and what never does."""

import pytest
from dialog_play import AskApp, approval, screen_text
from textual.events import AppBlur, AppFocus, Key, MouseDown, MouseUp, Paste

from toolpost.tui.keys import load_keys


async def asking(pilot, *asks, seconds=1.0):
    """Show these, drawn `seconds` ago."""
    pilot.app.panel.show(asks)
    await pilot.pause()
    pilot.app.clock.now += seconds


@pytest.mark.parametrize(
    ("key", "reply"),
    [("y", "once"), ("a", "always"), ("n", "reject")],
)
async def test_a_key_answers(key, reply):
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        await pilot.press(key)
        await pilot.pause()
        assert app.told == [("a1", reply, "")]


@pytest.mark.parametrize(("downs", "reply"), [(0, "once"), (1, "always"), (2, "reject")])
async def test_arrows_and_enter_answer(downs, reply):
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        await pilot.press(*["down"] * downs, "enter")
        await pilot.pause()
        assert app.told == [("a1", reply, "")]


@pytest.mark.parametrize(("line", "reply"), [(0, "once"), (1, "always"), (2, "reject")])
async def test_a_click_answers(line, reply):
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        await pilot.click("#ask-choices", offset=(5, line))
        await pilot.pause()
        assert app.told == [("a1", reply, "")]


async def test_what_is_typed_before_300_ms_is_dropped_and_does_not_reach_the_prompt():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval(), seconds=0.29)
        await pilot.press("y", "enter", "n")
        app.panel.post_message(Paste("y\n"))
        await pilot.pause()
        assert app.told == []
        assert app.prompt.value == "the draft"
        app.clock.now += 0.4
        await pilot.press("y")
        assert app.told == [("a1", "once", "")]


async def test_whoever_types_on_does_not_answer():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval(), seconds=0.1)
        for key in "why not any other way":
            await pilot.press("space" if key == " " else key)
            app.clock.now += 0.1
        assert app.told == []
        assert app.prompt.value == "the draft"


async def test_a_key_that_waited_while_the_program_was_busy_does_not_answer():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval(), seconds=0.5)
        late = Key("y", "y")
        late.time -= 0.4
        app.post_message(late)
        await pilot.pause()
        assert app.told == []


async def test_a_click_before_300_ms_answers_nothing():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval(), seconds=0.2)
        await pilot.click("#ask-choices", offset=(5, 0))
        await pilot.pause()
        assert app.told == []


async def test_the_click_that_gives_focus_to_the_terminal_answers_nothing():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        app.post_message(AppBlur())
        await pilot.pause()
        app.clock.now += 60
        app.post_message(AppFocus())
        await pilot.pause()
        await pilot.click("#ask-choices", offset=(5, 0))
        await pilot.pause()
        assert app.told == []
        app.clock.now += 0.4
        await pilot.click("#ask-choices", offset=(5, 0))
        await pilot.pause()
        assert app.told == [("a1", "once", "")]


async def test_a_click_on_a_terminal_that_tells_its_focus_later_answers_nothing():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        app.post_message(AppBlur())
        await pilot.pause()
        app.clock.now += 60
        at = app.panel.query_one("#ask-choices").region.offset
        for kind in (MouseDown, MouseUp):
            app.post_message(kind(None, at.x + 5, at.y, 0, 0, 1, False, False, False))
        await pilot.pause()
        assert app.told == []


async def test_an_ask_that_comes_while_the_window_is_not_focused_has_the_focus_later():
    app = AskApp()
    async with app.run_test() as pilot:
        app.post_message(AppBlur())
        await pilot.pause()
        await asking(pilot, approval())
        app.post_message(AppFocus())
        await pilot.pause()
        app.clock.now += 1
        await pilot.press("n")
        assert app.told == [("a1", "reject", "")]


async def test_the_prompt_keeps_its_draft_and_gets_the_focus_back():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        assert app.focused is app.panel
        await pilot.press("y")
        await pilot.pause()
        assert app.focused is app.prompt
        assert not app.panel.display
        await pilot.press("!")
        assert app.prompt.value == "the draft!"


async def test_a_reason_is_sent_with_the_denial():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        await pilot.press("r")
        await pilot.press(*"yes, 不", "enter")
        await pilot.pause()
        assert app.told == [("a1", "reject", "yes, 不")]
        assert app.focused is app.prompt


@pytest.mark.parametrize("way", ["arrows", "mouse"])
async def test_a_reason_is_asked_for_by_arrows_and_mouse_too(way):
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        if way == "mouse":
            await pilot.click("#ask-choices", offset=(5, 3))
        else:
            await pilot.press("up", "enter")
        await pilot.pause()
        await pilot.press(*"no", "enter")
        await pilot.pause()
        assert app.told == [("a1", "reject", "no")]


async def test_escape_leaves_the_reason_and_the_ask_stays():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        await pilot.press("r", "x", "escape")
        await pilot.pause()
        assert app.told == []
        assert app.focused is app.panel
        await pilot.press("y")
        assert app.told == [("a1", "once", "")]


async def test_the_next_ask_takes_keys_only_once_it_could_be_read():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval("a1"), approval("a2", arguments={"command": "rm -rf build"}))
        assert "1 of 2" in screen_text(app)
        await pilot.press("y", "y")
        await pilot.pause()
        assert app.told == [("a1", "once", "")]
        assert "rm -rf build" in screen_text(app)
        app.clock.now += 0.5
        await pilot.press("y")
        assert [one[0] for one in app.told] == ["a1", "a2"]


async def test_others_can_be_looked_at_and_listed():
    app = AskApp()
    async with app.run_test() as pilot:
        asks = [approval(f"a{at}", title=f"Command {at}") for at in range(1, 4)]
        await asking(pilot, *asks)
        await pilot.press("right")
        await pilot.pause()
        assert "2 of 3 · Allow this? Command 2" in screen_text(app)
        app.clock.now += 1
        await pilot.press("left", "l")
        await pilot.pause()
        app.clock.now += 1
        await pilot.press("l")
        await pilot.pause()
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert "3 of 3 · Allow this? Command 3" in screen_text(app)
        # It stays while others come and go.
        app.panel.show([asks[0], asks[2]])
        await pilot.pause()
        assert "2 of 2 · Allow this? Command 3" in screen_text(app)


async def test_keys_that_were_meant_for_a_dialog_above_answer_nothing():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval("a1"), approval("a2"))
        await pilot.press("l")
        await pilot.pause()
        app.clock.now += 60
        await pilot.press("escape", "y")
        await pilot.pause()
        assert app.told == []


async def test_an_ask_that_was_answered_elsewhere_goes():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        app.panel.show(())
        await pilot.pause()
        assert not app.panel.display
        assert app.focused is app.prompt


async def test_the_prompt_has_the_focus_after_an_ask_was_answered_elsewhere_while_the_window_had_none():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        app.post_message(AppBlur())
        await pilot.pause()
        app.panel.show(())
        await pilot.pause()
        app.post_message(AppFocus())
        await pilot.pause()
        await pilot.press("!")
        assert app.prompt.value == "the draft!"


async def test_how_much_is_hidden_is_right_after_the_wheel_and_after_a_resize():
    command = "\n".join(f"echo {at}" for at in range(40))
    app = AskApp()
    async with app.run_test(size=(60, 24)) as pilot:
        await asking(pilot, approval(arguments={"command": command}, patterns=()))
        body = app.panel.query_one("#ask-body")
        assert f"{40 - body.size.height} more lines" in screen_text(app)
        body.scroll_to(0, 10, animate=False)
        await pilot.pause()
        assert f"{30 - body.size.height} more lines" in screen_text(app)
        await pilot.resize_terminal(60, 40)
        await pilot.pause()
        assert f"{30 - body.size.height} more lines" in screen_text(app)
        assert app.panel.size.height == 20


async def test_an_answer_that_could_not_be_given_is_asked_for_again():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        await pilot.press("y")
        await pilot.pause()
        app.panel.reopen("a1")
        await pilot.pause()
        assert app.panel.display
        app.clock.now += 1
        await pilot.press("n")
        assert app.told == [("a1", "once", ""), ("a1", "reject", "")]


async def test_the_whole_command_can_be_read_with_what_would_not_be_seen():
    app = AskApp()
    command = (
        "echo start\n" + "\n".join(f"echo line {at}" for at in range(60)) + "\necho \x1b[8mhidden\u202e [red]end[/]"
    )
    async with app.run_test(size=(60, 24)) as pilot:
        await asking(pilot, approval(arguments={"command": command}))
        first = screen_text(app)
        assert "$ echo start" in first
        assert "more lines" in first
        assert app.panel.size.height <= 12
        for _ in range(20):
            await pilot.press("pagedown")
        await pilot.pause()
        last = screen_text(app)
        assert "\\x1b[8mhidden\\u{202e} [red]end[/]" in last
        assert "more lines" not in last
        await pilot.press("f")
        assert app.told == [("diff", "a1")]


async def test_a_diff_shows_every_line_and_the_tool_that_changed():
    details = {
        "diff": "@@ -1,2 +1,2 @@\n-old name\n+new name\n same\n",
        "tool_change": {"note": "Its description changed.", "diff": "-reads\n+writes\n"},
    }
    ask = approval(
        permission="edit", arguments={"path": "src/a.py"}, details=details, always=("src/**",), agent="explore"
    )
    app = AskApp()
    async with app.run_test(size=(80, 40)) as pilot:
        await asking(pilot, ask)
        text = screen_text(app)
        for part in ("explore", "src/a.py", "- old name", "+ new name", "+ writes", "description changed", "src/**"):
            assert part in text


async def test_rules_are_seen_before_they_are_saved():
    many = tuple(f"command-{at} *" for at in range(30))
    app = AskApp()
    async with app.run_test(size=(60, 24)) as pilot:
        await asking(pilot, approval(always=many))
        await pilot.press("a")
        await pilot.pause()
        assert app.told == []
        assert "command-29 *" in screen_text(app)
        app.clock.now += 0.4
        await pilot.press("a")
        assert app.told == [("a1", "always", "")]


async def test_without_a_rule_to_save_always_is_no_choice():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval(always=()))
        await pilot.press("a")
        assert app.told == []
        assert "Always" not in screen_text(app)


async def test_forty_columns_and_twelve_lines_are_enough_in_chinese():
    app = AskApp("zh")
    async with app.run_test(size=(40, 12)) as pilot:
        await asking(pilot, approval(arguments={"command": "echo 你好，世界 " * 20}))
        text = screen_text(app)
        for part in ("允许执行吗", "允许一次", "始终允许", "拒绝", "$ echo 你好", "the draft"):
            assert part in text
        await pilot.press("n")
        assert app.told == [("a1", "reject", "")]


async def test_other_keys_can_be_used():
    app = AskApp(keys=load_keys({"ask.once": "ctrl+y", "ask.deny": "y"}))
    async with app.run_test() as pilot:
        await asking(pilot, approval("a1"))
        assert "Ctrl+Y" in screen_text(app)
        await pilot.press("y")
        await pilot.pause()
        await asking(pilot, approval("a2"))
        await pilot.press("ctrl+y")
        assert [reply for _, reply, _ in app.told] == ["reject", "once"]


async def test_the_same_asks_draw_nothing_anew():
    app = AskApp()
    async with app.run_test() as pilot:
        await asking(pilot, approval())
        await pilot.press("down")
        app.panel.show([approval()])
        await pilot.pause()
        await pilot.press("enter")
        assert app.told == [("a1", "always", "")]
