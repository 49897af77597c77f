"""Show the progress of a download: a bar on a terminal, elsewhere a line for each tenth."""

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Protocol

from toolpost.cli.shared.formats import size
from toolpost.cli.shared.tables import plain

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
    if not sys.stderr.isatty():
        yield _Lines(label)
        return
    # Imported here: only a person at a terminal sees it.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(16),
        TextColumn("{task.fields[come]}"),
        TransferSpeedColumn(),
    )
    with Progress(*columns, TimeRemainingColumn(compact=True), console=Console(stderr=True), transient=True) as bar:
        task, shown = bar.add_task(plain(label), total=None, come=""), -1

        class Bar:
            def show(self, done: int, total: int) -> None:
                nonlocal shown
                if shown < 0 and not total:
                    self.tell(WAITING) if not done else None
                come = f"{size(done)} of {size(total)}" if total else size(done) if done else ""
                # What came before, and a fall back to an earlier state, are no bytes of this second.
                if shown < 0 or done < shown:
                    bar.reset(task, completed=done, total=total or None, come=come)
                else:
                    bar.update(task, completed=done, total=total or None, come=come)
                shown = done

            def tell(self, text: str) -> None:
                bar.console.print(plain(text), markup=False, highlight=False)

        yield Bar()


class _Lines:
    """For logs and pipes."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._next = 0
        self._begun: tuple[float, int] | None = None
        self._has_waited = False

    def show(self, done: int, total: int) -> None:
        if not total:
            if not done and not self._has_waited:
                self._has_waited = True
                self.tell(f"{self._label}: {WAITING}")
            return
        if self._begun is None:
            self._begun = time.monotonic(), done
            self._next = done * 10 // total + 1
        if done * 10 >= self._next * total:
            self._next = done * 10 // total + 1
            self.tell(f"{self._label}: {done * 100 // total} %, {size(done)} of {size(total)}{self._rate(done, total)}")

    def tell(self, text: str) -> None:
        say_on_stderr(text)

    def _rate(self, done: int, total: int) -> str:
        assert self._begun is not None
        seconds, come = time.monotonic() - self._begun[0], done - self._begun[1]
        if seconds < 0.1 or come <= 0:
            return ""
        minutes, rest = divmod(round((total - done) * seconds / come), 60)
        left = "" if done == total else f", {minutes}:{rest:02} left"
        return f", {size(int(come / seconds))}/s{left}"
