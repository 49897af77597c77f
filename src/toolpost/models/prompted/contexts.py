"""Where a marker is only mentioned: inside inline code, quotation marks or HTML's own code tags."""

import re

LONGEST_LINE = 4_096

_RUNS = re.compile(r"`+")
_BEFORE_QUOTE = " \t([{:：,，—-\"'“"
_OPENING = "“‘「『«‹"
_CLOSING = dict(zip(_OPENING, "”’」』»›", strict=True))


def quoting(line: str) -> str:
    """What quotes the place behind `line`: a run of backticks, a quotation mark, a tag; "" where nothing does.

    `line` is the text of the line so far. One that is longer than `LONGEST_LINE` is taken for prose.
    """
    if len(line) >= LONGEST_LINE:
        return ""
    return _code(line) or _tag(line) or _mark(line)


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
