"""Which lines are on the screen, after any changes of the transcript."""

import random
from itertools import zip_longest

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_drawing import PlainDrawing, look
from transcript_play import Story, messages

from toolpost.tui.drawn_items import DrawnItems
from toolpost.tui.item_text import gap_between
from toolpost.tui.viewport import Viewport

WORDS = "lorem ipsum 你好 👩‍👩‍👧 dolor\nsit "
STEPS = (
    "say", "write", "write", "think", "call", "print", "end_call", "ask", "reply", "retry", "end_run",
    "go_back", "prepend", "drop",
    "up", "down", "page_up", "page_down", "home", "end", "jump", "resize", "fold", "fold_all", "frame",
)  # fmt: skip


class Play:
    """A viewport on a story that goes on at random."""

    def __init__(self, stored, rest):
        self.random = rest
        self.page = 0
        self.story = Story(stored)
        self.items = DrawnItems(PlainDrawing, look(20))
        self.viewport = Viewport(self.items)
        self.viewport.height = 7
        self.items.order(self.story.view)
        self.viewport.settle()

    def do(self, step):
        story, viewport, chance = self.story, self.viewport, self.random
        match step:
            case "say":
                story.say(WORDS * chance.randint(1, 3))
            case "write":
                story.write(WORDS[: chance.randint(1, len(WORDS))] * chance.randint(1, 4))
            case "think":
                story.write(WORDS[: chance.randint(1, len(WORDS))], "reasoning")
            case "call" | "end_call" | "ask" | "reply" | "retry" | "end_run":
                getattr(story, step)()
            case "print":
                story.print(WORDS)
            case "go_back":
                known = [item.message_id for item in story.view.items if item.kind == "prompt"]
                story.say("again", chance.choice([*known, "nowhere"]))
            case "prepend":
                self.page -= 1
                story.prepend([*messages(1000 + self.page * 3, 1003 + self.page * 3)])
            case "drop":
                if story.view.ids:
                    story.view.drop_before(chance.choice(story.view.ids))
            case "up" | "down":
                viewport.scroll_by(chance.randint(1, 5) * (1 if step == "down" else -1))
            case "page_up" | "page_down":
                viewport.scroll_by(6 if step == "page_down" else -6)
            case "home":
                viewport.go_to(0)
            case "end":
                viewport.follow()
            case "jump":
                viewport.go_to(chance.randint(0, max(1, self.items.height)))
            case "resize":
                viewport.height = chance.randint(1, 12)
                viewport.use_look(look(chance.randint(8, 40)))
            case "fold" if self.items.entries:
                viewport.hold()
                entry = chance.choice(self.items.entries)
                self.items.expand(entry, not self.items.is_expanded(entry))
            case "fold_all":
                viewport.hold()
                self.items.expand_all(self.items.any_folded())
            case _:
                pass
        if chance.random() < 0.7:
            self.frame()

    def frame(self):
        self.items.apply(self.story.view, self.story.take(), 0.0)
        self.viewport.settle()

    def expected(self):
        """All lines, drawn anew, with the blank lines between items."""
        lines = []
        entries = [self.items.entry(id) for id in self.story.view.ids]
        for entry, following in zip_longest(entries, entries[1:]):
            drawing = self.items.drawn_anew(entry.item, is_expanded=self.items.is_expanded(entry))
            texts = [strip.text for strip in drawing.lines]
            if following is not None:
                texts += [""] * gap_between(entry.item, following.item)
            lines += [(entry.id, at, text) for at, text in enumerate(texts)]
        return lines

    def shown(self):
        rows = []
        for entry, at in self.viewport.rows:
            lines = self.items.lines(entry)
            rows.append((entry.id, at, lines[at].text if at < len(lines) else ""))
        return rows

    def check(self):
        self.frame()
        lines, shown = self.expected(), self.shown()
        assert [entry.item for entry in self.items.entries] == list(self.story.view.items)
        assert len(shown) == min(len(lines), self.viewport.height)
        if not shown:
            return
        first = lines.index(shown[0])
        assert shown == lines[first : first + len(shown)]
        if self.viewport.is_following:
            assert shown[-1] == lines[-1]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=40), st.integers(0, 4), st.randoms(use_true_random=False))
def test_what_is_shown_is_what_drawing_everything_anew_would_give(steps, stored, chance):
    play = Play(messages(0, stored), chance)
    for step in steps:
        play.do(step)
        play.check()


@pytest.mark.parametrize("seed", range(4))
def test_it_stays_right_in_long_sessions(seed):
    chance = random.Random(seed)
    play = Play(messages(0, 200), chance)
    for number in range(400):
        play.do(chance.choice(STEPS))
        if not number % 10:
            play.check()
    play.check()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["write", "say", "call", "print", "end_call", "ask", "reply", "prepend"]), max_size=30),
    st.integers(1, 100),
    st.randoms(use_true_random=False),
)
def test_what_is_read_stays_in_place_whatever_comes(steps, up, chance):
    play = Play(messages(0, 20), chance)
    play.viewport.scroll_by(-up)
    before = play.shown()
    for step in steps:
        play.do(step)
        play.frame()
        assert play.shown() == before
        assert not play.viewport.is_following


def test_scrolling_goes_by_lines_also_over_what_was_never_drawn():
    play = Play(messages(0, 300, "a long answer\nof several lines\n" * 5), random.Random(0))
    lines = play.expected()
    end = len(lines)
    for up in range(1, 400):
        play.viewport.scroll_by(-5)
        assert play.shown() == lines[end - 7 - up * 5 : end - up * 5]


def test_a_long_session_opens_with_few_drawings():
    PlainDrawing.count = 0
    play = Play(messages(0, 5_000), random.Random(0))
    assert PlainDrawing.count < 20
    play.viewport.go_to(play.items.height // 2)
    play.viewport.go_to(0)
    assert PlainDrawing.count < 60


def test_drawings_out_of_sight_are_let_go():
    play = Play(messages(0, 2_000), random.Random(0))
    for _ in range(1_500):
        play.viewport.scroll_by(-6)
    kept = sum(len(entry.drawing.lines) for entry in play.items.entries if entry.drawing is not None)
    assert 1_000 < kept < 7_000


def test_the_place_in_a_text_is_found_again_at_any_width():
    story = Story()
    story.write(" ".join(f"word{number}" for number in range(500)))
    items = DrawnItems(PlainDrawing, look(40))
    items.order(story.view)
    viewport = Viewport(items)
    viewport.height = 5
    viewport.settle()
    viewport.go_to(50)
    first = items.lines(viewport.rows[0][0])[50].text
    word = first.split()[1]
    chance = random.Random(1)
    for _ in range(50):
        viewport.height = chance.randint(3, 9)
        viewport.use_look(look(chance.randint(10, 80)))
        viewport.settle()
        shown = "".join(items.lines(entry)[line].text for entry, line in viewport.rows[:9])
        assert word[:4] in shown
    viewport.height = 5
    viewport.use_look(look(40))
    viewport.settle()
    assert viewport.rows[0][1] == 50


def test_new_lines_are_counted_below_the_screen():
    play = Play(messages(0, 20), random.Random(0))
    play.viewport.scroll_by(-10)
    assert play.viewport.new_lines() == 0
    total = len(play.expected())
    play.story.say("one\ntwo\nthree")
    play.frame()
    assert play.viewport.new_lines() == len(play.expected()) - total
    play.story.write("four\n" * 30)
    play.frame()
    assert play.viewport.new_lines() == len(play.expected()) - total
    play.viewport.scroll_by(15)
    # Five of the new lines are on the screen now.
    assert play.viewport.new_lines() == len(play.expected()) - total - 5
    play.viewport.follow()
    play.viewport.settle()
    assert play.viewport.new_lines() == 0
