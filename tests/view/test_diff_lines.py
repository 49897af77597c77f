"""Diffs in lines: what changed, with the words that differ, one below the other or side by side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.tools.files.diff import compare
from toolpost.view.diff import added_lines, compare_texts, counts, read_diff, side_by_side

texts = st.lists(st.sampled_from(["a", "b", "c", "", "  x", "y = 1", "}"]), max_size=14).flatmap(
    lambda lines: st.sampled_from(["\n".join(lines), "\n".join([*lines, ""])])
)


def rebuilt(hunks, sign):
    """One of the two texts, from a diff with all lines."""
    lines = [line for hunk in hunks for line in hunk.lines if line.sign in (" ", sign)]
    return "".join(line.text + ("" if line.is_unended else "\n") for line in lines)


@given(texts, texts)
def test_a_diff_with_all_lines_holds_both_texts(old, new):
    hunks = compare_texts(old, new, context=None)
    if not hunks:
        assert old == new
    else:
        assert rebuilt(hunks, "-") == old
        assert rebuilt(hunks, "+") == new


@given(texts, texts)
def test_numbers_of_lines_count_from_one_in_each_text(old, new):
    for hunk in compare_texts(old, new):
        for line in hunk.lines:
            assert line.old is None or old.split("\n")[line.old - 1] == line.text
            assert line.new is None or new.split("\n")[line.new - 1] == line.text
            assert (line.old is None, line.new is None) == {
                " ": (False, False),
                "-": (False, True),
                "+": (True, False),
            }[line.sign]


@given(texts, texts)
def test_side_by_side_every_line_stands_once_and_in_order(old, new):
    hunks = compare_texts(old, new)
    for hunk in hunks:
        rows = side_by_side(hunk)
        assert [row.left for row in rows if row.left] == [line for line in hunk.lines if line.sign != "+"]
        assert [row.right for row in rows if row.right] == [line for line in hunk.lines if line.sign != "-"]


@given(texts, texts)
def test_the_diffs_of_tools_are_read_as_they_were_written(old, new):
    written = compare(old, new, shown_lines=10_000)
    hunks = read_diff(written.text)
    assert counts(hunks) == (written.added, written.removed)
    for hunk in hunks:
        assert hunk.note == ""
        for line in hunk.lines:
            assert line.new is None or new.split("\n")[line.new - 1] == line.text


def test_the_words_that_differ_are_marked():
    (hunk,) = compare_texts("x = foo(bar, baz)\n", "x = foo(bar, qux, 1)\n")
    before, after = hunk.lines
    assert [before.text[start:end] for start, end in before.changed] == ["baz"]
    assert [after.text[start:end] for start, end in after.changed] == ["qux, 1"]


def test_each_chinese_character_is_a_word():
    (hunk,) = compare_texts("你好世界\n", "你好中国\n")
    assert [line.text[slice(*line.changed[0])] for line in hunk.lines] == ["世界", "中国"]


def test_lines_that_have_nothing_in_common_are_not_marked():
    (hunk,) = compare_texts("import os\n", "def main() -> None:\n")
    assert [line.changed for line in hunk.lines] == [(), ()]


def test_only_the_lines_around_a_change_are_in_a_hunk():
    old = [f"line {n}" for n in range(100)]
    new = [*old[:20], "new", *old[20:60], *old[61:]]
    first, second = compare_texts("\n".join(old), "\n".join(new))
    assert [line.text for line in first.lines] == [
        "line 17",
        "line 18",
        "line 19",
        "new",
        "line 20",
        "line 21",
        "line 22",
    ]
    assert second.lines[0].old == 58
    assert second.lines[0].new == 59


def test_a_line_break_at_the_end_is_a_difference():
    (hunk,) = compare_texts("a\nb", "a\nb\n")
    assert [(line.sign, line.text, line.is_unended) for line in hunk.lines] == [
        (" ", "a", False),
        ("-", "b", True),
        ("+", "b", False),
    ]


def test_what_was_cut_from_a_diff_is_a_note():
    (hunk,) = read_diff("@@ -1,2 +1,2 @@ def f():\n a\n-b\n+c\n… 3 more lines of this diff")
    assert (hunk.heading, hunk.note) == ("def f():", "… 3 more lines of this diff")


def test_names_in_a_diff_of_git_belong_to_its_hunks():
    changed = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
    deleted = "--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-c"
    assert [hunk.path for hunk in read_diff(changed + deleted)] == ["b/x", "a/y"]


def test_a_new_file_is_all_additions():
    (hunk,) = added_lines("a\n\nb")
    assert [(line.new, line.text, line.is_unended) for line in hunk.lines] == [
        (1, "a", False),
        (2, "", False),
        (3, "b", True),
    ]
    assert added_lines("") == ()


@pytest.mark.parametrize(
    "lines", [["}"] * 20_000, [f"line {n}" for n in range(20_000)], [str(n % 7) for n in range(20_000)]]
)
def test_large_files_are_compared_too(lines):
    new = [line for n, line in enumerate(lines) if n % 50] + ["the end"]
    added, removed = counts(compare_texts("\n".join(lines), "\n".join(new)))
    assert added - removed == len(new) - len(lines)
