"""The lines of a diff: one below the other, or side by side, with the words that differ marked. Nothing is cut: what is
too long goes on in the next line, and what would not be seen is written out."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style

from toolpost.tui.drawing.contract import Look, StyleName
from toolpost.view.diff import DiffHunk, DiffLine, side_by_side
from toolpost.view.escape_codes import exact, exact_line
from toolpost.view.words import words

from .text_lines import DialogLines, Pieces, marked_lines

_SIGNS: Mapping[str, StyleName] = {"+": "added", "-": "removed", " ": "text"}
_CHANGED: Mapping[str, StyleName] = {"+": "added_word", "-": "removed_word", " ": "text"}


class DiffLines(Struct, frozen=True):
    """`changes` are the lines at which a stretch of changed lines begins."""

    lines: DialogLines
    changes: tuple[int, ...]


def unified(hunks: Sequence[DiffHunk], look: Look, width: int, *, path: str = "") -> DiffLines:
    """`path` is the file that needs no head of its own."""
    writer = _Writer(look, width, path)
    for number, hunk in enumerate(hunks):
        writer.head(hunk, is_first=number == 0)
        digits = _digits([hunk])
        last = " "
        for line in hunk.lines:
            if line.sign != " " and last == " ":
                writer.change()
            last = line.sign
            for pieces in _side(line, look, width, digits):
                writer.lines.add(*pieces)
            writer.end(line)
    return DiffLines(writer.lines, tuple(writer.changes))


def split(hunks: Sequence[DiffHunk], look: Look, width: int, *, path: str = "") -> DiffLines:
    """What was on the left, what is on the right."""
    writer = _Writer(look, width, path)
    bar = " │ " if look.has_unicode else " | "
    left_width = (width - len(bar)) // 2
    right_width = width - len(bar) - left_width
    border, blank = look.palette.style("border"), look.palette.style("text")
    for number, hunk in enumerate(hunks):
        writer.head(hunk, is_first=number == 0)
        digits, was_kept = _digits([hunk]), True
        for row in side_by_side(hunk):
            is_kept = row.left is not None and row.left.sign == " "
            if was_kept and not is_kept:
                writer.change()
            was_kept = is_kept
            left = _side(row.left, look, left_width, digits, is_left=True)
            right = _side(row.right, look, right_width, digits)
            for one, other in zip_longest(left, right, fillvalue=()):
                gap = " " * (left_width - sum(cell_len(text) for text, _ in one))
                writer.lines.add(*one, (gap, blank), (bar, border), *other)
            if (ended := row.right or row.left) is not None:
                writer.end(ended)
    return DiffLines(writer.lines, tuple(writer.changes))


class _Writer:
    def __init__(self, look: Look, width: int, path: str) -> None:
        self.lines = DialogLines()
        self.changes: list[int] = []
        self._look, self._width, self._path = look, width, path

    def change(self) -> None:
        self.changes.append(len(self.lines))

    def head(self, hunk: DiffHunk, *, is_first: bool) -> None:
        if hunk.path and hunk.path != self._path:
            self._path = hunk.path
            self._text(exact_line(hunk.path), "strong")
        elif not is_first:
            self._text("⋮" if self._look.has_unicode else "...", "dim")
        if hunk.heading:
            self._text(exact_line(hunk.heading), "dim")
        if hunk.note:
            self._text(exact(hunk.note), "dim")

    def end(self, line: DiffLine) -> None:
        if line.is_unended:
            self._text(words("diff.unended", self._look.language), "dim")

    def _text(self, text: str, style: StyleName) -> None:
        self.lines.wrap(text, self._look.palette.style(style), self._width)


def _digits(hunks: Sequence[DiffHunk]) -> int:
    """How wide the numbers are; 0 where no line has one."""
    numbers = [max(line.old or 0, line.new or 0) for hunk in hunks for line in hunk.lines]
    most = max(numbers, default=0)
    return len(str(most)) if most else 0


def _side(line: DiffLine | None, look: Look, width: int, digits: int, *, is_left: bool = False) -> Sequence[Pieces]:
    """A line of a file, with its number and sign before it."""
    if line is None:
        return ()
    style = look.palette.style
    number = line.old if is_left or line.new is None else line.new
    head = f"{number or '':>{digits}} {line.sign} " if digits else f"{line.sign} "
    text = exact(line.text)
    # What is written out moves the places of the marks.
    marks = line.changed if text == line.text else ()
    plain, marked = style(_SIGNS[line.sign]), style(_CHANGED[line.sign])
    return [
        ((head if not at else " " * len(head), _head_style(line, style("line_number"), plain)), *pieces)
        for at, pieces in enumerate(marked_lines(text, plain, marks, marked, max(1, width - len(head))))
    ]


def _head_style(line: DiffLine, number: Style, plain: Style) -> Style:
    return number if line.sign == " " else number + plain
