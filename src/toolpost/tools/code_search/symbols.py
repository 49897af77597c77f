"""Tell definitions from uses of a name in source code, with tree-sitter."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from .languages import Language, new_parser

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 200
# What stands between a name and what it declares, in C and C++.
_CHAIN = re.compile(r"\w*declarator|qualified_identifier|template_function|template_type")


class CodeSymbol(Struct, frozen=True):
    """A name in a file. `kind` is empty where it is only used; `scope` is what it is in, as in `Parser.Rules`. Lines
    count from 1; a definition reaches to `last_line`."""

    name: str
    kind: str
    line: int
    last_line: int
    column: int
    scope: str = ""


def find_symbols(data: bytes, language: Language, names: re.Pattern[bytes]) -> Iterator[CodeSymbol]:
    """The symbols that `names` matches; in comments and texts there are none."""
    root = new_parser(language).parse(data).root_node
    for found in names.finditer(data):
        node = root.named_descendant_for_byte_range(found.start(), found.end())
        if node is None or node.child_count or "identifier" not in node.type:
            continue
        if (node.start_byte, node.end_byte) != found.span():
            continue
        yield _symbol(node, language)


def _symbol(node: "Node", language: Language) -> CodeSymbol:
    name, line, column = _text(node), node.start_point.row + 1, node.start_point.column + 1
    defined = _definition(node, language)
    if defined is None:
        return CodeSymbol(name, "", line, line, column)
    whole, kind = defined
    return CodeSymbol(name, kind, line, whole.end_point.row + 1, column, _scope(whole, language))


def _definition(node: "Node", language: Language) -> "tuple[Node, str] | None":
    """The node that defines this name, and what that is."""
    parent = node.parent
    if parent is None:
        return None
    if node in parent.children_by_field_name("name") and (kind := language.definitions.get(parent.type)):
        # `struct a *b` only names a struct that is defined elsewhere.
        bodiless = parent.type.endswith("_specifier") and parent.child_by_field_name("body") is None
        return None if bodiless else (parent, _better(parent, kind))
    if language.grammar == "python":
        return _assignment(node, parent)
    return _declared(node, language) if language.declarators else None


def _better(node: "Node", kind: str) -> str:
    """A variable that holds a function is one."""
    value = node.child_by_field_name("value")
    return "function" if kind == "variable" and value is not None and "function" in value.type else kind


def _assignment(node: "Node", parent: "Node") -> "tuple[Node, str] | None":
    """In Python a name of a module or a class is defined by being assigned."""
    statement = parent.parent
    block = statement.parent if statement is not None else None
    if parent.type != "assignment" or parent.child_by_field_name("left") != node or block is None:
        return None
    in_class = block.parent is not None and block.parent.type == "class_definition"
    return (parent, "variable") if block.type == "module" or in_class else None


def _declared(node: "Node", language: Language) -> "tuple[Node, str] | None":
    for _ in range(MAX_DEPTH):
        parent = node.parent
        if parent is None:
            return None
        field = "name" if parent.type == "qualified_identifier" else "declarator"
        if node not in parent.children_by_field_name(field):
            return None
        if kind := language.declarators.get(parent.type):
            return parent, kind
        if not _CHAIN.fullmatch(parent.type):
            return None
        node = parent
    return None


def _scope(node: "Node", language: Language) -> str:
    names: list[str] = []
    around = node
    for _ in range(MAX_DEPTH):
        field = language.scopes.get(around.type, "" if around == node else "name")
        if around.type in language.definitions or around.type in language.scopes:
            inner = around.child_by_field_name(field) if field else None
            if inner is not None:
                names.append(_type_name(inner))
        if around.parent is None:
            break
        around = around.parent
    return ".".join(reversed(names))


def _type_name(node: "Node") -> str:
    """The bare name in `(s *Server)` or `Parser<'a>`."""
    words = re.findall(r"[^\W\d]\w*", _text(node).partition("<")[0].partition("[")[0])
    return words[-1] if words else ""


def _text(node: "Node") -> str:
    return (node.text or b"").decode(errors="replace")
