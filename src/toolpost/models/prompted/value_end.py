"""Find where a JSON value or a Python literal ends, in text that comes in pieces, looking at each character once.

Forgiving, because models are not strict: quotes inside a string that were not escaped, single and full-width quotes,
comments, missing brackets. What is valid JSON is always read as JSON.
"""

import re

MAX_AHEAD = 512
MAX_NESTING = 400

# A string that is opened by one of a group may be closed by any of it.
_DOUBLE, _SINGLE = "“”„＂", "‘’＇"
CLOSING = {'"': '"', "'": "'", **dict.fromkeys(_DOUBLE, f'{_DOUBLE}"'), **dict.fromkeys(_SINGLE, f"{_SINGLE}'")}
QUOTES = "".join(CLOSING)
OPENS = {"{": "{", "[": "[", "(": "(", "｛": "{", "［": "["}
CLOSES = {"}": "{", "]": "[", ")": "(", "｝": "{", "］": "["}
COMMAS = ",，"
COLONS = ":：="
# On the stack of brackets: a quote around JSON that should have been escaped and was not.
QUOTED = '"'
_OUTSIDE = re.compile(rf"[{QUOTES}{{}}\[\]()<`,:=#/｛｝［］，：]")
_INSIDE = {closing: re.compile(rf"[{closing}\\]") for closing in CLOSING.values()}
_LINED = {closing: re.compile(rf"[{closing}\\\n]") for closing in CLOSING.values()}
_TRIPLE = {quote: re.compile(rf"{quote * 3}|\\") for quote in "\"'"}


class ValueEnd:
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
            self.broken = len(self._open) > MAX_NESTING
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


def string_ends(text: str, at: int, stack: str, *, key: bool, doubt: bool, ended: bool) -> bool | None:
    """Whether the quote before `at` ends its string; None where only more text can tell.

    `stack` holds the brackets that are open around it, the innermost last; `key` says that it is a member's key,
    `doubt` that an earlier quote did not end this string, so that more is asked of what follows.
    """
    if not stack and not key:
        return True
    ahead = _Ahead(text[at : at + MAX_AHEAD], ended)
    place = ahead.visible(0)
    if place < 0:
        return ahead.maybe
    char = ahead.text[place]
    if key:
        # Or the first value of a set.
        return char in COLONS or (not doubt and (char in COMMAS or char in "}｝"))
    if char in CLOSES or (char in QUOTES and stack[-1] == QUOTED):
        return _closes(ahead, place, stack, doubt)
    if char in COMMAS:
        return ahead.holds(*(_NEXT if doubt else _ANY_NEXT)[stack[-1]], place + 1)
    if char in QUOTES:
        # The comma was forgotten, if a key follows.
        return place > 0 and stack[-1] == "{" and ahead.holds(_KEY, _KEY_BEGUN, place)
    return ahead.holds(_COMMENT, _COMMENT_BEGUN, place)


def opens_json(text: str, at: int, ended: bool) -> bool | None:
    """Whether the quote at `at` stands around JSON whose own quotes were not escaped; None as above."""
    if text[at + 1 : at + 2] not in ("{", "[", ""):
        return False
    ahead = _Ahead(text[at : at + MAX_AHEAD], ended)
    if ahead.maybe is None and _QUOTED_JSON_BEGUN.match(ahead.text):
        return None
    return _QUOTED_JSON.match(ahead.text) is not None


def key_stands(text: str, at: int) -> bool:
    """Whether a key in quotes and its colon stand at `at`."""
    return _KEY.match(text, at) is not None


class _Ahead:
    """What stands behind a quote, as far as it is looked at."""

    __slots__ = ("maybe", "text")

    def __init__(self, text: str, ended: bool) -> None:
        self.text = text
        # The answer where the text is all there is and nothing in it speaks against: True, or None if more may come.
        self.maybe = True if ended or len(text) == MAX_AHEAD else None

    def visible(self, at: int) -> int:
        found = _VISIBLE.search(self.text, at)
        return found.start() if found else -1

    def holds(self, whole: re.Pattern[str], begun: re.Pattern[str], at: int) -> bool | None:
        """Whether `whole` stands at `at`; `begun` matches what may yet become it."""
        if whole.match(self.text, at):
            return True
        return self.maybe if begun.match(self.text, at) else False


def _closes(ahead: _Ahead, first: int, stack: str, doubt: bool) -> bool | None:
    """A bracket stands behind the string. It ends it, if the brackets fit, and what is behind them does."""
    text, place = ahead.text, first
    while True:
        kind = QUOTED if text[place] in QUOTES else CLOSES[text[place]]
        if kind not in stack:
            return place > first
        stack = stack[: stack.rindex(kind)]
        if not stack and not doubt:
            return True
        if not stack:
            # A quote right behind the last bracket says that the brackets were part of the string.
            rest = text[place + 1 :].lstrip("}])")
            return rest[0] not in "\"'" if rest else ahead.maybe
        place = ahead.visible(place + 1)
        if place < 0:
            return ahead.maybe
        if text[place] not in CLOSES and not (text[place] in QUOTES and stack[-1] == QUOTED):
            break
    if text[place] in QUOTES:
        return stack[-1] == "{" and ahead.holds(_KEY, _KEY_BEGUN, place)
    return text[place] in ",，<`;{" or ahead.holds(_COMMENT, _COMMENT_BEGUN, place)


def _either(*patterns: str) -> str:
    return "(?:" + "|".join(patterns) + ")"


def _next(*whole: str, begun: tuple[str, ...] = ()) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What may stand behind a comma, and what the text may end with while that is still coming."""
    return re.compile(rf"\s*{_either(*whole, *_COMMENTS)}"), re.compile(rf"\s*{_either(*begun, '/?')}\Z")


_VISIBLE = re.compile(r"\S")
_WORDS = r"(?:true|false|null|True|False|None)\W"
_QUOTED_KEYS = (
    r'"(?:[^"\\\n]|\\.)*"',
    r"'(?:[^'\\\n]|\\.)*'",
    rf'[{_DOUBLE}][^{_DOUBLE}"\n]*[{_DOUBLE}"]',
    rf"[{_SINGLE}][^{_SINGLE}'\n]*[{_SINGLE}']",
)
_QUOTED_KEYS_BEGUN = (
    r'"(?:[^"\\\n]|\\.)*(?:\\|"\s*)?',
    r"'(?:[^'\\\n]|\\.)*(?:\\|'\s*)?",
    rf'[{_DOUBLE}][^{_DOUBLE}"\n]*(?:[{_DOUBLE}"]\s*)?',
    rf"[{_SINGLE}][^{_SINGLE}'\n]*(?:[{_SINGLE}']\s*)?",
)
_BARE_KEY = r"[^\W\d][\w$.\-]*"
_KEY = re.compile(rf"{_either(*_QUOTED_KEYS)}\s*[{COLONS}]")
_KEY_BEGUN = re.compile(rf"{_either(*_QUOTED_KEYS_BEGUN)}\Z")
_COMMENTS = ("#", "//", r"/\*")
_COMMENT = re.compile(_either(*_COMMENTS))
_COMMENT_BEGUN = re.compile(r"/\Z")
_NEXT = {
    "{": _next(
        rf"{_either(*_QUOTED_KEYS, _BARE_KEY)}\s*[{COLONS}]",
        r"[}｝{,，]",
        begun=(*_QUOTED_KEYS_BEGUN, rf"{_BARE_KEY}\s*"),
    ),
    "[": _next(rf"[{QUOTES}{{\[(\]］,，\-+.\d]", _WORDS, begun=(r"[A-Za-z]{0,5}",)),
    "(": _next(rf"[{QUOTES}{{\[()\-+.\d*]", _WORDS, r"[^\W\d]\w*\s*=", begun=(r"[^\W\d]\w*\s*",)),
    QUOTED: _next(r"(?!)"),
}
# Where nothing was in doubt so far, a quote is enough of a key.
_ANY_NEXT = {**_NEXT, "{": _next(rf"[{QUOTES}}}｝{{,，]", rf"{_BARE_KEY}\s*[{COLONS}]", begun=(rf"{_BARE_KEY}\s*",))}
# A string that is a bracket alone is followed by a comma, a colon or a bracket.
_INNER_KEY = r"""\1[^"'\\\s,:\]}][^"'\\\n]*\1\s*"""
_QUOTED_JSON = re.compile(rf"""(["'])(?:\{{\s*{_INNER_KEY}:|\[\s*(?:\{{\s*)?{_INNER_KEY}[:,])""")
_QUOTED_JSON_BEGUN = re.compile(r"""(["'])(?:[{\[]\s*(?:\{\s*)?(?:\1(?:[^"'\\\s,:\]}][^"'\\\n]*(?:\1\s*)?)?)?)?\Z""")
