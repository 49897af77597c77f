"""What the rows of the screen show, which of them have changed, and cells of a line in another style: what is selected,
what was found."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from .drawn_items import DrawnItem

# From a cell to the one after the last; None for the end of the line.
Mark = tuple[int, int | None, Style]


class PaintedRow(NamedTuple):
    """What a row of the screen shows."""

    entry: DrawnItem
    line: int
    span: tuple[int, int | None] | None
    is_chosen: bool


def changed_rows(
    before: Sequence[PaintedRow], rows: Sequence[PaintedRow], *, is_searching: bool
) -> list[tuple[int, int]]:
    """The first and the one after the last of rows, side by side, that are not as they were."""
    changed: list[tuple[int, int]] = []
    for at in range(max(len(before), len(rows))):
        if at < min(len(before), len(rows)) and before[at] == rows[at] and not _is_changed(rows[at], is_searching):
            continue
        if changed and changed[-1][1] == at:
            changed[-1] = changed[-1][0], at + 1
        else:
            changed.append((at, at + 1))
    return changed


def _is_changed(row: PaintedRow, is_searching: bool) -> bool:
    changed = row.entry.changed_from
    # A match may begin in a line in front of what is new.
    return changed is not None and (is_searching or row.line >= changed)


def highlighted(strip: Strip, marks: Iterable[Mark]) -> Strip:
    """The line with these styles over its own; a character of two cells is marked whole."""
    for first, last, style in marks:
        start, end = _whole_characters(strip.text, first, strip.cell_length if last is None else last)
        if start >= min(end, strip.cell_length):
            continue
        middle = strip.crop(start, end)
        restyled = [Segment(part.text, part.style + style if part.style else style) for part in middle]
        strip = Strip.join((strip.crop(0, start), Strip(restyled, middle.cell_length), strip.crop(end)))
    return strip


def _whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    if text.isascii():
        return start, end
    at = 0
    for _, _, width in split_graphemes(text)[0]:
        if at < start < at + width:
            start = at
        if at < end < at + width:
            end = at + width
        at += width
    return start, end
