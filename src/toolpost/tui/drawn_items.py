"""The drawings of a transcript's items, made when somebody looks at them, and the lines that they take.

Of an item that nobody has looked at, the height is a guess: a session of 10,000 messages opens without drawing more
than what is on the screen. Drawings of finished items that are out of sight are let go, the longest unseen first; their
height stays known. After a change of the width all heights are guesses again.

The lines of an item are those of its drawing and, behind them, the blank lines between it and the next one.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import structs
from textual.strip import Strip

from toolpost.tui.drawing.contract import Drawing, Look
from toolpost.tui.drawing.copied_text import joined_lines
from toolpost.view.changes import Changes
from toolpost.view.items import Item
from toolpost.view.transcript import TranscriptView

from .item_text import can_fold, gap_between, guess_height
from .line_index import LineIndex

DrawItem = Callable[[Item, Look], Drawing]
# Drawn lines that are kept besides those of unfinished items: about 10 MB of cells and styles.
LINES_KEPT = 6_000


class DrawnItem:
    """An item of the transcript. `look` numbers the look for which its height was measured; 0 for never."""

    __slots__ = ("changed_from", "drawing", "gap", "is_expanded", "item", "lines", "look", "place")

    def __init__(self, item: Item, place: int) -> None:
        self.item = item
        self.place = place
        self.look = 0
        # How many lines it has, or a guess; blank lines behind them.
        self.lines = 0
        self.gap = 0
        self.is_expanded = False
        self.drawing: Drawing | None = None
        # The first line that is not as it was when the screen was last told.
        self.changed_from: int | None = None

    @property
    def id(self) -> str:
        return self.item.id

    @property
    def height(self) -> int:
        return self.lines + self.gap if self.lines else 0


class DrawnItems:
    def __init__(self, draw: DrawItem, look: Look) -> None:
        self._draw = draw
        self.look = look
        self._look_number = 1
        self.entries: list[DrawnItem] = []
        self._ids: list[str] = []
        self._by_id: dict[str, DrawnItem] = {}
        self._index = LineIndex()
        # By when they were looked at last.
        self._drawn: dict[DrawnItem, int] = {}
        self._lines_drawn = 0
        self._all_expanded = False

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def height(self) -> int:
        return self._index.total

    def entry(self, id: str) -> DrawnItem | None:
        return self._by_id.get(id)

    def has(self, entry: DrawnItem) -> bool:
        return self._by_id.get(entry.id) is entry

    def start(self, entry: DrawnItem) -> int:
        return self._index.start(entry.place)

    def find(self, line: int) -> tuple[DrawnItem, int] | None:
        place, at = self._index.find(line)
        return (self.entries[place], at) if place < len(self.entries) else None

    def is_measured(self, entry: DrawnItem) -> bool:
        return entry.look == self._look_number

    def use_look(self, look: Look) -> None:
        """All is drawn again with another look, once it is looked at."""
        self.look = look
        self._look_number += 1
        for entry in self._drawn:
            entry.drawing = None
        self._drawn.clear()
        self._lines_drawn = 0

    def clear(self) -> None:
        self.use_look(self.look)
        self.entries, self._ids, self._by_id, self._index = [], [], {}, LineIndex()
        self._all_expanded = False

    def apply(self, view: TranscriptView, changes: Changes, now: float) -> None:
        """Take over what was changed in a view. Which items there are, and in which order, is read from the view: after
        changes of several frames, and what nobody told (`drop_before`), that is right, too."""
        for item in changes.removed:
            self._forget(item.id)
        if changes.added or changes.removed or len(view.ids) != len(self.entries):
            self.order(view)
        for id in dict.fromkeys((*changes.added, *changes.changed, *changes.finished)):
            if id in self._by_id:
                self.update(view.item(id), now)

    def order(self, view: TranscriptView) -> None:
        """Take over which items there are. Those that stay keep their drawings; what stands in front of the first
        difference costs only a comparison of ids."""
        ids = view.ids
        place = _first_difference(self._ids, ids)
        left = self.entries[place:]
        known = {entry.id: entry for entry in left if self.has(entry)}
        for id in known:
            del self._by_id[id]
        del self.entries[place:]
        del self._ids[place:]
        self._index.cut(place)
        for id in ids[place:]:
            entry = known.pop(id, None)
            if entry is None:
                entry = DrawnItem(view.item(id), 0)
                entry.lines = self._guess(entry)
            entry.place = len(self.entries)
            self.entries.append(entry)
            self._ids.append(id)
            self._by_id[id] = entry
            self._index.add(entry.height)
        for entry in known.values():
            self._let_go(entry)
        self._set_gaps(max(0, place - 1))

    def update(self, item: Item, now: float) -> None:
        """Take over an item that was changed."""
        entry = self._by_id.get(item.id)
        if entry is None:
            return
        entry.item = item
        if entry.drawing is None:
            self._set_guess(entry)
            return
        before = entry.lines
        changed_from = entry.drawing.update(item, now)
        self._measure(entry)
        if changed_from < max(before, entry.lines):
            self._note_change(entry, changed_from)

    def drawing(self, entry: DrawnItem) -> Drawing:
        """The item's drawing. To be asked only for what is looked at: it is kept for a while."""
        drawing = entry.drawing
        if drawing is None:
            drawing = entry.drawing = self._draw(entry.item, self._look_of(entry))
            self._drawn[entry] = 0
            self._measure(entry)
        return drawing

    def measured(self, entry: DrawnItem) -> int:
        """The height of an item that is looked at."""
        self.drawing(entry)
        return entry.height

    def lines(self, entry: DrawnItem) -> Sequence[Strip]:
        return self.drawing(entry).lines

    def drawn_anew(self, item: Item, *, is_expanded: bool) -> Drawing:
        """A drawing that is not kept."""
        return self._draw(item, structs.replace(self.look, is_expanded=is_expanded))

    def drawn_text(self, item: Item) -> str:
        """An item as it is drawn unfolded, without what the width does to it."""
        drawing = self.drawn_anew(item, is_expanded=True)
        return joined_lines(drawing, range(len(drawing.lines)))

    def plain_lines(self) -> Iterator[str]:
        """All lines as they are drawn, without styles."""
        for entry in self.entries:
            yield from self._plain_lines_of(entry)

    def last_plain_lines(self, count: int) -> Sequence[str]:
        """The last of `plain_lines`: what is before them is not drawn for it."""
        items: list[Sequence[str]] = []
        found = 0
        for entry in reversed(self.entries):
            if found >= count:
                break
            items.append(list(self._plain_lines_of(entry)))
            found += len(items[-1])
        return [line for lines in reversed(items) for line in lines][-count:]

    def _plain_lines_of(self, entry: DrawnItem) -> Iterator[str]:
        drawing = entry.drawing or self.drawn_anew(entry.item, is_expanded=self.is_expanded(entry))
        yield from (strip.text.rstrip() for strip in drawing.lines)
        if drawing.lines:
            yield from ("",) * entry.gap

    def head_line(self, entry: DrawnItem) -> int:
        """The first line of an item that is not blank."""
        return next((at for at, strip in enumerate(self.lines(entry)) if strip.text.strip()), 0)

    def neighbour(self, entry: DrawnItem, by: int) -> DrawnItem | None:
        """The next item before it or behind it that has a line."""
        place = entry.place + by
        while 0 <= place < len(self.entries):
            if self.lines(self.entries[place]):
                return self.entries[place]
            place += by
        return None

    def visit(self, seen: Sequence[DrawnItem]) -> None:
        """These are on the screen: let drawings go that nobody has seen for long, where there are too many."""
        for entry in seen:
            if entry in self._drawn:
                # To the end of the order.
                self._drawn[entry] = self._drawn.pop(entry)
        if self._lines_drawn <= LINES_KEPT:
            return
        visible = set(seen)
        for entry in [entry for entry in self._drawn if entry.item.is_finished and entry not in visible]:
            self._let_go(entry)
            if self._lines_drawn <= LINES_KEPT:
                return

    def is_expanded(self, entry: DrawnItem) -> bool:
        return can_fold(entry.item) and entry.is_expanded != self._all_expanded

    def expand(self, entry: DrawnItem, is_expanded: bool) -> None:
        if can_fold(entry.item) and self.is_expanded(entry) != is_expanded:
            entry.is_expanded = not entry.is_expanded
            self._redraw(entry)

    def expand_all(self, is_expanded: bool) -> None:
        self._all_expanded = is_expanded
        for entry in self.entries:
            entry.is_expanded = False
            if can_fold(entry.item):
                self._redraw(entry)

    def any_folded(self) -> bool:
        return any(can_fold(entry.item) and not self.is_expanded(entry) for entry in self.entries)

    def _set_gaps(self, place: int) -> None:
        """From a place on, where other items have come to stand."""
        for at in range(place, len(self.entries)):
            entry = self.entries[at]
            gap = gap_between(entry.item, self.entries[at + 1].item) if at + 1 < len(self.entries) else 0
            if gap != entry.gap:
                entry.gap = gap
                self._index.set(at, entry.height)

    def _forget(self, id: str) -> None:
        """An item was taken out; one with its id that comes later is another."""
        entry = self._by_id.pop(id, None)
        if entry is not None:
            self._let_go(entry)
            self._ids[entry.place] = ""

    def _look_of(self, entry: DrawnItem) -> Look:
        is_expanded = self.is_expanded(entry)
        if is_expanded == self.look.is_expanded:
            return self.look
        return structs.replace(self.look, is_expanded=is_expanded)

    def _guess(self, entry: DrawnItem) -> int:
        is_expanded = self.is_expanded(entry)
        return guess_height(entry.item, self.look.width, self.look.output_lines, is_expanded=is_expanded)

    def _set_guess(self, entry: DrawnItem) -> None:
        entry.look, entry.lines = 0, self._guess(entry)
        self._index.set(entry.place, entry.height)

    def _redraw(self, entry: DrawnItem) -> None:
        self._let_go(entry)
        self._note_change(entry, 0)
        self._set_guess(entry)

    def _note_change(self, entry: DrawnItem, line: int) -> None:
        entry.changed_from = line if entry.changed_from is None else min(line, entry.changed_from)

    def _measure(self, entry: DrawnItem) -> None:
        assert entry.drawing is not None
        entry.look, entry.lines = self._look_number, len(entry.drawing.lines)
        self._lines_drawn += entry.lines - self._drawn[entry]
        self._drawn[entry] = entry.lines
        self._index.set(entry.place, entry.height)

    def _let_go(self, entry: DrawnItem) -> None:
        entry.drawing = None
        self._lines_drawn -= self._drawn.pop(entry, 0)


def _first_difference(mine: list[str], theirs: Sequence[str]) -> int:
    """Where two lists begin to differ: by halves, each compared at once."""
    low, high = 0, min(len(mine), len(theirs))
    while low < high:
        middle = (low + high + 1) // 2
        if mine[low:middle] == theirs[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
