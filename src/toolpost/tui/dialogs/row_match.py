"""Fuzzy search over the rows of a list: which rows have the letters of a query, in which places, the best first."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from toolpost.fuzzy import FuzzyList, fuzzy_match
from toolpost.tui.drawing.lines import OnDemand
from toolpost.view.escape_codes import clean

from .text_lines import TAB

# More rows than a screen shows: their order is exact.
_COMPARED = 100


class PickerRow(Struct, frozen=True):
    """A row of a list. Texts are plain, and shown on one line."""

    id: str
    label: str
    detail: str = ""
    is_current: bool = False
    tags: tuple[str, ...] = ()


class FoundRow(Struct, frozen=True, gc=False):
    """A row, what is shown of it, and the places of the letters that match in that."""

    row: PickerRow
    label: str
    detail: str
    in_label: tuple[int, ...] = ()
    in_detail: tuple[int, ...] = ()


class RowMatches:
    """The rows that match: by their label first, then by detail and tags, then by both."""

    def __init__(self, rows: Sequence[PickerRow]) -> None:
        self.rows = rows
        self.labels = FuzzyList([_line(row.label) for row in rows])
        self.details = FuzzyList([_detail(row) for row in rows])

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, query: str) -> "FoundRows":
        by_label = self.labels.order(query, _COMPARED)
        words = query.split()
        if not words:
            return FoundRows(self, (), by_label)
        by_detail = self.details.order(query, max(0, _COMPARED - len(by_label)))
        found = dict.fromkeys((*by_label, *by_detail))
        if len(words) > 1:
            found.update(dict.fromkeys(self._in_both(words, [at for at in range(len(self)) if at not in found])))
        return FoundRows(self, words, tuple(found))

    def _in_both(self, words: Sequence[str], among: Sequence[int]) -> Sequence[int]:
        """Those that have each word in the label or in the detail."""
        for word in words:
            among = sorted({*self.labels.fitting(word, among), *self.details.fitting(word, among)})
        return among


class FoundRows(OnDemand[FoundRow]):
    """What was found. Where the letters stand is looked up for rows that are shown."""

    def __init__(self, matches: RowMatches, words: Sequence[str], indexes: Sequence[int]) -> None:
        self._matches, self._words, self._indexes = matches, words, indexes

    @property
    def rows(self) -> Sequence[PickerRow]:
        return [self._matches.rows[index] for index in self._indexes]

    def __len__(self) -> int:
        return len(self._indexes)

    def at(self, place: int) -> FoundRow:
        index = self._indexes[place]
        label, detail = self._matches.labels.texts[index], self._matches.details.texts[index]
        in_label = {word: fuzzy_match(word, label) for word in self._words}
        in_detail = [fuzzy_match(word, detail) or () for word, places in in_label.items() if places is None]
        return FoundRow(
            self._matches.rows[index],
            label,
            detail,
            _together(places or () for places in in_label.values()),
            _together(in_detail),
        )


def _together(places: Iterable[Sequence[int]]) -> tuple[int, ...]:
    return tuple(sorted({at for some in places for at in some}))


def _detail(row: PickerRow) -> str:
    return _line("  ".join(one for one in (row.detail, *row.tags) if one))


def _line(text: str) -> str:
    return clean(text).replace("\n", " ").replace("\t", TAB)
