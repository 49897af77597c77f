"""Decompress response bodies as they come, and never past a limit: a bomb of any ratio costs no more than a page.

gzip and deflate are in the standard library. Brotli and Zstandard are decoded, and asked for, where a package that can
bound its output is installed; zstd is in the standard library from Python 3.14 on.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol

from .errors import UndecodableBody

PIECE = 65_536
MAX_CODINGS = 2
# Each costs the making of a decompressor, however little is in it.
MAX_MEMBERS = 1_000
# HTTP allows windows of 8 MB (RFC 9659); Zstandard itself allows gigabytes.
ZSTD_WINDOW_LOG = 23

_INSTALL = {"br": "pip install 'brotli>=1.2'", "zstd": "pip install backports.zstd"}


class BodyDecoder:
    """Undoes the codings of a body. `cut` is true once any stage has made more than `limit` bytes; no more comes then.

    Every stage counts, not only the last: a middle one that grows for ever would cost the same.
    """

    def __init__(self, codings: Sequence[str], limit: int) -> None:
        self._stages = [_stage(coding) for coding in reversed(codings)]
        self._counts = [0] * (len(self._stages) + 1)
        self._limit = limit
        self.cut = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded bytes of the next `data`, in pieces; all of them together never pass the limit."""
        return self._through(0, data)

    def finish(self) -> None:
        """Raise where the body ended in the middle of its coding."""
        if not self.cut and not all(stage.complete for stage in self._stages):
            raise UndecodableBody("the body ended in the middle of its compressed data")

    def _through(self, place: int, data: bytes) -> Iterator[bytes]:
        room = self._limit - self._counts[place]
        if len(data) > room:
            data, self.cut = data[:room], True
        self._counts[place] += len(data)
        if place == len(self._stages):
            if data:
                yield data
            return
        for piece in self._stages[place].feed(data):
            yield from self._through(place + 1, piece)
            if self.cut:
                return


def accepted_codings() -> str:
    """Return the value of Accept-Encoding: all that can be decoded here."""
    more = [name for name, load in (("br", _brotli), ("zstd", _zstd)) if load() is not None]
    return ", ".join(["gzip", "deflate", *more])


def codings_of(header: str) -> list[str]:
    """Return the codings of a Content-Encoding header in the order of their use. Raises `UndecodableBody`."""
    names = [name.strip().lower() for name in header.split(",")]
    codings = [name.removeprefix("x-") for name in names if name not in ("", "identity")]
    if len(codings) > MAX_CODINGS:
        raise UndecodableBody(f"the body is compressed {len(codings)} times over")
    for coding in codings:
        _check_known(coding)
    return codings


class _Stage(Protocol):
    @property
    def complete(self) -> bool: ...

    def feed(self, data: bytes) -> Iterator[bytes]: ...


def _check_known(coding: str) -> None:
    if coding in ("gzip", "deflate"):
        return
    if coding not in _INSTALL:
        raise UndecodableBody(f"the server sent the unknown Content-Encoding {coding[:40]!r}")
    if (_brotli if coding == "br" else _zstd)() is None:
        name = {"br": "Brotli (br)", "zstd": "Zstandard (zstd)"}[coding]
        raise UndecodableBody(f"the server sent {name}, which can't be decoded here: run `{_INSTALL[coding]}`")


def _stage(coding: str) -> _Stage:
    if coding == "br":
        return _Brotli()
    return _Zstd() if coding == "zstd" else _Inflate(coding)


class _Inflate:
    """gzip with any number of members, or deflate with zlib's wrapping or without."""

    def __init__(self, coding: str) -> None:
        self._gzip = coding == "gzip"
        self._machine: zlib._Decompress | None = None  # pyright: ignore[reportPrivateUsage]
        self._members = 0

    @property
    def complete(self) -> bool:
        return self._machine is None or self._machine.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._machine is None or self._machine.eof:
                # After the end: another member of gzip, or padding that browsers overlook as well.
                if self._members and not (self._gzip and data.startswith(b"\x1f")):
                    return
                self._members += 1
                if self._members > MAX_MEMBERS:
                    raise UndecodableBody(f"the gzip data has more than {MAX_MEMBERS:,} members")
                self._machine = zlib.decompressobj(31) if self._gzip else _deflate(data)
            yield from _inflated(self._machine, data)
            data = self._machine.unused_data


def _inflated(machine: "zlib._Decompress", data: bytes) -> Iterator[bytes]:  # pyright: ignore[reportPrivateUsage]
    try:
        piece = machine.decompress(data, PIECE)
        yield piece
        # A full piece may leave more behind even where all of the input was taken in. Past its end a machine only
        # hands its input back, for ever.
        while not machine.eof and (machine.unconsumed_tail or len(piece) == PIECE):
            piece = machine.decompress(machine.unconsumed_tail, PIECE)
            yield piece
    except zlib.error as error:
        raise _broken(error) from None


def _deflate(data: bytes) -> "zlib._Decompress":  # pyright: ignore[reportPrivateUsage]
    """HTTP's deflate is zlib's format, but many servers send the bare stream."""
    wrapped = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
    return zlib.decompressobj(15 if wrapped else -15)


class _Brotli:
    def __init__(self) -> None:
        self._brotli: Any = _brotli()
        self._machine: Any = self._brotli.Decompressor()
        self._begun = False

    @property
    def complete(self) -> bool:
        return not self._begun or bool(self._machine.is_finished())

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._begun = self._begun or bool(data)
        while data or not self._machine.can_accept_more_data():
            try:
                piece = self._machine.process(data, output_buffer_limit=PIECE)
            except self._brotli.error as error:
                raise _broken(error) from None
            data = b""
            yield piece


class _Zstd:
    """Zstandard, with any number of frames."""

    def __init__(self) -> None:
        self._zstd: Any = _zstd()
        self._machine: Any = None
        self._frames = 0

    @property
    def complete(self) -> bool:
        return self._machine is None or bool(self._machine.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self.complete:
                self._frames += 1
                if self._frames > MAX_MEMBERS:
                    raise UndecodableBody(f"the Zstandard data has more than {MAX_MEMBERS:,} frames")
                options = {self._zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG}
                self._machine = self._zstd.ZstdDecompressor(options=options)
            yield from self._decompressed(data)
            data = self._machine.unused_data if self._machine.eof else b""

    def _decompressed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield self._machine.decompress(data, PIECE)
            while not self._machine.eof and not self._machine.needs_input:
                yield self._machine.decompress(b"", PIECE)
        except self._zstd.ZstdError as error:
            raise _broken(error) from None


def _broken(error: Exception) -> UndecodableBody:
    return UndecodableBody(f"the compressed data is broken ({error})")


@cache
def _brotli() -> Any:
    """Import the package, if it is a version that can bound its output."""
    brotli = _imported("brotli")
    try:
        brotli.Decompressor().process(b"", output_buffer_limit=PIECE)
    except (AttributeError, TypeError):
        return None
    return brotli


@cache
def _zstd() -> Any:
    return _imported("compression.zstd") or _imported("backports.zstd")


def _imported(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        return None
