"""Where a JSON value or a Python literal ends, in text that comes in pieces, looking at each character once.

Forgiving, because models are not strict: quotes inside a string that were not escaped, single and full-width quotes,
comments, missing brackets. What is valid JSON is always read as JSON.
"""

import re

from .unescaped_strings import CLOSES, CLOSING, COLONS, COMMAS, OPENS, QUOTED, QUOTES, opens_json, string_ends

MOST_NESTING = 400

_OUTSIDE = re.compile(rf"[{QUOTES}{{}}\[\]()<`,:=#/｛｝［］，：]")
_INSIDE = {closing: re.compile(rf"[{closing}\\]") for closing in CLOSING.values()}
_LINED = {closing: re.compile(rf"[{closing}\\\n]") for closing in CLOSING.values()}
_TRIPLE = {quote: re.compile(rf"{quote * 3}|\\") for quote in "\"'"}


class Span:
    """Feed it text; it says where the value ends. `broken`: it cannot go on, although its bracket is still open."""

    def __init__(self, inside: str = "", *, key: bool = False, lined: bool = False) -> None:
        self.broken = False
        # How far the last text was understood: what stands behind it has to be fed again, with more.
        self.at = 0
        self._inside = inside
        self._lined = lined
        self._open = ""
        self._key = key
        self._closing = ""  # what closes the string that is open, if one is
        self._triple = False
        self._doubt = False  # a quote was met that did not end the string
        self._escaped = False
        self._comment = ""

    def feed(self, text: str, at: int, ended: bool) -> int:
        """Return the place behind the value, or -1 where it goes on behind `text`."""
        while at < len(text):
            if self._closing:
                step = self._in_string(text, at, ended)
            elif self._comment:
                step = self._in_comment(text, at)
            else:
                step = self._outside(text, at, ended)
            if step < 0:
                # Only more text can tell.
                self.at = ~step
                return -1
            at = step
            if self.broken or not (self._open or self._closing or self._comment):
                self.at = at
                return at
        self.at = len(text)
        return -1

    def _outside(self, text: str, at: int, ended: bool) -> int:
        found = _OUTSIDE.search(text, at)
        if not found:
            return len(text)
        mark, at = found.group(), found.end()
        if mark in QUOTES:
            return self._quote(text, at - 1, ended)
        if mark in OPENS:
            self._open += OPENS[mark]
            self._key = OPENS[mark] == "{"
            self.broken = len(self._open) > MOST_NESTING
        elif mark in CLOSES:
            return self._close(CLOSES[mark], at)
        elif mark in COMMAS:
            self._key = self._open[-1:] == "{"
        elif mark in COLONS:
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

    def _quote(self, text: str, at: int, ended: bool) -> int:
        """A quote outside of strings opens one, unless it stands around JSON."""
        quote = text[at]
        if self._open[-1:] == QUOTED:
            self._open = self._open[:-1]
            return at + 1
        if quote in _TRIPLE and not self._key:
            three = text[at : at + 3]
            if len(three) < 3 and three == quote * len(three) and not ended:
                return ~at
            if three == quote * 3:
                self._closing, self._triple = quote, True
                return at + 3
            wraps = opens_json(text, at, ended)
            if wraps is None:
                return ~at
            if wraps:
                self._open += QUOTED
                return at + 1
        self._closing = CLOSING[quote]
        return at + 1

    def _close(self, kind: str, at: int) -> int:
        if kind in self._open:
            self._open = self._open[: self._open.rindex(kind)]
        elif kind == self._inside:
            # It closes what stands around this value, so this value lacks its own bracket.
            self.broken = True
            return at - 1
        self._key = False
        return at

    def _in_string(self, text: str, at: int, ended: bool) -> int:
        if self._escaped:
            self._escaped = False
            return at + 1
        if self._triple:
            return self._in_triple(text, at, ended)
        # No key goes over the end of its line: such a quote was never closed.
        found = (_LINED if self._lined or self._key else _INSIDE)[self._closing].search(text, at)
        if not found:
            return len(text)
        if found.group() == "\n":
            self.broken = True
            return found.start()
        if found.group() == "\\":
            self._escaped = True
            return found.end()
        stack = self._inside + self._open
        ends = string_ends(text, found.end(), stack, key=self._key, doubt=self._doubt, ended=ended)
        if ends is None:
            return ~found.start()
        self._doubt = not ends
        if ends:
            self._closing = ""
            self._key = False
        return found.end()

    def _in_triple(self, text: str, at: int, ended: bool) -> int:
        found = _TRIPLE[self._closing].search(text, at)
        if not found:
            held = min(len(text) - len(text.rstrip(self._closing)), 2, len(text) - at)
            return ~(len(text) - held) if held and not ended else len(text)
        if found.group() == "\\":
            self._escaped = True
        else:
            self._closing, self._triple = "", False
        return found.end()

    def _in_comment(self, text: str, at: int) -> int:
        if self._comment == "/":
            self._comment = {"/": "\n", "*": "*"}.get(text[at], "")
            return at + 1 if self._comment else at
        if self._comment == "*/":
            self._comment = "" if text[at] == "/" else "*"
            return at + (text[at] in "/")
        end = text.find(self._comment, at)
        if end < 0:
            return len(text)
        self._comment = "*/" if self._comment == "*" else ""
        return end + 1
