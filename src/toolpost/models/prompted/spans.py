"""Where a JSON value or a Python literal ends, in text that comes in pieces, looking at each character once.

Forgiving, because models are not strict: quotes inside a string that were not escaped, single and full-width quotes,
comments, missing brackets. What is valid JSON is always read as JSON.
"""

import re

MOST_NESTING = 400

_CLOSES = {"}": "{", "]": "[", ")": "(", "｝": "{", "］": "["}
_OPENS = {"{": "{", "[": "[", "(": "(", "｛": "{", "［": "["}
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_COMMAS = ",，"
_COLONS = ":：="
_OUTSIDE = re.compile(r"""["'“‘{}\[\]()<`,:=#/｛｝［］，：]""")
_INSIDE = {quote: re.compile(rf"[{quote}\\]") for quote in _QUOTES.values()}
_LINED = {quote: re.compile(rf"[{quote}\\\n]") for quote in _QUOTES.values()}
_VISIBLE = re.compile(r"\S")
_BEHIND_COMMA = {
    "{": frozenset("\"'“‘{}｝#/"),
    "[": frozenset("\"'“‘{[(]］-0123456789tfnTFN#/"),
    "(": frozenset("\"'“‘{[()-#*"),
    "": frozenset[str](),
}


class Span:
    """Feed it text; it says where the value ends. `broken`: it cannot go on, although its bracket is still open."""

    def __init__(self, inside: str = "", *, key: bool = False, lined: bool = False) -> None:
        self.broken = False
        self._inside = inside
        self._strings = _LINED if lined else _INSIDE
        self._open: list[str] = []
        self._key = key
        self._bare = False
        self._quote = ""
        self._run = 0  # of a triple-quoted string: how many quotes were seen in a row; else 0
        self._empty = False
        self._escaped = False
        self._doubt = ""  # a quote was seen that may end the string: `"` or, with a comma behind it, `",`
        self._comment = ""

    def feed(self, text: str, at: int, ended: bool) -> int:
        """Return the place behind the value, or -1 where it goes on behind `text`."""
        while at < len(text):
            if self._doubt:
                at = self._resolve(text, at)
            elif self._quote:
                at = self._in_string(text, at)
            elif self._comment:
                at = self._in_comment(text, at)
            else:
                at = self._outside(text, at)
            if self.broken or (at >= 0 and not (self._open or self._quote or self._comment)):
                return at
            if at < 0:
                break
        if ended and self._doubt:
            # The last quote of the text ends its string.
            self._doubt = self._quote = ""
            return len(text) if not self._open else -1
        return -1

    def _outside(self, text: str, at: int) -> int:
        found = _OUTSIDE.search(text, at)
        if not found:
            return -1
        mark, at = found.group(), found.end()
        if mark in _QUOTES:
            self._quote, self._empty, self._run = _QUOTES[mark], True, 0
        elif mark in _OPENS:
            self._open.append(_OPENS[mark])
            self._key = self._open[-1] == "{"
            self.broken = len(self._open) > MOST_NESTING
        elif mark in _CLOSES:
            return self._close(_CLOSES[mark], at)
        elif mark in _COMMAS:
            self._key = bool(self._open) and self._open[-1] == "{"
        elif mark in _COLONS:
            self._bare = self._bare or self._key
            self._key = False
        elif mark == "#":
            self._comment = "\n"
        elif mark == "/":
            self._comment = "/"
        else:
            # A tag or a fence stands where a value or a comma should be: the brackets were forgotten.
            self.broken = True
            return at - 1
        return at

    def _close(self, kind: str, at: int) -> int:
        if kind in self._open:
            while self._open.pop() != kind:
                pass
        elif kind == self._inside:
            # It closes what stands around this value, so this value lacks its own bracket.
            self.broken = True
            return at - 1
        self._key = False
        return at

    def _in_string(self, text: str, at: int) -> int:
        if self._escaped:
            self._escaped = False
            return at + 1
        found = self._strings[self._quote].search(text, at)
        if not found:
            self._empty = False
            self._run = min(self._run, 1)
            return -1
        if found.group() == "\n":
            self.broken = True
            return found.start()
        self._empty = self._empty and found.start() == at
        if found.group() == "\\":
            self._escaped = True
            self._empty = False
            self._run = min(self._run, 1)
        elif self._run:
            self._run = self._run + 1 if found.start() == at else 2
            if self._run == 4:
                self._end_string()
        else:
            self._doubt = self._quote
        return found.end()

    def _resolve(self, text: str, at: int) -> int:
        """Decide by what stands behind it whether a quote ended its string."""
        if self._empty and self._doubt == self._quote and text[at] == self._quote and self._quote in "\"'":
            self._doubt, self._run, self._empty = "", 1, False
            return at + 1
        self._empty = False
        found = _VISIBLE.search(text, at)
        if not found:
            return len(text)
        char = found.group()
        around = self._open[-1] if self._open else self._inside
        if len(self._doubt) == 2:
            ends = char in _BEHIND_COMMA[around] or ((char.isalnum() or char == "_") and (around == "(" or self._bare))
            if ends:
                self._end_string()
                self._key = around == "{"
            else:
                self._doubt = ""
            return found.start()
        if char in _COMMAS and around and not self._key:
            self._doubt += ","
            return found.end()
        if char in (":：" if self._key else "}])｝］#/") or not (around or self._key):
            self._end_string()
        else:
            self._doubt = ""
        return found.start()

    def _end_string(self) -> None:
        self._quote = self._doubt = ""
        self._run = 0
        if self._key:
            self._key = False

    def _in_comment(self, text: str, at: int) -> int:
        if self._comment == "/":
            self._comment = {"/": "\n", "*": "*"}.get(text[at], "")
            return at + 1 if self._comment else at
        if self._comment == "*/":
            self._comment = "" if text[at] == "/" else "*"
            return at + (text[at] in "/")
        end = text.find(self._comment, at)
        if end < 0:
            return -1
        self._comment = "*/" if self._comment == "*" else ""
        return end + 1
