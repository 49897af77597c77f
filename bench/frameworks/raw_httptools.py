"""The limit: the parts that Toolpost's own HTTP client stands on (asyncio's protocol, httptools), and nothing else."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

from httptools import HttpResponseParser

from .bare import converse

_host, _port = "", 0
_idle: list["Wire"] = []


class Wire(asyncio.Protocol):
    """One connection; what came of the body waits in `pieces`."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.parser = HttpResponseParser(self)
        self.loop = asyncio.get_running_loop()
        self.begin()

    def begin(self) -> None:
        self.pieces: list[bytes] = []
        self.complete = False
        self.waiter: asyncio.Future[None] | None = None

    def data_received(self, data: bytes) -> None:
        self.parser.feed_data(data)
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    def on_body(self, body: bytes) -> None:
        self.pieces.append(body)

    def on_message_complete(self) -> None:
        self.complete = True

    async def read(self) -> bytes:
        while not self.pieces and not self.complete:
            self.waiter = self.loop.create_future()
            await self.waiter
        data = b"".join(self.pieces)
        self.pieces.clear()
        return data


async def start(base: str) -> None:
    global _host, _port
    parts = urlsplit(base)
    _host, _port = parts.hostname or "", parts.port or 0


async def run(prompt: str, max_steps: int) -> int:
    return await converse(_exchange, prompt, max_steps)


async def _exchange(body: bytes) -> AsyncIterator[list[bytes]]:
    wire = _idle.pop() if _idle else await _connect()
    wire.begin()
    head = (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    )
    wire.transport.write(head % len(body) + body)
    rest = b""
    while data := await wire.read():
        *events, rest = (rest + data).split(b"\n\n")
        yield events
    _idle.append(wire)


async def _connect() -> Wire:
    _, wire = await asyncio.get_running_loop().create_connection(Wire, _host, _port)
    return wire
