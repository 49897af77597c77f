"""Content codings undone as the bytes come, never more than a limit: a bomb of any ratio costs no more than a page."""

import zlib
from collections.abc import Iterator, Sequence

PIECE = 65_536
ACCEPTED = "gzip, deflate"
MOST_CODINGS = 2
# Each costs the making of a decompressor, however little is in it.
MOST_MEMBERS = 1_000


class UndecodableBody(Exception):
    """The body is not what its Content-Encoding says, or is in a coding that was not asked for."""


class Decoder:
    """Undoes the codings of a body. `cut` is true once any stage has made more than `limit` bytes; no more comes then.

    Every stage counts, not only the last: a middle one that grows for ever would cost the same.
    """

    def __init__(self, codings: Sequence[str], limit: int) -> None:
        self._stages = [_Inflater(coding) for coding in reversed(codings)]
        self._counts = [0] * (len(self._stages) + 1)
        self._limit = limit
        self.cut = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded bytes of the next `data`, in pieces; all of them together never pass the limit."""
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


def codings_of(header: str) -> list[str]:
    """The codings of a Content-Encoding header in the order in which they were applied."""
    names = [name.strip().lower() for name in header.split(",")]
    codings = [name.removeprefix("x-") for name in names if name not in ("", "identity")]
    for coding in codings:
        if coding not in ("gzip", "deflate"):
            raise UndecodableBody(f"the server sent {coding[:40]!r} though it was asked for {ACCEPTED} or plain bytes")
    if len(codings) > MOST_CODINGS:
        raise UndecodableBody(f"the body is compressed {len(codings)} times over")
    return codings


class _Inflater:
    """One stage: gzip with any number of members, or deflate with zlib's wrapping or without."""

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
                if self._members > MOST_MEMBERS:
                    raise UndecodableBody(f"the gzip data has more than {MOST_MEMBERS:,} members")
                self._machine = zlib.decompressobj(31) if self._gzip else _deflate(data)
            yield from _inflate(self._machine, data)
            data = self._machine.unused_data


def _inflate(machine: "zlib._Decompress", data: bytes) -> Iterator[bytes]:  # pyright: ignore[reportPrivateUsage]
    try:
        piece = machine.decompress(data, PIECE)
        yield piece
        # A full piece may leave more behind even where all of the input was taken in. Past its end a machine only
        # hands its input back, for ever.
        while not machine.eof and (machine.unconsumed_tail or len(piece) == PIECE):
            piece = machine.decompress(machine.unconsumed_tail, PIECE)
            yield piece
    except zlib.error as error:
        raise UndecodableBody(f"the compressed data is broken ({error})") from None


def _deflate(data: bytes) -> "zlib._Decompress":  # pyright: ignore[reportPrivateUsage]
    """HTTP's deflate is zlib's format, but many servers send the bare stream."""
    wrapped = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
    return zlib.decompressobj(15 if wrapped else -15)
