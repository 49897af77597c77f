"""The plain kinds of values: figures, choices, words from a pool, lists and records."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .family import Draw, Drawn, Form, Kind
from .speech import spoken_list, spoken_number

STRING: dict[str, Any] = {"type": "string"}
MOST_WORDS_OF_A_NAME = 3


def meant(drawn: Drawn) -> Any:
    return drawn.meaning


@dataclass(frozen=True)
class Integer:
    """A whole number; said in figures, in words, with separators, or with its magnitude."""

    low: int
    high: int
    step: int = 1

    def draw(self, draw: Draw) -> Drawn:
        value = draw.rng.randrange(self.low, self.high + 1, self.step)
        return Drawn(spoken_number(value, draw), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        plain = Form({"type": "integer"}, meant)
        limited = Form({"type": "integer", "minimum": min(self.low, 0), "maximum": max(self.high, 100)}, meant)
        return plain, plain, Form({"type": "number"}, meant), limited


@dataclass(frozen=True)
class Decimal:
    """A number that may have a fraction, of up to `places` places."""

    low: float
    high: float
    places: int = 1

    def draw(self, draw: Draw) -> Drawn:
        places = draw.rng.choice((0, *range(self.places + 1)))
        value = round(draw.rng.uniform(self.low, self.high), places)
        value = int(value) if value == int(value) else value
        return Drawn(spoken_number(value, draw), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (Form({"type": "number"}, meant),)


@dataclass(frozen=True)
class Amount:
    """A sum of money or another quantity of any magnitude, often round; `units` are said around it: "${}", "{} euros".

    A unit that is a parameter of its own belongs into the question's template instead.
    """

    low: float = 1
    high: float = 5_000_000
    units: tuple[str, ...] = ("{}",)
    units_zh: tuple[str, ...] = ("{}",)

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        # As many small ones as large ones: each magnitude is as likely as the other.
        value: float = math.exp(rng.uniform(math.log(max(self.low, 1)), math.log(self.high)))
        if rng.random() < 0.7:
            value = float(f"{value:.{rng.randint(1, 2)}g}")
        value = round(value, rng.choice((0, 0, 0, 1, 2)) if value < 10_000 else 0)
        value = int(value) if value == int(value) else value
        unit = rng.choice(self.units if draw.language == "en" else self.units_zh)
        return Drawn(unit.format(spoken_number(value, draw)), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (Form({"type": "number"}, meant),)


@dataclass(frozen=True)
class Percent:
    """A share. Most schemas want 20 for 20 %, some want 0.2, and say so."""

    low: float = 1
    high: float = 100
    places: int = 1

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        value = round(rng.uniform(self.low, self.high), rng.choice((0, 0, 0, self.places)))
        value = int(value) if value == int(value) else value
        if draw.language == "zh":
            return Drawn(rng.choice((f"{value}%", f"{value}%", f"百分之{spoken_number(value, draw)}")), value)
        words = (f"{value}%", f"{value}%", f"{value} %", f"{value} percent", f"{spoken_number(value, draw)} percent")
        return Drawn(rng.choice(words), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        plain = Form({"type": "number"}, meant, "in percent", "百分比")
        example = Form({"type": "number"}, meant, "percentage, e.g. 15 for 15%", "百分数，如 15 表示 15%")
        fraction = Form(
            {"type": "number"}, _as_fraction, "as a fraction, e.g. 0.15 for 15%", "小数形式，如 0.15 表示 15%"
        )
        return plain, example, fraction


def _as_fraction(drawn: Drawn) -> float:
    return round(drawn.meaning / 100, 6)


@dataclass(frozen=True)
class Choice:
    """One of a few values. Each value has the words that say it, in both languages; the first spelling is the meaning.

    Choice({"celsius": (("Celsius", "°C"), ("摄氏度",))}, spellings=({"celsius": "metric"},)) also knows a schema that
    calls it "metric".
    """

    values: Mapping[str, tuple[Sequence[str], Sequence[str]]]
    spellings: tuple[Mapping[str, Any], ...] = ()

    def draw(self, draw: Draw) -> Drawn:
        value = draw.rng.choice(list(self.values))
        words = self.values[value][0 if draw.language == "en" else 1]
        return Drawn(draw.rng.choice(list(words)), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        plain = Form(_enum(list(self.values)), meant)
        return (plain, plain, *map(self._spelled, self.spellings))

    def _spelled(self, spelling: Mapping[str, Any]) -> Form:
        named = [spelling.get(value, value) for value in self.values]
        return Form(_enum(named), lambda drawn: spelling.get(drawn.meaning, drawn.meaning))


def _enum(values: list[Any]) -> dict[str, Any]:
    return {"type": "integer" if all(isinstance(value, int) for value in values) else "string", "enum": values}


@dataclass(frozen=True)
class Flag:
    """True or false. Said by words where there are some, else fixed by an `Ask`."""

    true: tuple[str, ...] = ()
    true_zh: tuple[str, ...] = ()
    false: tuple[str, ...] = ()
    false_zh: tuple[str, ...] = ()

    def draw(self, draw: Draw) -> Drawn:
        english = draw.language == "en"
        said = [(word, True) for word in (self.true if english else self.true_zh)]
        said += [(word, False) for word in (self.false if english else self.false_zh)]
        return Drawn(*draw.rng.choice(said or [("", True)]))

    @property
    def forms(self) -> tuple[Form, ...]:
        return (Form({"type": "boolean"}, meant),)


@dataclass(frozen=True)
class Word:
    """One of a pool: what is said is what is meant. `quoted` is how often it stands in quotation marks."""

    pool: tuple[str, ...]
    pool_zh: tuple[str, ...] = ()
    quoted: float = 0.0

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        word = rng.choice(self.pool_zh if draw.language == "zh" and self.pool_zh else self.pool)
        if rng.random() >= self.quoted:
            return Drawn(word, word)
        marks = rng.choice(('"{}"', "“{}”", "'{}'") if draw.language == "en" else ("“{}”", "「{}」", '"{}"'))
        return Drawn(marks.format(word), word)

    @property
    def forms(self) -> tuple[Form, ...]:
        # What may be quoted is to be copied as it stands.
        return (Form(STRING, meant if self.quoted else _without_article),)


def _without_article(drawn: Drawn) -> str:
    """A tool is told "bookshop" where a user says "a bookshop"; a sentence stays as it is."""
    first, _, rest = drawn.meaning.partition(" ")
    short = len(drawn.meaning.split()) <= MOST_WORDS_OF_A_NAME
    return rest if rest and short and first in ("a", "an", "the", "my", "some") else drawn.meaning


@dataclass(frozen=True)
class Code:
    """An identifier to be copied letter by letter; `patterns` have A for a letter, 9 for a digit, x for either."""

    patterns: tuple[str, ...] = ("AA-9999", "A99999", "999999", "AAA9999", "xxxxxxxx", "AA-99-9999")

    def draw(self, draw: Draw) -> Drawn:
        signs = {"A": "ABCDEFGHJKLMNPQRSTUVWXYZ", "9": "0123456789", "x": "abcdef0123456789"}
        pattern = draw.rng.choice(self.patterns)
        code = "".join(draw.rng.choice(signs[sign]) if sign in signs else sign for sign in pattern)
        return Drawn(code, code)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (Form(STRING, meant),)


@dataclass(frozen=True)
class ListOf:
    """Several values of one kind, all different: "eggs, milk and flour"."""

    kind: Kind
    least: int = 2
    most: int = 5

    def draw(self, draw: Draw) -> Drawn:
        wanted = draw.rng.randint(self.least, self.most)
        found: dict[str, Drawn] = {}
        for _ in range(wanted * 4):
            one = self.kind.draw(draw)
            found.setdefault(one.said, one)
            if len(found) == wanted:
                break
        return Drawn(spoken_list(list(found), draw), tuple(found.values()))

    @property
    def forms(self) -> tuple[Form, ...]:
        return tuple(_list_form(form) for form in self.kind.forms)


def _list_form(form: Form) -> Form:
    schema = {"type": "array", "items": form.schema}
    return Form(schema, lambda drawn: [form.value(one) for one in drawn.meaning], form.about, form.about_zh)


@dataclass(frozen=True)
class Record:
    """An object of several values: Record("{quantity} {name}", "{quantity}份{name}", {"name": …, "quantity": …}).

    `names` may give a property other names in some schemas. `optional` are properties that the words of
    `short`/`short_zh` leave out.
    """

    said: str
    said_zh: str
    fields: Mapping[str, Kind]
    short: str = ""
    short_zh: str = ""
    optional: tuple[str, ...] = ()

    def draw(self, draw: Draw) -> Drawn:
        parts = {name: kind.draw(draw) for name, kind in self.fields.items()}
        is_short = bool(self.short) and draw.rng.random() < 0.35
        if is_short:
            parts = {name: part for name, part in parts.items() if name not in self.optional}
        english = draw.language == "en"
        words = (self.short if english else self.short_zh) if is_short else (self.said if english else self.said_zh)
        return Drawn(words.format(**{name: part.said for name, part in parts.items()}), parts)

    @property
    def forms(self) -> tuple[Form, ...]:
        count = max(len(kind.forms) for kind in self.fields.values())
        return tuple(self._form(number) for number in range(count))

    def _form(self, number: int) -> Form:
        forms = {name: kind.forms[number % len(kind.forms)] for name, kind in self.fields.items()}
        schema = {
            "type": "object",
            "properties": {name: _described(form) for name, form in forms.items()},
            "required": [name for name in self.fields if name not in self.optional],
        }
        return Form(schema, lambda drawn: {name: forms[name].value(part) for name, part in drawn.meaning.items()})


def _described(form: Form) -> dict[str, Any]:
    return {**form.schema, "description": form.about} if form.about else form.schema


@dataclass(frozen=True)
class Made:
    """Anything else: a function that draws, and the forms that it can be wanted in."""

    make: Callable[[Draw], Drawn]
    wanted: tuple[Form, ...] = (Form(STRING, meant),)

    def draw(self, draw: Draw) -> Drawn:
        return self.make(draw)

    @property
    def forms(self) -> tuple[Form, ...]:
        return self.wanted
