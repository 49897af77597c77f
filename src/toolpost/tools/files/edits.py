"""Replace one stretch of a text: exactly where that is possible, else by strategies that allow small differences.

Each strategy says where the old text stands and what goes there; nothing outside of that is touched. The first that
finds anything decides, and where it finds several places the edit is refused: a looser one would only guess.
"""

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate

from msgspec import Struct

from toolpost.types.errors import ToolError
from toolpost.types.text import counted

from .hints import nearest
from .loose_lines import Key, indentations, plain_punctuation, reindent, windows
from .text import with_newlines

# With fewer letters than this, or more, only an exact match is safe, or quick.
SHORTEST_FORGIVEN = 4
MAX_FORGIVEN = 20_000
ANCHORED_LINES = 3
ANCHORED_CANDIDATES = 20
ANCHORED_CHARS = 2_000
ANCHORED_LIKENESS = 0.8
MAX_PLACES_SHOWN = 10


class Edit(Struct, frozen=True):
    """`old_text` becomes `new_text`: at its only place, or at all of them."""

    old_text: str
    new_text: str
    replace_all: bool = False


class EditResult(Struct, frozen=True):
    """The text afterwards, and how the old text was found: one of `STRATEGIES`."""

    text: str
    strategy: str
    places: int


class Replacement(Struct, frozen=True):
    """Characters from `start` to `stop`, and what takes their place, with plain line ends."""

    start: int
    stop: int
    new: str


def apply_edit(text: str, newline: str, edit: Edit) -> EditResult:
    """Carry out an edit, or raise a `ToolError` that says how to put it right. `newline` ends the lines of `text`."""
    given = Edit(with_newlines(edit.old_text, "\n"), with_newlines(edit.new_text, "\n"), edit.replace_all)
    if not given.old_text:
        raise ToolError("The old text is empty, and the file is not: say which text is to be replaced.", kind="invalid")
    if given.old_text == given.new_text:
        raise ToolError("The old and the new text are the same: there is nothing to change.", kind="invalid")
    haystack = Haystack(text, newline)
    if edit.replace_all and (places := text.count(wanted := with_newlines(given.old_text, newline))):
        # The strategy of the same name would find as many, but one by one.
        return EditResult(text.replace(wanted, with_newlines(given.new_text, newline)), "exact", places)
    letters = len("".join(given.old_text.split()))
    strategies = STRATEGIES if SHORTEST_FORGIVEN <= letters <= MAX_FORGIVEN else EXACT_ONLY
    for name, find in strategies.items():
        spans = find(haystack, given)
        if not spans:
            continue
        if len(spans) > 1 and not edit.replace_all:
            raise _ambiguous(haystack, spans)
        _require_proportion(haystack, spans, given)
        return EditResult(_spliced(haystack, spans), name, len(spans))
    raise ToolError(f"The old text was not found; nothing was changed. {nearest(haystack.lines, given.old_text)}")


class Haystack:
    """A text and its lines, which only the forgiving strategies need."""

    def __init__(self, text: str, newline: str) -> None:
        self.text = text
        self.newline = newline

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def stripped(self) -> list[str]:
        return [line.strip() for line in self.lines]

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins, and one after the last."""
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def line_of(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def stretch(self, first: int, count: int, *, with_end: bool) -> tuple[int, int]:
        """The offsets of `count` lines from `first` on; `with_end` includes their last line end."""
        start, stop = self.starts[first], self.starts[first + count] - 1
        if with_end and stop < len(self.text):
            return start, stop + 1
        return start, stop - self.text.endswith("\r", start, stop)


def _exact(haystack: Haystack, edit: Edit) -> list[Replacement]:
    wanted = with_newlines(edit.old_text, haystack.newline)
    found: list[Replacement] = []
    at = haystack.text.find(wanted)
    while at >= 0 and (edit.replace_all or len(found) <= MAX_PLACES_SHOWN):
        found.append(Replacement(at, at + len(wanted), edit.new_text))
        # Two places that overlap are two places, unless all are meant.
        at = haystack.text.find(wanted, at + (len(wanted) if edit.replace_all else 1))
    return found


def _line_ends(haystack: Haystack, edit: Edit) -> list[Replacement]:
    return _by_lines(haystack, edit, [line.rstrip() for line in haystack.lines], str.rstrip)


def _indentation(haystack: Haystack, edit: Edit) -> list[Replacement]:
    return _by_lines(haystack, edit, haystack.stripped, str.strip)


def _by_lines(haystack: Haystack, edit: Edit, keys: Sequence[str], key: Key) -> list[Replacement]:
    """Whole lines that are equal by `key`; the new text is indented as the found lines are."""
    ended = edit.old_text.endswith("\n")
    old = edit.old_text.removesuffix("\n").split("\n")
    found: list[Replacement] = []
    for first in windows(keys, [key(line) for line in old]):
        known = indentations(old, haystack.lines[first : first + len(old)])
        if known is None or (found and haystack.starts[first] < found[-1].stop):
            continue
        start, stop = haystack.stretch(first, len(old), with_end=ended)
        new = reindent(edit.new_text, known)
        at_end = ended and not haystack.text.endswith("\n", start, stop)
        found.append(Replacement(start, stop, new.removesuffix("\n") if at_end else new))
    return found


def _punctuation(haystack: Haystack, edit: Edit) -> list[Replacement]:
    old, text = plain_punctuation(edit.old_text), plain_punctuation(haystack.text)
    if (old, text) == (edit.old_text, haystack.text):
        return []
    return _exact(Haystack(text, haystack.newline), Edit(old, edit.new_text, edit.replace_all))


def _escapes(haystack: Haystack, edit: Edit) -> list[Replacement]:
    for unescape in (_without_backslashes, _without_entities):
        old = unescape(edit.old_text)
        if old != edit.old_text:
            found = _exact(haystack, Edit(old, unescape(edit.new_text), edit.replace_all))
            if found:
                return found
    return []


def _whitespace(haystack: Haystack, edit: Edit) -> list[Replacement]:
    """Words in their order on their lines, with any space between them; the first line may begin in the middle."""
    old, new = edit.old_text.strip(), edit.new_text.strip()
    # What the model wants at either end can't be told from what it got wrong, unless it leaves the ends alone.
    if not new or _ends(edit.old_text) != _ends(edit.new_text):
        return []
    found: list[Replacement] = []
    for match in re.finditer(_words_pattern(old.split("\n")), haystack.text):
        known = _indentations_around(haystack, match.start(), match.end(), edit.old_text)
        if known is not None and _are_words(haystack.text, match.start(), match.end()):
            first, newline, rest = new.partition("\n")
            found.append(Replacement(match.start(), match.end(), first + newline + reindent(rest, known)))
    return found


def _indentations_around(haystack: Haystack, start: int, stop: int, old_text: str) -> dict[str, str] | None:
    """Which indentation stands for which, where the first line counts only if the match begins with its first word."""
    line_start = haystack.text.rfind("\n", 0, start) + 1
    actual = haystack.text[line_start:stop].split("\n")
    given = old_text.strip("\n").split("\n")
    begins_line = not haystack.text[line_start:start].strip()
    return indentations(given, actual) if begins_line else indentations(given[1:], actual[1:])


def _anchors(haystack: Haystack, edit: Edit) -> list[Replacement]:
    """A block by its first and last line, if what is between them is much like what the model remembers."""
    old = edit.old_text.strip("\n").split("\n")
    if len(old) < ANCHORED_LINES or not old[0].strip() or not old[-1].strip():
        return []
    found: list[Replacement] = []
    for first, count in _blocks(haystack, old):
        block = haystack.lines[first : first + count]
        known = indentations((old[0], old[-1]), (block[0], block[-1]))
        if known is not None and _is_like(block[1:-1], old[1:-1]):
            start, stop = haystack.stretch(first, count, with_end=False)
            found.append(Replacement(start, stop, reindent(edit.new_text.strip("\n"), known)))
    return found


Strategy = Callable[[Haystack, Edit], list[Replacement]]
EXACT_ONLY: dict[str, Strategy] = {"exact": _exact}
STRATEGIES: dict[str, Strategy] = {
    **EXACT_ONLY,
    "line ends": _line_ends,
    "indentation": _indentation,
    "punctuation": _punctuation,
    "escapes": _escapes,
    "whitespace": _whitespace,
    "first and last line": _anchors,
}


def _ends(text: str) -> tuple[str, str]:
    """The space before and behind a text."""
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _words_pattern(lines: Sequence[str]) -> str:
    """Spaces are taken whole and never given back, so that a match takes time in proportion to the text."""
    joined = [r"[^\S\n]++".join(map(re.escape, line.split())) for line in lines]
    return _SAME_LINE_END.join(joined)


def _are_words(text: str, start: int, stop: int) -> bool:
    """True if no word is cut at either end."""
    return not any(re.fullmatch(r"\w\w", text[max(0, at - 1) : at + 1]) for at in (start, stop))


def _blocks(haystack: Haystack, old: Sequence[str]) -> list[tuple[int, int]]:
    """Where a block with the first and the last line of `old` begins, and how many lines it has."""
    slack = max(1, len(old) // 4)
    first, last = old[0].strip(), old[-1].strip()
    found: list[tuple[int, int]] = []
    for start in windows(haystack.stripped, [first]):
        sizes = [count for count in range(len(old) - slack, len(old) + slack + 1) if count >= ANCHORED_LINES]
        ends = [count for count in sizes if haystack.stripped[start + count - 1 : start + count] == [last]]
        found += [(start, min(ends, key=lambda count: abs(count - len(old))))] if ends else []
        if len(found) > ANCHORED_CANDIDATES:
            return []
    return found


def _is_like(block: Sequence[str], old: Sequence[str]) -> bool:
    from difflib import SequenceMatcher  # the last resort is rarely reached

    one, other = ([line.strip() for line in lines] for lines in (block, old))
    # By characters where that is quick, else by lines, which is stricter.
    if sum(map(len, (*one, *other))) > ANCHORED_CHARS:
        return SequenceMatcher(None, one, other).ratio() >= ANCHORED_LIKENESS
    return SequenceMatcher(None, "\n".join(one), "\n".join(other), autojunk=False).ratio() >= ANCHORED_LIKENESS


def _require_proportion(haystack: Haystack, spans: Sequence[Replacement], edit: Edit) -> None:
    """A forgiving match that is far larger than what was asked for is a wrong one."""
    old_lines = edit.old_text.count("\n") + 1
    for span in spans:
        size, lines = span.stop - span.start, haystack.text.count("\n", span.start, span.stop) + 1
        if lines >= max(old_lines + 3, 2 * old_lines) or size > max(len(edit.old_text) + 500, 4 * len(edit.old_text)):
            raise ToolError(
                f"The old text ({counted(old_lines, 'line')}) would match {counted(lines, 'line')} "
                f"from line {haystack.line_of(span.start)} on; nothing was changed. "
                "Read the file and copy the old text from it."
            )


def _ambiguous(haystack: Haystack, spans: Sequence[Replacement]) -> ToolError:
    lines = [str(haystack.line_of(span.start)) for span in spans[:MAX_PLACES_SHOWN]]
    times, more = (f"{len(spans)} times", "") if len(spans) <= MAX_PLACES_SHOWN else ("many times", " and more")
    return ToolError(
        f"The old text is there {times}, at lines {', '.join(lines)}{more}; nothing was changed. "
        "Add lines around it until it is the only one, or set replace_all."
    )


def _spliced(haystack: Haystack, spans: Sequence[Replacement]) -> str:
    pieces: list[str] = []
    done = 0
    for span in spans:
        pieces += (haystack.text[done : span.start], with_newlines(span.new, haystack.newline))
        done = span.stop
    return "".join((*pieces, haystack.text[done:]))


def _without_backslashes(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match.group(1), match.group(1)), text)


def _without_entities(text: str) -> str:
    from html import unescape  # the table is large, and few models write entities

    return unescape(text) if "&" in text else text


_SAME_LINE_END = r"[^\S\n]*+\n[^\S\n]*+"
_ESCAPE = re.compile(r"""\\([ntr"'`\\$])""")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
