"""Apply the hunks of a patch to a text: each where its lines are found, with the text's own line ends."""

from collections.abc import Sequence

from toolpost.types.errors import ToolError

from .hints import nearest
from .loose_lines import Key, indentations, plain_punctuation, reindent, windows
from .patch import Hunk

MOST_PLACES_SHOWN = 10


def apply_hunks(text: str, newline: str, hunks: Sequence[Hunk]) -> str:
    """The text afterwards; raises a `ToolError` that says which hunk does not fit."""
    patched = _Patched(text, newline)
    for number, hunk in enumerate(hunks, 1):
        try:
            patched.apply(hunk)
        except ToolError as error:
            raise ToolError(f"hunk {number} of {len(hunks)}: {error}", kind=error.kind) from None
    return patched.text


class _Patched:
    """Lines with their ends beside them, so that a line that is kept keeps its own."""

    def __init__(self, text: str, newline: str) -> None:
        lines = text.split("\n")
        self._ended = lines[-1] == ""
        if self._ended:
            lines.pop()
        self._lines = [line.removesuffix("\r") for line in lines]
        self._ends = ["\r\n" if line.endswith("\r") else "\n" for line in lines]
        if not self._ended:
            self._ends[-1] = newline
        self._newline = newline
        self._cursor = 0
        self._drift = 0

    @property
    def text(self) -> str:
        ends = self._ends if self._ended or not self._ends else [*self._ends[:-1], ""]
        return "".join(part for pair in zip(self._lines, ends, strict=True) for part in pair)

    def apply(self, hunk: Hunk) -> None:
        for header in hunk.headers:
            self._cursor = self._find_header(header)
        wanted = [line for sign, line in hunk.lines if sign != "+"]
        first, known = self._find(hunk, wanted) if wanted else (self._insertion(hunk), {})
        lines: list[str] = []
        ends: list[str] = []
        at = first
        for sign, line in hunk.lines:
            if sign == "+":
                lines.append(reindent(line, known))
                ends.append(self._newline)
                continue
            if sign == " ":
                lines.append(self._lines[at])
                ends.append(self._ends[at])
            at += 1
        self._lines[first:at] = lines
        self._ends[first:at] = ends
        self._cursor = first + len(lines)
        self._drift += len(lines) - len(wanted)
        if hunk.final_newline is not None:
            self._ended = hunk.final_newline

    @property
    def _starts(self) -> tuple[int, ...]:
        """Where to look from: behind the last hunk, then from the beginning, since not everybody keeps the order."""
        return (self._cursor, 0) if self._cursor else (0,)

    def _find_header(self, header: str) -> int:
        """A header may be all of its line, or the beginning of it."""
        for start in self._starts:
            for fits in (str.__eq__, str.startswith):
                for at in range(start, len(self._lines)):
                    if fits(self._lines[at].strip(), header.strip()):
                        return at
        raise ToolError(f'there is no line "{header}" for it to follow.')

    def _find(self, hunk: Hunk, wanted: Sequence[str]) -> tuple[int, dict[str, str]]:
        """Where the lines stand that stay or go, and which indentation of theirs means which of the file's."""
        for start, key in ((start, key) for start in self._starts for key in KEYS):
            keys = [key(line) for line in self._lines]
            places = list(windows(keys, [key(line) for line in wanted], start))
            known = [indentations(wanted, self._lines[at : at + len(wanted)]) for at in places]
            found = {at: table for at, table in zip(places, known, strict=True) if table is not None}
            if found:
                chosen = self._choose(hunk, list(found), len(wanted))
                return chosen, found[chosen]
        raise ToolError(f"its lines were not found. {nearest(self._lines, chr(10).join(wanted))}")

    def _choose(self, hunk: Hunk, places: Sequence[int], count: int) -> int:
        if len(places) == 1:
            return places[0]
        if hunk.at_end and places[-1] + count == len(self._lines):
            return places[-1]
        if hunk.line is not None:
            wanted = hunk.line - 1 + self._drift
            return min(places, key=lambda at: abs(at - wanted))
        if hunk.headers:
            return places[0]
        lines = ", ".join(str(at + 1) for at in places[:MOST_PLACES_SHOWN])
        raise ToolError(f"its lines are there {len(places)} times, at lines {lines}. Give it more lines around, or @@.")

    def _insertion(self, hunk: Hunk) -> int:
        """Where lines go that have none around them."""
        if hunk.line is not None:
            return min(len(self._lines), max(self._cursor, hunk.line + self._drift))
        return self._cursor + 1 if hunk.headers else len(self._lines)


def _same(line: str) -> str:
    return line


def _forgiving(line: str) -> str:
    return plain_punctuation(line).strip()


KEYS: tuple[Key, ...] = (_same, str.rstrip, str.strip, _forgiving)
