"""A tool that is defined in a wrong way is an error where it is defined, with what to write instead."""

import dataclasses
import functools
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Literal

import pytest

from toolpost import ConfigError, RateLimit, Tool, ToolContext, tool

SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}}


async def execute(arguments: dict[str, Any], ctx: Any) -> str:
    return "ok"


def function(x: int) -> int:
    """Give it back."""
    return x


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"timout": 3}, r"^timout is not an option of @tool; did you mean timeout\?$"),
        ({"permision": "edit"}, r"^permision is not an option of @tool; did you mean permission\?$"),
        ({"readonly": True}, r"readonly is not an option of @tool; did you mean read_only\?"),
        ({"zzz": 1}, r"zzz is not an option of @tool; there are: always, cache, description"),
    ],
)
def test_an_unknown_option_is_an_error_with_a_suggestion(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        tool(**options)
    with pytest.raises(TypeError, match=said):
        tool(function, **options)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"timeout": "30"}, r"tool function: timeout, in seconds, is '30' \(str\): give a number above 0"),
    ({"timeout": -1}, "timeout, in seconds, is -1"),
    ({"timeout": 0}, "give a number above 0"),
    ({"timeout": float("nan")}, "timeout, in seconds, is nan"),
    ({"timeout": True}, r"timeout, in seconds, is True \(bool\)"),
    ({"cache": -5}, "cache, in seconds, is -5 .int.: give a number of 0 or more"),
    ({"cache": True}, "cache, in seconds, is True"),
    ({"rate_limit": (10, 60)}, r"rate_limit is \(10, 60\) \(tuple\): give RateLimit\(calls=10, seconds=60\)"),
    ({"parallel": "no"}, "parallel is 'no' .str.: give True or False"),
    ({"read_only": 1}, "read_only is 1 .int.: give True or False"),
    ({"touches_machine": "yes"}, "touches_machine is 'yes' .str.: give True, False or None"),
    ({"permission": ["a", "b"]}, "permission is .* give one name"),
    ({"description": 5}, "description is 5 .int.: give a text"),
    ({"name": "my tool"}, '"my tool" is not a valid tool name'),
    ({"name": 5}, "5 .int. is not a valid tool name"),
    ({"patterns": ["a"]}, "patterns must be a plain function of the arguments"),
    ({"patterns": lambda: ["a"]}, "patterns of the tool function is called with .arguments., but .* can't be"),
    ({"always": lambda a, b: ["a"]}, "always of the tool function is called with .arguments."),
    ({"init": 3}, "init of the tool function is 3 .int.: give a function of .context."),
    ({"init": lambda: None}, "init of the tool function is called with .context."),
]


@pytest.mark.parametrize(("options", "said"), WRONG)
def test_a_wrong_value_is_an_error_where_the_tool_is_defined(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        tool(function, **options)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"timout": 3}, r"timout is not an argument of Tool; did you mean timeout\?"),
        ({"timeout": -3}, "tool t: timeout, in seconds, is -3"),
        ({"execute": "run"}, "execute of the tool t is 'run' .str.: give a function of .arguments, ctx."),
        ({"execute": lambda arguments: 1}, "execute of the tool t is called with .arguments, ctx., but .*too many"),
        ({"execute": lambda a, b, c: 1}, "execute of the tool t is called with .* missing a required argument"),
        ({"check": 1}, "check of the tool t is 1"),
        ({"parameters": []}, 'parameters must be a JSON Schema with "type": "object", got'),
        ({"parameters": {"type": "string"}}, 'with "type": "object"'),
        ({"name": ""}, '"" is not a valid tool name'),
    ],
)
def test_a_tool_over_a_schema_is_checked_alike(arguments: dict[str, Any], said: str) -> None:
    given = {"name": "t", "label": "T", "description": "A tool.", "parameters": SCHEMA, "execute": execute}
    with pytest.raises(ConfigError, match=said):
        Tool(**{**given, **arguments})


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: RateLimit(0, 60), "calls of RateLimit is 0 .int.: give a whole number above 0"),
        (lambda: RateLimit(1.5, 60), "calls of RateLimit is 1.5 .float.: give a whole number"),
        (lambda: RateLimit(1, -1), "seconds of RateLimit is -1"),
        (lambda: RateLimit(call=1, seconds=1), r"call is not an argument of RateLimit; did you mean calls\?"),
        (lambda: tool("name"), "@tool got 'name' .str.: put it above a function"),
        (lambda: tool(dict), "@tool got the class dict: give one of its objects, or a function"),
        (lambda: tool(tool(function)), "@tool got function, which is a tool already"),
        (lambda: tool(lambda x: x), '"<lambda>" is not a valid tool name'),
    ],
)
def test_other_wrong_uses_say_what_to_write(make: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make()


def test_functions_whose_parameters_fit_are_taken_in_any_form() -> None:
    class Runner:
        def run(self, arguments: Any, ctx: Any) -> str:
            return "ran"

        async def __call__(self, arguments: Any, ctx: Any, more: int = 1) -> str:
            return "called"

    @functools.wraps(execute)
    async def wrapped(*args: Any) -> str:
        return "wrapped"

    def given(database: Any, arguments: Any, ctx: Any) -> str:
        return "given"

    for one in (Runner().run, Runner(), wrapped, functools.partial(given, "db"), print):
        Tool("t", "T", "A tool.", SCHEMA, one)
    copy = dataclasses.replace(tool(function), timeout=3)
    assert copy.timeout == 3


class Custom: ...


class Colour(Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Custom, "has the unsupported type Custom: Custom can't be written as JSON"),
        (list[Custom], "Custom can't be written as JSON"),
        (dict[Custom, int], "Custom can't be written as JSON"),
        (dict[tuple[int, int], str], "the keys of dict.* are not texts"),
        (list[dict[None, str]], "are not texts"),
        (Callable[[int], int], "Callable can't be written as JSON"),
        (list[ToolContext], 'parameter "x" has the unsupported type list'),
        (Literal[1.5], "Literal may only contain"),
        ("Nowhere", "can't be resolved: name 'Nowhere' is not defined"),
        (5, "has the unsupported type 5"),
    ],
)
def test_an_annotation_that_no_json_can_stand_for_is_an_error_at_once(kind: Any, said: str) -> None:
    def taking(x):
        """Take it."""

    taking.__annotations__ = {"x": kind}
    with pytest.raises(ConfigError, match=said):
        tool(taking)


@pytest.mark.parametrize(
    "kind", [dict[int, str], dict[Colour, int], Mapping[str, int], dict[Literal["a", "b"], int], dict[str, Any], Any]
)
def test_keys_that_texts_can_be_are_taken(kind: Any) -> None:
    def taking(x):
        """Take it."""

    taking.__annotations__ = {"x": kind}
    assert "x" in tool(taking).parameters["properties"]
