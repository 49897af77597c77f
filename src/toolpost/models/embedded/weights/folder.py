"""The folder of the weights of embedded models: finished files, unfinished pulls, locks and room on the disk."""

import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO

from msgspec import Struct

from toolpost.folders import user_folder
from toolpost.types.errors import ConfigError

from .known import KnownWeights

try:
    import fcntl
except ImportError:  # Windows: two processes may write into one file, which then has the wrong SHA-256
    fcntl = None

PROVIDER = "embedded"
MAGIC = b"GGUF"
CHUNK = 1 << 20
LOCK_SECONDS = 0.1
# Hidden folders keep what has come of a file so far, so that a pull that was stopped can go on.
PULL_PREFIX = ".pull-"
OLD_DAYS = 7.0
_DAY_SECONDS = 86_400
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")

# Told how many bytes have come, and how many there will be; 0 where that is not known. It may raise, to stop.
Progress = Callable[[int, int], None]


class Weights(Struct, frozen=True):
    """One file of weights: the model `embedded/<name>`."""

    name: str
    path: Path
    size: int


def models_folder(environ: Mapping[str, str] = os.environ) -> Path:
    return user_folder("cache", environ) / "models"


def path_of(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the weights of `embedded/<name>` are, or would be. A name never leads out of the folder."""
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{name!r} can't name a model: use letters, digits, dots, dashes and underscores")
    return models_folder(environ) / f"{name}.gguf"


def pulled(environ: Mapping[str, str] = os.environ) -> list[Weights]:
    """Every file of weights that is here."""
    files = sorted(models_folder(environ).glob("[!.]*.gguf"))
    return [Weights(file.stem, file, file.stat().st_size) for file in files]


def is_here(known: KnownWeights, environ: Mapping[str, str] = os.environ) -> bool:
    """The file came by one rename, after its hash was checked, so its size is proof enough."""
    path = path_of(known.name, environ)
    return path.is_file() and path.stat().st_size == known.size


def keep(file: Path, path: Path, sha256: str = "") -> None:
    """Move a finished file into its place, if it is GGUF and the one that was asked for."""
    with file.open("rb") as source:
        if not source.read(len(MAGIC)).startswith(MAGIC):
            raise ConfigError("this is not a GGUF file, the format that llama.cpp reads")
        source.seek(0)
        if sha256 and (found := hashlib.file_digest(source, "sha256").hexdigest()) != sha256.lower():
            raise ConfigError(f"this is not the file that was asked for: its SHA-256 is {found}, not {sha256.lower()}")
    file.replace(path)


def copy(source: IO[bytes], out: IO[bytes], total: int, progress: Progress | None = None, *, begun: int = 0) -> None:
    """Copy to the end of `source`. `begun` bytes were there before."""
    while data := source.read(CHUNK):
        out.write(data)
        begun += len(data)
        if progress is not None:
            progress(begun, total)


@contextmanager
def locked(path: Path, progress: Progress | None = None) -> Generator[None]:
    """One process at a time. The system takes the lock back however the process ends. While another one has it,
    `progress` is called too, and may raise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (path.parent / f".{path.name}.lock").open("w") as file:
        while not _lock(file):
            if progress is not None:
                progress(0, 0)
            time.sleep(LOCK_SECONDS)
        yield


@contextmanager
def unfinished(folder: Path) -> Generator[Path]:
    """The folder for one file's pieces. It is deleted once the file is in its place; what is left in it after a failure
    or a stop is what the next pull goes on with."""
    clear_old(folder.parent, keep=folder)
    folder.mkdir(parents=True, exist_ok=True)
    # From now on it is not old, whatever is in it.
    os.utime(folder)
    try:
        yield folder
    except BaseException:
        if not any(folder.iterdir()):
            folder.rmdir()
        raise
    shutil.rmtree(folder, ignore_errors=True)


def folder_of(models: Path, key: str) -> Path:
    return models / f"{PULL_PREFIX}{key}"


def clear(folder: Path) -> int:
    """Delete it; gives how many bytes that freed."""
    freed = size_of(folder)
    shutil.rmtree(folder, ignore_errors=True)
    return freed


def clear_old(models: Path, *, keep: Path | None = None, days: float = OLD_DAYS) -> None:
    """Delete unfinished pulls that were not continued for days."""
    for folder in every(models):
        if folder != keep and time.time() - _changed(folder) > days * _DAY_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def every(models: Path) -> list[Path]:
    return sorted(models.glob(f"{PULL_PREFIX}*"))


def size_of(folder: Path) -> int:
    """The bytes that its files take on the disk: one that was filled out of order has holes."""
    return sum(_on_disk(file) for file in _files(folder))


def check_disk(folder: Path, needed: int) -> None:
    """Raise `ConfigError` where the disk has no room for so many bytes more."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ConfigError(
            f"the disk of {folder.parent} has {_megabytes(free)} free and {_megabytes(needed)} are needed: free some "
            "space, or set TOOLPOST_CACHE_DIR to a folder on another disk"
        )


def _lock(file: TextIO) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _files(folder: Path) -> Generator[os.stat_result]:
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.stat(os.path.join(place, name), follow_symlinks=False)  # noqa: PTH116, PTH118 - often
            except FileNotFoundError:
                continue


def largest_in(folder: Path) -> int:
    """The size of the largest file in it, and in the folders inside."""
    return max((file.st_size for file in _files(folder)), default=0)


def _on_disk(file: os.stat_result) -> int:
    return getattr(file, "st_blocks", 0) * 512 or file.st_size


def _changed(folder: Path) -> float:
    try:
        return max((file.st_mtime for file in _files(folder)), default=folder.stat().st_mtime)
    except FileNotFoundError:
        return time.time()


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
