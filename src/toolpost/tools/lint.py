"""Check tool definitions for what makes models miss or misuse a tool: the lint behind `toolpost tools check`."""

import re
from collections.abc import Iterator
from typing import Any, cast

from toolpost.arguments.validate import compile_schema

from .define import Tool

SHORT_WORDS = 4
LONG_CHARACTERS = 1_024
MANY_PARAMETERS = 8
_WHEN = re.compile(r"\b(use|when|whenever|if|call|for|before|after|instead|prefer)\b", re.IGNORECASE)
_SNAKE = re.compile(r"[a-z][a-z0-9]*(_+[a-z0-9]+)*")


def check(tool: Tool) -> list[str]:
    """Warnings, the weightiest first, each with what to do. An empty list means a tool that models find."""
    return [*_about_description(tool), *_about_parameters(tool), *_about_name(tool)]


def _about_description(tool: Tool) -> Iterator[str]:
    said = tool.description.strip()
    words = re.findall(r"\w+", said)
    own = re.findall(r"[a-z0-9]+", tool.name.lower())
    if not said:
        yield "no description: say in a docstring what it does and when to use it"
    elif [word.lower() for word in words] == own:
        yield "the description only repeats the name: say what it does and when to use it"
    elif len(words) < SHORT_WORDS and said.isascii():
        yield "the description is very short: say what it does, what it gives back and when to use it"
    elif said.isascii() and not _WHEN.search(said):
        yield 'the description does not say when to use it: add a sentence such as "Use when …"'
    if len(said) > LONG_CHARACTERS:
        yield f"the description has {len(said)} characters: it is sent with every request, {LONG_CHARACTERS} are plenty"


def _about_parameters(tool: Tool) -> Iterator[str]:
    properties = cast("dict[str, Any]", tool.parameters.get("properties") or {})
    for name, schema in properties.items():
        node = cast("dict[str, Any]", schema) if isinstance(schema, dict) else {}
        if not node.keys() & {"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"}:
            yield f'parameter "{name}" has no type: annotate it'
        if not node.get("description"):
            yield f'parameter "{name}" is not described: Annotated[…, "what it is, e.g. …"] or the docstring says it'
    if len(properties) > MANY_PARAMETERS:
        yield f"{len(properties)} parameters: models mix up more than {MANY_PARAMETERS}; split the tool"
    try:
        compile_schema(tool.parameters)
    except ValueError as error:
        yield f"the parameters are not a valid JSON Schema, so arguments are not checked: {str(error).splitlines()[0]}"


def _about_name(tool: Tool) -> Iterator[str]:
    if not _SNAKE.fullmatch(tool.name):
        yield f"the name {tool.name} is not in snake_case, the form that models write most surely"
