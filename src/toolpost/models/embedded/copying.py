"""Values that are to be copied: what a free text of a call may be, and the one that was meant where it is none of that.

A model of this size drops or swaps letters in a name, and makes one up where it has understood nothing. Of the values
that stood in nothing that was said, none was right on the validation tools.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple, cast

# Shorter ones, and those with digits, are codes and figures more often than words.
SHORTEST = 4
LEAST_ALIKE = 0.85
MOST_TEXT = 2_000
MOST_SPAN_WORDS, MOST_SPAN_SIGNS, MOST_SPANS = 8, 12, 400
_EDGE = " \t\n,.;:!?\"'“”‘’«»，。；：！？、（）()"
_WORDS = re.compile(r"\S+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[^\s，。；：！？、,.!?;:“”\"「」《》（）()]+")
_END_OF_CLAUSE = re.compile(r"[.!?;:]$")

# Asked for the one of some texts that was meant.
Choose = Callable[[str, Sequence[str]], str]


class Doubled(NamedTuple):
    value: str
    one: str
    other: str


class Said:
    """What was said in a conversation, the last thing last."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [text[:MOST_TEXT] for text in texts if text]
        self._whole = "\n".join(self._texts).casefold()

    def arguments(self, given: dict[str, Any], schema: Mapping[str, Any], choose: Choose) -> dict[str, Any]:
        """The arguments with free texts as they were said. One that was not is spelled as what is most alike; else an
        optional one is left out, and for a required one `choose` is asked, with the parts of the question."""
        properties: dict[str, Any] = schema.get("properties") or {}
        kept: dict[str, Any] = {}
        for name, value in given.items():
            found = self._said(value, properties.get(name))
            if found is None and name in (schema.get("required") or ()):
                spans = list(dict.fromkeys(_spans(self._texts[-1])))[:MOST_SPANS] if self._texts else []
                found = choose(name, spans) if isinstance(value, str) and spans else value
            if found is not None:
                kept[name] = found
        return kept

    def said_once(self, given: Mapping[str, Any], schema: Mapping[str, Any]) -> Doubled | None:
        """Two required texts that are one and the same, though it was said only once: the other was not said at all."""
        properties: dict[str, Any] = schema.get("properties") or {}
        first: dict[str, str] = {}
        for name in schema.get("required") or ():
            value = given.get(name)
            if not isinstance(value, str) or "enum" in (properties.get(name) or {}):
                continue
            if value in first and self._whole.count(value.casefold()) == 1:
                return Doubled(value, first[value], name)
            first.setdefault(value, name)
        return None

    def _said(self, value: Any, node: Any) -> Any:
        """The value, spelled as it was said; None for one that was not."""
        schema = cast("dict[str, Any]", node) if isinstance(node, dict) else {}
        if isinstance(value, list):
            items = [self._said(one, schema.get("items")) for one in cast("list[Any]", value)]
            return [one for one in items if one is not None] or None
        if not isinstance(value, str) or {"enum", "const", "format", "pattern"} & schema.keys():
            return value
        if not self._is_copied(value) or self._has(value):
            return value
        return self._most_alike(value)

    def _is_copied(self, value: str) -> bool:
        """Whether this is a text that could only have been copied."""
        if any(sign.isdigit() for sign in value) or value.isupper():
            return False
        if _CHINESE.search(value):
            return len(value) > 1
        # Words of a Chinese question may be wanted in English: the name of a language, of a unit.
        return len(value) >= SHORTEST and not _CHINESE.search(self._whole)

    def _has(self, value: str) -> bool:
        plain = value.casefold()
        # What ends inside of a word was cut short.
        return bool(re.search(rf"(?<![a-z]){re.escape(plain)}(?![a-z])", self._whole))

    def _most_alike(self, value: str) -> str | None:
        plain = value.casefold()
        near = (span for text in self._texts for span in _spans(text) if abs(len(span) - len(value)) <= 3)
        alike, span = max(((_alike(plain, span), span) for span in near), default=(0.0, ""))
        return span if alike >= LEAST_ALIKE else None


def _spans(text: str) -> Iterator[str]:
    """The parts of a text that can be a value: runs of words, or of signs where there are no words."""
    for clause in _CLAUSE.findall(text) if _CHINESE.search(text) else ():
        for length in range(min(len(clause), MOST_SPAN_SIGNS), 0, -1):
            yield from (clause[at : at + length] for at in range(len(clause) - length + 1))
    words = [found.span() for found in _WORDS.finditer(text)]
    for first in range(len(words)):
        for last in range(first, min(len(words), first + MOST_SPAN_WORDS)):
            if last > first and _END_OF_CLAUSE.search(text[: words[last - 1][1]]):
                break
            if span := text[words[first][0] : words[last][1]].strip(_EDGE):
                yield span


def _alike(plain: str, span: str) -> float:
    matcher = SequenceMatcher(None, plain, span.casefold(), autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= LEAST_ALIKE <= matcher.quick_ratio() else 0.0
