"""Show the progress of a download: a bar on a terminal, elsewhere a line for each tenth."""

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Protocol

from toolpost.cli.shared.formats import size
from toolpost.cli.shared.progress_bar import Pace, ProgressBar, can_draw

from .output import say_on_stderr

WAITING = "another process is fetching it: waiting"


class TransferProgress(Protocol):
    def show(self, done: int, total: int) -> None:
        """So many bytes are here of so many, 0 where that is not known. Both are 0 while another process has it."""
        ...

    def tell(self, text: str) -> None:
        """A line of text, above the bar."""
        ...


@contextmanager
def transfer(label: str) -> Generator[TransferProgress]:
    """`label` is short: the bar and its figures need the rest of 80 columns."""
    if not can_draw(sys.stderr):
        yield _Lines(label)
        return
    bar = _Bar(label)
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """For a person at a terminal; it is taken away at the end."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar = ProgressBar(sys.stderr)
        self._pace = Pace(0)
        self._shown = -1

    def show(self, done: int, total: int) -> None:
        if self._shown < 0 and not total and not done:
            self.tell(WAITING)
        # What came before, and a fall back to an earlier state, are no bytes of this second.
        if self._shown < 0 or done < self._shown:
            self._pace = Pace(done)
        self._shown = done
        come = f"{size(done)} of {size(total)}" if total else size(done) if done else ""
        self._bar.draw(self._label, done, total, ", ".join(filter(None, (come, *_rate(self._pace, done, total)))))

    def tell(self, text: str) -> None:
        self._bar.above(text)

    def close(self) -> None:
        self._bar.clear()


class _Lines:
    """For logs and pipes."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._next = 0
        self._pace: Pace | None = None
        self._has_waited = False

    def show(self, done: int, total: int) -> None:
        if not total:
            if not done and not self._has_waited:
                self._has_waited = True
                self.tell(f"{self._label}: {WAITING}")
            return
        if self._pace is None:
            self._pace = Pace(done)
            self._next = done * 10 // total + 1
        if done * 10 >= self._next * total:
            self._next = done * 10 // total + 1
            come = f"{self._label}: {done * 100 // total} %, {size(done)} of {size(total)}"
            self.tell(", ".join((come, *_rate(self._pace, done, total))))

    def tell(self, text: str) -> None:
        say_on_stderr(text)


def _rate(pace: Pace, done: int, total: int) -> Iterator[str]:
    if rate := pace.a_second(done):
        yield f"{size(int(rate))}/s"
    if left := pace.left(done, total):
        yield left
