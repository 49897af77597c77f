"""Texts on a terminal: made harmless, lightly coloured, and never changed in what they say."""

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.cli.shared.call_text import arguments_line, seconds
from toolpost.cli.shared.markdown import Markdown
from toolpost.view.escape_codes import clean, exact, exact_line, last_state, readable

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
    assert exact("rm\x1b[8m -rf\u202e x\r") == "rm\\x1b[8m -rf\\u{202e} x\\x0d"


VISIBLE_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u0890\u0891\u08e2\U000110bd\U000110cd")


def test_every_sign_without_a_look_of_its_own_is_written_out():
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        kind = unicodedata.category(sign)
        hidden = kind in ("Cc", "Cf", "Cs", "Zl", "Zp") or (kind == "Zs" and sign not in " \u3000")
        # Marks of Egyptian blocks and of Arabic numbers are drawn.
        if hidden and sign not in "\n\t" and sign not in VISIBLE_FORMATS and not 0x13430 <= code <= 0x1345F:
            assert re.fullmatch(r"a\\(x[0-9a-f]{2}|u\{[0-9a-f]+\})b", exact(f"a{sign}b")), hex(code)


@pytest.mark.parametrize("text", ["rm x\n\tls", "grüß 你好\u3000世界 שלום مرحبا ไทย हिन्दी", "ok ❤️ 🌍", "a\\u{202e}"])
def test_what_is_seen_stays(text):
    assert exact(text) == text


@given(st.text())
def test_nothing_that_is_decided_on_is_lost_or_unseen(text):
    shown = exact(text)
    assert not CONTROLS.search(shown)
    back = re.sub(r"\\(?:x([0-9a-f]{2})|u\{([0-9a-f]+)\})", lambda found: chr(int(found[1] or found[2], 16)), shown)
    assert back == text or "\\" in text
    assert "\n" not in exact_line(text)


def test_what_is_read_again_keeps_what_languages_are_written_with():
    assert readable("می\u200cخواهم 👩\u200d🚀 a\u202eb\u200bc") == "می\u200cخواهم 👩\u200d🚀 a\\u{202e}b\\u{200b}c"


def test_a_progress_bar_leaves_its_last_state():
    assert last_state("10%\r50%\r100%\r") == "100%"


def test_arguments_stay_on_one_line():
    shown = arguments_line({"path": "a\nb\x1b", "n": 3, "tags": ["é", "\u202e"]})
    assert shown == 'path="a\\nb\\u001b"  n=3  tags=["é","\\u{202e}"]'


def test_times_are_told_as_people_do():
    assert [seconds(t) for t in (0.04, 0.41, 12.3, 185)] == ["0.0 s", "0.4 s", "12 s", "3 min 5 s"]
