"""Draw diffs: one text below the other, or side by side where there is room, with the words marked that differ.

A diff is measured at once, and drawn line by line when it is looked at.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal

from rich.segment import Segment

from toolpost.view.diff import DiffHunk, DiffLine, DiffRow, Sign, side_by_side
from toolpost.view.escape_codes import exact, exact_line
from toolpost.view.words import words

from .contract import Look, StyleName
from .copied_text import CopiedLine
from .lines import TAB, Line, OnDemand, Piece, chopped, chopped_row, count_rows, padded, tidy

# From this on there is room for two texts.
SIDE_BY_SIDE_WIDTH = 110
# Sign, blanks and at least some letters of text: with less, both sides would be cut.
LEAST_SIDE = 8
_STYLES: dict[Sign, tuple[StyleName, StyleName]] = {
    " ": ("text", "text"),
    "+": ("added", "added_word"),
    "-": ("removed", "removed_word"),
}
Form = Literal["unified", "beside"]


class DiffLines(OnDemand[Line]):
    """The lines of hunks. `changes` are those at which a stretch of changed lines begins.

    - `form`: by default side by side if the look is wide enough for that.
    - `is_exact`, where somebody decides on it: what would not be seen is written out, and nothing is cut or left out.
    - `path` is the file that needs no head of its own.
    """

    def __init__(
        self,
        hunks: Sequence[DiffHunk],
        look: Look,
        *,
        form: Form | None = None,
        is_exact: bool = False,
        path: str = "",
    ) -> None:
        self._look = look
        self._is_exact = is_exact
        self._digits = _digits(hunks)
        self._bar = " │ " if look.has_unicode else " | "
        self._half = (look.width - len(self._bar)) // 2
        is_wanted = form == "beside" if form else look.width >= SIDE_BY_SIDE_WIDTH
        self._is_beside = is_wanted and self._half >= self._digits + LEAST_SIDE
        # What is shown of the last lines that were asked for: a very long one has many rows.
        self._shown_last: list[tuple[DiffLine, list[Piece]]] = []
        self._parts: list[Line | DiffLine | DiffRow] = []
        # How many lines there are up to the end of each part.
        self._ends = array("Q")
        self.changes: list[int] = []
        for number, hunk in enumerate(hunks):
            self._head(hunk, path, is_first=number == 0)
            path = hunk.path or path
            self._add_rows(side_by_side(hunk)) if self._is_beside else self._add_lines(hunk.lines)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def at(self, place: int) -> Line:
        part, row = self._found(place)
        if isinstance(part, DiffLine):
            return self._side(part, row, self._look.width)
        return self._both(part, row) if isinstance(part, DiffRow) else part

    def copied(self, place: int) -> CopiedLine:
        """A line that is wrapped is copied as one."""
        part, row = self._found(place)
        if not row or not isinstance(part, DiffLine):
            return CopiedLine()
        return CopiedLine(len(self._gutter(part)) + 2, None, "")

    def _found(self, place: int) -> tuple[Line | DiffLine | DiffRow, int]:
        at = place + len(self) if place < 0 else place
        if not 0 <= at < len(self):
            raise IndexError(place)
        number = bisect_right(self._ends, at)
        return self._parts[number], at - (self._ends[number - 1] if number else 0)

    def _head(self, hunk: DiffHunk, path: str, *, is_first: bool) -> None:
        dots = "⋯ " if self._look.has_unicode else "... "
        if hunk.path and hunk.path != path:
            self._text(hunk.path, "strong")
            is_first = True
        if hunk.heading or not is_first:
            self._text(hunk.heading, "dim", dots)
        for note in hunk.note.split("\n") if hunk.note else ():
            self._text(note, "dim")

    def _text(self, text: str, style: StyleName, mark: str = "") -> None:
        shown = mark + (exact_line(text) if self._is_exact else tidy(text))
        for line in chopped([(shown, self._look.palette.style(style))], self._look.width):
            self._add(line, 1)

    def _add(self, part: Line | DiffLine | DiffRow, rows: int) -> None:
        self._parts.append(part)
        self._ends.append(len(self) + rows)

    def _add_lines(self, lines: Sequence[DiffLine]) -> None:
        width, last = self._text_width(self._look.width), " "
        for line in lines:
            if line.sign != " " and last == " ":
                self.changes.append(len(self))
            last = line.sign
            self._add(line, self._count(line, width))
            self._end(line)

    def _add_rows(self, rows: Sequence[DiffRow]) -> None:
        width, was_kept = self._text_width(self._half), True
        for row in rows:
            is_kept = row.left is not None and row.left.sign == " "
            if was_kept and not is_kept:
                self.changes.append(len(self))
            was_kept = is_kept
            self._add(row, max(self._count(side, width) for side in (row.left, row.right)))
            self._end(row.right or row.left)

    def _end(self, line: DiffLine | None) -> None:
        if line is not None and line.is_unended:
            self._text(words("diff.unended", self._look.language), "dim")

    def _text_width(self, width: int) -> int:
        return max(1, width - 2 - (self._digits + 1 if self._digits else 0))

    def _count(self, line: DiffLine | None, width: int) -> int:
        if line is None:
            return 0
        if _is_plain(line.text):
            return count_rows(line.text, width)
        return count_rows("".join(text for text, _ in self._pieces(line)), width)

    def _both(self, row: DiffRow, number: int) -> Line:
        text = self._look.palette.style("text")
        left = self._side(row.left, number, self._half, is_left=True)
        bar = Segment(self._bar, self._look.palette.style("border"))
        return (*padded(left, self._half, text), bar, *self._side(row.right, number, self._half))

    def _side(self, line: DiffLine | None, row: int, width: int, *, is_left: bool = False) -> Line:
        """A line with its number and sign; where it is wrapped, what follows stands below its text."""
        room = self._text_width(width)
        if line is None or row >= self._count(line, room):
            return ()
        gutter = self._gutter(line, is_left=is_left)
        numbers = Segment(" " * len(gutter) if row else gutter, self._look.palette.style("line_number"))
        sign = Segment("  " if row else f"{line.sign} ", self._look.palette.style(_STYLES[line.sign][0]))
        text = chopped_row(self._pieces(line), room, row)
        return (numbers, sign, *text) if gutter else (sign, *text)

    def _gutter(self, line: DiffLine, *, is_left: bool = False) -> str:
        number = line.old if is_left or line.new is None else line.new
        return f"{'' if number is None else number:>{self._digits}} " if self._digits else ""

    def _pieces(self, line: DiffLine) -> list[Piece]:
        for known, pieces in self._shown_last:
            if known is line:
                return pieces
        pieces = list(self._marked(line))
        self._shown_last = [*self._shown_last[-1:], (line, pieces)]
        return pieces

    def _marked(self, line: DiffLine) -> Iterator[Piece]:
        plain, marked = (self._look.palette.style(name) for name in _STYLES[line.sign])
        if line.changed and not _is_plain(line.text) and self._shown(line.text) != line.text.replace("\t", _TAB):
            # What is written out, or was taken out, moves the places of the marks.
            yield self._shown(line.text), plain
            return
        at = 0
        for start, end in line.changed:
            yield self._shown(line.text[at:start]), plain
            yield self._shown(line.text[start:end]), marked
            at = end
        yield self._shown(line.text[at:]), plain

    def _shown(self, text: str) -> str:
        if _is_plain(text):
            return text
        even = text.replace("\t", _TAB)
        return exact(even).replace("\n", "\\n") if self._is_exact else tidy(even)


_TAB = " " * TAB


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _digits(hunks: Sequence[DiffHunk]) -> int:
    """How wide the numbers are; 0 where no line has one."""
    most = max((max(line.old or 0, line.new or 0) for hunk in hunks for line in hunk.lines), default=0)
    return len(str(most)) if most else 0
