"""The least that a gateway can do on ASGI: hand the body on, and the answer back as it comes. Nothing is looked at.

python -m bench.passthrough PORT BASE_URL
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from httptools import HttpResponseParser

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
HEAD = b"POST %s HTTP/1.1\r\nhost: %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
EVENTS = [(b"content-type", b"text/event-stream")]


class Passthrough:
    def __init__(self, base: str) -> None:
        parts = urlsplit(base)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._path = f"{parts.path}/chat/completions".encode()
        self._idle: list[Upstream] = []

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        upstream = self._idle.pop() if self._idle else await self._connect()
        upstream.ask(HEAD % (self._path, self._host.encode(), len(body)) + body)
        await send({"type": "http.response.start", "status": 200, "headers": EVENTS})
        while data := await upstream.read():
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        self._idle.append(upstream)

    async def _connect(self) -> "Upstream":
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(Upstream, self._host, self._port))[1]


class Upstream(asyncio.Protocol):
    """One connection; b"" is the end of an answer."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport
        self._parser = HttpResponseParser(self)
        self._pieces: list[bytes] = []
        self._is_whole = True
        self._waiter: asyncio.Future[None] | None = None

    def ask(self, request: bytes) -> None:
        self._is_whole = False
        self._transport.write(request)

    async def read(self) -> bytes:
        if not self._pieces and not self._is_whole:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def on_body(self, body: bytes) -> None:
        self._pieces.append(body)

    def on_message_complete(self) -> None:
        self._is_whole = True


if __name__ == "__main__":
    app: Any = Passthrough(sys.argv[2])
    settings: dict[str, Any] = {"log_level": "warning", "lifespan": "off", "access_log": False, "ws": "none"}
    uvicorn.run(app, port=int(sys.argv[1]), timeout_graceful_shutdown=1, **settings)
