"""Texts and tables for people."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.cli.shared.formats import ago, dollars, lasted, short_id, size
from toolpost.cli.shared.tables import SETTLING_ROWS, TextTable, plain, plain_lines
from toolpost.view.cells import ELLIPSIS, fit, width


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@given(st.text())
def test_a_plain_text_is_one_line_without_control_characters(text):
    shown = plain(text)
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in shown)
    assert "\u202e" not in shown
    shown.encode()


@given(st.text())
def test_plain_lines_keep_lines_and_tabs_and_nothing_else_that_steers(text):
    assert not any(ord(char) < 0x20 and char not in "\n\t" for char in plain_lines(text))


@given(st.text(), st.integers(1, 30))
def test_what_is_fitted_takes_no_more_cells_than_it_may(text, cells):
    shown = fit(text, cells)
    assert width(shown) <= cells
    assert shown == text or shown.endswith(ELLIPSIS)


@pytest.mark.parametrize(("text", "cells"), [("abc", 3), ("東京", 4), ("e\u0301", 1), ("", 0)])
def test_wide_characters_and_marks_are_measured_as_terminals_do(text, cells):
    assert width(text) == cells


def test_columns_are_aligned_by_cells():
    out = io.StringIO()
    with TextTable("A", "B", out=out) as table:
        table.row("東京", "x")
        table.row("abcdef", "y")
    lines = out.getvalue().splitlines()
    assert {width(line.rpartition(line[-1])[0]) for line in lines} == {8}


def test_a_long_table_begins_before_its_last_row():
    out = io.StringIO()
    table = TextTable("A", out=out)
    for number in range(SETTLING_ROWS):
        assert out.getvalue() == ""
        table.row(number)
    assert out.getvalue().startswith("A\n0\n1\n")


def test_nothing_is_cut_where_there_is_no_terminal():
    out = io.StringIO()
    with TextTable("A", out=out) as table:
        table.row("x" * 5_000)
    assert "x" * 5_000 in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_on_a_terminal_the_head_is_bold_unless_colours_are_unwanted(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for unwanted in (False, True):
        out = Screen()
        if unwanted:
            monkeypatch.setenv("NO_COLOR", "1")
        with TextTable("A", out=out) as table:
            table.row("x")
        assert ("\x1b[1m" in out.getvalue()) is not unwanted


@pytest.mark.parametrize(
    ("past", "words"),
    [(5, "just now"), (125, "2 min ago"), (7_300, "2 h ago"), (200_000, "2 d ago"), (10**7 - 14_400, "2001-05-16")],
)
def test_times_are_told_as_people_do(past, words):
    assert ago(1_000_000_000 - past, 1_000_000_000) == words


def test_numbers_are_told_as_people_do():
    assert [size(n) for n in (999, 3_400, 999_960, 5_000_000_000)] == ["999 B", "3.4 KB", "1.0 MB", "5.0 GB"]
    assert [lasted(s) for s in (0.0034, 1.238, 125)] == ["3 ms", "1.24 s", "2 min 5 s"]
    assert [dollars(c) for c in (None, 0.0, 0.0021, 3.5)] == ["?", "$0.00", "$0.0021", "$3.50"]
    assert short_id("ses_0123456789abcdef0123") == "0123456789abcdef"
    assert short_id("odd") == "odd"
