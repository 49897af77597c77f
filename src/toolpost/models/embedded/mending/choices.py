"""Which of a parameter's choices a question names, where the model took another or none."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from .glossary import words_for
from .wanted import choices_of, properties_of, says_short_days

# So far before a word it may be denied: what is not urgent is not urgent.
MOST_BEFORE = 24
_DENIED = re.compile(r"(?:\bnot|n['’]t|\bno|\bnever|\bwithout)(?: \w+){0,2} $|[不没别][太很是要用]?$")
_WEEKDAYS_IN_A_ROW = re.compile("(?:周|星期|礼拜)([一二三四五六日天]{2,7})")
_SHORT_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_IDLE_WORDS = """
all any book call car card change door double down eat edit first general hard high hot long look loud low new next none
normal off on once open other phone power price read right second short single start stop task text up view water
work"""
# Those that stand in questions for other reasons than to choose.
_IDLE = frozenset(_IDLE_WORDS.split())


def with_named_choices(
    given: Mapping[str, Any], schema: Mapping[str, Any], question: str, *, alone: bool = True
) -> dict[str, Any]:
    """The arguments with the one choice that was named, where what was taken was not. Beside other calls, one that is
    in none of the arguments may have been named for those."""
    changed = dict(given)
    for name, node in properties_of(schema).items():
        if "enum" not in node and isinstance(given.get(name), list):
            changed[name] = _named_items(given[name], node, question)
        if "enum" not in node or len(choices_of(node)) < 2:
            continue
        value = given.get(name)
        around = without_values(question, (other for key, other in given.items() if key != name))
        # The other currency of an exchange was named for its own parameter.
        taken = [other for key, other in given.items() if key != name]
        named = [one for one in choices_of(node) if one not in taken and _place_of(one, around) is not None]
        if len(named) != 1 or named[0] == value or not _is_plainly_named(named[0], around):
            continue
        is_of_another = any(words_for(named[0])[0] in key.lower() for key in given)
        if value is not None or (alone and not is_of_another):
            changed[name] = named[0]
    return changed


def _named_items(items: list[Any], node: Mapping[str, Any], question: str) -> list[Any]:
    """All the choices that are named, in their order, where a list of them is wanted and some were forgotten."""
    text = _WEEKDAYS_IN_A_ROW.sub(lambda match: "".join(f"周{day}" for day in match[1]), question)
    places = {choice: place for choice in _every_choice(node) if (place := _place_of(choice, text)) is not None}
    named = sorted(places, key=places.__getitem__)
    return named if len(named) > len(items) else items


def _every_choice(node: Mapping[str, Any]) -> list[str]:
    """Those of the schema, or the days of the week where its description lists them."""
    return choices_of(node) or (list(_SHORT_DAYS) if says_short_days(node) else [])


def with_choices_in_order(
    calls: Sequence[dict[str, Any]], schema: Mapping[str, Any], question: str
) -> list[dict[str, Any]]:
    """Calls of one tool, where the question names a choice for each of them: the first takes the first."""
    changed = [dict(arguments) for arguments in calls]
    for name, node in properties_of(schema).items():
        if "enum" not in node or not any(name in arguments for arguments in calls):
            continue
        named = [choice for choice in choices_of(node) if _is_plainly_named(choice, question)]
        places = {choice: place for choice in named if (place := _place_of(choice, question)) is not None}
        if len(places) == len(calls):
            for arguments, choice in zip(changed, sorted(places, key=places.__getitem__), strict=True):
                arguments[name] = choice
    return changed


def without_values(question: str, values: Iterable[Any]) -> str:
    """What is in another argument was said for that one."""
    for value in _texts(values):
        if len(value) > 1:
            question = re.sub(re.escape(value), " \0 ", question, flags=re.IGNORECASE)
    return question


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (item for item in cast("list[Any]", value) if isinstance(item, str))


def _place_of(choice: str, question: str) -> int | None:
    """Where a question names a choice first."""
    return min((place for word in words_for(choice) if (place := find_word(word, question)) is not None), default=None)


def _is_plainly_named(choice: str, question: str) -> bool:
    return any(find_word(word, question) is not None for word in words_for(choice) if word not in _IDLE)


def find_word(word: str, question: str) -> int | None:
    """Where a word stands in a question first, also with an ending. It is in lower case."""
    if not word:
        return None
    if word.isascii():
        ending = "(?:s|es|ly|ing)?" if word.isalpha() else ""
        pattern = rf"(?<![a-z0-9]){re.escape(word)}{ending}(?![a-z0-9])".replace(r"\ ", "[ -]")
    else:
        # A single sign is part of many words: 高铁 is not high.
        pattern = word if len(word) > 1 else f"{word}(?=[色的优级档一，。,.！!]|$)"
    text = question.lower()
    places = (found.start() for found in re.finditer(pattern, text))
    return next((place for place in places if not _DENIED.search(text[max(0, place - MOST_BEFORE) : place])), None)
