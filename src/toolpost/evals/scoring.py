"""Judge a turn: which of a case's metrics it meets, by comparing values, calls, and words in an answer."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

from toolpost.arguments.tool_names import repair
from toolpost.arguments.validate import Validator
from toolpost.tools.offered_tools import unknown_tool
from toolpost.types.errors import ToolError
from toolpost.types.stream import ToolCall
from toolpost.types.tool_spec import ToolSpec

from .cases import Case, ExpectedCall
from .results import JudgedCall
from .turn import TimedTurn

CUT = "the call was cut off at the output limit"
NOT_AN_OBJECT = "the arguments are not one JSON object"


def judged_calls(turn: TimedTurn, tools: Sequence[ToolSpec]) -> tuple[JudgedCall, ...]:
    """The calls as the engine takes them: names repaired, arguments mended where that is plain, then checked."""
    specs = {tool.name: tool for tool in tools}
    taken = [_take(call, specs) for call in turn.calls]
    half = [JudgedCall(part.name, problem=CUT) for part in turn.half_calls]
    if turn.is_cut and taken and not half:
        # The last call is the one that was cut, whole as its JSON may look.
        last = taken[-1]
        taken[-1] = JudgedCall(last.name, last.arguments, last.asked, last.raw, CUT)
    return (*taken, *half)


def positions(case: Case, calls: Sequence[JudgedCall]) -> list[int] | None:
    """Which expected call of its alternative each call is, or None where the calls are not right."""
    if any(call.problem for call in calls):
        return None
    defaults = {tool.name: _defaults(tool) for tool in case.tools}
    found = (pair_up(calls, alternative, defaults) for alternative in case.expected.calls)
    return next((places for places in found if places is not None), None)


def score_calls(case: Case, calls: Sequence[JudgedCall], text: str) -> dict[str, bool]:
    """The scores of the first turn."""
    scores: dict[str, bool] = {}
    if case.category == "no_call":
        scores["no_call"] = not calls
    elif case.category == "missing":
        scores["asked"] = not calls and _asks(text, case.expected.asks_for)
    else:
        scores["tool"] = any(same_tools(calls, alternative) for alternative in case.expected.calls)
        scores["arguments"] = positions(case, calls) is not None
    if calls:
        scores["well_formed"] = not any(call.problem for call in calls)
    return scores


def score_answer(case: Case, text: str) -> bool:
    return all(says(text, group) for group in case.expected.answer)


def _take(call: ToolCall, specs: dict[str, ToolSpec]) -> JudgedCall:
    name = repair(call.name, specs)
    if name is None:
        return JudgedCall(call.name, call.arguments, raw=call.raw, problem=str(unknown_tool(call.name, list(specs))))
    asked = call.name if call.name != name else ""
    if call.raw:
        # Whoever read the call from text may know what is wrong with it.
        found: dict[str, str] = (call.metadata or {}).get("prompted") or {}
        return JudgedCall(name, asked=asked, raw=call.raw, problem=found.get("problem") or NOT_AN_OBJECT)
    try:
        return JudgedCall(name, Validator(name, specs[name].parameters).check(call.arguments), asked)
    except ToolError as error:
        return JudgedCall(name, call.arguments, asked, problem=str(error))


def _defaults(tool: ToolSpec) -> dict[str, object]:
    properties = tool.parameters.get("properties", {})
    return {name: field["default"] for name, field in properties.items() if "default" in field}


def _asks(text: str, words: Sequence[str]) -> bool:
    """A question for what is missing; where the case names no words, any question."""
    return says(text, words) if words else "?" in plain_text(text)


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
