"""Amounts in the unit that a parameter asks for: half a litre is 500 for `amount_ml`.

A model of this size copies the figure that it sees. Which unit is wanted stands in the parameter's name or description,
which unit was said in the question, and what lies between them is arithmetic.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from toolpost.models.embedded.notes import Note
from toolpost.models.embedded.notes_numbers import NUMBER, ZH_NUMBER, number, zh_number

from .wanted import about_of, is_figure, properties_of

MOST_CHARS = 2_000


class Unit(NamedTuple):
    kind: str
    size: Decimal


class Amount(NamedTuple):
    """`total` is counted in the smallest unit; it was said from `start` on."""

    kind: str
    total: Decimal
    start: int

    def in_units(self, unit: Unit) -> Decimal:
        return self.total / unit.size

    def may_be_meant_by(self, figure: Decimal) -> bool:
        """Whether this is the amount in some unit: the one that was said, or the one of the note."""
        return any(self.in_units(unit) == figure for unit in _UNITS.values() if unit.kind == self.kind)


# Pints, gallons, cups and 两 differ from place to place, and pounds are money too.
_SIZES = {
    "volume": {
        "1": "ml millilitre millilitres milliliter milliliters 毫升",
        "10": "cl centilitre centilitres centiliter centiliters",
        "1000": "l litre litres liter liters 公升 升",
    },
    "mass": {
        "1": "mg milligram milligrams 毫克",
        "1000": "g gram grams gramme grammes 克",
        "1000000": "kg kgs kilo kilos kilogram kilograms 公斤 千克",
        "500000": "斤",
        "1000000000": "tonne tonnes 吨",
        "28349.523125": "oz ounce ounces 盎司",
        "453592.37": "lb lbs 磅",
    },
    "length": {
        "1": "mm millimetre millimetres millimeter millimeters 毫米",
        "10": "cm centimetre centimetres centimeter centimeters 厘米 公分",
        "1000": "m metre metres meter meters 米",
        "1000000": "km kms kilometre kilometres kilometer kilometers 公里 千米",
        "25.4": "inch inches 英寸",
        "304.8": "ft foot feet 英尺",
        "914.4": "yard yards",
        "1609344": "mile miles 英里",
    },
    "time": {
        "1": "second seconds sec secs 秒",
        "60": "minute minutes min mins 分钟",
        "3600": "hour hours hr hrs 小时 钟头",
        "86400": "day days 天",
        "604800": "week weeks 周 星期 礼拜",
    },
    "calendar": {"1": "month months 月", "12": "year years 年"},
}
_UNITS = {
    word: Unit(kind, Decimal(size))
    for kind, sizes in _SIZES.items()
    for size, words in sizes.items()
    for word in words.split()
}
# In a name or a description these are more often a minimum, an hour of the day, a second one, the beginning of a word.
_DOUBTFUL = re.compile("[lgm]|mins?|sec|second|minute|hour|day|week|month|year|foot|[天周月年米升克斤]")
_LASTS = re.compile(r"duration|time|length|interval|delay|estimate|break|timeout", re.IGNORECASE)
_SAYS_THAT_IT_IS_ONE = re.compile(r"(?:\bin|[（(]|单位[:：是为]?|以)\s*$")
_FIGURE = re.compile(r"\d{1,18}(?:\.\d{1,9})?", re.ASCII)
_PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "three quarters": Decimal("0.75")}
_PER = re.compile(r"(?:\bper|\ban?|\beach|\bevery|/|每个?)\s*$")


def in_wanted_units(
    given: Mapping[str, Any], schema: Mapping[str, Any], question: str, notes: Sequence[Note]
) -> dict[str, Any]:
    """The arguments of a call, with every copied figure in the unit that its parameter names."""
    properties = properties_of(schema)
    # A tool that is told the unit takes the figure as it was said.
    if any("unit" in name.lower() for name in properties):
        return dict(given)
    amounts = list(amounts_in(question, notes)) if any(map(is_figure, given.values())) else []
    figures = {
        Decimal(figure) for text in (question, *(note.means for note in notes)) for figure in _FIGURE.findall(text)
    }
    return {
        name: _converted(value, name, properties.get(name, {}), amounts, figures)
        if amounts and is_figure(value)
        else value
        for name, value in given.items()
    }


def _converted(
    value: float, name: str, node: Mapping[str, Any], amounts: Sequence[Amount], figures: Collection[Decimal]
) -> float:
    unit = wanted_unit(name, about_of(node))
    if unit is None or value == node.get("default"):
        return value
    figure = Decimal(str(value))
    said = [amount for amount in amounts if amount.kind == unit.kind]
    if any(amount.in_units(unit) == figure for amount in said):
        return value
    meant = {amount.in_units(unit) for amount in said if amount.may_be_meant_by(figure)}
    if not meant and figure not in figures:
        # Nobody said that figure: it can only be a wrong reading of what was said.
        meant = {amount.in_units(unit) for amount in said}
    if len(meant) != 1:
        return value
    wanted = as_json(meant.pop())
    return value if node.get("type") == "integer" and not isinstance(wanted, int) else wanted


def as_json(figure: Decimal) -> float:
    wanted = round(figure, 2)
    return int(wanted) if wanted == wanted.to_integral_value() else float(wanted)


def wanted_unit(name: str, description: str) -> Unit | None:
    """The unit that the name of a parameter says, else its description, if that is one and no other."""
    *before, last = re.findall(r"[A-Z]?[a-z]+", name) or [""]
    units = {
        _UNITS[word] for part in (*before, last) if (word := part.lower()) in _UNITS and not _DOUBTFUL.fullmatch(word)
    }
    # The weight_g, the duration_min: behind what is measured stands its unit.
    if before and last in _UNITS and (last != "min" or _LASTS.search(before[-1])):
        units.add(_UNITS[last])
    units = units or set(_units_named(description.lower()))
    return units.pop() if len(units) == 1 else None


def _units_named(description: str) -> Iterator[Unit]:
    for match in _unit_words().finditer(description):
        before = description[: match.start()]
        is_one = _SAYS_THAT_IT_IS_ONE.search(before) or description.startswith("数", match.end())
        if not _PER.search(before) and (is_one or not _DOUBTFUL.fullmatch(match[0])):
            yield _UNITS[match[0]]


def amounts_in(question: str, notes: Sequence[Note]) -> Iterator[Amount]:
    """What the question says with a unit: as it stands, and as it was noted."""
    text = question[:MOST_CHARS].lower()
    noted = [(note.said.lower(), *note.means.partition(" ")[::2]) for note in notes]
    for said, figure, word in noted:
        if word in _UNITS:
            unit = _UNITS[word]
            yield Amount(unit.kind, Decimal(figure) * unit.size, text.find(said))
    for match in _amounts().finditer(text):
        unit, many = _UNITS[match["unit"] or match["zh_unit"] or match["metre"]], _many(match)
        if many is not None and not any(word and match[0] in said for said, _, word in noted):
            yield Amount(unit.kind, many * unit.size, match.start())


def _many(match: re.Match[str]) -> Decimal | None:
    if match["metres"]:
        return Decimal(f"{match['metres']}.{match['parts']}")
    if match["part"]:
        return _PARTS[match["part"]]
    if said := match["n"]:
        many = Decimal(1) if said in ("a", "an") else number(said)
        return many + _PARTS.get(match["more"] or "", 0)
    many = _PARTS["half"] if match["zh_n"] == "半" else zh_number(match["zh_n"])
    return None if many is None else many + (_PARTS["half"] if match["zh_half"] or match["zh_more"] else 0)


# Compiled at their first use: at import they would keep every start waiting.
@cache
def _unit_words() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_longest_first(english=True)})\b|{_longest_first(english=False)}", re.ASCII)


@cache
def _amounts() -> re.Pattern[str]:
    return re.compile(
        r"(?<![\w.])(?:(?:(?:an? |one )?(?P<part>half|quarter|three quarters)(?: of)?(?: an?)?)"
        rf"|(?P<n>{NUMBER}|an?))[ -]?(?P<unit>{_longest_first(english=True)})\b"
        r"(?: and an? (?P<more>half|quarter)\b)?"
        # 1m62, 1米62
        r"|(?<![\d.])(?P<metres>\d) ?(?P<metre>m|米)(?P<parts>\d{1,2})(?!\d)"
        rf"|(?P<zh_n>{ZH_NUMBER}|半)个?(?P<zh_half>半)?(?P<zh_unit>{_longest_first(english=False)})(?!\d)(?P<zh_more>半)?",
        re.ASCII,
    )


def _longest_first(*, english: bool) -> str:
    return "|".join(sorted((word for word in _UNITS if word.isascii() == english), key=len, reverse=True))
