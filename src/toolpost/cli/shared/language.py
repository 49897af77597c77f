"""Show the texts of a command in the person's language: English, or Chinese where the locale is Chinese.

All code writes English, and so does every output for programs. Where a text reaches a person, `shown` looks it up in
the tables of `chinese/`. A key there is the English text with `{names}` for what differs, and `[s]` for letters that
are there or not; what stands for a name is shown in the same way, so a text may hold another.
"""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

Language = Literal["en", "zh"]

CHOICE_VARIABLE = "TOOLPOST_LANG"
_LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
# Longer texts are answers or logs, not texts of ours.
MAX_CHARACTERS = 4_000
MAX_DEPTH = 4
# These names stand for numbers, so that a text matches only where it has one there.
NUMBERS = frozenset({"all", "cells", "count", "input", "number", "output", "own", "seconds", "status"})
# A name, or letters that may be missing.
PLACEHOLDER = re.compile(r"\{(\w+)\}|\[(s|es|y)\]")


def language(environ: Mapping[str, str] = os.environ) -> Language:
    """The language of the person: `TOOLPOST_LANG`, else the first variable of the locale that is set."""
    chosen = environ.get(CHOICE_VARIABLE, "").lower()
    if chosen.startswith(("en", "zh")):
        return "zh" if chosen.startswith("zh") else "en"
    locale = next((value for name in _LOCALE_VARIABLES if (value := environ.get(name, ""))), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def shown(text: str) -> str:
    """The text in the person's language; a text that is in no table stays as it is."""
    return text if language() == "en" else chinese(text)


def chinese(text: str) -> str:
    """The Chinese for an English text of ours."""
    return _chinese(text, MAX_DEPTH)


class _Template(NamedTuple):
    """`literal` is the longest piece without names: where a text does not hold it, nothing else need be compared."""

    literal: str
    pattern: re.Pattern[str]
    target: str


@lru_cache(512)
def _chinese(text: str, depth: int) -> str:
    if not text or len(text) > MAX_CHARACTERS or not depth:
        return text
    exact, templates = _tables()
    if (found := exact.get(text)) is not None:
        return found
    for template in templates:
        if template.literal in text and (match := template.pattern.fullmatch(text)):
            values = {name: _chinese(value, depth - 1) for name, value in match.groupdict().items()}
            return template.target.format_map(values)
    return text


@lru_cache(1)
def _tables() -> tuple[Mapping[str, str], tuple[_Template, ...]]:
    """Whole texts, and those with names, the most particular first."""
    # Imported here: only a Chinese terminal needs them.
    from .chinese import TEXTS

    exact = {english: target for english, target in TEXTS.items() if not PLACEHOLDER.search(english)}
    named = [english for english in TEXTS if english not in exact]
    named.sort(key=lambda english: len(PLACEHOLDER.sub("", english)), reverse=True)
    return exact, tuple(_template(english, TEXTS[english]) for english in named)


def _template(english: str, target: str) -> _Template:
    pattern, at, seen = "", 0, set[str]()
    for one in PLACEHOLDER.finditer(english):
        pattern += re.escape(english[at : one.start()])
        at, name = one.end(), one[1]
        if not name:
            pattern += f"(?:{one[2]})?"
        else:
            # A name that comes again stands for the same.
            value = r"[\d,.]+" if name in NUMBERS else ".+?"
            pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{value})"
            seen.add(name)
    pattern += re.escape(english[at:])
    literal = max(PLACEHOLDER.sub("\0", english).split("\0"), key=len)
    return _Template(literal, re.compile(pattern, re.DOTALL), target)
