"""A WebSocket with a time limit on sending, refusals before it opens, and a reason when it closes."""

import asyncio
import contextlib
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from .http import JSON, Request, encode_headers, error_body
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

    def __init__(self, request: Request, receive: Receive, send: Send) -> None:
        self.request = request
        self.settings = request.settings
        self._socket = WebSocket(request.scope, receive, send)
        self.is_ending = False

    async def accept(self) -> None:
        await self._socket.accept(headers=encode_headers(self.request.headers_out))
        self.request.status = 101

    async def refuse(self, refusal: Refusal) -> None:
        """Answer the request with an error in place of a connection, or close the connection if it is open."""
        if self._is_open:
            await self.close(GOING_AWAY if refusal.status == 503 else FAILED, refusal.message)
            return
        self.request.status, body = error_body("openai", refusal, self.request.id)
        headers = dict(self.request.headers_out)
        if self.request.status == 401:
            headers["www-authenticate"] = "Bearer"
        with contextlib.suppress(OSError):
            await self._socket.send_denial_response(Response(body, self.request.status, headers, JSON))

    async def receive(self) -> str | bytes:
        """The next message. Raises `ClientDisconnect`."""
        message = await self._socket.receive()
        if message["type"] != "websocket.receive":
            raise ClientDisconnect
        text = message.get("text")
        return text if text is not None else message.get("bytes") or b""

    async def send(self, text: str) -> None:
        """Raises `ClientDisconnect` where the client has left, or takes nothing for `write_timeout`."""
        if not self._is_open:
            raise ClientDisconnect
        self.request.sent += len(text)
        try:
            async with asyncio.timeout(self.settings.write_timeout):
                await self._socket.send_text(text)
        except (TimeoutError, WebSocketDisconnect):
            raise ClientDisconnect from None

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        if self._is_open:
            # A reason has at most 123 bytes; the client may have left by now.
            short = reason.encode()[:120].decode(errors="ignore")
            with contextlib.suppress(TimeoutError, WebSocketDisconnect):
                async with asyncio.timeout(self.settings.write_timeout):
                    await self._socket.close(code, short)

    @property
    def _is_open(self) -> bool:
        return self._socket.application_state is WebSocketState.CONNECTED


def websocket_options(settings: ServerSettings) -> dict[str, Any]:
    """How uvicorn serves WebSockets. A client that does not reply to a ping in time has left. Compression is off: a
    small message could unpack to a very large one."""
    return {
        "ws": "websockets-sansio",
        "ws_max_size": settings.body_bytes,
        "ws_ping_interval": settings.keep_alive,
        "ws_ping_timeout": settings.write_timeout,
        "ws_per_message_deflate": False,
    }
