"""Write aligned tables and plain text: columns, widths, colours, control characters made visible."""

import os
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import islice
from typing import TextIO

from toolpost.view.cells import fit, width
from toolpost.view.escape_codes import exact

GAP = "  "
# Widths are settled by the first rows, so that a list of any length starts at once and takes no memory.
SETTLING_ROWS = 100
NARROWEST_LAST_COLUMN = 20

_LINE_END = re.compile(r"\r\n?|\n")


class TextTable:
    """Rows in columns; the last column takes what is left of the line. Use it in a `with`, which writes what waits.

    On a terminal the head is bold and the last column is cut to the line. Elsewhere nothing is cut or coloured.
    """

    def __init__(self, *columns: str, right: Sequence[str] = (), out: TextIO | None = None) -> None:
        self._columns = columns
        self._right = frozenset(columns.index(name) for name in right)
        self._out = out or sys.stdout
        self._line = line_width(self._out)
        self._waiting: list[tuple[str, ...]] = []
        self._widths: list[int] = []

    def __enter__(self) -> "TextTable":
        return self

    def __exit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        if kind is None:
            self._settle()

    def row(self, *cells: object) -> None:
        row = tuple(plain(str(cell)) for cell in cells)
        if self._widths:
            self._write(row)
            return
        self._waiting.append(row)
        if len(self._waiting) >= SETTLING_ROWS:
            self._settle()

    def _settle(self) -> None:
        if not self._waiting:
            return
        rows = [self._columns, *self._waiting]
        self._waiting = []
        self._widths = [max(width(row[place]) for row in rows) for place in range(len(self._columns))]
        self._write(self._columns, head=True)
        for row in islice(rows, 1, None):
            self._write(row)

    def _write(self, row: Sequence[str], *, head: bool = False) -> None:
        cells = [self._aligned(place, cell) for place, cell in enumerate(row[:-1])]
        last = row[-1]
        if self._line:
            taken = sum(width(cell) + len(GAP) for cell in cells)
            last = fit(last, max(NARROWEST_LAST_COLUMN, self._line - taken))
        line = GAP.join((*cells, last)).rstrip()
        self._out.write(f"{bold(line, self._out) if head else line}\n")

    def _aligned(self, place: int, cell: str) -> str:
        blanks = " " * (self._widths[place] - width(cell))
        return blanks + cell if place in self._right else cell + blanks


def plain(text: str) -> str:
    """One line that cannot move a cursor, colour, ring or turn a line around: what could is shown, not sent."""
    return text if text.isascii() and text.isprintable() else plain_lines(" ".join(text.split("\t"))).replace("\n", " ")


def plain_lines(text: str) -> str:
    """The same for a text of several lines, which keeps its lines and tabs."""
    return exact("\n".join(_LINE_END.split(text.removesuffix("\n"))))


def line_width(out: TextIO) -> int:
    """The cells of a terminal's line; 0 where there is no terminal, and so no end of the line."""
    return shutil.get_terminal_size().columns if out.isatty() else 0


def bold(text: str, out: TextIO | None = None) -> str:
    return _styled("1", text, out)


def dim(text: str, out: TextIO | None = None) -> str:
    return _styled("2", text, out)


def coloured(text: str, colour: str, out: TextIO | None = None) -> str:
    return _styled({"red": "31", "green": "32", "yellow": "33"}[colour], text, out)


def _styled(code: str, text: str, out: TextIO | None) -> str:
    has_colours = (out or sys.stdout).isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[{code}m{text}\x1b[0m" if has_colours and text else text
