"""Half-broken JSON: read as it was meant where there is one reading, refused where there is none."""

import json
from typing import Any

import pytest
from call_samples import TOOLS
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import json_objects, json_values

from toolpost.models.prompted.call_repair import repair_call
from toolpost.models.prompted.lenient_json import LenientParser, Unreadable, unescaped
from toolpost.models.prompted.tool_matching import PromptedTools
from toolpost.models.prompted.value_end import ValueEnd
from toolpost.models.prompted.values import convert, read
from toolpost.tools.define import Tool, ToolContext, tool
from toolpost.types.tool_spec import ToolSpec

OFFER = PromptedTools(TOOLS)


@given(json_values)
def test_the_forgiving_reader_reads_json_as_json(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=2)):
        literals = LenientParser(text)
        assert literals.value() == value
        assert not literals.cut


@given(json_objects)
def test_it_reads_python_as_python(value: dict[str, Any]) -> None:
    assert LenientParser(repr(value)).value() == value


@given(json_objects, st.text(max_size=20))
def test_the_end_of_a_json_value_is_found_whatever_follows(value: dict[str, Any], after: str) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert ValueEnd().feed(text + after, 0, False) == len(text)


@given(json_objects, st.data())
def test_the_end_of_a_value_is_found_in_pieces(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False) + "} more"
    cut = data.draw(st.integers(1, len(text) - 6))
    span = ValueEnd("{")
    end = span.feed(text[:cut], 0, False)
    end = end if end >= 0 else span.at + span.feed(text[span.at :], 0, False)
    assert text[:end] == text[:-6]
    assert not span.broken


@given(json_objects.filter(bool), st.data())
def test_a_text_that_was_cut_is_closed_and_says_so(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text) - 1))
    literals = LenientParser(text[:cut])
    try:
        found = literals.value()
    except Unreadable:
        return
    assume(literals.cut)
    assert found.keys() <= value.keys()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1,}', {"a": 1}),
        ("{'a': 'it\\'s'}", {"a": "it's"}),
        ("{a: True, b: None, c: False}", {"a": True, "b": None, "c": False}),
        ('{"a": "x\ny\tz"}', {"a": "x\ny\tz"}),
        ('{"a": "say "hi", she said"}', {"a": 'say "hi", she said'}),
        ('{"a": "x" // why\n, /* so */ "b": 2 # end\n}', {"a": "x", "b": 2}),
        ("{“a”：“b”，“c”：［1，2］}", {"a": "b", "c": [1, 2]}),
        ('{"a": (1, 2)}', {"a": [1, 2]}),
        ('{"a": "b"}}]', {"a": "b"}),
        ('{"a": [1, 2}', {"a": [1, 2]}),
        ('{"a": {"b": "c"', {"a": {"b": "c"}}),
        ('{"a": "b\\', {"a": "b"}),
        ('{"a": "\\u00e', {"a": ""}),
        ('{"a": tru', {"a": True}),
        ('{"a": "C:\\dir\\x"}', {"a": "C:\\dir\\x"}),
        ('{"a": +1, "b": .5}', {"a": 1, "b": 0.5}),
        ('{"a": NaN}', {"a": None}),
        ('{"a": """x "y" z"""}', {"a": 'x "y" z'}),
        ('{"a": "Oslo}', {"a": "Oslo"}),
        ('{"a": "x" "b": 1 "c": [1]\n"d": 2}', {"a": "x", "b": 1, "c": [1], "d": 2}),
        ('{"a": "the "big", "small" ones", "b": 3}', {"a": 'the "big", "small" ones', "b": 3}),
        ('{"a": "print("x, y")\nz = {"k": {"l": "m"}}"}', {"a": 'print("x, y")\nz = {"k": {"l": "m"}}'}),
        ('{"a": "{"b": "c"}", "d": "["e", 1]"}', {"a": '{"b": "c"}', "d": '["e", 1]'}),
        ('{“a“: ”b”, “c": ‘d’}', {"a": "b", "c": "d"}),
        ('｛"a"：［1］｝', {"a": [1]}),
        ('{"a": 1,, "b"=2}', {"a": 1, "b": 2}),
        ("{1, 2}", [1, 2]),
        ("{'a': {'x', 'y'}, 'b': {'z'}}", {"a": ["x", "y"], "b": ["z"]}),
        ('{"a": {"x", "y",}, "b": {}}', {"a": ["x", "y"], "b": {}}),
        # Whether it is a number or a code, the schema says.
        ('{"a": 007, "b": -01.50}', {"a": "007", "b": "-01.50"}),
    ],
)
def test_it_reads_what_was_meant(text: str, value: Any) -> None:
    assert read(text).value == value
    assert read(text).mended


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "nothing", "{hello}", '{"a": b}', '{"a" 1}', "[1 2]"),
        *('{"a": 1, "a": 2}', '{"a": 1} {"b": 2}', '{"a": }', "{1, 2: 3}", '{"a": "say "hi', "[" * 500, '{"a":' * 500),
    ],
)
def test_it_refuses_what_has_no_one_reading(text: str) -> None:
    if text == "{":
        assert read(text).cut
        return
    with pytest.raises(Unreadable):
        read(text)


def test_an_escape_that_is_none_stays() -> None:
    assert unescaped(r"\ud83d\ude00 \u00e9") == "😀 é"
    assert unescaped(r"\d+\.\w \n \x41 \q") == "\\d+\\.\\w \n A \\q"


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("20", {"type": "string"}, "20"),
        ('["a"]', {"type": "string"}, '["a"]'),
        ("null", {"type": ["string", "null"]}, None),
        ("None", {"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
        ("null", {"type": "string"}, "null"),
        ("['a', True]", {"type": "array"}, ["a", True]),
        ("{'a': None}", {"type": "object"}, {"a": None}),
        ('["a"]', {"anyOf": [{"type": "string"}, {"type": "array"}]}, ["a"]),
        ("[oops", {"type": "array"}, "[oops"),
        (" kept ", {"type": "string"}, " kept "),
        ("x", None, "x"),
    ],
)
def test_a_bare_value_is_what_its_schema_says(text: str, schema: Any, value: Any) -> None:
    assert convert(text, schema) == value


def test_arguments_that_had_to_be_mended_must_fit_the_schema() -> None:
    assert repair_call("get_weather", "{'city': 'Oslo'}", OFFER).arguments == {"city": "Oslo"}
    assert repair_call("get_weather", "{'town': 'Oslo'}", OFFER).problem
    # As they stand, they are the engine's to judge.
    assert not repair_call("get_weather", '{"town": "Oslo"}', OFFER).problem


def test_tools_are_taken_in_any_form() -> None:
    @tool
    def get_weather(city: str) -> str:
        """The weather in a city."""
        return city

    async def execute(args: Any, ctx: ToolContext) -> str:
        return ""

    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    for given_tool in (
        get_weather,
        Tool("get_weather", "Weather", "The weather.", schema, execute),
        ToolSpec("get_weather", "The weather.", schema),
        {"name": "get_weather", "parameters": schema},
        {"name": "get_weather", "input_schema": schema},
        {"type": "function", "function": {"name": "get_weather", "parameters": schema}},
    ):
        offer = PromptedTools([given_tool])
        assert offer.find("getWeather") == "get_weather"
        assert offer.required("get_weather") == ["city"]


def test_a_tool_without_parameters_takes_what_comes() -> None:
    offer = PromptedTools([{"name": "ping"}])
    assert repair_call("ping", "", offer).arguments == {}
    assert repair_call("ping", '{"x": 1}', offer).arguments == {"x": 1}


def test_arguments_without_a_name_are_guessed_only_where_one_tool_fits() -> None:
    assert OFFER.guess({"city": "Oslo"}) == "get_weather"
    assert OFFER.guess({}) is None
    twins = PromptedTools(
        [{"name": "a", "parameters": TOOLS[0]["parameters"]}, {"name": "b", "parameters": TOOLS[0]["parameters"]}]
    )
    assert twins.guess({"city": "Oslo"}) is None
