"""Check shell arithmetic: it runs commands in the value of a variable, so the values must be known numbers."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from toolpost.guard.word_sets import names

from .builtin_variables import check_test
from .syntax_tree import NotUnderstood
from .words import Word, literal, text_of, word_of

if TYPE_CHECKING:
    from tree_sitter import Node

# The shell's own numbers.
KNOWN = names("""
    RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS BASHPID PPID UID EUID # ? $ !
""")
ASSIGNING = frozenset({"getopts", "mapfile", "printf", "read", "readarray", "wait"})
_NAME = re.compile(r"[A-Za-z_]\w*")
_COMPARING = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge")
_OPERATIONS = names("""
    binary_expression unary_expression postfix_expression parenthesized_expression ternary_expression
""")


class ArithmeticCheck:
    """Sees each node of a script once; `check` raises if something is evaluated that may not be a number."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._not_numbers: set[str] = set()
        self._assigned: set[str] = set()

    def see(self, node: "Node") -> None:
        match node.type:
            case "raw_string" | "ansi_c_string" | "string_content" | "word" if may_be_evaluated(text_of(node)):
                raise NotUnderstood("it holds text that a shell may evaluate")
            case "variable_assignment":
                self._assign(node)
            case "for_statement":
                self._loop(node)
            case "command":
                self._command(node)
            case "arithmetic_expansion" | "c_style_for_statement":
                self._evaluate(node)
            case "compound_statement" | "test_command" if node.children and node.children[0].type == "((":
                self._evaluate(node)
            case "test_command":
                self._compare(node)
            case "array":
                self._index(node)
            case "subscript":
                self._evaluate_index(node)
            case "expansion" if any(child.type == ":" for child in node.children):
                self._evaluate(node)
            case _:
                pass

    def check(self) -> None:
        unknown = self._used - KNOWN - (self._assigned - self._not_numbers)
        if unknown:
            raise NotUnderstood(f"it calculates with {min(unknown)}, which may not be a number")

    def _assign(self, node: "Node") -> None:
        name = _NAME.match(text_of(node))
        value = node.child_by_field_name("value")
        if name is None:
            raise NotUnderstood("it assigns in an unusual way")
        self._assigned.add(name[0])
        if value is not None and value.type not in ("number", "arithmetic_expansion", *_OPERATIONS):
            if name[0] in KNOWN:
                raise NotUnderstood(f"it sets {name[0]}, which a shell evaluates")
            self._not_numbers.add(name[0])

    def _loop(self, node: "Node") -> None:
        name = node.child_by_field_name("variable")
        if name is not None:
            self._assigned.add(text_of(name))
            if any(value.type not in ("number", "brace_expression") for value in node.children_by_field_name("value")):
                self._not_numbers.add(text_of(name))

    def _command(self, node: "Node") -> None:
        name = node.child_by_field_name("name")
        if name is None or text_of(name) not in ASSIGNING | {"unset"}:
            return
        for argument in node.children_by_field_name("argument"):
            self._not_numbers.update(_NAME.findall(text_of(argument)))

    def _evaluate(self, node: "Node") -> None:
        """Collect the names in an arithmetic expression. Substitutions in it are commands, and give anything."""
        for child in node.children:
            if child.type in ("do_group", "compound_statement") or (
                node.type == "expansion" and child == node.children[1]
            ):
                continue
            if child.type in ("variable_name", "special_variable_name", "word"):
                self._used.add(text_of(child))
            elif child.type in _OPERATIONS or child.type in ("simple_expansion", "variable_assignment"):
                self._evaluate(child)
            elif child.type == "expansion":
                self._evaluate_expansion(child)
            elif child.is_named and child.type not in ("number", "arithmetic_expansion", "test_operator", "subscript"):
                raise NotUnderstood("it calculates with something that may not be a number")

    def _evaluate_expansion(self, node: "Node") -> None:
        if [child.type for child in node.children[1:2]] != ["#"]:
            raise NotUnderstood("it calculates with something that may not be a number")

    def _compare(self, node: "Node") -> None:
        """`[[ a -eq b ]]` calculates; `[ a -eq b ]` does not, but takes operators from what variables hold."""
        if node.children and node.children[0].type != "[[":
            return check_test([_operand(part) for part in _parts(node.children[1:-1])])
        waiting = list(node.children)
        while waiting:
            child = waiting.pop()
            operators = {text_of(part) for part in child.children if part.type == "test_operator"}
            if "-v" in operators:
                raise NotUnderstood("it tests a variable by its name")
            if operators & set(_COMPARING):
                self._evaluate(child)
            elif child.type in _OPERATIONS:
                waiting += child.children
        return None

    def _index(self, array: "Node") -> None:
        """`([x]=1)`: the index is calculated, but for an array that is declared as one of names."""
        declared = array.parent.parent if array.parent is not None else None
        has_names = declared is not None and any(text_of(part) == "-A" for part in declared.children)
        for child in array.children:
            if not text_of(child).startswith("["):
                continue
            index = re.match(r"\[([\w.-]+|\"[\w .-]+\"|'[\w .-]+')\]", text_of(child))
            if index is None:
                raise NotUnderstood("it has an unusual index")
            if not has_names and not index[1].isdigit():
                self._used.add(index[1])

    def _evaluate_index(self, node: "Node") -> None:
        for child in node.children[1:]:
            if child.type == "word" and text_of(child) in ("@", "*"):
                continue
            if child.type in ("word", "variable_name"):
                self._used.add(text_of(child))
            elif child.type == "simple_expansion":
                self._evaluate(child)
            elif child.type in ("string", "raw_string") and not re.fullmatch(r"[\w\"'.-]+", text_of(child)):
                raise NotUnderstood("it has an unusual index")
            elif child.is_named and child.type not in ("number", "string", "raw_string"):
                raise NotUnderstood("it has an index that may not be a number")


def _parts(children: "Sequence[Node]") -> "Iterator[Node]":
    """The operands and operators of a test, in the order in which they stand."""
    for child in children:
        if child.type in _OPERATIONS:
            yield from _parts(child.children)
        else:
            yield child


def _operand(node: "Node") -> Word:
    return word_of(node) if node.is_named and node.type != "test_operator" else literal(text_of(node))


def may_be_evaluated(text: str) -> bool:
    """An index with a substitution in it, which arithmetic runs wherever it meets that text."""
    _, index, rest = text.partition("[")
    return bool(index) and ("$(" in rest or "`" in rest)
