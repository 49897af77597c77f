"""Search messages: which texts are searched, how a match is shown. The same for all stores."""

import re
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from toolpost.types.messages import (
    CallState,
    CompactionPart,
    Completed,
    Content,
    Failed,
    Message,
    Part,
    Pending,
    ReasoningPart,
    RetryPart,
    TextPart,
    ToolPart,
)

from .contract import SessionHit

SNIPPET_CHARS_EACH_SIDE = 60
# A prefix finds the candidates just as well, and SQLite bounds the length of a pattern.
LIKE_CHARS = 200


class Needle:
    """A prepared query: it ignores ASCII case and works the same in every language."""

    def __init__(self, query: str) -> None:
        self._pattern = re.compile(re.escape(query), re.IGNORECASE | re.ASCII)

    def hit(self, session_id: str, message: Message) -> SessionHit | None:
        for text in searchable_texts(message):
            if found := self._pattern.search(text):
                return SessionHit(session_id, message.id, message.role, message.time, _snippet(text, *found.span()))
        return None

    def matches(self, text: str) -> bool:
        return self._pattern.search(text) is not None


def searchable_texts(message: Message) -> Iterator[str]:
    """Text, reasoning, arguments, results, errors and summaries: never the names of JSON fields."""
    for part in message.parts:
        yield from _texts_of_part(part)
    if message.error is not None:
        yield message.error.message


def like_patterns(query: str) -> tuple[str, str]:
    """Patterns (with escape `!`) for SQL's LIKE on a stored message: `query` inside a JSON string, and as JSON itself.

    They let through everything that `Needle` accepts, and a little more.
    """
    # A lone surrogate cannot be stored, so it may stand for anything here.
    start = query[:LIKE_CHARS].encode("utf-8", "replace").decode()
    inside_a_string = msgspec.json.encode(start).decode()[1:-1]
    return like_pattern(inside_a_string), like_pattern(start)


def like_pattern(text: str) -> str:
    escaped = text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return f"%{escaped}%"


def _texts_of_part(part: Part) -> Iterator[str]:
    if isinstance(part, TextPart | ReasoningPart):
        yield part.text
    elif isinstance(part, ToolPart):
        yield from _texts_of_call(part.state)
    elif isinstance(part, CompactionPart):
        yield part.summary
    elif isinstance(part, RetryPart):
        yield part.error.message


def _texts_of_call(state: CallState) -> Iterator[str]:
    if not isinstance(state, Pending) and state.arguments is not None:
        # As plain strings too: who looks for a quoted text does not think of its JSON escapes.
        yield from _strings(state.arguments)
        yield msgspec.json.encode(state.arguments).decode()
    if isinstance(state, Pending | Failed):
        yield state.raw
    if isinstance(state, Failed):
        yield state.message
    if isinstance(state, Completed):
        yield from _texts_of_content(state.content)


def _texts_of_content(content: tuple[Content, ...]) -> Iterator[str]:
    for part in content:
        if isinstance(part, TextPart):
            yield part.text


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast(dict[str, Any], value).values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in cast(list[Any], value):
            yield from _strings(item)


def _snippet(text: str, start: int, end: int) -> str:
    first = max(0, start - SNIPPET_CHARS_EACH_SIDE)
    last = end + SNIPPET_CHARS_EACH_SIDE
    before = "…" if first > 0 else ""
    after = "…" if last < len(text) else ""
    return f"{before}{text[first:last]}{after}"
