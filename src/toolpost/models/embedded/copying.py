"""Values that are to be copied, as they were said: a model of this size drops or swaps letters in a long name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, cast

# Shorter ones, and those with digits, are codes and figures more often than words that were miscopied.
SHORTEST = 5
LEAST_ALIKE = 0.85
MOST_TEXT = 2_000
_EDGE = " \t\n,.;:!?\"'“”‘’«»，。；：！？、（）()"
_WORDS = re.compile(r"\S+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def as_said(arguments: dict[str, Any], schema: Mapping[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """The arguments, with free texts that nearly stand in one of `texts` spelled as they stand there."""
    properties: dict[str, Any] = schema.get("properties") or {}
    return {name: _spelled(value, properties.get(name), texts) for name, value in arguments.items()}


def _spelled(value: Any, node: Any, texts: Sequence[str]) -> Any:
    schema = cast("dict[str, Any]", node) if isinstance(node, dict) else {}
    if isinstance(value, list):
        return [_spelled(one, schema.get("items"), texts) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        return as_said(cast("dict[str, Any]", value), schema, texts)
    if not isinstance(value, str) or {"enum", "const", "format", "pattern"} & schema.keys():
        return value
    if len(value) < SHORTEST or any(sign.isdigit() for sign in value) or value.isupper():
        return value
    plain = value.casefold()
    # What ends inside of a word was cut short.
    whole = re.compile(rf"(?<![a-z]){re.escape(plain)}(?![a-z])" if plain.isascii() else re.escape(plain))
    if any(whole.search(text.casefold()) for text in texts):
        return value
    spans = (span for text in texts for span in _spans(text[:MOST_TEXT], value))
    alike, span = max(((_alike(plain, span), span) for span in spans), default=(0.0, ""))
    return span if alike >= LEAST_ALIKE else value


def _spans(text: str, value: str) -> Iterator[str]:
    """Parts of the text of about the value's length: runs of words, or of signs where there are no words."""
    if _CHINESE.search(value):
        for length in range(len(value) - 1, len(value) + 2):
            yield from (text[at : at + length] for at in range(len(text) - length + 1))
        return
    words = [found.span() for found in _WORDS.finditer(text)]
    count = len(value.split())
    for first in range(len(words)):
        for last in range(max(first, first + count - 2), min(len(words), first + count + 1)):
            if span := text[words[first][0] : words[last][1]].strip(_EDGE):
                yield span


def _alike(plain: str, span: str) -> float:
    matcher = SequenceMatcher(None, plain, span.casefold(), autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= LEAST_ALIKE <= matcher.quick_ratio() else 0.0
