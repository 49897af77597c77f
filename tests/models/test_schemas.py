"""One schema in, each provider's subset out: what stays, what is said in words, and that no value is shut out."""

from typing import Any, get_args

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schema_checkers import CHECKERS, from_openapi

from toolpost.models.schemas.provider_schema import Inexpressible, SchemaDialect, for_provider, spec_for
from toolpost.types.tool_spec import ToolSpec

Schema = dict[str, Any]
# A schema, and values that fit it.
Pair = tuple[Schema, st.SearchStrategy[Any]]
DIALECTS: tuple[SchemaDialect, ...] = get_args(SchemaDialect)

LEAF: Schema = {"type": "string", "enum": ["leaf", "blatt"]}
NODE: Schema = {
    "type": "object",
    "properties": {"value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
    "required": ["value", "next"],
    "additionalProperties": False,
}
letters = st.text("abc", max_size=4)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), letters)
chains = st.recursive(
    st.builds(lambda value: {"value": value, "next": None}, st.integers()),
    lambda inner: st.builds(lambda value, rest: {"value": value, "next": rest}, st.integers(), inner),
    max_leaves=3,
)
names = st.sampled_from(["a", "b", "city", "x_1"])


@st.composite
def simple(draw: st.DrawFn) -> Pair:
    listed = draw(st.lists(scalars, min_size=1, max_size=3))
    return draw(
        st.sampled_from(
            [
                ({"type": "string"}, letters),
                ({"type": "string", "pattern": "^[a-c]*$", "maxLength": 9, "format": "hostname"}, letters),
                ({"type": "string", "format": "date-time", "minLength": 2}, st.just("2026-01-01T00:00:00Z")),
                ({"type": "integer", "minimum": -3, "exclusiveMaximum": 12, "format": "int32"}, st.integers(-3, 11)),
                ({"type": "number", "multipleOf": 0.5}, st.sampled_from([0.5, 1, -2])),
                ({"type": "boolean", "default": True}, st.booleans()),
                ({"type": "null"}, st.none()),
                ({"type": ["string", "null"], "description": "Text or not"}, letters | st.none()),
                ({"type": ["integer", "boolean", "array"], "items": {"type": "string"}}, st.integers() | st.booleans()),
                ({"enum": listed}, st.sampled_from(listed)),
                ({"const": listed[0], "title": "One"}, st.just(listed[0])),
                ({}, scalars),
                ({"type": "object"}, st.just({})),
                ({"$ref": "#/$defs/Leaf", "description": "A leaf"}, st.sampled_from(["leaf", "blatt"])),
                ({"$ref": "#/$defs/Node"}, chains),
            ]
        )
    )


def nested(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    return st.one_of(arrays(inner), tuples(inner), objects(inner), maps(inner), unions(inner), joined(inner))


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    schema, values = draw(inner)
    return {"type": "array", "items": schema, "maxItems": 3, "uniqueItems": False}, st.lists(values, max_size=3)


@st.composite
def tuples(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    pairs = draw(st.lists(inner, min_size=1, max_size=3))
    closing: Schema = draw(st.sampled_from([{"items": False}, {"maxItems": len(pairs)}]))
    values = st.tuples(*(values for _, values in pairs)).map(list)
    return {"type": "array", "prefixItems": [schema for schema, _ in pairs], **closing}, values


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    fields = draw(st.dictionaries(names, inner, min_size=1, max_size=3))
    required = draw(st.lists(st.sampled_from(sorted(fields)), unique=True))
    closing: Schema = draw(st.sampled_from([{}, {"additionalProperties": False}, {"minProperties": 0}]))
    must = {name: values for name, (_, values) in fields.items() if name in required}
    may = {name: values for name, (_, values) in fields.items() if name not in required}
    schema: Schema = {"type": "object", "properties": {name: item for name, (item, _) in fields.items()}, **closing}
    if required or draw(st.booleans()):
        schema["required"] = required
    return schema, st.fixed_dictionaries(must, optional=may)


@st.composite
def maps(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    schema, values = draw(inner)
    return {"type": "object", "additionalProperties": schema}, st.dictionaries(names, values, max_size=2)


@st.composite
def unions(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    pairs = draw(st.lists(inner, min_size=1, max_size=3))
    return {"anyOf": [schema for schema, _ in pairs], "description": "Any"}, st.one_of(*(values for _, values in pairs))


@st.composite
def joined(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    (one, one_values), (two, two_values) = draw(inner), draw(inner)
    parts = [
        {"type": "object", "properties": {"left": one}, "required": ["left"]},
        {"type": "object", "properties": {"right": two}},
    ]
    return {"allOf": parts}, st.fixed_dictionaries({"left": one_values}, optional={"right": two_values})


documents = objects(st.recursive(simple(), nested, max_leaves=6)).map(
    lambda pair: ({**pair[0], "$defs": {"Leaf": LEAF, "Node": NODE}}, pair[1])
)


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(deadline=None, max_examples=50, suppress_health_check=list(HealthCheck))
@given(document=documents, data=st.data())
def test_any_schema_fits_the_subset_and_shuts_out_no_value(
    dialect: SchemaDialect, document: Pair, data: st.DataObject
) -> None:
    schema, values = document
    try:
        written, _ = for_provider(schema, dialect)
    except Inexpressible:
        assume(False)
        return
    CHECKERS[dialect](written)
    assert for_provider(written, dialect)[0] == written
    value = data.draw(values)
    assert jsonschema_rs.is_valid(schema, value)
    if dialect == "openai_strict":
        value = with_nulls(value, written, written)
    assert jsonschema_rs.is_valid(from_openapi(written) if dialect == "gemini" else written, value)


def with_nulls(value: Any, schema: Schema, root: Schema) -> Any:
    """What a strict model says for a value: null for every field that may be left out."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    if isinstance(value, list):
        filled = [with_nulls(item, schema.get("items", {}), root) for item in value]
        fits = [with_nulls(value, branch, root) for branch in schema.get("anyOf", ())]
        return next((item for item in fits if valid(item, schema, root)), filled)
    if not isinstance(value, dict):
        return value
    for branch in schema.get("anyOf", ()):
        filled = with_nulls(value, branch, root)
        if valid(filled, branch, root):
            return filled
    fields = schema.get("properties", {})
    return {name: with_nulls(value.get(name), fields.get(name, {}), root) for name in {**fields, **value}}


def valid(value: Any, schema: Schema, root: Schema) -> bool:
    return jsonschema_rs.is_valid({**schema, "$defs": root.get("$defs", {})}, value)


KEYWORDS = (
    *("type", "properties", "required", "items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "enum", "const"),
    *("$ref", "$defs", "additionalProperties", "minimum", "exclusiveMinimum", "maxItems", "format", "pattern"),
    *("nullable", "default", "description", "if", "then", "patternProperties", "additionalItems", "title", "a"),
)
loose = st.recursive(
    scalars | st.sampled_from(["string", "object", "array", "#", "#/$defs/a", "#/properties/a", "#/x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(deadline=None, max_examples=80)
@given(schema=st.dictionaries(st.sampled_from(KEYWORDS), loose, max_size=5))
def test_no_schema_however_odd_makes_a_request_impossible(dialect: SchemaDialect, schema: Schema) -> None:
    try:
        written, notes = for_provider(schema, dialect)
    except Inexpressible:
        return
    CHECKERS[dialect](written)
    assert all(isinstance(note, str) and note for note in notes)


def field(schema: Schema, dialect: SchemaDialect, **beside: Any) -> Schema:
    """One field as a dialect tells it."""
    whole, notes = for_provider({"type": "object", "properties": {"x": schema}, "required": ["x"], **beside}, dialect)
    assert notes == ()
    return whole["properties"]["x"]


@pytest.mark.parametrize(
    ("schema", "gemini"),
    [
        ({"const": "go"}, {"type": "string", "enum": ["go"]}),
        ({"const": 5}, {"type": "integer", "description": "Always 5."}),
        ({"enum": [1, 2]}, {"type": "integer", "description": "One of: 1, 2."}),
        ({"enum": ["a", ""]}, {"type": "string", "description": 'One of: "a", "".'}),
        ({"enum": ["a", None]}, {"type": "string", "enum": ["a"], "nullable": True}),
        (
            {"enum": ["a", 1]},
            {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer", "description": "Always 1."}]},
        ),
        ({"type": "string", "format": "uuid"}, {"type": "string", "description": "Format: uuid."}),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        (
            {"type": "integer", "exclusiveMinimum": 0, "description": "How many"},
            {"type": "integer", "minimum": 0, "description": "How many. More than 0."},
        ),
        (
            {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
            {"type": "integer", "minimum": 0, "description": "More than 0."},
        ),
        ({"type": "number", "default": 1.5}, {"type": "number", "description": "Default: 1.5."}),
        (
            {"oneOf": [{"type": "string"}, {"type": "null"}], "description": "D"},
            {"type": "string", "nullable": True, "description": "D"},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "description": "D"},
            {"anyOf": [{"type": name, "nullable": True, "description": "D"} for name in ("string", "integer")]},
        ),
        ({"type": "STRING", "nullable": True}, {"type": "string", "nullable": True}),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False},
            {"type": "object", "properties": {"a": {"type": "string"}}},
        ),
        (
            {"type": "object", "required": ["y"]},
            {"type": "object", "description": 'Must have the fields "y".'},
        ),
        (
            {"type": "array", "items": [{"type": "number"}, {"type": "number"}], "additionalItems": False},
            {"type": "array", "items": {"type": "number"}, "maxItems": 2},
        ),
        ({"allOf": [{"type": "string"}], "title": "T"}, {"type": "string"}),
        (
            {"type": "string", "not": {"const": "a"}},
            {"type": "string", "description": 'Must not fit {"const":"a"}.'},
        ),
    ],
)
def test_what_gemini_cannot_express_is_said(schema: Schema, gemini: Schema) -> None:
    assert field(schema, "gemini") == gemini


def test_a_reference_is_inlined_and_keeps_the_description_beside_it() -> None:
    for place in ("$defs", "definitions"):
        beside = {place: {"City": {"type": "string", "description": "A city"}}}
        schema = {"$ref": f"#/{place}/City", "description": "Where to"}
        for dialect in DIALECTS:
            assert field(schema, dialect, **beside) == {"type": "string", "description": "Where to"}


TREE: Schema = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
    "required": ["name", "kids"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("dialect", ["openai", "anthropic", "openai_strict"])
def test_a_recursive_definition_stays_where_references_are_taken(dialect: SchemaDialect) -> None:
    whole, _ = for_provider({"$ref": "#/$defs/Tree", "$defs": {"Tree": TREE}}, dialect)
    assert whole == {**TREE, "$defs": {"Tree": TREE}}


@pytest.mark.parametrize("dialect", ["gemini", "gemini_json", "ollama"])
def test_a_recursive_definition_is_left_open_at_its_second_round_elsewhere(dialect: SchemaDialect) -> None:
    whole, _ = for_provider({"$ref": "#/$defs/Tree", "$defs": {"Tree": TREE}}, dialect)
    assert whole["properties"]["kids"]["items"] == {"type": "object", "description": "Formed like Tree."}
    rooted, _ = for_provider({"type": "object", "properties": {"next": {"$ref": "#"}}}, dialect)
    assert rooted["properties"]["next"] == {"type": "object", "description": "Formed like root."}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_root_of_branches_becomes_one_object_and_the_choice_is_said(dialect: SchemaDialect) -> None:
    branches = [
        {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "city": {"type": "string"}},
            "required": ["name", "city"],
        },
    ]
    whole, notes = for_provider({"oneOf": branches}, dialect)
    CHECKERS[dialect](whole)
    assert list(whole["properties"]) == ["id", "name", "city"]
    assert notes == ("Give id, or city and name.",)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"type": ["object", "null"]}, {"properties": {}}])
def test_a_tool_without_parameters_is_an_empty_object(schema: Schema, dialect: SchemaDialect) -> None:
    whole, notes = for_provider(schema, dialect)
    assert (whole["type"], whole["properties"], notes) == ("object", {}, ())


def test_strict_mode_asks_for_every_field_and_takes_null_for_an_optional_one() -> None:
    properties = {
        "a": {"type": "string"},
        "b": {"type": "integer", "enum": [1, 2]},
        "c": {"$ref": "#/$defs/Tree"},
        "d": {"type": "object", "properties": {"e": {"type": "string", "maxLength": 3}}},
    }
    source = {"type": "object", "properties": properties, "required": ["a"], "$defs": {"Tree": TREE}}
    whole, notes = for_provider(source, "openai_strict")
    assert notes == ()
    assert whole == {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": ["integer", "null"], "enum": [1, 2, None]},
            "c": {"anyOf": [{"$ref": "#/$defs/Tree"}, {"type": "null"}]},
            "d": {
                "type": ["object", "null"],
                "properties": {"e": {"type": ["string", "null"], "description": "At most 3 characters."}},
                "required": ["e"],
                "additionalProperties": False,
            },
        },
        "required": ["a", "b", "c", "d"],
        "additionalProperties": False,
        "$defs": {"Tree": TREE},
    }


@pytest.mark.parametrize(
    "schema",
    [{}, {"type": "object"}, {"type": "array"}, {"type": "object", "additionalProperties": {"type": "string"}}],
)
def test_strict_mode_refuses_what_it_has_no_form_for(schema: Schema) -> None:
    with pytest.raises(Inexpressible):
        field(schema, "openai_strict")


def test_what_stands_beside_branches_holds_in_each_of_them() -> None:
    schema = {
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "anyOf": [
            {"properties": {"path": {"type": "string"}}, "required": ["path"]},
            {"properties": {"url": {"type": "string"}}, "required": ["url"]},
        ],
    }
    branches = field(schema, "gemini")["anyOf"]
    assert [list(branch["properties"]) for branch in branches] == [["kind", "path"], ["kind", "url"]]
    assert [branch["required"] for branch in branches] == [["path"], ["url"]]


def test_what_all_branches_ask_for_holds_at_once() -> None:
    parts = [
        {"type": ["integer", "string"], "minimum": 1, "maximum": 9, "enum": [1, 2, 3]},
        {"type": "number", "minimum": 2, "maximum": 7, "enum": [2, 3, 4], "multipleOf": 1},
        {"multipleOf": 3},
    ]
    assert field({"allOf": parts}, "gemini_json") == {
        "type": "integer",
        "enum": [2, 3],
        "minimum": 2,
        "maximum": 7,
        "description": "A multiple of 3. A multiple of 1.",
    }


def test_objects_that_are_put_together_have_all_fields() -> None:
    parts = [
        {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]},
        {"properties": {"b": {"minLength": 2}}, "required": ["b"], "additionalProperties": False},
    ]
    assert field({"type": "object", "additionalProperties": True, "allOf": parts}, "gemini_json") == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string", "description": "At least 2 characters."}},
        "required": ["a", "b"],
        "additionalProperties": False,
    }


def test_a_field_that_anthropic_would_refuse_is_told_in_words() -> None:
    schema = {
        "type": "object",
        "properties": {"城市": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["城市"],
    }
    tool = spec_for(ToolSpec("t", "Look it up", {**schema, "properties": {"q": schema}}), "anthropic")
    inner = tool.parameters["properties"]["q"]
    assert list(inner["properties"]) == ["n"]
    assert inner["required"] == []
    assert inner["description"].startswith('Must have the fields "城市". Also holds: {"properties":{"城市"')


def test_losses_at_the_root_go_into_the_tools_description() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1}
    tool = spec_for(ToolSpec("t", "Look it up", schema), "ollama")
    assert tool.description == "Look it up. At least 1 fields."
    assert tool.parameters == {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.parametrize("dialect", ["openai", "anthropic", "gemini", "ollama"])
def test_references_that_multiply_are_not_followed_for_ever(dialect: SchemaDialect) -> None:
    levels = {
        f"L{n}": {"type": "object", "properties": {f"p{i}": {"$ref": f"#/$defs/L{n + 1}"} for i in range(10)}}
        for n in range(9)
    }
    whole, _ = for_provider({"$ref": "#/$defs/L0", "$defs": {**levels, "L9": {"type": "string"}}}, dialect)
    CHECKERS[dialect](whole)
    assert len(str(whole)) < 2_000_000


def test_a_reference_to_elsewhere_is_said() -> None:
    assert field({"$ref": "https://x.test/s.json", "type": "string"}, "gemini") == {
        "type": "string",
        "description": "Formed like https://x.test/s.json.",
    }
