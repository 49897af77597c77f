"""A small reader of llama.cpp's grammars: does a text fit one, and what texts does one allow?"""

import re
from functools import cache
from random import Random
from typing import Any

Node = tuple[Any, ...]

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|\{\d+(?:,\d*)?\}|[\w-]+|[()|*+?])')
_CHAR = re.compile(r"\\x([0-9A-Fa-f]{2})|\\(.)|(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_REPEATS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
# What a class that excludes some characters is sampled from.
_SOME = 'abz 059_-.,:;{}[]<>/|\\"\n\téß中😀'


class Gbnf:
    """One grammar. Left recursion would never end here; llama.cpp refuses it."""

    def __init__(self, text: str) -> None:
        lines = [line.partition(" ::= ") for line in text.strip().split("\n")]
        self._rules = {name: _parsed(body) for name, _, body in lines}
        self._ends: dict[tuple[Any, int], set[int]] = {}
        self._depths: dict[str, float] = {}

    def accepts(self, text: str) -> bool:
        self._ends.clear()
        return len(text) in self._match(("ref", "root"), text, 0)

    def sample(self, random: Random, depth: int = 12) -> str:
        """Some text that the grammar allows; beyond `depth` rules inside each other, what ends soonest."""
        known: dict[str, float] = {}
        self._depths = dict.fromkeys(self._rules, float("inf"))
        while known != self._depths:
            known, self._depths = self._depths, {name: self._depth(node) for name, node in self._rules.items()}
        return self._sample(("ref", "root"), random, depth)

    def _match(self, node: Node, text: str, at: int) -> set[int]:
        key = (node[1] if node[0] == "ref" else id(node), at)
        if key not in self._ends:
            self._ends[key] = self._match_new(node, text, at)
        return self._ends[key]

    def _match_new(self, node: Node, text: str, at: int) -> set[int]:
        match node:
            case ("ref", name):
                return self._match(self._rules[name], text, at)
            case ("alt", nodes):
                return {end for one in nodes for end in self._match(one, text, at)}
            case ("row", nodes):
                ends = {at}
                for one in nodes:
                    ends = {end for place in ends for end in self._match(one, text, place)}
                return ends
            case ("text", wanted):
                return {at + len(wanted)} if text.startswith(wanted, at) else set()
            case ("class", without, ranges):
                fits = at < len(text) and any(low <= text[at] <= high for low, high in ranges) != without
                return {at + 1} if fits else set()
            case ("repeat", one, low, high):
                return self._match_repeat(one, low, high, text, at)
        raise AssertionError(node)

    def _match_repeat(self, one: Node, low: int, high: int | None, text: str, at: int) -> set[int]:
        reached, ends, count = {at}, {at} if not low else set[int](), 0
        while reached and count != high:
            count += 1
            reached = {end for place in reached for end in self._match(one, text, place)} - ends
            ends |= reached if count >= low else set()
        return ends

    def _sample(self, node: Node, random: Random, depth: int) -> str:
        match node:
            case ("ref", name):
                return self._sample(self._rules[name], random, depth - 1)
            case ("alt", nodes):
                soonest = min(map(self._depth, nodes))
                some = nodes if depth > 0 else [one for one in nodes if self._depth(one) == soonest]
                return self._sample(random.choice(some), random, depth)
            case ("row", nodes):
                return "".join(self._sample(one, random, depth) for one in nodes)
            case ("text", wanted):
                return wanted
            case ("class", without, ranges):
                if not without:
                    low, high = random.choice(ranges)
                    return chr(random.randint(ord(low), ord(high)))
                return random.choice([c for c in _SOME if not any(low <= c <= high for low, high in ranges)])
            case ("repeat", one, low, high):
                most = min(low + 3, low + 3 if high is None else high) if depth > 0 else low
                return "".join(self._sample(one, random, depth) for _ in range(random.randint(low, most)))
        raise AssertionError(node)

    def _depth(self, node: Node) -> float:
        """How many rules stand inside each other, at least, in what the node allows."""
        match node:
            case ("ref", name):
                return 1 + self._depths[name]
            case ("alt", nodes):
                return min(map(self._depth, nodes))
            case ("row", nodes):
                return max(map(self._depth, nodes), default=0)
            case ("repeat", one, low, _):
                return self._depth(one) if low else 0
            case _:
                return 0


@cache
def _parsed(body: str) -> Node:
    return _Parser(body).alternatives()


class _Parser:
    def __init__(self, body: str) -> None:
        self._tokens = _TOKEN.findall(body)
        assert re.sub(r"\s", "", body) == re.sub(r"\s", "", "".join(self._tokens)), body

    def alternatives(self) -> Node:
        rows = [self._row()]
        while self._tokens and self._tokens[0] == "|":
            self._tokens.pop(0)
            rows.append(self._row())
        return ("alt", rows)

    def _row(self) -> Node:
        nodes: list[Node] = []
        while self._tokens and self._tokens[0] not in "|)":
            token = self._tokens.pop(0)
            if token == "(":
                nodes.append(self.alternatives())
                assert self._tokens.pop(0) == ")"
            elif token in _REPEATS:
                nodes.append(("repeat", nodes.pop(), *_REPEATS[token]))
            elif token[0] == "{":
                low, comma, high = token[1:-1].partition(",")
                nodes.append(("repeat", nodes.pop(), int(low), int(high) if high else None if comma else int(low)))
            elif token[0] == '"':
                nodes.append(("text", "".join(_chars(token[1:-1]))))
            elif token[0] == "[":
                nodes.append(_class(token[1:-1]))
            else:
                nodes.append(("ref", token))
        return ("row", nodes)


def _class(inside: str) -> Node:
    without = inside.startswith("^")
    chars = _chars(inside[without:], dash=True)
    ranges: list[tuple[str, str]] = []
    while chars:
        low = chars.pop(0)
        if len(chars) > 1 and chars[0] == "":
            chars.pop(0)
            ranges.append((low, chars.pop(0)))
        else:
            ranges.append((low or "-", low or "-"))
    return ("class", without, ranges)


def _chars(text: str, dash: bool = False) -> list[str]:
    """The characters of a literal. In a class, a dash that is not escaped is ""."""
    found = _CHAR.findall(text)
    plain = [char if not (dash and char == "-") else "" for _, _, char in found]
    return [
        chr(int(code, 16)) if code else _ESCAPED.get(escaped, escaped) or char
        for (code, escaped, _), char in zip(found, plain, strict=True)
    ]
