"""JSON Schema as grammar rules: what they let a model write fits the schema.

What rules cannot say (patterns, wide ranges, uniqueness) they leave open; our own validation follows. Objects are
written in the order of their properties, and undeclared properties only where the schema asks for them.
"""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from toolpost.models.prompted.call_writer import dump
from toolpost.models.schemas.normalize import ANNOTATIONS, Schema, merged, modern, shape_of, types_of, types_of_values
from toolpost.models.schemas.references import References

from .gbnf import Grammar, char_class, literal

# A repeat costs llama.cpp a rule for each round, so longer ones are left open.
MAX_REPEATS = 200
MAX_CHOICES = 500
MAX_LEAVES = 200
MAX_RULES = 2_000

_ODD_SCHEMA = (RecursionError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError)
_SAID_ELSEWHERE = ANNOTATIONS | {"$schema", "$id", "$anchor", "$comment", "$defs", "definitions", "discriminator"}
FORMATS = ("date", "time", "date-time", "uuid")


def arguments_rule(grammar: Grammar, schema: Schema, hint: str = "arguments") -> str:
    """Add the rules for a tool's arguments, a JSON object, and return the name of the first. A schema that is too odd
    or too large for rules gives any object."""
    document = SchemaRules(grammar, schema)
    return document.settled_rule(hint, lambda: document.objects(schema)) or "object"


class SchemaRules:
    """The rules of one schema document, whose references it can follow."""

    def __init__(self, grammar: Grammar, root: Schema) -> None:
        self.grammar = grammar
        self._references = References(root)
        self._names: dict[str, str] = {}

    def settled_rule(self, hint: str, write: Callable[[], str]) -> str:
        """The rule whose body `write` returns; "" where the schema is too odd or too large for rules."""
        checkpoint = self.grammar.checkpoint()
        try:
            body = write()
            if body and self.grammar.checkpoint() - checkpoint <= MAX_RULES:
                return self.grammar.define(hint, body)
        except _ODD_SCHEMA:
            pass
        self.grammar.rewind(checkpoint)
        return ""

    def rule(self, source: Any, hint: str) -> str:
        """The rule for one node. One that is met again, as a recursive reference is, is the same rule."""
        key = json.dumps(source, sort_keys=True)
        if key not in self._names:
            name = self._names[key] = self.grammar.reserve(hint)
            self.grammar.fill(name, self.body(source))
        return self._names[key]

    def body(self, source: Any) -> str:
        return " | ".join(dict.fromkeys(map(self.leaf, self.leaves(source)))) or "value"

    def objects(self, source: Any) -> str:
        """As `body`, of those leaves only that are objects."""
        leaves = [leaf for leaf in self.leaves(source) if leaf.get("type") == "object"]
        return " | ".join(dict.fromkeys(map(self.leaf, leaves)))

    def leaves(self, source: Any, path: frozenset[str] = frozenset()) -> list[Schema]:
        """What a node comes to when its references and unions are followed: nodes of one type each.

        A rule made of them begins with a character, never with another such rule: llama.cpp refuses left recursion.
        """
        settled = self._settled(source, path)
        if settled is None:
            return []
        schema, path = settled
        branches = schema.pop("anyOf", None) or schema.pop("oneOf", None)
        if not branches:
            return _by_type(schema)
        base = {key: value for key, value in schema.items() if key not in _SAID_ELSEWHERE | {"oneOf"}}
        leaves: list[Schema] = []
        for branch in branches:
            leaves += self.leaves({"allOf": [base, branch]} if base else branch, path)
            if len(leaves) > MAX_LEAVES:
                raise ValueError("too many branches")
        return leaves

    def _settled(self, source: Any, path: frozenset[str]) -> tuple[Schema, frozenset[str]] | None:
        """The node with its references and `allOf` put in; None where it only leads back to where it came from."""
        schema = modern(source)
        while isinstance(pointer := schema.pop("$ref", None), str):
            if pointer in path:
                return None
            path |= {pointer}
            schema, _ = merged(modern(self._references.target(pointer)), schema)
        for branch in schema.pop("allOf", ()):
            inner = self._settled(branch, path)
            if inner is not None:
                schema, _ = merged(schema, inner[0])
        return schema, path

    def leaf(self, schema: Schema) -> str:
        """The expression for a node of one type."""
        if choices := choices_of(schema):
            return " | ".join(map(_constant, choices))
        match schema.get("type"):
            case "object":
                return self._object(schema)
            case "array":
                return self._array(schema)
            case "string":
                return _string(schema)
            case "integer":
                return _integer(schema)
            case "number":
                return "decimal" if _least(schema) >= 0 else "number"
            case "boolean" | "null" as kind:
                return kind
            case _:
                return "value"

    def members(self, schema: Schema) -> list[tuple[str, Any, bool]]:
        """The properties of an object: name, schema, and whether it must be there."""
        required = cast("list[str]", schema.get("required", []))
        properties: Schema = {**schema.get("properties", {})}
        for name in required:
            properties.setdefault(name, {})
        return [(name, node, name in required) for name, node in properties.items() if node is not False]

    def _object(self, schema: Schema) -> str:
        if not schema.keys() & {"properties", "required", "additionalProperties", "patternProperties"}:
            return "object"
        if "properties" not in schema:
            schema = {"additionalProperties": True, **schema}
        members = self.members(schema)
        pairs = [(f"{literal(dump(name) + ':')} ws {self.rule(node, name)}", must) for name, node, must in members]
        other = self._other_pair(schema, [name for name, _, _ in members])
        others = f'("," ws {other})*' if other else ""
        if any(must for _, must in pairs):
            return f'"{{" ws {_required_pairs(pairs)} {others} ws "}}"'
        choices = self._optional_pairs([pair for pair, _ in pairs], others)
        choices += [f"{other} {others}"] if other else []
        if not choices:
            return '"{" ws "}"'
        least = "" if _count(schema.get("minProperties")) else "?"
        return f'"{{" ws (({" | ".join(choices)}) ws){least} "}}"'

    def _optional_pairs(self, pairs: Sequence[str], others: str) -> list[str]:
        """One choice for each property that may come first: it has no comma before it, all that follow have one."""
        choices: list[str] = []
        tail = others
        for place in reversed(range(len(pairs))):
            choices.insert(0, f"{pairs[place]} {tail}")
            if place:
                tail = self.grammar.define("more", f'("," ws {pairs[place]})? {tail}')
        return choices

    def _other_pair(self, schema: Schema, names: Sequence[str]) -> str:
        """A property that has no name of its own in the schema, or "" where there is none."""
        allowed = schema.get("additionalProperties")
        patterns = list(cast("Schema", schema.get("patternProperties", {})).values())
        if not patterns and (allowed is None or allowed is False):
            return ""
        value = "value"
        if allowed is not True:
            value = self.rule(
                {"anyOf": [*patterns, *([] if allowed is None or allowed is False else [allowed])]}, "other"
            )
        if names:
            return f'"\\"" {self._other_name(names)} "\\"" ":" ws {value}'
        key = self.rule({"type": "string", **modern(schema.get("propertyNames", {}))}, "key")
        return f'{key} ":" ws {value}'

    def _other_name(self, names: Sequence[str]) -> str:
        """Any name without escapes but these: a tree of their characters, to be left anywhere but at an end."""
        branches: dict[str, list[str]] = {}
        for name in names:
            if name and dump(name[0]) == f'"{name[0]}"':
                branches.setdefault(name[0], []).append(name[1:])
        ways = [f"{literal(char)} {self._other_name(rests)}" for char, rests in branches.items()]
        other = rf'[^"\\\x00-\x1F{char_class("".join(branches))}] [^"\\\x00-\x1F]*'
        return self.grammar.define("name", " | ".join([*([] if "" in names else [""]), *ways, other]))

    def _array(self, schema: Schema) -> str:
        low, high = _count(schema.get("minItems")) or 0, _count(schema.get("maxItems"))
        prefix = cast("list[Any]", schema.get("prefixItems", []))[:high]
        items = schema.get("items", not prefix)
        rest = "" if items is False or high == len(prefix) else self._item(items)
        body = f'("," ws {rest}){_times(low - len(prefix), _less(high, len(prefix)))}' if prefix and rest else ""
        for place in reversed(range(1, len(prefix))):
            body = f'"," ws {self._item(prefix[place])} {body}'
            body = body if place < low else f"({body})?"
        if prefix:
            body = f"{self._item(prefix[0])} {body}"
        elif rest:
            body = f'{rest} ("," ws {rest}){_times(low - 1, _less(high, 1))}'
        else:
            return '"[" ws "]"'
        return f'"[" ws ({body} ws){"" if low else "?"} "]"'

    def _item(self, schema: Any) -> str:
        return "value" if schema is True else self.rule(schema, "item")


def choices_of(schema: Schema) -> list[Any]:
    """The values of `const` or `enum` that fit their type; none where there are too many."""
    if "const" in schema:
        return [schema["const"]]
    values = cast("list[Any]", schema.get("enum", []))
    types = set(types_of(schema))
    types |= {"integer"} if "number" in types else set()
    fitting = [value for value in values if not types or types_of_values([value])[0] in types]
    return (fitting or values) if len(values) <= MAX_CHOICES else []


def _constant(value: Any) -> str:
    """One value, spaced as any other."""
    if isinstance(value, dict) and value:
        members = cast("Schema", value).items()
        inside = [f"{literal(dump(name) + ':')} ws {_constant(item)}" for name, item in members]
    elif isinstance(value, list) and value:
        inside = [_constant(item) for item in cast("list[Any]", value)]
    else:
        return literal(dump(value))
    opens, closes = "{}" if isinstance(value, dict) else "[]"
    return " ".join([literal(opens), "ws", ' "," ws '.join(inside), "ws", literal(closes)])


def _by_type(schema: Schema) -> list[Schema]:
    if "const" in schema or "enum" in schema:
        return [schema]
    types = types_of(schema) or types_of(shape_of(schema))
    if not types:
        return [schema]
    return [{**schema, "type": kind} for kind in types if kind != "integer" or "number" not in types]


def _required_pairs(pairs: Sequence[tuple[str, bool]]) -> str:
    """The first required property has no comma of its own: those before it bring one, those behind it follow one."""
    parts: list[str] = []
    begun = False
    for pair, must in pairs:
        if begun:
            parts.append(f'"," ws {pair}' if must else f'("," ws {pair})?')
        else:
            parts.append(pair if must else f'({pair} "," ws)?')
        begun = begun or must
    return " ".join(parts)


def _string(schema: Schema) -> str:
    form = schema.get("format")
    if form in FORMATS:
        return f'"\\"" {form} "\\""'
    low, high = _count(schema.get("minLength")) or 0, _count(schema.get("maxLength"))
    return "string" if not low and (high is None or high > MAX_REPEATS) else f'"\\"" char{_times(low, high)} "\\""'


def _integer(schema: Schema) -> str:
    low, high = _least(schema), min(schema.get("maximum", math.inf), schema.get("exclusiveMaximum", math.inf) - 1)
    if 0 <= high - low < MAX_CHOICES // 5:
        return " | ".join(f'"{number}"' for number in range(math.ceil(low), math.floor(high) + 1)) or "integer"
    return "natural" if low >= 0 else "integer"


def _least(schema: Schema) -> float:
    step = 1 if schema.get("type") == "integer" else 0
    return max(schema.get("minimum", -math.inf), schema.get("exclusiveMinimum", -math.inf) + step)


def _count(limit: Any) -> int | None:
    return max(0, math.ceil(limit)) if isinstance(limit, int | float) and math.isfinite(limit) else None


def _less(high: int | None, count: int) -> int | None:
    return None if high is None else high - count


def _times(low: int, high: int | None) -> str:
    """How often what stands before it may be written."""
    low = min(max(low, 0), MAX_REPEATS)
    if high is None or high > MAX_REPEATS:
        return "*" if not low else f"{{{low},}}"
    return f"{{{low},{max(high, low)}}}"
