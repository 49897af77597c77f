"""Normalise JSON Schemas of any draft: older spellings made new, `allOf` merged."""

from collections.abc import Sequence
from typing import Any, cast

Schema = dict[str, Any]

TYPES = ("object", "array", "string", "integer", "number", "boolean", "null")
ANNOTATIONS = frozenset({"description", "title", "default", "examples", "deprecated", "readOnly", "writeOnly"})
# Keywords by the form of what they hold.
MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
SINGLE = frozenset(
    {
        "items",
        "additionalProperties",
        "not",
        "contains",
        "propertyNames",
        "if",
        "then",
        "else",
        "unevaluatedProperties",
        "unevaluatedItems",
    }
)
_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


def modern(schema: Any) -> Schema:
    """One node in the form of draft 2020-12: the tuples, limits and nulls of older drafts and of OpenAPI respelt."""
    if not isinstance(schema, dict):
        return {"not": {}} if schema is False else {}
    node = {key: value for key, value in cast("Schema", schema).items() if _is_sound(key, value)}
    if isinstance(node.get("items"), list):
        node["prefixItems"] = node.pop("items")
        if "additionalItems" in node:
            node["items"] = node["additionalItems"]
    node.pop("additionalItems", None)
    if not node.get("prefixItems", True):
        del node["prefixItems"]
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(node.get(exclusive), bool) and node.pop(exclusive) and limit in node:
            node[exclusive] = node.pop(limit)
    if "required" in node:
        node["required"] = [name for name in node["required"] if isinstance(name, str)]
    types = types_of(node)
    if "type" in node:
        node["type"] = types[0] if len(types) == 1 else types
        if not types:
            del node["type"]
    if node.pop("nullable", False) is True:
        node = with_null(node)
    return node


def _is_sound(key: str, value: Any) -> bool:
    """A keyword that holds what it never may, such as the boolean `required` of draft 3, means nothing."""
    if key in MAPS:
        return isinstance(value, dict)
    if key in _LARGER or key in _SMALLER:
        return isinstance(value, int | float)
    if key in ("$ref", "format", "pattern"):
        return isinstance(value, str)
    return isinstance(value, list) if key in LISTS or key in ("enum", "required") else True


def types_of(node: Schema) -> list[str]:
    """The types a node names, in its own order; none means any."""
    named = node.get("type")
    names = cast("list[Any]", named) if isinstance(named, list) else [named]
    return list(dict.fromkeys(name.lower() for name in names if isinstance(name, str) and name.lower() in TYPES))


def types_of_values(values: Sequence[object]) -> list[str]:
    names: dict[object, str] = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}
    names[dict], names[type(None)] = "object", "null"
    return list(dict.fromkeys(names.get(type(value), "null") for value in values))


def shape_of(node: Schema) -> Schema:
    """The node's type alone, as far as it names one or its keywords leave no doubt."""
    types = types_of(node)
    if types:
        return {"type": types[0] if len(types) == 1 else types}
    if node.keys() & {"properties", "additionalProperties", "patternProperties", "required"}:
        return {"type": "object"}
    return {"type": "array"} if node.keys() & {"items", "prefixItems"} else {}


def with_null(node: Schema) -> Schema:
    """The same node, with null allowed as well."""
    types = types_of(node)
    if "anyOf" in node:
        return {**node, "anyOf": [*node["anyOf"], {"type": "null"}]}
    if not types or "null" in types:
        return node
    enum = {"enum": [*node["enum"], None]} if "enum" in node and None not in node["enum"] else {}
    return {**node, "type": [*types, "null"], **enum}


def merged(one: Schema, other: Schema) -> tuple[Schema, Schema]:
    """Both nodes as one, and what of `other` could not be put together with `one`.

    The result may allow more than both together do, never less.
    """
    result = dict(one)
    rest: Schema = {}
    for key, value in other.items():
        held: Any = result.get(key)
        if key not in result or held == value or key in ANNOTATIONS:
            result[key] = value
        elif key == "properties":
            result[key] = _merged_properties(held, value)
        elif key == "required":
            result[key] = list(dict.fromkeys([*held, *value]))
        elif key in _LARGER or key in _SMALLER:
            result[key] = max(held, value) if key in _LARGER else min(held, value)
        elif key == "enum":
            result[key] = [item for item in held if item in value] or held
        elif key == "type":
            result[key] = _common_types(types_of(one), types_of(other))
        elif key == "additionalProperties":
            result[key] = held if value is True else value if held is True else False
        else:
            rest[key] = value
    return result, rest


def _merged_properties(held: Schema, value: Schema) -> Schema:
    result = dict(held)
    for name, schema in value.items():
        result[name] = {"allOf": [held[name], schema]} if name in held and held[name] != schema else schema
    return result


def _common_types(one: list[str], other: list[str]) -> list[str]:
    """Every integer is a number as well."""
    both = [name for name in one if name in other or (name == "integer" and "number" in other)]
    both += [name for name in other if name == "integer" and "number" in one and name not in both]
    return both or one
