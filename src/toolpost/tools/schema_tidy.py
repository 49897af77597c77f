"""Simplify a JSON Schema for models: references inlined, no titles, no null defaults, every array with its items."""

from typing import Any, cast

MAX_NODES = 4_000
REF = "#/$defs/"

Schema = dict[str, Any]


def tidy(schema: Schema, defs: dict[str, Schema]) -> Schema:
    """Return `schema` with every definition inlined that is not recursive; the others stay in `$defs`.

    A schema that would grow past `MAX_NODES` by inlining keeps all its references.
    """
    recursive = {name for name in defs if name in _reachable(defs[name], defs)}
    try:
        return _Tidier(defs, recursive).whole(schema)
    except _TooLarge:
        return _Tidier(defs, set(defs)).whole(schema)


def references(schema: Any) -> set[str]:
    """The names of the definitions that `schema` refers to directly."""
    if isinstance(schema, dict):
        node = cast("Schema", schema)
        found: set[str] = set()
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                found.add(value.removeprefix(REF))
            else:
                found |= references(value)
        return found
    if isinstance(schema, list):
        return set[str]().union(*(references(item) for item in cast("list[Any]", schema)))
    return set()


class _TooLarge(Exception):
    pass


class _Tidier:
    def __init__(self, defs: dict[str, Schema], kept: set[str]) -> None:
        self._defs = defs
        self._kept = kept
        self._limited = len(kept) < len(defs)
        self._nodes = 0

    def whole(self, schema: Schema) -> Schema:
        result = self.node(schema)
        wanted = sorted(_reachable(result, self._defs) & self._kept)
        if wanted:
            result["$defs"] = {name: self.node(self._defs[name]) for name in wanted}
        return result

    def node(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        self._nodes += 1
        if self._limited and self._nodes > MAX_NODES:
            raise _TooLarge
        source = self._resolved(cast("Schema", schema))
        result: Schema = {}
        for key, value in source.items():
            # `discriminator` maps to references that inlining takes away; its values stand in the branches as well.
            if key in ("title", "discriminator", "$defs") or (key == "default" and value is None):
                continue
            result[key] = self._keyword(key, value)
        return _completed(result)

    def _resolved(self, schema: Schema) -> Schema:
        """Follow a reference that is to be inlined; what stands beside it wins."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            name = reference.removeprefix(REF)
            if name in self._defs and name not in self._kept:
                beside = {key: value for key, value in schema.items() if key != "$ref"}
                return self._resolved({**self._defs[name], **beside})
        for key in ("allOf", "anyOf"):
            branches = schema.get(key)
            if isinstance(branches, list) and len(cast("list[Any]", branches)) == 1:
                beside = {name: value for name, value in schema.items() if name != key}
                return self._resolved({**cast("list[Schema]", branches)[0], **beside})
        return schema

    def _keyword(self, key: str, value: Any) -> Any:
        if key in ("properties", "patternProperties") and isinstance(value, dict):
            return {name: self.node(_without_null(item)) for name, item in cast("Schema", value).items()}
        if key in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, list):
            return [self.node(item) for item in cast("list[Any]", value)]
        if key in ("items", "additionalProperties", "not", "contains", "propertyNames"):
            return self.node(value)
        return value


def _reachable(schema: Schema, defs: dict[str, Schema]) -> set[str]:
    found: set[str] = set()
    queue = list(references(schema))
    while queue:
        name = queue.pop()
        if name in defs and name not in found:
            found.add(name)
            queue.extend(references(defs[name]))
    return found


def _without_null(schema: Any) -> Any:
    """`x: T | None = None` is told as an optional `T`: a model leaves it out, and a null is taken all the same."""
    if not isinstance(schema, dict):
        return schema
    node = cast("Schema", schema)
    branches = node.get("anyOf")
    if "default" not in node or node["default"] is not None or not isinstance(branches, list):
        return node
    rest = [branch for branch in cast("list[Any]", branches) if branch != {"type": "null"}]
    return {**node, "anyOf": rest} if rest else node


def _completed(schema: Schema) -> Schema:
    """Say what some providers insist on: the type of an enum, and the items of an array."""
    options = schema.get("enum")
    if isinstance(options, list) and "type" not in schema:
        names = {_NAMES.get(type(option)) for option in cast("list[object]", options)}
        if len(names) == 1 and (name := names.pop()):
            schema = {"type": name, **schema}
    if schema.get("type") != "array":
        return schema
    first = cast("list[Any] | None", schema.get("prefixItems"))
    if first and all(item == first[0] for item in first):
        schema = {key: value for key, value in schema.items() if key != "prefixItems"}
        schema["items"] = first[0]
    elif first and not isinstance(schema.get("items"), dict):
        distinct: list[Any] = []
        distinct.extend(item for item in first if item not in distinct)
        schema["items"] = {"anyOf": distinct}
    return schema if "items" in schema else {**schema, "items": {}}


_NAMES: dict[type, str] = {str: "string", int: "integer", bool: "boolean"}
