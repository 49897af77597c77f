"""Download a file over HTTP and resume it: by a range request, as long as the server's ETag stays the same."""

import asyncio
import re
from pathlib import Path
from types import TracebackType
from urllib.parse import urlsplit

from toolpost.net.client import HttpRequest, HttpResponse, send
from toolpost.net.errors import HttpClientError, ResponseStalled, explain, os_reason
from toolpost.types.errors import ConfigError

from .folder import MAGIC, Progress, check_disk

# A host that can't be reached has to lead to the next one soon; one that is slow gets time.
CONNECT_SECONDS = 5.0
SILENCE_SECONDS = 60.0
MAX_REDIRECTS = 10


class DownloadCut(ConfigError):
    """The connection broke; what came is kept, and the next download goes on from there."""


class WrongFile(ConfigError):
    """What the server gives is not what was asked for; nothing of it is kept."""


class DownloadSilent(DownloadCut):
    """Nothing came for so long that the source was given up."""


def download(
    url: str,
    file: Path,
    name: str = "",
    *,
    size: int = 0,
    progress: Progress | None = None,
    silence: float = SILENCE_SECONDS,
) -> None:
    """Get `url` into `file`, which may have its beginning already. `name` is what errors call the source, `size` what
    the file has to have, where that is known.

    Raises `DownloadCut` where it can go on later, `WrongFile`, and `ConfigError` where there is no answer.
    """
    if size and _size(file) == size:
        return
    try:
        _download(url, file, name or shown(url), size, progress, silence)
    except ConfigError as error:
        if isinstance(error, WrongFile) or not _size(file):
            discard(file)
        raise


def discard(file: Path) -> None:
    """Delete what has come."""
    file.unlink(missing_ok=True)
    tag_of(file).unlink(missing_ok=True)


def _download(url: str, file: Path, name: str, size: int, progress: Progress | None, silence: float) -> None:
    tag = tag_of(file)
    response = _open(url, file, name, silence)
    if response is None:
        return
    with response:
        begun = _size(file) if response.status == 206 else 0
        length = int(response.headers.get("content-length") or 0)
        total = begun + length if length else size
        if size and total != size:
            raise WrongFile(f"{name} is another file: it has {total:,} bytes, not {size:,}")
        check_disk(file.parent, total - begun)
        tag.write_text(response.headers.get("etag", ""))
        _receive(response, file, begun, total, progress, name)
    if total and _size(file) != total:
        raise DownloadCut(f"the download of {name} was cut")


def tag_of(file: Path) -> Path:
    """The file that keeps the server's ETag, which names the version of what has come."""
    return file.with_suffix(".tag")


def shown(url: str) -> str:
    """Without the query, where signed links have their secrets, and without a password."""
    parts = urlsplit(url)
    if not parts.scheme or not parts.hostname:
        return url
    return f"{parts.scheme}://{host_of(url)}{parts.path}"


def host_of(url: str) -> str:
    """The host and its port."""
    return urlsplit(url).netloc.rpartition("@")[2]


def _open(url: str, file: Path, name: str, silence: float) -> "_Download | None":
    """Ask for what is missing, where the server can tell that the file is still the same. None: nothing is missing."""
    begun, tag = _size(file), tag_of(file)
    known = tag.read_text() if begun and tag.exists() else ""
    headers = {"accept-encoding": "identity"}
    # A weak ETag does not promise the same bytes.
    if known and not known.startswith("W/"):
        headers |= {"range": f"bytes={begun}-", "if-range": known}
    request = HttpRequest(
        url=url,
        headers=headers,
        connect_timeout=CONNECT_SECONDS,
        idle_timeout=silence,
        redirects=MAX_REDIRECTS,
    )
    try:
        response = _Download(request)
    except (OSError, HttpClientError, ValueError) as error:
        raise ConfigError(f"{name} can't be reached: {_reason(error)}") from error
    if response.status == 200 or (response.status == 206 and _begins_at(response, begun)):
        return response
    response.close()
    if response.status == 416 and response.headers.get("content-range", "").endswith(f"*/{begun}"):
        return None
    if response.status in (206, 416) and "range" in headers:
        tag.unlink(missing_ok=True)
        return _open(url, file, name, silence)
    raise ConfigError(f"{name} answered {response.status}")


def _begins_at(response: "_Download", begun: int) -> bool:
    return re.match(rf"bytes {begun}-", response.headers.get("content-range", "")) is not None


class _Download:
    """A response that is read on a thread, which has no event loop of its own yet. It runs only while it is waited for,
    so a slow disk holds the server back."""

    def __init__(self, request: HttpRequest) -> None:
        self._runner = asyncio.Runner()
        try:
            self._response: HttpResponse = self._runner.run(send(request))
        except BaseException:
            self._runner.close()
            raise
        self.status = self._response.status
        self.headers = self._response.headers

    def __enter__(self) -> "_Download":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def chunk(self) -> bytes:
        return self._runner.run(self._response.chunk())

    def close(self) -> None:
        self._response.close()
        self._runner.close()


def _receive(response: _Download, file: Path, begun: int, total: int, progress: Progress | None, name: str) -> None:
    # Unbuffered: a process that is killed leaves all that came.
    with file.open("ab" if begun else "wb", buffering=0) as out:
        while data := _read(response, name):
            if not begun:
                data = _with_magic(response, data, name)
            begun += len(data)
            if total and begun > total:
                raise WrongFile(f"{name} is another file: it has more than {total:,} bytes")
            out.write(data)
            if progress is not None:
                progress(begun, total)


def _read(response: _Download, name: str) -> bytes:
    """What has arrived, without waiting for more, so that a slow source still shows how far it is."""
    try:
        return response.chunk()
    except ResponseStalled as error:
        raise DownloadSilent(f"{name} fell silent") from error
    except (OSError, HttpClientError) as error:
        raise DownloadCut(f"the download of {name} was cut") from error


def _with_magic(response: _Download, data: bytes, name: str) -> bytes:
    while len(data) < len(MAGIC) and (more := _read(response, name)):
        data += more
    check_magic(data[: len(MAGIC)], name)
    return data


def check_magic(head: bytes, source: str) -> None:
    if head != MAGIC:
        raise WrongFile(f"{source} is not a GGUF file, the format that llama.cpp reads")


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _reason(error: Exception) -> str:
    return os_reason(error) if isinstance(error, ConnectionError) else explain(error)
