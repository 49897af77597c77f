"""Draw a progress bar in one line of a terminal, with its figures and the time that is left."""

import os
import time
from typing import TextIO

from toolpost.view.cells import fit, width

from .tables import line_width, plain

BAR_CELLS = 24
NARROWEST_BAR = 6
SECONDS_BETWEEN_DRAWINGS = 0.1


def can_draw(out: TextIO) -> bool:
    """True for a terminal on which a line can be written anew."""
    return out.isatty() and os.environ.get("TERM") != "dumb"


class ProgressBar:
    """A line such as `weights [#####-----] 1.2 MB of 4.8 MB`, drawn again where it stands, a few times a second."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._line = ""
        self._drawn = float("-inf")

    def draw(self, label: str, done: int, total: int, figures: str) -> None:
        """Show that so much of `total` is done; 0 where that is not known. The end of it is always drawn."""
        now = time.monotonic()
        if now - self._drawn < SECONDS_BETWEEN_DRAWINGS and not 0 < total <= done:
            return
        self._drawn = now
        label, figures, cells = plain(label), plain(figures), line_width(self._out) - 1
        room = min(BAR_CELLS, cells - width(label) - width(figures) - 4)
        bar = f"[{_filled(done, total, room)}]" if total and room >= NARROWEST_BAR else ""
        self._put(fit(" ".join(filter(None, (label, bar, figures))), cells))

    def above(self, text: str) -> None:
        """Write a line of text, and the bar again below it."""
        line = self._line
        self._put("")
        self._out.write(f"{plain(text)}\n")
        self._put(line)

    def keep(self) -> None:
        """Leave the line as it is, and go to the next one."""
        if self._line:
            self._out.write("\n")
            self._out.flush()
        self._line, self._drawn = "", float("-inf")

    def clear(self) -> None:
        """Take the line away."""
        self._put("")

    def _put(self, line: str) -> None:
        self._line = line
        # The cursor stays at the beginning: whatever else is written begins there.
        self._out.write(f"\r\x1b[K{line}\r" if line else "\r\x1b[K")
        self._out.flush()


class Pace:
    """How fast something comes since it began with `done`, and how long the rest takes."""

    def __init__(self, done: int) -> None:
        self._began = time.monotonic()
        self._first = done

    def a_second(self, done: int) -> float:
        """0 where it is too early to tell."""
        seconds = time.monotonic() - self._began
        return (done - self._first) / seconds if seconds >= 0.1 and done > self._first else 0.0

    def left(self, done: int, total: int) -> str:
        """`3:07 left`, and nothing where it is too early to tell, or all is done."""
        rate = self.a_second(done)
        if not rate or done >= total:
            return ""
        minutes, seconds = divmod(round((total - done) / rate), 60)
        return f"{minutes}:{seconds:02} left"


def _filled(done: int, total: int, cells: int) -> str:
    full = min(cells, cells * done // total)
    return "#" * full + "-" * (cells - full)
