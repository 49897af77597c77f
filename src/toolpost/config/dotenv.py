"""Parse `.env` files with the grammar of python-dotenv: quotes, `export`, comments, several lines, `${NAME}`."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_SPACE = re.compile(r"[^\S\r\n]*")
_ANY_SPACE = re.compile(r"\s*")
_EXPORT = re.compile(r"(?:export[^\S\r\n]+)?")
_QUOTED_KEY = re.compile(r"'([^']+)'")
_KEY = re.compile(r"([^=#\s]+)")
_EQUALS = re.compile(r"=[^\S\r\n]*")
_SINGLE_QUOTED = re.compile(r"'((?:\\'|[^'])*)'")
_DOUBLE_QUOTED = re.compile(r'"((?:\\"|[^"])*)"')
_UNQUOTED = re.compile(r"[^\r\n]*")
_COMMENT = re.compile(r"(?:[^\S\r\n]*#[^\r\n]*)?")
_LINE_END = re.compile(r"[^\S\r\n]*(?:\r\n|\n|\r|\Z)")
_REST_OF_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)?")
# From the first blank of a run on: each run is looked at once.
_TRAILING_COMMENT = re.compile(r"(?<!\s)\s+#.*")
_ESCAPED = re.compile(r"\\([\\'\"abfnrtv])")
_ESCAPED_IN_SINGLE = re.compile(r"\\([\\'])")
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


# What references may make of a file; it is far less than what they could.
MAX_EXPANDED = 1_000_000


class ParsedEnv(NamedTuple):
    """The variables of a file, and the numbers of the lines that are not in its grammar."""

    values: dict[str, str]
    bad_lines: tuple[int, ...] = ()


def parse_env(text: str) -> ParsedEnv:
    """Read the lines of a file. `${NAME}` is replaced by the value of an earlier line, never by the environment's: what
    is shown of a file and where its addresses lead must not depend on secrets that are not in it.

    A name without `=` has no value and is left out. A line that cannot be read is skipped: the others count.
    """
    values: dict[str, str] = {}
    bad: list[int] = []
    room, line, counted = MAX_EXPANDED, 1, 0
    place = _past(_ANY_SPACE, text, 0)
    while place < len(text):
        found = _binding(text, place)
        start = place
        if found is not None:
            key, value, place = found
            if key and value is not None:
                value = _expanded(value, values, room)
                if value is None:
                    found = None
                else:
                    values[key] = value
                    room -= len(value)
        if found is None:
            line, counted = line + text.count("\n", counted, start), start
            bad.append(line)
        if found is None and place == start:
            place = _past(_REST_OF_LINE, text, place)
        place = _past(_ANY_SPACE, text, place)
    return ParsedEnv(values, tuple(bad))


def _binding(text: str, place: int) -> tuple[str, str | None, int] | None:
    """One binding or comment from here on, and where it ends; None for what is neither."""
    place = _past(_EXPORT, text, place)
    key, value = "", None
    if text[place : place + 1] != "#":
        form = _QUOTED_KEY if text[place : place + 1] == "'" else _KEY
        named = form.match(text, place)
        if named is None:
            return None
        key, place = named[1], _past(_SPACE, text, named.end())
        if text[place : place + 1] == "=":
            given = _value(text, _past(_EQUALS, text, place))
            if given is None:
                return None
            value, place = given
    end = _LINE_END.match(text, _past(_COMMENT, text, place))
    return None if end is None else (key, value, end.end())


def _value(text: str, place: int) -> tuple[str, int] | None:
    first = text[place : place + 1]
    if first in ("", "\n", "\r"):
        return "", place
    if first in "'\"":
        quoted = (_SINGLE_QUOTED if first == "'" else _DOUBLE_QUOTED).match(text, place)
        if quoted is None:
            return None
        escapes = _ESCAPED_IN_SINGLE if first == "'" else _ESCAPED
        return escapes.sub(lambda match: _ESCAPES.get(match[1], match[1]), quoted[1]), quoted.end()
    end = _past(_UNQUOTED, text, place)
    return _TRAILING_COMMENT.sub("", text[place:end]).rstrip(), end


def _expanded(value: str, values: Mapping[str, str], room: int) -> str | None:
    """The value with its references replaced; None if it gets longer than `room`."""
    pieces: list[str] = []
    for piece in _pieces(value, values):
        room -= len(piece)
        if room < 0:
            return None
        pieces.append(piece)
    return "".join(pieces)


def _pieces(value: str, values: Mapping[str, str]) -> Iterator[str]:
    """The text between references, and what they stand for: `${NAME}`, or `${NAME:-default}`."""
    done = place = 0
    close = -1
    while (start := value.find("${", place)) >= 0:
        close = value.find("}", start) if close < start else close
        if close < 0:
            break
        colon = value.find(":", start, close)
        if colon >= 0 and value[colon + 1] != "-":
            place = start + 2
            continue
        name = value[start + 2 : close if colon < 0 else colon]
        yield value[done:start]
        yield values.get(name, "" if colon < 0 else value[colon + 2 : close])
        done = place = close + 1
    yield value[done:]


def _past(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place
