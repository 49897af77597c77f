"""Texts in the form that a parameter asks for: a month without its day, a time with a colon, a range with a hyphen."""

import re
from collections.abc import Mapping
from typing import Any, cast

from .wanted import about_of, kind_of, properties_of, says_short_days

_DAY = re.compile(r"(\d{4}-\d{2})-\d{2}", re.ASCII)
_PAST = re.compile(r"(?:^|_)(?:since|modified|changed|updated|created|received)", re.IGNORECASE)
_TIME = re.compile(r"(\d{1,2})[.:h ](\d{2})", re.ASCII)
_RANGE = re.compile(r"(\d+) ?(?:to|until|through|[-–~到至]) ?(\d+)", re.ASCII)
_RANGE_WANTED = re.compile(r"(?<![\d-])\d{1,4}-\d{1,4}(?![\d-])", re.ASCII)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def in_wanted_forms(given: Mapping[str, Any], schema: Mapping[str, Any], today: str = "") -> dict[str, Any]:
    properties = properties_of(schema)
    return {name: _formed(value, name, properties.get(name, {}), today) for name, value in given.items()}


def _formed(value: Any, name: str, node: Mapping[str, Any], today: str) -> Any:
    if isinstance(value, list):
        items = cast("list[Any]", value)
        if says_short_days(node):
            return [_short_day(item) for item in items]
        return items
    if not isinstance(value, str):
        return value
    if _RANGE_WANTED.search(about_of(node)) and (range_ := _RANGE.fullmatch(value)):
        return f"{range_[1]}-{range_[2]}"
    kind = kind_of(name, node)
    if kind == "month" and (day := _DAY.fullmatch(value)):
        return day[1]
    if today and _PAST.search(name) and _DAY.fullmatch(value) and value > today:
        # What was changed since the first of April was changed this year or last.
        return f"{int(value[:4]) - 1}{value[4:].replace('-02-29', '-02-28')}"
    if kind == "time" and (time := _TIME.fullmatch(value)):
        return f"{int(time[1]):02}:{time[2]}"
    return value


def _short_day(value: Any) -> Any:
    return value[:3].lower() if isinstance(value, str) and value.lower() in _WEEKDAYS else value
