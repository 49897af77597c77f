"""Make a sample question for a tool and the arguments that answer it, from its description and schema."""

import re
from typing import Any, cast

from toolpost.models.schemas.references import References
from toolpost.types.tool_spec import ToolSpec

MAX_DEPTH = 4
MAX_QUESTION = 120

_FORMATS = {
    "date": "2026-01-31",
    "time": "14:30:00",
    "date-time": "2026-01-31T14:30:00Z",
    "email": "name@example.com",
    "uri": "https://example.com",
    "url": "https://example.com",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
}
# What a description gives as an example: "e.g. Tokyo", "such as 'Tokyo'", "例如：北京".
_EXAMPLE = re.compile(
    r"""(?:\be\.?g\.?|\bfor example|\bsuch as|例如|比如)[:：,，]?\s*["'`“「]?"""
    r"""([^\s"'`”」,;.，。；、()（）]{1,40})"""
)

_SENTENCE_END = re.compile(r"[.!?](?=\s+[A-Z]|\s*\Z)|[。！？\n]")

Schema = dict[str, Any]


def sample_question(tool: ToolSpec, arguments: dict[str, Any]) -> str:
    """What a user may say who wants this call: what the tool does, in its description's first words, and for what."""
    task = _SENTENCE_END.split(tool.description.strip(), 1)[0] or tool.name.replace("_", " ")
    values = ", ".join(str(value) for value in arguments.values() if isinstance(value, str | int | float))
    return (f"{task}: {values}" if values else task)[:MAX_QUESTION].replace("“", '"').replace("”", '"')


def sample_arguments(parameters: Schema) -> dict[str, Any]:
    """The required arguments with values of their kind; the first optional one where none is required."""
    value = _sample("", parameters, References(parameters), 0)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _sample(name: str, schema: Any, references: References, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return f"<{name or 'value'}>"
    node = _resolved(cast("Schema", schema), references)
    for key in ("examples", "enum"):
        values = node.get(key)
        if isinstance(values, list) and values:
            return cast("list[Any]", values)[0]
    for key in ("const", "default", "example"):
        if node.get(key) is not None:
            return node[key]
    for key in ("anyOf", "oneOf", "allOf"):
        branches = [branch for branch in cast("list[Any]", node.get(key) or ()) if branch != {"type": "null"}]
        if branches:
            return _sample(name, branches[0], references, depth + 1)
    return _of_kind(name, node, references, depth)


def _of_kind(name: str, node: Schema, references: References, depth: int) -> Any:
    kind = node.get("type")
    if isinstance(kind, list):
        kind = next((one for one in cast("list[str]", kind) if one != "null"), "null")
    if kind == "object" or "properties" in node:
        return _members(node, references, depth)
    if kind == "array":
        return [_sample(name, node.get("items", {}), references, depth + 1)]
    if kind in ("integer", "number"):
        low = node.get("minimum", node.get("exclusiveMinimum"))
        return low + (1 if "exclusiveMinimum" in node else 0) if isinstance(low, int | float) else 1
    if kind == "boolean":
        return True
    if kind == "null":
        return None
    if known := _FORMATS.get(str(node.get("format"))):
        return known
    found = _EXAMPLE.search(str(node.get("description", "")))
    return found[1] if found else f"<{name or 'value'}>"


def _members(node: Schema, references: References, depth: int) -> dict[str, Any]:
    properties = cast("Schema", node.get("properties") or {})
    wanted = [name for name in cast("list[str]", node.get("required") or ()) if name in properties]
    return {name: _sample(name, properties[name], references, depth + 1) for name in wanted or list(properties)[:1]}


def _resolved(schema: Schema, references: References) -> Schema:
    for _ in range(MAX_DEPTH):
        pointer = schema.get("$ref")
        target = references.target(pointer) if isinstance(pointer, str) else None
        if not isinstance(target, dict):
            break
        schema = cast("Schema", target)
    return schema
