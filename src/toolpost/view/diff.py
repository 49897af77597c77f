"""Compare two texts, or read a unified diff, and give it in lines: one below the other, or side by side.

Nothing is drawn here: texts are as they are, and what differs within a line is marked by places in it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct, structs

from .diff_words import Span, changed_spans

Sign = Literal[" ", "+", "-"]
CONTEXT_LINES = 3
# Two stretches without any line that is in both but once are compared line by line only if this many pairs are enough.
MAX_PAIRS = 250_000
# Of more lines in the place of others nobody compares the words.
MAX_MARKED_LINES = 200
# At the end of a last line that no line break ends. No line holds it.
_UNENDED = "\n"
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$")
_HEADS = ("diff --git ", "index ", "--- ", "+++ ")
_NO_END = "\\ No newline at end of file"
_PATCH_HEAD = "*** "
_PATCH_ENDS = ("*** Begin Patch", "*** End Patch", "*** End of File")

Block = tuple[int, int, int, int]


class DiffLine(Struct, frozen=True, omit_defaults=True):
    """One line: kept, added or removed. Numbers count from 1; None where the line is not there or nobody knows.
    `is_unended` if it is the last one and no line break follows it.

    `changed` are the stretches of the text that differ from the line which it takes the place of, or which takes its.
    """

    sign: Sign
    text: str
    old: int | None = None
    new: int | None = None
    changed: tuple[Span, ...] = ()
    is_unended: bool = False


class DiffHunk(Struct, frozen=True, omit_defaults=True):
    """Neighbouring lines. `heading` is what its head says besides the numbers; `note` what is no line of a file, such
    as that the rest was left out."""

    lines: tuple[DiffLine, ...]
    heading: str = ""
    note: str = ""
    path: str = ""


class DiffRow(Struct, frozen=True, omit_defaults=True):
    """A row of a diff side by side; a side is None where the other has no counterpart."""

    left: DiffLine | None
    right: DiffLine | None


def compare_texts(old: str, new: str, *, context: int | None = CONTEXT_LINES) -> tuple[DiffHunk, ...]:
    """The hunks that make `new` of `old`, with so many lines around them; None: with all lines, in one hunk.

    Lines that moved or repeat may be told as removed and added; cost stays close to linear.
    """
    before, after = _lines(old), _lines(new)
    blocks = list(_differing(before, after))
    if context is None:
        return (DiffHunk(_hunk_lines(before, after, blocks, (0, len(before), 0, len(after)))),) if blocks else ()
    return tuple(
        DiffHunk(_hunk_lines(before, after, group, _bounds(group, context, len(before), len(after))))
        for group in _groups(blocks, context)
    )


def read_diff(text: str) -> tuple[DiffHunk, ...]:
    """The hunks of a unified diff, with or without names and numbers. What can't be read as a line is a note."""
    reader = _DiffReader()
    for line in text.removesuffix("\n").split("\n") if text else ():
        # Inside of a hunk that says its size, a line that begins like a head is a line.
        if reader.is_between and line.startswith(_HEADS):
            reader.name(line)
        else:
            reader.take(line)
    return reader.end()


def read_patch(text: str) -> tuple[DiffHunk, ...]:
    """The hunks of what `apply_patch` takes. Each begins with what is done to which file, in the words of the patch."""
    reader = _DiffReader()
    for line in text.removesuffix("\n").split("\n"):
        if line.rstrip() in _PATCH_ENDS:
            continue
        if line.startswith(_PATCH_HEAD):
            reader.head(line.removeprefix(_PATCH_HEAD))
        else:
            reader.take(line)
    return reader.end()


def added_lines(text: str) -> tuple[DiffHunk, ...]:
    """A new file, as a hunk that adds all of its lines."""
    lines = tuple(_line("+", line, None, number) for number, line in enumerate(_lines(text), 1))
    return (DiffHunk(lines),) if lines else ()


def counts(hunks: Iterable[DiffHunk]) -> tuple[int, int]:
    """How many lines are added, and how many are removed."""
    signs = [line.sign for hunk in hunks for line in hunk.lines]
    return signs.count("+"), signs.count("-")


def side_by_side(hunk: DiffHunk) -> list[DiffRow]:
    """The rows of a hunk: removed lines stand beside the added ones that take their place."""
    rows: list[DiffRow] = []
    for removed, added, kept in _changes(hunk.lines):
        for place in range(max(len(removed), len(added))):
            left = removed[place] if place < len(removed) else None
            rows.append(DiffRow(left, added[place] if place < len(added) else None))
        if kept is not None:
            rows.append(DiffRow(kept, kept))
    return rows


class _DiffReader:
    def __init__(self) -> None:
        self._hunks: list[DiffHunk] = []
        self._lines: list[DiffLine] = []
        self._notes: list[str] = []
        self._heading = self._path = ""
        # A file that is deleted or only moved has no lines, and is told all the same.
        self._owes_path = False
        self._old: int | None = None
        self._new: int | None = None
        self._left = (0, 0)
        self._is_open = False

    @property
    def is_between(self) -> bool:
        """Whether no hunk goes on that says its size."""
        return self._left == (0, 0)

    def take(self, line: str) -> None:
        if line.startswith("@@"):
            self._close()
            self._begin(line)
        elif line[:1] in ("+", "-", " "):
            self._add(line[0], line[1:])  # pyright: ignore[reportArgumentType]
        elif not line and self._is_open:
            # Some writers drop the blank of an empty line.
            self._add(" ", "")
        elif line.rstrip() == _NO_END and self._lines:
            self._lines[-1] = structs.replace(self._lines[-1], is_unended=True)
        else:
            self._notes.append(line)

    def name(self, line: str) -> None:
        """A line with the name of a file, or with what git says besides."""
        self._close()
        sign, _, path = line.partition(" ")
        path = path.partition("\t")[0]
        if sign in ("---", "+++") and path != "/dev/null":
            self._path = path

    def head(self, path: str) -> None:
        self._close(shows_path=self._owes_path)
        self._path, self._owes_path = path, True

    def end(self) -> tuple[DiffHunk, ...]:
        self._close(shows_path=self._owes_path)
        return tuple(self._hunks)

    def _begin(self, line: str) -> None:
        self._is_open = True
        found = _HUNK.match(line)
        if found is None:
            self._heading, self._old, self._new, self._left = line.strip("@ "), None, None, (0, 0)
            return
        self._old, self._new, self._heading = int(found[1]), int(found[3]), found[5]
        self._left = int(found[2] or 1), int(found[4] or 1)

    def _add(self, sign: Sign, text: str) -> None:
        self._is_open = True
        old = self._old if sign != "+" else None
        new = self._new if sign != "-" else None
        self._lines.append(DiffLine(sign, text, old, new))
        self._old = self._old + 1 if self._old is not None and sign != "+" else self._old
        self._new = self._new + 1 if self._new is not None and sign != "-" else self._new
        olds, news = self._left
        self._left = max(0, olds - (sign != "+")), max(0, news - (sign != "-"))

    def _close(self, *, shows_path: bool = False) -> None:
        if self._lines or self._notes or self._heading or shows_path:
            self._owes_path = False
            lines = tuple(_marked(self._lines))
            self._hunks.append(DiffHunk(lines, self._heading, "\n".join(self._notes), self._path))
        self._lines, self._notes, self._heading, self._left, self._is_open = [], [], "", (0, 0), False


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, last + _UNENDED] if last else lines


def _line(sign: Sign, text: str, old: int | None, new: int | None) -> DiffLine:
    return DiffLine(sign, text.removesuffix(_UNENDED), old, new, is_unended=text.endswith(_UNENDED))


def _differing(old: Sequence[str], new: Sequence[str]) -> Iterator[Block]:
    """The stretches that differ, as (start, end) in both."""
    stack: list[Block] = [(0, len(old), 0, len(new))]
    found: list[Block] = []
    while stack:
        a, b, c, d = _trimmed(old, new, stack.pop())
        if a == b and c == d:
            continue
        if a == b or c == d:
            found.append((a, b, c, d))
            continue
        anchors = _anchors(old, new, (a, b, c, d))
        if anchors:
            starts = [(a, c), *((i + 1, j + 1) for i, j in anchors)]
            ends = [*anchors, (b, d)]
            stack += [(i, k, j, m) for (i, j), (k, m) in zip(starts, ends, strict=True)]
        elif (b - a) * (d - c) <= MAX_PAIRS:
            found += _by_pairs(old, new, (a, b, c, d))
        else:
            found.append((a, b, c, d))
    yield from _together(sorted(found))


def _together(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks that touch are one."""
    last: Block | None = None
    for block in blocks:
        if last is not None and last[1] == block[0] and last[3] == block[2]:
            last = (last[0], block[1], last[2], block[3])
            continue
        if last is not None:
            yield last
        last = block
    if last is not None:
        yield last


def _trimmed(old: Sequence[str], new: Sequence[str], block: Block) -> Block:
    """Without what is equal at both ends."""
    a, b, c, d = block
    while a < b and c < d and old[a] == new[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and old[b - 1] == new[d - 1]:
        b, d = b - 1, d - 1
    return a, b, c, d


def _anchors(old: Sequence[str], new: Sequence[str], block: Block) -> list[tuple[int, int]]:
    """Lines that are in both but once and in the same order: what a person takes for the same line."""
    a, b, c, d = block
    places = _once(new, c, d)
    pairs = [(i, places[line]) for line, i in _once(old, a, b).items() if line in places]
    return _rising(sorted(pairs))


def _once(lines: Sequence[str], start: int, end: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for place in range(start, end):
        found[lines[place]] = -1 if lines[place] in found else place
    return {line: place for line, place in found.items() if place >= 0}


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest row of pairs that rises on both sides."""
    ends: list[int] = []
    rows: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        place = bisect_left(ends, j)
        before.append(rows[place - 1] if place else -1)
        if place == len(ends):
            ends.append(j)
            rows.append(number)
        else:
            ends[place], rows[place] = j, number
    found: list[tuple[int, int]] = []
    at = rows[-1] if rows else -1
    while at >= 0:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _by_pairs(old: Sequence[str], new: Sequence[str], block: Block) -> Iterator[Block]:
    # Imported here: it takes longer to load than all the rest, and most diffs have no such place.
    from difflib import SequenceMatcher

    a, b, c, d = block
    matcher = SequenceMatcher(None, old[a:b], new[c:d], autojunk=False)
    for tag, i, k, j, m in matcher.get_opcodes():
        if tag != "equal":
            yield a + i, a + k, c + j, c + m


def _groups(blocks: Sequence[Block], context: int) -> Iterator[list[Block]]:
    group: list[Block] = []
    for block in blocks:
        if group and block[0] - group[-1][1] > 2 * context:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _bounds(group: Sequence[Block], context: int, olds: int, news: int) -> Block:
    first, last = group[0], group[-1]
    before, after = min(context, first[0]), min(context, olds - last[1])
    return first[0] - before, last[1] + after, first[2] - before, min(news, last[3] + after)


def _hunk_lines(old: Sequence[str], new: Sequence[str], blocks: Sequence[Block], bounds: Block) -> tuple[DiffLine, ...]:
    i, end, j, _ = bounds
    lines: list[DiffLine] = []

    def keep(until: int) -> None:
        nonlocal i, j
        for place in range(i, until):
            lines.append(_line(" ", old[place], place + 1, j + place - i + 1))
        i, j = until, j + until - i

    for a, b, c, d in blocks:
        keep(a)
        lines += (_line("-", old[place], place + 1, None) for place in range(a, b))
        lines += (_line("+", new[place], None, place + 1) for place in range(c, d))
        i, j = b, d
    keep(end)
    return tuple(_marked(lines))


def _marked(lines: Sequence[DiffLine]) -> Iterator[DiffLine]:
    """The same lines, with marks on what differs between a removed line and the added one in its place."""
    for removed, added, kept in _changes(lines):
        pairs = zip(removed, added, strict=False) if len(removed) <= MAX_MARKED_LINES else ()
        marks = [changed_spans(before.text, after.text) for before, after in pairs]
        yield from (_with(line, marks[at][0] if at < len(marks) else ()) for at, line in enumerate(removed))
        yield from (_with(line, marks[at][1] if at < len(marks) else ()) for at, line in enumerate(added))
        if kept is not None:
            yield kept


def _with(line: DiffLine, changed: tuple[Span, ...]) -> DiffLine:
    return structs.replace(line, changed=changed) if changed else line


def _changes(lines: Sequence[DiffLine]) -> Iterator[tuple[list[DiffLine], list[DiffLine], DiffLine | None]]:
    """Removed lines, the added ones behind them, and the kept line after those."""
    removed, added = list[DiffLine](), list[DiffLine]()
    for line in lines:
        if line.sign == " ":
            yield removed, added, line
            removed, added = [], []
        elif line.sign == "+":
            added.append(line)
        else:
            if added:
                yield removed, added, None
                removed, added = [], []
            removed.append(line)
    if removed or added:
        yield removed, added, None
