"""A lenient parser of JSON and Python literals: what a model meant by text that `json.loads` refuses.

It closes what was left open, takes single and full-width quotes, Python's words, comments, trailing commas, unquoted
keys and unescaped quotes. It makes nothing up: what has more than one reading is refused.
"""

import math
import re
from typing import Any

from .value_end import CLOSES, CLOSING, OPENS, QUOTED, QUOTES, key_stands, opens_json, string_ends

MAX_NESTING = 100


class Unreadable(ValueError):
    """The text is not one value, even when read kindly."""


class LenientParser:
    """Reads one text. `cut` says that it ended in the middle of a value."""

    def __init__(self, text: str, *, bare_values: bool = False) -> None:
        self.cut = False
        self._text = text
        self._at = 0
        self._open: list[str] = []
        self._bare_values = bare_values

    def value(self) -> Any:
        """The one value that is the whole text; closing brackets too many are passed over."""
        value = self._value()
        if not self.cut:
            self._skip(_REST)
        if self._at < len(self._text):
            raise Unreadable("there is more behind the value")
        return value

    def arguments(self) -> tuple[list[Any], dict[str, Any]]:
        """The inside of a Python call's brackets: positional and named arguments."""
        positional: list[Any] = []
        named: dict[str, Any] = {}
        self._open.append("(")
        while self._filler():
            name = _KEYWORD.match(self._text, self._at)
            if name:
                self._at = name.end()
                _put(named, name.group(1), self._value())
            elif named:
                raise Unreadable("a positional argument stands behind a named one")
            else:
                positional.append(self._value())
            self._separated(")")
        return positional, named

    def _value(self) -> Any:
        char = self._space()
        if char in OPENS:
            kind = OPENS[char]
            is_object = kind == "{" and not _SET.match(self._text, self._at)
            return self._nested(kind, self._object if is_object else self._array)
        if char in CLOSING:
            return self._string(key=False)
        return self._scalar()

    def _nested(self, kind: str, read: Any) -> Any:
        if len(self._open) > MAX_NESTING:
            raise Unreadable("it is nested too deep")
        self._at += 1
        self._open.append(kind)
        value = read()
        self._open.pop()
        return value

    def _object(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while True:
            char = self._filler()
            if not char:
                self.cut = True
                return members
            if char in "}｝":
                self._at += 1
                return members
            if char in "]］)":
                # A bracket of the values around this one: its own was forgotten.
                return members
            key = self._key()
            if key is None:
                return members
            _put(members, key, self._value())
            if self.cut:
                return members
            # A comma that is missing before a key can only have been forgotten.
            if self._space() not in CLOSING or not key_stands(self._text, self._at):
                self._separated("}｝]］)")

    def _key(self) -> str | None:
        """A key and its colon; None where the text ends before the value."""
        char = self._text[self._at]
        if char in CLOSING:
            key = self._string(key=True)
        else:
            found = _WORD.match(self._text, self._at)
            if not found:
                raise Unreadable(f"a key is missing before {self._text[self._at : self._at + 20]!r}")
            key, self._at = found.group(), found.end()
        colon = self._space()
        if not colon or self.cut:
            self.cut = True
            return None
        if colon not in ":：=":
            raise Unreadable(f"a colon is missing behind {key[:40]!r}")
        self._at += 1
        if not self._space():
            self.cut = True
            return None
        return key

    def _array(self) -> list[Any]:
        items: list[Any] = []
        while True:
            char = self._filler()
            if not char:
                self.cut = True
                return items
            if char in _ARRAY_ENDS[self._open[-1]]:
                self._at += 1
                return items
            if char in CLOSES:
                return items
            items.append(self._value())
            if self.cut:
                return items
            self._separated("]］)}｝")

    def _separated(self, closers: str) -> None:
        """Two values side by side have no plain reading."""
        char = self._space()
        if char and char not in ",，" and char not in closers:
            raise Unreadable(f"a comma is missing before {self._text[self._at : self._at + 20]!r}")

    def _scalar(self) -> Any:
        found = (_BARE if self._bare_values else _SCALAR).match(self._text, self._at)
        word = found.group().rstrip() if found else ""
        if not found or not word:
            raise Unreadable(f"a value is missing before {self._text[self._at : self._at + 20]!r}")
        self._at = found.end()
        if word in _WORDS:
            return _WORDS[word]
        if _INTEGER.fullmatch(word):
            return int(word)
        if _FLOAT.fullmatch(word) and math.isfinite(float(word)):
            return float(word)
        if self._at == len(self._text):
            likely = {_WORDS[full] for full in _WORDS if full.startswith(word)}
            if len(likely) == 1:
                self.cut = True
                return likely.pop()
        if self._bare_values or _LEADING_ZEROS.fullmatch(word):
            # Digits behind a zero may be a number or a code: as text they keep the zero, and the schema decides.
            return word
        raise Unreadable(f"{word[:40]!r} is not a value")

    def _string(self, *, key: bool) -> str:
        quote, start = self._text[self._at], self._at + 1
        if quote in "\"'" and not key:
            if self._text.startswith(quote * 3, self._at):
                return self._long_string(quote * 3)
            if opens_json(self._text, self._at, True):
                return self._quoted_json()
        inside = _INSIDE[CLOSING[quote]]
        at, doubt = start, False
        while found := inside.search(self._text, at):
            at = found.end()
            if found.group() == "\\":
                at += 1
            elif self._string_ends(at, key, doubt):
                self._at = at
                return unescaped(_sound(self._text[start : at - 1], CLOSING[quote]))
            else:
                doubt = True
        return self._cut_string(start)

    def _string_ends(self, at: int, key: bool, doubt: bool) -> bool | None:
        if not self._open and not key:
            return _ALONE.match(self._text, at) is not None
        return string_ends(self._text, at, "".join(self._open), key=key, doubt=doubt, ended=True)

    def _quoted_json(self) -> str:
        """JSON in quotes whose own quotes were not escaped: its text, as it stands."""
        start = self._at + 1
        self._at = start
        self._open.append(QUOTED)
        self._value()
        self._open.pop()
        text = self._text[start : self._at]
        if not self.cut:
            if self._space() not in QUOTES:
                raise Unreadable("quotes are missing or not escaped")
            self._at += 1
        return text

    def _long_string(self, quotes: str) -> str:
        start = self._at + 3
        end = self._text.find(quotes, start)
        while end > 0 and _ODD_BACKSLASHES.search(self._text, start, end):
            end = self._text.find(quotes, end + 1)
        if end < 0:
            return self._cut_string(start)
        self._at = end + 3
        return unescaped(self._text[start:end])

    def _cut_string(self, start: int) -> str:
        """The string goes on to the end: it was cut, or only its quote was forgotten before the last brackets."""
        text = self._text[start:]
        if self._text[start - 1] in text:
            raise Unreadable("a string does not end, and holds quotes")
        closers = "".join(_CLOSERS[kind] for kind in reversed(self._open))
        body = text.rstrip().rstrip("}])")
        if closers and text[len(body) :].startswith(closers):
            self._at = start + len(body)
            return unescaped(body)
        self.cut = True
        self._at = len(self._text)
        return unescaped(_HALF_ESCAPE.sub("", text))

    def _space(self) -> str:
        return self._skip(_SPACE)

    def _filler(self) -> str:
        return self._skip(_FILLER)

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._text[self._at : self._at + 1]


def _sound(text: str, closing: str) -> str:
    """Quotes in a string may have been forgotten to escape; but not where they look like those of the next key."""
    depth = 0
    for found in _LIKE_KEYS[closing].finditer(text) if any(quote in text for quote in closing) else ():
        depth = max(depth + {"{": 1, "}": -1}.get(found.group(), 0), 0)
        if depth == 0 and found.group() not in "{}":
            raise Unreadable("quotes are missing or not escaped")
    return text


def unescaped(text: str) -> str:
    """Resolve JSON's and Python's escapes; one that is neither stays as it is, as in a regular expression."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_unescape, text)


def _unescape(found: re.Match[str]) -> str:
    high, low, code, char = found.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    if code:
        return chr(int(code[1:], 16))
    return _ESCAPES.get(char, f"\\{char}")


def _put(members: dict[str, Any], key: str, value: Any) -> None:
    if key in members and members[key] != value:
        raise Unreadable(f"{key[:40]!r} is given twice")
    members[key] = value


_CLOSERS = {"{": "}", "[": "]", "(": ")", QUOTED: QUOTED}
_COMMENT = r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)|\#[^\n]*"
_SPACE = re.compile(rf"(?:\s+|{_COMMENT})*")
_FILLER = re.compile(rf"(?:[\s,，]+|{_COMMENT})*")
_REST = re.compile(rf"(?:[\s,;}}\])]+|{_COMMENT})*")
_WORD = re.compile(r"[\w$][\w$.\-]*")
_KEYWORD = re.compile(r"([^\W\d]\w*)\s*=(?!=)\s*")
_SCALAR = re.compile(r"[\w.+\-]+")
_BARE = re.compile(r"[^,，{}\[\]｛｝\"\n]+")
# A Python set: its first value is followed by a comma or the end, where a key would have its colon.
_SET = re.compile(r"""[{｛]\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|[+-]?\d[\d.]*)\s*[,，}｝]""")
# A bracket that is the wrong one closes a list too; a set is closed by its own alone.
_ARRAY_ENDS = {"[": "]］)", "{": "}｝", "(": "]］)"}
_LEADING_ZEROS = re.compile(r"[+-]?0\d+(?:\.\d*)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?(?:0|[1-9]\d{0,4000})", re.ASCII)
_FLOAT = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
    "TRUE": True,
    "FALSE": False,
    "undefined": None,
    "NaN": None,
    "nan": None,
}
_INSIDE = {closing: re.compile(rf"[{closing}\\]") for closing in CLOSING.values()}
_LIKE_KEYS = {
    closing: re.compile(rf"[{{}}]|(?:[,，]|\n)\s*[{closing}][^{closing}\\\n]{{1,200}}[{closing}]\s*[:：]")
    for closing in CLOSING.values()
}
_ALONE = re.compile(r"\s*[;}\]]*\s*\Z")
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|"
    r"(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|(.))",
    re.DOTALL,
)
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "b": "\b",
    "f": "\f",
    '"': '"',
    "'": "'",
    "\\": "\\",
    "/": "/",
    "\n": "",
}
_ODD_BACKSLASHES = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?)?\Z")
