"""Parse a shell script into a syntax tree, and check whether that tree can be believed.

The grammar is not the shell: where the two may differ, the script counts as not understood. So every kind of node has
to be known, every byte has to belong to a token, and no token may hold what a shell would still act on.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from toolpost.extras import missing_text
from toolpost.guard.word_sets import names
from toolpost.types.errors import ToolpostError

from .words import text_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_DEPTH = 200

KNOWN = names("""
    program list pipeline subshell compound_statement command command_name negated_command redirected_statement
    file_redirect heredoc_redirect heredoc_start heredoc_body heredoc_content heredoc_end herestring_redirect
    if_statement elif_clause else_clause while_statement for_statement c_style_for_statement do_group
    case_statement case_item function_definition declaration_command unset_command test_command
    variable_assignment variable_assignments variable_name special_variable_name subscript array string
    string_content raw_string ansi_c_string translated_string concatenation word number simple_expansion expansion
    command_substitution process_substitution arithmetic_expansion binary_expression unary_expression
    postfix_expression parenthesized_expression ternary_expression test_operator regex extglob_pattern comment
    file_descriptor brace_expression
""")
TOKENS = re.compile(
    r"""
    [;&|(){}\[\]<>=!?:,+*/%^~@\#$`"-]+ | \$' | \[\[ | \]\] | -[a-z]+ | [A-Za-z]
    | if | then | else | elif | fi | for | while | until | do | done | case | in | esac | function | select
    | declare | typeset | export | readonly | local | unset | unsetenv | time | \\n | \n | \$\(\( | \)\)
    """,
    re.VERBOSE,
)
_GAP = re.compile(r"(?:[ \t\n]|(?<=[ \t\n])\\\n|\\\n(?=[ \t\n]))*")
_ACTIVE = re.compile(r"(?<!\\)(?:\\\\)*(?:`|\$[({\[])")
_PLAIN_WORD = re.compile(r"(?:\\.|[^\s;&|()<>`$\"'\\])+", re.DOTALL)
_FAR = re.compile(r"[^\x00-\xff]")
# Letters to every shell, by their size in UTF-8. The second is beyond the table too, but not far.
_STAND_INS = {2: "é", 3: "\u0800", 4: "éé"}
_WITHIN = frozenset(bytes([byte]) for byte in range(0x80, 0xC0))
_DELIMITER = re.compile(r"""(['"]?)([A-Za-z0-9_]+)\1""")


class GrammarMissing(ToolpostError):
    """No script can be judged: the shell's grammar is not installed. The text says how to get it."""


class NotUnderstood(Exception):
    """Says why a script can't be judged."""


def parse(script: str) -> "tuple[Node, NotUnderstood | None]":
    """The root of the tree, and why it can't be believed, if it can't."""
    source = script.encode(errors="surrogatepass")
    root = _root(script, source)
    try:
        _check(script, source, root)
    except NotUnderstood as failure:
        return root, failure
    return root, None


def nodes(root: "Node") -> "Iterator[Node]":
    """Every node, in the order in which they stand."""
    return (node for node, _ in _walk(root))


def _root(script: str, source: bytes) -> "Node":
    """The scanner of the grammar looks a character up in a table of 256, wherever that ends up: some end the process
    (tree-sitter-bash issue 337). So it reads others of the same size, and the nodes then find the script itself."""
    read = bytearray(_FAR.sub(_stand_in, script), "utf-8")
    root = _parser().parse(read).root_node
    read[:] = source
    return root


def require_grammar() -> None:
    """Raise `GrammarMissing` unless scripts can be judged here."""
    _parser()


def _stand_in(found: re.Match[str]) -> str:
    return _STAND_INS[len(found[0].encode(errors="surrogatepass"))]


@cache
def _parser() -> "Parser":
    try:
        # Imported here: the start of the program should not pay for it.
        import tree_sitter
        import tree_sitter_bash
    except ImportError:
        raise GrammarMissing(missing_text("code", "running a command")) from None
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def _walk(root: "Node") -> "Iterator[tuple[Node, int]]":
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in reversed(node.children)]


def _check(script: str, source: bytes, root: "Node") -> None:
    _check_characters(script)
    leaves: list[Node] = []
    body_end = 0
    for node, depth in _walk(root):
        if depth > MAX_DEPTH:
            raise NotUnderstood("it is nested too deep")
        _check_node(node, source)
        if node.type == "heredoc_body":
            body_end = node.end_byte
            leaves.append(node)
        elif node.child_count == 0 and node.start_byte >= body_end:
            leaves.append(node)
    _check_gaps(source, leaves)


def _check_characters(script: str) -> None:
    for char in script:
        if char in " \t\n" or "!" <= char <= "~":
            continue
        if unicodedata.category(char)[0] in "CZ":
            raise NotUnderstood(f"it holds the unusual character U+{ord(char):04X}")


def _check_node(node: "Node", script: bytes) -> None:
    if node.is_error or node.is_missing:
        raise NotUnderstood("it is not valid shell syntax, or too unusual")
    if node.is_named and node.type not in KNOWN:
        raise NotUnderstood(f"it uses {node.type.replace('_', ' ')}")
    source = text_of(node)
    match node.type:
        case "word" if node.child_count == 0:
            if not _PLAIN_WORD.fullmatch(source) or source.startswith("#"):
                raise NotUnderstood(f"the word {source!r} is unusual")
        case "string_content" | "heredoc_content" | "regex" | "extglob_pattern" if _ACTIVE.search(source):
            raise NotUnderstood("it hides a substitution")
        case "raw_string" if "'" in source[1:-1]:
            raise NotUnderstood("its quotes are unusual")
        case "command":
            _check_one_line(node)
        case "heredoc_redirect":
            _check_heredoc(node, script)
        case "command_substitution" if source.startswith("`") and "\\" in source:
            raise NotUnderstood("it has escapes inside backticks")
        case "comment":
            if node.start_byte and script[node.start_byte - 1] not in b" \t\n;&|()":
                raise NotUnderstood("it may hold something that only looks like a comment")
        case _ if (
            not node.is_named and node.child_count == 0 and not TOKENS.fullmatch(source.strip()) and source.strip()
        ):
            raise NotUnderstood(f"{source!r} is unusual")
        case _:
            pass


def _check_one_line(command: "Node") -> None:
    """No newline between the words of a command, but for one that is escaped."""
    whole = command.text or b""
    for one, other in zip(command.children, command.children[1:], strict=False):
        gap = whole[one.end_byte - command.start_byte : other.start_byte - command.start_byte]
        if b"\n" in gap.replace(b"\\\n", b"") and one.type != "heredoc_redirect":
            raise NotUnderstood("a command goes over several lines")


def _check_heredoc(node: "Node", script: bytes) -> None:
    """The text ends where a shell ends it: at the first line that is the delimiter."""
    parts = {child.type: child for child in node.children}
    start, end = parts.get("heredoc_start"), parts.get("heredoc_end")
    delimiter = _DELIMITER.fullmatch(text_of(start)) if start else None
    if start is None or end is None or delimiter is None or sum(c.type == "heredoc_start" for c in node.children) != 1:
        raise NotUnderstood("its here-document is unusual")
    body = parts.get("heredoc_body")
    if body is not None and not delimiter[1] and _ACTIVE.search(_plain_text(body)):
        raise NotUnderstood("its here-document hides a substitution")
    begin = script.find(b"\n", start.end_byte) + 1
    while begin:
        stop = script.find(b"\n", begin)
        line = script[begin:stop] if stop >= 0 else script[begin:]
        if "<<-" in parts:
            line = line.lstrip(b"\t")
        if line == delimiter[2].encode():
            if end.start_byte == (stop if stop >= 0 else len(script)) - len(line):
                return
            break
        begin = stop + 1
    raise NotUnderstood("its here-document ends in an unusual place")


def _plain_text(body: "Node") -> str:
    """What stands between the substitutions of a here-document."""
    whole, at, kept = body.text or b"", body.start_byte, b""
    for child in body.children:
        if child.type != "heredoc_content":
            kept += whole[at - body.start_byte : child.start_byte - body.start_byte] + b" "
            at = child.end_byte
    return (kept + whole[at - body.start_byte :]).decode(errors="replace")


def _check_gaps(source: bytes, leaves: "list[Node]") -> None:
    at = 0
    for leaf in sorted(leaves, key=lambda leaf: (leaf.start_byte, leaf.end_byte)):
        # Half of a character, where a stand-in was taken for two.
        is_cut = source[leaf.start_byte : leaf.start_byte + 1] in _WITHIN
        if is_cut or leaf.start_byte < at or not _GAP.fullmatch(source[at : leaf.start_byte].decode(errors="replace")):
            raise NotUnderstood("part of it is not understood")
        at = leaf.end_byte
    if not _GAP.fullmatch(source[at:].decode(errors="replace")):
        raise NotUnderstood("part of it is not understood")
