"""Lines of styled text: wrap by words and by cells, and draw lines only when somebody looks at them."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar, overload

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from toolpost.view.escape_codes import clean
from toolpost.view.growing_text import GrowingText

from .copied_text import WHOLE_LINE, CopiedLine

# A line as it is kept: a `Strip` takes ten times its memory, and is made when it is looked at.
Line = tuple[Segment, ...]
# A stretch of text in one style.
Piece = tuple[str, Style]
T = TypeVar("T")

TAB = 4
# In less than this nothing can be laid out: it is drawn as wide as this, and cut.
MIN_WIDTH = 20
# A longer line is not measured by its characters: that takes seconds for some megabytes.
MAX_MEASURED = 20_000
# A break is allowed on both sides of these, as Chinese and Japanese have no blanks between words…
_WIDE = r"\u2e80-\u3000\u3003-\u3007\u3012-\u33ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
# …but not behind what opens, nor before what closes.
_OPENING = "（「『【《〈“‘〔｛［"
_CLOSING = r"，。、！？：；）」』】》〉”’〕｝］…—,.!?:;)\]}%\u200d\ufe00-\ufe0f\u0300-\u036f\u3099\u309a"
_WORD = re.compile(rf"\s+|[{_OPENING}]*[{_WIDE}][{_CLOSING}]*|[^\s{_WIDE}{_OPENING}]+|[{_OPENING}]+")
_ASCII_WORD = re.compile(r"\s+|\S+")
# No controls, but a terminal or an encoder stumbles over them.
_BREAKS = re.compile("[\x85\u2028\u2029\ud800-\udfff]")


def tidy(line: str) -> str:
    """A line of a model's or tool's text without anything that a terminal acts on."""
    if line.isascii() and line.isprintable():
        return line
    return _BREAKS.sub("\ufffd", clean(line).expandtabs(TAB).replace("\n", " "))


class RuledLines(list[Line]):
    """Lines, each with what of it is text for copying."""

    def __init__(self) -> None:
        super().__init__()
        self._rules: list[CopiedLine] = []

    def put(self, line: Line, rule: CopiedLine = WHOLE_LINE) -> None:
        self.append(line)
        self._rules.append(rule)

    def keep(self, count: int) -> None:
        """Drop the lines behind so many."""
        del self[count:], self._rules[count:]

    def copied(self, place: int) -> CopiedLine:
        return self._rules[place]


def wrap(pieces: Sequence[Piece], width: int) -> RuledLines:
    """Break by words into lines of so many cells; at `\\n`, too. There is at least one line."""
    plain = "".join(text for text, _ in pieces)
    places = list(_broken(plain, width))
    lines, end = RuledLines(), 0
    for number, (line, place) in enumerate(zip(divide(pieces, places), places, strict=True)):
        gap = plain[end : place[0]]
        lines.put(line, copy_rule(0, "\n" if "\n" in gap or not number else gap))
        end = place[1]
    return lines


@lru_cache(256)
def copy_rule(start: int, joint: str = "\n", end: int | None = None) -> CopiedLine:
    """There are few, for very many lines."""
    return CopiedLine(start, end, joint)


def shifted(rule: CopiedLine, by: int) -> CopiedLine:
    """The same for a line that stands so many cells to the right."""
    return copy_rule(rule.start + by, rule.joint, None if rule.end is None else rule.end + by) if by else rule


def copied_at(parts: Sequence[Sequence[Line]], place: int, start: int = 0) -> CopiedLine:
    """What of a line is text, of lines that stand this many cells to the right."""
    at = place
    for part in parts:
        if at < len(part):
            tell: Callable[[int], CopiedLine] | None = getattr(part, "copied", None)
            rule = tell(at) if tell is not None else WHOLE_LINE
            return shifted(rule, start)
        at -= len(part)
    return WHOLE_LINE


def divide(pieces: Sequence[Piece], places: Iterable[tuple[int, int]]) -> list[Line]:
    """The lines that stand at these places (start, end) in the text, which are in order."""
    lines: list[Line] = []
    number, offset = 0, 0
    for start, end in places:
        line: list[Segment] = []
        while number < len(pieces) and offset < end:
            text, style = pieces[number]
            if offset + len(text) > start:
                line.append(Segment(text[max(0, start - offset) : end - offset], style))
            if offset + len(text) > end:
                break
            offset += len(text)
            number += 1
        lines.append(tuple(line))
    return lines


def chop(text: str, width: int) -> list[tuple[int, int]]:
    """Where to break a text into lines of so many cells, wherever that is."""
    if size := _page_size(text, width):
        return [(start, min(start + size, len(text))) for start in range(0, len(text), size)] or [(0, 0)]
    places: list[tuple[int, int]] = []
    begin, used = 0, 0
    for start, _, cells in split_graphemes(text)[0]:
        if used + cells > width and start > begin:
            places.append((begin, start))
            begin, used = start, 0
        used += cells
    return [*places, (begin, len(text))]


def _page_size(text: str, width: int) -> int:
    """How many characters make a line, whatever they are; 0 where they have to be measured."""
    if text.isascii():
        return width
    return max(1, width // 2) if len(text) > MAX_MEASURED else 0


def count_rows(text: str, width: int) -> int:
    """How many lines `chop` makes of a text."""
    if size := _page_size(text, width):
        return max(1, -(-len(text) // size))
    return len(chop(text, width))


def chopped_row(pieces: Sequence[Piece], width: int, row: int) -> Line:
    """One of the lines of `chopped`. Of a line that is very long the others cost nothing."""
    plain = pieces[0][0] if len(pieces) == 1 else "".join(text for text, _ in pieces)
    if size := _page_size(plain, width):
        place = row * size, min((row + 1) * size, len(plain))
    else:
        place = chop(plain, width)[row]
    return divide(pieces, [place])[0]


def chopped(pieces: Sequence[Piece], width: int) -> list[Line]:
    """Break into lines of so many cells, wherever that is: for code and output."""
    return divide(pieces, chop("".join(text for text, _ in pieces), width))


def cut(pieces: Sequence[Piece], width: int) -> Line:
    """As much as fits into a line, with an ellipsis where something was left out."""
    plain = "".join(text for text, _ in pieces)
    if (len(plain) if plain.isascii() else cell_len(plain)) <= width:
        return line_of(*pieces)
    start, end = chop(plain, max(1, width - 1))[0]
    (line,) = divide(pieces, [(start, end)])
    return (*line, Segment("…", line[-1].style if line else None))


def line_of(*pieces: Piece) -> Line:
    return tuple(Segment(text, style) for text, style in pieces if text)


def cells(line: Iterable[Segment]) -> int:
    return sum(cell_len(segment.text) for segment in line)


def padded(line: Line, width: int, style: Style) -> Line:
    """A line with blanks behind it, so that it is as wide as this."""
    missing = width - cells(line)
    return (*line, Segment(" " * missing, style)) if missing > 0 else line


class OnDemand(Sequence[T]):
    """A sequence of what is made when it is looked at."""

    def at(self, place: int) -> T:
        raise NotImplementedError

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self.at(number) for number in range(*place.indices(len(self)))]
        return self.at(place)


class Strips(OnDemand[Strip]):
    """The lines of several parts, one below the other, as strips that are not wider than `width`."""

    __slots__ = ("_parts", "_width")

    def __init__(self, width: int, *parts: Sequence[Line]) -> None:
        self._width = width
        self._parts = parts

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def at(self, place: int) -> Strip:
        strip = Strip(line_at(self._parts, place))
        return strip.crop(0, self._width) if strip.cell_length > self._width else strip


def line_at(parts: Sequence[Sequence[Line]], place: int) -> Line:
    at = place + sum(map(len, parts)) if place < 0 else place
    for part in parts:
        if 0 <= at < len(part):
            return part[at]
        at -= len(part)
    raise IndexError(place)


class TextLines(OnDemand[Line]):
    """A text that may grow, line by line: its lines are measured when they come, and drawn when they are looked at.

    `draw` gives the pieces of a line and its number, if it is not in one style; they must not have more text than it.
    """

    def __init__(
        self, width: int, style: Style, prefix: Line = (), draw: Callable[[int, str], Sequence[Piece]] | None = None
    ) -> None:
        self._width = max(1, width - cells(prefix))
        self._style = style
        self._prefix = prefix
        self._draw = draw
        self._texts: list[str] = []
        # How many rows there are up to the end of each line.
        self._ends = array("Q")
        self._rest = ""

    def feed(self, text: str) -> int:
        """Add to the text; gives the first row that is not as before."""
        if self._texts and self._is_open:
            self._texts.pop()
            self._ends.pop()
        first = len(self)
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._add(line)
        if self._rest:
            self._add(self._rest)
        return first

    @property
    def _is_open(self) -> bool:
        return bool(self._rest)

    def _add(self, text: str) -> None:
        line = tidy(text)
        self._texts.append(line)
        self._ends.append((self._ends[-1] if self._ends else 0) + count_rows(line, self._width))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def at(self, place: int) -> Line:
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(place)
        number = bisect_right(self._ends, at)
        row = at - (self._ends[number - 1] if number else 0)
        text = self._texts[number]
        pieces = self._draw(number, text) if self._draw else ((text, self._style),)
        return (*self._prefix, *chopped_row(pieces, self._width, row))

    def copied(self, place: int) -> CopiedLine:
        """A line that goes over several rows is copied as one, without what stands before them."""
        number = bisect_right(self._ends, place)
        is_first = place == (self._ends[number - 1] if number else 0)
        start = cells(self._prefix)
        # Blanks at the end of a row are text if another one follows.
        end = None if place + 1 == self._ends[number] else start + self._width
        return copy_rule(start, "\n" if is_first else "", end)


def first_change(before: Sequence[T], after: Sequence[T]) -> int:
    """Up to where two rows of lines are the same."""
    most = min(len(before), len(after))
    return next((place for place in range(most) if before[place] != after[place]), most)


def goes_on(before: GrowingText, now: GrowingText, seen: int) -> bool:
    """Whether a text begins with what was seen of the other. Nearly always it is the same."""
    return before is now or str(now).startswith(str(before)[:seen])


def _broken(text: str, width: int) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield from ((start + begin, start + end) for begin, end in _broken_line(line, width))
        start += len(line) + 1


def _broken_line(text: str, width: int) -> Iterator[tuple[int, int]]:
    if len(text) * 2 <= width or (text.isascii() and len(text) <= width):
        yield 0, len(text.rstrip())
        return
    is_ascii = text.isascii()
    begin = end = used = 0
    for found in (_ASCII_WORD if is_ascii else _WORD).finditer(text):
        word = found[0]
        size = len(word) if is_ascii else cell_len(word)
        if word.isspace():
            used += size
            continue
        if used + size > width:
            if end > begin:
                yield begin, end
            begin, used = found.start(), 0
            if size > width:
                *whole, last = chop(word, width)
                yield from ((begin + left, begin + right) for left, right in whole)
                size = cell_len(word[last[0] :])
                begin += last[0]
        used += size
        end = found.end()
    yield begin, max(begin, end)
