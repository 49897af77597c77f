"""Expand the words of a shell command as a shell will, where that can be known before it runs."""

import re
import shlex
from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.guard.word_sets import names

if TYPE_CHECKING:
    from tree_sitter import Node

# A shell, or the loader of programs, acts on the value of these by itself.
ACTED_ON = re.compile(r"BASH_.*|BASHOPTS|CDPATH|ENV|LD_.*|PROMPT_COMMAND|PS[0-4]|SHELLOPTS")

# Expansions that are a number, which nothing splits.
_NUMBERS = frozenset({"$?", "$#", "$$", "$!"})
# Nodes that stand for one word each, where they do not split.
_ONE = names("""
    ansi_c_string arithmetic_expansion process_substitution simple_expansion string translated_string
""")
_GLOB = re.compile(r"[*?\[]")
_ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
_ESCAPED_IN_QUOTES = re.compile(r'\\([\n"\\$`])')


class Word(Struct, frozen=True):
    """One word. Literal: `text` is what the command gets, without quotes. Else `text` is how it was written.

    `at_home` is said of a word that is literal but for a leading `~/`. `several`: it may become more words than one, or
    none. `splits`: it may do so with words of any text, such as options; those that a pattern or braces make all begin
    as the word does.
    """

    text: str
    literal: bool
    at_home: bool = False
    several: bool = False
    splits: bool = False

    @property
    def shown(self) -> str:
        """As it stands in a pattern: `rm "a"` and `rm a` are the same, `rm "a b"` and `rm a b` are not."""
        return shlex.quote(self.text) if self.literal else self.text

    @property
    def path(self) -> str | None:
        """The word as a path, where it can be known."""
        if self.at_home:
            return self.text
        if not self.literal or not self.text:
            return None
        # A quoted tilde is a name like any other.
        return f"./{self.text}" if self.text.startswith("~") else self.text


def literal(text: str) -> Word:
    return Word(text, True)


def unknown(text: str) -> Word:
    """A word that may become any words at all."""
    return Word(text, False, several=True, splits=True)


def word_of(node: "Node") -> Word:
    """The word that a node of the syntax tree stands for."""
    source = text_of(node)
    value = _value(node)
    if value is None or _has_braces(node):
        splits = _splits(node)
        return Word(source, False, several=splits or not _is_one(node), splits=splits)
    if node.type in ("word", "concatenation") and source.startswith("~"):
        return Word(value, False, at_home=value == "~" or value.startswith("~/"))
    return literal(value)


def text_of(node: "Node") -> str:
    # A tree that can't be believed may cut a character in two.
    return (node.text or b"").decode(errors="replace")


def _value(node: "Node") -> str | None:
    """The text after quotes are taken off; None where something is expanded."""
    source = text_of(node)
    match node.type:
        case "word" | "number" | "variable_name":
            return _bare(source)
        case "raw_string":
            return source[1:-1]
        case "string":
            if any(child.type not in ('"', "string_content") for child in node.children):
                return None
            return _ESCAPED_IN_QUOTES.sub(lambda match: match[1].strip("\n"), source[1:-1])
        case "concatenation":
            parts = [_value(child) for child in node.children]
            return None if None in parts else "".join(part for part in parts if part)
        case "command_name":
            return _value(node.children[0]) if node.child_count == 1 and not _has_braces(node.children[0]) else None
        case _:
            return None


def _splits(node: "Node") -> bool:
    """True if something expanded in it is split into words: outside of quotes, or each word of a list even inside."""
    match node.type:
        case "concatenation" | "command_name" | "brace_expression":
            return any(map(_splits, node.children))
        case "string" | "translated_string":
            return any(_is_list(child) for child in node.children)
        case "simple_expansion":
            return text_of(node) not in _NUMBERS
        case "expansion" | "command_substitution":
            return True
        case _:
            return False


def _is_list(node: "Node") -> bool:
    """True for `$@`, `${x[@]}` and their like. A substitution in quotes stays one word, whatever is in it."""
    return node.type in ("simple_expansion", "expansion", "string") and "@" in text_of(node)


def _is_one(node: "Node") -> bool:
    """True if no pattern and no braces may make several words of it."""
    parts = node.children if node.type in ("concatenation", "command_name") else [node]
    return not _has_braces(node) and all(part.type in _ONE or _value(part) is not None for part in parts)


def _has_braces(node: "Node") -> bool:
    """Braces make several words of one, except for an empty pair."""
    parts = node.children if node.type in ("concatenation", "command_name") else [node]
    bare = "".join(_ESCAPED.sub("", text_of(part)) if part.type == "word" else "'" for part in parts)
    return bool(re.search("[{}]", bare.replace("{}", "")))


def _bare(source: str) -> str | None:
    if _GLOB.search(_ESCAPED.sub("", source)):
        return None
    return _ESCAPED.sub(lambda match: match[1].strip("\n"), source)
