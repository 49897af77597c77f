"""Weights on their way here: a bar on a terminal, a line elsewhere, and nothing half done when it is stopped."""

import asyncio
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.models.embedded import smollm2
from toolpost.models.embedded.find import DEFAULT
from toolpost.models.embedded.pull import name_of, pull
from toolpost.models.embedded.server import NOT_INSTALLED, is_installed

from .commands import complain, say
from .exit_codes import OK
from .tables import bold, plain
from .words import at_home, size

if TYPE_CHECKING:
    from toolpost.models.embedded.weights import Progress
    from toolpost.workspace import Workspace


async def pull_model(workspace: "Workspace", source: str, *, name: str, sha256: str) -> int:
    """`toolpost models pull`."""
    environ = workspace.environ
    if source == smollm2.NAME:
        path = await _fetch(workspace)
    else:
        path = await _watched(
            f"pulling {name or name_of(source)}",
            lambda told: pull(source, name=name, sha256=sha256, progress=told, environ=environ),
        )
    model_id = f"embedded/{path.stem}"
    say(f"{bold(plain(model_id))} is at {plain(at_home(path))}, {size(path.stat().st_size)}")
    if not is_installed():
        complain(f"note: {NOT_INSTALLED}")
    return OK


async def fetch_if_missing(workspace: "Workspace", model_id: str) -> None:
    """Fetch the built-in model's weights, if it is the one that was chosen and they are not here."""
    if model_id == DEFAULT and is_installed():
        await _fetch(workspace)


async def _fetch(workspace: "Workspace") -> Path:
    if smollm2.is_here(workspace.environ):
        return smollm2.fetch(environ=workspace.environ)
    label = f"fetching the weights of {DEFAULT}, {size(smollm2.SIZE)}, this once"
    return await _watched(label, lambda told: smollm2.fetch(told, workspace.environ))


async def _watched(label: str, work: "Callable[[Progress], Path]") -> Path:
    """Do it on a thread. Who stops waiting stops the work too, at its next sign of life."""
    stopped = threading.Event()
    with _shown(label) as show:

        def told(done: int, total: int) -> None:
            if stopped.is_set():
                raise InterruptedError
            show(done, total)

        try:
            return await asyncio.to_thread(work, told)
        finally:
            stopped.set()


@contextmanager
def _shown(label: str) -> "Generator[Progress]":
    if not sys.stderr.isatty():
        complain(f"{label} …")
        yield lambda done, total: None
        return
    # Imported here: only a person at a terminal sees it.
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(plain(label), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total or None)
