"""Choices, flags, forms, and the parts of a question that nothing was taken from."""

import pytest

from toolpost.models.embedded.asking import question_for
from toolpost.models.embedded.mending.choices import with_choices_in_order, with_named_choices
from toolpost.models.embedded.mending.codes import with_codes_named
from toolpost.models.embedded.mending.coverage import unserved
from toolpost.models.embedded.mending.examples import examples_of, with_examples_meant
from toolpost.models.embedded.mending.flags import with_flags_meant
from toolpost.models.embedded.mending.forms import in_wanted_forms
from toolpost.models.embedded.mending.glossary import words_for
from toolpost.types.tools import ToolSpec

MODE = {"type": "string", "enum": ["cool", "heat", "auto"]}
CLASS = {"type": "string", "enum": ["economy", "business", "first"]}
PRIORITY = {"type": "string", "enum": ["low", "medium", "high"]}
STATE = {"type": "string", "enum": ["on", "off"]}
URGENCY = {"type": "string", "enum": ["low", "urgent"]}
WAY = {"type": "string", "enum": ["one_way", "round_trip"]}
TITLE = {"type": "string"}


@pytest.mark.parametrize(
    ("question", "properties", "given", "wanted"),
    [
        ("书房太热了，制冷", {"mode": MODE}, {}, {"mode": "cool"}),
        ("书房太热了，制冷", {"mode": MODE}, {"mode": "heat"}, {"mode": "cool"}),
        ("switch the heating on", {"mode": MODE}, {"mode": "auto"}, {"mode": "heat"}),
        ("订张头等舱的票", {"cabin": CLASS}, {"cabin": "business"}, {"cabin": "first"}),
        # None is named, or two are, or the one that was taken.
        ("make it nicer in here", {"mode": MODE}, {"mode": "heat"}, {"mode": "heat"}),
        ("cool now, heat later", {"mode": MODE}, {"mode": "auto"}, {"mode": "auto"}),
        ("auto, please", {"mode": MODE}, {"mode": "auto"}, {"mode": "auto"}),
        # What another argument says was not said for this one; nor is every "high" a priority.
        ("note Heat pump", {"mode": MODE, "title": TITLE}, {"title": "Heat pump"}, {"title": "Heat pump"}),
        ("pick up Jo from high school", {"priority": PRIORITY}, {}, {}),
        # Words that stand there for other reasons, or are denied, change nothing.
        ("turn the lamp on the desk off", {"state": STATE}, {"state": "off"}, {"state": "off"}),
        ("book the first flight", {"cabin": CLASS}, {"cabin": "economy"}, {"cabin": "economy"}),
        ("call mom, it's not urgent", {"priority": URGENCY}, {"priority": "low"}, {"priority": "low"}),
        ("提醒我买高铁票", {"priority": PRIORITY}, {"priority": "low"}, {"priority": "low"}),
        ("a one-way ticket", {"kind": WAY}, {"kind": "round_trip"}, {"kind": "one_way"}),
        ("Add 3 to 4.", {"sign": {"type": "string", "enum": ["+", "-"]}}, {"sign": "+"}, {"sign": "+"}),
    ],
)
def test_the_choice_that_is_named_is_taken(question, properties, given, wanted):
    assert with_named_choices(given, {"properties": properties}, question) == wanted


def test_choices_of_several_calls_are_taken_in_their_order():
    schema = {"properties": {"mode": MODE, "room": TITLE}}
    calls = [{"room": "study", "mode": "auto"}, {"room": "hall", "mode": "auto"}]
    changed = with_choices_in_order(calls, schema, "heating in the study, and cool the hall")
    assert [call["mode"] for call in changed] == ["heat", "cool"]
    assert with_choices_in_order(calls, schema, "heating in the study and the hall") == calls


def test_beside_other_calls_a_choice_that_was_not_taken_is_not_filled_in():
    schema = {"properties": {"mode": MODE}}
    assert with_named_choices({}, schema, "heat the study", alone=False) == {}
    assert with_named_choices({"mode": "auto"}, schema, "heat the study", alone=False) == {"mode": "heat"}


DAYS = {"type": "array", "items": {"enum": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}}
TOLD_DAYS = {"type": "array", "items": {"type": "string"}, "description": "mon, tue, wed, thu, fri, sat, sun"}


@pytest.mark.parametrize("node", [DAYS, TOLD_DAYS])
@pytest.mark.parametrize(
    ("question", "given", "wanted"),
    [
        ("每周一三五早上九点", ["wed"], ["mon", "wed", "fri"]),
        ("every Monday and on Friday", ["mon"], ["mon", "fri"]),
        ("whenever you like", ["mon"], ["mon"]),
        ("on Friday", ["fri", "sat"], ["fri", "sat"]),
    ],
)
def test_of_a_list_of_choices_none_that_was_named_is_forgotten(node, question, given, wanted):
    assert with_named_choices({"days": given}, {"properties": {"days": node}}, question) == {"days": wanted}


def test_the_two_currencies_of_an_exchange_are_not_taken_for_each_other():
    money = {"type": "string", "enum": ["USD", "EUR", "CNY"]}
    schema = {"properties": {"source": money, "target": money}}
    given = {"source": "USD", "target": "EUR"}
    assert with_named_choices(given, schema, "把它换成欧元") == given
    assert with_named_choices({"source": "CNY", "target": "CNY"}, schema, "人民币换成欧元")["target"] == "EUR"


KIND = {"type": "string", "description": "Kind of work, e.g. book, novel, essay"}
UNIT = {"type": "string", "description": "Unit of the rating, e.g. stars or points."}
WORK = {"type": "object", "properties": {"title": TITLE, "kind": KIND, "unit": UNIT}, "required": ["title"]}


@pytest.mark.parametrize(
    ("question", "given", "wanted"),
    [
        ("three stars for this novel", {"title": "x"}, {"title": "x", "kind": "novel", "unit": "stars"}),
        ("three points for this essay", {"unit": "essay"}, {"kind": "essay", "unit": "points"}),
        ("Rate Book of Stars", {"title": "Book of Stars"}, {"title": "Book of Stars"}),
        ("a book or an essay", {}, {}),
        ("a poem", {"kind": "poem"}, {"kind": "poem"}),
    ],
)
def test_an_example_that_was_said_stands_where_it_is_one(question, given, wanted):
    assert with_examples_meant(given, WORK, question) == wanted


@pytest.mark.parametrize(
    ("description", "wanted"),
    [
        ("Kind of work, e.g. book, novel, essay", ["book", "novel", "essay"]),
        ("Such as red, green, or dark blue. Optional.", ["red", "green", "dark blue"]),
        ("类别，例如：新闻、体育", ["新闻", "体育"]),
        ("City name, e.g. Tokyo", []),
        ("The bases, e.g. A, C, G, T", []),
        ("What to say, e.g. I will be ten minutes late, or anything else", []),
        ("", []),
    ],
)
def test_examples_are_several_short_words(description, wanted):
    assert examples_of({"type": "string", "description": description}) == wanted


def test_a_choice_is_known_by_its_own_words_and_those_of_the_glossary():
    assert words_for("water_leak")[0] == "water leak"
    assert "漏水" in words_for("water_leak")
    assert "price_asc" not in words_for("price_asc")
    assert words_for("someThingElse") == ("some thing else",)


@pytest.mark.parametrize(
    ("question", "given", "wanted"),
    [
        ("outside if that's possible", {"outside": False}, {"outside": True}),
        ("no more than 120 euros, and outside", {}, {"outside": True}),
        ("not outside", {"outside": False}, {"outside": False}),
        ("别发通知，outside", {"outside": False}, {"outside": False}),
        # It may be meant by other words: privately is not public.
        ("a table in the garden", {"outside": False}, {"outside": False}),
        ("a table in the garden", {}, {}),
    ],
)
def test_a_flag_that_is_named_is_meant_unless_it_is_denied(question, given, wanted):
    schema = {"properties": {"outside": {"type": "boolean"}}}
    assert with_flags_meant(given, ToolSpec("act", "", schema), question) == wanted
    for kept in (
        {**schema, "required": ["outside"]},
        {"properties": {"outside": {"type": "boolean", "default": True}}},
    ):
        assert with_flags_meant(given, ToolSpec("act", "", kept), question) == given


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("any direct flights to Lisbon?", {"nonstop": True}),
        ("any flights to Lisbon?", {}),
        ("any flights to Lisbon, but not direct ones?", {}),
        ("refundable flights to Lisbon", {"refundable": True}),
        ("a trip the day after tomorrow", {}),
        ("a round trip to Lisbon", {"round_trip": True}),
    ],
)
def test_a_flag_is_raised_where_the_question_has_its_own_words(question, wanted):
    flags = {
        "nonstop": {"type": "boolean", "description": "Only direct flights", "default": False},
        "refundable": {"type": "boolean"},
        "round_trip": {"type": "boolean"},
        "all_day": {"type": "boolean"},
    }
    tool = ToolSpec("search_flights", "Find flights.", {"properties": {"to": TITLE, **flags}})
    assert with_flags_meant({}, tool, question) == wanted


LANGUAGE = {"type": "string", "description": "language code"}
CURRENCY = {"type": "string", "description": "ISO 4217 code"}


@pytest.mark.parametrize(
    ("question", "properties", "given", "wanted"),
    [
        ("pay 3200 zloty", {"currency": CURRENCY}, {"currency": "pln"}, {"currency": "PLN"}),
        ("I spent $64.90", {"currency": CURRENCY}, {"currency": "EU"}, {"currency": "USD"}),
        ("八百欧元", {"currency": CURRENCY}, {"currency": "CNY"}, {"currency": "EUR"}),
        ("pay 30", {"currency": CURRENCY}, {"currency": "EUR"}, {"currency": "EUR"}),
        (
            "2.5k Swiss francs in rupees",
            {"from": CURRENCY, "to": CURRENCY},
            {"from": "CHF", "to": "RON"},
            {"from": "CHF", "to": "INR"},
        ),
        (
            "news from Japan",
            {"country": {**TITLE, "description": "ISO 3166-1 code"}},
            {"country": "Japan"},
            {"country": "jp"},
        ),
        ("news from Japan", {"country": TITLE}, {"country": "Japan"}, {"country": "Japan"}),
        (
            "200 Egyptian pounds to euros",
            {"from": CURRENCY, "to": CURRENCY},
            {"from": "EGP", "to": "EUR"},
            {"from": "EGP", "to": "EUR"},
        ),
        (
            "into traditional Chinese",
            {"to": {**TITLE, "description": "language code"}},
            {"to": "zh-TW"},
            {"to": "zh-TW"},
        ),
        ("in Portuguese", {"target": {**TITLE, "description": "language code"}}, {"target": "es"}, {"target": "pt"}),
    ],
)
def test_a_code_is_that_of_what_was_named(question, properties, given, wanted):
    assert with_codes_named(given, {"properties": properties}, question) == wanted


@pytest.mark.parametrize(
    ("value", "description", "wanted"),
    [
        ("2026-04-20", "YYYY-MM", "2026-04"),
        ("2026-04-20", "YYYY-MM-DD", "2026-04-20"),
        ("6.20", "HH:MM, 24 h", "06:20"),
        ("06:20", "HH:MM", "06:20"),
        ("6.20", "the price", "6.20"),
        (["monday", "Friday"], "mon, tue, wed, thu, fri, sat, sun", ["mon", "fri"]),
        (["monday"], "names of days", ["monday"]),
        ("40 to 42", "pages, e.g. 12-14", "40-42"),
        ("第40到42页", "pages, e.g. 12-14", "第40到42页"),
        ("40 to 42", "a size", "40 to 42"),
    ],
)
def test_texts_take_the_form_that_is_asked_for(value, description, wanted):
    kind = "array" if isinstance(value, list) else "string"
    schema = {"properties": {"value": {"type": kind, "description": description}}}
    assert in_wanted_forms({"value": value}, schema) == {"value": wanted}


def test_a_part_that_nothing_was_taken_from_is_not_served():
    question = "dim the living room to ten percent, turn the kitchen light off"
    assert unserved(question, [{"room": "living room"}]) == ["turn the kitchen light off"]
    assert unserved(question, [{"room": "living room"}, {"room": "kitchen"}]) == []
    assert unserved("北京天气怎么样？再查一下上海的空气质量", [{"city": "北京"}]) == ["查一下上海的空气质量"]
    assert unserved("Thanks, bye", []) == []


@pytest.mark.parametrize(
    ("description", "language", "wanted"),
    [
        ("", "en", "What is the duration?"),
        ("in minutes", "en", "What is the duration?"),
        ("Length of the run, in minutes", "en", "What is the duration? (Length of the run)"),
        ("时长，分钟", "zh", "请问时长是多少？"),
        ("in minutes", "zh", "请问duration是多少？"),
    ],
)
def test_what_is_missing_is_asked_for_by_name(description, language, wanted):
    node = {"type": "integer", "description": description}
    tool = ToolSpec("log_run", "", {"type": "object", "properties": {"duration_min": node}})
    assert question_for(tool, "duration_min", language) == wanted
