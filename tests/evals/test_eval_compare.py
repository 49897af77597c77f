"""When what a model said counts as what was expected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.evals.cases import ExpectedCall
from toolpost.evals.results import JudgedCall
from toolpost.evals.scoring import pair_up, same, same_tools, says

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Oslo", "  oSLO "),
        ("New  York\n", "new york"),
        ("ＡＢＣ１２３", "abc123"),
        ("Straße", "STRASSE"),
        ("−5", "-5"),
        (2, 2.0),
        (0.1 + 0.2, 0.3),
        ([1, "A"], [1.0, "a"]),
        ({"a": "X", "b": [1]}, {"b": [1.0], "a": "x"}),
        (None, None),
    ],
)
def test_spelling_and_kinds_of_numbers_do_not_count(left, right):
    assert same(left, right)
    assert same(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Oslo", "Bergen"),
        (True, 1),
        (False, 0),
        (2, "2"),
        (2, 3),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": 1}, {"a": 1, "b": None}),
        (None, ""),
        (None, False),
        ([], {}),
    ],
)
def test_values_that_differ_differ(left, right):
    assert not same(left, right)
    assert not same(right, left)


@given(JSON)
def test_every_value_is_itself(value):
    assert same(value, value)


def fits(given, accepted, defaults=None):
    calls, expected = [JudgedCall("f", given)], [ExpectedCall("f", accepted)]
    return pair_up(calls, expected, {"f": defaults or {}}) is not None


@pytest.mark.parametrize(
    ("given", "accepted", "defaults", "right"),
    [
        ({"city": "oslo"}, {"city": ["Oslo", "Oslo, Norway"]}, {}, True),
        ({"city": "Bergen"}, {"city": ["Oslo"]}, {}, False),
        ({}, {"unit": ["celsius", None]}, {}, True),
        ({"unit": None}, {"unit": ["celsius", None]}, {}, True),
        ({}, {"unit": ["celsius"]}, {}, False),
        ({"days": 3}, {}, {}, False),
        ({"days": 3}, {}, {"days": 3}, True),
        ({"days": 3}, {"days": [5, None]}, {"days": 3}, True),
        ({"days": 3}, {"days": [5]}, {"days": 3}, False),
        ({"days": None}, {}, {}, True),
        ({"limit": 0}, {"limit": [None]}, {}, False),
    ],
)
def test_arguments_that_say_the_same_are_right(given, accepted, defaults, right):
    assert fits(given, accepted, defaults) is right


def test_each_expected_call_is_made_once():
    expected = [ExpectedCall("f", {"x": [1, 2]}), ExpectedCall("f", {"x": [1]})]
    assert pair_up([JudgedCall("f", {"x": 1}), JudgedCall("f", {"x": 2})], expected, {}) == [1, 0]
    assert pair_up([JudgedCall("f", {"x": 2}), JudgedCall("f", {"x": 2})], expected, {}) is None
    assert pair_up([JudgedCall("f", {"x": 1})], expected, {}) is None
    assert pair_up([JudgedCall("g", {"x": 1}), JudgedCall("f", {"x": 2})], expected, {}) is None


@given(st.permutations(range(5)))
def test_calls_may_come_in_any_order(order):
    # Each accepts its own number and all smaller ones, so a greedy choice would go wrong.
    expected = [ExpectedCall("f", {"x": list(range(number + 1))}) for number in range(5)]
    calls = [JudgedCall("f", {"x": number}) for number in order]
    assert pair_up(calls, expected, {}) == list(order)


def test_the_same_tools_are_called_as_often():
    expected = [ExpectedCall("f"), ExpectedCall("g"), ExpectedCall("f")]
    assert same_tools([JudgedCall("g"), JudgedCall("f"), JudgedCall("f")], expected)
    assert not same_tools([JudgedCall("g"), JudgedCall("g"), JudgedCall("f")], expected)
    assert not same_tools([JudgedCall("g"), JudgedCall("f")], expected)


@pytest.mark.parametrize(
    ("text", "word", "right"),
    [
        ("It is 18 °C.", "18", True),
        ("It is **18**°C", "18", True),
        ("18度，有雨", "18", True),
        ("有雨，气温18度", "雨", True),
        ("1,250.00 dollars", "1250", True),
        ("It costs 1250.", "1,250", True),
        ("25 euros", "25.00", True),
        ("at 9:30", "9:30", True),
        ("−5 degrees", "-5", True),
        ("in 2018", "18", False),
        ("18.5 degrees", "18", False),
        ("3.18 metres", "18", False),
        ("180 km", "18", False),
        ("It is raining", "rain", True),
        ("Rain!", "rain", True),
        ("by train", "rain", False),
        ("ＲＡＩＮ", "rain", True),
        ("", "rain", False),
    ],
)
def test_words_are_found_where_they_begin_and_numbers_where_they_stand_alone(text, word, right):
    assert says(text, ["never said", word]) is right
