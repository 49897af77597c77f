"""The transcript on the screen: scroll, follow, fold, choose."""

import random

import pytest
from msgspec import structs
from plain_drawing import PaneApp, PlainDrawing, drawn, look, painted, screen
from textual.events import MouseScrollUp
from transcript_play import Story, messages

from toolpost.view.changes import NOTHING

SIZE = (40, 12)


async def feed(app, pilot, story):
    app.pane.apply(story.take())
    await pilot.pause()


async def test_a_session_opens_at_its_end():
    story = Story(messages(0, 20))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert screen(app)[-2:] == ["", "  run_end: done"]
        assert app.pane.is_following
        assert app.told == []


async def test_new_lines_are_followed_only_at_the_end():
    story = Story(messages(0, 20))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        story.say("more")
        await feed(app, pilot, story)
        assert "  prompt: more" in screen(app)
        await pilot.press("up")
        before = screen(app)
        story.write("one\ntwo\nthree")
        await feed(app, pilot, story)
        assert screen(app) == before
        assert app.told == [("follow", 0, False), ("follow", 4, False)]
        await pilot.press("end")
        assert "  text: one" in screen(app)
        assert app.told[-1] == ("follow", 0, True)


async def test_scrolling_back_to_the_end_follows_again():
    app = PaneApp(Story(messages(0, 20)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup", "up", "up")
        assert not app.pane.is_following
        await pilot.press("pagedown", "pagedown")
        assert app.pane.is_following


async def test_the_wheel_and_the_scrollbar_scroll():
    app = PaneApp(Story(messages(0, 50)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        end = screen(app)
        app.pane.post_message(MouseScrollUp(app.pane, 5, 5, 0, 0, 0, False, False, False))
        await pilot.pause()
        assert screen(app)[3:] == end[:-3]
        app.pane.scroll_to(y=0)
        await pilot.pause()
        assert screen(app)[0] == "  prompt: question 0"
        app.pane.scroll_to(y=app.pane.max_scroll_y)
        await pilot.pause()
        assert screen(app) == end


async def test_at_the_top_earlier_messages_are_wanted_once():
    story = Story(messages(10, 30))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "down", "up", "home")
        assert app.told.count("earlier") == 1
        before = screen(app)
        story.prepend(messages(0, 10))
        await feed(app, pilot, story)
        assert screen(app) == before
        assert app.told.count("earlier") == 1
        await pilot.press("home")
        assert app.told.count("earlier") == 2
        assert screen(app)[0] == "  prompt: question 0"


async def test_a_short_session_wants_what_is_before_it():
    app = PaneApp(Story(messages(7, 8)).view)
    async with app.run_test(size=(40, 40)) as pilot:
        await pilot.pause()
        assert app.told == ["earlier"]
        assert app.pane.is_following


async def test_items_that_are_dropped_in_front_leave_what_is_read_in_place():
    story = Story(messages(0, 30))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "up", "up")
        before = screen(app)
        story.view.drop_before(story.view.ids[-20])
        story.say("more")
        await feed(app, pilot, story)
        assert screen(app) == before


async def test_keys_choose_items_and_activate_them():
    story = Story(messages(0, 20))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_square_bracket")
        assert app.pane.chosen == story.view.ids[-1]
        await pilot.press("left_square_bracket", "ctrl+up")
        assert app.pane.chosen == story.view.ids[-3]
        assert next(line for line in screen(app) if line.startswith("▌")).startswith("▌ call: bash")
        await pilot.press("right_square_bracket", "enter")
        assert app.told == [("activated", story.view.ids[-2])]
        for _ in range(30):
            await pilot.press("left_square_bracket")
        at = story.view.position(app.pane.chosen)
        assert at == len(story.view.ids) - 32
        assert screen(app)[0].startswith("▌")


async def test_a_chosen_item_that_is_taken_back_is_chosen_no_more():
    story = Story(messages(0, 2))
    story.say("go")
    story.call()
    story.retry()
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_square_bracket")
        assert app.pane.chosen == story.view.ids[-1]
        story.write("on")
        story.end_run()
        await feed(app, pilot, story)
        assert app.pane.chosen == ""


async def test_space_folds_the_chosen_call_and_leaves_it_where_it_is():
    story = Story(messages(0, 20))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["left_square_bracket"] * 3)
        row = next(row for row, line in enumerate(screen(app)) if line.startswith("▌"))
        await pilot.press("space")
        shown = screen(app)
        assert shown[row].startswith("▌ call: bash")
        assert shown[row + 1 : row + 5] == ["▌", "▌", "▌ ls", "▌ row 19"]
        await pilot.press("space")
        assert "▌ row 19" not in screen(app)


async def test_a_click_on_the_first_line_folds_and_on_others_chooses():
    story = Story(messages(0, 20))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        row = next(row for row, line in enumerate(screen(app)) if "call:" in line)
        await pilot.click(app.pane, offset=(5, row))
        assert "▌ row 19" in screen(app)
        row = next(row for row, line in enumerate(screen(app)) if "row 19" in line)
        await pilot.click(app.pane, offset=(5, row))
        assert "▌ row 19" in screen(app)
        assert app.told == [("follow", 0, False)]
        row = next(row for row, line in enumerate(screen(app)) if "call:" in line)
        await pilot.click(app.pane, offset=(5, row))
        assert "▌ row 19" not in screen(app)


async def test_folding_a_long_item_from_its_middle_shows_its_first_line():
    story = Story(messages(0, 2))
    story.write("thought\n" * 200, "reasoning")
    story.end_run()
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        id = next(item.id for item in reversed(list(story.view.items)) if item.kind == "reasoning")
        app.pane.choose(id)
        app.pane.toggle()
        app.pane.scroll_lines(50)
        await pilot.pause()
        assert screen(app)[0] == "▌ thought"
        app.pane.toggle(id)
        await pilot.pause()
        assert "▌ reasoning: thought" in screen(app)


async def test_all_calls_and_reasoning_fold_at_once():
    story = Story(messages(0, 20))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.pane.toggle_all()
        await pilot.pause()
        assert "  row 19" in screen(app)
        app.pane.toggle_all()
        await pilot.pause()
        assert "  row 19" not in screen(app)


async def test_a_delta_paints_only_the_lines_that_it_changes():
    story = Story(messages(0, 20))
    story.say("go")
    story.write("first\nsecond")
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        with painted(app) as rows:
            story.write(" and more")
            await feed(app, pilot, story)
        assert screen(app)[-1] == "  second and more"
        assert set(rows) == {11}


@pytest.mark.parametrize("change", ["prepend", "above", "below"])
async def test_what_changes_out_of_sight_paints_nothing(change):
    story = Story(messages(10, 40))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup", "pageup")
        with painted(app) as rows:
            if change == "prepend":
                story.prepend(messages(0, 10))
            elif change == "above":
                app.pane.toggle(story.view.ids[2])
            else:
                story.say("more")
            await feed(app, pilot, story)
        assert rows == []


async def test_resizing_keeps_what_is_read_and_what_is_followed():
    story = Story(messages(0, 30, "some words " * 30))
    app = PaneApp(story.view)
    chance = random.Random(3)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup", "pageup", "up")
        before = screen(app)
        for _ in range(30):
            await pilot.resize_terminal(chance.randint(10, 150), chance.randint(1, 50))
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        assert screen(app) == before
        await pilot.press("end")
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert screen(app)[-1] == "  run_end: done"


async def test_wide_characters_keep_to_the_width():
    story = Story()
    story.say("你好世界 👩‍👩‍👧 家族 é " * 20)
    app = PaneApp(story.view)
    async with app.run_test(size=(31, 12)) as pilot:
        for width in range(8, 31):
            await pilot.resize_terminal(width, 12)
            await pilot.pause()
            for strip in app.pane.render_lines(app.pane.size.region):
                assert strip.cell_length == app.pane.size.width


async def test_an_item_of_200_000_lines_is_scrolled_and_left():
    story = Story(messages(0, 3))
    story.write("\n".join(f"line {number}" for number in range(200_000)))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert screen(app)[-1] == "  line 199999"
        await pilot.press("pageup")
        assert screen(app)[-1] == "  line 199988"
        app.pane.scroll_to(y=100_000)
        await pilot.pause()
        assert screen(app)[1].startswith("  line ")
        await pilot.press("home")
        assert screen(app)[0] == "  prompt: question 0"


async def test_a_look_of_other_colours_and_words_is_taken_over():
    app = PaneApp(Story(messages(0, 5)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_square_bracket")
        app.pane.use_look(look(10, has_unicode=False))
        await pilot.pause()
        # The width stays that of the pane.
        assert screen(app)[-1] == "> run_end: done"


async def test_another_session_takes_the_place_of_the_first():
    app = PaneApp(Story(messages(0, 20)).view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "left_square_bracket")
        app.pane.show(Story(messages(50, 52)).view)
        await pilot.pause()
        assert app.pane.chosen == ""
        assert "  prompt: question 51" in screen(app)
        assert app.pane.is_following
        app.pane.show(Story().view)
        await pilot.pause()
        assert set(screen(app)) == {""}


async def test_the_transcript_of_a_sub_agent_is_shown_in_the_same_way():
    story, child = Story(messages(0, 2)), Story()
    app = PaneApp(story.view.sub_agent("child"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        child.say("look around")
        child.write("found")
        for event in child.events:
            changes = story.view.feed(structs.replace(event, session_id="child"))
            app.pane.apply(changes.sub_agents.get("child", NOTHING))
        await pilot.pause()
        assert "  prompt: look around" in screen(app)
        assert "  text: found" in screen(app)


async def test_a_pane_that_is_hidden_takes_changes_in():
    story = Story(messages(0, 20))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("pageup")
        before = screen(app)
        app.pane.display = False
        await pilot.pause()
        story.say("more")
        await feed(app, pilot, story)
        app.pane.display = True
        await pilot.pause()
        assert screen(app) == before
        app.pane.follow()
        await pilot.pause()
        assert "  prompt: more" in screen(app)


async def test_blank_lines_are_between_items_but_not_between_the_steps_of_a_run():
    story = Story(messages(0, 1))
    app = PaneApp(story.view)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        kinds = [line.partition(":")[0].strip() for line in screen(app)]
        assert kinds[:8] == ["prompt", "", "reasoning", "call", "", "text", "", "run_end"]
        assert set(kinds[8:]) == {""}
        story.say("go on")
        await feed(app, pilot, story)
        assert screen(app)[8:10] == ["", "  prompt: go on"]


async def test_long_prompts_and_errors_fold_and_short_ones_do_not():
    story = Story()
    story.say("short")
    story.say("line\n" * 30)
    app = PaneApp(story.view)
    async with app.run_test(size=(40, 50)) as pilot:
        await pilot.pause()
        short, long = story.view.ids
        before = screen(app)
        app.pane.toggle(short)
        await pilot.pause()
        assert screen(app) == before
        app.pane.toggle(long)
        await pilot.pause()
        assert screen(app).count("  line") == 29


async def test_items_without_a_line_are_passed_over():
    class Hidden(PlainDrawing):
        def update(self, item, now=0.0):
            same = super().update(item, now)
            if item.kind != "prompt":
                self.lines.clear()
            return same

    story = Story(messages(0, 30))
    app = PaneApp(story.view, Hidden)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left_square_bracket", "left_square_bracket", "left_square_bracket")
        assert app.pane.chosen.startswith("p27")
        await pilot.press("home")
        assert screen(app)[0] == "  prompt: question 0"
        assert screen(app)[2] == "  prompt: question 1"


async def test_running_items_on_the_screen_are_drawn_anew_as_time_passes():
    class Clock(PlainDrawing):
        def update(self, item, now=0.0):
            same = super().update(item, now)
            if not item.is_finished:
                self.lines[-1] = drawn(f"{now:.0f} s")
                return len(self.lines) - 1
            return same

    story = Story(messages(0, 5))
    story.say("go")
    story.call()
    app = PaneApp(story.view, Clock)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        with painted(app) as rows:
            app.pane.tick(17.0)
            await pilot.pause()
        assert screen(app)[-1] == "  17 s"
        assert set(rows) == {11}


@pytest.mark.parametrize("seed", range(2))
async def test_what_is_painted_is_what_drawing_everything_anew_would_give(seed):
    """Only rows that change are painted: at any time, all of them together are right."""
    chance = random.Random(seed)
    story = Story(messages(100, 103))
    app = PaneApp(story.view)
    page = 100
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(100):
            match chance.randrange(10):
                case 0:
                    story.say("word " * chance.randint(1, 20))
                case 1 | 2:
                    story.write("some\nmore " * chance.randint(1, 4))
                case 3:
                    story.call()
                case 4:
                    story.print("out\n")
                    story.end_call()
                case 5:
                    story.ask()
                    story.reply() if chance.random() < 0.7 else story.end_run()
                case 6 if page:
                    story.prepend(messages(page - 2, page))
                    page -= 2
                case 7:
                    app.pane.apply(story.take())
                    app.pane.toggle(chance.choice(story.view.ids))
                case 8:
                    app.pane.action_step_item(chance.choice([-1, 1]))
                case _:
                    app.pane.scroll_lines(chance.randint(-9, 9))
            app.pane.apply(story.take())
            if chance.random() < 0.3:
                await pilot.resize_terminal(chance.randint(20, 50), chance.randint(2, 20))
            await pilot.pause()
            shown, lines = screen(app), app.pane.plain_text().split("\n")
            texts = [line[2:] for line in shown]
            height = min(len(texts), len(lines))
            starts = range(len(lines) - height + 1)
            assert any(lines[at : at + height] == texts[:height] for at in starts), texts
