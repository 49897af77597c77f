"""Figures, days and times of calls: none that nobody said, each where it belongs, and none forgotten.

A model of this size drops the second of two figures, uses one twice, and makes one up where it has none.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from .facts import Fact, Facts, is_said_by
from .measures import Unit, as_json, wanted_unit
from .wanted import Kind, about_of, is_figure, kind_of, properties_of, required_in

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_CLOCK = re.compile(r"\d{2}:\d{2}", re.ASCII)
_CODE = re.compile(r"[+#]?[A-Za-z0-9-]+", re.ASCII)
# Shorter ones may be counted or made of what was said.
_LONG_FIGURE = re.compile(r"\d{3,}", re.ASCII)
_NO_SHARE = re.compile(
    r"price|amount|count|people|person|guest|passenger|quantity|qty|power|number|(?:^|_)id|age$|year|radius",
    re.IGNORECASE,
)
_BOUND = re.compile(r"(?:^|(?<=_))m(?:in|ax)(?=_|[A-Z]|$)|M(?:in|ax)(?=[A-Z]|$)")
_OPPOSITE = {"min": "max", "max": "min", "Min": "Max", "Max": "Min"}
_HAS_FORM = {"enum", "const", "format", "pattern"}
# A part of a day or of a time can be any figure of it.
_PART_OF_A_DAY = re.compile(r"(?:^|_)(?:year|month|week|day|hour|minute)$|(?:Year|Month|Week|Day|Hour|Minute)$")

Arguments = dict[str, Any]
Schema = Mapping[str, Any]


class Slot(NamedTuple):
    """A place for a value: a parameter of one of the calls."""

    call: int
    name: str


def without_unsaid(given: Arguments, schema: Schema, facts: Facts) -> tuple[Arguments, list[str]]:
    """The arguments without figures, days and codes that nobody said, and which required ones these were."""
    given = {name: _whole(value, facts) for name, value in given.items()}
    unsaid = {name for name in given if _is_unsaid(name, given, schema, facts)}
    needed = [name for name in required_in(schema) if name in unsaid]
    return {name: value for name, value in given.items() if name not in unsaid}, needed


def _whole(value: Any, facts: Facts) -> Any:
    """Of "17 and a half" the model may copy the 17."""
    return facts.whole_of(value) if is_figure(value) and not facts.has_figure(value) else value


def with_bounds_meant(given: Arguments, schema: Schema, facts: Facts) -> Arguments:
    """The arguments, where "under 500" is the most and not the least: max_price, not min_price."""
    properties = properties_of(schema)
    changed = dict(given)
    for name, value in given.items():
        bound = facts.bound_of(value) if is_figure(value) else None
        other = _other_bound(name)
        is_wrong = bound is not None and _BOUND.search(name) is not None and not re.search(bound, name, re.IGNORECASE)
        if is_wrong and other in properties and other not in given:
            changed[other] = changed.pop(name)
    return changed


def _other_bound(name: str) -> str:
    """min_price for max_price."""
    return _BOUND.sub(lambda match: _OPPOSITE[match[0]], name, count=1)


def _is_unsaid(name: str, given: Arguments, schema: Schema, facts: Facts) -> bool:
    value, node = given[name], properties_of(schema).get(name, {})
    if value == node.get("default") or "enum" in node:
        return False
    if is_figure(value):
        return _is_unsaid_figure(name, value, node, schema, facts)
    return isinstance(value, str) and not _HAS_FORM & node.keys() and _is_unsaid_text(name, value, node, given, facts)


def _is_unsaid_figure(name: str, value: float, node: Mapping[str, Any], schema: Schema, facts: Facts) -> bool:
    # As loud as can be, and no sound at all, are said in words.
    if _PART_OF_A_DAY.search(name) or value in (node.get("minimum"), node.get("maximum")):
        return False
    unit = wanted_unit(name, about_of(node))
    if _is_out_of_bounds(value, node) or facts.is_another_measure(value, unit):
        return True
    if facts.is_only_a_share(value) and (unit or _NO_SHARE.search(name)):
        return True
    # One of something is often meant and seldom said.
    return not facts.has_figure(value) and not (value == 1 and name in required_in(schema))


def _is_unsaid_text(name: str, value: str, node: Mapping[str, Any], given: Arguments, facts: Facts) -> bool:
    kind = kind_of(name, node)
    if _DAY.fullmatch(value):
        return kind == "time" or not facts.has_day(value)
    if kind == "time" and _CLOCK.fullmatch(value):
        return not facts.has_time(value)
    if kind == "time" and any(fact.kind == "date" and value in fact.said for fact in facts):
        return True
    # "an hour" is no place where it is the time of the same call.
    figures = [other for other in given.values() if is_figure(other)]
    is_a_figure = any(
        fact.said.casefold() == value.casefold() and any(is_said_by(fact, figure) for figure in figures)
        for fact in facts
    )
    is_code = _CODE.fullmatch(value) is not None
    return is_a_figure or (is_code and not all(map(facts.has_digits, _LONG_FIGURE.findall(value))))


def with_each_used_once(
    calls: Sequence[Arguments], names: Sequence[str], schemas: Sequence[Schema], facts: Facts
) -> list[Arguments]:
    """Calls of one tool that share a value which was said once, while another was left: 25 to Mia and 40 to Tom."""
    changed = [dict(arguments) for arguments in calls]
    for fact in facts.left(changed) if len(calls) > 1 else ():
        slots = _repeated(changed, names, fact.kind, facts)
        if not slots or not fits(fact, slots[0].name, properties_of(schemas[slots[0].call]).get(slots[0].name, {})):
            continue
        # Who comes first takes what was said first.
        earlier = next(other for other in facts if is_said_by(other, changed[slots[0].call][slots[0].name]))
        slot = slots[-1] if earlier.start < fact.start else slots[0]
        changed[slot.call][slot.name] = as_wanted(fact, schemas[slot.call], slot.name)
    return changed


def _repeated(calls: Sequence[Arguments], names: Sequence[str], kind: Kind, facts: Facts) -> list[Slot]:
    """The slots of the first value of a kind that several calls of one tool share, though it was said once."""
    said = Counter(fact.plain for fact in facts)
    for fact in facts:
        if fact.kind != kind or said[fact.plain] > 1:
            continue
        slots = [
            Slot(call, name)
            for call, arguments in enumerate(calls)
            for name, value in arguments.items()
            if not isinstance(value, list | dict) and is_said_by(fact, value)
        ]
        if len(slots) > 1 and len({(names[slot.call], slot.name) for slot in slots}) == 1:
            return slots
    return []


def with_left_filled(calls: Sequence[Arguments], schemas: Sequence[Schema], facts: Facts) -> list[Arguments]:
    """The calls with what was said and is in none of them, where there is just one place that it fits."""
    changed = [dict(arguments) for arguments in calls]
    left = facts.left(changed)
    for kind in ("number", "date", "month", "time"):
        # Today goes without saying.
        of_kind = [fact for fact in left if fact.kind == kind and fact.plain != facts.today]
        with_units = [facts.with_unit(fact) for fact in of_kind]
        if with_units and _open_slots(changed, schemas, with_units[0]):
            of_kind = with_units
        slots = _open_slots(changed, schemas, of_kind[0]) if of_kind else []
        if len(of_kind) == 1 and kind == "date" and _one_for_each(slots, len(changed)):
            # A day may hold for all of the calls.
            of_kind *= len(slots)
        if len(of_kind) != len(slots) or len({slot.name for slot in slots}) != 1:
            continue
        for slot, fact in zip(slots, of_kind, strict=True):
            changed[slot.call][slot.name] = as_wanted(fact, schemas[slot.call], slot.name)
    return changed


def places_for(fact: Fact, schema: Schema, given: Mapping[str, Any]) -> list[str]:
    """The parameters that a call with these arguments leaves open and that a fact fits."""
    return [
        name
        for name, node in properties_of(schema).items()
        if name not in given and kind_of(name, node) == fact.kind and fits(fact, name, node)
    ]


def _open_slots(calls: Sequence[Arguments], schemas: Sequence[Schema], fact: Fact) -> list[Slot]:
    return [
        Slot(number, name)
        for number, (arguments, schema) in enumerate(zip(calls, schemas, strict=True))
        for name in places_for(fact, schema, arguments)
    ]


def fits(fact: Fact, name: str, node: Mapping[str, Any]) -> bool:
    """A figure with a unit fits where that unit is wanted, one without where none is, or where it makes no odds."""
    if fact.kind != "number":
        return True
    unit = wanted_unit(name, about_of(node))
    if fact.amount is not None and (unit is None or unit.kind != fact.amount.kind):
        return False
    if fact.is_share and (unit or _NO_SHARE.search(name)):
        return False
    value = _in_unit(fact, unit, whole=node.get("type") == "integer")
    return not (node.get("type") == "integer" and not isinstance(value, int)) and not _is_out_of_bounds(value, node)


def _is_out_of_bounds(value: float, node: Mapping[str, Any]) -> bool:
    low: Any = node.get("minimum")
    high: Any = node.get("maximum")
    return bool((is_figure(low) and value < low) or (is_figure(high) and value > high))


def _one_for_each(slots: Sequence[Slot], calls: int) -> bool:
    return len(slots) == calls == len({slot.call for slot in slots})


def as_wanted(fact: Fact, schema: Schema, name: str) -> Any:
    """The fact as a parameter wants it, in its unit."""
    node = properties_of(schema)[name]
    return _in_unit(fact, wanted_unit(name, about_of(node)), whole=node.get("type") == "integer")


def _in_unit(fact: Fact, unit: Unit | None, *, whole: bool = False) -> Any:
    """A share that has to be a whole number is one of a hundred."""
    if fact.amount is not None and unit is not None:
        return as_json(fact.amount.in_units(unit))
    return as_json(Decimal(fact.plain) * 100) if fact.is_share and whole else fact.value
