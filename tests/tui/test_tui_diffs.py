"""Diffs as lines: side by side or one below the other, exact where somebody decides, and drawn only where looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from toolpost.tui.dialogs.text_lines import LONG_TEXT, DialogLines
from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.diffs import DiffLines
from toolpost.tui.drawing.lines import MAX_MEASURED, cells
from toolpost.tui.themes import THEMES
from toolpost.view.diff import DiffHunk, DiffLine, added_lines, compare_texts, read_diff
from toolpost.view.escape_codes import exact

LOOK = Look(40, THEMES["terminal"])
texts = st.lists(
    st.sampled_from(["a\n", "b c d\n", "\t你好\n", "x" * 90 + "\n", "\u202e\x1b[1m\r\n", "❤️\n", "end"])
).map("".join)


def shown(lines):
    return ["".join(segment.text for segment in line).rstrip() for line in lines]


@given(texts, texts, st.sampled_from(["unified", "beside"]), st.booleans(), st.sampled_from([12, 40, 130]))
def test_every_line_is_there_and_fits(old, new, form, is_exact, width):
    lines = DiffLines(compare_texts(old, new), structs.replace(LOOK, width=width), form=form, is_exact=is_exact)
    assert all(cells(line) <= width for line in lines)
    assert len(list(lines)) == len(lines)
    assert all(0 <= at < len(lines) for at in lines.changes)


@given(texts)
def test_nothing_of_what_is_decided_on_is_left_out(text):
    lines = DiffLines(added_lines(text), LOOK, form="unified", is_exact=True)
    joined = "".join("".join(segment.text for segment in line[2:]) for line in lines)
    assert joined.replace("no line break at the end", "") == exact(text).replace("\n", "").replace("\t", "    ")


def test_marks_stay_where_a_line_has_tabs():
    (hunk,) = compare_texts("\treturn old_name\n", "\treturn new_name\n")
    lines = DiffLines([hunk], Look(40, THEMES["dark"]), form="unified", is_exact=True)
    marked = Look(40, THEMES["dark"]).palette.style("added_word")
    assert [segment.text for line in lines for segment in line if segment.style == marked] == ["new_name"]


def test_numbers_heads_and_notes():
    hunks = read_diff("--- a.py\n+++ a.py\n@@ -9,2 +9,2 @@ def f():\n same\n-old\n+new\n\\ No newline at end of file\n")
    assert shown(DiffLines(hunks, LOOK)) == [
        *("a.py", "⋯ def f():", " 9   same", "10 - old", "10 + new", "no line break at the end"),
    ]
    assert shown(DiffLines(hunks, LOOK, path="a.py"))[0] == "⋯ def f():"


@pytest.mark.parametrize("char", ["x", "中", "\t"])
def test_a_line_of_megabytes_is_drawn_row_by_row(char):
    text = char * (MAX_MEASURED * 20)
    lines = DiffLines([DiffHunk((DiffLine("+", text, None, 1),))], LOOK, is_exact=True)
    assert cells(lines[len(lines) // 2]) <= 40
    dialog = DialogLines()
    dialog.wrap(text, LOOK.palette.style("text"), 40, first="$ ")
    assert sum(strip.text.count(char) for strip in dialog) == (len(text) if char != "\t" else 0)
    assert all(strip.cell_length <= 40 for strip in dialog)


@given(texts.map(lambda text: text * (LONG_TEXT // max(1, len(text)) + 2)))
def test_long_texts_are_whole_in_dialogs(text):
    dialog = DialogLines()
    dialog.wrap(exact(text), LOOK.palette.style("text"), 40, first="$ ")
    joined = "".join(dialog.text(at)[2:] for at in range(len(dialog)))
    assert joined.replace(" ", "") == exact(text).replace("\n", "").replace("\t", "").replace(" ", "")
