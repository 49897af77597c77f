"""Select text in a transcript, across items, and read it: by cells, by words, or by lines."""

import re
from typing import Literal, NamedTuple

from rich.cells import split_graphemes

from toolpost.tui.drawing.copied_text import copied_line, logical_line, text_of_line

from .drawn_items import DrawnItem, DrawnItems

Unit = Literal["cell", "word", "line", "paragraph"]
# What a double click takes as one: words of any script, paths, addresses.
_WORD = re.compile(r"[\w./\\~@%+:=&?#-]+|\s+|.")


class Spot(NamedTuple):
    """A cell of a drawn line."""

    entry: DrawnItem
    line: int
    cell: int

    @property
    def order(self) -> tuple[int, int, int]:
        return self.entry.place, self.line, self.cell


class TextSelection:
    """From where it began to where it was led, in either direction; both are in it."""

    def __init__(self, items: DrawnItems, start: Spot, unit: Unit = "cell") -> None:
        self._items = items
        self.unit: Unit = unit
        self.start = start
        self.head = start

    @property
    def is_there(self) -> bool:
        """Whether what was selected has not been taken out."""
        return self._items.has(self.start.entry) and self._items.has(self.head.entry)

    def span(self, entry: DrawnItem, line: int) -> tuple[int, int | None] | None:
        """The cells of a line that are selected; to its end where the second is None."""
        first, last = self._ends()
        if not (first.order[:2] <= (entry.place, line) <= last.order[:2]):
            return None
        if self.unit in ("line", "paragraph"):
            return 0, None
        start = first.cell if (entry, line) == first[:2] else 0
        return start, last.cell + 1 if (entry, line) == last[:2] else None

    def text(self) -> str:
        first, last = self._ends()
        parts: list[str] = []
        for place in range(first.entry.place, last.entry.place + 1):
            entry = self._items.entries[place]
            drawing = self._items.drawing(entry)
            low = first.line if entry is first.entry else 0
            high = last.line if entry is last.entry else len(drawing.lines) - 1
            for line in range(low, min(high, len(drawing.lines) - 1) + 1):
                if parts:
                    gap = self._items.entries[place - 1].gap
                    parts.append("\n" * (1 + gap) if line == 0 else copied_line(drawing, line).joint)
                span = self.span(entry, line) or (0, None)
                parts.append(text_of_line(drawing, line, *span))
        return "".join(parts)

    def _ends(self) -> tuple[Spot, Spot]:
        first, last = sorted((self.start, self.head), key=lambda spot: spot.order)
        if self.unit == "word":
            first = first._replace(cell=self._word(first)[0])
            last = last._replace(cell=self._word(last)[1] - 1)
        elif self.unit == "paragraph":
            first = first._replace(line=self._paragraph(first)[0])
            last = last._replace(line=self._paragraph(last)[1] - 1)
        return first, last

    def _word(self, spot: Spot) -> tuple[int, int]:
        lines = self._items.lines(spot.entry)
        return word_at(lines[spot.line].text if spot.line < len(lines) else "", spot.cell)

    def _paragraph(self, spot: Spot) -> tuple[int, int]:
        drawing = self._items.drawing(spot.entry)
        return logical_line(drawing, min(spot.line, len(drawing.lines) - 1))


def word_at(text: str, cell: int) -> tuple[int, int]:
    """The cells of the word that has this cell."""
    starts: list[int] = []
    at = 0
    for first, last, width in split_graphemes(text)[0]:
        starts += [at] * (last - first)
        at += width
    starts.append(at)
    for found in _WORD.finditer(text):
        if starts[found.start()] <= cell < starts[found.end()]:
            return starts[found.start()], starts[found.end()]
    return cell, cell + 1
