"""An answer on its way to the client: written in the client's wire, or sent on as it came."""

from collections.abc import MutableMapping
from typing import Protocol

from toolpost.types.stream import StreamError

from .output import Out, Relayed


class Writer(Protocol):
    def start(self) -> bytes: ...
    def feed(self, out: Out) -> bytes: ...


class Telling:
    """An answer as it goes out, in our words or as it came. To the latter we add something only where it breaks off.
    Headers that came with it are put into `headers`."""

    def __init__(self, writer: Writer, headers: MutableMapping[str, str]) -> None:
        self._writer = writer
        self._headers = headers
        self.feed = self._begin

    def _begin(self, out: Out) -> bytes:
        if isinstance(out, Relayed):
            self._headers.update(out.headers)
            self.feed = self._as_it_came
            return out.data
        self.feed = self._writer.feed
        return self._writer.start() + self._writer.feed(out)

    def _as_it_came(self, out: Out) -> bytes:
        if isinstance(out, Relayed):
            return out.data
        return self._writer.feed(out) if isinstance(out, StreamError) else b""
