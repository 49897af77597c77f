"""The line of text, yes or no, help, and the command palette."""

import pytest
from dialog_play import DialogApp, approval, look, screen_text

from toolpost.tui.dialogs.approval_screen import approval_screen
from toolpost.tui.dialogs.command_palette import PaletteEntry, action_entries, command_palette
from toolpost.tui.dialogs.help_screen import HelpScreen
from toolpost.tui.dialogs.text_dialog import ConfirmDialog, TextDialog
from toolpost.tui.keys import ACTIONS, load_keys


def no_blanks(text):
    return "It must have no blanks." if " " in text else ""


async def test_a_line_of_text_is_checked_and_given():
    app = DialogApp(TextDialog("New [b]name[/b]", look(), value="old", check=no_blanks))
    async with app.run_test() as pilot:
        assert "New [b]name[/b]" in screen_text(app)
        await pilot.press("space", "x", "enter")
        await pilot.pause()
        assert "It must have no blanks." in screen_text(app)
        assert app.given == []
        await pilot.press("backspace", "backspace")
        await pilot.pause()
        assert "no blanks" not in screen_text(app)
        await pilot.press("enter")
        assert app.given == ["old"]


async def test_escape_gives_no_text():
    app = DialogApp(TextDialog("Name", look("zh"), value="old"))
    async with app.run_test(size=(40, 12)) as pilot:
        assert "取消" in screen_text(app)
        await pilot.press("escape")
        assert app.given == [None]


@pytest.mark.parametrize(
    ("pressed", "answer"),
    [(["enter"], False), (["down", "enter"], True), (["y"], True), (["n"], False), (["escape"], False)],
)
async def test_yes_or_no_by_key(pressed, answer):
    app = DialogApp(ConfirmDialog("Delete [it]?", look()))
    async with app.run_test() as pilot:
        assert "Delete [it]?" in screen_text(app)
        await pilot.press(*pressed)
        assert app.given == [answer]


@pytest.mark.parametrize(("line", "answer"), [(0, False), (1, True)])
async def test_yes_or_no_by_mouse(line, answer):
    app = DialogApp(ConfirmDialog("Delete?", look(), yes="Delete"))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.click("#confirm", offset=(5, line))
        await pilot.pause()
        assert app.given == [answer]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [(40, 12), (100, 200)])
async def test_help_has_every_action_with_its_keys(size, language):
    keys = load_keys({"app.help": "f12", "app.suspend": ""})
    app = DialogApp(HelpScreen(look(language), {"undo": "Take back [the] last prompt"}, keys=keys), keys)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        view = app.screen.query_one("#help-body")
        text = "\n".join(strip.text for strip in view.lines)
        assert "F12" in text
        assert "/undo" in text
        assert len(view.lines) > len(ACTIONS)
        assert all(strip.cell_length <= view.size.width for strip in view.lines)
        await pilot.press("pagedown", "up", "escape")
        assert app.given == [None]


async def test_help_is_searched():
    app = DialogApp(HelpScreen(look(), {"undo": "Take back the last prompt"}))
    async with app.run_test() as pilot:
        await pilot.press(*"take back")
        await pilot.pause()
        assert "/undo" in screen_text(app)
        assert "Esc" not in screen_text(app)
        await pilot.press(*"zzz")
        await pilot.pause()
        assert "Nothing found" in screen_text(app)


async def test_the_palette_gives_what_was_chosen_by_its_name_or_help():
    entries = [
        PaletteEntry("compact", "/compact", "Summarise the conversation"),
        *action_entries("app", look()),
    ]
    app = DialogApp(command_palette(entries, look()))
    async with app.run_test() as pilot:
        assert "Ctrl+Q" in screen_text(app)
        await pilot.press(*"summar", "enter")
        assert app.given == ["compact"]


async def test_a_long_command_is_read_on_the_whole_screen():
    command = "\n".join(f"echo {at}" for at in range(100))
    app = DialogApp(approval_screen(approval(arguments={"command": command}), look()))
    async with app.run_test(size=(40, 12)) as pilot:
        assert "$ echo 0" in screen_text(app)
        await pilot.press("end")
        await pilot.pause()
        assert "echo 99" in screen_text(app)
        assert "git push *" in screen_text(app)
        await pilot.press("q")
        assert app.given == [None]


async def test_an_edit_is_read_on_the_whole_screen_as_a_diff():
    given = {"path": "a.py", "old_text": "one\n", "new_text": "two\n"}
    app = DialogApp(approval_screen(approval(permission="edit", arguments=given), look()))
    async with app.run_test(size=(120, 12)) as pilot:
        await pilot.pause()
        assert any("one" in line and "two" in line for line in screen_text(app).splitlines())
