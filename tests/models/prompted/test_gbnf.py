"""Grammars made from schemas: they let through whatever fits the schema, and nothing that does not."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from gbnf_play import Gbnf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from llama_play import complete

from toolpost.models.prompted.grammar.gbnf import Grammar
from toolpost.models.prompted.grammar.schema import MAX_RULES, SchemaRules, arguments_rule
from toolpost.models.schemas.normalize import modern

Schema = dict[str, Any]
Case = tuple[Schema, st.SearchStrategy[Any]]

STRING = {"type": "string"}
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.text('ab_é"\\ :-', min_size=1, max_size=4)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(-1e300, 1e300) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


def value_rule(grammar: Grammar, schema: Any) -> str:
    """The rule for any JSON value that fits the schema."""
    rules = SchemaRules(grammar, modern(schema))
    return rules.settled_rule("value", lambda: rules.body(schema)) or "value"


def grammar_of(schema: Any) -> Gbnf:
    grammar = Grammar()
    return Gbnf(grammar.render(value_rule(grammar, schema)))


def accepts(schema: Any, value: Any) -> bool:
    return grammar_of(schema).accepts(json.dumps(value, ensure_ascii=False))


@st.composite
def strings(draw: st.DrawFn) -> Case:
    low, high = sorted(draw(st.tuples(st.integers(0, 4), st.integers(0, 6))))
    limits = {key: value for key, value in (("minLength", low), ("maxLength", high)) if draw(st.booleans())}
    values = st.text(
        st.characters(exclude_categories=["Cs"]),
        min_size=limits.get("minLength", 0),
        max_size=limits.get("maxLength", 8),
    )
    return {**STRING, **limits}, values


@st.composite
def integers(draw: st.DrawFn) -> Case:
    low, high = sorted(draw(st.tuples(st.integers(-9, 9), st.integers(-9, 30))))
    if draw(st.booleans()):
        return {"type": "integer", "minimum": low, "maximum": high}, st.integers(low, high)
    low = draw(st.sampled_from([-(10**18), 0]))
    return {"type": "integer", **({} if low else {"minimum": 0})}, st.integers(low, 10**18)


@st.composite
def enums(draw: st.DrawFn) -> Case:
    values = draw(st.lists(json_values, min_size=1, max_size=3))
    if draw(st.booleans()):
        return {"const": values[0]}, st.just(values[0])
    return {"enum": values}, st.sampled_from(values)


formats = st.sampled_from(
    [
        ("date", st.dates().map(str)),
        ("time", st.times().map(lambda time: f"{time.isoformat()}Z")),
        ("date-time", st.datetimes().map(lambda time: f"{time.isoformat()}+02:00")),
        ("uuid", st.uuids().map(str)),
    ]
).map(lambda form: ({**STRING, "format": form[0]}, form[1]))
scalars: st.SearchStrategy[Case] = st.one_of(
    *(strings(), integers(), enums(), formats),
    *(st.just(({"type": "boolean"}, st.booleans())), st.just(({"type": "null"}, st.none()))),
    st.just(({"type": "number"}, st.floats(-1e300, 1e300) | st.integers(-(10**18), 10**18))),
    st.just(({"type": ["integer", "null"]}, st.none() | st.integers(-99, 99))),
    st.just(({}, json_values)),
    st.just(({"type": "object"}, st.dictionaries(texts, json_values, max_size=2))),
)


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Case]) -> Case:
    if draw(st.booleans()):
        places = draw(st.lists(inner, min_size=1, max_size=3))
        low = draw(st.integers(0, len(places)))
        some = st.integers(low, len(places)).flatmap(lambda size: st.tuples(*(values for _, values in places[:size])))
        return {"type": "array", "prefixItems": [one for one, _ in places], "items": False, "minItems": low}, some.map(
            list
        )
    schema, values = draw(inner)
    low, high = sorted(draw(st.tuples(st.integers(0, 2), st.integers(0, 3))))
    limits = {key: value for key, value in (("minItems", low), ("maxItems", high)) if draw(st.booleans())}
    sizes = {"min_size": limits.get("minItems", 0), "max_size": limits.get("maxItems", 3)}
    return {"type": "array", "items": schema, **limits}, st.lists(values, **sizes)


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Case]) -> Case:
    fields = draw(st.dictionaries(names, inner, max_size=4))
    required = [name for name in fields if draw(st.booleans())]
    schema: Schema = {
        "type": "object",
        "properties": {name: one for name, (one, _) in fields.items()},
        "required": required,
        "additionalProperties": False,
    }
    others: st.SearchStrategy[dict[str, Any]] = st.just({})
    if draw(st.booleans()):
        schema["additionalProperties"], values = draw(inner)
        plain = st.text("abc_é", max_size=4).filter(lambda name: name not in fields)
        others = st.dictionaries(plain, values, max_size=2)
    known = st.tuples(
        *(
            values.map(lambda value, name=name: {name: value})
            for name, (_, values) in fields.items()
            if name in required
        )
    )
    optional = {name: values for name, (_, values) in fields.items() if name not in required}
    some = st.fixed_dictionaries({}, optional=optional)

    def in_order(parts: tuple[tuple[Schema, ...], Schema, Schema]) -> Schema:
        given = {name: value for part in parts[0] for name, value in part.items()} | parts[1]
        return {name: given[name] for name in fields if name in given} | parts[2]

    return schema, st.tuples(known, some, others).map(in_order)


@st.composite
def unions(draw: st.DrawFn, inner: st.SearchStrategy[Case]) -> Case:
    branches = draw(st.lists(inner, min_size=1, max_size=3))
    return {"anyOf": [one for one, _ in branches]}, st.one_of(*(values for _, values in branches))


@st.composite
def referred(draw: st.DrawFn, inner: st.SearchStrategy[Case]) -> Case:
    schema, values = draw(inner)
    return {"allOf": [schema, {"description": "Said twice."}]}, values


cases: st.SearchStrategy[Case] = st.recursive(
    scalars,
    lambda inner: st.one_of(arrays(inner), objects(inner), unions(inner), referred(inner)),
    max_leaves=6,
)
quiet = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
WRITERS: list[Callable[[Any], str]] = [
    lambda value: json.dumps(value, ensure_ascii=False),
    lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    lambda value: json.dumps(value, ensure_ascii=False, indent=2),
]


@quiet
@given(cases, st.data(), st.sampled_from(WRITERS))
def test_what_fits_the_schema_can_be_written(case: Case, data: st.DataObject, write: Callable[[Any], str]) -> None:
    schema, values = case
    value = data.draw(values)
    assert jsonschema_rs.is_valid(schema, value)
    assert grammar_of(schema).accepts(write(value))


@quiet
@given(cases, st.randoms(use_true_random=False))
def test_what_can_be_written_fits_the_schema(case: Case, random: Random) -> None:
    schema, _ = case
    text = grammar_of(schema).sample(random)
    value = json.loads(text)
    json.dumps(value, allow_nan=False).encode()
    text.encode()
    assert jsonschema_rs.is_valid(schema, value), text


@quiet
@given(cases, json_values)
def test_what_does_not_fit_cannot_be_written(case: Case, value: Any) -> None:
    schema, _ = case
    if not jsonschema_rs.is_valid(schema, value):
        assert not accepts(schema, value)


TREE = {
    "$ref": "#/$defs/Node",
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"name": STRING, "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
            "required": ["name"],
        }
    },
}


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (TREE, [{"name": "a"}, {"name": "a", "kids": [{"name": "b", "kids": []}]}], [{}, {"name": "a", "kids": [1]}]),
        ({"oneOf": [STRING, {"type": "null"}]}, ["x", None], [1, []]),
        ({"type": "string", "nullable": True}, ["x", None], [1]),
        ({"type": "string", "enum": ["a", None, "b"]}, ["a", "b"], [None, "c"]),
        ({"allOf": [{"properties": {"a": STRING}}, {"required": ["a"]}]}, [{"a": "x"}], [{}, {"a": 1}]),
        (
            {"properties": {"kind": STRING}, "required": ["kind"], "anyOf": [{"properties": {"a": {"const": 1}}}]},
            [{"kind": "x"}, {"kind": "x", "a": 1}],
            [{"a": 1}, {"kind": "x", "a": 2}],
        ),
        ({"type": "object", "properties": {"a": STRING}}, [{}, {"a": "x"}], [{"b": 1}, {"a": "x", "b": 1}]),
        ({"type": "object", "properties": {}}, [{}], [{"a": 1}]),
        ({"type": "object", "required": ["a"]}, [{"a": 1}, {"a": [], "b": 2}], [{}, {"b": 1}]),
        ({"type": "object", "properties": {"a": False, "b": STRING}}, [{"b": "x"}], [{"a": "x"}]),
        ({"type": "object", "minProperties": 1, "properties": {"a": STRING}}, [{"a": ""}], [{}]),
        ({"additionalProperties": {"type": "integer"}}, [{}, {"x": 1, "": 2}], [{"x": "1"}]),
        ({"patternProperties": {"^x": STRING}, "additionalProperties": False}, [{"xa": "b"}], [{"xa": 1}]),
        ({"propertyNames": {"enum": ["a", "b"]}, "additionalProperties": STRING}, [{"b": "x"}], [{"c": "x"}]),
        ({"type": "array", "items": [STRING, {"type": "integer"}], "additionalItems": STRING}, [["a", 1, "b"]], [[1]]),
        ({"type": "integer", "exclusiveMinimum": 0}, [1, 10], [-1, 1.5]),
        ({"type": "integer", "minimum": 0.5, "maximum": 3.5}, [1, 2, 3], [0, 4]),
        ({"type": "number", "minimum": 0}, [0, 0.5, 1e-7], [-1]),
        ({"type": "string", "format": "date"}, ["2024-02-29"], ["2024-02-30", "2024-13-01", "2024-04-31", "today"]),
        ({"type": "string", "minLength": 1}, ["a", "aa" * 99], [""]),
        (True, [1, None, {"a": []}], []),
    ],
)
def test_schemas_of_every_kind(schema: Any, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not accepts(schema, value)] == []
    assert [value for value in bad if accepts(schema, value)] == []


def test_optional_properties_bring_their_commas_wherever_they_stand() -> None:
    properties = dict.fromkeys("abcd", STRING)
    for required in ([], ["c"], ["a", "d"]):
        grammar = grammar_of({"type": "object", "properties": properties, "required": required})
        for chosen in range(16):
            given = {name: "" for place, name in enumerate("abcd") if chosen >> place & 1}
            assert grammar.accepts(json.dumps(given)) == (set(required) <= given.keys())
        assert not grammar.accepts('{"a": "",}')
        assert not grammar.accepts('{, "c": ""}')


def test_a_free_name_is_none_of_those_that_are_declared() -> None:
    """Else the same property could come twice, the second time with any value."""
    schema = {"properties": {"ab": STRING, "abc": STRING, "x": STRING}, "additionalProperties": {"type": "integer"}}
    for name in ("a", "abcd", "y", "", "b"):
        assert accepts(schema, {"ab": "", name: 1})
    for name in ("ab", "abc", "x"):
        assert not accepts(schema, {name: 1})


def test_half_of_a_surrogate_pair_cannot_be_written() -> None:
    grammar = grammar_of(STRING)
    assert grammar.accepts(r'"\ud83d\ude00 \u00e9"')
    assert not grammar.accepts(r'"\ud83d"')
    assert not grammar.accepts(r'"\ude00"')


def test_white_space_and_digits_come_to_an_end() -> None:
    grammar = grammar_of({"type": "array", "items": {"type": "number"}})
    assert grammar.accepts("[\n    1,\n    2\n]")
    for endless in ("  ", "\n\n", "\n" + " " * 30):
        assert not grammar.accepts(f"[{endless}1]")
    assert not grammar.accepts(f"[{'3' * 30}]")
    assert not grammar.accepts(f"[0.{'3' * 30}]")


LOOPS = [
    {"$ref": "#"},
    {"anyOf": [{"$ref": "#"}, STRING]},
    {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/B"}]}, "B": {"oneOf": [{"$ref": "#/$defs/A"}]}}},
    {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"allOf": [{"$ref": "#/$defs/A"}]}]}}},
    {
        "$ref": "#/$defs/A",
        "$defs": {
            "A": {"anyOf": [{"properties": {"b": {"$ref": "#/$defs/B"}}}, {"$ref": "#/$defs/B"}]},
            "B": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "integer"}]},
        },
    },
]
ODD = [
    *({"type": "banana"}, {"$ref": "https://example.org/x"}, {"$ref": "#/nowhere"}, {"enum": []}, {"type": []}),
    *({"properties": [1]}, {"required": True}, {"items": 3, "type": "array"}, {"minimum": "a", "type": "integer"}),
    *({"type": "integer", "minimum": float("inf")}, {"type": "array", "maxItems": -1}, {"anyOf": []}, {"not": {}}),
    *({"type": "array", "minItems": 5, "maxItems": 2}, {"type": "string", "minLength": 10**9}, {"const": "\x00\x7f"}),
    *({"properties": {"a\nb": {}, "": {}, "名": STRING, "]^-[": STRING}}, {"enum": ["]", "\\", '"', "é\n"]}),
    {"properties": {"]": {}, "^": {}, "-": {}}, "additionalProperties": True},
]


@pytest.mark.parametrize("schema", [*LOOPS, *ODD])
def test_an_odd_schema_still_gives_a_grammar(schema: Any) -> None:
    grammar = grammar_of(schema)
    for seed in range(20):
        text = grammar.sample(Random(seed))
        assert json.dumps(json.loads(text)), text


@quiet
@given(st.dictionaries(st.sampled_from(["type", "properties", "required", "items", "enum", "anyOf", "$ref", "const",
                                        "minItems", "maxLength", "format", "additionalProperties", "prefixItems"]),
                       json_values, max_size=4))  # fmt: skip
def test_no_schema_makes_it_fail(schema: Schema) -> None:
    grammar = Grammar()
    written = Gbnf(grammar.render(arguments_rule(grammar, schema)))
    assert isinstance(json.loads(written.sample(Random(1))), dict)


def test_a_schema_too_large_for_rules_allows_any_object() -> None:
    grammar = Grammar()
    wide = {
        "type": "object",
        "properties": {f"p{place}": STRING | {"title": f"{place}"} for place in range(MAX_RULES + 1)},
    }
    assert arguments_rule(grammar, wide) == "object"
    deep: Schema = STRING
    for _ in range(3_000):
        deep = {"type": "array", "items": deep}
    assert arguments_rule(grammar, {"properties": {"a": deep}}) == "object"
    assert grammar.render("object") == Grammar().render("object")


def test_text_goes_up_to_its_end_tag_and_no_further() -> None:
    grammar = Grammar()
    text = grammar.text_before("</parameter>")
    rules = Gbnf(grammar.render(f'{text} "</parameter>"'))
    for inside in ("", "a", "<p>a</p>", "</param", "<</parameter", "a < b </ c", "\n"):
        assert rules.accepts(f"{inside}</parameter>"), inside
    assert not rules.accepts("a</parameter>b</parameter>")
    assert not rules.accepts("<</parameter></parameter>")


@given(st.text("ab", min_size=1, max_size=5), st.sampled_from(["", "a", "b", "q", "bq"]), st.text("abqx", max_size=14))
def test_text_holds_its_end_nowhere_but_behind_a_quote(end: str, quotes: str, text: str) -> None:
    """Whatever in the end comes again, and even where a quote is part of it."""
    grammar = Grammar()
    rules = Gbnf(grammar.render(grammar.text_before(end, quotes=quotes)))
    ends = [place for place in range(len(text)) if text.startswith(end, place)]
    assert rules.accepts(text) is all(place > 0 and text[place - 1] in quotes for place in ends)


@given(st.text('{"a', min_size=1, max_size=4), st.text('{"a \n', max_size=8))
def test_text_may_begin_with_anything_but_one_beginning(begin: str, text: str) -> None:
    grammar = Grammar()
    rules = Gbnf(grammar.render(grammar.text_unlike(begin)))
    assert rules.accepts(text) is not text.lstrip().startswith(begin)


def test_llama_cpp_takes_every_grammar() -> None:
    for schema in (TREE, *LOOPS, *ODD):
        grammar = Grammar()
        complete("x", grammar=grammar.render(value_rule(grammar, schema)), n_predict=1)
    for end, quotes in (("aab", ""), ("<", "\"'"), ('"-"', '"'), ("｜▁｜", "`")):
        grammar = Grammar()
        text = grammar.text_before(end, quotes=quotes)
        complete("x", grammar=grammar.render(f"{text} | {grammar.text_unlike(end)}"), n_predict=1)
