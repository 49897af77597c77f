"""Write tools as signatures, one line each: a small model reads them in a quarter of the tokens of their schemas."""

import re
from collections.abc import Mapping
from typing import Any, cast

from toolpost.models.schemas.references import References
from toolpost.types.tool_spec import ToolSpec

from .call_writer import dump

MAX_DEPTH = 3
MAX_CHOICES = 16
MAX_ABOUT = 140
MAX_ABOUT_ARGUMENT = 80
_SHORT = {"integer": "int", "boolean": "bool", "object": "object", "array": "list"}
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)\s|(?<=[。！？])")

Schema = Mapping[str, Any]


def signature(tool: ToolSpec) -> str:
    """`name(city: string (City name), days?: int = 3) - What it does.`"""
    members = _members(tool.parameters, References(tool.parameters), 0)
    about = shortened(tool.description, MAX_ABOUT)
    return f"{tool.name}({members})" + (f" - {about}" if about else "")


def shortened(text: str, most: int) -> str:
    """Whole sentences, as many as fit; the first one cut at a word if it alone is too long."""
    plain = " ".join(text.split())
    kept = ""
    for sentence in _END_OF_SENTENCE.split(plain):
        longer = f"{kept} {sentence}".strip() if kept.isascii() else kept + sentence
        if len(longer) > most:
            break
        kept = longer
    return kept or _cut(plain[:most])


def _cut(text: str) -> str:
    """Ends at a word, and before a bracket that is not closed."""
    kept = text.rsplit(" ", 1)[0]
    if kept.count("(") > kept.count(")"):
        kept = kept.rpartition("(")[0]
    return kept.rstrip(" ,;:-")


def _members(schema: Schema, references: References, depth: int) -> str:
    required = set(cast("list[str]", schema.get("required") or ()))
    properties = cast("dict[str, Any]", schema.get("properties") or {})
    return ", ".join(_member(name, node, name in required, references, depth) for name, node in properties.items())


def _member(name: str, node: Any, required: bool, references: References, depth: int) -> str:
    schema = _resolved(node, references)
    default = schema.get("default")
    about = shortened(str(schema.get("description") or ""), MAX_ABOUT_ARGUMENT)
    kind = _kind(schema, references, depth)
    return "".join(
        [
            f"{name}{'' if required else '?'}: {kind}",
            f" = {dump(default)}" if default not in (None, "", [], {}) else "",
            f" ({about})" if about else "",
        ]
    )


def _kind(schema: Schema, references: References, depth: int) -> str:
    if "const" in schema:
        return dump(schema["const"])
    if schema.get("enum"):
        choices = [dump(value) for value in schema["enum"] if value is not None]
        return "|".join(choices[:MAX_CHOICES]) + ("|…" if len(choices) > MAX_CHOICES else "")
    for key in ("anyOf", "oneOf"):
        if branches := [branch for branch in schema.get(key) or () if branch != {"type": "null"}]:
            kinds = (_kind(_resolved(branch, references), references, depth + 1) for branch in branches)
            return "|".join(dict.fromkeys(kinds))
    kind = schema.get("type")
    if isinstance(kind, list):
        names = [str(one) for one in cast("list[Any]", kind) if one != "null"]
        return "|".join(_SHORT.get(name, name) for name in names) or "any"
    if kind == "array" and depth < MAX_DEPTH:
        inner = _kind(_resolved(schema.get("items") or {}, references), references, depth + 1)
        return f"list of {inner}" if inner != "any" else "list"
    if (kind == "object" or "properties" in schema) and schema.get("properties") and depth < MAX_DEPTH:
        return f"{{{_members(schema, references, depth + 1)}}}"
    if kind == "string" and schema.get("format"):
        return str(schema["format"])
    return _SHORT.get(str(kind), str(kind)) if kind else "any"


def _resolved(node: Any, references: References) -> Schema:
    schema = cast("dict[str, Any]", node) if isinstance(node, dict) else {}
    for _ in range(MAX_DEPTH):
        pointer = schema.get("$ref")
        target = references.target(pointer) if isinstance(pointer, str) else None
        if not isinstance(target, dict):
            break
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**cast("dict[str, Any]", target), **beside}
    return schema
