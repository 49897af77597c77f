"""The figures, days and times of a question: which there are, and which the calls have used."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.mending.facts import Facts
from toolpost.models.embedded.notes import notes

TODAY = date(2026, 11, 16)


def facts(question: str, before: str = "") -> Facts:
    return Facts(question, notes(question, TODAY), before)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Send 25 euros to Mia and 40 to Tom", [("number", "25"), ("number", "40")]),
        ("Trains on 2026-12-22 at 9:15", [("date", "2026-12-22"), ("time", "9:15")]),
        (
            "a table for seven tomorrow at half past seven in the evening",
            [("number", "7"), ("date", "2026-11-17"), ("time", "19:30")],
        ),
        ("十二块的早饭，6块的地铁", [("number", "12"), ("number", "6")]),
        ("What did I spend in April 2026?", [("month", "2026-04")]),
        ("Track DE440917722 and read notes_2.txt", []),
        ("What is 42 * 17?", []),
        ('Play "99 Luftballons"', []),
    ],
)
def test_what_a_question_names(question, wanted):
    found = [
        (fact.kind, fact.plain) if wanted and isinstance(wanted[0], tuple) else fact.plain for fact in facts(question)
    ]
    assert found == wanted


def test_each_fact_knows_its_place():
    question = "4 minutes for the eggs, ten for the potatoes and a quarter of an hour for the bread"
    for fact in facts(question):
        assert question[fact.start : fact.end] == fact.said


@pytest.mark.parametrize(
    ("question", "arguments", "left"),
    [
        ("Send 25 euros to Mia and 40 to Tom", {"amount": 25}, ["40"]),
        ("a run of 5 km in half an hour", {"distance_km": 5, "duration_min": 30}, []),
        ("1.5 litres of water", {"amount_ml": 1500}, []),
        ("dim it to ten percent", {"brightness": 10}, []),
        ("dinner tomorrow", {"note": "dinner tomorrow"}, []),
        ("dinner tomorrow", {"days": ["2026-11-17"]}, []),
        ("dinner tomorrow", {"when": {"date": "2026-11-18"}}, ["2026-11-17"]),
        ("one ticket", {}, []),
    ],
)
def test_what_no_call_has_is_left(question, arguments, left):
    assert [fact.plain for fact in facts(question).left([arguments])] == left


def test_a_figure_was_said_in_any_unit_and_anywhere():
    said = facts("half an hour, 1,200 euros, tomorrow", before="room 14 is free")
    assert all(said.has_figure(figure) for figure in (30, 1800, 0.5, 1200, 14))
    # The year of a day that was worked out was said by nobody.
    assert not any(said.has_figure(figure) for figure in (2026, 17, 7))
    assert said.has_day("2026-11-17")
    assert not said.has_day("2029-02-20")


def test_a_part_of_what_was_said_is_no_figure_by_itself():
    assert facts("14 euros 60 for the bus").has_figure(14.6)
    assert not facts("14 euros 60 for the bus").has_figure(14)


@pytest.mark.parametrize(
    ("question", "time", "wanted"),
    [
        ("alarm for 6.20", "06:20", True),
        ("at 7 in the evening", "19:00", True),
        ("at 7", "07:00", True),
        ("half past three in the afternoon", "15:30", True),
        ("set an alarm", "08:00", False),
        ("room 16.20 is free", "06:20", False),
    ],
)
def test_a_time_was_said_in_any_form(question, time, wanted):
    assert facts(question).has_time(time) == wanted


def test_beside_amounts_a_bare_figure_is_no_reason_for_a_call():
    assert [fact.plain for fact in facts("two glasses of water, 250 ml each").reasons([{"ml": 250}])] == []
    assert [fact.plain for fact in facts("25 to Mia and 40 to Tom").reasons([{"amount": 25}])] == ["40"]


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    for fact in facts(text):
        assert text[fact.start : fact.end] == fact.said
