"""The parts of a question that no call has taken anything from."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolpost.models.embedded.words import stems

from .facts import leaves

_BREAK = re.compile(r"[,;.!?，。；！？、\n]+\s*|(?<!\s)\s+(?:and|then|also|plus)\s+|(?:然后|还有|另外|顺便|再|和)")
LEAST_WORDS, LEAST_SIGNS = 2, 4


def unserved(question: str, calls: Sequence[Mapping[str, Any]]) -> list[str]:
    """Those with enough words in them to ask for something, and with no value of any call."""
    values = [str(value).casefold() for arguments in calls for value in leaves(arguments) if isinstance(value, str)]
    return [part for part in _parts(question) if not any(_shares(part.casefold(), value) for value in values)]


def _parts(question: str) -> Iterator[str]:
    for part in _BREAK.split(question):
        is_long = len(stems(part)) >= LEAST_WORDS if part.isascii() else len(part) >= LEAST_SIGNS
        if is_long:
            yield part


def _shares(part: str, value: str) -> bool:
    return value in part or part in value
