"""The list to choose from: search, preview, keys that delete and rename, and thousands of rows."""

import asyncio

import pytest
from dialog_play import DialogApp, look, screen_text
from hypothesis import given
from hypothesis import strategies as st
from textual.strip import Strip

from toolpost.tui.dialogs.picker import Picker, PickerRow, RowAction
from toolpost.tui.dialogs.row_match import RowMatches
from toolpost.types.errors import ConfigError

FRUIT = [
    PickerRow("1", "apple"),
    PickerRow("2", "banana", "yellow", is_current=True),
    PickerRow("3", "cherry", tags=("red", "small")),
    PickerRow("4", "苹果 汁", "果汁"),
]


def picker(rows=FRUIT, language="en", **more):
    return Picker(rows, look(language), **more)


async def until(pilot, is_so):
    for _ in range(500):
        if is_so():
            return
        await asyncio.sleep(0.01)
        await pilot.pause()
    raise AssertionError("it did not come to that")


async def test_arrows_and_enter_choose_from_where_the_list_is_now():
    app = DialogApp(picker())
    async with app.run_test() as pilot:
        assert app.dialog.chosen.id == "2"
        await pilot.press("down", "enter")
        assert app.given == ["3"]


async def test_escape_chooses_nothing():
    app = DialogApp(picker())
    async with app.run_test() as pilot:
        await pilot.press("escape")
        assert app.given == [None]


async def test_a_click_chooses():
    app = DialogApp(picker())
    async with app.run_test() as pilot:
        await pilot.click("#rows", offset=(4, 2))
        await pilot.pause()
        assert app.given == ["3"]


async def test_letters_search_and_the_matching_ones_are_marked():
    app = DialogApp(picker())
    async with app.run_test() as pilot:
        await pilot.press(*"bnn")
        await pilot.pause()
        assert [row.id for row in app.dialog.shown_rows] == ["2"]
        strips = app.screen._compositor.render_strips()
        line = next(strip for strip in strips if "banana" in strip.text)
        marked = [part.text for part in line if part.style and part.style.underline]
        assert marked == ["b", "n", "n"]
        await pilot.press("enter")
        assert app.given == ["2"]


async def test_details_and_tags_are_searched_too():
    app = DialogApp(picker())
    async with app.run_test() as pilot:
        await pilot.press(*"small")
        await pilot.pause()
        assert [row.id for row in app.dialog.shown_rows] == ["3"]
        await pilot.press("ctrl+u", *"果")
        await pilot.pause()
        assert [row.id for row in app.dialog.shown_rows] == ["4"]


async def test_where_nothing_is_found_enter_does_nothing():
    app = DialogApp(picker())
    async with app.run_test() as pilot:
        await pilot.press(*"zzz", "enter", "down", "delete")
        await pilot.pause()
        assert app.given == []
        assert "Nothing found" in screen_text(app)


async def test_ten_thousand_rows_are_drawn_only_where_they_are_seen():
    rows = [PickerRow(str(at), f"src/part{at % 97}/file_{at}.py", f"{at} lines") for at in range(10_000)]
    app = DialogApp(picker(rows))
    async with app.run_test(size=(100, 30)) as pilot:
        drawn = []
        draw = app.dialog._rows._pieces
        app.dialog._rows._pieces = lambda found, *more, **named: drawn.append(found) or draw(found, *more, **named)
        await pilot.press("ctrl+end")
        await pilot.pause()
        assert app.dialog.chosen.id == "9999"
        assert "file_9999.py" in screen_text(app)
        await pilot.press("down")
        assert app.dialog.chosen.id == "0"
        await pilot.press("pagedown", *"file_4321")
        await pilot.pause()
        assert app.dialog.shown_rows[0].id == "4321"
        assert len(drawn) < 30 * 30
        await pilot.press("enter")
        assert app.given == ["4321"]


async def test_the_preview_of_the_marked_row_is_shown_and_a_late_one_is_not():
    waits = {"1": asyncio.Event(), "3": asyncio.Event()}
    asked = []

    async def preview(row_id):
        asked.append(row_id)
        if row_id in waits:
            await waits[row_id].wait()
        return f"[b]preview of {row_id}\x1b[2J"

    app = DialogApp(picker(preview=preview))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "[b]preview of 2" in screen_text(app))
        await pilot.press("down")
        await until(pilot, lambda: "3" in asked)
        await pilot.press("down")
        await until(pilot, lambda: "preview of 4" in screen_text(app))
        waits["3"].set()
        await pilot.pause()
        await pilot.pause()
        assert "preview of 4" in screen_text(app)
        assert "preview of 3" not in screen_text(app)


async def test_a_preview_may_be_drawn_and_may_fail():
    async def preview(row_id):
        if row_id == "3":
            raise ConfigError("it is gone")
        return [Strip.blank(3), *[Strip([*_strip(f"line {at}")]) for at in range(3)]]

    app = DialogApp(picker(preview=preview))
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "line 2" in screen_text(app))
        await pilot.press("down")
        await until(pilot, lambda: "No preview: it is gone" in screen_text(app))


def _strip(text):
    from rich.segment import Segment

    return [Segment(text)]


async def test_a_row_is_deleted_after_a_confirm_and_the_next_is_marked():
    left = list(FRUIT)

    async def delete(row, text):
        left.remove(row)
        return left

    action = RowAction("list.delete", "delete", delete, confirm="Delete {label}?")
    app = DialogApp(picker(actions=[action]))
    async with app.run_test() as pilot:
        assert "Ctrl+D delete" in screen_text(app)
        await pilot.press("ctrl+d")
        await pilot.pause()
        assert "Delete banana?" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert len(left) == 4
        await pilot.press("ctrl+d", "y")
        await until(pilot, lambda: len(app.dialog.shown_rows) == 3)
        assert app.dialog.chosen.id == "3"


async def test_a_row_is_renamed_and_a_failure_is_told():
    given = []

    async def rename(row, text):
        given.append((row.id, text))
        if text == "banana!":
            raise ConfigError("That name is taken.")
        return [PickerRow("2", text), *FRUIT[2:]]

    action = RowAction("list.rename", "rename", rename, input="New name of {label}")
    app = DialogApp(picker(actions=[action]))
    async with app.run_test() as pilot:
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert "New name of banana" in screen_text(app)
        await pilot.press("!", "enter")
        await until(pilot, lambda: "That name is taken." in screen_text(app))
        await pilot.press("ctrl+r", "s", "enter")
        await until(pilot, lambda: app.dialog.chosen.label == "bananas")
        assert given == [("2", "banana!"), ("2", "bananas")]


@pytest.mark.parametrize("size", [(40, 12), (20, 6), (200, 60)])
async def test_it_fits_the_terminal_and_nothing_is_markup(size):
    rows = [PickerRow(str(at), f"[red]标题 {at} 很长很长的标题[/]\x1b[31m", "细节" * 20) for at in range(50)]

    async def preview(row_id):
        return "预览" * 300

    app = DialogApp(picker(rows, "zh", title="会话", preview=preview))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        text = screen_text(app)
        assert "[red]标题 0" in text
        assert "\x1b" not in text
        assert "会话" in text


words = st.text(st.characters(codec="utf-8"), max_size=12)


@given(st.lists(words, max_size=20), words, words)
def test_a_query_that_goes_on_finds_what_a_new_one_finds(labels, first, more):
    rows = [PickerRow(str(at), label) for at, label in enumerate(labels)]
    narrowed = RowMatches(rows)
    narrowed.find(first)
    assert {one.row.id for one in narrowed.find(first + more)} == {
        one.row.id for one in RowMatches(rows).find(first + more)
    }


@given(words, words, words)
def test_the_marked_letters_are_those_of_the_query(query, label, detail):
    for found in RowMatches([PickerRow("1", label, detail)]).find(query):
        shown = [
            text[at]
            for text, places in ((found.label, found.in_label), (found.detail, found.in_detail))
            for at in places
        ]
        assert {char.lower() for char in shown} <= {char.lower() for char in query}


def test_words_may_stand_in_label_and_detail():
    rows = [PickerRow("1", "write tests", "monday"), PickerRow("2", "write docs", "tuesday, late")]
    assert [row.id for row in RowMatches(rows).find("writ tue").rows] == ["2"]
    assert RowMatches(rows).find("tue writ")[0].in_detail == (0, 1, 2)
    assert not RowMatches(rows).find("writ friday")


def test_whole_words_and_beginnings_come_first():
    rows = [PickerRow(name, name) for name in ("a_long_tool_table", "table", "src/stable.py", "tab_left_each")]
    assert RowMatches(rows).find("table")[0].row.id == "table"
