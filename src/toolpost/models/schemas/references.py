"""Resolve the `$ref`s of a JSON Schema while it is converted for a provider."""

import re
from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import unquote

from .normalize import LISTS, MAPS, SINGLE, Schema, merged, modern, shape_of
from .notes import note

# Inlining may multiply a schema; past this many nodes references are no longer followed.
MAX_NODES = 4_000
PointerPath = frozenset[str]
TOP: PointerPath = frozenset({"#"})


class Resolver:
    """Inlines references. A recursive one stays where `keeps_recursive`, else its second round is left open.

    `used` are the pointers that stay, under the names that `definition_name` gives.
    """

    def __init__(self, root: Schema, *, keeps_recursive: bool, keeps_all: bool = False) -> None:
        self.used: dict[str, None] = {}
        self.nodes = 0
        self._references = References(root)
        self._keeps_recursive = keeps_recursive
        self._keeps_all = keeps_all

    def resolve(
        self, source: Any, path: PointerPath, *, at_root: bool = False
    ) -> tuple[Schema, PointerPath, list[str]]:
        """One node without the references that are to go, the pointers it was found under, and what was lost."""
        self.nodes += 1
        schema, notes = modern(source), list[str]()
        while isinstance(pointer := schema.get("$ref"), str):
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            target = self.target(pointer)
            if target is None:
                notes.append(f"Formed like {pointer}.")
                schema = beside
            elif not at_root and self._keeps(pointer):
                self.used[pointer] = None
                return {**beside, "$ref": f"#/$defs/{self.definition_name(pointer)}"}, path, notes
            elif pointer in path or self.nodes > MAX_NODES:
                notes.append(f"Formed like {self.definition_name(pointer)}.")
                schema = {**shape_of(modern(target)), **beside}
            else:
                path |= {pointer}
                schema, rest = merged(modern(target), beside)
                notes += [note(key, value) for key, value in rest.items()]
        return schema, path, notes

    def settle(self, source: Any, path: PointerPath, *, at_root: bool = False) -> tuple[Schema, PointerPath, list[str]]:
        """As `resolve`, with all branches of `allOf` put into the node."""
        schema, path, notes = self.resolve(source, path, at_root=at_root)
        for branch in schema.pop("allOf", ()):
            inner, path, more = self.settle(branch, path, at_root=at_root)
            schema, rest = merged(schema, inner)
            notes += more + [note(key, value) for key, value in rest.items()]
        return schema, path, notes

    def target(self, pointer: str) -> Any:
        return self._references.target(pointer)

    def definition_name(self, pointer: str) -> str:
        return self._references.name(pointer)

    def _keeps(self, pointer: str) -> bool:
        return self._keeps_all or (self._keeps_recursive and self._references.is_recursive(pointer))


class References:
    """The local references of one schema document."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._names: dict[str, str] = {}
        self._recursive: dict[str, bool] = {}

    def target(self, pointer: str) -> Any:
        """What a pointer such as `#/$defs/Node` points to; None for what is not in this document."""
        if not pointer.startswith("#"):
            return None
        found: Any = self._root
        for segment in unquote(pointer[1:]).split("/")[1:]:
            segment = segment.replace("~1", "/").replace("~0", "~")
            if isinstance(found, list) and segment.isdigit() and int(segment) < len(cast("list[Any]", found)):
                found = cast("list[Any]", found)[int(segment)]
            elif isinstance(found, dict) and segment in found:
                found = cast("Schema", found)[segment]
            else:
                return None
        return found

    def is_recursive(self, pointer: str) -> bool:
        known = self._recursive.get(pointer)
        if known is None:
            known = self._recursive[pointer] = pointer in self._reachable(pointer)
        return known

    def name(self, pointer: str) -> str:
        """A name for `$defs`, its own for every pointer."""
        if pointer not in self._names:
            last = re.sub(r"[^A-Za-z0-9_.-]", "_", unquote(pointer).rpartition("/")[2].strip("#")) or "root"
            name, number = last, 2
            while name in self._names.values():
                name, number = f"{last}_{number}", number + 1
            self._names[pointer] = name
        return self._names[pointer]

    def _reachable(self, pointer: str) -> set[str]:
        found: set[str] = set()
        queue = list(pointers(self.target(pointer)))
        while queue:
            next_one = queue.pop()
            if next_one not in found:
                found.add(next_one)
                queue.extend(pointers(self.target(next_one)))
        return found


def pointers(schema: Any) -> Iterator[str]:
    """The references that stand in a schema, at any depth, where schemas can stand."""
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, dict):
            continue
        for key, value in cast("Schema", node).items():
            if key == "$ref" and isinstance(value, str):
                yield value
            elif key in MAPS and isinstance(value, dict):
                stack.extend(cast("Schema", value).values())
            elif (key in LISTS or key == "items") and isinstance(value, list):
                stack.extend(cast("list[Any]", value))
            elif key in SINGLE:
                stack.append(value)
