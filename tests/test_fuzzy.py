"""Fuzzy matching for pickers and files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.fuzzy import FuzzyList, fuzzy_match

LETTERS = st.text(alphabet="abcAB_/.-1 é中İß", max_size=12)


def likeliest(query: str, paths: list[str], limit: int) -> list[str]:
    return [match.text for match in FuzzyList(paths).best(query, limit)]


def test_a_file_whose_name_begins_so_comes_before_one_that_has_it_inside() -> None:
    paths = ["a/domain.py", "main/b.py", "x/main.py", "c/m/a/i/n.txt"]
    assert likeliest("main", paths, 10) == ["x/main.py", "main/b.py", "a/domain.py", "c/m/a/i/n.txt"]
    assert likeliest("main", paths, 1) == ["x/main.py"]
    assert likeliest("MAIN.py", paths, 10) == ["x/main.py", "a/domain.py", "main/b.py"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("pe", "src/prompt_editor.py"),
        ("PE", "src/prompt_editor.py"),
        ("tuied", "src/tui/prompt/editor.py"),
        ("tui/ed", "src/tui/prompt/editor.py"),
        ("editor tui", "src/tui/prompt/editor.py"),
    ],
)
def test_initials_and_beginnings_of_words_count_more_than_letters_inside(query: str, expected: str) -> None:
    paths = [
        "src/type.py",
        "src/prompt_editor.py",
        "src/tui/prompt/editor.py",
        "src/tuple_indexed.py",
        "red/tuition.py",
    ]
    assert likeliest(query, paths, 1) == [expected]


def test_without_a_query_what_is_near_the_top_comes_first() -> None:
    assert likeliest("", ["a/b/c.py", "z.py", "a/b.py", "b.py"], 3) == ["z.py", "b.py", "a/b.py"]


def test_the_letters_that_were_asked_for_are_told() -> None:
    assert fuzzy_match("main", "x/main.py") == (2, 3, 4, 5)
    assert fuzzy_match("pe", "src/prompt_editor.py") == (4, 11)
    assert fuzzy_match("py main", "x/main.py") == (2, 3, 4, 5, 7, 8)
    assert fuzzy_match("nope", "x/main.py") is None


@given(LETTERS, LETTERS)
def test_a_text_fits_exactly_if_it_has_the_letters_of_each_word_in_order(query: str, text: str) -> None:
    low = [letter.lower() if len(letter.lower()) == 1 else "?" for letter in text]
    words = [[letter.lower() if len(letter.lower()) == 1 else "?" for letter in word] for word in query.split()]

    def fits(word: list[str]) -> bool:
        letters = iter(low)
        return all(letter in letters for letter in word)

    assert (fuzzy_match(query, text) is not None) == all(map(fits, words))


@given(st.text(alphabet="abcAB_/.1", min_size=1, max_size=8), st.text(alphabet="abcAB_/.1", max_size=16))
def test_the_positions_of_a_word_are_its_letters_in_order(word: str, text: str) -> None:
    positions = fuzzy_match(word, text)
    if positions is not None:
        assert "".join(text[at] for at in positions).lower() == word.lower()
        assert list(positions) == sorted(set(positions))


@given(st.lists(LETTERS, max_size=8), st.text(alphabet="abc_/1", max_size=5), st.integers(1, 8))
def test_typing_on_finds_what_a_new_search_finds(texts: list[str], query: str, limit: int) -> None:
    typed = FuzzyList(texts)
    for end in range(len(query) + 1):
        found = typed.best(query[:end], limit)
        assert found == FuzzyList(texts).best(query[:end], limit)
        assert len(found) <= limit
    assert typed.best("", limit) == FuzzyList(texts).best("", limit)


@given(st.lists(LETTERS, max_size=8), st.text(alphabet="abc_/1", min_size=1, max_size=4))
def test_every_text_that_fits_is_found_once(texts: list[str], query: str) -> None:
    found = sorted(match.index for match in FuzzyList(texts).best(query, 100))
    assert found == [index for index, text in enumerate(texts) if fuzzy_match(query, text) is not None]


@given(st.lists(LETTERS, max_size=8), st.text(alphabet="abc_/1", min_size=1, max_size=4), st.integers(0, 8))
def test_all_that_fit_are_put_in_order_the_first_ones_exactly(texts: list[str], query: str, compared: int) -> None:
    order = FuzzyList(texts).order(query, compared)
    best = [match.index for match in FuzzyList(texts).best(query, 100)]
    assert sorted(order) == sorted(best)
    assert order[:compared] == best[:compared]
    assert list(FuzzyList(texts).order(" ")) == list(range(len(texts)))
