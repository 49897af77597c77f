"""Validate arguments against a JSON Schema, with one short message that tells a model how to correct them."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from toolpost.types.errors import ToolError

from .coerce import coerce, with_defaults
from .suggestions import closest

if TYPE_CHECKING:
    import jsonschema_rs

MAX_PROBLEMS = 8
MAX_VALUE = 60
MAX_SHAPE = 600

Schema = dict[str, Any]


class Validator:
    """Checks arguments against one schema. Compiled at first use, and kept.

    A schema that does not compile (a foreign server may send one) checks nothing: the server that runs the call
    checks again. `toolpost tools check` reports it. References are never fetched, from no file and no network.
    """

    def __init__(self, name: str, schema: Schema) -> None:
        self._name = name
        self._schema = schema
        self._compiled: jsonschema_rs.Validator | None = None
        self._broken = False

    def check(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments, with defaults and mended where needed, or raise `ToolError` of kind `invalid`."""
        whole = with_defaults(arguments, self._schema)
        if self.valid(whole):
            return whole
        mended = with_defaults(coerce(arguments, self._schema), self._schema)
        problems = self.problems(mended)
        if problems:
            raise ToolError(explain(self._name, problems, self._schema), kind="invalid")
        return mended

    def valid(self, arguments: dict[str, Any]) -> bool:
        compiled = self._compile()
        return compiled is None or compiled.is_valid(arguments)

    def problems(self, arguments: dict[str, Any]) -> list[str]:
        """Everything that is wrong, one short clause each."""
        compiled = self._compile()
        if compiled is None:
            return []
        found = [clause for error in compiled.iter_errors(arguments) for clause in _clauses(error, self._schema)]
        return sorted(dict.fromkeys(found), key=lambda clause: not clause.endswith(_MISSING))

    def _compile(self) -> "jsonschema_rs.Validator | None":
        if self._compiled is None and not self._broken:
            try:
                self._compiled = compile_schema(self._schema)
            except ValueError:
                self._broken = True
        return self._compiled


def compile_schema(schema: Schema, *, formats: bool = False) -> "jsonschema_rs.Validator":
    """Compile, or raise `ValueError`. Nothing outside the schema is read. `formats` are checked where a person is
    asked: a model's date is for the tool to refuse."""
    # Imported here: a session whose tools are all typed functions, called rightly, never needs it.
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema, retriever=_refuse, validate_formats=formats)


def explain(name: str, problems: Sequence[str], schema: Schema) -> str:
    """Say what is wrong and what is right: `get_weather: "city" is missing; expected {"city": string}`."""
    shown = list(problems[:MAX_PROBLEMS])
    if len(problems) > MAX_PROBLEMS:
        shown.append(f"and {len(problems) - MAX_PROBLEMS} more")
    return f"{name}: {'; '.join(shown)}; expected {shape(schema)}"


def shape(schema: Schema) -> str:
    """The schema as a short sketch, `{"city": string, "days"?: integer}`, less deep where it would be long."""
    for depth in (4, 3, 2, 1):
        sketch = _sketch(schema, schema, depth)
        if len(sketch) <= MAX_SHAPE:
            return sketch
    return sketch[: MAX_SHAPE - 1] + "…"


def missing(path: str) -> str:
    return path + _MISSING


def unknown(name: str, path: str, known: Sequence[str]) -> str:
    likely = closest(name, known)
    return f"{path} is not known" + (f', did you mean "{likely}"?' if likely else "")


def wrong(path: str, expected: str, value: Any) -> str:
    return f"{path} should be {expected}, got {preview(value)}"


def with_article(kind: str) -> str:
    """`an object`, of JSON's names of types."""
    return _ARTICLES.get(kind, kind)


def preview(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 1]}…"


def path_text(path: Sequence[str | int]) -> str:
    """`items[0].price`, quoted; the arguments as a whole have no path."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
    return f'"{text}"' if text else "the whole"


def _refuse(uri: str) -> Any:
    raise ValueError(f"a tool's schema may not refer to {uri}")


def _clauses(error: "jsonschema_rs.ValidationError", root: Schema) -> list[str]:
    path = list(error.instance_path)
    here = path_text(path)
    kind, detail = error.kind.name, cast("Any", error.kind).value
    if kind == "required":
        return [missing(path_text([*path, str(detail)]))]
    if kind in ("additionalProperties", "unevaluatedProperties"):
        known = list(_at(root, error.schema_path[:-1]).get("properties", {}))
        return [unknown(name, path_text([*path, name]), known) for name in detail]
    return [wrong(here, _expectation(kind, detail, error, root), error.instance)]


def _expectation(kind: str, detail: Any, error: "jsonschema_rs.ValidationError", root: Schema) -> str:
    if kind == "type":
        return " or ".join(with_article(name) for name in cast("list[str]", detail))
    if kind in ("enum", "const", "anyOf", "oneOf"):
        schema = _at(root, error.schema_path[:-1])
        sketch = _sketch(schema, root, 2) if schema else error.message
        return f"one of {sketch}" if kind == "enum" else sketch
    if kind in _BOUNDS:
        return _BOUNDS[kind].format(detail)
    # Of the rarer keywords the library says it well enough, after the value that it quotes.
    return f"valid ({re.sub(r'^.{200,}(?=.{200}$)', '…', error.message)})"


def _at(root: Schema, path: Sequence[str | int]) -> Schema:
    node: Any = root
    for step in path:
        if isinstance(node, dict):
            node = cast("Schema", node).get(str(step))
        elif isinstance(node, list) and isinstance(step, int) and step < len(cast("list[Any]", node)):
            node = cast("list[Any]", node)[step]
        else:
            return {}
        if isinstance(node, dict) and "$ref" in node:
            node = _target(root, cast("Schema", node))
    return cast("Schema", node) if isinstance(node, dict) else {}


def _target(root: Schema, node: Schema) -> Schema:
    found: Any = root
    for step in str(node["$ref"]).removeprefix("#").split("/")[1:]:
        found = cast("Schema", found).get(step) if isinstance(found, dict) else None
    return cast("Schema", found) if isinstance(found, dict) else {}


def _sketch(schema: Any, root: Schema, depth: int) -> str:
    if not isinstance(schema, dict):
        return "any"
    node = cast("Schema", schema)
    if "$ref" in node:
        node = _target(root, node)
        depth -= 1
    if "enum" in node or "const" in node:
        return " | ".join(preview(option) for option in node.get("enum", [node.get("const")]))
    for key in ("anyOf", "oneOf"):
        if key in node:
            return " | ".join(dict.fromkeys(_sketch(branch, root, depth) for branch in node[key]))
    kinds = node.get("type", "object" if "properties" in node else "any")
    if isinstance(kinds, list):
        return " | ".join(_sketch({**node, "type": kind}, root, depth) for kind in cast("list[str]", kinds))
    if kinds == "array":
        inner = _sketch(node.get("items"), root, depth)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kinds == "object":
        return _sketch_object(node, root, depth)
    return f"{kinds} ({node['format']})" if "format" in node else str(kinds)


def _sketch_object(node: Schema, root: Schema, depth: int) -> str:
    properties = cast("Schema", node.get("properties") or {})
    if not properties and isinstance(node.get("additionalProperties"), dict):
        return f"{{[key]: {_sketch(node['additionalProperties'], root, depth - 1)}}}" if depth > 0 else "{…}"
    if not properties:
        return "object" if node.get("additionalProperties", True) else "{}"
    if depth <= 0:
        return "{…}"
    required = node.get("required") or ()
    fields = (
        f'"{name}"{"" if name in required else "?"}: {_sketch(prop, root, depth - 1)}'
        for name, prop in properties.items()
    )
    return f"{{{', '.join(fields)}}}"


_MISSING = " is missing"
_ARTICLES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}
_BOUNDS = {
    "minimum": "{} or more",
    "maximum": "{} or less",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters long",
    "maxLength": "at most {} characters long",
    "minItems": "an array of at least {} items",
    "maxItems": "an array of at most {} items",
    "minProperties": "an object of at least {} fields",
    "maxProperties": "an object of at most {} fields",
    "pattern": "a string like /{}/",
    "format": "a string of the format {}",
    "uniqueItems": "an array without repeated items",
}
