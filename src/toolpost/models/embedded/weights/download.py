"""Download a file over HTTP and resume it: by a range request, as long as the server's ETag stays the same."""

import re
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from toolpost.types.errors import ConfigError

from .folder import CHUNK, MAGIC, Progress, check_disk

# A host that can't be reached has to lead to the next one soon; one that is slow gets time.
CONNECT_SECONDS = 5.0
SILENCE_SECONDS = 60.0


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
        length = int(response.headers.get("Content-Length") or 0)
        total = begun + length if length else size
        if size and total != size:
            raise WrongFile(f"{name} is another file: it has {total:,} bytes, not {size:,}")
        check_disk(file.parent, total - begun)
        tag.write_text(response.headers.get("ETag", ""))
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


def _open(url: str, file: Path, name: str, silence: float) -> HTTPResponse | None:
    """Ask for what is missing, where the server can tell that the file is still the same. None: nothing is missing."""
    # Imported here: everything else of embedded models does without the network.
    from urllib.error import HTTPError
    from urllib.request import Request

    begun, tag = _size(file), tag_of(file)
    known = tag.read_text() if begun and tag.exists() else ""
    headers = {"User-Agent": "toolpost", "Accept-Encoding": "identity"}
    # A weak ETag does not promise the same bytes.
    if known and not known.startswith("W/"):
        headers |= {"Range": f"bytes={begun}-", "If-Range": known}
    try:
        response = cast("HTTPResponse", _opener(silence).open(Request(url, headers=headers)))
    except HTTPError as error:
        if error.code == 416 and "Range" in headers:
            if error.headers.get("Content-Range", "").endswith(f"*/{begun}"):
                return None
            return _begin_anew(url, file, name, silence)
        raise ConfigError(f"{name} answered {error.code} {error.reason}") from error
    except (OSError, HTTPException, ValueError) as error:
        raise ConfigError(f"{name} can't be reached: {_reason(error)}") from error
    if response.status == 206 and not _begins_at(response, begun):
        response.close()
        return _begin_anew(url, file, name, silence)
    return response


def _begin_anew(url: str, file: Path, name: str, silence: float) -> HTTPResponse | None:
    tag_of(file).unlink(missing_ok=True)
    return _open(url, file, name, silence)


def _begins_at(response: HTTPResponse, begun: int) -> bool:
    return re.match(rf"bytes {begun}-", response.headers.get("Content-Range", "")) is not None


def _opener(silence: float) -> Any:
    """The usual opener, with the user's proxies; a host has seconds to accept, and then as long as `silence`."""
    from urllib.request import HTTPHandler, HTTPSHandler, Request, build_opener

    class Plain(HTTPConnection):
        def connect(self) -> None:
            self.timeout = CONNECT_SECONDS
            super().connect()
            self.sock.settimeout(silence)

    class Encrypted(HTTPSConnection):
        def connect(self) -> None:
            self.timeout = CONNECT_SECONDS
            super().connect()
            self.sock.settimeout(silence)

    class OpenPlain(HTTPHandler):
        def http_open(self, req: Request) -> Any:
            return self.do_open(Plain, req)

    class OpenEncrypted(HTTPSHandler):
        def https_open(self, req: Request) -> Any:
            return self.do_open(Encrypted, req)

    return build_opener(OpenPlain, OpenEncrypted)


def _receive(response: HTTPResponse, file: Path, begun: int, total: int, progress: Progress | None, name: str) -> None:
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


def _read(response: HTTPResponse, name: str) -> bytes:
    """What has arrived, without waiting for more, so that a slow source still shows how far it is."""
    try:
        return response.read1(CHUNK)
    except TimeoutError as error:
        raise DownloadSilent(f"{name} fell silent") from error
    except (OSError, HTTPException) as error:
        raise DownloadCut(f"the download of {name} was cut") from error


def _with_magic(response: HTTPResponse, data: bytes, name: str) -> bytes:
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
    reason: Any = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or reason)
