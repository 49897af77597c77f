"""What can be seen of a text without any model: its numbers, its words, and which of them a tool shares."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from toolpost.types.tools import ToolSpec

# Where a word stands in a tool decides how much it says.
_IN_NAME, _IN_DESCRIPTION, _IN_PARAMETERS = 3.0, 2.0, 1.0

_EMPTY_WORDS = """
a about all also am an and any are as at be been but by can could current did do does find for from get give given had
has have hello help hey hi how i id if im in information into is it its just know latest let like make may me might my
need new no not now of on one or our out over please retrieve s shall should show so some specific t tell than thank
thanks that the their them then there these they this those to today too under up us use used user users using ve want
was we were what whats when where which who whom whose why will with would you your yours"""
# Those that stand in any question and any description.
_EMPTY = frozenset(_EMPTY_WORDS.split())
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ers", "er", "ed", "es", "s", "ly", "e", "y")
_WORD = re.compile(r"[^\W\d_]+")
_CJK = re.compile(r"[\u3400-\u9fff]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_EXAMPLE = re.compile(r"\W*(\be\.g\.|\bfor example\b|\bsuch as\b|例如|比如).*", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w)")
# A hyphen or a slash without spaces is that of a date more often than not.
_ARITHMETIC = re.compile(r"[-(]*\d[\d\s.()]*(?:[+*^×÷]|\s[-/%]\s)[\d\s.+\-*/%^()×÷]*[\d)]")
# What a value looks like says what it is, where no word does.
_FORMS = (
    (_ARITHMETIC, "calculate calculator compute arithmetic math expression"),
    (re.compile(r"\bhttps?://\S"), "url web page fetch"),
    (re.compile(r"\S@\S+\.\w"), "email mail"),
    (re.compile(r"(?<![\w/:])(?:[\w.-]*/)*[\w-]+\.[a-z]{1,5}\b(?<!e\.g)"), "file path"),
)


def gist(description: str) -> str:
    """What a description begins with, without its examples: those would be taken for the question's own words."""
    first = description.strip().partition("\n\n")[0].replace("\n", " ")
    return _EXAMPLE.sub("", first).strip()


def stems(text: str) -> frozenset[str]:
    """The words that mean something, without their endings; of Chinese every pair of characters."""
    found = {_stem(word) for word in _WORD.findall(_CAMEL.sub(" ", text).lower()) if word not in _EMPTY}
    pairs = {a + b for a, b in pairwise(text) if _CJK.match(a) and _CJK.match(b)}
    return frozenset({word for word in found if not _CJK.search(word)} | pairs)


def shared_words(request: str, tools: Sequence[ToolSpec]) -> list[float]:
    """How much each tool has in common with a request. A word that many tools have says little about any of them."""
    wanted = stems(request).union(*(stems(words) for form, words in _FORMS if form.search(request)))
    held = [_weights(tool) for tool in tools]
    having = Counter(word for words in held for word in words)
    return [
        sum(weight * math.log(1 + len(tools) / having[word]) for word, weight in words.items() if word in wanted)
        for words in held
    ]


def numbers_in(request: str) -> list[str]:
    """The numbers of a request, in its order, as JSON writes them."""
    plain = (found.replace(",", "") for found in _NUMBER.findall(request))
    return list(dict.fromkeys(re.sub(r"^(-?)0+(?=\d)", r"\1", found) for found in plain))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _weights(tool: ToolSpec) -> dict[str, float]:
    weights: dict[str, float] = {}
    for text, weight in _texts(tool):
        for word in stems(text):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights


def _texts(tool: ToolSpec) -> Iterator[tuple[str, float]]:
    yield tool.name, _IN_NAME
    yield gist(tool.description), _IN_DESCRIPTION
    properties: dict[str, Any] = tool.parameters.get("properties") or {}
    for name, schema in properties.items():
        known = cast("dict[str, Any]", schema) if isinstance(schema, dict) else {}
        values = " ".join(value for value in known.get("enum") or () if isinstance(value, str))
        yield f"{name} {gist(str(known.get('description') or ''))} {values}", _IN_PARAMETERS
