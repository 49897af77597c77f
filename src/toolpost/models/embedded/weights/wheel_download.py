"""Run the user's own pip or uv to download one wheel, watch it, and say why it failed. Nothing is installed."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from toolpost.guard.redact import clean_environment
from toolpost.types.errors import ConfigError

from .folder import largest_in

COMPLAINT_LIMIT = 300
_OUTPUT = "output.txt"
_PACKAGE = "package"


class Installer(Struct, frozen=True):
    """`name` is what a person calls it; a command is `command`, with the folder and the package in its places."""

    name: str
    command: tuple[str, ...]

    def command_for(self, package: str, folder: Path) -> Sequence[str]:
        places = {"{target}": str(folder / _PACKAGE), "{cache}": str(folder / "cache"), "{package}": package}
        return [places.get(word, word) for word in self.command]


def find_installer() -> Installer | None:
    """Python's own pip, else uv, else a pip on the path."""
    if find_spec("pip") is not None:
        return with_pip(sys.executable, "-m", "pip")
    beside = Path(sys.executable).parent
    if uv := shutil.which("uv", path=str(beside)) or shutil.which("uv"):
        return with_uv(uv)
    if pip := shutil.which("pip3") or shutil.which("pip"):
        return with_pip(pip)
    return None


def with_pip(*pip: str) -> Installer:
    quiet = ("--disable-pip-version-check", "--no-input", "--no-cache-dir")
    only_this = ("--no-deps", "--only-binary=:all:", "--dest", "{target}", "{package}")
    return Installer("pip", (*pip, *quiet, "download", *only_this))


def with_uv(uv: str) -> Installer:
    """uv has no command that only downloads. With a target of its own and without dependencies it only unpacks."""
    install = (uv, "pip", "install", "--python", sys.executable, "--cache-dir", "{cache}")
    return Installer("uv", (*install, "--no-deps", "--only-binary=:all:", "--target", "{target}", "{package}"))


class WheelDownload:
    """A child process that brings one package into `folder`, which it has for itself."""

    def __init__(self, installer: Installer, package: str, folder: Path, environ: Mapping[str, str]) -> None:
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
    return f"{installer} failed: {told[:COMPLAINT_LIMIT]}"
