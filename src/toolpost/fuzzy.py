"""Fuzzy matching for pickers and files: texts that have the letters of a query in order, the best match first."""

import re
from collections.abc import Iterable, Sequence
from heapq import nsmallest

from msgspec import Struct

# So many of the shortest texts are compared exactly where a query fits more of them equally well.
MAX_COMPARED = 200
# A word begins here: after a sign, at a capital after a small letter, at a digit after a letter.
_STARTS = re.compile(r"(?<![^\W_])[^\W_]|(?<=[a-z0-9])[A-Z]|(?<=[A-Za-z])[0-9]")


class FuzzyMatch(Struct, frozen=True):
    """A text that fits. `positions` are its letters that the query asked for, in order."""

    index: int
    text: str
    positions: tuple[int, ...]


class FuzzyList:
    """Texts to search, such as paths. A query that goes on from the last one looks only at what fitted that."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._low = [_low(text) for text in texts]
        self._names = [low.rstrip("/").rpartition("/")[2] for low in self._low]
        self._lengths = list(map(len, self._low))
        self._initials: dict[int, str] = {}
        self._last: tuple[str, Sequence[int]] = ("", range(len(texts)))

    def best(self, query: str, limit: int) -> list[FuzzyMatch]:
        """At most `limit` texts that fit, the best first. Every word of the query has to fit; case does not count."""
        words = [_low(word) for word in query.split()]
        if not words:
            return [FuzzyMatch(index, self.texts[index], ()) for index in self._without_query(limit)]
        fitting = self._fitting(" ".join(words), words)
        found: list[FuzzyMatch] = []
        for group in self._groups(words[0], fitting):
            if len(found) >= limit:
                break
            found += self._ranked(words, group, limit - len(found))
        return found

    def order(self, query: str, compared: int = MAX_COMPARED) -> Sequence[int]:
        """The indexes of all that fit, for a list that shows all of them: so many of the best first, then the others as
        they came. Without a query all stand as they came."""
        words = [_low(word) for word in query.split()]
        if not words:
            return range(len(self.texts))
        fitting = self._fitting(" ".join(words), words)
        found: list[int] = []
        groups = iter(self._groups(words[0], fitting))
        while len(found) < min(compared, len(fitting)):
            group = next(groups)
            best = [match.index for match in self._ranked(words, group, compared - len(found))]
            found += [*best, *_without(group, best)]
        return [*found, *_without(fitting, found)]

    def fitting(self, word: str, among: Sequence[int]) -> Sequence[int]:
        """Those of these that have the letters of a word in order."""
        return _with_letters(_low(word), self._low, among)

    def _without_query(self, limit: int) -> Sequence[int]:
        """What is near the top first, else as the texts came."""
        return sorted(range(len(self.texts)), key=lambda index: self.texts[index].rstrip("/").count("/"))[:limit]

    def _fitting(self, query: str, words: Sequence[str]) -> Sequence[int]:
        last, kept = self._last
        if not query.startswith(last):
            kept = range(len(self.texts))
        for word in words:
            kept = _with_letters(word, self._low, kept)
        self._last = query, kept
        return kept

    def _groups(self, word: str, fitting: Sequence[int]) -> Iterable[Sequence[int]]:
        """Those that fit by how well, each group only made if it is needed: the name begins with the word; a word or
        its folder does; initials of the name; in the name; in the path; letters here and there."""
        low, names = self._low, self._names
        begins = [index for index in fitting if names[index].startswith(word)]
        yield begins
        rest = _without(fitting, begins)
        within = [index for index in rest if word in low[index]]
        starts = re.compile(rf"(?<![^\W_]){re.escape(word)}").search
        at_word = [index for index in within if starts(low[index])]
        yield at_word
        scattered = _without(rest, within)
        if len(word) > 1:
            initials = [index for index in scattered if word in self._initials_of(index)]
            yield initials
            scattered = _without(scattered, initials)
        within = _without(within, at_word)
        in_name = [index for index in within if word in names[index]]
        yield in_name
        yield _without(within, in_name)
        yield scattered

    def _ranked(self, words: Sequence[str], group: Sequence[int], limit: int) -> list[FuzzyMatch]:
        texts = self.texts
        if len(group) > MAX_COMPARED:
            group = sorted(group, key=self._lengths.__getitem__)[: max(MAX_COMPARED, limit)]
        ranked: list[tuple[int, int, str, int, tuple[int, ...]]] = []
        for index in group:
            positions = tuple(sorted({at for word in words for at in _positions(word, texts[index], self._low[index])}))
            ranked.append((-_score(texts[index], positions), len(texts[index]), texts[index], index, positions))
        return [FuzzyMatch(index, text, positions) for _, _, text, index, positions in nsmallest(limit, ranked)]

    def _initials_of(self, index: int) -> str:
        if index not in self._initials:
            name = self.texts[index].rstrip("/").rpartition("/")[2]
            self._initials[index] = "".join(_STARTS.findall(name)).lower()
        return self._initials[index]


def fuzzy_match(query: str, text: str) -> tuple[int, ...] | None:
    """The positions of the letters that the query asks for, or None where the text does not fit."""
    found = FuzzyList([text]).best(query, 1)
    return found[0].positions if found else None


def _low(text: str) -> str:
    """Small letters, as many as there were: a position has to be that of the text."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(one if len(one) == 1 else "?" for one in map(str.lower, text))


def _with_letters(word: str, texts: Sequence[str], among: Sequence[int]) -> Sequence[int]:
    """Those with the letters in order. Whether a letter is there at all is cheap to see, and leaves few."""
    for letter in sorted(set(word), key=_COMMON.find):
        among = [index for index in among if letter in texts[index]]
    if len(set(word)) == len(word) == 1:
        return among
    # Nothing is tried twice: `*+` does not go back.
    in_order = re.compile("".join(f"[^{re.escape(letter)}]*+{re.escape(letter)}" for letter in word)).match
    return [index for index in among if in_order(texts[index])]


# Letters as often as paths have them: what is not among them is rare, and is looked for first.
_COMMON = "zxqjkvwyhbgufmdlpcn/iras.oet"


def _positions(word: str, text: str, low: str) -> Sequence[int]:
    """The place that a person means most likely: in a row, in the name, at the beginning of a word."""
    name = low.rstrip("/").rfind("/") + 1
    if low.startswith(word, name):
        return range(name, name + len(word))
    if word in low:
        places = [found.start() for found in re.finditer(f"(?={re.escape(word)})", low)]
        at = max(places, key=lambda place: (_is_start(text, place), place >= name, -place))
        return range(at, at + len(word))
    begin = name if _spread(word, text, low, name) else 0
    return _spread(word, text, low, begin)


def _spread(word: str, text: str, low: str, begin: int) -> Sequence[int]:
    """One place for each letter: the beginning of a word where what is left still fits behind it, else the next one."""
    last = _latest(word, low, begin)
    if not last:
        return ()
    found: list[int] = []
    at = begin
    for letter, latest in zip(word, last, strict=True):
        places = [place for place in range(at, latest + 1) if low[place] == letter]
        starts = [place for place in places if _is_start(text, place)]
        is_next = bool(found) and places[0] == at
        at = places[0] if is_next or not starts else starts[0]
        found.append(at)
        at += 1
    return found


def _latest(word: str, low: str, begin: int) -> list[int]:
    """The last place that each letter can have; nothing where they do not fit."""
    places: list[int] = []
    end = len(low)
    for letter in reversed(word):
        end = low.rfind(letter, begin, end)
        if end < 0:
            return []
        places.append(end)
    return places[::-1]


def _score(text: str, positions: Sequence[int]) -> int:
    name = text.rstrip("/").rfind("/") + 1
    score, before = 0, -2
    for at in positions:
        score += 8 * _is_start(text, at) + 2 * (at >= name)
        score += 6 if at == before + 1 else -min(at - before, 4)
        before = at
    return score


def _is_start(text: str, at: int) -> bool:
    if not at:
        return True
    before, here = text[at - 1], text[at]
    return not before.isalnum() or (here.isupper() and before.islower()) or (here.isdigit() and not before.isdigit())


def _without(some: Sequence[int], others: Sequence[int]) -> Sequence[int]:
    gone = set(others)
    return [index for index in some if index not in gone] if gone else some
