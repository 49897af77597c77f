"""When what a model said is what was expected: values, calls, and words in an answer."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

from .cases import ExpectedCall

# Letters that make words with gaps between them; Chinese needs no edge.
_LETTER = r"[0-9a-z\u00c0-\u024f]"
_GROUPED_DIGITS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_EMPTY_FRACTION = re.compile(r"(?<=\d)\.0+(?!\.?\d)")


class Called(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def arguments(self) -> dict[str, Any]: ...


Defaults = Mapping[str, Mapping[str, Any]]


def pair_up(calls: Sequence[Called], expected: Sequence[ExpectedCall], defaults: Defaults) -> list[int] | None:
    """Which expected call each call is, in any order, or None if they are not the same set.

    `defaults` are those of each tool's parameters: a value that is the default says the same as none.
    """
    if len(calls) != len(expected):
        return None
    return _assign(calls, expected, defaults, [])


def same_tools(calls: Sequence[Called], expected: Sequence[ExpectedCall]) -> bool:
    return sorted(call.name for call in calls) == sorted(call.name for call in expected)


def says(text: str, words: Iterable[str]) -> bool:
    """True if one of the words stands in the text: a number by itself, other words from their beginning on."""
    plain = _plain_numbers(text)
    return any(re.search(_pattern(_plain_numbers(word)), plain) for word in words)


def same(left: Any, right: Any) -> bool:
    """Equal for a judge: letters' case and width and white space do not count, 2 is 2.0, true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right or math.isclose(left, right, rel_tol=1e-9)
    if isinstance(left, str) and isinstance(right, str):
        return plain_text(left) == plain_text(right)
    if isinstance(left, list) and isinstance(right, list):
        pair = cast("list[Any]", left), cast("list[Any]", right)
        return len(pair[0]) == len(pair[1]) and all(map(same, *pair))
    if isinstance(left, dict) and isinstance(right, dict):
        one, other = cast("dict[str, Any]", left), cast("dict[str, Any]", right)
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return left is None and right is None


def plain_text(text: str) -> str:
    # The minus of typographers has no plain form of its own.
    return " ".join(unicodedata.normalize("NFKC", text).replace("\u2212", "-").casefold().split())


def _assign(
    calls: Sequence[Called], expected: Sequence[ExpectedCall], defaults: Defaults, taken: list[int]
) -> list[int] | None:
    if len(taken) == len(calls):
        return taken
    call = calls[len(taken)]
    for place, wanted in enumerate(expected):
        if place not in taken and _fits(call, wanted, defaults.get(call.name, {})):
            found = _assign(calls, expected, defaults, [*taken, place])
            if found is not None:
                return found
    return None


def _fits(call: Called, wanted: ExpectedCall, defaults: Mapping[str, Any]) -> bool:
    if call.name != wanted.name:
        return False
    for name in {**call.arguments, **wanted.arguments}:
        value = call.arguments.get(name)
        # What is not expected at all may only be left out.
        accepted = wanted.arguments.get(name, [None])
        is_left_out = value is None or (name in defaults and same(value, defaults[name]))
        if not (is_left_out and None in accepted) and not any(same(value, one) for one in accepted):
            return False
    return True


def _plain_numbers(text: str) -> str:
    """`1,250.00` and `1250` are one number."""
    return _EMPTY_FRACTION.sub("", _GROUPED_DIGITS.sub("", plain_text(text)))


def _pattern(word: str) -> str:
    before = rf"(?<!{_LETTER})" if re.match(_LETTER, word) else ""
    if word[:1].isdigit():
        before += r"(?<!\d\.)"
    after = r"(?!\.?\d)" if word[-1:].isdigit() else ""
    return before + re.escape(word) + after
