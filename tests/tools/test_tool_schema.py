"""Types to JSON Schema, and a model's arguments to typed values."""

import datetime
import decimal
import enum
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict

import msgspec
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.arguments.parse_json import canonical
from toolpost.tools.define import Tool, ToolContext, tool
from toolpost.tools.schema import check_arguments, output_schema
from toolpost.types.errors import ConfigError, ToolError


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Stop:
    city: Annotated[str, "Name of the city"]
    nights: int = 1


@dataclass
class Tree:
    name: str
    children: list["Tree"] = field(default_factory=list["Tree"])


class Point(NamedTuple):
    lat: float
    lon: float


class Query(TypedDict):
    text: Annotated[str, "What to look for"]
    most: NotRequired[int]


class Order(msgspec.Struct, rename="camel"):
    """An order."""

    item_name: Annotated[str, "What is ordered"]
    count: Annotated[int, msgspec.Meta(ge=1)] = 1


class User(pydantic.BaseModel):
    """A user."""

    name: str = pydantic.Field(description="Full name", min_length=2)
    friend: Optional["User"] = None


def parameter(kind: Any, default: Any = ...) -> Any:
    """A tool with one parameter `x` of the type `kind`."""

    def take(x: Any = default) -> Any:
        return x

    if default is ...:
        take.__defaults__ = None
    take.__annotations__ = {"x": kind}
    return tool(take)


def schema_of(kind: Any, default: Any = ...) -> Any:
    return parameter(kind, default).parameters["properties"]["x"]


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (list, {"type": "array", "items": {}}),
        (set[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
        (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Color, {"type": "string", "enum": ["blue", "red"]}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Path, {"type": "string"}),
        (str | Path, {"type": "string"}),
        (datetime.date, {"type": "string", "format": "date"}),
        (uuid.UUID, {"type": "string", "format": "uuid"}),
        (Point, {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
        (Annotated[int, msgspec.Meta(ge=1)], {"type": "integer", "minimum": 1}),
        (
            Annotated[str, pydantic.Field(description="said", min_length=2)],
            {"type": "string", "minLength": 2, "description": "said"},
        ),
        (
            tuple[int, str],
            {
                "type": "array",
                "minItems": 2,
                "maxItems": 2,
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            },
        ),
    ],
)
def test_a_type_has_its_plain_schema(kind: Any, schema: Any) -> None:
    assert schema_of(kind) == schema


def test_nested_classes_are_inlined_with_their_descriptions() -> None:
    assert schema_of(list[Stop])["items"] == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Name of the city"},
            "nights": {"type": "integer", "default": 1},
        },
        "required": ["city"],
    }
    assert schema_of(Query)["properties"]["text"] == {"type": "string", "description": "What to look for"}
    order = schema_of(Order)
    assert order["description"] == "An order."
    assert order["properties"]["itemName"] == {"type": "string", "description": "What is ordered"}


def test_recursive_classes_stay_references() -> None:
    for kind, name in ((Tree, "Tree"), (User, "User")):
        parameters = parameter(kind).parameters
        assert set(parameters["$defs"]) == {name}
        assert "title" not in str(parameters)


def test_an_optional_parameter_is_told_without_null_and_takes_null() -> None:
    made = parameter(int | None, None)
    assert made.parameters["properties"]["x"] == {"type": "integer"}
    assert made.parameters["required"] == []
    assert check_arguments(made, {"x": None}) == {"x": None}


def test_a_property_named_title_or_default_survives() -> None:
    class Page(TypedDict):
        title: str
        default: int

    assert set(schema_of(Page)["properties"]) == {"title", "default"}


@pytest.mark.parametrize(
    "doc",
    [
        "Book a room.\n\nArgs:\n    nights: How many\n        nights.\n",
        "Book a room.\n\nParameters\n----------\nnights : int\n    How many\n    nights.\n",
        "Book a room.\n\n:param nights: How many\n    nights.\n",
    ],
)
def test_descriptions_come_from_the_docstring(doc: str) -> None:
    def book(nights: int, ctx: ToolContext) -> None: ...

    book.__doc__ = doc
    made = tool(book)
    assert made.description == "Book a room."
    assert made.parameters["properties"]["nights"]["description"] == "How many nights."


def test_what_is_returned_is_told_with_the_description() -> None:
    def count() -> int:
        """Count the things.

        Returns:
            The number
            of things.
        """
        return 1

    assert tool(count).description == "Count the things.\n\nReturns: The number of things."


def test_defaults_are_told_as_json_and_kept_as_they_are() -> None:
    def take(stop: Stop = Stop("Rome"), path: Path = Path("a"), when: Any = object()) -> None: ...  # noqa: B008

    properties = tool(take).parameters["properties"]
    assert properties["stop"]["default"] == {"city": "Rome", "nights": 1}
    assert properties["path"]["default"] == "a"
    assert "default" not in properties["when"]
    assert check_arguments(tool(take), {}) == {}


def test_a_shared_definition_is_not_inlined_into_a_flood() -> None:
    kinds: list[Any] = [int]
    for depth in range(14):
        kinds.append(msgspec.defstruct(f"Level{depth}", [("a", kinds[-1]), ("b", kinds[-1]), ("c", kinds[-1])]))
    made = parameter(kinds[-1])
    assert len(str(made.parameters)) < 10_000
    assert len(made.parameters["$defs"]) == 14


@pytest.mark.parametrize(
    ("kind", "given_value", "value"),
    [
        (int, "42", 42),
        (int, "3.0", 3),
        (int, 3.0, 3),
        (float, "1e3", 1000.0),
        (bool, "True", True),
        (bool, "false", False),
        (str, 12345, "12345"),
        (str, {"a": [1]}, '{"a": [1]}'),
        (str, ["a"], "a"),
        (str, [{"a": 1}], '[{"a": 1}]'),
        (int, ["4"], 4),
        (list[int], "[1, 2]", [1, 2]),
        (list[int], "7", [7]),
        (list[str], "a, b", ["a, b"]),
        (list[Stop], {"city": "Rome"}, [Stop("Rome")]),
        (Stop, '{"city": "Rome", "nights": "2"}', Stop("Rome", 2)),
        (Stop, {"City": "Rome"}, Stop("Rome")),
        (dict[str, int], {"a": "1"}, {"a": 1}),
        (Color, "RED", Color.RED),
        (Literal["north-east"], "North East", "north-east"),
        (Literal[1, 2], "2", 2),
        (int | None, "null", None),
        (int | None, "5", 5),
        (Point, ["1", 2], Point(1.0, 2.0)),
        (Order, {"item_name": "tea", "count": "2"}, Order("tea", 2)),
        (User, '{"name": "Ann"}', User(name="Ann")),
        (Path, "a/b", Path("a/b")),
        (datetime.date, "2026-01-31", datetime.date(2026, 1, 31)),
        (decimal.Decimal, 1.5, decimal.Decimal("1.5")),
        (set[int], [1, 1], {1}),
        (Stop | Order, {"itemName": "tea"}, Order("tea")),
    ],
)
def test_what_a_model_plainly_meant_is_taken(kind: Any, given_value: Any, value: Any) -> None:
    assert check_arguments(parameter(kind), {"x": given_value}) == {"x": value}


@pytest.mark.parametrize(
    ("kind", "given_value"),
    [
        (int, "many"),
        (int, 1.5),
        (int, True),
        (int, ""),
        (int, "٣"),
        (bool, "perhaps"),
        (bool, 2),
        (str, None),
        (list[int], ["a"]),
        (Color, "green"),
        (Stop, "Rome"),
        (float, "1,5"),
        (str, ["a", "b"]),
        (Path, ["a", "b"]),
        (Annotated[int, msgspec.Meta(ge=1)], 0),
    ],
)
def test_what_has_no_plain_reading_is_refused(kind: Any, given_value: Any) -> None:
    with pytest.raises(ToolError) as caught:
        check_arguments(parameter(kind), {"x": given_value})
    assert caught.value.kind == "invalid"
    assert '"x' in str(caught.value)


def test_arguments_under_a_wrapper_or_in_another_spelling_are_found() -> None:
    @tool
    def search(query: str, max_results: int = 5) -> None: ...

    expected = {"query": "tea", "max_results": 3}
    assert check_arguments(search, {"arguments": {"query": "tea", "maxResults": 3}}) == expected
    assert check_arguments(search, {"Query": "tea", "max-results": "3"}) == expected


def test_a_tool_without_parameters_takes_whatever_comes() -> None:
    assert check_arguments(tool(lambda: 1, name="now"), {"": {}}) == {}


def test_one_message_names_every_problem_and_the_right_shape() -> None:
    @tool
    def get_weather(city: str, days: int = 1, units: Literal["c", "f"] = "c") -> None: ...

    assert message(get_weather, {}) == (
        'get_weather: "city" is missing; expected {"city": string, "days"?: integer, "units"?: "c" | "f"}'
    )
    said = message(get_weather, {"days": "soon", "units": "k", "unit": 1})
    assert said.startswith('get_weather: "city" is missing; "days" should be an integer, got "soon"; ')
    assert '"units" should be one of "c" | "f", got "k"' in said
    assert '"unit" is not known, did you mean "units"?' in said


def test_nested_problems_are_named_by_their_path() -> None:
    assert '"x[1].city" is missing' in message(parameter(list[Stop]), {"x": [{"city": "a"}, {"nights": 1}]})
    assert '"x.name" should be at least 2 characters long, got "A"' in message(parameter(User), {"x": {"name": "A"}})


def test_a_message_stays_short_whatever_was_sent() -> None:
    @tool
    def big(a: dict[str, int], b: list[Stop], c: Tree) -> None: ...

    said = message(big, {"a": {f"k{n}": "x" * 9_000 for n in range(500)}, "b": ["x" * 100_000], "c": {"name": 1}})
    assert len(said) < 3_000
    assert "more; expected" in said


def message(made: Tool, arguments: dict[str, Any]) -> str:
    with pytest.raises(ToolError) as caught:
        check_arguments(made, arguments)
    return str(caught.value)


async def nothing(arguments: dict[str, Any], ctx: ToolContext) -> None: ...


def plain(parameters: dict[str, Any]) -> Tool:
    return Tool("plain", "Plain", "A tool over a plain schema.", parameters, nothing)


PLAIN = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "lines": {"type": "integer", "minimum": 1, "default": 10},
        "tags": {"type": "array", "items": {"type": "string"}},
        "mode": {"enum": ["fast", "slow"]},
        "at": {"$ref": "#/$defs/point"},
    },
    "required": ["path"],
    "additionalProperties": False,
    "$defs": {"point": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}},
}


def test_a_plain_schema_is_validated_mended_and_given_its_defaults() -> None:
    made = plain(PLAIN)
    assert check_arguments(made, {"path": "a", "lines": 2}) == {"path": "a", "lines": 2}
    assert check_arguments(made, {"path": "a"}) == {"path": "a", "lines": 10}
    mended = check_arguments(made, {"Path": 5, "tags": "t", "mode": "FAST", "at": '{"x": "1.5"}', "lines": None})
    assert mended == {"path": "5", "tags": ["t"], "mode": "fast", "at": {"x": 1.5}, "lines": 10}


def test_a_plain_schema_names_every_problem() -> None:
    said = message(plain(PLAIN), {"lines": 0, "at": {"x": "?"}, "mod": 1})
    for part in ('"path" is missing', '"lines" should be 1 or more, got 0', '"at.x" should be a number, got "?"'):
        assert part in said
    assert '"mod" is not known, did you mean "mode"?' in said


def test_a_default_of_the_schema_cannot_be_changed_by_a_tool() -> None:
    made = plain({"type": "object", "properties": {"tags": {"type": "array", "default": []}}})
    check_arguments(made, {})["tags"].append("x")
    assert check_arguments(made, {}) == {"tags": []}


def test_a_schema_may_refer_to_nothing_outside_itself(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"type": "string"}')
    made = plain({"type": "object", "properties": {"x": {"$ref": (tmp_path / "other.json").as_uri()}}})
    assert check_arguments(made, {"x": 1}) == {"x": 1}


def test_mending_ends_with_a_schema_that_refers_to_itself() -> None:
    loop = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/a"}},
        "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}},
    }
    wide: dict[str, Any] = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/n"}},
        "$defs": {
            "n": {"anyOf": [{"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}] * 4 + [{"type": "null"}]}
        },
    }
    value: Any = "end"
    for _ in range(12):
        value = {"n": value}
    from toolpost.arguments.coerce import coerce

    assert coerce({"x": "1"}, loop) == {"x": "1"}
    assert "x" in coerce({"x": value}, wide)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["path", "lines", "tags", "mode", "at", "z"]), json_values))
def test_any_arguments_give_a_valid_value_or_an_invalid_error(arguments: dict[str, Any]) -> None:
    checked = checked_or_error(_PLAIN, arguments)
    assert checked.kind == "invalid" if isinstance(checked, ToolError) else _PLAIN.validator.valid(checked)


@given(json_values)
def test_typed_arguments_give_a_typed_value_or_an_invalid_error(value: Any) -> None:
    for made in (_STOPS, _ORDER):
        checked = checked_or_error(made, {"x": value})
        assert checked.kind == "invalid" if isinstance(checked, ToolError) else "x" in checked


def checked_or_error(made: Tool, arguments: dict[str, Any]) -> Any:
    try:
        return check_arguments(made, arguments)
    except ToolError as error:
        return error


_STOPS, _ORDER, _PLAIN = parameter(list[Stop]), parameter(Order | None), plain(PLAIN)


@given(st.dictionaries(st.text(), json_values))
def test_canonical_text_does_not_depend_on_order_or_on_how_a_number_is_written(arguments: dict[str, Any]) -> None:
    backwards = dict(reversed(arguments.items()))
    assert canonical(arguments) == canonical(backwards)


def test_canonical_text_has_one_form() -> None:
    assert canonical({"b": 1.0, "a": [True, 1, 0.5, "é"]}) == '{"a":[true,1,0.5,"é"],"b":1}'
    assert canonical({"a": 10**30}) != canonical({"a": 10**30 + 1})


@pytest.mark.parametrize(
    ("wanted", "handed_in", "value"),
    [
        (Stop, {"city": "Rome", "nights": "3"}, Stop("Rome", 3)),
        (Order, {"itemName": "tea"}, Order("tea")),
        (Tree, {"name": "a", "children": [{"name": "b"}]}, Tree("a", [Tree("b")])),
        (User, {"name": "Ann"}, User(name="Ann")),
        (Query, {"text": "x"}, {"text": "x"}),
        (int, {"value": "3"}, 3),
        (int, 3, 3),
        (list[str], ["a"], ["a"]),
        (Stop | Order, {"value": {"city": "Rome"}}, Stop("Rome")),
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, {"n": "1"}, {"n": 1}),
        ({"type": "array", "items": {"type": "integer"}}, {"value": ["1"]}, [1]),
    ],
)
def test_structured_output_becomes_the_wanted_type(wanted: Any, handed_in: Any, value: Any) -> None:
    schema, convert = output_schema(wanted)
    assert schema["type"] == "object"
    assert convert(handed_in) == value


def test_a_json_schema_that_is_none_is_refused_at_once() -> None:
    for schema in ({"type": "objec"}, {"type": "object", "properties": 5}):
        with pytest.raises(ConfigError, match="JSON Schema of the output is not valid"):
            output_schema(schema)


@pytest.mark.parametrize(
    "wanted", [Stop, User, Tree, int, {"type": "object", "required": ["n"], "properties": {"n": {}}}]
)
def test_structured_output_that_does_not_fit_is_an_error_for_the_model(wanted: Any) -> None:
    convert: Callable[[Any], Any] = output_schema(wanted)[1]
    for bad in ({}, {"x": 1}, "text", [1, 2], None):
        with pytest.raises(ToolError) as caught:
            convert(bad)
        assert caught.value.kind == "invalid"
        assert str(caught.value).startswith("output: ")
