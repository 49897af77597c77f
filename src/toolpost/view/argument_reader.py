"""Read the arguments of a call while the model still writes them, to show a command or a file as it grows."""

import re
from collections.abc import Mapping

from .growing_text import GrowingText

_PLAIN = re.compile(r'[^"\\]+')
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_SPECIAL = re.compile(r'["\\{}\[\],]')
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)


class ArgumentReader:
    """Give it what is new of a call's `raw`: each character is looked at once.

    `fields` has what there is of each argument by name: a text as it will be, anything else as JSON. What is no JSON
    object has none; it is never an error.
    """

    def __init__(self) -> None:
        self._fields: dict[str, GrowingText] = {}
        self._read = self._between
        self._rest = ""
        self._high = ""
        self._name = GrowingText()
        self._value = GrowingText()
        self._depth = 0
        self._is_value_next = False
        self._is_quoted = False

    @property
    def fields(self) -> Mapping[str, GrowingText]:
        return self._fields

    def feed(self, text: str) -> None:
        text, self._rest = self._rest + text, ""
        at = 0
        while 0 <= at < len(text):
            at = self._read(text, at)
        if at < 0:
            self._rest = text[-at - 1 :]

    def _between(self, text: str, at: int) -> int:
        """Braces, commas and colons of the object itself, up to the next name or value."""
        char = text[at]
        if char == '"':
            self._read = self._text_value if self._is_value_next else self._field_name
            if self._is_value_next:
                self._begin_value()
            else:
                self._name = GrowingText()
        elif char == ":":
            self._is_value_next = True
        elif self._is_value_next and not char.isspace():
            self._begin_value()
            self._depth, self._is_quoted, self._read = 0, False, self._json_value
            return at
        return at + 1

    def _begin_value(self) -> None:
        self._value = self._fields[str(self._name)] = GrowingText()
        self._is_value_next = False

    def _field_name(self, text: str, at: int) -> int:
        return self._string(text, at, self._name)

    def _text_value(self, text: str, at: int) -> int:
        return self._string(text, at, self._value)

    def _string(self, text: str, at: int, into: GrowingText) -> int:
        """Read on in a string; a negative number says from where on it has to wait for more."""
        if plain := _PLAIN.match(text, at):
            self._add("", into)
            into.add(plain[0])
            return plain.end()
        if text[at] == '"':
            self._add("", into)
            self._read = self._between
            return at + 1
        size = 6 if text[at + 1 : at + 2] == "u" else 2
        if at + size > len(text):
            return -at - 1
        self._add(_unescaped(text[at : at + size]), into)
        return at + size

    def _add(self, char: str, into: GrowingText) -> None:
        """Add a character; one that is written as two halves once both are there."""
        whole = _joined(self._high, char)
        if whole:
            self._high = ""
            into.add(whole)
            return
        if self._high:
            into.add("\ufffd")
            self._high = ""
        if char and ord(char) in _HIGH:
            self._high = char
        elif char:
            into.add("\ufffd" if ord(char) in _LOW else char)

    def _json_value(self, text: str, at: int) -> int:
        """A number, a list, an object: its text up to the comma or brace that ends it."""
        found = _SPECIAL.search(text, at)
        end = found.start() if found else len(text)
        if end > at:
            self._value.add(text[at:end])
        if found is None:
            return end
        mark = found[0]
        if self._is_quoted:
            if mark == "\\" and end + 1 == len(text):
                return -end - 1
            self._is_quoted = mark != '"'
            size = 2 if mark == "\\" else 1
            self._value.add(text[end : end + size])
            return end + size
        if not self._depth and mark in ",}":
            self._read = self._between
            return end + 1
        self._is_quoted = mark == '"'
        self._depth += (mark in "{[") - (mark in "}]")
        self._value.add(mark)
        return end + 1


def _unescaped(escape: str) -> str:
    if len(escape) == 2:
        return _ESCAPES.get(escape[1], escape[1])
    try:
        return chr(int(escape[2:], 16))
    except ValueError:
        return "\ufffd"


def _joined(high: str, low: str) -> str:
    """The character that two halves make."""
    if not high or not low or ord(low) not in _LOW:
        return ""
    return chr(0x10000 + ((ord(high) - 0xD800) << 10) + ord(low) - 0xDC00)
