"""Values with a name in the world: places, people, addresses, currencies, units, languages."""

from dataclasses import dataclass
from typing import Any

from . import pools
from .family import Draw, Drawn, Form
from .kinds import STRING, Choice, meant


@dataclass(frozen=True)
class City:
    """A city, sometimes with its country: "Lyon", "Lyon, France". The meaning has the parts `city` and `country`.

    `PartOf(key, "country")` is the country, if it was said. A schema wants the city alone, or as it was said.
    """

    with_country: float = 0.3

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        city, country, city_zh, country_zh = rng.choice(pools.CITIES)
        names = (city_zh, country_zh) if draw.language == "zh" else (city, country)
        if rng.random() >= self.with_country:
            lower = draw.language == "en" and rng.random() < 0.06
            said = names[0].lower() if lower else names[0]
            return Drawn(said, {"city": said, "country": None, "place": said})
        if draw.language == "zh":
            said = rng.choice((f"{names[1]}{names[0]}", f"{names[1]}的{names[0]}"))
        else:
            said = f"{names[0]}, {names[1]}"
        return Drawn(said, {"city": names[0], "country": names[1], "place": said})

    @property
    def forms(self) -> tuple[Form, ...]:
        alone = Form(STRING, lambda drawn: drawn.meaning["city"], "without the country", "不含国家")
        name = Form(STRING, lambda drawn: drawn.meaning["city"], "city name", "城市名")
        whole = Form(STRING, lambda drawn: drawn.meaning["place"], "e.g. Porto or Porto, Portugal", "如：波尔图")
        return name, name, whole, alone


@dataclass(frozen=True)
class Country:
    """A country. A schema wants its name, sometimes its ISO code."""

    codes: bool = True

    def draw(self, draw: Draw) -> Drawn:
        name, name_zh, code = draw.rng.choice(pools.COUNTRIES)
        said = name_zh if draw.language == "zh" else name
        return Drawn(said, {"name": said, "code": code})

    @property
    def forms(self) -> tuple[Form, ...]:
        name = Form(STRING, lambda drawn: drawn.meaning["name"])
        code = Form(STRING, lambda drawn: drawn.meaning["code"], "two-letter ISO code", "两位 ISO 代码")
        return (name, name, code) if self.codes else (name,)


@dataclass(frozen=True)
class Person:
    """A person's name: whole, or the first name alone."""

    whole: float = 0.5

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        if draw.language == "zh":
            given = rng.choice(pools.GIVEN_NAMES_ZH)
            said = rng.choice(pools.FAMILY_NAMES_ZH) + given
            if rng.random() > self.whole:
                said = rng.choice((f"小{said[0]}", f"老{said[0]}", f"{said[0]}老师", f"{said[0]}经理", said))
        else:
            said = rng.choice(pools.GIVEN_NAMES)
            if rng.random() < self.whole:
                said += f" {rng.choice(pools.FAMILY_NAMES)}"
        return Drawn(said, said)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (Form(STRING, meant),)


@dataclass(frozen=True)
class Email:
    """An e-mail address of an example domain."""

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        first, last = rng.choice(pools.GIVEN_NAMES).lower(), rng.choice(pools.FAMILY_NAMES).lower()
        user = rng.choice((first, last, f"{first}.{last}", f"{first[0]}{last}", f"{first}_{rng.randint(1, 99)}"))
        user = "".join(sign for sign in user if sign.isascii() and (sign.isalnum() or sign in "._"))
        host = rng.choice(pools.HOSTS)
        return Drawn(f"{user}@{host}", f"{user}@{host}")

    @property
    def forms(self) -> tuple[Form, ...]:
        return Form(STRING, meant), Form({"type": "string", "format": "email"}, meant)


@dataclass(frozen=True)
class Phone:
    """A telephone number in the range that is kept free for fiction."""

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        tail = f"01{rng.randint(0, 99):02}"
        number = rng.choice(
            (f"+1 {rng.randint(201, 989)} 555 {tail}", f"{rng.randint(201, 989)}-555-{tail}", f"555-{tail}")
        )
        if draw.language == "zh":
            number = f"1{rng.choice('3578')}{rng.randint(0, 9)}0000{rng.randint(0, 9999):04}"
        return Drawn(number, number)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (Form(STRING, meant),)


@dataclass(frozen=True)
class Currency:
    """A currency by its name, as in "euros" or 欧元. Schemas want its three-letter code, sometimes its name."""

    def draw(self, draw: Draw) -> Drawn:
        code, names, names_zh = draw.rng.choice(pools.CURRENCIES)
        said = draw.rng.choice((*(names_zh if draw.language == "zh" else names), code))
        return Drawn(said, {"code": code, "name": said})

    @property
    def forms(self) -> tuple[Form, ...]:
        code = Form(STRING, lambda drawn: drawn.meaning["code"], "three-letter code, e.g. CHF", "三位货币代码，如 CHF")
        iso = Form(STRING, lambda drawn: drawn.meaning["code"], "ISO 4217 code", "ISO 4217 代码")
        listed = Form({"type": "string", "enum": [code for code, _, _ in pools.CURRENCIES[:10]]}, _listed_code)
        return code, code, iso, listed


def _listed_code(drawn: Drawn) -> Any:
    """A currency that is not in the list can't be said: such a draw is thrown away."""
    code = drawn.meaning["code"]
    return code if code in [known for known, _, _ in pools.CURRENCIES[:10]] else UNFIT


# The value of a meaning that a form can't say; examples with it are drawn anew.
UNFIT = object()


def spoken_language() -> Choice:
    """A language that people speak, by its English name; some schemas want its code."""
    names = {name: (words, words_zh) for name, _, words, words_zh in pools.LANGUAGES}
    return Choice(names, ({name: code for name, code, _, _ in pools.LANGUAGES},))


@dataclass(frozen=True)
class Tongue:
    """A language that people speak. Schemas want its name, or its two-letter code, without listing them."""

    def draw(self, draw: Draw) -> Drawn:
        name, code, words, words_zh = draw.rng.choice(pools.LANGUAGES)
        said = draw.rng.choice(words_zh if draw.language == "zh" else words)
        return Drawn(said, {"name": name, "code": code, "said": said})

    @property
    def forms(self) -> tuple[Form, ...]:
        said = Form(STRING, lambda drawn: drawn.meaning["said"])
        code = Form(STRING, lambda drawn: drawn.meaning["code"], "ISO 639-1 code, e.g. pt", "ISO 639-1 代码，如 pt")
        return said, said, code


@dataclass(frozen=True)
class Unit:
    """A unit of one measure, e.g. "length": see `pools.UNITS`. Schemas list the units, in full or short."""

    measure: str

    def draw(self, draw: Draw) -> Drawn:
        name, _, words, words_zh = draw.rng.choice(pools.UNITS[self.measure])
        return Drawn(draw.rng.choice(words_zh if draw.language == "zh" else words), name)

    @property
    def forms(self) -> tuple[Form, ...]:
        units = pools.UNITS[self.measure]
        shorts = {name: short for name, short, _, _ in units}
        full = Form({"type": "string", "enum": list(shorts)}, meant)
        short = Form({"type": "string", "enum": list(shorts.values())}, lambda drawn: shorts[drawn.meaning])
        free = Form(
            STRING,
            lambda drawn: shorts[drawn.meaning],
            "unit symbol, e.g. " + units[0][1],
            "单位符号，如 " + units[0][1],
        )
        return full, full, short, free
