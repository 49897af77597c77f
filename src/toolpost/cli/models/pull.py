"""`toolpost models pull`: fetch weights for a model that runs in this process, or delete an unfinished pull."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.fetch_weights import fetch_known, fetch_on_thread
from toolpost.cli.shared.formats import at_home, size
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.output import say, say_on_stderr
from toolpost.cli.shared.tables import bold, plain
from toolpost.models.embedded.choice import choose, memory_available
from toolpost.models.embedded.server import is_installed, not_installed
from toolpost.models.embedded.weights.folder import (
    PROVIDER,
    clear,
    every,
    locked,
    models_folder,
    path_of,
)
from toolpost.models.embedded.weights.known import KNOWN
from toolpost.models.embedded.weights.pull import (
    name_of,
    pull,
    unfinished_folder,
    unfinished_folder_of,
)
from toolpost.types.errors import ConfigError

if TYPE_CHECKING:
    from toolpost.models.embedded.weights.folder import Progress
    from toolpost.models.embedded.weights.pull import Tell
    from toolpost.workspace import Workspace


class PullRequest(Struct, frozen=True):
    """The arguments of `toolpost models pull`. `origin` is the only place that known weights are taken from; with
    `force` they are fetched even if they do not fit into memory."""

    source: str = ""
    name: str = ""
    sha256: str = ""
    origin: str = ""
    force: bool = False


async def pull_model(workspace: "Workspace", request: PullRequest) -> int:
    """Fetch weights; without a source, those of the model that would be used on this machine."""
    source = request.source
    if not source:
        choice = choose(memory_available(), workspace.environ)
        source = choice.name
        if choice.reason:
            say_on_stderr(f"note: {choice.reason}, so {choice.model_id} is used")
    known = KNOWN.get(source.removeprefix(f"{PROVIDER}/"))
    if known is None:
        if request.origin:
            raise ConfigError(f"--from works only with weights that Toolpost knows: {', '.join(KNOWN)}")
        path = await _pull_other(workspace, source, request)
    else:
        if request.name or request.sha256:
            raise ConfigError(f"the name and SHA-256 of {PROVIDER}/{known.name} are fixed: omit --name and --sha256")
        path = await fetch_known(workspace, known, origin=request.origin, force=request.force)
    name = bold(plain(f"{PROVIDER}/{path.stem}"))
    say(shown(f"{name} is at {plain(at_home(path))}, {size(path.stat().st_size)}"))
    if not is_installed():
        say_on_stderr(f"note: {not_installed()}")
    return OK


def clean(workspace: "Workspace", source: str) -> int:
    """`toolpost models pull --clean`: delete an unfinished pull, or all of them."""
    environ = workspace.environ
    known = KNOWN.get(source.removeprefix(f"{PROVIDER}/"))
    if known:
        with locked(path_of(known.name, environ), _busy):
            freed = clear(unfinished_folder(known, environ))
    elif source:
        freed = clear(unfinished_folder_of(source, environ))
    else:
        freed = sum(clear(folder) for folder in every(models_folder(environ)))
    say(shown(f"deleted {size(freed)} of unfinished pulls" if freed else "there is no unfinished pull"))
    return OK


async def _pull_other(workspace: "Workspace", source: str, request: PullRequest) -> Path:
    environ, name = workspace.environ, request.name or name_of(source)

    def work(progress: "Progress", tell: "Tell") -> Path:
        return pull(source, name=request.name, sha256=request.sha256, progress=progress, environ=environ)

    return await fetch_on_thread(f"pulling {name}", work, unfinished_folder_of(source, environ), source)


def _busy(done: int, total: int) -> None:
    raise ConfigError("another process is fetching these weights: stop it first")
