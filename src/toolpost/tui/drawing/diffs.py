"""Draw diffs: one text below the other, or side by side where there is room, with the words marked that differ."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

from rich.segment import Segment

from toolpost.view.diff import DiffHunk, DiffLine, Sign, side_by_side

from .contract import Look, StyleName
from .lines import Line, Piece, chopped, cut, padded, tidy

# From this on there is room for two texts.
SIDE_BY_SIDE_WIDTH = 120
_STYLES: dict[Sign, tuple[StyleName, StyleName]] = {
    " ": ("text", "text"),
    "+": ("added", "added_word"),
    "-": ("removed", "removed_word"),
}
Form = Literal["unified", "beside"]


def diff_lines(
    hunks: Iterable[DiffHunk], look: Look, *, form: Form | None = None, shown: Callable[[str], str] = tidy
) -> Iterator[Line]:
    """The lines of the hunks; side by side if the look is wide enough for that. Pass `escape_codes.exact_line` as
    `shown` where somebody decides on it."""
    beside = form == "beside" if form else look.width >= SIDE_BY_SIDE_WIDTH
    path = ""
    for number, hunk in enumerate(hunks):
        if hunk.path and hunk.path != path:
            path = hunk.path
            yield cut([(shown(path), look.palette.style("strong"))], look.width)
        yield from _heading(hunk, look, shown, is_first=number == 0)
        digits = max((len(str(number)) for line in hunk.lines for number in (line.old, line.new) if number), default=0)
        yield from _beside(hunk, look, digits, shown) if beside else _unified(hunk.lines, look, digits, shown)
        for note in hunk.note.split("\n") if hunk.note else ():
            yield cut([(shown(note), look.palette.style("dim"))], look.width)


def _heading(hunk: DiffHunk, look: Look, shown: Callable[[str], str], *, is_first: bool) -> Iterator[Line]:
    if hunk.heading or not is_first:
        dots = "⋯ " if look.has_unicode else "... "
        yield cut([(dots + shown(hunk.heading), look.palette.style("dim"))], look.width)


def _unified(lines: Sequence[DiffLine], look: Look, digits: int, shown: Callable[[str], str]) -> Iterator[Line]:
    for line in lines:
        gutter = ""
        if digits:
            gutter = f"{_number(line.old, digits)} {_number(line.new, digits)} "
        yield from _side(line, gutter, look.width, look, shown)


def _beside(hunk: DiffHunk, look: Look, digits: int, shown: Callable[[str], str]) -> Iterator[Line]:
    width = (look.width - 3) // 2
    bar = Segment(" │ " if look.has_unicode else " | ", look.palette.style("border"))
    text = look.palette.style("text")
    for row in side_by_side(hunk):
        left = list(_numbered_side(row.left, "old", digits, width, look, shown))
        right = list(_numbered_side(row.right, "new", digits, width, look, shown))
        for number in range(max(len(left), len(right))):
            before = left[number] if number < len(left) else ()
            yield (*padded(before, width, text), bar, *(right[number] if number < len(right) else ()))


def _numbered_side(
    line: DiffLine | None, side: Literal["old", "new"], digits: int, width: int, look: Look, shown: Callable[[str], str]
) -> Iterator[Line]:
    if line is None:
        return
    number = line.old if side == "old" else line.new
    yield from _side(line, f"{_number(number, digits)} " if digits else "", width, look, shown)


def _number(number: int | None, digits: int) -> str:
    return f"{'' if number is None else number:>{digits}}"


def _side(line: DiffLine, gutter: str, width: int, look: Look, shown: Callable[[str], str]) -> Iterator[Line]:
    """A line with its number and sign; where it is wrapped, what follows stands below its text."""
    style = look.palette.style(_STYLES[line.sign][0])
    numbers = look.palette.style("line_number")
    rows = chopped(list(_marked(line, look, shown)), max(1, width - len(gutter) - 2))
    for number, row in enumerate(rows):
        before = gutter if number == 0 else " " * len(gutter)
        yield (Segment(before, numbers), Segment(f"{line.sign if number == 0 else ' '} ", style), *row)


def _marked(line: DiffLine, look: Look, shown: Callable[[str], str]) -> Iterator[Piece]:
    plain, marked = (look.palette.style(name) for name in _STYLES[line.sign])
    at = 0
    for start, end in line.changed:
        yield shown(line.text[at:start]), plain
        yield shown(line.text[start:end]), marked
        at = end
    yield shown(line.text[at:]), plain
    if line.is_unended:
        yield " \\ no newline", look.palette.style("dim")
