"""Coerce arguments to their JSON Schema: what a model plainly meant, although it wrote it a little wrong.

Used only after the arguments failed as they stood. Nothing is invented: a value changes only when its kind is not
what the schema wants and there is one plain reading of it.
"""

import json
import math
import re
from typing import Any, cast

MAX_STEPS = 20_000
MAX_DEPTH = 64
WRAPPERS = ("arguments", "args", "parameters", "params", "input")

Schema = dict[str, Any]


def coerce(arguments: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """Return `arguments` mended where the schema shows how; the input is left as it is."""
    mender = _Mender(schema)
    return cast("dict[str, Any]", mender.mend(_unwrapped(arguments, mender.resolved(schema)), schema, 0))


def with_defaults(arguments: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """Add the `default` of each property of `schema` that is missing, at the top level."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return arguments
    missing: dict[str, Any] = {}
    for name, prop in cast("Schema", properties).items():
        if name not in arguments and isinstance(prop, dict) and "default" in prop:
            # A copy by JSON: a tool that changes its argument must not change the schema's default.
            missing[name] = json.loads(json.dumps(cast("Schema", prop)["default"]))
    return {**arguments, **missing} if missing else arguments


def plain_key(name: str) -> str:
    """A name without case and separators: `maxResults`, `max-results` and `max_results` are one."""
    return "".join(char for char in name.casefold() if char.isalnum())


def _unwrapped(arguments: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """Some models put all the arguments under one key, such as "arguments"."""
    if len(arguments) != 1:
        return arguments
    (name, value), properties = next(iter(arguments.items())), schema.get("properties", {})
    inner = _parsed(value, dict)
    if name in WRAPPERS and name not in properties and isinstance(inner, dict):
        return cast("dict[str, Any]", inner)
    return arguments


class _Mender:
    def __init__(self, root: Schema) -> None:
        self._root = root
        self._steps = 0

    def mend(self, value: Any, schema: Any, depth: int) -> Any:
        self._steps += 1
        if not isinstance(schema, dict) or depth > MAX_DEPTH or self._steps > MAX_STEPS:
            return value
        node = self.resolved(cast("Schema", schema))
        for key in ("anyOf", "oneOf"):
            if isinstance(node.get(key), list):
                return self._mend_choice(value, cast("list[Any]", node[key]), depth)
        if isinstance(node.get("allOf"), list):
            for part in cast("list[Any]", node["allOf"]):
                value = self.mend(value, part, depth + 1)
        if "enum" in node or "const" in node:
            return _mend_option(value, cast("list[Any]", node.get("enum", [node.get("const")])))
        value = _mend_kind(value, _wanted(node))
        if isinstance(value, dict):
            return self._mend_object(cast("dict[str, Any]", value), node, depth)
        if isinstance(value, list):
            return self._mend_array(cast("list[Any]", value), node, depth)
        return value

    def fits(self, value: Any, schema: Any, depth: int) -> bool:
        """True if `value` has the kind that `schema` wants, all the way down. Ranges and patterns are not looked at."""
        self._steps += 1
        if not isinstance(schema, dict) or depth > MAX_DEPTH or self._steps > MAX_STEPS:
            return schema is not False
        node = self.resolved(cast("Schema", schema))
        for key in ("anyOf", "oneOf"):
            if isinstance(node.get(key), list):
                return any(self.fits(value, branch, depth + 1) for branch in cast("list[Any]", node[key]))
        if "enum" in node or "const" in node:
            return any(_same(value, option) for option in node.get("enum", [node.get("const")]))
        wanted = _wanted(node)
        if wanted and not any(_is(value, kind) for kind in wanted):
            return False
        if isinstance(value, list):
            return all(self.fits(item, node.get("items"), depth + 1) for item in cast("list[Any]", value))
        if isinstance(value, dict):
            return self._object_fits(cast("dict[str, Any]", value), node, depth)
        return True

    def resolved(self, schema: Schema) -> Schema:
        for _ in range(MAX_DEPTH):
            reference = schema.get("$ref")
            if not isinstance(reference, str) or not reference.startswith("#"):
                break
            target: Any = self._root
            for step in reference.removeprefix("#").split("/")[1:]:
                name = step.replace("~1", "/").replace("~0", "~")
                target = cast("Schema", target).get(name) if isinstance(target, dict) else None
            if not isinstance(target, dict):
                break
            schema = cast("Schema", target)
        return schema

    def _mend_choice(self, value: Any, branches: list[Any], depth: int) -> Any:
        if any(self.fits(value, branch, depth + 1) for branch in branches):
            return value
        for branch in branches:
            mended = self.mend(value, branch, depth + 1)
            if self.fits(mended, branch, depth + 1):
                return mended
        return value

    def _mend_object(self, value: dict[str, Any], node: Schema, depth: int) -> dict[str, Any]:
        properties = cast("Schema", node.get("properties") or {})
        required = cast("list[str]", node.get("required") or [])
        others = node.get("additionalProperties")
        result: dict[str, Any] = {}
        for name, item in _renamed(value, properties, others).items():
            schema = properties.get(name, others)
            dropped = item is None and name in properties and name not in required
            if dropped and not self.fits(None, schema, depth + 1):
                continue
            result[name] = self.mend(item, schema, depth + 1)
        return result

    def _mend_array(self, value: list[Any], node: Schema, depth: int) -> list[Any]:
        first = cast("list[Any]", node.get("prefixItems") or [])
        rest = node.get("items")
        return [self.mend(item, first[i] if i < len(first) else rest, depth + 1) for i, item in enumerate(value)]

    def _object_fits(self, value: dict[str, Any], node: Schema, depth: int) -> bool:
        properties = cast("Schema", node.get("properties") or {})
        if any(name not in value for name in node.get("required") or ()):
            return False
        others = node.get("additionalProperties", True)
        return all(self.fits(item, properties.get(name, others), depth + 1) for name, item in value.items())


def _wanted(node: Schema) -> list[str]:
    kind = node.get("type")
    if isinstance(kind, str):
        return [kind]
    if isinstance(kind, list):
        return cast("list[str]", kind)
    return ["object"] if "properties" in node else []


def _is(value: Any, kind: str) -> bool:
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, _PYTHON.get(kind, object))


def _mend_kind(value: Any, wanted: list[str]) -> Any:
    if not wanted or any(_is(value, kind) for kind in wanted):
        return value
    alone = _only_item(value)
    if alone is not value:
        return _mend_kind(alone, wanted)
    for kind in sorted(_READ.keys() & wanted, key=_ORDER.index):
        mended = _READ[kind](value)
        if _is(mended, kind):
            return mended
    return value


def _only_item(value: Any) -> Any:
    """The one plain value in an array where no array is wanted; anything else as it is."""
    if not isinstance(value, list):
        return value
    items = cast("list[Any]", value)
    return items[0] if len(items) == 1 and not isinstance(items[0], dict | list) else items


def _mend_option(value: Any, options: list[Any]) -> Any:
    if any(_same(value, option) for option in options):
        return value
    if isinstance(value, str):
        said = plain_key(value)
        near = [option for option in options if isinstance(option, str) and plain_key(option) == said]
    else:
        near = []
    near = near or [option for option in options if not isinstance(option, str) and _text(option) == _text(value)]
    near = near or [option for option in options if isinstance(option, str) and option == _text(value)]
    return near[0] if len(near) == 1 else value


def _renamed(value: dict[str, Any], properties: Schema, others: Any) -> dict[str, Any]:
    """Give a key in another spelling its property's name, where that property is missing and nothing else claims it."""
    strange = [name for name in value if name not in properties]
    if not strange or not properties or isinstance(others, dict):
        return value
    missing = [name for name in properties if name not in value]
    names: dict[str, str] = {}
    for name in strange:
        near = [prop for prop in missing if plain_key(prop) == plain_key(name)]
        if len(near) == 1 and near[0] not in names.values():
            names[name] = near[0]
    return {names.get(name, name): item for name, item in value.items()}


def _to_null(value: Any) -> Any:
    return None if isinstance(value, str) and value.strip().lower() in ("", "null", "none") else value


def _to_boolean(value: Any) -> Any:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower(), value)
    return bool(value) if _is(value, "integer") and value in (0, 1) else value


def _to_number(value: Any) -> Any:
    if not isinstance(value, str) or not _NUMBER.fullmatch(value.strip()):
        return value
    number = float(value)
    if not math.isfinite(number):
        return value
    return int(value) if _INTEGER.fullmatch(value.strip()) else number


def _to_integer(value: Any) -> Any:
    number = _to_number(value)
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _to_array(value: Any) -> Any:
    """JSON text of an array is that array; anything else that is alone is the array's one item."""
    if value is None:
        return value
    parsed = _parsed(value, list)
    return cast("Any", parsed) if isinstance(parsed, list) else [value]


def _to_object(value: Any) -> Any:
    return _parsed(value, dict)


def _to_string(value: Any) -> Any:
    """A number, or the JSON that was meant to be a file's text, as the text that it was written as."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    plain = any(not isinstance(item, dict | list) for item in items)
    return cast("Any", value) if value is None or plain else _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _parsed(value: Any, kind: type) -> Any:
    if not isinstance(value, str) or not value.strip().startswith("{" if kind is dict else "["):
        return value
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, kind) else value


def _same(value: Any, option: Any) -> bool:
    return value == option and isinstance(value, bool) == isinstance(option, bool)


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,1000}", re.ASCII)
_PYTHON: dict[str, type] = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}
_READ = {
    "null": _to_null,
    "boolean": _to_boolean,
    "integer": _to_integer,
    "number": _to_number,
    "object": _to_object,
    "array": _to_array,
    "string": _to_string,
}
# What reads only its own kind comes first; an array or a string takes nearly anything.
_ORDER = list(_READ)
