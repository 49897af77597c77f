"""Results that are shown instead of told: in words, whole, and true to what came back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.telling import is_a_list_of_things, plainly
from toolpost.types.messages import Completed, Failed, TextPart, ToolPart


def shown(result, language="en", **arguments):
    text = result if isinstance(result, str) else json.dumps(result)
    return plainly(ToolPart("call_1", "find", Completed(arguments, (TextPart(text),), 0.0, 1.0)), language)


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        ({"high": 19, "low": 13, "sky": "rain"}, "high 19, low 13, sky rain"),
        ([{"name": "Casa", "price": 94}, {"name": "Inn", "price": 131}], "name Casa, price 94; name Inn, price 131"),
        ({"result": {"booking_code": "HB4"}}, "booking code HB4"),
        ({"seats": ["21", "22"], "paid": False}, "seats 21, 22, paid no"),
        ([], "nothing found"),
        ("Label printed", "Label printed"),
        ("42", "42"),
    ],
)
def test_a_document_is_told_in_words(result, wanted):
    assert shown(result) == wanted


def test_what_it_is_about_is_said_unless_the_result_says_it():
    assert shown("714", expression="42 * 17") == "42 * 17: 714"
    assert shown("Rome: sunny", city="Rome") == "Rome: sunny"
    failed = Failed("failed", "no data for Atlantis", {"city": "Atlantis"})
    assert plainly(ToolPart("call_1", "get_weather", failed), "en") == "get_weather: no data for Atlantis"


def test_a_document_of_any_depth_is_shown():
    for depth in (20, 990):
        assert shown("[" * depth + "]" * depth).count("[") >= depth - 8


def test_words_of_a_schema_are_told_in_chinese_too():
    assert shown({"department": "ophthalmology", "free": True}, "zh") == "department 眼科（ophthalmology）, free 是"
    assert shown([], "zh") == "没有结果"


@pytest.mark.parametrize(
    ("result", "wanted"),
    [("[]", True), ('[{"a": 1}]', False), ("[1, 2]", True), ('{"a": [1]}', False), ("a", False)],
)
def test_several_things_or_none_are_shown(result, wanted):
    assert is_a_list_of_things(result) == wanted


plain_values = st.one_of(st.integers(), st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1))


@given(st.dictionaries(st.text(min_size=1, max_size=8), plain_values | st.lists(plain_values, max_size=3), min_size=1))
def test_nothing_that_came_back_is_left_out(document):
    told = shown(document)
    values = [one for value in document.values() for one in (value if isinstance(value, list) else [value])]
    assert all(str(value) in told for value in values)
