"""A number with its noun."""

import pytest

from toolpost.types.text import counted


@pytest.mark.parametrize(
    ("number", "nouns", "said"),
    [
        (0, ("line",), "0 lines"),
        (1, ("line",), "1 line"),
        (2_000, ("line",), "2,000 lines"),
        (1, ("entry", "entries"), "1 entry"),
        (3, ("entry", "entries"), "3 entries"),
    ],
)
def test_one_is_singular_and_all_else_plural(number, nouns, said):
    assert counted(number, *nouns) == said
