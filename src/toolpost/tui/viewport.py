"""Which lines of a transcript are on the screen, and why: it follows the end, or it keeps what a person reads in place.

What is read is kept as an item and a line of it, not as a number of lines from the top: so it stays where it is while
guessed heights become exact, items come in front or go, and others are folded. Before anything is shown, all that is
on the screen is drawn, and so is what is scrolled over.
"""

import sys
from collections.abc import Sequence

from textual.strip import Strip

from toolpost.tui.drawing.contract import Look

from .drawn_items import DrawnItem, DrawnItems

# New items out of sight that are drawn to count their lines, each time.
COUNTED_ITEMS = 50
# In higher items the place is kept in proportion when the width changes.
LETTERS_LINES = 5_000


class Viewport:
    def __init__(self, items: DrawnItems) -> None:
        self._items = items
        self.height = 0
        # The first line that is shown.
        self.top = 0
        self.is_following = True
        self.rows: list[tuple[DrawnItem, int]] = []
        self._entry: DrawnItem | None = None
        self._line = 0
        # What stands in front of that line in its item, while the width changes: it finds it again at any width.
        self._letters: int | float | None = None
        self._seen: tuple[DrawnItem, int] | None = None

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def restart(self) -> None:
        self.top, self.is_following, self.rows = 0, True, []
        self._entry, self._line, self._letters, self._seen = None, 0, None, None

    def use_look(self, look: Look) -> None:
        """Draw anew, with what is read in place."""
        entry = self._entry
        if not self.is_following and entry is not None and self._items.has(entry) and self._letters is None:
            self._letters = _letters_before(self._items.lines(entry), self._line)
        if self._seen is not None:
            # Which part of that item was seen is not known at another width: all of it.
            self._seen = self._seen[0], sys.maxsize
        self._items.use_look(look)

    def hold(self) -> None:
        """Keep the first line in place, also at the end."""
        if self.rows:
            self._keep(*self.rows[0])

    def follow(self) -> None:
        self.is_following = True
        self._letters = None

    def settle(self) -> None:
        """Take over what was changed in the items: draw what is on the screen and find out which lines that are."""
        items = self._items
        if not items.entries or self.height <= 0:
            self.top, self.rows, self._entry = 0, [], None
            self.is_following = self.is_following or not items.entries
            return
        last = max(0, items.height - self.height)
        if self.is_following:
            self._draw_above(len(items), 0, self.height)
            self.top = last = max(0, items.height - self.height)
        else:
            self.top = self._place_of_what_is_read()
            last = max(0, items.height - self.height)
        is_at_end = self.top >= last
        self.top = max(0, min(self.top, last))
        if is_at_end and self._letters is None:
            self.is_following = True
        self.rows = self._visible()
        if self._letters is None and self.rows:
            self._entry, self._line = self.rows[0]
        if self.is_following:
            self._seen = items.entries[-1], items.entries[-1].height
        items.visit(list(dict.fromkeys(entry for entry, _ in self.rows)))

    def scroll_by(self, lines: int) -> None:
        if not self.rows:
            return
        entry, line = self.rows[0]
        if lines < 0:
            self._draw_above(entry.place, line, -lines)
        self.go_to(self._items.start(entry) + line + lines)

    def go_to(self, line: int) -> None:
        """Show what begins with this line, as heights are known or guessed now."""
        found = self._items.find(max(0, line))
        if found is None:
            self.follow()
        else:
            self._keep(*found)
        self.settle()

    def place_at(self, entry: DrawnItem, line: int, row: int) -> None:
        """Show a line of an item in this row of the screen, as far as there is enough before and after it."""
        self._items.drawing(entry)
        self._draw_above(entry.place, line, row)
        self.go_to(self._items.start(entry) + line - row)

    def reveal(self, entry: DrawnItem, line: int, *, is_centred: bool = False) -> None:
        """Scroll to a line of an item if it is not on the screen."""
        self._items.drawing(entry)
        at = self._items.start(entry) + line
        if self.top <= at < self.bottom:
            return
        row = self.height // 2 if is_centred else 0 if at < self.top else self.height - 1
        self.place_at(entry, line, row)

    def step(self, entry: DrawnItem, line: int, by: int) -> tuple[DrawnItem, int]:
        """The line that is so many lines below another, or above it."""
        if by < 0:
            self._draw_above(entry.place, line, -by)
        else:
            self._draw_below(entry.place, line + by)
        at = self._items.start(entry) + line + by
        found = self._items.find(max(0, min(at, self._items.height - 1)))
        return found or (entry, line)

    def new_lines(self) -> int:
        """How many lines are below the screen that were not there when it followed the end last."""
        if self.is_following or self._seen is None or not self._items.entries:
            return 0
        entry, height = self._seen
        items = self._items
        if not items.has(entry):
            if not entry.place:
                return max(0, items.height - self.bottom)
            entry = items.entries[min(entry.place, len(items)) - 1]
            height = entry.height
        for later in items.entries[entry.place + 1 : entry.place + 1 + COUNTED_ITEMS]:
            if not items.is_measured(later):
                items.drawing(later)
        end = items.start(entry) + min(height, entry.height)
        return max(0, items.height - max(end, self.bottom))

    def _keep(self, entry: DrawnItem, line: int) -> None:
        self.is_following, self._letters = False, None
        self._entry, self._line = entry, line

    def _place_of_what_is_read(self) -> int:
        items, entry, line = self._items, self._entry, self._line
        if entry is None or not items.has(entry):
            # It was taken out: what came after it stands in its place.
            place = min(entry.place, len(items) - 1) if entry is not None else 0
            entry, line = items.entries[place], 0
            self._keep(entry, line)
        height = items.measured(entry)
        if self._letters is not None:
            line = _line_after(items.lines(entry), self._letters)
        self._line = line = max(0, min(line, height - 1))
        missing = self._draw_below(entry.place, line)
        if missing > 0:
            self._draw_above(entry.place, line, missing)
        return items.start(entry) + line

    def _draw_below(self, place: int, line: int) -> int:
        """Draw what fills the screen from a line on; returns how many lines are missing for that."""
        missing, entries = self.height + line, self._items.entries
        while missing > 0 and place < len(entries):
            missing -= self._items.measured(entries[place])
            place += 1
        return missing

    def _draw_above(self, place: int, line: int, lines: int) -> None:
        """Draw so many lines in front of one."""
        lines -= line
        while lines > 0 and place > 0:
            place -= 1
            lines -= self._items.measured(self._items.entries[place])

    def _visible(self) -> list[tuple[DrawnItem, int]]:
        found = self._items.find(self.top)
        if found is None:
            return []
        entry, line = found
        rows: list[tuple[DrawnItem, int]] = []
        place = entry.place
        while len(rows) < self.height and place < len(self._items):
            entry = self._items.entries[place]
            height = min(entry.height, line + self.height - len(rows))
            rows += [(entry, at) for at in range(line, height)]
            place, line = place + 1, 0
        return rows


def _letters_before(lines: Sequence[Strip], line: int) -> int | float:
    """The letters in the lines before one: borders and blanks, which depend on the width, are none. In an item with
    very many lines, which part of them that is."""
    if len(lines) > LETTERS_LINES:
        return line / len(lines)
    if line >= len(lines):
        # Behind all of them.
        return 1.0
    return sum(_letters(strip) for strip in lines[:line])


def _line_after(lines: Sequence[Strip], letters: int | float) -> int:
    if isinstance(letters, float):
        return int(letters * len(lines))
    if not letters:
        return 0
    for line, strip in enumerate(lines):
        letters -= _letters(strip)
        if letters < 0:
            return line
    return len(lines) - 1


def _letters(strip: Strip) -> int:
    return sum(map(str.isalnum, strip.text))
