"""Texts on a terminal: made harmless, lightly coloured, and never changed in what they say."""

import re

from hypothesis import given
from hypothesis import strategies as st

from toolpost.cli.clean import clean, exact, last_state
from toolpost.cli.markdown import Markdown
from toolpost.cli.show import arguments_line, seconds

STYLE = re.compile(r"\x1b\[[0-9;]*m")
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
marks = st.text(alphabet="a *`#\n", max_size=60)


@given(st.lists(marks, max_size=8))
def test_markdown_only_colours_what_it_shows(pieces):
    markdown = Markdown()
    shown = "".join([*map(markdown.feed, pieces), markdown.end()])
    assert STYLE.sub("", shown) == "".join(pieces)


@given(st.text(alphabet="a *`#\n", max_size=80), st.integers(1, 7))
def test_markdown_looks_the_same_however_it_was_cut(text, size):
    whole, cut = Markdown(), Markdown()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    assert "".join([*map(cut.feed, pieces), cut.end()]) == whole.feed(text) + whole.end()


@given(marks)
def test_every_line_of_markdown_ends_without_a_style(text):
    markdown = Markdown()
    for line in (markdown.feed(text) + markdown.end()).split("\n"):
        styles = STYLE.findall(line)
        assert not styles or styles[-1] == "\x1b[0m"


def test_markdown_holds_back_only_what_is_undecided():
    markdown = Markdown()
    assert markdown.feed("see *") == "see "
    assert markdown.feed("*") == "\x1b[1m**"
    assert markdown.feed("now") == "now"


@given(st.text())
def test_clean_text_has_no_control_characters(text):
    assert not CONTROLS.search(clean(text))


@given(st.text(alphabet=st.characters(blacklist_categories=["Cc", "Cs"])))
def test_clean_text_without_controls_is_the_text(text):
    assert clean(text) == text


def test_whole_sequences_go_with_what_belongs_to_them():
    assert clean("\x1b[1;31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b(B\x1b7end") == "red link end"


def test_what_is_decided_on_is_shown_exactly():
    assert exact("rm\x1b[8m -rf\u202e x\r") == "rm\\x1b[8m -rf\ufffd x\\x0d"


def test_a_progress_bar_leaves_its_last_state():
    assert last_state("10%\r50%\r100%\r") == "100%"


def test_arguments_stay_on_one_line():
    shown = arguments_line({"path": "a\nb\x1b", "n": 3, "tags": ["é", "\u202e"]})
    assert shown == 'path="a\\nb\\u001b"  n=3  tags=["é","\ufffd"]'


def test_times_are_told_as_people_do():
    assert [seconds(t) for t in (0.04, 0.41, 12.3, 185)] == ["0.0 s", "0.4 s", "12 s", "3 min 5 s"]
