"""Convert a tool's JSON Schema to the dialect of a provider.

What a provider cannot express is left out and said in the description; our own validation goes by the tool's schema. A
value that fits the schema given fits the one returned, which may say less but nothing else. In strict mode this holds
once null stands for every optional field that was left out.
"""

import re
from collections.abc import Callable
from typing import Any, Literal

from msgspec import structs

from toolpost.types.tool_spec import ToolSpec

from .normalize import LISTS, MAPS, SINGLE, Schema
from .notes import described, note
from .references import MAX_NODES, TOP, PointerPath, Resolver
from .subset import SUBSETS, Inexpressible, SubsetWriter

__all__ = ["Inexpressible", "SchemaDialect", "described", "for_provider", "openai_spec", "spec_for"]

SchemaDialect = Literal["openai", "openai_strict", "anthropic", "gemini", "gemini_json", "ollama"]

# Anthropic refuses a whole request for one field with another name.
_ANTHROPIC_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_NOT_AT_ROOT = ("not", "enum", "const", "if", "then", "else")
_DOCUMENT = frozenset({"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "discriminator"})


def for_provider(schema: Schema, dialect: SchemaDialect) -> tuple[Schema, tuple[str, ...]]:
    """The schema of a tool's parameters in a dialect, and what it could not say at its root: add that to the tool's
    description. Deeper losses stand in the descriptions of the fields.

    `openai_strict` raises `Inexpressible` where strict mode has no form for the schema, such as free field names.
    `gemini` is for `parameters`, `gemini_json` for `parametersJsonSchema`.
    """
    rules = SUBSETS.get(dialect)
    if rules is None:
        written = _pass(schema, dialect, keeps_all=False)
        return written or _pass(schema, dialect, keeps_all=True) or ({"type": "object", "properties": {}}, ())
    resolver = Resolver(schema, keeps_recursive=rules.refs)
    source, path, notes = _as_object(resolver, schema)
    writer = SubsetWriter(resolver, rules)
    result, more = writer.root(source, path)
    _define(result, resolver, writer.node)
    return result, tuple(filter(None, dict.fromkeys([*notes, *more])))


def spec_for(tool: ToolSpec, dialect: SchemaDialect) -> ToolSpec:
    """A tool as a dialect tells it."""
    parameters, notes = for_provider(tool.parameters, dialect)
    return structs.replace(tool, description=described(tool.description, notes), parameters=parameters)


def openai_spec(tool: ToolSpec, *, strict: bool = False) -> ToolSpec:
    """A tool as OpenAI's wires tell it: in strict mode where it, or `strict`, asks for that and its schema has a form
    there."""
    if tool.strict or strict:
        try:
            return structs.replace(spec_for(tool, "openai_strict"), strict=True)
        except Inexpressible:
            pass
    return structs.replace(spec_for(tool, "openai"), strict=False)


def _as_object(resolver: Resolver, root: Schema, path: PointerPath = TOP) -> tuple[Schema, PointerPath, list[str]]:
    """The root as every provider wants it: one object, without branches and conditions of its own."""
    schema, path, notes = resolver.settle(root, path, at_root=True)
    for keyword in _NOT_AT_ROOT:
        if keyword in schema:
            notes.append(note(keyword, schema.pop(keyword)))
    for keyword in ("anyOf", "oneOf"):
        if branches := schema.pop(keyword, None):
            path = _take_branches(resolver, schema, branches, path, notes)
    return {**schema, "type": "object", "properties": schema.get("properties", {})}, path, notes


def _take_branches(
    resolver: Resolver, schema: Schema, branches: list[Any], path: PointerPath, notes: list[str]
) -> PointerPath:
    """Offer the fields of all branches, and require those that all of them require."""
    wholes: list[Schema] = []
    for branch in branches:
        whole, inner_path, more = _as_object(resolver, branch, path)
        wholes.append(whole)
        path |= inner_path
        notes += more
    fields: dict[str, list[Any]] = {}
    for whole in (schema, *wholes):
        for name, value in whole.get("properties", {}).items():
            forms = fields.setdefault(name, [])
            forms += [value] if value not in forms else []
    schema["properties"] = {name: forms[0] if len(forms) == 1 else {"anyOf": forms} for name, forms in fields.items()}
    required: list[set[str]] = [set(whole.get("required", ())) for whole in wholes]
    always: list[str] = list(dict.fromkeys([*schema.get("required", ()), *sorted(required[0].intersection(*required))]))
    if always:
        schema["required"] = always
    schema.pop("additionalProperties", None)
    sets = [sorted(names - set(always)) for names in required]
    if any(sets):
        notes.append("Give " + ", or ".join(" and ".join(names) or "none of the others" for names in sets) + ".")
    return path


def _define(result: Schema, resolver: Resolver, write: Callable[[Any, PointerPath], Schema]) -> None:
    """Write the definitions that stayed; writing one may find another."""
    definitions: Schema = {}
    while len(definitions) < len(resolver.used):
        pointer = list(resolver.used)[len(definitions)]
        definitions[resolver.definition_name(pointer)] = write(resolver.target(pointer), TOP)
    if definitions:
        result["$defs"] = definitions


def _pass(schema: Schema, dialect: SchemaDialect, *, keeps_all: bool) -> tuple[Schema, tuple[str, ...]] | None:
    """For providers that take nearly all of JSON Schema. None if inlining would make too much of it."""
    resolver = Resolver(schema, keeps_recursive=True, keeps_all=keeps_all)
    source, path, notes = _as_object(resolver, schema)
    writer = _Passing(resolver, _ANTHROPIC_NAME if dialect == "anthropic" else None)
    result = writer.node(source, path)
    _define(result, resolver, writer.node)
    if resolver.nodes > MAX_NODES and not keeps_all:
        return None
    return result, tuple(filter(None, dict.fromkeys(notes)))


class _Passing:
    """Writes every keyword as it stands, with references followed and older spellings made new."""

    def __init__(self, resolver: Resolver, names: re.Pattern[str] | None) -> None:
        self._resolver = resolver
        self._names = names

    def node(self, source: Any, path: PointerPath) -> Schema:
        schema, path, notes = self._resolver.resolve(source, path)
        result: Schema = {}
        for key, value in schema.items():
            if key in MAPS:
                result[key] = {name: self.node(item, path) for name, item in value.items()}
            elif key in LISTS:
                result[key] = [self.node(item, path) for item in value]
            elif key in SINGLE:
                result[key] = value if isinstance(value, bool) else self.node(value, path)
            elif key not in _DOCUMENT:
                result[key] = value
        if self._names is not None and "properties" in result:
            self._drop_names(result, self._names, notes)
        if result.get("type") == "array" and not result.keys() & {"items", "prefixItems"}:
            result["items"] = {}
        if any(notes):
            result["description"] = described(result.get("description"), notes)
        return result

    def _drop_names(self, result: Schema, names: re.Pattern[str], notes: list[str]) -> None:
        bad = {name: schema for name, schema in result["properties"].items() if not names.fullmatch(name)}
        if not bad:
            return
        result["properties"] = {name: item for name, item in result["properties"].items() if name not in bad}
        must = [name for name in result.get("required", ()) if name in bad]
        result["required"] = [name for name in result.get("required", ()) if name not in bad]
        result.pop("additionalProperties", None)
        notes += [note("required", must)] if must else []
        notes.append(note("properties", bad))
