"""Sums that people ask for: what they mean can be worked out, and holds nothing but figures and operators."""

import ast
import random
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.data.conversions import Conversion
from training.data.family import Draw, Language
from training.data.stories import Story
from training.data.sums import Cash, Expression

LANGUAGES: tuple[Language, ...] = ("en", "zh")
draws = st.builds(
    lambda seed, language: Draw(random.Random(seed), language, date(2026, 3, 14)),
    st.integers(0, 10**6),
    st.sampled_from(LANGUAGES),
)


@given(draws, st.sampled_from((Expression(), Story())))
def test_an_expression_is_written_with_plain_figures_and_spaced_operators(draw: Draw, kind: Expression | Story):
    meaning = kind.draw(draw).meaning

    tokens = meaning.replace("(", "( ").replace(")", " )").split()
    assert all(re.fullmatch(r"\d+(\.\d+)?|[-+*/()]|\*\*", token) for token in tokens)
    ast.parse(meaning, mode="eval")


@given(draws)
def test_every_figure_of_a_typed_sum_is_in_its_expression(draw: Draw):
    said, meaning = Expression().draw(draw)

    if re.fullmatch(r"[\d,.\s+\-*/x×÷^()]+", said):
        assert re.findall(r"[\d.]+", said.replace(",", "")) == re.findall(r"[\d.]+", meaning)


@given(draws)
def test_a_conversion_is_between_two_units_of_one_measure(draw: Draw):
    meaning = Conversion().draw(draw).meaning

    assert meaning["from"] != meaning["to"]


@given(draws, st.integers(1, 500), st.integers(500, 10**7))
def test_a_sum_of_money_keeps_within_its_bounds(draw: Draw, low: int, high: int):
    value = Cash(low, high).draw(draw).meaning

    assert low <= value <= high


@pytest.mark.parametrize("language", LANGUAGES)
def test_percentages_are_written_in_one_way(language: Language):
    drawn = [Expression().draw(Draw(random.Random(seed), language, date(2026, 3, 14))) for seed in range(400)]
    shares = [one for one in drawn if re.fullmatch(r"[\d.]+(%| percent) of .+|.+的[\d.]+%", one.said)]

    assert len(shares) > 10
    assert all(re.fullmatch(r"[\d.]+ / 100 \* [\d.]+", one.meaning) for one in shares)
