"""Lines of styled text, wrapped to a width without losing a character. Strips are made only when they are drawn."""

from collections.abc import Iterator, Sequence
from typing import overload

from rich.cells import cell_len, get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

# A line in pieces.
Pieces = Sequence[tuple[str, Style]]
TAB = "    "


class DialogLines(Sequence[Strip]):
    """Lines that become strips when they are asked for: an argument of five megabytes has very many."""

    def __init__(self) -> None:
        self._lines: list[Pieces] = []

    def add(self, *pieces: tuple[str, Style]) -> None:
        self._lines.append(pieces)

    def wrap(self, text: str, style: Style, width: int, *, first: str = "", rest: str | None = None) -> None:
        """Add a text. `first` stands before its first line and `rest`, by default as many blanks, before the others."""
        indent = " " * cell_len(first) if rest is None else rest
        for number, line in enumerate(wrapped(text, max(1, width - cell_len(first)))):
            head = indent if number else first
            self._lines.append(((head, style), (line, style)) if head else ((line, style),))

    def text(self, at: int) -> str:
        return "".join(text for text, _ in self._lines[at])

    def join(self, others: "DialogLines") -> None:
        self._lines += others._lines

    @overload
    def __getitem__(self, at: int) -> Strip: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Strip]: ...
    def __getitem__(self, at: int | slice) -> Strip | Sequence[Strip]:
        if isinstance(at, slice):
            return [strip_of(line) for line in self._lines[at]]
        return strip_of(self._lines[at])

    def __len__(self) -> int:
        return len(self._lines)


def strip_of(pieces: Pieces) -> Strip:
    return Strip([Segment(text, style) for text, style in pieces if text])


def wrapped(text: str, width: int) -> Iterator[str]:
    """The lines of a text at this width: broken behind a blank where there is one, else anywhere. Put together they
    are the text, but for its ends of lines and its tabs, which are blanks."""
    for line in text.split("\n"):
        yield from _wrapped_line(line.replace("\t", TAB), width)


def cut(text: str, width: int) -> str:
    """A text on one line, cut with an ellipsis where it is too long."""
    line = text.replace("\n", " ").replace("\t", " ")
    if cell_len(line) <= width:
        return line
    return line[: _fitting(line, 0, width - 1)] + "…" if width > 0 else ""


def marked_lines(
    text: str, style: Style, marks: Sequence[tuple[int, int]], marked: Style, width: int
) -> Iterator[Pieces]:
    """The lines of a text with these stretches of it in another style."""
    # A tab is wider than the character that a mark counts.
    stretches = () if "\t" in text else marks
    at = 0
    for line in wrapped(text, width):
        yield tuple(_marked(line, at, stretches, style, marked))
        at += len(line)


def _marked(
    line: str, at: int, marks: Sequence[tuple[int, int]], style: Style, marked: Style
) -> Iterator[tuple[str, Style]]:
    """The pieces of a line that begins at this place of its text."""
    done = 0
    for start, end in marks:
        first, last = max(done, min(start - at, len(line))), max(0, min(end - at, len(line)))
        if first < last:
            yield line[done:first], style
            yield line[first:last], marked
            done = last
    yield line[done:], style


def _wrapped_line(line: str, width: int) -> Iterator[str]:
    at = 0
    # A line of a plain alphabet has as many cells as characters.
    is_plain = line.isascii()
    while True:
        end = min(len(line), at + width) if is_plain else _fitting(line, at, width)
        if end >= len(line):
            yield line[at:]
            return
        blank = line.rfind(" ", at, end) + 1
        end = blank if blank - at > width // 2 else end
        yield line[at:end]
        at = end


def _fitting(line: str, at: int, width: int) -> int:
    """Where a line that begins here has to end; at least one character fits."""
    used, end = 0, at
    while end < len(line):
        used += get_character_cell_size(line[end])
        if used > width:
            break
        end += 1
    return max(end, at + 1)
