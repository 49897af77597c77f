"""Free texts of a call are what was said: spelled so, chosen from it, or left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.mending.copying import Said

FREE = {"type": "string"}
MADE_UP = "made up"


def told(value, *texts, schema=FREE, required=()):
    parameters = {"properties": {"value": schema}, "required": list(required)}
    return Said(texts).arguments({"value": value}, parameters, lambda name, spans: MADE_UP).get("value")


@pytest.mark.parametrize(
    ("value", "text", "wanted"),
    [
        ("Montevido", "What's the weather in Montevideo?", "Montevideo"),
        ("Magnus Papadopulos", "call Magnus Papadopoulos please", "Magnus Papadopoulos"),
        ("the Ottoman Empir", "an article on the Ottoman Empire, please", "the Ottoman Empire"),
        ("布宜诺斯艾里斯", "从布宜诺斯艾利斯到肯尼亚", "布宜诺斯艾利斯"),
    ],
)
def test_a_slip_is_mended(value, text, wanted):
    assert told(value, text) == wanted


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("EUR", "how many euros"),
        ("2026-11-17", "tomorrow"),
        ("42 * 17", "forty-two times seventeen"),
        ("montevideo", "weather in Montevideo"),
        ("Italian", "用意大利语怎么说"),
        ("", "nothing"),
    ],
)
def test_what_need_not_be_copied_stays(value, text):
    assert told(value, text) == value


def test_what_nobody_said_is_left_out_or_chosen_from_what_was_said():
    assert told("praising", "podcasts about parenting") is None
    assert told("praising", "podcasts about parenting", required=["value"]) == MADE_UP
    assert told("Berlin", "weather in Bern", required=["value"]) == MADE_UP


def test_the_parts_of_the_last_thing_said_are_offered():
    offered = []
    schema = {"properties": {"topic": FREE}, "required": ["topic"]}

    def choose(name, spans):
        offered.extend([name, *spans])
        return spans[0]

    Said(["Hello there.", "Shows on space travel, please"]).arguments({"topic": "gardening"}, schema, choose)
    assert offered[0] == "topic"
    assert {"space travel", "Shows on space travel, please", "travel"} <= set(offered)
    assert "Hello" not in offered
    offered.clear()
    Said(["我想了解象棋，找个播客"]).arguments({"topic": "围棋课程"}, schema, choose)
    assert "象棋" in offered


def test_earlier_words_and_results_count_as_said():
    assert told("Room Fourteen", "Where is it?", "Room Fourteen, second floor", "book that") == "Room Fourteen"


def test_choices_and_formats_stay():
    for schema in ({"enum": ["celsius"]}, {"format": "email"}, {"pattern": "c.*"}, {"const": "celsius"}):
        assert told("celsius", "in degrees please", schema=schema) == "celsius"


def test_lists_are_looked_into_and_what_nobody_said_falls_out():
    schema = {"type": "array", "items": FREE}
    assert told(["Cristopher", "Anna", "Hegel"], "invite Christopher and Anna", schema=schema) == [
        "Christopher",
        "Anna",
    ]
    assert told(["Hegel"], "invite nobody", schema=schema) is None
    assert told(["Hegel"], "invite nobody", schema=schema, required=["value"]) == ["Hegel"]
    assert told([1, True], "x", schema={"type": "array"}) == [1, True]


@given(st.text(max_size=60), st.text(max_size=200))
def test_a_value_that_was_said_is_never_changed(value, around):
    assert told(value, f"{around} {value} {around}") == value


@given(st.text(max_size=30), st.text(max_size=300))
def test_a_required_value_is_never_lost(value, text):
    assert told(value, text, required=["value"]) is not None


def test_one_word_is_not_two_values():
    schema = {
        "properties": {"from": FREE, "to": FREE, "via": FREE, "seat": {"enum": ["Oslo", "window"]}},
        "required": ["from", "to", "seat"],
    }
    both = {"from": "Oslo", "to": "Oslo"}
    assert Said(["a train to Oslo"]).said_once(both, schema) == ("Oslo", "from", "to")
    # Said twice it may well be two values, an enum has its own words, and what is optional can be left out.
    assert Said(["from Oslo back to Oslo"]).said_once(both, schema) is None
    assert Said(["a train to Oslo"]).said_once({"from": "Bergen", "to": "Oslo", "seat": "Oslo"}, schema) is None
    assert Said(["a train to Oslo"]).said_once({"from": "Bergen", "to": "Oslo", "via": "Oslo"}, schema) is None


@pytest.mark.parametrize(
    ("value", "text", "wanted"),
    [
        ("build/2.4", "rebuild release/2.4 of the gateway", "release/2.4"),
        ("AB-1284", "cancel order AB-1234 please", "AB-1234"),
        ("XK20PL", "no code was said at all", "XK20PL"),
        ("碗牛肉面", "中午吃了碗牛肉面", "牛肉面"),
        ("份报纸", "买的是份报纸", "份报纸"),
        ("讲宋朝历史", "有没有讲宋朝历史的播客", "宋朝历史"),
        ("讲座视频", "搜索讲座视频", "讲座视频"),
        ("张学友", "来张学友的歌", "张学友"),
        ("America/New_York", "what time is it in New York", "America/New_York"),
    ],
)
def test_codes_and_counted_things_are_what_was_said(value, text, wanted):
    assert told(value, text) == wanted


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("text", "Text Priya: running late, start without me", "running late, start without me"),
        ("message", "Tell Ann: “running late, sorry”", "running late, sorry"),
        ("title", "Note: running late, sorry", "running late"),
        ("text", "Text Ann: running late, and text Bob: see you", "running late"),
        ("text", "Text Ann: running late. Then turn off the light", "running late"),
        ("notebook", "Notebook: running late, sorry", "running late"),
        ("text", "Say that I am running late, and book a cab", "running late"),
    ],
)
def test_a_dictated_message_goes_on_to_its_end(name, text, wanted):
    schema = {"properties": {name: FREE}}
    assert Said([text]).arguments({name: "running late"}, schema, lambda name, spans: MADE_UP) == {name: wanted}


def test_beside_other_calls_a_message_is_left_as_it_is():
    schema = {"properties": {"text": FREE}}
    said = Said(["Text Ann: running late, sorry"])
    assert said.arguments({"text": "running late"}, schema, lambda name, spans: MADE_UP, alone=False) == {
        "text": "running late"
    }


@pytest.mark.parametrize(
    "schema", [{"properties": {"a": True, "b": True}, "required": ["a", "b"]}, {"required": True}, {}]
)
def test_odd_schemas_are_no_obstacle(schema):
    said = Said(["Rome"])
    given = {"a": "Rome", "b": "Rome"}
    assert said.arguments(given, schema, lambda name, spans: MADE_UP) == given
    said.said_once(given, schema)
