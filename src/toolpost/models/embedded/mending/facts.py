"""The figures, days and times that a question names, each with its place, and which of them the calls have used."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple, cast

from toolpost.models.embedded.notes import Note, set_aside

from .measures import Amount, Unit, amounts_in
from .wanted import Kind, is_figure

MOST_FACTS = 40
# What a note says: a figure, perhaps with its unit, a day, a month or a time.
_MEANING = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2})|(?P<month>\d{4}-\d{2})|(?P<time>\d{2}:\d{2})|(?P<number>-?\d+(?:\.\d+)?)%?\D{0,12}",
    re.ASCII,
)
_PLAIN = re.compile(
    r"(?<![\w.:/-])(?:(?P<date>\d{4}-\d{2}-\d{2})|(?P<time>\d{1,2}:\d{2})|(?P<number>\d{1,15}(?:\.\d{1,6})?))"
    r"(?![\w:/]|\.\d|-\d)"
    # Chinese signs are letters to a pattern, and no part of a figure.
    r"|(?P<zh_number>(?<![\x00-\x7f])\d{1,15}(?:\.\d{1,6})?(?=[\u3400-\u9fff])|(?<![\w.:/-])\d{1,15}(?:\.\d{1,6})?"
    r"(?=[\u3400-\u9fff]))"
)
_FIGURE = re.compile(r"\d{1,18}(?:\.\d{1,9})?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}(?:-\d{2})?", re.ASCII)
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MONEY = r"[块元$€£¥]?"
# Before and behind a figure.
_MOST = (
    re.compile(
        r"(?:under|below|up to|at most|less than|cheaper than|no more than|max(?:imum)?|不超过|别超过|不到) ?[$€£¥]?$",
        re.IGNORECASE,
    ),
    re.compile(rf"{_MONEY}(?:以下|以内|之内| or less| max)"),
)
_LEAST = (
    re.compile(r"(?:over|above|at least|more than|from|min(?:imum)?|不低于|至少|最少|超过) ?[$€£¥]?$", re.IGNORECASE),
    re.compile(rf"{_MONEY}(?:以上|起| or more|\+)"),
)
# An article more often than a count.
_ARTICLES = frozenset({"1", "one", "a", "an", "一"})


class Fact(NamedTuple):
    """`plain` as a call writes it, `said` as it stands in the question from `start` on, `amount` with its unit."""

    kind: Kind
    plain: str
    said: str
    start: int
    amount: Amount | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.said)

    @property
    def is_share(self) -> bool:
        return self.said.rstrip().endswith(("%", "percent"))

    @property
    def value(self) -> Any:
        """As JSON has it."""
        if self.kind != "number":
            return self.plain
        return float(self.plain) if "." in self.plain else int(self.plain)


class Facts:
    """What was said: `question` is answered now, `before` is everything else that was said or read."""

    def __init__(self, question: str, notes: Sequence[Note], before: str = "", today: str = "") -> None:
        self.today = today
        amounts = {amount.start: amount for amount in amounts_in(question, notes)}
        found = {fact.start: fact for fact in _facts(question, notes)}
        # A list of a hundred figures is no question about them.
        self._all = [
            fact._replace(amount=amounts.get(start) if fact.kind == "number" else None)
            for start, fact in sorted(found.items())[:MOST_FACTS]
        ]
        self._amounts = list(amounts.values())
        told = [note.means for note in notes if not _DAY.fullmatch(note.means)]
        texts = [_DAY.sub(" ", _GROUPED.sub("", text)) for text in (_unnoted(question, notes), before, *told)]
        self._figures = {Decimal(figure) for text in texts for figure in _FIGURE.findall(text)}
        self._days = {note.means for note in notes}
        self._words = f"{question}\n{before}"
        # A telephone number may be said with gaps.
        self._digits = re.sub(r"(?<=\d)[ ,()-]+(?=\d)", "", " ; ".join([self._words, *self._days])) + self._words

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._all)

    def has_figure(self, figure: float) -> bool:
        """Whether a number was said, in whatever unit."""
        exact = abs(Decimal(str(figure)))
        # Ten per cent are noted as 0.1.
        is_said = exact in self._figures or exact / 100 in self._figures
        return is_said or any(amount.may_be_meant_by(exact) for amount in self._amounts)

    def whole_of(self, figure: float) -> float:
        """The fact that a figure was torn out of: of "17 and a half" the 17."""
        found = [
            fact
            for fact in self._all
            if fact.kind == "number" and Decimal(str(figure)) in map(Decimal, _FIGURE.findall(fact.said))
        ]
        return found[0].value if len(found) == 1 else figure

    def is_only_a_share(self, figure: float) -> bool:
        """Whether a figure was said as a percentage alone."""
        said = [fact for fact in self._all if is_said_by(fact, figure)]
        return bool(said) and all(fact.is_share for fact in said)

    def bound_of(self, figure: float) -> str | None:
        """ "max" for a figure that was said to be the most, "min" for the least, None where neither was."""
        for fact in self._all:
            if is_said_by(fact, figure):
                around = self._words[max(0, fact.start - 16) : fact.start], self._words[fact.end : fact.end + 6]
                if _MOST[0].search(around[0]) or _MOST[1].match(around[1]):
                    return "max"
                if _LEAST[0].search(around[0]) or _LEAST[1].match(around[1]):
                    return "min"
        return None

    def is_another_measure(self, figure: float, unit: Unit | None) -> bool:
        """Whether a figure was said with a unit of another kind alone: 27 minutes are no kilometres."""
        said = [fact for fact in self._all if is_said_by(fact, figure)]
        return unit is not None and bool(said) and all(fact.amount and fact.amount.kind != unit.kind for fact in said)

    def has_day(self, day: str) -> bool:
        """Whether a day was said: so, in words that were noted, or at least its month or its number."""
        is_noted = any(day[:7] in known for known in self._days) or day in self._words
        return is_noted or Decimal(day[8:]) in self._figures

    def has_time(self, time: str) -> bool:
        """Whether a time was said: in words that were noted, as 6.20, or as a bare hour."""
        hour, minute = int(time[:2]), time[3:]
        is_written = re.search(rf"(?<!\d)0?{hour}[.:h ]{minute}(?!\d)", self._words) is not None
        is_bare = not {Decimal(hour), Decimal(hour % 12)}.isdisjoint(self._figures)
        return time in self._days or is_written or is_bare

    def has_digits(self, digits: str) -> bool:
        """Whether these stand anywhere in what was said, or in what it means."""
        return digits in self._digits

    def reasons(self, calls: Iterable[Mapping[str, Any]]) -> list[Fact]:
        """What is in no call and may want one: among amounts a bare figure only counts ("two glasses, 250 ml each")."""
        has_amounts = any(fact.amount is not None for fact in self._all)
        return [
            fact for fact in self.left(calls) if fact.kind != "number" or fact.amount is not None or not has_amounts
        ]

    def left(self, calls: Iterable[Mapping[str, Any]]) -> list[Fact]:
        """Those that are in no call."""
        values = [value for arguments in calls for value in leaves(arguments)]
        return [
            fact
            for fact in self._all
            if fact.said.lower() not in _ARTICLES and not any(is_said_by(fact, value) for value in values)
        ]

    def with_unit(self, fact: Fact) -> Fact:
        """ "4 minutes for the eggs, 10 for the potatoes": a bare figure among amounts of one kind has their unit."""
        others = [other for other in self._all if other.amount is not None and Decimal(other.plain)]
        sizes = {(other.amount.kind, other.amount.total / Decimal(other.plain)) for other in others if other.amount}
        if fact.kind != "number" or fact.amount is not None or len(sizes) != 1:
            return fact
        [(kind, size)] = sizes
        return fact._replace(amount=Amount(kind, size * Decimal(fact.plain), fact.start))


def is_said_by(fact: Fact, value: Any) -> bool:
    """Whether an argument says this fact."""
    if isinstance(value, str):
        return fact.plain in value or fact.said.casefold() in value.casefold()
    if not is_figure(value) or fact.kind != "number":
        return False
    figure, said = Decimal(str(value)), Decimal(fact.plain)
    return figure in (said, said * 100) or (fact.amount is not None and fact.amount.may_be_meant_by(figure))


def leaves(node: Any) -> Iterator[Any]:
    """The values of arguments, of lists and objects in them too."""
    if isinstance(node, Mapping):
        for value in cast("Mapping[str, Any]", node).values():
            yield from leaves(value)
    elif isinstance(node, list):
        for value in cast("list[Any]", node):
            yield from leaves(value)
    else:
        yield node


def _unnoted(question: str, notes: Sequence[Note]) -> str:
    """Without what was noted: the 14 of "14 euros 60" is no figure by itself."""
    for note in notes:
        question = question.replace(note.said, " ")
    return question


def _facts(question: str, notes: Sequence[Note]) -> Iterator[Fact]:
    taken: list[tuple[int, int]] = []
    at = 0
    for note in notes:
        start = question.find(note.said, at)
        found = _MEANING.fullmatch(note.means)
        if start < 0:
            continue
        at = start + 1
        taken.append((start, start + len(note.said)))
        if found and found.lastgroup:
            yield Fact(cast("Kind", found.lastgroup), found[found.lastgroup], note.said, start)
    for found in _PLAIN.finditer(set_aside(question)):
        group = found.lastgroup or ""
        if not any(start < found.end() and found.start() < end for start, end in taken):
            yield Fact(cast("Kind", group.removeprefix("zh_")), found[0], found[0], found.start())
