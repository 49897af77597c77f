"""Read values as models write them: JSON, what was meant as JSON, and bare text whose type only a schema tells."""

import json
from typing import Any, NamedTuple, cast

from toolpost.arguments.coerce import plain_key

from .lenient_json import LenientParser, Unreadable

Schema = dict[str, Any]


class ReadValue(NamedTuple):
    """A value, and whether it had to be mended, and whether the text ended in the middle of it."""

    value: Any
    mended: bool = False
    cut: bool = False


def read(text: str, *, bare_values: bool = False) -> ReadValue:
    """Read JSON, or what was meant as JSON. Raises `Unreadable` where there is no one plain reading."""
    try:
        return ReadValue(_strict.decode(text))
    except (ValueError, RecursionError):
        pass
    try:
        return ReadValue(_with_newlines.decode(text), mended=True)
    except (ValueError, RecursionError):
        pass
    literals = LenientParser(text, bare_values=bare_values)
    value = literals.value()
    return ReadValue(value, mended=True, cut=literals.cut)


def convert(text: str, schema: Any) -> Any:
    """A value that was written without quotes, by its schema: the text itself where a string is wanted."""
    kinds = kinds_of(schema)
    plain = text.strip()
    if "null" in kinds and plain.lower() in ("null", "none"):
        return None
    refers = isinstance(schema, dict) and "$ref" in schema
    if plain[:1] in ("{", "[") and (refers or kinds & {"object", "array"}):
        try:
            return read(plain).value
        except Unreadable:
            return text
    return text


def literal(text: str) -> Any:
    """A value of which no schema tells the kind: JSON where it is JSON, else the text."""
    try:
        return _strict.decode(text)
    except (ValueError, RecursionError):
        return text


def kinds_of(schema: Any, depth: int = 0) -> set[str]:
    """The types that a schema allows; empty where it does not say."""
    if not isinstance(schema, dict) or depth > 8:
        return set()
    node = cast("Schema", schema)
    kinds: set[str] = set()
    said = node.get("type")
    kinds.update([said] if isinstance(said, str) else cast("list[str]", said or []))
    for branch in (*(node.get("anyOf") or ()), *(node.get("oneOf") or ()), *(node.get("allOf") or ())):
        kinds |= kinds_of(branch, depth + 1)
    if "properties" in node:
        kinds.add("object")
    if node.get("nullable") is True:
        kinds.add("null")
    return kinds


def property_for(key: str, properties: Schema) -> str:
    """The property that `key` stands for: itself, or the only one that differs in case or separators."""
    if key in properties:
        return key
    near = [name for name in properties if plain_key(name) == plain_key(key)]
    return near[0] if len(near) == 1 else key


def plain_text(raw: str) -> str:
    """The string that the JSON text `raw` stands for, or ""."""
    try:
        value = read(raw, bare_values=True).value
    except Unreadable:
        return ""
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def object_in(text: str) -> dict[str, Any] | None:
    """Arguments that were encoded twice, or once more."""
    if text.lstrip()[:1] not in ("{", '"'):
        return None
    try:
        value = read(text).value
    except Unreadable:
        return None
    if isinstance(value, str):
        return object_in(value) if value.startswith("{") else None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        for key, value in pairs:
            if members[key] != value:
                raise ValueError(f"{key[:40]!r} is given twice")
    return members


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


_strict = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
_with_newlines = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, strict=False)
