"""`toolpost models pull`, and weights that are fetched when first needed: announced, shown, stopped at once."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.cli.commands import complain, say
from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.formats import at_home, size
from toolpost.cli.shared.signals import stopping
from toolpost.cli.shared.tables import bold, plain
from toolpost.models.embedded.choice import choose, memory_available
from toolpost.models.embedded.server import is_installed, not_installed
from toolpost.models.embedded.weights.folder import (
    PROVIDER,
    clear,
    every,
    is_here,
    locked,
    models_folder,
    path_of,
    size_of,
)
from toolpost.models.embedded.weights.known import KNOWN, KnownWeights
from toolpost.models.embedded.weights.pull import (
    check_memory,
    name_of,
    pull,
    pull_known,
    unfinished_folder,
    unfinished_folder_of,
)
from toolpost.models.embedded.weights.sources import named_source, usual_sources
from toolpost.types.errors import ConfigError

from .progress import transfer

if TYPE_CHECKING:
    from toolpost.models.embedded.weights.folder import Progress
    from toolpost.models.embedded.weights.pull import Tell
    from toolpost.workspace import Workspace

    from .progress import Transfer

# So long a thread may take to end its child processes, once it was told to stop.
STOP_SECONDS = 3.0


class Wanted(Struct, frozen=True):
    """What `toolpost models pull` was asked for. `origin` is where known weights are taken from, and from nowhere else;
    with `force` they are fetched though they do not fit into memory."""

    source: str = ""
    name: str = ""
    sha256: str = ""
    origin: str = ""
    force: bool = False


class _Stopped(Exception):
    """Raised in the thread that fetches."""


async def pull_model(workspace: "Workspace", wanted: Wanted) -> int:
    """`toolpost models pull`; without a source it is the model that would be used here."""
    source = wanted.source
    if not source:
        choice = choose(memory_available(), workspace.environ)
        source = choice.name
        if choice.reason:
            complain(f"note: {choice.reason}, so this is about {choice.model_id}")
    known = KNOWN.get(source.removeprefix(f"{PROVIDER}/"))
    if known is None:
        if wanted.origin:
            raise ConfigError(f"--from is for weights that Toolpost knows: {', '.join(KNOWN)}")
        path = await _pull_other(workspace, source, wanted)
    else:
        if wanted.name or wanted.sha256:
            raise ConfigError(f"{PROVIDER}/{known.name} has its name and its SHA-256: leave --name and --sha256 out")
        path = await _pull_known(workspace, known, origin=wanted.origin, force=wanted.force)
    say(f"{bold(plain(f'{PROVIDER}/{path.stem}'))} is at {plain(at_home(path))}, {size(path.stat().st_size)}")
    if not is_installed():
        complain(f"note: {not_installed()}")
    return OK


def clean(workspace: "Workspace", source: str) -> int:
    """`toolpost models pull --clean`: delete what came of a pull that was stopped, or of all of them."""
    environ = workspace.environ
    known = KNOWN.get(source.removeprefix(f"{PROVIDER}/"))
    if known:
        with locked(path_of(known.name, environ), _busy):
            freed = clear(unfinished_folder(known, environ))
    elif source:
        freed = clear(unfinished_folder_of(source, environ))
    else:
        freed = sum(clear(folder) for folder in every(models_folder(environ)))
    say(f"{size(freed)} of unfinished pulls are deleted" if freed else "there is no unfinished pull")
    return OK


async def fetch_if_missing(workspace: "Workspace", model_id: str) -> None:
    """Fetch the weights of an embedded model, if it is one whose weights are known and they are not here."""
    known = KNOWN.get(model_id.removeprefix(f"{PROVIDER}/"))
    if known is not None and is_installed() and not is_here(known, workspace.environ):
        await _pull_known(workspace, known)


def described(known: KnownWeights) -> str:
    """What it takes to have it."""
    return (
        f"{PROVIDER}/{known.name} is {known.title}, {known.licence}:\n"
        f"{size(known.size)} to fetch, {size(known.memory)} of memory"
    )


async def _pull_known(workspace: "Workspace", known: KnownWeights, *, origin: str = "", force: bool = False) -> Path:
    environ, mirror = workspace.environ, workspace.config.embedded.mirror or ""
    if is_here(known, environ):
        return path_of(known.name, environ)
    if not force:
        check_memory(known, memory_available())
    sources = [named_source(known, origin)] if origin else usual_sources(known, mirror=mirror, environ=environ)
    folder = unfinished_folder(known, environ)
    complain(f"{described(known)}\nfrom {', else '.join(source.name for source in sources)}")
    if come := size_of(folder):
        complain(f"{size(come)} came before; it goes on from there")

    def work(progress: "Progress", tell: "Tell") -> Path:
        return pull_known(known, source=origin, mirror=mirror, progress=progress, tell=tell, environ=environ)

    return await _watched(known.name, work, folder, known.name)


async def _pull_other(workspace: "Workspace", source: str, wanted: Wanted) -> Path:
    environ, name = workspace.environ, wanted.name or name_of(source)

    def work(progress: "Progress", tell: "Tell") -> Path:
        return pull(source, name=wanted.name, sha256=wanted.sha256, progress=progress, environ=environ)

    return await _watched(f"pulling {name}", work, unfinished_folder_of(source, environ), source)


async def _watched(label: str, work: "Callable[[Progress, Tell], Path]", folder: Path, source: str) -> Path:
    """Do it on a thread. Ctrl-C, or a polite kill, stops it; what came is kept, and it is said where."""
    task = asyncio.current_task()
    assert task is not None
    with stopping(task.cancel) as signals:
        try:
            with transfer(label) as shown:
                return await _on_thread(label, work, shown)
        except asyncio.CancelledError:
            _tell_kept(folder, source)
            if signals.asked:
                raise KeyboardInterrupt from None
            raise


async def _on_thread(label: str, work: "Callable[[Progress, Tell], Path]", shown: "Transfer") -> Path:
    """A stop reaches the thread at its next sign of life. One that waits for a silent server gives none: it is left
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


def _tell_kept(folder: Path, source: str) -> None:
    if come := size_of(folder):
        command = f"toolpost models pull {plain(source)}"
        complain(
            f"stopped: {size(come)} are kept in {at_home(folder)}. `{command}` goes on from there, "
            f"`{command} --clean` deletes them."
        )


def _busy(done: int, total: int) -> None:
    raise ConfigError("another process is fetching these weights just now: stop it first")
