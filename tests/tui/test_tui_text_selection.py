"""Select, copy and search text in the transcript."""

import pytest
from plain_drawing import STYLES, PaneApp, PlainDrawing, drawn, screen
from transcript_play import Story, messages

from toolpost.tui.drawing.copied_text import CopiedLine
from toolpost.tui.text_selection import word_at

SIZE = (40, 12)
GUTTER = 2


def said(*texts):
    story = Story()
    for text in texts:
        story.say(text)
    return story


def copied(app):
    return [told[1] for told in app.told if told[0] == "copied"]


def styled(app, name):
    """The texts that are painted in a style."""
    wanted = STYLES[name].bgcolor
    found = []
    for strip in app.pane.render_lines(app.pane.size.region):
        text = "".join(part.text for part in strip if part.style is not None and part.style.bgcolor == wanted)
        if text:
            found.append(text)
    return found


async def drag(pilot, app, start, end):
    await pilot.mouse_down(app.pane, offset=(start[0] + GUTTER, start[1]))
    await pilot.hover(app.pane, offset=(end[0] + GUTTER, end[1]))
    await pilot.mouse_up(app.pane, offset=(end[0] + GUTTER, end[1]))
    await pilot.pause()


async def test_the_mouse_selects_text_across_items():
    app = PaneApp(said("hello world", "next").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await drag(pilot, app, (14, 0), (11, 2))
        assert app.pane.selected_text() == "world\n\nprompt: next"
        assert copied(app) == ["world\n\nprompt: next"]
        assert styled(app, "selection") == ["world", "prompt: next"]
        await pilot.click(app.pane, offset=(30, 9))
        assert app.pane.selected_text() == ""
        assert styled(app, "selection") == []


async def test_backwards_is_the_same():
    app = PaneApp(said("hello world", "next").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await drag(pilot, app, (11, 2), (14, 0))
        assert app.pane.selected_text() == "world\n\nprompt: next"


async def test_lines_that_were_wrapped_are_copied_as_one():
    app = PaneApp(said("abcdefghij" * 10 + "\nend").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await drag(pilot, app, (8, 0), (2, 3))
        assert app.pane.selected_text() == "abcdefghij" * 10 + "\nend"


class Bordered(PlainDrawing):
    """In a frame, filled with blanks."""

    def update(self, item, now=0.0):
        same = super().update(item, now)
        self.lines = [drawn("│ " + line.text.ljust(self.look.width - 4) + " │") for line in self.lines]
        return same

    def copied(self, line):
        joint = super().copied(line).joint
        return CopiedLine(2, 2 + len(self._wrapped[line][0]), joint)


async def test_borders_and_padding_are_not_copied():
    app = PaneApp(said("one\ntwo").view, Bordered)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert screen(app)[1].split() == ["│", "two", "│"]
        await drag(pilot, app, (0, 0), (20, 1))
        assert app.pane.selected_text() == "prompt: one\ntwo"


async def test_wide_characters_are_taken_whole():
    app = PaneApp(said("你好世界 👩‍👩‍👧 ok").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        # From the second half of one to the first half of another.
        await drag(pilot, app, (11, 0), (12, 0))
        assert app.pane.selected_text() == "好世"
        assert styled(app, "selection") == ["好世"]
        await drag(pilot, app, (17, 0), (19, 0))
        assert app.pane.selected_text() == "👩‍👩‍👧 "[: len(app.pane.selected_text())]


async def test_two_clicks_select_a_word_and_three_a_line():
    app = PaneApp(said("x\nsee src/main.py:12 now " + "and " * 20).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.click(app.pane, offset=(GUTTER + 8, 1), times=2)
        assert app.pane.selected_text() == "src/main.py:12"
        await pilot.click(app.pane, offset=(GUTTER + 8, 1), times=3)
        assert app.pane.selected_text() == "see src/main.py:12 now " + "and " * 19 + "and"
        assert copied(app)[0] == "src/main.py:12"


def test_a_word_is_found_by_cells():
    assert word_at("你好 abc", 1) == (0, 4)
    assert word_at("你好 abc", 6) == (5, 8)
    assert word_at("a  b", 2) == (1, 3)
    assert word_at("a", 9) == (9, 10)


async def test_copying_what_is_selected_can_wait_for_a_key():
    app = PaneApp(said("hello world").view)
    async with app.run_test(size=SIZE) as pilot:
        app.pane.copies_on_select = False
        await pilot.pause()
        await drag(pilot, app, (8, 0), (12, 0))
        assert copied(app) == []
        await pilot.press("y")
        assert copied(app) == ["hello"]
        assert app.pane.selected_text() == ""


async def test_lines_are_selected_with_keys_alone():
    app = PaneApp(said("one\ntwo\nthree\nfour").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_square_bracket", "v", "down", "down")
        assert app.pane.selected_text() == "prompt: one\ntwo\nthree"
        await pilot.press("up", "y")
        assert copied(app) == ["prompt: one\ntwo"]
        await pilot.press("v", "escape")
        assert app.pane.selected_text() == ""


async def test_selecting_with_keys_scrolls_along():
    story = Story(messages(0, 30))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", *["pageup"] * 5)
        lines = app.pane.plain_text().split("\n")
        # Without the blank line that it begins with.
        assert app.pane.selected_text().split("\n") == lines[-55:]
        assert styled(app, "selection")


async def test_dragging_beyond_the_edge_scrolls():
    app = PaneApp(Story(messages(0, 30)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.mouse_down(app.pane, offset=(5, 8))
        app.pane._mouse.move(0, -1, 12)
        while app.pane.scroll_offset.y > app.pane.max_scroll_y - 8:
            await pilot.pause(0.05)
        await pilot.mouse_up(app.pane, offset=(5, 0))
        assert len(copied(app)[0].split("\n")) >= 15


async def test_what_comes_while_text_is_selected_leaves_it():
    story = Story(messages(0, 30))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup")
        await drag(pilot, app, (2, 2), (5, 6))
        before = app.pane.selected_text()
        story.say("more")
        story.prepend(messages(100, 102))
        app.pane.apply(story.take())
        await pilot.pause()
        assert app.pane.selected_text() == before
        assert len(styled(app, "selection")) >= 2


async def test_an_item_is_copied_as_it_was_written():
    story = said("a **bold** prompt")
    story.write("thought", "reasoning")
    story.call("make all")
    story.end_call("built")
    story.end_run()
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert [app.pane.item_text(id).split("\n")[0] for id in story.view.ids] == [
            "a **bold** prompt",
            "thought",
            "call: bash",
            "run_end: done",
        ]
        assert "built" in app.pane.item_text(story.view.ids[2])
        assert app.pane.item_text("nothing") == ""
        await pilot.press(*["left_square_bracket"] * 4, "y")
        assert copied(app) == ["a **bold** prompt"]


async def test_the_whole_transcript_is_plain_lines():
    app = PaneApp(said("one", "two").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.pane.plain_text() == "prompt: one\n\nprompt: two"
        assert app.pane.plain_text(1) == "prompt: two"
        assert app.pane.plain_text(2) == "\nprompt: two"
        assert app.pane.plain_text(99) == app.pane.plain_text()


async def test_search_counts_highlights_and_steps_around():
    app = PaneApp(Story(messages(0, 30)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        assert app.pane.search("QUESTION 7") == 1
        assert app.pane.search("question 1") == 11
        await pilot.pause()
        assert styled(app, "match") == ["question 1"]
        assert app.pane.step_match(1)
        await pilot.pause()
        assert "  prompt: question 1" in screen(app)
        app.pane.step_match(1)
        await pilot.pause()
        assert "  prompt: question 10" in screen(app)
        app.pane.step_match(-1)
        app.pane.step_match(-1)
        await pilot.pause()
        assert "  prompt: question 19" in screen(app)
        app.pane.clear_search()
        await pilot.pause()
        assert styled(app, "match") == []
        assert not app.pane.step_match(1)


async def test_search_unfolds_what_has_a_match():
    app = PaneApp(Story(messages(0, 30)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.pane.search("row 3") == 1
        assert app.pane.step_match(1)
        await pilot.pause()
        assert "  row 3" in screen(app)
        assert styled(app, "match") == ["row 3"]
        assert app.pane.step_match(1)


async def test_matches_go_over_the_ends_of_wrapped_lines():
    app = PaneApp(said("x" * 26 + "needle of hay").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.pane.search("Needle  OF") == 1
        await pilot.pause()
        assert "".join(styled(app, "match")) == "needle of"
        assert len(styled(app, "match")) == 2
        assert app.pane.step_match(1)


@pytest.mark.parametrize("text", ["", "  ", "nowhere to be found"])
async def test_a_search_without_matches(text):
    app = PaneApp(said("hello").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.pane.search(text) == 0
        assert not app.pane.step_match(1)


async def test_the_match_that_one_is_at_is_shown_as_such():
    app = PaneApp(said("hay hay hay").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.pane.search("hay")
        app.pane.step_match(1)
        app.pane.step_match(1)
        await pilot.pause()
        (strip, *_) = app.pane.render_lines(app.pane.size.region)
        styles = [part.style for part in strip if part.style is not None]
        marked = [style.underline for style in styles if style.bgcolor == STYLES["match"].bgcolor]
        assert [bool(one) for one in marked] == [False, True, False]


async def test_search_finds_words_with_signs_of_markdown_between():
    class Rendered(PlainDrawing):
        def update(self, item, now=0.0):
            same = super().update(item, now)
            self.lines = [drawn(strip.text.replace("*", "")) for strip in self.lines]
            return same

    app = PaneApp(Story(messages(0, 20, "a **bold** word")).view, Rendered)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home")
        app.pane.search("a bold word")
        assert app.pane.step_match(1)
        await pilot.pause()
        assert styled(app, "match") == ["a bold word"]


async def test_keys_select_to_the_ends_of_the_transcript():
    app = PaneApp(Story(messages(0, 10)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("v", "home")
        assert app.pane.selected_text() == app.pane.plain_text()
        await pilot.press("end")
        assert app.pane.selected_text() == "run_end: done"
        assert [line.rstrip() for line in styled(app, "selection")] == ["run_end: done"]


async def test_what_was_selected_and_is_taken_back_is_selected_no_more():
    story = said("go")
    story.retry()
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await drag(pilot, app, (0, 2), (9, 2))
        assert app.pane.selected_text() == "notice: re"
        story.write("on")
        story.end_run()
        app.pane.apply(story.take())
        await pilot.pause()
        assert app.pane.selected_text() == ""


async def test_search_in_other_scripts():
    app = PaneApp(said("你好世界，世界").view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert app.pane.search("世界") == 2
        await pilot.pause()
        assert styled(app, "match") == ["世界世界"]
