"""Fuzzy search over the rows of a list: which rows have the letters of a query, in which places, the best first."""

from collections.abc import Sequence

from msgspec import Struct

from toolpost.view.escape_codes import clean

from .text_lines import TAB

# A match in the detail or the tags is worth less than any in the label.
_DETAIL_PENALTY = 1_000.0


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
    """The rows that match. A query that goes on from the last one looks only at what that has found."""

    def __init__(self, rows: Sequence[PickerRow]) -> None:
        self._all = tuple(FoundRow(row, _line(row.label), _detail(row)) for row in rows)
        self._query = ""
        self._last: Sequence[FoundRow] = self._all

    def __len__(self) -> int:
        return len(self._all)

    def find(self, query: str) -> Sequence[FoundRow]:
        wanted = query.strip()
        if not wanted:
            self._query, self._last = "", self._all
            return self._all
        among = self._last if self._query and wanted.startswith(self._query) else self._all
        scored = [(score, at, found) for at, one in enumerate(among) for score, found in _matches(wanted, one)]
        # Among equals the order of the list stays.
        scored.sort(key=lambda one: (-one[0], one[1]))
        self._query, self._last = wanted, [found for _, _, found in scored]
        return self._last


def match(query: str, text: str) -> tuple[float, tuple[int, ...]] | None:
    """How well the letters of the query stand in this order in the text, and where; None where they do not. Words of
    the query may stand in any order."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower()[:1] for char in text)
    total, places = 0.0, set[int]()
    for word in query.lower().split():
        found = _word(word, text, lowered)
        if found is None:
            return None
        total += found[0]
        places.update(found[1])
    return total - len(text) / 100, tuple(sorted(places))


def _matches(query: str, row: FoundRow) -> list[tuple[float, FoundRow]]:
    found = match(query, row.label)
    if found is not None:
        return [(found[0], FoundRow(row.row, row.label, row.detail, found[1]))]
    found = match(query, row.detail) if row.detail else None
    if found is not None:
        return [(found[0] - _DETAIL_PENALTY, FoundRow(row.row, row.label, row.detail, (), found[1]))]
    both = match(query, f"{row.label} {row.detail}") if " " in query else None
    if both is None:
        return []
    end = len(row.label)
    in_label = tuple(at for at in both[1] if at < end)
    in_detail = tuple(at - end - 1 for at in both[1] if at > end)
    return [(both[0] - _DETAIL_PENALTY, FoundRow(row.row, row.label, row.detail, in_label, in_detail))]


def _word(word: str, text: str, lowered: str) -> tuple[float, tuple[int, ...]] | None:
    whole = lowered.find(word)
    if whole >= 0:
        begins = whole == 0 or not text[whole - 1].isalnum()
        return 10.0 * len(word) + (20 if begins else 5), tuple(range(whole, whole + len(word)))
    at, score, places = -1, 0.0, list[int]()
    for char in word:
        place = lowered.find(char, at + 1)
        if place < 0:
            return None
        begins = place == 0 or not text[place - 1].isalnum() or (text[place].isupper() and text[place - 1].islower())
        score += (6 if begins else 0) + (4 if place == at + 1 and places else 1)
        places.append(place)
        at = place
    return score - (places[-1] - places[0]) / 10, tuple(places)


def _detail(row: PickerRow) -> str:
    return _line("  ".join(one for one in (row.detail, *row.tags) if one))


def _line(text: str) -> str:
    return clean(text).replace("\n", " ").replace("\t", TAB)
