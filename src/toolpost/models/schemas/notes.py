"""Describe in words what a schema asks for and a provider's dialect cannot express."""

from collections.abc import Iterable
from typing import Any

import msgspec

LIMIT = 400
_SENTENCES = {
    "const": "Always {}.",
    "contains": "At least one item fits {}.",
    "default": "Default: {}.",
    "enum": "One of: {}.",
    "examples": "For example: {}.",
    "exclusiveMaximum": "Less than {}.",
    "exclusiveMinimum": "More than {}.",
    "format": "Format: {}.",
    "maxItems": "At most {} items.",
    "maxLength": "At most {} characters.",
    "maxProperties": "At most {} fields.",
    "maximum": "At most {}.",
    "minItems": "At least {} items.",
    "minLength": "At least {} characters.",
    "minProperties": "At least {} fields.",
    "minimum": "At least {}.",
    "multipleOf": "A multiple of {}.",
    "not": "Must not fit {}.",
    "pattern": "Must match the pattern {}.",
    "prefixItems": "The items in their order: {}.",
    "additionalProperties": "Every other field fits {}.",
    "propertyNames": "The names of its fields fit {}.",
    "required": "Must have the fields {}.",
    "uniqueItems": "No item twice.",
}
# They describe or identify a schema and forbid no value, so nothing is lost with them.
SILENT = frozenset(
    {
        "$schema",
        "$id",
        "id",
        "$anchor",
        "$comment",
        "$vocabulary",
        "$dynamicAnchor",
        "$defs",
        "definitions",
        "title",
        "deprecated",
        "readOnly",
        "writeOnly",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "discriminator",
        "example",
        "externalDocs",
        "xml",
        "propertyOrdering",
        "unevaluatedProperties",
        "unevaluatedItems",
        "nullable",
        "minContains",
        "maxContains",
        "additionalItems",
        "strict",
    }
)


def note(keyword: str, value: Any) -> str:
    """One sentence for a keyword that was left out, or "" where it forbids nothing."""
    if keyword in SILENT or value is None or keyword.startswith("x-"):
        return ""
    if keyword == "additionalProperties" and isinstance(value, bool):
        # A model writes the fields it was told of; a sentence for every object would only cost tokens.
        return ""
    if keyword == "uniqueItems" and value is False:
        return ""
    if keyword in ("enum", "examples", "required") and isinstance(value, list):
        value = ", ".join(_text(item) for item in value)  # pyright: ignore[reportUnknownVariableType]
        return _SENTENCES[keyword].format(_short(value))
    sentence = _SENTENCES.get(keyword)
    if sentence is None:
        return f"Also holds: {_short(_text({keyword: value}))}."
    return sentence.format(_short(value if keyword in ("format", "pattern") else _text(value)))


def described(description: Any, notes: Iterable[str]) -> str:
    """A description with notes after it, each once."""
    text = description.strip() if isinstance(description, str) else ""
    for sentence in dict.fromkeys(notes):
        if sentence and sentence not in text:
            stop = "" if not text or text[-1] in ".!?:;。！？：；" else "."
            text = f"{text}{stop} {sentence}".lstrip()
    return text


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LIMIT else f"{text[:LIMIT]}…"
