"""What was miscopied is spelled as the user spelled it, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.copying import as_said

FREE = {"properties": {"value": {"type": "string"}}}


def spelled(value, *texts, schema=FREE):
    return as_said({"value": value}, schema, texts)["value"]


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
    assert spelled(value, text) == wanted


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("EUR", "how many euros"),
        ("2026-11-17", "on 2026-11-18"),
        ("sunny", "is it funny"),
        ("Berlin", "weather in Bern"),
        ("water the plants", "remind me of the taxes"),
        ("montevideo", "weather in Montevideo"),
    ],
)
def test_what_is_no_slip_stays(value, text):
    assert spelled(value, text) == value


def test_choices_and_formats_stay():
    for schema in ({"enum": ["celsius"]}, {"format": "email"}, {"pattern": "c.*"}, {"const": "celsius"}):
        assert spelled("celsius", "in celsiuss please", schema={"properties": {"value": schema}}) == "celsius"


def test_lists_and_objects_are_looked_into():
    schema = {"properties": {"names": {"type": "array"}, "who": {"type": "object"}}}
    given_ = {"names": ["Cristopher", "Anna"], "who": {"name": "Katherina"}, "count": 3, "sure": True}
    said = ["invite Christopher, Anna and Katharina"]
    wanted = {"names": ["Christopher", "Anna"], "who": {"name": "Katharina"}, "count": 3, "sure": True}
    assert as_said(given_, schema, said) == wanted


@given(st.text(max_size=60), st.text(max_size=200))
def test_a_value_that_stands_in_the_text_is_never_changed(value, around):
    assert spelled(value, f"{around} {value} {around}") == value
