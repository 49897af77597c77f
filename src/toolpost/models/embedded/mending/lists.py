"""Items of a list that were forgotten: who asks for Rome, Oslo and Lima wants three calls of a tool for one city.

Only lists whose items look alike are taken for lists: names, codes, or things with "the" before each of them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .codes import codes_named
from .wanted import kind_of, properties_of

_NAME = r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}"
_CODE = r"(?=[\w-]*\d)[\w-]{3,20}"
_THING = r"the [a-z'’]+(?: [a-z'’]+)?"
_CHINESE_ITEM = r"[\u3400-\u9fffA-Za-z0-9]{1,8}"
# An item, others behind commas, and a last one behind "and".
_LISTS = tuple(
    re.compile(rf"(?<![\w'’-]){item}(?:, (?:in )?{item})*(?:,)? (?:and|&) (?:in |for |on |at )?{item}(?![\w'’])")
    for item in (_NAME, _CODE, _THING)
)
_CHINESE_LIST = re.compile(rf"{_CHINESE_ITEM}(?:、{_CHINESE_ITEM})+(?:[和跟与]{_CHINESE_ITEM})?")
_BETWEEN = re.compile(r",? (?:and|&) (?:in |for |on |at )?|, (?:in )?")
# Of two currencies the one that is wanted may be several.
_TARGET = re.compile(r"to|target|dest|into|quote", re.IGNORECASE)
_BEGINS_SENTENCE = re.compile(r"(?:^|[.!?:]\s*)$")
MOST_ITEMS, MOST_CHARS = 8, 2_000

Arguments = dict[str, Any]


def forgotten_items(calls: Sequence[Arguments], schema: Mapping[str, Any], question: str) -> list[Arguments]:
    """The arguments of the calls that are missing among those of one tool, since the question names more items."""
    for name, node in properties_of(schema).items():
        values = [arguments.get(name) for arguments in calls]
        if node.get("type") != "string" or kind_of(name, node) is not None or not all(map(_is_text, values)):
            continue
        texts = [str(value) for value in values]
        if len(set(texts)) != len(texts):
            continue
        items = _items(name, texts[0], calls[0], schema, question[:MOST_CHARS])
        known = [item.casefold() for item in items]
        # Between Berlin and Munich: the other one has a role of its own.
        others = {str(value).casefold() for one in calls for key, value in one.items() if key != name}
        if "" in known or not others.isdisjoint(known):
            continue
        if len(items) > len(calls) and len(items) <= MOST_ITEMS and all(text.casefold() in known for text in texts):
            used = {text.casefold() for text in texts}
            return [{**calls[0], name: item} for item in items if item.casefold() not in used]
    return []


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _items(name: str, value: str, arguments: Arguments, schema: Mapping[str, Any], question: str) -> list[str]:
    """The items of the list that a value is one of."""
    codes = codes_named(name, properties_of(schema)[name], question)
    if codes and not _TARGET.search(name):
        return []
    if codes:
        others = {str(other).upper() for key, other in arguments.items() if key != name}
        return [code for code in codes if code.upper() not in others]
    for pattern in _LISTS:
        for found in pattern.finditer(question):
            items = [item.removeprefix("the ") for item in _BETWEEN.split(found[0])]
            if _BEGINS_SENTENCE.search(question[: found.start()]) and " " in items[0]:
                # Its first word has a capital for another reason.
                items[0] = items[0].partition(" ")[2]
            if value.removeprefix("the ").casefold() in (item.casefold() for item in items):
                return items
    lists = map(_chinese_items, _CHINESE_LIST.findall(question))
    return next((items for items in lists if value in items), list[str]())


def _chinese_items(text: str) -> list[str]:
    """No gap shows where the first item begins and the last one ends: they are as long as those between, or as the
    shorter of the two."""
    *before, last = text.split("、")
    first, *between, last = [*before, *re.split("[和跟与]", last)]
    length = max(map(len, between)) if between else min(len(first), len(last))
    return [first[-length:], *between, last[:length]]
