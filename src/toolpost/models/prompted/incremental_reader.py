"""Read text that comes in pieces, for parsers that may wait in the middle: generators that yield for more.

Whatever is decided here is decided by the text alone, never by where it was cut: a step that could still go another
way waits for more text or for the end.
"""

import re
from collections.abc import Callable, Generator, Iterable
from functools import lru_cache
from itertools import takewhile
from typing import TypeVar

from .value_end import ValueEnd

T = TypeVar("T")
Parse = Generator[None, None, T]
Sink = Callable[[str], object]

# A lookahead that meets more white space than this gives up, so that no text can make it wait for ever.
MAX_SPACE = 4_096
MAX_AHEAD = 256


class Markers:
    """A set of fixed strings to look for, together with all of their beginnings."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(sorted({text for text in texts if text}, key=len, reverse=True))
        self.longest = max((len(text) for text in self.texts), default=0)
        self._beginnings = frozenset(text[:size] for text in self.texts for size in range(1, len(text)))
        firsts = "".join(sorted({text[0] for text in self.texts}))
        self._firsts = re.compile(f"[{re.escape(firsts)}]" if firsts else r"(?!)")
        self.pattern = pattern_of(self.texts)
        self._pattern = re.compile(self.pattern)

    def __contains__(self, text: str) -> bool:
        return text in self.texts

    def search(self, text: str, at: int) -> re.Match[str] | None:
        return self._pattern.search(text, at)

    def match(self, text: str, at: int) -> str:
        found = self._pattern.match(text, at)
        return found.group() if found else ""

    def may_begin(self, text: str) -> bool:
        return text in self._beginnings

    def held(self, text: str, at: int) -> int:
        """How many characters at the end of `text` may begin one of the strings."""
        for found in self._firsts.finditer(text, max(at, len(text) - self.longest + 1)):
            if text[found.start() :] in self._beginnings:
                return len(text) - found.start()
        return 0


@lru_cache(maxsize=512)
def kept_markers(texts: tuple[str, ...]) -> Markers:
    """Markers that are needed again and again: to make them costs far more than to look for them."""
    return Markers(texts)


class TextReader:
    """The text that was fed and not yet read. `on_take` sees everything that a parser takes."""

    __slots__ = ("at", "ended", "on_take", "text")

    def __init__(self, on_take: Callable[[str], None]) -> None:
        self.text = ""
        self.at = 0
        self.ended = False
        self.on_take = on_take

    def add(self, chunk: str) -> None:
        self.text = self.text[self.at :] + chunk if self.at < len(self.text) else chunk
        self.at = 0

    def push_back(self, text: str) -> None:
        self.add("")
        self.text = text + self.text

    def take(self, count: int) -> str:
        piece = self.text[self.at : self.at + count]
        self.at += len(piece)
        self.on_take(piece)
        return piece

    def peek(self) -> Parse[str]:
        """The next character, or "" at the end of the text."""
        while self.at >= len(self.text):
            if self.ended:
                return ""
            yield
        return self.text[self.at]

    def skip(self, pattern: re.Pattern[str]) -> Parse[str]:
        """Take what `pattern` matches (any number of characters of one class); return the character behind it."""
        while True:
            found = pattern.match(self.text, self.at)
            if found and found.end() > self.at:
                self.take(found.end() - self.at)
            if self.at < len(self.text) or self.ended:
                return self.text[self.at] if self.at < len(self.text) else ""
            yield

    def skip_space(self) -> Parse[str]:
        return self.skip(_SPACE)

    def skip_filler(self) -> Parse[str]:
        """Past white space, commas and comments, as they stand between the members of an object."""
        while True:
            char = yield from self.skip(_FILLER)
            if char == "#":
                yield from self.skip(_LINE)
            elif char != "/":
                return char
            elif (yield from self.ahead(_COMMENTS)) == "/*":
                yield from self.until(_COMMENT_END, unseen)
                self.take(2)
            elif (yield from self.ahead(_COMMENTS)):
                yield from self.skip(_LINE)
            else:
                return char

    def ahead(self, markers: Markers, offset: int = 0) -> Parse[str]:
        """The longest of `markers` that stands at `offset` from here, or ""; nothing is taken."""
        while True:
            rest = self.text[self.at + offset : self.at + offset + markers.longest]
            if self.ended or len(rest) >= markers.longest or not (markers.may_begin(rest) or not rest):
                return markers.match(rest, 0)
            yield

    def ahead_past_space(self, markers: Markers, offset: int = 0) -> Parse[str | None]:
        """As `ahead`, behind any white space. None at the end of the text."""
        visible = yield from self._visible(offset)
        if visible is None:
            return None
        return (yield from self.ahead(markers, visible)) if visible >= 0 else ""

    def ends_within(self, markers: Markers) -> bool:
        """Whether the text ends in the middle of one of `markers`. What there is of it is taken."""
        rest = self.text[self.at :] if len(self.text) - self.at < markers.longest else ""
        if not self.ended or not markers.may_begin(rest):
            return False
        self.take(len(rest))
        return True

    def blanks(self, offset: int) -> Parse[int]:
        """How much white space stands at `offset` from here; nothing is taken."""
        place = yield from self._visible(offset)
        return place - offset if place is not None and place >= 0 else 0

    def visible(self, offset: int) -> Parse[str]:
        """The first character behind white space at `offset` from here, or "" at the end; nothing is taken."""
        place = yield from self._visible(offset)
        return self.text[self.at + place] if place is not None and place >= 0 else ""

    def ahead_match(self, whole: re.Pattern[str], part: re.Pattern[str], offset: int = 0) -> Parse[str]:
        """What the group of `whole` matches at `offset` from here, or ""; nothing is taken.

        `part` matches as much of it as may come before the rest does: while that is all there is, more may come.
        """
        while True:
            window = self.text[self.at + offset : self.at + offset + MAX_AHEAD]
            found = whole.match(window)
            if found:
                return found.group(1)
            begun = part.match(window)
            if self.ended or len(window) == MAX_AHEAD or begun is None or begun.end() < len(window):
                return ""
            yield

    def foresee(self, judge: Callable[[str, bool], int | None], most: int) -> Parse[int]:
        """What `judge` makes of the text from here; nothing is taken. It is asked again with more while it says None,
        and told when no more comes: the text has ended, or `most` characters are there."""
        while True:
            window = self.text[self.at : self.at + most]
            found = judge(window, self.ended or len(window) == most)
            if found is not None:
                return found
            yield

    def word(self, pattern: re.Pattern[str], most: int) -> Parse[str]:
        """Take a run of `pattern`'s characters and return it; "" where it is longer than `most`."""
        pieces: list[str] = []
        left = most + 1
        while True:
            found = pattern.match(self.text, self.at, self.at + left)
            if found and found.end() > self.at:
                left -= found.end() - self.at
                pieces.append(self.take(found.end() - self.at))
            if self.at < len(self.text) or self.ended or not left:
                return "".join(pieces) if left else ""
            yield

    def until(self, stops: Markers, sink: Sink) -> Parse[str]:
        """Give everything before the next stop to `sink`; the stop is returned, not taken. "" at the end."""
        while True:
            found = stops.search(self.text, self.at)
            keep = 0 if self.ended else stops.held(self.text, self.at)
            # One that begins before it and is not whole yet would go before it.
            if found and found.start() <= len(self.text) - keep:
                if found.start() > self.at:
                    sink(self.take(found.start() - self.at))
                return (yield from self.ahead(stops))
            if len(self.text) - keep > self.at:
                sink(self.take(len(self.text) - keep - self.at))
            if self.ended:
                return ""
            yield

    def head(self, ends: Markers, most: int) -> Parse[tuple[str, str]]:
        """Take text up to one of `ends`, and say which. ("", "") where none comes within `most` characters."""
        while True:
            window = self.text[self.at : self.at + most + ends.longest]
            found = ends.search(window, 0)
            if found:
                return self.take(found.start()), (yield from self.ahead(ends))
            if self.ended or len(window) == most + ends.longest:
                return "", ""
            yield

    def value(
        self, inside: str, sink: Sink, *, key: bool = False, lined: bool = False, most: int = 0
    ) -> Parse[tuple[str, bool]]:
        """Take one JSON value or Python literal; return its text and whether it came to its own end.

        `inside` is the bracket that it stands in ("" for none), `key` that it is the key of a member: both tell
        where a string may end. `lined`: no string goes over the end of its line. Where `most` is given, no more than
        so many characters are taken.
        """
        span = ValueEnd(inside, key=key, lined=lined)
        pieces: list[str] = []
        left = most
        while True:
            # A part of the text is cut out only where it is short: the whole may be megabytes.
            text, start = (self.text[self.at : self.at + left], 0) if most else (self.text, self.at)
            last = (self.ended and self.at + len(text) - start == len(self.text)) or (most > 0 and len(text) == left)
            end = span.feed(text, start, last)
            size = span.at - start
            if size:
                left -= size
                pieces.append(self.take(size))
                sink(pieces[-1])
            if end >= 0 or last:
                return "".join(pieces), end >= 0 and not span.broken
            yield

    def _visible(self, offset: int) -> Parse[int | None]:
        """How far from here the first visible character stands: -1 for too far, None for not at all."""
        while True:
            start = self.at + offset
            found = _VISIBLE.search(self.text, start, start + MAX_SPACE)
            if found:
                return found.start() - self.at
            if len(self.text) - start >= MAX_SPACE:
                return -1
            if self.ended:
                return None
            yield


def unseen(piece: str) -> None:
    """A sink for what need not be seen while it comes."""
    del piece


def pattern_of(texts: Iterable[str]) -> str:
    """A pattern for any of `texts`, the longest first, that looks at each character once: a tree of their beginnings.

    As a plain row of alternatives the whole row would be tried at every `<` of an ordinary text.
    """
    branches: dict[str, list[str]] = {}
    for text in sorted(texts):
        if text:
            branches.setdefault(text[0], []).append(text)
    return "|".join(map(_branch, branches.values())) or "(?!)"


def _branch(texts: list[str]) -> str:
    # They are sorted: what the first and the last have in common, all have.
    pairs = zip(texts[0], texts[-1], strict=False)
    common = "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    rest = [text[len(common) :] for text in texts if text != common]
    if not rest:
        return re.escape(common)
    return f"{re.escape(common)}(?:{pattern_of(rest)}){'?' if len(rest) < len(texts) else ''}"


_VISIBLE = re.compile(r"\S")
_SPACE = re.compile(r"[\s\ufeff]*")
_FILLER = re.compile(r"[\s,，]*")
_LINE = re.compile(r"[^\n]*")
_COMMENTS = Markers(("//", "/*"))
_COMMENT_END = Markers(("*/",))
