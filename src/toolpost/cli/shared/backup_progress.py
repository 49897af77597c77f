"""Show the progress of a backup or a restore on a terminal, and let SIGTERM stop it as Ctrl-C does."""

import contextlib
import signal
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING

from .formats import size
from .progress_bar import ProgressBar, can_draw

if TYPE_CHECKING:
    from toolpost.store.backup.tables import Progress


@contextlib.contextmanager
def shown_progress(label: str) -> Generator["Progress"]:
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    bar = ProgressBar(sys.stderr) if can_draw(sys.stderr) else None

    def show(done: int, total: int) -> None:
        if bar is not None:
            bar.draw(label, done, total, f"{size(done)} of {size(total)}" if total else size(done))

    try:
        yield show
    finally:
        if bar is not None:
            bar.clear()
        signal.signal(signal.SIGTERM, before)
