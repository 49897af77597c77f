"""Write grammars in GBNF, the language of llama.cpp: named rules, and the basic ones that all of them may use.

White space and digits are bounded, because a small model may never stop writing blanks or threes.
"""

import re

_BASE = {
    "ws": r'| " " | "\n" [ \t]{0,20}',
    "gap": r"[ \t\r\n]{0,4}",
    "hex": "[0-9a-fA-F]",
    # Half a surrogate pair is valid JSON, but no text.
    "unicode": r"[0-9a-cA-CefEF] hex{3} | [dD] [0-7] hex{2} | [dD] [89abAB] hex{2} "
    r'"\\u" [dD] [c-fC-F] hex{2}',
    "char": r'[^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" unicode)',
    "string": r'"\"" char* "\""',
    "natural": '"0" | [1-9] [0-9]{0,18}',
    "integer": '"-"? natural',
    # An exponent beyond these would be read as infinity.
    "exponent": '"-" [0-9]{1,3} | "+"? ([0-9]{1,2} | [12] [0-9]{2} | "30" [0-7])',
    "decimal": 'natural ("." [0-9]{1,20})? | [0-9] ("." [0-9]{1,20})? [eE] exponent',
    "number": '"-"? decimal',
    "boolean": '"true" | "false"',
    "null": '"null"',
    "value": "object | array | string | number | boolean | null",
    "pair": 'string ":" ws value',
    "object": '"{" ws (pair ("," ws pair)* ws)? "}"',
    "array": '"[" ws (value ("," ws value)* ws)? "]"',
    "day": '("0" [13578] | "1" [02]) "-" ("0" [1-9] | [12] [0-9] | "3" [01]) '
    '| ("0" [469] | "11") "-" ("0" [1-9] | [12] [0-9] | "30") | "02-" ("0" [1-9] | [12] [0-9])',
    "date": '[0-9]{4} "-" day',
    "hour": '[01] [0-9] | "2" [0-3]',
    "sixty": "[0-5] [0-9]",
    "time": 'hour ":" sixty ":" sixty ("." [0-9]{1,6})? ("Z" | [-+] hour ":" sixty)?',
    "date-time": 'date "T" time',
    "uuid": 'hex{8} "-" hex{4} "-" hex{4} "-" hex{4} "-" hex{12}',
}


class Grammar:
    """Collects rules. Every schema added gets a rule of its own and shares the basic ones."""

    def __init__(self) -> None:
        self._rules = dict(_BASE)

    def define(self, hint: str, body: str) -> str:
        """Add a rule and return its name, made from `hint`."""
        name = self.reserve(hint)
        self._rules[name] = body
        return name

    def reserve(self, hint: str) -> str:
        """A name for a rule that is defined later, with `fill`."""
        name = f"{_NO_NAME.sub('-', hint)[:40].strip('-') or 'x'}-{len(self._rules)}"
        self._rules[name] = ""
        return name

    def fill(self, name: str, body: str) -> None:
        self._rules[name] = body

    def text_before(self, end: str, *, quotes: str = "") -> str:
        """The name of a rule for any text that does not hold `end`. Directly behind one of `quotes` it may hold it."""
        # A state is a set of places in `end` up to which it may have been written by now.
        start = frozenset({0})
        names = {start: self.reserve("text")}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            onward: dict[frozenset[int], str] = {}
            closed = ""
            for char in dict.fromkeys(end + quotes):
                places = {place + 1 for place in state if end[place] == char}
                after = frozenset(places if char in quotes else places | {0})
                if len(end) in after:
                    closed += char
                elif after != start:
                    onward[after] = onward.get(after, "") + char
            for after in onward:
                if after not in names:
                    names[after] = self.reserve("text")
                    waiting.append(after)
            told = closed + "".join(onward.values())
            ways = [f"[{char_class(chars)}] {names[after]}" for after, chars in onward.items()]
            self.fill(names[state], " | ".join(["", *ways, f"[^{char_class(told)}] {names[start]}"]))
        return names[start]

    def text_unlike(self, begin: str) -> str:
        """The name of a rule for any text that does not begin with `begin`, whatever white space stands before it."""
        anything = self.define("anything", r"[^\x00]*")
        states = [self.reserve("unlike") for _ in begin]
        for char, state, after in zip(begin, states, [*states[1:], ""], strict=True):
            blank = f"[{_BLANK}] {state}" if state == states[0] else ""
            onward = f"{literal(char)} {after}" if after else ""
            other = f"[^{char_class(char)}{_BLANK if blank else ''}] {anything}"
            self.fill(state, " | ".join(["", *filter(None, [blank, onward]), other]))
        return states[0]

    def checkpoint(self) -> int:
        return len(self._rules)

    def rewind(self, checkpoint: int) -> None:
        for name in list(self._rules)[checkpoint:]:
            del self._rules[name]

    def render(self, root: str) -> str:
        """The whole grammar, with `root` as what is to be written."""
        rules = {"root": root, **self._rules}
        return "".join(f"{name} ::= {body}\n" for name, body in rules.items())


def literal(text: str) -> str:
    """A text that must be written as it stands; "" for none."""
    return f'"{_escaped(text, _LITERAL)}"' if text else ""


def char_class(chars: str) -> str:
    """Characters as they stand in the brackets of a class."""
    return _escaped("".join(dict.fromkeys(chars)), _CLASS)


def _escaped(text: str, special: re.Pattern[str]) -> str:
    return special.sub(lambda found: _ESCAPES.get(found[0]) or f"\\x{ord(found[0]):02X}", text)


_BLANK = r" \t\r\n"
_NO_NAME = re.compile(r"[^a-zA-Z0-9]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "]": "\\]", "[": "\\[", "^": "\\x5E"}
_LITERAL = re.compile(r'["\\\x00-\x1F\x7F]')
_CLASS = re.compile(r"[\\\]\[^\-\x00-\x1F\x7F]")
