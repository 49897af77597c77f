"""Amounts come in the unit that a parameter names, and are left alone where nothing says which that is."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.mending.measures import in_wanted_units
from toolpost.models.embedded.notes import notes


def wanted(question: str, value: float, name: str, description: str = "", kind: str = "number", **others: object):
    schema = {"properties": {name: {"type": kind, "description": description}, **others}}
    return in_wanted_units({name: value}, schema, question, notes(question, date(2026, 11, 16)))[name]


@pytest.mark.parametrize(
    ("question", "copied", "name", "description", "right"),
    [
        ("I drank 0.6 liters", 0.6, "amount_ml", "", 600),
        ("I drank half a litre", 0.5, "volume", "In millilitres", 500),
        ("add 250 ml of water", 250, "amount", "How much, in litres", 0.25),
        ("book the room for 3 hours", 180, "hours", "", 3),
        ("book the room for 3 hours", 3, "length", "in minutes", 180),
        ("a timer of an hour and a half", 1.5, "duration_min", "", 90),
        ("just drank three quarters of a litre", 300, "amount_ml", "", 750),
        ("metformin, half a gram, at 8", 5, "dose_mg", "", 500),
        ("twelve minutes for the pasta", 900, "seconds", "", 720),
        ("every two weeks", 2, "interval", "Days between two deliveries", 14),
        ("3 kg of flour", 3, "weight_g", "", 3000),
        ("a run of 5 miles", 5, "distance_km", "", 8.05),
        ("记三小时", 180, "duration", "小时数", 3),
        ("又喝了0.3升", 0.3, "quantity", "单位：毫升", 300),
        ("买两斤半苹果", 2.5, "weight", "重量（公斤）", 1.25),
        ("I am 1m62 tall", 1.62, "height_cm", "", 162),
        ("身高1米63", 1.63, "height", "身高，单位：厘米", 163),
        ("跑了十公里", 10, "distance", "距离，单位：米", 10000),
    ],
)
def test_a_copied_figure_is_converted(question, copied, name, description, right):
    assert wanted(question, copied, name, description) == right


@pytest.mark.parametrize(
    ("question", "value", "name", "description"),
    [
        ("I drank 600 ml", 600, "amount_ml", ""),
        ("book the room for 3 hours", 3, "hours", ""),
        # Nothing says which unit.
        ("I drank 0.6 liters", 0.6, "amount", "How much"),
        # Two units, so none.
        ("I drank 0.6 liters", 0.6, "amount", "In ml, or in litres for bottles"),
        # Another kind of thing.
        ("3 bottles, 0.5 l each", 3, "bottles", "How many"),
        ("2 pills a day for 2 weeks", 2, "dose", "Pills per day"),
        ("show 5 offers within 2 km", 5, "min_rooms", ""),
        ("at 3 for 2 hours", 3, "hour", "Hour of the day, 0 to 23"),
        # Two amounts that it could be.
        ("4 minutes for the eggs, 15 minutes for the bread", 150, "seconds", ""),
        # A figure that was said, but not with a unit.
        ("two pills every 8 hours", 2, "days", ""),
        ("remind me in 3 hours, 2 times", 2, "minutes", ""),
        ("跑了十公里，用了五十分钟", 10, "count", "次数"),
    ],
)
def test_others_are_left_alone(question, value, name, description):
    assert wanted(question, value, name, description) == value


def test_a_tool_that_is_told_the_unit_gets_the_figure_as_it_was_said():
    assert wanted("5 miles in km", 5, "distance", "Distance in meters", from_unit={"type": "string"}) == 5


def test_a_whole_number_stays_one():
    assert wanted("rent it for 90 minutes", 90, "hours", kind="integer") == 90
    assert wanted("rent it for 120 minutes", 120, "hours", kind="integer") == 2


def test_texts_lists_and_truths_are_no_figures():
    schema = {"properties": {"ml": {}, "litres": {}, "grams": {}}}
    given_ones = {"ml": "1", "litres": True, "grams": [1]}
    assert in_wanted_units(given_ones, schema, "1 l and 1 kg", []) == given_ones


METRES = {"mm": "0.001", "centimetres": "0.01", "metres": "1", "km": "1000"}


@given(st.integers(1, 9_000), st.sampled_from(sorted(METRES)), st.sampled_from(sorted(METRES)))
def test_every_unit_of_a_kind_turns_into_every_other(figure, said, asked):
    right = round(figure * Decimal(METRES[said]) / Decimal(METRES[asked]), 2)
    assert Decimal(str(wanted(f"walk {figure} {said}", figure, f"way_{asked}"))) == right


@given(st.text(max_size=200), st.floats(allow_nan=False, allow_infinity=False) | st.integers(), st.text(max_size=30))
def test_no_text_breaks_it(question, value, description):
    wanted(question, value, "amount_ml", description)
