"""Wildcards of rules, against a matcher that is too simple to be wrong."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.guard.wildcards import covers, exact, is_universal, matcher

PATTERNS = st.text("ab *?\n/", max_size=7)
TEXTS = st.text("ab */\n", max_size=8)


def naive(pattern: str, text: str) -> bool:
    if pattern.endswith(" *") and naive_plain(pattern[:-2], text):
        return True
    return naive_plain(pattern, text)


def naive_plain(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return naive_plain(pattern[1:], text) or (bool(text) and naive_plain(pattern, text[1:]))
    return bool(text) and pattern[0] in ("?", text[0]) and naive_plain(pattern[1:], text[1:])


@given(PATTERNS, TEXTS)
@settings(max_examples=1500)
def test_a_pattern_covers_what_the_naive_matcher_says(pattern: str, text: str) -> None:
    assert bool(matcher(pattern)(text)) == naive(pattern, text)


@given(PATTERNS, PATTERNS, TEXTS)
@settings(max_examples=1500)
def test_a_wider_pattern_covers_every_text_of_the_narrower(wide: str, narrow: str, text: str) -> None:
    if covers(wide, narrow) and matcher(narrow)(text):
        assert matcher(wide)(text)


@given(PATTERNS)
def test_every_pattern_covers_itself_and_a_star_covers_all(pattern: str) -> None:
    assert covers(pattern, pattern)
    assert covers("*", pattern)


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        ("git *", "git", True),
        ("git *", "git push *", True),
        ("git", "git *", False),
        ("?", "*", False),
        ("a*c", "a?c", True),
        ("a*c", "a*b*c", True),
        ("src/*", "*", False),
    ],
)
def test_covering_is_decided_for_common_shapes(wide: str, narrow: str, expected: bool) -> None:
    assert covers(wide, narrow) is expected


@given(TEXTS, TEXTS)
def test_an_exact_pattern_covers_its_text_and_nothing_of_another_length(text: str, other: str) -> None:
    matches = matcher(exact(text))
    assert matches(text)
    assert len(other) == len(text) or not matches(other)


@pytest.mark.parametrize("special", ["a.b", "a[b]", "(x|y)", "\\d", "$x^", "{1}", "é"])
def test_everything_but_the_wildcards_stands_for_itself(special: str) -> None:
    assert matcher(special)(special)
    assert not matcher(special)(special + "x")
    assert not matcher("a.b")("axb")


def test_home_is_covered_by_its_sign_and_by_its_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for sign in ("~", "$HOME"):
        matches = matcher(f"{sign}/notes/*")
        assert matches(f"{tmp_path}/notes/a/b")
        assert matches(f"{sign}/notes/a")
        assert not matches("/elsewhere/notes/a")
        assert matcher(sign)(str(tmp_path))
    assert not matcher("~other/x")(f"{tmp_path}other/x")
    assert not matcher("a ~/x")(f"a {tmp_path}/x")


def test_only_stars_are_universal() -> None:
    assert is_universal("*")
    assert is_universal("***")
    assert not any(map(is_universal, ("", "?*", " *", "a*")))


@pytest.mark.parametrize("pattern", ["*a" * 12 + "*b", "*" * 30 + "b", "*aa" * 10 + "b *", "*?a" * 10 + "b"])
def test_a_hostile_pattern_takes_linear_time(pattern: str) -> None:
    matches = matcher(pattern)
    started = time.perf_counter()
    assert not matches("a" * 100_000)
    assert time.perf_counter() - started < 20
