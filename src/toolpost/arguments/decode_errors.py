"""Explain JSON decode errors: which field is wrong and what it should be, in place of msgspec's own words."""

import re
from typing import Any

import msgspec

from toolpost.arguments.validate import Schema, missing, shape, unknown, with_article

_PLACE = re.compile(r"^(?P<said>.*?)(?: - at `(?P<place>[^`]*)`)?$", re.DOTALL)
_MISSING = re.compile(r"^Object missing required field `(.*)`$", re.DOTALL)
_UNKNOWN = re.compile(r"^Object contains unknown field `(.*)`$", re.DOTALL)
_WRONG = re.compile(r"^Expected `([^`]*)`, got `([^`]*)`$")
_BOUND = re.compile(r"^Expected `([^`]*)` (.+)$", re.DOTALL)
_STRANGE = re.compile(r"^Invalid (?:enum )?value (.+)$", re.DOTALL)
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[[^\]]*\]")
_MALFORMED = re.compile(r"^(?:JSON|MessagePack) is malformed: (.*) \(byte (\d+)\)$")
# msgspec's names of types, and JSON's.
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "bytes": "string"}
_BOUNDS = {
    r"^>= (\S+)$": r"of \1 or more",
    r"^<= (\S+)$": r"of \1 or less",
    r"^> (\S+)$": r"of more than \1",
    r"^< (\S+)$": r"of less than \1",
    r"^of length >= (\d+)$": r"of length \1 or more",
    r"^of length <= (\d+)$": r"of length \1 or less",
    r"^matching regex '(.*)'$": r"like /\1/",
}


def explain_decode_error(error: Exception, kind: Any = None, at: str = "") -> str:
    """`"message.parts" is missing; expected object[]`: the field, what is wrong, what is right.

    `kind` is the type that was asked for; `at` is the path of the whole value.
    """
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 (byte {error.start})"
    if not isinstance(error, msgspec.ValidationError):
        return _syntax(str(error))
    found = _PLACE.match(str(error))
    assert found is not None
    place = (found["place"] or "").removeprefix("key` in `").removeprefix("$")
    return _clause(found["said"], place, at, _schema(kind))


def _syntax(said: str) -> str:
    if said == "Input data was truncated":
        return "it ends too early"
    malformed = _MALFORMED.match(said)
    return f"{malformed[1]} at byte {malformed[2]}" if malformed else said


def _clause(said: str, place: str, at: str, schema: Schema) -> str:
    if found := _MISSING.match(said):
        place = f"{place}.{found[1]}"
        return missing(_quoted(at + place)) + _expected(schema, place)
    if found := _UNKNOWN.match(said):
        known = list(_at(schema, place).get("properties", {}))
        return unknown(found[1], _quoted(f"{at}{place}.{found[1]}"), known)
    here = _quoted(at + place)
    if found := _WRONG.match(said):
        return f"{here} must be {_types(found[1])}, got {_types(found[2])}"
    if found := _BOUND.match(said):
        return f"{here} must be {_types(found[1])} {_bound(found[2])}"
    if found := _STRANGE.match(said):
        return f"{here} can't be {found[1]}{_expected(schema, place)}"
    # What a type's own decoder says, and what a later msgspec may say.
    return f"{here}: {said[:1].lower()}{said[1:]}"


def _quoted(place: str) -> str:
    text = place.removeprefix(".").replace("[...]", "[…]")
    return f'"{text}"' if text else "the value"


def _types(names: str) -> str:
    return " or ".join(with_article(_TYPES.get(name, name)) for name in names.split(" | "))


def _bound(said: str) -> str:
    for pattern, words in _BOUNDS.items():
        said = re.sub(pattern, words, said, flags=re.DOTALL)
    return said


def _schema(kind: Any) -> Schema:
    if kind is None:
        return {}
    try:
        return msgspec.json.schema(kind)
    except TypeError:  # a type that JSON Schema has no words for
        return {}


def _expected(schema: Schema, place: str) -> str:
    field = _at(schema, place)
    return f"; expected {shape({**field, '$defs': schema.get('$defs', {})})}" if field else ""


def _at(schema: Schema, place: str) -> Schema:
    """The schema of the value at `.a.b[0]`; empty where it is not known."""
    node = _resolved(schema, schema)
    for step in _STEP.finditer(place):
        branches = [_resolved(one, schema) for one in (node, *node.get("anyOf", ()))]
        inner: list[Any] = [_inside(branch, step["name"]) for branch in branches]
        found: list[Schema] = [one for one in inner if isinstance(one, dict)]
        node = _resolved(found[0], schema) if found else {}
    return node


def _inside(node: Schema, name: str | None) -> Any:
    if name is None:
        return node.get("items") or node.get("additionalProperties")
    return node.get("properties", {}).get(name) or node.get("additionalProperties")


def _resolved(node: Schema, root: Schema) -> Schema:
    return root.get("$defs", {}).get(node["$ref"].rpartition("/")[2], {}) if "$ref" in node else node
