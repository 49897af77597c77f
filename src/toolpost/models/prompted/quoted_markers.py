"""Tell call markers that the model only mentions, in code or quotation marks, from those that begin a call."""

import re
from functools import cache

from .value_end import ValueEnd

MAX_LINE = 4_096

_RUNS = re.compile(r"`+")
_BEFORE_QUOTE = " \t([{:：,，—-\"'“"
_OPENING = "“‘「『«‹"
_CLOSING = dict(zip(_OPENING, "”’」』»›", strict=True))
_MARK = re.compile('"')


def quoting(line: str) -> str:
    """What would quote the place behind `line`, if it ends behind it: a run of backticks, a quotation mark, a tag.

    "" where nothing is open. `line` is the text of the line so far; one of `MAX_LINE` or more is prose.
    """
    if len(line) >= MAX_LINE:
        return ""
    return _code(line) or _tag(line) or _mark(line)


def mention(text: str, quote: str, marker: str, end: str, last: bool) -> int | None:
    """How much of `text`, which begins with `marker`, is only mentioned, because `quote` closes behind it; 0 for none.

    A quote that does not close was none: an apostrophe, an inch mark, a slip. It has to close before the line ends on
    which `end`, the marker's end tag, stands. None where only more text can tell, unless this is the `last`.
    """
    if quote not in "\"'":
        return _closed_by(text, quote, marker, end, last)
    if text.startswith(quote, len(marker)):
        return len(marker)
    behind = _behind(text, marker, end, last)
    if behind is None:
        return None
    line_end = text.find("\n", behind)
    found = _mark_closes(text[behind:] if line_end < 0 else text[behind:line_end], quote)
    if found is not None and (last or line_end >= 0 or behind + found + 1 < len(text)):
        return behind + found
    return 0 if last or line_end >= 0 else None


def _closed_by(text: str, quote: str, marker: str, end: str, last: bool) -> int | None:
    """The place of a closing mark that a call seldom holds itself, so the first one decides."""
    place = _closer(quote).search(text, len(marker))
    behind = _behind(text, marker, end, last)
    line_end = text.find("\n", behind) if behind is not None else -1
    if place and (line_end < 0 or place.start() < line_end):
        return place.start() if last or place.end() < len(text) else None
    return 0 if last or line_end >= 0 else None


def _behind(text: str, marker: str, end: str, last: bool) -> int | None:
    """Where what `marker` opens has ended: directly behind it where it does not end in this paragraph."""
    if end:
        place = text.find(end, len(marker)) + len(end)
        found = place >= len(end)
    elif marker in ("{", "["):
        place = ValueEnd().feed(text, 0, last)
        found = place >= 0
    else:
        return len(marker)
    blank = text.find("\n\n", len(marker))
    if blank >= 0 and (not found or blank < place):
        return len(marker)
    return place if found else len(marker) if last else None


def _mark_closes(rest: str, quote: str) -> int | None:
    """Where in `rest` the mark closes that was open before it; marks that open and close again are passed over."""
    if quote == "'":
        return rest.index("'") if rest.lstrip(".,;!?")[:1] == "'" else None
    opened = 0
    for found in _MARK.finditer(rest):
        opened += 1 if _opens(rest, found.start()) else -1
        if opened < 0:
            return found.start()
    return None


def _opens(rest: str, place: int) -> bool:
    """Whether the mark at `place` stands behind a space or a bracket, and before a word."""
    behind = rest[place + 1 : place + 2]
    return place > 0 and rest[place - 1] in _BEFORE_QUOTE and bool(behind.strip()) and behind not in ".,;:!?)"


@cache
def _closer(quote: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!`){quote}(?!`)" if quote[0] == "`" else re.escape(quote))


def _code(line: str) -> str:
    """The run of backticks that is still open."""
    opened = ""
    for found in _RUNS.finditer(line):
        run = found.group()
        opened = "" if run == opened else opened or run
    return opened


def _tag(line: str) -> str:
    for tag in ("code", "pre"):
        if line.rfind(f"<{tag}>") > line.rfind(f"</{tag}>"):
            return f"</{tag}>"
    return ""


def _mark(line: str) -> str:
    if line and line[-1] in "\"'" and (len(line) == 1 or line[-2] in _BEFORE_QUOTE):
        return line[-1]
    for opening in _OPENING:
        if line.rfind(opening) > line.rfind(_CLOSING[opening]) and opening != "‘":
            return _CLOSING[opening]
    if line.count('"') % 2:
        place = line.rfind('"')
        behind = line[place + 1 : place + 2]
        # An inch mark stands behind its number; a mark that opens stands behind a space and before a word.
        if (place == 0 or line[place - 1] in _BEFORE_QUOTE) and behind.strip():
            return '"'
    return ""
