"""Questions of the model as forms: one choice, several, other text, and skipping them."""

import pytest
from dialog_play import AskApp, screen_text
from textual.events import Paste

from toolpost.types.events import Question
from toolpost.view.items import QuestionItem

COLOUR = Question("Which colour?", ("red", "[b]green[/b]", "blue"))
PARTS = Question("Which parts?", ("door", "wall", "roof"), multiple=True)
NAME = Question("What is it called?")


async def asked(pilot, *questions, seconds=1.0, **more):
    pilot.app.panel.show([QuestionItem(id="q1", fields=questions, **more)])
    await pilot.pause()
    await pilot.pause()
    pilot.app.clock.now += seconds


async def test_enter_takes_the_marked_option():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, COLOUR)
        assert "[b]green[/b]" in screen_text(app)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.told == [("q1", (("[b]green[/b]",),))]
        assert app.focused is app.prompt
        assert app.prompt.value == "the draft"


async def test_a_number_and_a_click_choose_an_option():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, COLOUR)
        await pilot.press("3")
        await pilot.click("#form-options", offset=(6, 0))
        await pilot.pause()
        assert "(x) red" in screen_text(app)
        assert "( ) blue" in screen_text(app)
        await pilot.press("enter")
        assert app.told == [("q1", (("red",),))]


async def test_several_can_be_chosen_with_other_text():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, PARTS)
        await pilot.press("space", "down", "down", "space", "down")
        await pilot.press(*"窗户 2", "enter")
        await pilot.pause()
        assert app.told == [("q1", (("door", "roof", "窗户 2"),))]


async def test_other_text_takes_the_place_of_an_option():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, COLOUR)
        await pilot.press("space", "up", *"pink", "enter")
        await pilot.pause()
        assert app.told == [("q1", (("pink",),))]


async def test_a_form_goes_from_field_to_field_and_is_sent_at_the_end():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, COLOUR, PARTS, NAME)
        assert "1 of 3" in screen_text(app)
        await pilot.press("enter")
        assert "Which parts?" in screen_text(app)
        await pilot.press("tab", *"house", "enter")
        await pilot.pause()
        assert app.told == []
        assert "Which parts?" in screen_text(app)
        await pilot.press("space", "down", "space", "shift+tab")
        await pilot.pause()
        assert "(x) red" in screen_text(app)
        await pilot.press("tab", "enter")
        assert app.told == [("q1", (("red",), ("door", "wall"), ("house",)))]


async def test_a_form_is_skipped_at_once_where_nothing_was_entered():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, COLOUR, NAME)
        await pilot.press("escape")
        await pilot.pause()
        assert app.told == [("q1", None)]
        assert app.focused is app.prompt


async def test_what_was_entered_is_not_lost_without_a_question():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, NAME)
        await pilot.press(*"hut", "escape")
        await pilot.pause()
        assert "Skip the questions?" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app.told == []
        app.clock.now += 1
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("y")
        await pilot.pause()
        assert app.told == [("q1", None)]


async def test_what_is_typed_before_300_ms_goes_nowhere():
    app = AskApp()
    async with app.run_test() as pilot:
        await asked(pilot, NAME, seconds=0.2)
        await pilot.press(*"typed ahead", "enter", "escape")
        app.focused.post_message(Paste("pasted"))
        await pilot.pause()
        assert app.told == []
        assert app.prompt.value == "the draft"
        app.clock.now += 0.4
        await pilot.press(*"ok", "enter")
        await pilot.pause()
        assert app.told == [("q1", (("ok",),))]


@pytest.mark.parametrize("size", [(40, 12), (120, 40)])
async def test_a_form_fits_the_terminal_in_chinese(size):
    app = AskApp("zh")
    question = Question("选择哪一个？" * 3, tuple(f"第 {at} 个选项，很长很长" for at in range(12)))
    async with app.run_test(size=size) as pilot:
        await asked(pilot, question, agent="explore")
        await pilot.press(*["down"] * 11)
        await pilot.pause()
        text = screen_text(app)
        assert "第 11 个选项" in text
        assert "the draft" in text
        await pilot.press("enter")
        assert app.told == [("q1", (("第 11 个选项，很长很长",),))]
