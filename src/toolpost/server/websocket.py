"""One WebSocket on plain ASGI: messages one by one, each with a time limit, and an end that says why."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from .errors import error_body
from .http import Gone, Receive, Request, Scope, Send
from .refusals import Refusal
from .settings import ServerSettings

# Codes of RFC 6455 that say why a connection ends.
NORMAL = 1000
GOING_AWAY = 1001
UNSUPPORTED = 1003
FAILED = 1011


class Socket:
    """`request` is the request that opened it. It sends from one task at a time, and receives from one. While it
    `is_ending`, what runs may come to its end, and nothing new is begun."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, settings: ServerSettings) -> None:
        self.request = Request({**scope, "method": "GET"}, send, settings)
        self.settings = settings
        self._receive = receive
        self._send = send
        self._is_open = False
        self.is_ending = False

    async def accept(self) -> None:
        await self._expect("websocket.connect")
        headers = _encoded(self.request.headers_out)
        await self._send({"type": "websocket.accept", "headers": headers})
        self._is_open = True
        self.request.status = 101

    async def refuse(self, refusal: Refusal) -> None:
        """Answer the request with an error in place of a connection, or end the connection where there is one."""
        if self._is_open:
            await self.close(GOING_AWAY if refusal.status == 503 else FAILED, refusal.message)
            return
        status, body = error_body("openai", refusal, self.request.id)
        self.request.status = status
        headers = {"content-type": "application/json", "content-length": str(len(body)), **self.request.headers_out}
        if status == 401:
            headers["www-authenticate"] = "Bearer"
        start = {"type": "websocket.http.response.start", "status": status, "headers": _encoded(headers)}
        with contextlib.suppress(Gone):
            await self._expect("websocket.connect")
            await self._send(start)
            await self._send({"type": "websocket.http.response.body", "body": body, "more_body": False})

    async def receive(self) -> str | bytes:
        """The next message. Raises `Gone` where the client has left."""
        message = await self._receive()
        if message["type"] != "websocket.receive":
            self._is_open = False
            raise Gone
        text = message.get("text")
        return text if text is not None else message.get("bytes") or b""

    async def send(self, text: str) -> None:
        """Raises `Gone` where the client has left, or takes nothing for `write_timeout`."""
        self.request.sent += len(text)
        try:
            async with asyncio.timeout(self.settings.write_timeout):
                await self._send({"type": "websocket.send", "text": text})
        except (TimeoutError, OSError):
            self._is_open = False
            raise Gone from None

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        if self._is_open:
            self._is_open = False
            # A reason has at most 123 bytes; the client may have left by now.
            short = reason.encode()[:120].decode(errors="ignore")
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(self.settings.write_timeout):
                    await self._send({"type": "websocket.close", "code": code, "reason": short})

    async def _expect(self, kind: str) -> None:
        if not self._is_open and (await self._receive())["type"] != kind:
            raise Gone


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers.items()]


def connection_options(settings: ServerSettings) -> dict[str, Any]:
    """How uvicorn serves WebSockets. A client that does not answer a ping in time has left. What is compressed could
    unpack to far more than it seems."""
    return {
        "ws": "websockets-sansio",
        "ws_max_size": settings.body_bytes,
        "ws_ping_interval": settings.keep_alive,
        "ws_ping_timeout": settings.write_timeout,
        "ws_per_message_deflate": False,
    }
