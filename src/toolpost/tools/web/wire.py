"""One HTTP/1.1 exchange over a pair of streams: llhttp (httptools) reads the wire, and everything has a limit."""

import asyncio
from collections.abc import Sequence

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

READ = 65_536
HEAD_LIMIT = 65_536


class WireBroken(Exception):
    """What came is no whole HTTP/1.1 answer."""


class Answer:
    """An answer whose head has come. `limit` bounds what is read off the wire, framing included."""

    def __init__(self, reader: asyncio.StreamReader, limit: int) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.cut = False
        self._reader = reader
        self._left = HEAD_LIMIT
        self._limit = limit
        self._pieces: list[bytes] = []
        self._head_done = False
        self._complete = False
        self._parser = HttpResponseParser(self)

    async def read_head(self) -> None:
        while not self._head_done:
            if not await self._advance():
                raise WireBroken("the connection was closed before an answer came")
        self._left = self._limit

    async def read(self) -> bytes:
        """What has come of the body, without its framing; b"" is its end, or its limit: then `cut` is true."""
        while not self._pieces and not self._complete:
            self.cut = self._left <= 0
            if self.cut:
                return b""
            if not await self._advance():
                self._end()
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._head_done:
            return  # a trailer
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        if key == "content-encoding" and key in self.headers:
            text = f"{self.headers[key]}, {text}"
        elif key in self.headers:
            return
        self.headers[key] = text

    def on_headers_complete(self) -> None:
        self.status = self._parser.get_status_code()
        if self.status < 200:
            self.headers.clear()
        else:
            self._head_done = True

    def on_body(self, body: bytes) -> None:
        self._pieces.append(body)

    def on_message_complete(self) -> None:
        self._complete = self._head_done

    async def _advance(self) -> bool:
        """Read on; False is the end of the connection."""
        if self._left <= 0:
            raise WireBroken(f"the head of the answer is longer than {HEAD_LIMIT:,} bytes")
        data = await self._reader.read(READ)
        self._left -= len(data)
        try:
            if data and not self._complete:
                self._parser.feed_data(data)
        except HttpParserUpgrade:
            raise WireBroken("the server switched to another protocol") from None
        except HttpParserError as error:
            # Whatever follows a complete answer is nobody's.
            if not self._complete:
                raise WireBroken(f"the server does not speak HTTP/1.1 ({error})") from None
        return bool(data)

    def _end(self) -> None:
        if "content-length" in self.headers or "transfer-encoding" in self.headers:
            raise WireBroken("the connection was closed in the middle of the answer")
        self._complete = True


def request_bytes(method: str, target: str, headers: Sequence[tuple[str, str]], body: bytes) -> bytes:
    """A whole request. Raises `ValueError` for a line break where none may be."""
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    if body:
        lines.append(f"content-length: {len(body)}")
    if any("\n" in line or "\r" in line for line in lines):
        raise ValueError("a header or the URL holds a line break")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
