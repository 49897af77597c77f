"""Write a schema in the subset of JSON Schema that a provider takes: what stays, what is said in words."""

import re
from typing import Any, Literal

from msgspec import Struct

from .normalize import ANNOTATIONS, Schema, merged, shape_of, types_of, types_of_values
from .notes import described, note
from .references import TOP, PointerPath, Resolver


class Inexpressible(ValueError):
    """The dialect has no form for this schema."""


class SchemaSubset(Struct, frozen=True):
    """`plain` are keywords that stay as they are. `enum`: the values that an enumeration may hold."""

    plain: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    enum: Literal["any", "numbers", "strings"] = "any"
    nullable: bool = False
    refs: bool = False
    strict: bool = False
    open_objects: bool = False
    tuples: bool = False


_NUMERIC_FORMATS = frozenset({"int32", "int64", "float", "double"})
_GEMINI_FORMATS = _NUMERIC_FORMATS | {"date-time"}
SUBSETS = {
    "openai_strict": SchemaSubset(
        frozenset(
            {
                "pattern",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minItems",
                "maxItems",
            }
        ),
        frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}),
        refs=True,
        strict=True,
    ),
    # https://ai.google.dev/api/caching#Schema: a part of OpenAPI 3.0; nothing may stand beside its anyOf.
    "gemini": SchemaSubset(
        frozenset(
            {
                "pattern",
                "minimum",
                "maximum",
                "minItems",
                "maxItems",
                "minLength",
                "maxLength",
                "minProperties",
                "maxProperties",
            }
        ),
        _GEMINI_FORMATS,
        enum="strings",
        nullable=True,
    ),
    "gemini_json": SchemaSubset(
        frozenset({"minimum", "maximum", "minItems", "maxItems"}),
        _GEMINI_FORMATS | {"date", "time"},
        enum="numbers",
        open_objects=True,
        tuples=True,
    ),
    # Ollama reads these keywords into a struct of its own and drops all others without a word.
    "ollama": SchemaSubset(),
}
_CONSTRAINED = {
    "string": frozenset({"pattern", "format", "minLength", "maxLength"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"}),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"}),
    "object": frozenset(
        {
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
        }
    ),
}
_STRUCTURE = frozenset(
    {"type", "enum", "const", "description", "properties", "required", "additionalProperties", "items", "prefixItems"}
)
_LOOKAROUND = re.compile(r"\(\?<?[=!]")
_SCALARS: list[Schema] = [{"type": name, "nullable": True} for name in ("string", "number", "boolean")]
_ANY: list[Schema] = [
    *_SCALARS,
    {"type": "object", "nullable": True},
    {"type": "array", "items": {"anyOf": _SCALARS}, "nullable": True},
]


class SubsetWriter:
    """Writes one document under the rules of one dialect."""

    def __init__(self, resolver: Resolver, rules: SchemaSubset) -> None:
        self._resolver = resolver
        self._rules = rules

    def root(self, source: Schema, path: PointerPath) -> tuple[Schema, list[str]]:
        """The root object, and apart from it what could not be said."""
        notes: list[str] = []
        # A tool without parameters takes none; anywhere else an object without fields takes any.
        closed = {"additionalProperties": False} if self._rules.strict else {}
        written = self._single({**closed, **source}, path, notes)
        result: Schema = {"type": "object", "properties": {}, **written}
        result.pop("description", None)
        if isinstance(source.get("description"), str):
            result["description"] = source["description"]
        return result, notes

    def node(self, source: Any, path: PointerPath = TOP) -> Schema:
        schema, path, notes = self._resolver.settle(source, path)
        if "$ref" in schema:
            return self._describe({"$ref": schema["$ref"]}, schema.get("description"), notes)
        if schema.get("anyOf") or schema.get("oneOf"):
            return self._union(schema, path, notes)
        return self._single(schema, path, notes)

    def _union(self, schema: Schema, path: PointerPath, notes: list[str]) -> Schema:
        """`anyOf`, with what stands beside it put into every branch. A null branch makes the others nullable."""
        keyword = "anyOf" if schema.get("anyOf") else "oneOf"
        base = {key: value for key, value in schema.items() if key not in ANNOTATIONS and key != keyword}
        null, written = False, list[Schema]()
        for branch in schema[keyword]:
            inner, inner_path, more = self._resolver.settle(branch, path)
            if _is_null(inner):
                null = True
                continue
            whole, rest = merged(base, inner)
            more += [note(key, value) for key, value in rest.items()]
            if any(more):
                whole["description"] = described(whole.get("description"), more)
            made = self.node(whole, inner_path)
            written += made["anyOf"] if made.keys() == {"anyOf"} else [made]
        null = null or any(form.get("type") == "null" for form in written)
        written = _distinct([form for form in written if form.get("type") != "null"])
        notes += [note(key, schema[key]) for key in ("default", "examples") if key in schema]
        if not written:
            return self._null(schema.get("description"), notes)
        result = written[0] if len(written) == 1 else {"anyOf": written}
        return self._describe(self._or_null(result) if null else result, schema.get("description"), notes)

    def _single(self, schema: Schema, path: PointerPath, notes: list[str]) -> Schema:
        """A node without branches: its types, its values, and one keyword after the other."""
        types, null, values = _types_and_values(schema)
        if not types:
            named = null or values is not None
            return self._null(schema.get("description"), notes) if named else self._any(schema, notes)
        if self._rules.nullable and len(types) > 1:
            return self._union(_split(schema, types, null, values), path, notes)
        result: Schema = {"type": types[0] if len(types) == 1 else types}
        if values is not None:
            if self._takes(values, types):
                result["enum"] = values
            else:
                notes.append(note("const", values[0]) if len(values) == 1 else note("enum", values))
        for key, value in schema.items():
            if key not in _STRUCTURE and _concerns(key, types):
                self._keyword(key, value, types, result, notes)
        if "object" in types:
            self._object(schema, path, result, notes)
        if "array" in types:
            self._array(schema, path, result, notes)
        return self._describe(self._or_null(result) if null else result, schema.get("description"), notes)

    def _keyword(self, key: str, value: Any, types: list[str], result: Schema, notes: list[str]) -> None:
        inclusive = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}.get(key, "")
        takes = key in self._rules.plain
        if key == "format":
            takes = value in self._rules.formats and (value in _NUMERIC_FORMATS) == ("string" not in types)
        elif key == "pattern":
            takes = takes and isinstance(value, str) and not _LOOKAROUND.search(value)
        if takes:
            held = result.get(key)
            # An exclusive limit may have stood for this one already; the tighter of the two holds.
            result[key] = value if held is None else max(held, value) if key == "minimum" else min(held, value)
            return
        if inclusive in self._rules.plain:
            held = result.get(inclusive, value)
            result[inclusive] = max(held, value) if inclusive == "minimum" else min(held, value)
        notes.append(note(key, value))

    def _object(self, schema: Schema, path: PointerPath, result: Schema, notes: list[str]) -> None:
        properties = schema.get("properties", {})
        others: Any = schema.get("additionalProperties")
        if self._rules.strict and (others not in (None, False) or "patternProperties" in schema):
            raise Inexpressible("strict mode has no objects with free field names")
        if self._rules.strict and others is None and not properties:
            raise Inexpressible("strict mode has no objects without a list of fields")
        written = {name: self.node(item, path) for name, item in properties.items()}
        required = [name for name in schema.get("required", ()) if name in written]
        if unknown := [name for name in schema.get("required", ()) if name not in written]:
            notes.append(note("required", unknown))
        if self._rules.strict:
            written = {name: item if name in required else self._or_null(item) for name, item in written.items()}
            result |= {"properties": written, "required": list(written), "additionalProperties": False}
            return
        if written:
            result["properties"] = written
        if required:
            result["required"] = required
        if self._rules.open_objects and others is not None:
            result["additionalProperties"] = others if isinstance(others, bool) else self.node(others, path)
        else:
            notes.append(note("additionalProperties", others))

    def _array(self, schema: Schema, path: PointerPath, result: Schema, notes: list[str]) -> None:
        first, rest = schema.get("prefixItems", []), schema.get("items")
        if rest is False:
            limit = min(len(first), schema.get("maxItems", len(first)))
            self._keyword("maxItems", limit, ["array"], result, notes)
        closed = rest is False or (bool(first) and schema.get("maxItems", len(first) + 1) <= len(first))
        if first and self._rules.tuples:
            result["prefixItems"] = [self.node(item, path) for item in first]
            if isinstance(rest, dict):
                result["items"] = self.node(rest, path)
            return
        forms = _distinct(first)
        if not closed or not forms:
            forms.append(rest if isinstance(rest, dict) else {})
        if len(forms) > 1:
            notes.append(note("prefixItems", [self.node(item, path) for item in first]))
        result["items"] = self.node(forms[0] if len(forms) == 1 else {"anyOf": forms}, path)

    def _takes(self, values: list[Any], types: list[str]) -> bool:
        match self._rules.enum:
            case "any":
                return not any(isinstance(value, list | dict) for value in values)
            case "numbers":
                return all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in values)
            case "strings":
                # Gemini refuses an empty string among the values.
                return types == ["string"] and all(isinstance(value, str) and value for value in values)

    def _any(self, schema: Schema, notes: list[str]) -> Schema:
        if self._rules.strict:
            raise Inexpressible("strict mode has no values without a type")
        notes += [note(key, value) for key, value in schema.items() if key not in _STRUCTURE]
        return self._describe({"anyOf": _ANY} if self._rules.nullable else {}, schema.get("description"), notes)

    def _null(self, description: Any, notes: list[str]) -> Schema:
        if not self._rules.nullable:
            return self._describe({"type": "null"}, description, notes)
        return self._describe({"type": "string", "nullable": True}, description, [*notes, note("const", "null")])

    def _or_null(self, schema: Schema) -> Schema:
        null: Schema = {"type": "null"}
        if self._rules.nullable:
            if "anyOf" not in schema:
                return {**schema, "nullable": True}
            branches = _distinct([{**branch, "nullable": True} for branch in schema["anyOf"]])
            return branches[0] if len(branches) == 1 else {"anyOf": branches}
        if "anyOf" in schema:
            return schema if null in schema["anyOf"] else {**schema, "anyOf": [*schema["anyOf"], null]}
        if "$ref" in schema or ("enum" in schema and self._rules.enum != "any"):
            text = {"description": schema["description"]} if "description" in schema else {}
            return {"anyOf": [{key: value for key, value in schema.items() if key not in text}, null], **text}
        types = types_of(schema)
        if not types or "null" in types:
            return schema
        enum = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": [*types, "null"], **enum}

    def _describe(self, schema: Schema, description: Any, notes: list[str]) -> Schema:
        text = described(description, [*notes, schema.get("description", "")])
        if not text:
            return schema
        if "$ref" in schema:
            # Nothing else may stand beside a reference.
            return {"anyOf": [schema], "description": text}
        if "anyOf" in schema and self._rules.nullable:
            # Nothing else may stand beside anyOf, so every branch says it.
            branches = schema["anyOf"]
            return {
                "anyOf": [{**item, "description": described(text, [item.get("description", "")])} for item in branches]
            }
        return {**schema, "description": text}


def _types_and_values(schema: Schema) -> tuple[list[str], bool, list[Any] | None]:
    """The types beside null, whether null is one of them, and the values where they are listed."""
    types = types_of(schema) or types_of(shape_of(schema))
    null = "null" in types
    values: list[Any] | None = [schema["const"]] if "const" in schema else schema.get("enum")
    if values is not None:
        null = None in values
        values = [value for value in values if value is not None]
        found = types_of_values(values)
        declared = [name for name in types if name in found or (name == "number" and "integer" in found)]
        types = declared or found
    types = [name for name in types if name != "null" and not (name == "integer" and "number" in types)]
    return types, null, values


def _split(schema: Schema, types: list[str], null: bool, values: list[Any] | None) -> Schema:
    """A node of several types as one branch a type."""
    annotations = {key: value for key, value in schema.items() if key in ANNOTATIONS}
    rest = {key: value for key, value in schema.items() if key not in annotations and key not in ("enum", "const")}
    branches: list[Schema] = []
    for name in types:
        kinds = ("integer", "number") if name == "number" else (name,)
        own = {} if values is None else {"enum": [item for item in values if types_of_values([item])[0] in kinds]}
        branches.append({**rest, "type": name, **own})
    return {**annotations, "anyOf": [*branches, {"type": "null"}] if null else branches}


def _distinct(items: list[Any]) -> list[Any]:
    return [item for place, item in enumerate(items) if item not in items[:place]]


def _concerns(key: str, types: list[str]) -> bool:
    """A keyword for another type than the node has forbids nothing."""
    homes = [name for name, keys in _CONSTRAINED.items() if key in keys]
    return not homes or any(name in types or (name == "number" and "integer" in types) for name in homes)


def _is_null(schema: Schema) -> bool:
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    return types_of(schema) == ["null"] or listed == [None]
