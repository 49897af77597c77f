"""Hidden folders that keep what has come of a file so far, so that a pull that was stopped can go on."""

import os
import shutil
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from toolpost.types.errors import ConfigError

PREFIX = ".pull-"
OLD_DAYS = 7.0
_DAY_SECONDS = 86_400


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
    return models / f"{PREFIX}{key}"


def clear(folder: Path) -> int:
    """Delete it; gives how many bytes that freed."""
    freed = size_of(folder)
    shutil.rmtree(folder, ignore_errors=True)
    return freed


def clear_old(models: Path, *, keep: Path | None = None, days: float = OLD_DAYS) -> None:
    """Delete what nobody has gone on with for days."""
    for folder in every(models):
        if folder != keep and time.time() - _changed(folder) > days * _DAY_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def every(models: Path) -> list[Path]:
    return sorted(models.glob(f"{PREFIX}*"))


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
