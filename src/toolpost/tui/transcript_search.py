"""Search in a transcript, without regard to case, in what is drawn of items, also across the places where lines were
wrapped. Only items that may have a match are drawn for it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from toolpost.tui.drawing.contract import Drawing
from toolpost.tui.drawing.copied_text import cell_of, copied_line, text_of_line

from .drawn_items import DrawnItem, DrawnItems
from .item_text import can_fold, source_text
from .text_selection import Spot


class _Piece(NamedTuple):
    """A line in the text that was put together of several."""

    line: int
    at: int
    text: str
    cell: int


# So many items are drawn for a count: it takes less than a second.
MAX_DRAWN = 300


class TranscriptSearch:
    def __init__(self, text: str) -> None:
        words = text.split()
        self._pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None
        # What has a match has its longest word, also where signs of Markdown are in between.
        word = max(re.findall(r"\w+", text) or [""], key=len)
        self._word = re.compile(re.escape(word), re.IGNORECASE) if word else None
        self._looked_at: Drawing | None = None
        self._places: list[tuple[int, int]] = []
        # A match may go over some lines, depending on its length.
        self._reach = 1 + len(text) // 10

    def count(self, items: DrawnItems) -> int:
        """How many matches `step` goes to. Of very many items that may have one, only the last are drawn to know; of
        the others those in what they say are counted."""
        total = drawn = 0
        for entry in reversed(items.entries):
            text = source_text(entry.item)
            if self._word is not None and not self._word.search(text):
                continue
            if drawn < MAX_DRAWN:
                total += sum(1 for _ in self.places(_unfolded(items, entry)))
            elif self._pattern is not None:
                total += sum(1 for _ in self._pattern.finditer(text))
            drawn += 1
        return total

    def step(self, items: DrawnItems, begin: Spot, by: int) -> Spot | None:
        """The match after this place or before it, going on at the other end. Items that fold are looked through as
        they are unfolded."""
        sign, count = (1 if by > 0 else -1), len(items)
        for steps in range(count + 1):
            entry = items.entries[(begin.entry.place + sign * steps) % count]
            spots = self._spots(items, entry)
            if steps == 0:
                spots = [spot for spot in spots if (spot[1:] > begin[1:] if by > 0 else spot[1:] < begin[1:])]
            if spots:
                return spots[0 if by > 0 else -1]
        return None

    def _spots(self, items: DrawnItems, entry: DrawnItem) -> list[Spot]:
        if self._word is not None and not self._word.search(source_text(entry.item)):
            return []
        is_folded = can_fold(entry.item) and not items.is_expanded(entry)
        drawing = items.drawn_anew(entry.item, is_expanded=True) if is_folded else items.drawing(entry)
        if drawing is not self._looked_at or not entry.item.is_finished:
            self._looked_at, self._places = drawing, list(self.places(drawing))
        return [Spot(entry, *place) for place in self._places]

    def places(self, drawing: Drawing) -> Iterator[tuple[int, int]]:
        """The line and the cell in which each match begins."""
        line = 0
        while line < len(drawing.lines):
            pieces = self._pieces(drawing, line, len(drawing.lines))
            at = 0
            for start, _ in self._found(pieces):
                while pieces[at].at + len(pieces[at].text) <= start:
                    at += 1
                yield pieces[at].line, pieces[at].cell + cell_of(pieces[at].text, start - pieces[at].at)
            line += len(pieces)

    def spans(self, drawing: Drawing, line: int) -> list[tuple[int, int]]:
        """The cells of a line that belong to matches."""
        first = line
        while first > max(0, line - self._reach) and copied_line(drawing, first).joint != "\n":
            first -= 1
        pieces = self._pieces(drawing, first, line)
        mine = next(piece for piece in pieces if piece.line == line)
        spans: list[tuple[int, int]] = []
        for start, end in self._found(pieces):
            low, high = max(start - mine.at, 0), min(end - mine.at, len(mine.text))
            if low < high:
                spans.append((mine.cell + cell_of(mine.text, low), mine.cell + cell_of(mine.text, high)))
        return spans

    def _found(self, pieces: list[_Piece]) -> Iterator[tuple[int, int]]:
        if self._pattern is not None:
            text = "".join(piece.text for piece in pieces)
            yield from (match.span() for match in self._pattern.finditer(text))

    def _pieces(self, drawing: Drawing, first: int, line: int) -> list[_Piece]:
        """Lines from the first one on that were one before they were wrapped, some beyond `line`."""
        pieces: list[_Piece] = []
        at = 0
        for number in range(first, min(len(drawing.lines), line + self._reach + 1)):
            rule = copied_line(drawing, number)
            if pieces:
                if rule.joint == "\n":
                    break
                pieces[-1] = pieces[-1]._replace(text=pieces[-1].text + rule.joint)
                at += len(rule.joint)
            text = text_of_line(drawing, number)
            pieces.append(_Piece(number, at, text, rule.start))
            at += len(text)
        return pieces


def _unfolded(items: DrawnItems, entry: DrawnItem) -> Drawing:
    """What there is, or else a drawing that is not kept."""
    if entry.drawing is not None and (items.is_expanded(entry) or not can_fold(entry.item)):
        return entry.drawing
    return items.drawn_anew(entry.item, is_expanded=can_fold(entry.item))
