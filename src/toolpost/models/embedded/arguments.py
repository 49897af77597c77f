"""The arguments of a call, one after the other, each chosen by the model among what its schema and the question allow.

A model of this size copies badly and invents freely. So a text is always a part of the question, a number one of its
numbers, a choice one of the schema's; what a question does not say is missing, never made up. Only lists and objects
are written freely, under the schema's grammar.
"""

import re
from collections.abc import Iterator
from typing import Any, cast

import msgspec
from msgspec import Struct

from toolpost.types.tools import ToolSpec

from .decoder import Decoder
from .words import gist, led_by, numbers_in, plain_name, said_as, spans_in, stems

MOST_CHOICES = 200
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve"
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_COUNTED.split())}
_LEADS = {
    "from": ("from",),
    "source": ("from",),
    "origin": ("from",),
    "to": ("to", "into", "in"),
    "target": ("to", "into", "in"),
    "destination": ("to", "into"),
}


class Arguments(Struct, frozen=True):
    """`text` is a JSON object; `missing` are the required arguments that the question says nothing about."""

    text: str
    missing: tuple[str, ...] = ()


def write_arguments(decoder: Decoder, tool: ToolSpec, request: str, question: str) -> Arguments:
    """`request` is the part of `question` that the call is for."""
    return _Writer(decoder, tool, request, question).write()


class _Writer:
    def __init__(self, decoder: Decoder, tool: ToolSpec, request: str, question: str) -> None:
        self._decoder = decoder
        self._tool = tool
        self._request = request
        self._question = question
        self._taken: list[str] = []
        self._properties: dict[str, Any] = tool.parameters.get("properties") or {}
        self._required = [name for name in tool.parameters.get("required") or () if name in self._properties]
        self._prompt = _prompt(tool, request, self._properties, self._required)

    def write(self) -> Arguments:
        text, missing = "", list[str]()
        for name in (*self._in_order(), *self._optional()):
            head = f"{', ' if text else '{'}{_json(name)}: "
            value = self._value(name, self._prompt + text + head)
            if value:
                self._taken.append(value.strip('"'))
                text += head + value
            elif name in self._required:
                missing.append(name)
        return Arguments(f"{text}}}" if text else "{}", tuple(missing))

    def _in_order(self) -> list[str]:
        """The surest first: what they take is not left for the others."""

        def doubt(name: str) -> int:
            schema = self._schema(name)
            if schema.get("type") != "string" or schema.get("enum"):
                return 0
            return 1 if led_by(self._request, _leads(name), spans_in(self._request)) else 2

        return sorted(self._required, key=doubt)

    def _optional(self) -> Iterator[str]:
        """Those that the request speaks of: one of their values, a number that is left, or, where nothing is required,
        whatever the first of them may be. Asked one by one, when the arguments before them are known."""
        others = [name for name in self._properties if name not in self._required]
        for name in others:
            schema = self._schema(name)
            is_number = schema.get("type") in ("integer", "number")
            is_said = any(self._says(value) for value in schema.get("enum") or () if isinstance(value, str))
            is_left = is_number and any(number not in self._taken for number in numbers_in(self._request))
            is_first = not self._required and name == others[0] and schema.get("type") == "string"
            if is_said or is_left or (is_first and "enum" not in schema):
                yield name

    def _value(self, name: str, prompt: str) -> str:
        """The value as JSON; "" where none can be found."""
        schema = self._schema(name)
        choices = self._choices(name, schema)
        if choices is not None:
            return self._decoder.choose(prompt, choices[:MOST_CHOICES]) if choices else ""
        whole = {**schema, "$defs": self._tool.parameters.get("$defs", {})}
        written = self._decoder.constrained(prompt, {"json_schema": whole})
        try:
            return _json(msgspec.json.decode(written))
        except msgspec.DecodeError:  # cut at its limit
            return ""

    def _choices(self, name: str, schema: dict[str, Any]) -> list[str] | None:
        """Every value that this argument may have, as JSON; None if they can't be listed."""
        if "const" in schema:
            return [_json(schema["const"])]
        if schema.get("enum"):
            said = [value for value in schema["enum"] if isinstance(value, str) and self._says(value)]
            return [_json(value) for value in said or schema["enum"]]
        match schema.get("type"):
            case "boolean":
                return ["true", "false"]
            case "integer" | "number":
                return self._numbers(name, whole=schema["type"] == "integer")
            case "string" if "pattern" not in schema and "format" not in schema:
                return [_json(text) for text in self._texts(name)]
            case _:
                return None

    def _texts(self, name: str) -> list[str]:
        """Parts of the request, else of the whole question, at best without any word that is the tool's own."""
        own = stems(self._tool.name) | stems(name)
        for without in (own | stems(gist(self._tool.description)), own):
            for source in (self._request, self._question):
                if spans := spans_in(source, self._taken, without):
                    return said_as(source, plain_name(name), spans) or led_by(source, _leads(name), spans) or spans
        return []

    def _numbers(self, name: str, *, whole: bool) -> list[str]:
        found = numbers_in(self._request) or numbers_in(self._question)
        found += [number for word, number in _NUMBER_WORDS.items() if self._says(word)]
        free = [number for number in found if number not in self._taken and not (whole and "." in number)]
        return said_as(self._request, plain_name(name), free) or free

    def _says(self, word: str) -> bool:
        return re.search(rf"\b{re.escape(word)}\b", self._request, re.IGNORECASE) is not None

    def _schema(self, name: str) -> dict[str, Any]:
        return _without_null(self._properties[name])


def _leads(name: str) -> tuple[str, ...]:
    """The words behind which a value with this name stands: `to_currency` behind a "to"."""
    return next((_LEADS[part] for part in plain_name(name).split() if part in _LEADS), ())


def _prompt(tool: ToolSpec, request: str, properties: dict[str, Any], required: list[str]) -> str:
    told: list[str] = []
    for name in required or properties:
        about = gist(str(_without_null(properties[name]).get("description") or ""))
        told.append(f"{name} ({about})" if about else name)
    return (
        f"# {plain_name(tool.name)}: {gist(tool.description)}\nRequest: {request}\nArguments: {', '.join(told)}\nJSON: "
    )


def _without_null(given: Any) -> dict[str, Any]:
    """The schema of a value that is there: without the null that it may be instead."""
    schema = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    options: list[Any] = [option for option in schema.get("anyOf") or () if option != {"type": "null"}]
    if len(options) == 1:
        return {**schema, **_without_null(options[0])}
    if isinstance(schema.get("type"), list):
        kinds = [kind for kind in schema["type"] if kind != "null"]
        return {**schema, "type": kinds[0]} if len(kinds) == 1 else schema
    return schema


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
