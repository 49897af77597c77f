"""Values that are to be copied: what a free text of a call may be, and the one that was meant where it is none of that.

A model of this size drops or swaps letters in a name, and makes one up where it has understood nothing. Of the values
that stood in nothing that was said, none was right on the validation tools.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple, cast

from .wanted import properties_of, required_in

# Shorter ones, and those with digits, are codes and figures more often than words.
SHORTEST = 4
LEAST_ALIKE, LEAST_ALIKE_CODE = 0.85, 0.5
MOST_TEXT, MOST_TEXTS = 4_000, 4
MOST_SPAN_WORDS, MOST_SPAN_SIGNS, MOST_SPANS = 8, 12, 400
_EDGE = " \t\n,.;:!?\"'“”‘’«»，。；：！？、（）()"
_WORDS = re.compile(r"\S+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_CLAUSE = re.compile(r"[^\s，。；：！？、,.!?;:“”\"「」《》（）()]+")
_CODE = re.compile(r"(?=.*[A-Za-z])(?=.*\d)[\w./#-]{4,}", re.ASCII)
_DICTATED_NAME = re.compile(r"(?:^|_)(?:text|message|content|body|note|memo|caption)(?:_|$)", re.IGNORECASE)
# Then something else begins.
_DICTATED_END = re.compile(r"[\"”」]|[.!?]\s+(?:then|and|also|after)\b|\w[:：]|[。！？](?:然后|再)", re.IGNORECASE)
_NOT_COPIED = re.compile(r"[/_=(<]")
_DICTATED = re.compile(r"[a-z\u3400-\u9fff][:：]\s*[\"“「]?$", re.IGNORECASE)
_QUOTES = '"“”「」'
_STATION = re.compile(r"[东西南北]站?(?=[到至去飞往开出的，,]|$)")
_LEADING = re.compile(r"^(?:关于|有关|讲(?![座课义话解师坛台究]))(?=..)")
_COUNTED = re.compile("[了来要][碗杯份个盘瓶盒袋本件只串斤]")
_END_OF_CLAUSE = re.compile(r"[.!?;:]$")

# Asked for the one of some texts that was meant.
Choose = Callable[[str, Sequence[str]], str]


class Doubled(NamedTuple):
    value: str
    one: str
    other: str


class Said:
    """What was said in a conversation, and what is asked now: without it, the last thing that was said."""

    def __init__(self, texts: Sequence[str], question: str = "") -> None:
        self._texts = [text[:MOST_TEXT] for text in texts if text]
        self._question = question[:MOST_TEXT] or "".join(self._texts[-1:])
        self._whole = "\n".join(self._texts).casefold()

    def arguments(
        self, given: dict[str, Any], schema: Mapping[str, Any], choose: Choose, *, alone: bool = True
    ) -> dict[str, Any]:
        """The arguments with free texts as they were said. One that was not is spelled as what is most alike; else an
        optional one is left out, and for a required one `choose` is asked, with the parts of the question."""
        properties = properties_of(schema)
        kept: dict[str, Any] = {}
        for name, value in given.items():
            found = self._said(value, properties.get(name))
            if alone and isinstance(found, str) and _DICTATED_NAME.search(name):
                found = self._to_its_end(found)
            if found is None and name in required_in(schema):
                spans = list(dict.fromkeys(_spans(self._question)))[:MOST_SPANS]
                found = choose(name, spans) if isinstance(value, str) and spans else value
            if found is not None:
                kept[name] = found
        return kept

    def said_once(self, given: Mapping[str, Any], schema: Mapping[str, Any]) -> Doubled | None:
        """Two required texts that are one and the same, though it was said only once: the other was not said at all."""
        properties = properties_of(schema)
        first: dict[str, str] = {}
        for name in required_in(schema):
            value = given.get(name)
            if not isinstance(value, str) or "enum" in properties.get(name, {}):
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
        if self._has(value):
            return self._uncounted(value)
        if _CODE.fullmatch(value):
            return self._code_most_alike(value) or value
        return self._most_alike(value) if self._is_copied(value) else value

    def _is_copied(self, value: str) -> bool:
        """Whether this is a text that could only have been copied."""
        if any(sign.isdigit() for sign in value) or value.isupper() or _NOT_COPIED.search(value):
            return False
        if _CHINESE.search(value):
            return len(value) > 1
        # Words of a Chinese question may be wanted in English: the name of a language, of a unit.
        return len(value) >= SHORTEST and not _CHINESE.search(self._whole)

    def _has(self, value: str) -> bool:
        plain = value.casefold()
        # What ends inside of a word was cut short.
        return bool(re.search(rf"(?<![a-z]){re.escape(plain)}(?![a-z])", self._whole))

    def _uncounted(self, value: str) -> str:
        """Without the sign that counts it or the word that leads to it: of 吃了碗牛肉面 the 牛肉面."""
        value = _LEADING.sub("", value)
        place = self._question.find(value)
        station = _STATION.match(self._question, place + len(value)) if place >= 0 else None
        if station and _CHINESE.search(value):
            # A station is not its city: 杭州东.
            return value + station[0]
        is_counted = place > 0 and len(value) > 2 and _COUNTED.fullmatch(self._question[place - 1 : place + 1])
        return value[1:] if is_counted else value

    def _to_its_end(self, value: str) -> str:
        """A message that begins behind a colon goes on to the end of what was said."""
        place = self._question.find(value)
        if place <= 0 or not _DICTATED.search(self._question[:place]):
            return value
        rest = self._question[place:].strip().rstrip(_QUOTES)
        return value if _DICTATED_END.search(rest) else rest

    def _most_alike(self, value: str) -> str | None:
        return _nearest(value, (span for text in self._texts[-MOST_TEXTS:] for span in _spans(text)), LEAST_ALIKE)

    def _code_most_alike(self, value: str) -> str | None:
        """Letters and figures in one word, such as release/2.4, are never made up."""
        words = (word.strip(_EDGE) for text in self._texts for word in _WORDS.findall(text))
        return _nearest(value, (word for word in words if _CODE.fullmatch(word)), LEAST_ALIKE_CODE)


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


def _nearest(value: str, spans: Iterable[str], least: float) -> str | None:
    """The span that is most alike, if one is alike enough."""
    near = [span for span in spans if abs(len(span) - len(value)) <= 3]
    alike, span = max(((_alike(value.casefold(), span.casefold(), least), span) for span in near), default=(0.0, ""))
    return span if alike >= least else None


def _alike(value: str, span: str, least: float) -> float:
    matcher = SequenceMatcher(None, value, span, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= least <= matcher.quick_ratio() else 0.0
