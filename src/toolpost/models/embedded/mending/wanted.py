"""What a parameter wants: a figure, a day, a time, one of some choices, as its schema, name and description say."""

import re
from collections.abc import Mapping
from typing import Any, Literal, cast

Kind = Literal["number", "date", "month", "time"]

_DATE = re.compile(r"yyyy-mm-dd|yyyy/mm/dd|\bdate\b|\bday\b|\bdue\b|日期|哪天", re.IGNORECASE)
_MONTH = re.compile(r"yyyy-mm(?!-)|年-月", re.IGNORECASE)
_TIME = re.compile(r"hh:mm|24[ -]?h|\btime\b|时间|几点", re.IGNORECASE)
_DATE_NAME = re.compile(r"(?:^|_)(?:date|day|due|deadline|check_?in|check_?out|checkin|checkout)(?:_|$)|Date$")
_TIME_NAME = re.compile(r"(?:^|_)time(?:_|$)|Time$")
_SHORT_DAYS = re.compile(r"\bmon\b.*\btue\b", re.IGNORECASE | re.DOTALL)
_BOTH = re.compile(r"date-time|datetime|timestamp|iso 8601|yyyy-mm-ddt|yyyy-mm-dd hh", re.IGNORECASE)


def properties_of(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    found: Any = schema.get("properties")
    given = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    return {name: cast("dict[str, Any]", node) if isinstance(node, dict) else {} for name, node in given.items()}


def required_in(schema: Mapping[str, Any]) -> list[str]:
    given: Any = schema.get("required")
    return [name for name in cast("list[Any]", given) if isinstance(name, str)] if isinstance(given, list) else []


def about_of(node: Mapping[str, Any]) -> str:
    return str(node.get("description") or "")


def is_figure(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def choices_of(node: Mapping[str, Any]) -> list[str]:
    """The texts that a parameter, or an item of its list, may be."""
    items = node.get("items")
    values = node.get("enum") or (cast("dict[str, Any]", items).get("enum") if isinstance(items, dict) else None) or ()
    return [value for value in values if isinstance(value, str)]


def says_short_days(node: Mapping[str, Any]) -> bool:
    """Whether the description wants days of the week as mon, tue, wed."""
    return _SHORT_DAYS.search(about_of(node)) is not None


def kind_of(name: str, node: Mapping[str, Any]) -> Kind | None:
    """The kind of fact that fits a parameter, where that is plain."""
    if choices_of(node) or "const" in node:
        return None
    if node.get("type") in ("integer", "number"):
        return "number"
    if node.get("type") != "string":
        return None
    about = about_of(node)
    if _BOTH.search(f"{about} {node.get('format') or ''}"):
        return None
    if node.get("format") in ("date", "time"):
        return cast("Kind", node["format"])
    if _MONTH.search(about):
        return "month"
    if _DATE_NAME.search(name) or (_DATE.search(about) and not _TIME.search(about)):
        return "date"
    return "time" if _TIME_NAME.search(name) or _TIME.search(about) else None
