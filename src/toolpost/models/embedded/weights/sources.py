"""The sources of known weights: the vendor's addresses, Python wheels, a mirror, files of this machine."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from toolpost.types.errors import ConfigError

from .download import SILENCE_SECONDS, DownloadCut, DownloadSilent, discard, download, host_of, shown
from .download_wheels import PartialFile, copy_parts, fetch_parts, find_installer
from .folder import Progress, check_disk, copy
from .known import KnownWeights

# A connection that breaks is opened again so often, before another source is tried.
ATTEMPTS = 3


class WeightsSource(Protocol):
    """It keeps what has come of it in a folder. Nothing that it gives is trusted before its hash was checked."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    def come(self, folder: Path) -> int:
        """How many bytes came by it before."""
        ...

    def fetch(self, folder: Path, progress: Progress | None) -> Path:
        """Get what is missing, and give the whole file. Raises `ConfigError` with the reason why it can't."""
        ...

    def discard(self, folder: Path) -> None:
        """Delete what came by it: it was not the right file."""
        ...


def usual_sources(
    known: KnownWeights, *, mirror: str = "", environ: Mapping[str, str], silence: float = SILENCE_SECONDS
) -> list[WeightsSource]:
    """The user's mirror, the vendor's addresses, the wheels."""
    sources = [named_source(known, mirror, silence=silence)] if mirror else []
    sources += [HttpSource(url, known.size, silence) for url in known.addresses]
    return [*sources, WheelsSource(known, environ, silence)]


def named_source(known: KnownWeights, text: str, *, silence: float = SILENCE_SECONDS) -> WeightsSource:
    """The source that a user named: a URL of the file or of a folder with it; a file; a folder with it or its parts."""
    if urlsplit(text).scheme in ("http", "https"):
        is_file = urlsplit(text).path.endswith(".gguf")
        url = text if is_file else f"{text.rstrip('/')}/{known.file}"
        return HttpSource(url, known.size, silence, name=shown(url))
    place = Path(text).expanduser()
    if place.suffix == ".whl":
        return PartsSource(known, place.parent)
    if place.is_dir():
        whole = (place / name for name in (known.file, f"{known.name}.gguf"))
        file = next((file for file in whole if file.is_file()), None)
        return FileSource(file) if file else PartsSource(known, place)
    if not place.is_file():
        raise ConfigError(f"there is no file or folder {text}, and it is not an http(s) URL")
    return FileSource(place)


class HttpSource:
    """A download over HTTP, each address with a file of its own."""

    def __init__(self, url: str, size: int, silence: float = SILENCE_SECONDS, *, name: str = "") -> None:
        self.name = name or host_of(url)
        self._url = url
        self._size = size
        self._silence = silence

    def come(self, folder: Path) -> int:
        file = self._file(folder)
        return file.stat().st_size if file.exists() else 0

    def fetch(self, folder: Path, progress: Progress | None) -> Path:
        file = self._file(folder)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                download(self._url, file, self.name, size=self._size, progress=progress, silence=self._silence)
                break
            except DownloadSilent:
                raise
            except DownloadCut:
                if attempt == ATTEMPTS:
                    raise
        return file

    def discard(self, folder: Path) -> None:
        discard(self._file(folder))

    def _file(self, folder: Path) -> Path:
        return folder / f"{hashlib.sha256(self._url.encode()).hexdigest()[:16]}.part"


class WheelsSource:
    """The wheels, by the user's own pip or uv."""

    def __init__(self, known: KnownWeights, environ: Mapping[str, str], silence: float = SILENCE_SECONDS) -> None:
        self._wheels = known.wheels
        self._environ = environ
        self._silence = silence

    @property
    def name(self) -> str:
        installer = find_installer()
        count = len(self._wheels.packages)
        what = self._wheels.packages[0] if count == 1 else f"{count} Python packages"
        return f"{what} by {installer.name if installer else 'pip or uv'}"

    def come(self, folder: Path) -> int:
        return PartialFile(folder, self._wheels).come()

    def fetch(self, folder: Path, progress: Progress | None) -> Path:
        return fetch_parts(self._wheels, folder, environ=self._environ, progress=progress, silence=self._silence)

    def discard(self, folder: Path) -> None:
        PartialFile(folder, self._wheels).discard()


class FileSource:
    """A file of this machine, which is copied."""

    def __init__(self, file: Path) -> None:
        self.name = str(file)
        self._source = file

    def come(self, folder: Path) -> int:
        return 0

    def fetch(self, folder: Path, progress: Progress | None) -> Path:
        copied = folder / "copied.gguf"
        size = self._source.stat().st_size
        check_disk(folder, size)
        try:
            with self._source.open("rb") as source, copied.open("wb") as out:
                copy(source, out, size, progress)
        except BaseException:
            self.discard(folder)
            raise
        return copied

    def discard(self, folder: Path) -> None:
        (folder / "copied.gguf").unlink(missing_ok=True)


class PartsSource:
    """A folder of this machine with the wheels, or the parts from them."""

    def __init__(self, known: KnownWeights, folder: Path) -> None:
        self.name = str(folder)
        self._wheels = known.wheels
        self._source = folder

    def come(self, folder: Path) -> int:
        return PartialFile(folder, self._wheels).come()

    def fetch(self, folder: Path, progress: Progress | None) -> Path:
        return copy_parts(self._wheels, self._source, folder, progress=progress)

    def discard(self, folder: Path) -> None:
        PartialFile(folder, self._wheels).discard()
