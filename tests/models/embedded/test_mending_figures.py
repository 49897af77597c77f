"""Figures and days of calls: none made up, each where it was meant, none forgotten."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.mending.facts import Facts
from toolpost.models.embedded.mending.figures import with_each_used_once, with_left_filled, without_unsaid
from toolpost.models.embedded.notes import notes

TODAY = date(2026, 11, 16)
INTEGER, NUMBER, STRING = {"type": "integer"}, {"type": "number"}, {"type": "string"}
DAY = {"type": "string", "description": "YYYY-MM-DD"}
SECONDS = {"type": "integer", "description": "in seconds"}
TIME = {"type": "string", "description": "HH:MM"}


def facts(question: str) -> Facts:
    return Facts(question, notes(question, TODAY))


def schema(*required: str, **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


@pytest.mark.parametrize(
    ("question", "given_", "kept", "missing"),
    [
        ("add an expense of 14 euros", {"amount": 14, "date": "2029-02-20"}, {"amount": 14}, []),
        ("play the newest episode", {"episode": 1}, {}, []),
        ("a 12 km run today", {"distance": 12, "minutes": 2026}, {"distance": 12}, ["minutes"]),
        ("open until when?", {"time": "2026-11-17"}, {}, []),
        ("set an alarm", {"time": "08:00"}, {}, []),
        ("park at HH 12 for an hour", {"zone": "an hour", "minutes": 60}, {"minutes": 60}, ["zone"]),
        ("renew my book", {"code": "BK-20417"}, {}, []),
        ("what's 15% of 640", {"code": "15 / 100 * 640"}, {"code": "15 / 100 * 640"}, []),
        ("what's 15% of 640", {"code": "15/100*640"}, {"code": "15/100*640"}, []),
        ("renew book 20417", {"code": "BK-20417"}, {"code": "BK-20417"}, []),
        ("call +49 (30) 12345 now", {"code": "+493012345"}, {"code": "+493012345"}, []),
        ("a table for two", {"people": 2}, {"people": 2}, []),
        ("a ticket, please", {"count": 1}, {"count": 1}, []),
        ("the default is fine", {"limit": 10}, {"limit": 10}, []),
        ("as loud as you can", {"volume": 100}, {"volume": 100}, []),
        ("mute it", {"volume": 0}, {"volume": 0}, []),
        ("the blinds to 40%", {"position": 40}, {"position": 40}, []),
        ("the car is at 8%, find a charger", {"power_kw": 8}, {}, []),
        ("27 minutes on the bike", {"km": 27}, {}, []),
        ("my birthday in March", {"month": 3}, {"month": 3}, []),
    ],
)
def test_what_nobody_said_is_no_argument(question, given_, kept, missing):
    tool = schema(
        *("minutes", "count", "zone"),
        zone=STRING,
        code=STRING,
        amount=NUMBER,
        date=DAY,
        episode=INTEGER,
        distance=NUMBER,
        minutes=INTEGER,
        time=TIME,
        people=INTEGER,
        count=INTEGER,
        limit={**INTEGER, "default": 10},
        month=INTEGER,
        volume={**INTEGER, "minimum": 0, "maximum": 100},
        position=INTEGER,
        power_kw=NUMBER,
        km=NUMBER,
    )
    assert without_unsaid(given_, tool, facts(question)) == (kept, missing)


PAY = schema("amount", amount=NUMBER, minutes=INTEGER)


@pytest.mark.parametrize(
    ("question", "values", "wanted"),
    [
        ("Send 25 euros to Mia and 40 to Tom", [25, 25], [25, 40]),
        ("Send 25 euros to Mia and 40 to Tom", [40, 40], [25, 40]),
        ("Send 25 euros to Mia and to Tom", [25, 25], [25, 25]),
        ("Send 25 to Mia, 25 to Tom and 30 to Ann", [25, 25, 30], [25, 25, 30]),
        # Five minutes are no amount of money.
        ("I've got 5 minutes: 100 dollars in euros and in pounds", [100, 100], [100, 100]),
    ],
)
def test_a_figure_that_was_said_once_is_used_once_if_another_was_left(question, values, wanted):
    calls = [{"amount": value} for value in values]
    changed = with_each_used_once(calls, ["pay"] * len(calls), [PAY] * len(calls), facts(question))
    assert [call["amount"] for call in changed] == wanted


def test_figures_of_different_tools_are_not_exchanged():
    calls = [{"amount": 25}, {"minutes": 25}]
    assert with_each_used_once(calls, ["pay", "timer"], [PAY, PAY], facts("25 euros to Mia, and 40")) == calls


@pytest.mark.parametrize(
    ("question", "calls", "properties", "wanted"),
    [
        ("episode 112 at normal speed", [{}], {"episode": INTEGER}, [{"episode": 112}]),
        ("half an hour on the bike", [{}], {"duration_min": INTEGER, "km": NUMBER}, [{"duration_min": 30}]),
        ("Ella and Max on Saturday", [{}, {}], {"due": DAY}, [{"due": "2026-11-21"}, {"due": "2026-11-21"}]),
        ("at half past seven in the evening", [{}], {"start": TIME}, [{"start": "19:30"}]),
        # Two places, or two facts: nobody knows which.
        ("12 of them", [{}], {"rows": INTEGER, "columns": INTEGER}, [{}]),
        ("12 or 13 of them", [{}], {"rows": INTEGER}, [{}]),
        # It does not fit.
        ("2.5 stars", [{}], {"rows": INTEGER}, [{}]),
        ("12 of them", [{}], {"month": {**INTEGER, "maximum": 5}}, [{}]),
        ("5 km", [{}], {"minutes": INTEGER}, [{}]),
        ("90 seconds", [{}], {"minutes": INTEGER}, [{}]),
        ("at 40%", [{}], {"brightness": INTEGER}, [{"brightness": 40}]),
        (
            "4 minutes for eggs, 10 for rice",
            [{"seconds": 240}, {}],
            {"seconds": INTEGER},
            [{"seconds": 240}, {"seconds": 600}],
        ),
    ],
)
def test_what_was_left_is_filled_in_where_there_is_one_place_for_it(question, calls, properties, wanted):
    tool = schema(**properties)
    assert with_left_filled(calls, [tool] * len(calls), facts(question)) == wanted


@given(st.lists(st.integers(2, 99), min_size=1, max_size=4, unique=True), st.data())
def test_nothing_that_was_right_is_changed(amounts, data):
    """Whatever figures are said, calls that have just these in their order stay as they are."""
    question = " and ".join(f"{amount} to {name}" for amount, name in zip(amounts, "ABCD", strict=False))
    calls = [{"amount": amount} for amount in amounts]
    said = facts(question)
    tool = schema("amount", amount=INTEGER, tip=INTEGER)
    assert with_each_used_once(calls, ["pay"] * len(calls), [PAY] * len(calls), said) == calls
    assert with_left_filled(calls, [tool] * len(calls), said) == calls
    assert all(without_unsaid(call, tool, said) == (call, []) for call in calls)
