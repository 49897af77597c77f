"""A family of tools: one thing that a tool can do, in the many ways that people name, describe and ask for it."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, NamedTuple, Protocol

Language = Literal["en", "zh"]


class Draw(NamedTuple):
    """What values are drawn with: chance, the language they are said in, and the day it is."""

    rng: random.Random
    language: Language
    today: date


class Drawn(NamedTuple):
    """A value: as a user says it, and what is meant. A kind's forms turn the meaning into JSON."""

    said: str
    meaning: Any


class Form(NamedTuple):
    """One way for a schema to want a value: the schema, what a description adds about it, and the value itself."""

    schema: dict[str, Any]
    value: Callable[[Drawn], Any]
    about: str = ""
    about_zh: str = ""


class Kind(Protocol):
    """Values of one kind: how they are drawn, and the forms that schemas want them in."""

    def draw(self, draw: Draw) -> Drawn: ...

    @property
    def forms(self) -> tuple[Form, ...]: ...


@dataclass(frozen=True)
class PartOf:
    """A part of what another parameter's value means: the country of a "City, Country", the end of a period."""

    key: str
    part: str
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})
    about: str = ""
    about_zh: str = ""


@dataclass(frozen=True)
class Param:
    """A parameter. `key` is its slot in questions and answers; `names` are what schemas call it, in snake_case."""

    key: str
    kind: Kind | PartOf
    names: tuple[str, ...]
    about: tuple[str, ...] = ()
    about_zh: tuple[str, ...] = ()
    required: bool = True
    default: Any = None


class Ask(NamedTuple):
    """A question whose words decide a parameter that has no slot: Ask("turn it up", {"direction": "up"}).

    The values are meanings, as the parameter's kind draws them.
    """

    text: str
    fixed: Mapping[str, Any]


@dataclass(frozen=True)
class Missing:
    """Questions that leave out the required parameter `key`, and what to ask back. Other slots may be in them."""

    key: str
    asks: tuple[str, ...]
    replies: tuple[str, ...]
    asks_zh: tuple[str, ...]
    replies_zh: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What the tool gives back: `fields` with their kinds, as a JSON object or as one of `texts`, and answers from it.

    Texts and answers have slots for the fields and for the call's required parameters.
    """

    fields: tuple[tuple[str, Kind], ...]
    answers: tuple[str, ...]
    answers_zh: tuple[str, ...]
    texts: tuple[str, ...] = ()
    texts_zh: tuple[str, ...] = ()


@dataclass(frozen=True)
class Family:
    """`asks` are questions with {slots}; what stands in [brackets] is optional, and holds the optional parameters.

    `also` are the keys of other families whose tools could do the same, so that they are never offered beside this
    one's as a wrong choice, nor without it as a reason to refuse. `errors` are failures in the tool's own words. `fits`
    may refuse a set of drawn values.
    """

    key: str
    names: tuple[str, ...]
    about: tuple[str, ...]
    about_zh: tuple[str, ...]
    params: tuple[Param, ...]
    asks: tuple[str | Ask, ...]
    asks_zh: tuple[str | Ask, ...]
    outcomes: tuple[Outcome, ...]
    missing: tuple[Missing, ...] = ()
    also: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    fits: Callable[[Mapping[str, Drawn]], bool] | None = None


@dataclass(frozen=True)
class Domain:
    """Families of one field of life. `unserved` are questions near it that none of its tools can serve (en, zh)."""

    name: str
    families: tuple[Family, ...]
    unserved: tuple[tuple[str, str], ...] = ()
