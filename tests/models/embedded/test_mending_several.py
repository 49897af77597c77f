"""Several calls of one tool: each with its own figures, none forgotten; and quotations and bounds of one call."""

from datetime import date

import pytest

from toolpost.models.embedded.mending.facts import Facts
from toolpost.models.embedded.mending.figures import with_bounds_meant
from toolpost.models.embedded.mending.lists import forgotten_items
from toolpost.models.embedded.mending.pairing import with_own_figures
from toolpost.models.embedded.mending.quotes import with_quotes_used
from toolpost.models.embedded.notes import notes

TEXT, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def facts(question: str) -> Facts:
    return Facts(question, notes(question, date(2026, 11, 16)))


def schema(*required: str, **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


def listed(*items):
    return [{"item": item, "quantity": quantity} for item, quantity in items]


def timed(*timers):
    return [{"label": label, "seconds": seconds} for label, seconds in timers]


LIST = schema("item", item=TEXT, quantity=INTEGER)
TIMER = schema("label", "seconds", label=TEXT, seconds={**INTEGER, "description": "in seconds"})


@pytest.mark.parametrize(
    ("question", "tool", "given", "wanted"),
    [
        (
            "6 lemons, 2 avocados and a cucumber",
            LIST,
            [
                {"item": "lemons", "quantity": 6},
                {"item": "avocados", "quantity": 6},
                {"item": "cucumber", "quantity": 2},
            ],
            [{"item": "lemons", "quantity": 6}, {"item": "avocados", "quantity": 2}, {"item": "cucumber"}],
        ),
        (
            "timers: eggs seven minutes, pasta 11, bread three quarters of an hour",
            TIMER,
            [
                {"label": "eggs", "seconds": 420},
                {"label": "pasta", "seconds": 2700},
                {"label": "bread", "seconds": 660},
            ],
            [
                {"label": "eggs", "seconds": 420},
                {"label": "pasta", "seconds": 660},
                {"label": "bread", "seconds": 2700},
            ],
        ),
        # Said for both, or in one breath: nobody knows better than the model.
        (
            "the study and the hall to 21, both",
            schema("room", "degrees", room=TEXT, degrees=NUMBER),
            [{"room": "study", "degrees": 21}, {"room": "hall", "degrees": 21}],
            [{"room": "study", "degrees": 21}, {"room": "hall", "degrees": 21}],
        ),
        (
            "20 dollars to Bob and Cara",
            schema("to", to=TEXT, amount=NUMBER),
            [{"to": "Bob", "amount": 20}, {"to": "Cara", "amount": 20}],
            [{"to": "Bob", "amount": 20}, {"to": "Cara", "amount": 20}],
        ),
        (
            "3 apples pears",
            LIST,
            listed(("apples", 3), ("pears", 3)),
            listed(("apples", 3), ("pears", 3)),
        ),
    ],
)
def test_each_call_has_the_figures_beside_its_words(question, tool, given, wanted):
    assert with_own_figures(given, tool, question, facts(question)) == wanted


CITY = schema("city", city=TEXT, days=INTEGER)
MONEY = {"type": "string", "description": "ISO 4217 code"}
EXCHANGE = schema("amount", "from", "to", amount=NUMBER, **{"from": MONEY, "to": MONEY})


@pytest.mark.parametrize(
    ("question", "tool", "given", "forgotten"),
    [
        ("weather in Rome, Oslo and Lima", CITY, [{"city": "Rome"}], [{"city": "Oslo"}, {"city": "Lima"}]),
        ("weather in Rome, Oslo and Lima", CITY, [{"city": "Oslo"}, {"city": "Lima"}], [{"city": "Rome"}]),
        (
            "archive m-2235, m-2236 and m-2239",
            schema(id=TEXT),
            [{"id": "m-2235"}],
            [{"id": "m-2236"}, {"id": "m-2239"}],
        ),
        ("看看北京、上海、广州的天气", CITY, [{"city": "北京"}, {"city": "上海"}], [{"city": "广州"}]),
        ("北京、上海怎么样", CITY, [{"city": "北京"}], [{"city": "上海"}]),
        ("weather in Rome and the news", CITY, [{"city": "Rome"}], []),
        ("weather in Rome", CITY, [{"city": "Rome"}], []),
        ("from Berlin and Munich", schema(a=TEXT, b=TEXT), [{"a": "Berlin", "b": "Munich"}], []),
        ("Compare Apple and Google", schema(firm=TEXT), [{"firm": "Google"}], [{"firm": "Apple"}]),
        ("北京、和上海的天气", CITY, [{"city": "北京"}], []),
        ("Rome, Oslo and Lima", CITY, [{"city": "Rome"}, {"city": "Paris"}], []),
        (
            "250 US dollars in euros, in pounds and in yen",
            EXCHANGE,
            [{"amount": 250, "from": "USD", "to": "EUR"}, {"amount": 250, "from": "USD", "to": "JPY"}],
            [{"amount": 250, "from": "USD", "to": "GBP"}],
        ),
    ],
)
def test_no_item_of_a_list_is_forgotten(question, tool, given, forgotten):
    assert forgotten_items(given, tool, question) == forgotten


MAIL = schema("to", to=TEXT, subject=TEXT, body=TEXT)


@pytest.mark.parametrize(
    ("question", "given", "wanted"),
    [
        (
            "标题写“报价单”，正文就一句“请周五前回复。”",
            {"subject": "报价单", "body": "就一句"},
            {"subject": "报价单", "body": "请周五前回复。"},
        ),
        ('mail Ann, subject "Lunch"', {"to": "Ann", "body": "x"}, {"to": "Ann", "body": "x", "subject": "Lunch"}),
        ('mail Ann: "Lunch"', {"to": "Ann"}, {"to": "Ann"}),
        ('mail Ann: "Lunch"', {"to": "Ann", "subject": "x"}, {"to": "Ann", "subject": "x", "body": "Lunch"}),
        ("mail Ann about lunch", {"to": "Ann"}, {"to": "Ann"}),
    ],
)
def test_a_quotation_is_the_value_of_the_one_place_for_it(question, given, wanted):
    assert with_quotes_used(given, MAIL, question) == wanted


PRICES = schema(min_price=NUMBER, max_price=NUMBER, minRating=NUMBER)


@pytest.mark.parametrize(
    ("question", "given", "wanted"),
    [
        ("headphones under $200", {"min_price": 200}, {"max_price": 200}),
        ("五百块以下的耳机", {"min_price": 500}, {"max_price": 500}),
        ("at least 30 euros", {"max_price": 30}, {"min_price": 30}),
        ("headphones for 200", {"min_price": 200}, {"min_price": 200}),
        ("from 100, under 200", {"min_price": 100, "max_price": 200}, {"min_price": 100, "max_price": 200}),
        ("rated over 4", {"minRating": 4}, {"minRating": 4}),
    ],
)
def test_the_most_is_not_the_least(question, given, wanted):
    assert with_bounds_meant(given, PRICES, facts(question)) == wanted
