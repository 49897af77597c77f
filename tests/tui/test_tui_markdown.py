"""Markdown as lines of a terminal: what it looks like, and that it never depends on how it was streamed."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.tui.drawing import markdown
from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.items import draw_item
from toolpost.tui.themes import THEMES
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import TextItem

PIECES = (
    *("# ", "## Head\n", "\n", "\n\n", "- ", "  - ", "1. ", "2) ", "> ", "```", "```python\n", "~~~\n", "    "),
    *("| a | b |\n", "|---|:-:|\n", "| 1 | 2 |\n", "---\n", "===\n", "**", "*", "`", "[x]: http://y", "\\"),
    "[x](https://a.b/c)",
    *("word ", "some longer words ", "你好，世界。", "（中文）", "é", "👨‍👩‍👧", "❤️"),
    *("\x1b[31m", "\x1b]0;t", "\x07", "\r", "\t"),
    *("\u2028", "\x85", "\ud800", "\u200d", "\ufe0f", "\u0301", "def f(): '''", "/* ", "*/", "- [ ] t", "<br>"),
)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join)


def look(width=40, theme="terminal", **changes):
    return Look(width, THEMES[theme], **changes)


def drawing(text="", **changes):
    source = GrowingText(text)
    return draw_item(TextItem(id="m/1", message_id="m", source=source), look(**changes)), source


def lines(text, width=40, **changes):
    return [strip.text.rstrip() for strip in drawing(text, width=width, **changes)[0].lines]


def streamed(chunks, **changes):
    """The lines after each chunk was fed on its own, with the changed ones taken over only."""
    drawn, source = drawing(**changes)
    item = TextItem(id="m/1", message_id="m", source=source)
    kept = list(drawn.lines)
    for chunk in chunks:
        source.add(chunk)
        first = drawn.update(item)
        kept = [*kept[:first], *drawn.lines[first:]]
    assert kept == list(drawn.lines)
    return kept


@given(texts, st.data())
@settings(max_examples=300, deadline=None)
def test_the_lines_do_not_depend_on_how_a_text_was_cut(text, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    width = data.draw(st.sampled_from([5, 20, 33, 80]))
    assert streamed(chunks, width=width) == list(drawing(text, width=width)[0].lines)


@given(texts, st.sampled_from([1, 7, 20, 41]))
@settings(max_examples=300, deadline=None)
def test_no_line_is_too_wide_or_has_controls(text, width):
    for strip in drawing(text, width=width)[0].lines:
        assert strip.cell_length <= width
        assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in strip.text)


@given(st.sampled_from([markdown.MAX_LINE, markdown.MAX_PARAGRAPH, 5]), st.integers(300, 2_500))
@settings(max_examples=15, deadline=None)
def test_very_long_lines_and_paragraphs_are_drawn_the_same_in_any_chunks(length, size):
    text = "words and " * (length // 8) + "\n" + "x" * 3 * length + "\nline" * length + "\n```\n" + "y" * 3 * length
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    assert streamed(chunks) == list(drawing(text)[0].lines)


def test_nothing_of_a_plain_text_is_lost():
    text = "".join(f"word{number} " for number in range(5_000))
    assert "".join(lines(text)).replace(" ", "") == text.replace(" ", "")
