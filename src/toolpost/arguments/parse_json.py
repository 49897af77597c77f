"""Parse the arguments of a tool call from JSON, find where they end in a stream, and write them as canonical JSON."""

import re
from collections.abc import Sequence
from typing import Any, cast

import msgspec

MAX_NESTING = 200
_SPECIAL = re.compile(r'["\\{}\[\]]')
_IN_STRING = re.compile(r'["\\]')
_encode = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


def parse_arguments(text: str) -> tuple[dict[str, Any], str]:
    """Return (arguments, ""), or ({}, text) where the text is not one JSON object. No text is no arguments."""
    if not text.strip():
        return {}, ""
    try:
        value: Any = _decode(text)
        if isinstance(value, str):
            # Some bridges encode the arguments twice.
            value = _decode(value)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}, text
    if value is None:
        return {}, ""
    return (value, "") if isinstance(value, dict) else ({}, text)  # pyright: ignore[reportUnknownVariableType]


def _decode(text: str) -> Any:
    """Decode JSON, but none so deep that what comes after it (schemas, the store) runs out of stack."""
    if text.count("{") + text.count("[") > MAX_NESTING:
        objects = ObjectEnd()
        objects.feed(text)
        if objects.deepest > MAX_NESTING:
            raise RecursionError
    return msgspec.json.decode(text)


class ObjectEnd:
    """Finds the end of the first JSON object in a text that comes in pieces, looking at each character once."""

    __slots__ = ("_depth", "_escaped", "_in_string", "_off", "deepest", "whole")

    def __init__(self) -> None:
        self.whole = False
        self.deepest = 0
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._off = False

    def feed(self, text: str) -> int:
        """Return where in `text` the object ends, 0 if it ended before, or -1 while it goes on."""
        if self.whole:
            return 0
        if self._off:
            return -1
        position = 0
        if self._escaped:
            self._escaped, position = False, 1
        while match := (_IN_STRING if self._in_string else _SPECIAL).search(text, position):
            position = match.end()
            if self._step(match.group()):
                if position == len(text):
                    self._escaped = True
                position += 1
            if self.whole:
                return position
        if not self._depth and text.strip():
            # Not an object at all: leave it to the parser to say so.
            self._off = True
        return -1

    def _step(self, mark: str) -> bool:
        """Take one mark; return True if it escapes the next character."""
        if mark == '"':
            self._in_string = not self._in_string
        elif mark == "\\":
            return self._in_string
        elif mark in "{[":
            self._depth += 1
            self.deepest = max(self.deepest, self._depth)
        else:
            self._depth -= 1
            self.whole = self._depth == 0
        return False


def canonical(arguments: Any) -> str:
    """JSON text that is equal for equal arguments: keys sorted, no spaces, 1.0 written as 1."""
    return _encode(_normal(arguments)).decode()


def _normal(value: Any) -> Any:
    if isinstance(value, float):
        # Beyond 2**53 a float is no longer every integer near it, so it stays as it was written.
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, dict):
        return {str(key): _normal(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_normal(item) for item in cast("Sequence[Any]", value)]
    return value
