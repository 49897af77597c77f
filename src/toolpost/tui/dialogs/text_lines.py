"""Lines of styled text, wrapped to a width without losing a character. Strips are made only when they are drawn."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from toolpost.tui.drawing.lines import Line, OnDemand, TextLines, line_at, line_of

# A longer text is not wrapped by words, but where a line is full.
LONG_TEXT = 20_000
# A line in pieces.
Pieces = Sequence[tuple[str, Style]]
TAB = "    "


class DialogLines(OnDemand[Strip]):
    """Lines that become strips when they are asked for: an argument of five megabytes has very many."""

    def __init__(self) -> None:
        self._last: list[Line] = []
        self._parts: list[Sequence[Line]] = [self._last]

    def add(self, *pieces: tuple[str, Style]) -> None:
        self._last.append(line_of(*pieces))

    def wrap(self, text: str, style: Style, width: int, *, first: str = "", rest: str | None = None) -> None:
        """Add a text. `first` stands before its first line and `rest`, by default as many blanks, before the others."""
        indent = " " * cell_len(first) if rest is None else rest
        head, _, more = text.partition("\n") if len(text) > LONG_TEXT else (text, "", "")
        for part in (head, more) if more else (head,):
            if len(part) > LONG_TEXT:
                lines = TextLines(width, style, line_of((first, style)))
                lines.feed(part)
                self.join(lines)
            else:
                for line in wrapped(part, max(1, width - cell_len(first))):
                    self._last.append(line_of((first, style), (line, style)))
                    first = indent
            first = indent

    def text(self, at: int) -> str:
        return "".join(segment.text for segment in line_at(self._parts, at))

    def join(self, lines: Sequence[Line]) -> None:
        """Add lines that are drawn when they are looked at."""
        self._last = []
        self._parts += (lines, self._last)

    def append(self, others: "DialogLines") -> None:
        for part in others._parts:
            self.join(part)

    def at(self, place: int) -> Strip:
        return Strip(line_at(self._parts, place))

    def __len__(self) -> int:
        return sum(map(len, self._parts))


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
