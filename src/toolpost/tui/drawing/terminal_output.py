"""Draw what commands print: its colours are kept, and nothing else of its escape sequences."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rich.color import Color
from rich.style import Style

from toolpost.view.escape_codes import last_state

from .contract import Look
from .lines import Line, Piece, TextLines, count_rows, tidy

_COLOURS = re.compile(r"\x1b\[([0-9;:]*)m")
# Without blinking and hidden text.
_ATTRIBUTES: dict[int, Style] = {
    1: Style(bold=True),
    2: Style(dim=True),
    3: Style(italic=True),
    4: Style(underline=True),
    7: Style(reverse=True),
    9: Style(strike=True),
    22: Style(bold=False, dim=False),
    23: Style(italic=False),
    24: Style(underline=False),
    27: Style(reverse=False),
    29: Style(strike=False),
    39: Style(color="default"),
    49: Style(bgcolor="default"),
}
_PLAIN = Style()


class TerminalLines(TextLines):
    """The output of a command, fed at once. Lines without colours cost no more than those of any text."""

    def __init__(self, look: Look, style: Style, prefix: Line = ()) -> None:
        super().__init__(look.width, style, prefix, self._pieces_of)
        self._has_colours = look.palette.style("error").color is not None
        self._now = _PLAIN
        self._coloured: dict[int, tuple[str, Style]] = {}

    def _add(self, text: str) -> None:
        line = last_state(text) if "\r" in text else text
        if "\x1b[" not in line and self._now is _PLAIN:
            super()._add(line)
            return
        number = len(self._texts)
        self._coloured[number] = line, self._now
        pieces, self._now = coloured_pieces(line, self._style, self._now, has_colours=self._has_colours)
        shown = "".join(text for text, _ in pieces)
        self._texts.append(shown)
        self._ends.append((self._ends[-1] if self._ends else 0) + count_rows(shown, self._width))

    def _pieces_of(self, number: int, text: str) -> Sequence[Piece]:
        if number not in self._coloured:
            return ((text, self._style),)
        line, now = self._coloured[number]
        return coloured_pieces(line, self._style, now, has_colours=self._has_colours)[0]


@lru_cache(2048)
def coloured_pieces(line: str, base: Style, now: Style, *, has_colours: bool) -> tuple[tuple[Piece, ...], Style]:
    """The pieces of a line of output, and the style that goes on behind it. Live output is drawn often, and most of its
    lines are those of last time."""
    pieces: list[Piece] = []
    at = 0
    for found in _COLOURS.finditer(line):
        pieces.append((tidy(line[at : found.start()]), base + now))
        now = _changed(now, found[1], has_colours=has_colours)
        at = found.end()
    pieces.append((tidy(line[at:]), base + now))
    return tuple(piece for piece in pieces if piece[0]), now


def _changed(now: Style, codes: str, *, has_colours: bool) -> Style:
    numbers = iter([int(code) if code and len(code) < 4 else 0 for code in re.split("[;:]", codes)])
    for number in numbers:
        if number == 0:
            now = _PLAIN
        elif number in (38, 48):
            colour = _long_colour(numbers)
            if colour is not None and has_colours:
                now += Style(color=colour) if number == 38 else Style(bgcolor=colour)
        elif found := _ATTRIBUTES.get(number):
            now += found
        elif has_colours and (30 <= number <= 37 or 90 <= number <= 97):
            now += Style(color=Color.from_ansi(number - 30 if number < 90 else number - 82))
        elif has_colours and (40 <= number <= 47 or 100 <= number <= 107):
            now += Style(bgcolor=Color.from_ansi(number - 40 if number < 100 else number - 92))
    return now


def _long_colour(numbers: Iterator[int]) -> Color | None:
    """`5;N` of 256 colours, or `2;R;G;B`."""
    kind = next(numbers, 0)
    if kind == 5:
        return Color.from_ansi(min(255, next(numbers, 0)))
    if kind == 2:
        red, green, blue = (min(255, next(numbers, 0)) for _ in range(3))
        return Color.from_rgb(red, green, blue)
    return None
