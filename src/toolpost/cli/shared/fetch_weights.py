"""Fetch the weights of an embedded model: announce it, show its progress, stop at Ctrl-C."""

import asyncio
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from toolpost.models.embedded.choice import memory_available
from toolpost.models.embedded.server import is_installed
from toolpost.models.embedded.weights.folder import PROVIDER, is_here, path_of, size_of
from toolpost.models.embedded.weights.known import KNOWN, KnownWeights
from toolpost.models.embedded.weights.pull import check_memory, pull_known, unfinished_folder
from toolpost.models.embedded.weights.sources import named_source, usual_sources

from .formats import at_home, size
from .output import say_on_stderr
from .progress_bar import Pace, ProgressBar, can_draw
from .signals import stopping
from .tables import plain

if TYPE_CHECKING:
    from toolpost.models.embedded.weights.folder import Progress
    from toolpost.models.embedded.weights.pull import Tell
    from toolpost.workspace import Workspace


# How long the thread may take to end its child processes after it was told to stop.
STOP_SECONDS = 3.0
_WAITING = "another process is fetching it: waiting"


class _Stopped(Exception):
    """Raised in the thread that fetches."""


async def fetch_if_missing(workspace: "Workspace", model_id: str) -> None:
    """Fetch the weights of a known embedded model if they are not on this machine."""
    known = KNOWN.get(model_id.removeprefix(f"{PROVIDER}/"))
    if known is not None and is_installed() and not is_here(known, workspace.environ):
        await fetch_known(workspace, known)


async def fetch_known(workspace: "Workspace", known: KnownWeights, *, origin: str = "", force: bool = False) -> Path:
    """Fetch known weights and return their path. With `origin` they come from there only; with `force` they are
    fetched even if they do not fit into memory."""
    environ, mirror = workspace.environ, workspace.config.embedded.mirror or ""
    if is_here(known, environ):
        return path_of(known.name, environ)
    if not force:
        check_memory(known, memory_available())
    sources = [named_source(known, origin)] if origin else usual_sources(known, mirror=mirror, environ=environ)
    folder = unfinished_folder(known, environ)
    say_on_stderr(
        f"{PROVIDER}/{known.name} is {known.title}, {known.licence}:\n"
        f"{size(known.size)} to fetch, {size(known.memory)} of memory\n"
        f"from {', else '.join(source.name for source in sources)}"
    )
    if come := size_of(folder):
        say_on_stderr(f"{size(come)} were fetched before; continuing from there")

    def work(progress: "Progress", tell: "Tell") -> Path:
        return pull_known(known, source=origin, mirror=mirror, progress=progress, tell=tell, environ=environ)

    return await fetch_on_thread(known.name, work, folder, known.name)


async def fetch_on_thread(label: str, work: "Callable[[Progress, Tell], Path]", folder: Path, source: str) -> Path:
    """Run `work` on a thread and show its progress. Ctrl-C or SIGTERM stops it; what was fetched is kept."""
    task = asyncio.current_task()
    assert task is not None
    with stopping(task.cancel) as signals:
        try:
            with _transfer(label) as shown:
                return await _on_thread(label, work, shown)
        except asyncio.CancelledError:
            _say_kept(folder, source)
            if signals.asked:
                raise KeyboardInterrupt from None
            raise


async def _on_thread(label: str, work: "Callable[[Progress, Tell], Path]", shown: "_TransferProgress") -> Path:
    """A stop reaches the thread at its next progress. One that waits for a silent server makes none: it is left
    alone, and ends with the process."""
    stop, result = threading.Event(), Future[Path]()
    # A future that runs is not cancelled under the thread that is about to set it.
    result.set_running_or_notify_cancel()

    def progress(done: int, total: int) -> None:
        if stop.is_set():
            raise _Stopped
        shown.show(done, total)

    def tell(text: str) -> None:
        if stop.is_set():
            raise _Stopped
        shown.tell(text)

    def run() -> None:
        try:
            result.set_result(work(progress, tell))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
            result.set_exception(error)

    thread = threading.Thread(target=run, name=f"pull {label}", daemon=True)
    thread.start()
    try:
        return await asyncio.wrap_future(result)
    finally:
        stop.set()
        thread.join(STOP_SECONDS)


def _say_kept(folder: Path, source: str) -> None:
    if come := size_of(folder):
        command = f"toolpost models pull {plain(source)}"
        say_on_stderr(
            f"stopped: {size(come)} are kept in {at_home(folder)}. `{command}` continues from there, "
            f"`{command} --clean` deletes them."
        )


class _TransferProgress(Protocol):
    def show(self, done: int, total: int) -> None:
        """So many bytes are here of so many, 0 where that is not known. Both are 0 while another process has it."""
        ...

    def tell(self, text: str) -> None:
        """A line of text, above the bar."""
        ...


@contextmanager
def _transfer(label: str) -> Generator[_TransferProgress]:
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
            self.tell(_WAITING)
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
                self.tell(f"{self._label}: {_WAITING}")
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
