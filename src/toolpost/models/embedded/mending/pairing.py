"""Several calls of one tool: each takes the figures that stand beside its own words.

"6 lemons, 2 avocados and a cucumber": whoever reads the list knows which figure belongs to what.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .facts import Fact, Facts, is_said_by
from .figures import as_wanted, fits
from .wanted import Kind, kind_of, properties_of, required_in

_BREAK = re.compile(
    r"[,;:，；：、。!?！？\n]+|\.(?=\s|$)|\b(?:and|then|plus|also)\b|(?:和|再|然后|还有)", re.IGNORECASE
)
# Then a figure is not where it belongs.
_REFERS = re.compile(r"\b(?:same|each|both|all|every|twice)\b|一样|相同|每人|各|都", re.IGNORECASE)
_KINDS: tuple[Kind, ...] = ("number", "date", "time")

Arguments = dict[str, Any]


class Territory(NamedTuple):
    """The part of the question that speaks of one call."""

    start: int
    end: int

    def has(self, fact: Fact) -> bool:
        return self.start <= fact.start < self.end


def with_own_figures(
    calls: Sequence[Arguments], schema: Mapping[str, Any], question: str, facts: Facts
) -> list[Arguments]:
    """The calls with the figures of their own parts of the question, where each has a part of its own."""
    parts = territories(calls, schema, question)
    if parts is None or _REFERS.search(question):
        return [dict(arguments) for arguments in calls]
    changed: list[Arguments] = []
    for arguments, part in zip(calls, parts, strict=True):
        changed.append(dict(arguments))
        for name, node in properties_of(schema).items():
            kind = kind_of(name, node)
            if kind in _KINDS and any(name in other for other in calls):
                of_kind = [fact for fact in facts if fact.kind == kind]
                _settle(changed[-1], name, schema, part, [_with_unit(fact, name, node, facts) for fact in of_kind])
    return changed


def _settle(arguments: Arguments, name: str, schema: Mapping[str, Any], part: Territory, facts: Sequence[Fact]) -> None:
    """Give one parameter the fact of its own part; take one away that stands in another part alone. A day may be
    said once for all, so that none is given where there was none."""
    node = properties_of(schema)[name]
    own = [fact for fact in facts if part.has(fact) and fits(fact, name, node)]
    value = arguments.get(name)
    said = [fact for fact in facts if value is not None and is_said_by(fact, value)]
    if any(fact in own for fact in said):
        return
    free = [fact for fact in own if not any(is_said_by(fact, other) for other in arguments.values())]
    if len(free) == 1 and (value is not None or free[0].kind == "number"):
        arguments[name] = as_wanted(free[0], schema, name)
    elif said and not own and name not in required_in(schema) and said[0].kind == "number" and len(facts) > 1:
        del arguments[name]


def _with_unit(fact: Fact, name: str, node: Mapping[str, Any], facts: Facts) -> Fact:
    whole = facts.with_unit(fact)
    return whole if fits(whole, name, node) else fact


def territories(calls: Sequence[Arguments], schema: Mapping[str, Any], question: str) -> list[Territory] | None:
    """The part of the question around the words of each call, up to the next break, or None where two share one."""
    anchors = [_anchor(arguments, calls, schema, question) for arguments in calls]
    edges = [0, *(found.end() for found in _BREAK.finditer(question)), len(question)]
    starts: list[int] = []
    for anchor in anchors:
        if anchor is None:
            return None
        starts.append(max(edge for edge in edges if edge <= anchor))
    if len(set(starts)) != len(starts):
        return None
    bounds = sorted(starts)
    ends = dict(zip(bounds, [*bounds[1:], len(question)], strict=True))
    # What comes before the first break belongs to whoever comes first.
    return [Territory(0 if start == bounds[0] else start, ends[start]) for start in starts]


def _anchor(arguments: Arguments, calls: Sequence[Arguments], schema: Mapping[str, Any], question: str) -> int | None:
    """Where the words stand that only this call has."""
    text = question.lower()
    for name, value in arguments.items():
        if not isinstance(value, str) or kind_of(name, properties_of(schema).get(name, {})) is not None:
            continue
        plain = value.replace("_", " ").lower()
        is_own = sum(other.get(name) == value for other in calls) == 1 and text.count(plain) == 1
        if is_own and len(plain) > 1:
            return text.index(plain)
    return None
