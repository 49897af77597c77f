"""Texts in quotation marks: what somebody takes the trouble to quote is a value, whole, of one of the parameters."""

import re
from collections.abc import Mapping
from typing import Any

from .facts import leaves
from .wanted import kind_of, properties_of

_QUOTED = re.compile(r'"([^"\n]{2,400})"|“([^“”\n]{2,400})”|「([^「」\n]{2,400})」|《([^《》\n]{1,100})》')
_TITLE = re.compile(
    r"title|name|subject|song|track|show|book|movie|film|album|query|keyword|label|text|message|body|content|note|memo"
    r"|caption|comment|phrase|sentence",
    re.IGNORECASE,
)
# So near to a quotation stands what only leads to it: 正文就一句“…”.
MOST_BETWEEN = 2


def with_quotes_used(given: Mapping[str, Any], schema: Mapping[str, Any], question: str) -> dict[str, Any]:
    """The arguments with the one quotation that none of them has, where there is one place for it."""
    quotes = [found for found in _QUOTED.finditer(question) if not _is_used(_text(found), given)]
    if len(quotes) != 1:
        return dict(given)
    quote, text = quotes[0], _text(quotes[0])
    titles = [name for name in properties_of(schema) if _TITLE.search(name) and _takes_text(name, schema)]
    leading = [name for name in titles if _leads_to(given.get(name), quote, question)]
    left = [name for name in titles if name not in given]
    place = leading[:1] or (left if len(left) == 1 else [])
    return {**given, **dict.fromkeys(place, text)}


def _text(found: re.Match[str]) -> str:
    return next(group for group in found.groups() if group is not None).strip()


def _is_used(text: str, given: Mapping[str, Any]) -> bool:
    values = [value.casefold() for value in leaves(given) if isinstance(value, str)]
    return any(
        text.casefold() in value or (value in text.casefold() and len(value) * 2 > len(text)) for value in values
    )


def _leads_to(value: Any, quote: re.Match[str], question: str) -> bool:
    if not isinstance(value, str) or not value:
        return False
    place = question.rfind(value, 0, quote.start())
    return place >= 0 and quote.start() - (place + len(value)) <= MOST_BETWEEN


def _takes_text(name: str, schema: Mapping[str, Any]) -> bool:
    node = properties_of(schema).get(name, {})
    is_free = node.get("type") == "string" and not {"enum", "format", "pattern"} & node.keys()
    return is_free and kind_of(name, node) is None
