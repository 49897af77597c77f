"""What can be seen of a question without any model: its separate requests, the words it shares with a tool, and the
parts of it that can be a tool's values."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from toolpost.types.tools import ToolSpec

MOST_REQUESTS = 6
# What is longer is pasted text, and no request.
MOST_REQUEST_CHARS = 400
MOST_SPAN_WORDS = 10
MOST_AGAIN_WORDS = 5

# Where a word stands in a tool decides how much it says.
_IN_NAME, _IN_DESCRIPTION, _IN_PARAMETERS = 3.0, 2.0, 1.0

_EMPTY_WORDS = """
a about all also am an and any are as at be been but by can could current did do does find for from get give given had
has have hello help hey hi how i id if im in information into is it its just know latest let like make may me might my
need new no not now of on one or our out over please retrieve s shall should show so some specific t tell than thank
thanks that the their them then there these they this those to today too under up us use used user users using ve want
was we were what whats when where which who whom whose why will with would you your yours"""
_JOINT_WORDS = """
a about an and also any are as at be but by can could did do does for from get give had has have how hows i id im in
into is it its like me my no not of on or our please should show so some tell that thats the then there this to what
whats when where wheres which who whos whose why will with would you your"""
# Those that stand in any question and any description, and those that a value neither begins nor ends with.
_EMPTY = frozenset(_EMPTY_WORDS.split())
_JOINTS = frozenset(_JOINT_WORDS.split())
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ers", "er", "ed", "es", "s", "ly", "e", "y")
_WORD = re.compile(r"[^\W\d_]+")
_CJK = re.compile(r"[\u3400-\u9fff]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_EXAMPLE = re.compile(r"\W*(\be\.g\.|\bfor example\b|\bsuch as\b|例如|比如).*", re.IGNORECASE | re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.?!;])\s+|(?<=[。？！；])\s*|\n+")
_LINK = re.compile(r",?\s+(?:and|then|also|plus)\s+(?:also\s+|then\s+)?|,\s+", re.IGNORECASE)
_AGAIN = re.compile(r"(and|what about|how about)\b", re.IGNORECASE)
_EDGE = " \t,.;:!?\"'“”‘’«»，。；：！？、"
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|«([^»]+)»|「([^」]+)」|(?<!\w)'([^']+)'(?!\w)")
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?!\w)")
# A hyphen or a slash without spaces is that of a date more often than not.
_ARITHMETIC = re.compile(r"[-(]*\d[\d\s.()]*(?:[+*^×÷]|\s[-/%]\s)[\d\s.+\-*/%^()×÷]*[\d)]")
# What a value looks like says what it is, where no word does.
_FORMS = (
    (_ARITHMETIC, "calculate calculator compute arithmetic math expression"),
    (re.compile(r"\bhttps?://\S"), "url web page fetch"),
    (re.compile(r"\S@\S+\.\w"), "email mail"),
    (re.compile(r"(?<![\w/:])(?:[\w.-]*/)*[\w-]+\.[a-z]{1,5}\b(?<!e\.g)"), "file path"),
)


def plain_name(name: str) -> str:
    """`getWeather` and `get_weather` as they are spoken."""
    return _CAMEL.sub(" ", name).replace(".", " ").replace("-", " ").lower()


def gist(description: str) -> str:
    """What a description begins with, without its examples: those would be taken for the question's own words."""
    first = description.strip().partition("\n\n")[0].replace("\n", " ")
    return _EXAMPLE.sub("", first).strip()


def stems(text: str) -> frozenset[str]:
    """The words that mean something, without their endings; of Chinese every pair of characters."""
    found = {_stem(word) for word in _WORD.findall(_CAMEL.sub(" ", text).lower()) if word not in _EMPTY}
    pairs = {a + b for a, b in pairwise(text) if _CJK.match(a) and _CJK.match(b)}
    return frozenset({word for word in found if not _CJK.search(word)} | pairs)


def shared_words(request: str, tools: Sequence[ToolSpec]) -> list[float]:
    """How much each tool has in common with a request. A word that many tools have says little about any of them."""
    wanted = stems(request).union(*(stems(words) for form, words in _FORMS if form.search(request)))
    held = [_weights(tool) for tool in tools]
    having = Counter(word for words in held for word in words)
    return [
        sum(weight * math.log(1 + len(tools) / having[word]) for word, weight in words.items() if word in wanted)
        for words in held
    ]


def requests_in(question: str, tools: Sequence[ToolSpec]) -> list[str]:
    """The separate requests of a question: its sentences, and the parts of one that an "and" links, where each part
    shares words with a tool."""
    sentences = [text for piece in _SENTENCE_END.split(question) if (text := piece.strip())]
    parts = [part for sentence in sentences for part in _linked(sentence, tools)]
    return [part[:MOST_REQUEST_CHARS] for part in parts[:MOST_REQUESTS]]


def spans_in(request: str, taken: Collection[str] = (), without: Collection[str] = ()) -> list[str]:
    """The parts of a request that can be a value: quotations alone where there are some; else runs of words that
    neither begin nor end with a joint, cut no name and no sum, and hold nothing `taken` and no stem `without`."""
    quoted = [match[match.lastindex or 0] for match in _QUOTED.finditer(request)]
    if left := [text for text in quoted if text not in taken]:
        return left
    free = [text for text in dict.fromkeys(_runs(request)) if not any(_overlap(text, used) for used in taken)]
    apart = [text for text in free if not stems(text) & set(without)]
    return [text for text in apart if not _NUMBER.fullmatch(text)] or apart


def led_by(request: str, joints: Collection[str], values: Collection[str]) -> list[str]:
    """Those of `values` that stand right behind one of `joints`: what a "to" leads to is where something goes."""
    if not joints:
        return []
    lead = rf"\b(?:{'|'.join(joints)})\s+(?:the\s+|an?\s+|my\s+)?"
    return [text for text in values if re.search(lead + re.escape(text), request, re.IGNORECASE)]


def said_as(request: str, name: str, values: Collection[str]) -> list[str]:
    """Those of `values` that the request calls by that name: "the city is Rome", "city: Rome", "Rome as the city"."""
    called = re.escape(name)
    before = rf"\b{called}(?:\s*[:=]|\s+(?:is|as|of|set to|should be|named|called))?\s*[\"'“]?"
    behind = rf"[\"'”]?\s+(?:as|is|for)\s+the\s+{called}\b"
    either = (rf"{before}{re.escape(text)}(?!\w)|(?<!\w){re.escape(text)}{behind}" for text in values)
    return [
        text for text, form in zip(values, either, strict=True) if re.search(form, request, re.IGNORECASE) is not None
    ]


def is_more_of_the_same(request: str) -> bool:
    """Whether a request leaves out what was asked before, as "And in Berlin?" does."""
    return _AGAIN.match(request) is not None and len(request.split()) <= MOST_AGAIN_WORDS


def is_detail(request: str, tools: Sequence[ToolSpec]) -> bool:
    """Whether a sentence asks for nothing by itself and speaks of the one before it, as "For three people." does."""
    return not request.rstrip().endswith(("?", "？")) and not any(shared_words(request, tools))


def first_sentence(text: str) -> str:
    return next((piece for part in _SENTENCE_END.split(text) if (piece := part.strip())), "")


def numbers_in(request: str) -> list[str]:
    """The numbers of a request, in its order, as JSON writes them."""
    plain = (found.replace(",", "") for found in _NUMBER.findall(request))
    return list(dict.fromkeys(re.sub(r"^(-?)0+(?=\d)", r"\1", found) for found in plain))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _weights(tool: ToolSpec) -> dict[str, float]:
    weights: dict[str, float] = {}
    for text, weight in _texts(tool):
        for word in stems(text):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights


def _texts(tool: ToolSpec) -> Iterator[tuple[str, float]]:
    yield tool.name, _IN_NAME
    yield gist(tool.description), _IN_DESCRIPTION
    properties: dict[str, Any] = tool.parameters.get("properties") or {}
    for name, schema in properties.items():
        known = cast("dict[str, Any]", schema) if isinstance(schema, dict) else {}
        values = " ".join(value for value in known.get("enum") or () if isinstance(value, str))
        yield f"{name} {gist(str(known.get('description') or ''))} {values}", _IN_PARAMETERS


def _linked(sentence: str, tools: Sequence[ToolSpec]) -> list[str]:
    parts = [text for piece in _LINK.split(sentence) if (text := piece.strip(" ,"))]
    if len(parts) < 2 or not all(any(shared_words(part, tools)) for part in parts):
        return [sentence]
    return parts


def _runs(request: str) -> Iterator[str]:
    sums = [match.span() for match in _ARITHMETIC.finditer(request)]
    for start, end in sums:
        yield request[start:end].strip()
    words = [match.span() for match in re.finditer(r"\S+", request)]
    for first in range(len(words)):
        for last in range(first, min(len(words), first + MOST_SPAN_WORDS)):
            start, end = words[first][0], words[last][1]
            if last > first and _ends_clause(request, words[last - 1], words[last]):
                break
            if _cuts_name(request, words, first, last) or any(_cuts_sum(start, end, known) for known in sums):
                continue
            text = re.sub(r"['’]s$", "", request[start:end].strip(_EDGE))
            edges = [re.sub(r"[^\w]", "", word) for word in text.lower().split()]
            if edges and not {"", *_JOINTS} & {edges[0], edges[-1]} and not _EMPTY.issuperset(edges):
                yield text


def _ends_clause(request: str, word: tuple[int, int], following: tuple[int, int]) -> bool:
    """A comma ends one too, unless it stands in a name or a date: "Paris, France", "May 12, 2026"."""
    last, head = request[word[1] - 1], request[following[0]]
    return last in ".;:!?" or (last == "," and not head.isupper() and not head.isdigit())


def _cuts_name(request: str, words: Sequence[tuple[int, int]], first: int, last: int) -> bool:
    """A name of several words stays whole, unless it is the beginning of a sentence, where any word is capitalised."""

    def capital(index: int) -> bool:
        return 0 < index < len(words) and request[words[index][0]].isupper()

    def joined(index: int) -> bool:
        before = request[words[index - 1][1] - 1]
        return capital(index - 1) and capital(index) and before.isalnum()

    return joined(first) or (last + 1 < len(words) and joined(last + 1))


def _cuts_sum(start: int, end: int, known: tuple[int, int]) -> bool:
    return start < known[1] and known[0] < end and not (start <= known[0] and known[1] <= end)


def _overlap(text: str, used: str) -> bool:
    return text in used or used in text
