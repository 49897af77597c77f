"""A small internet on loopback: names, public addresses, and real servers whose every byte a test decides."""

import asyncio
import errno
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from toolpost.net.dial import Dialer
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied

PUBLIC = "93.184.215.14"
OTHER = "93.184.215.15"


class World(Dialer):
    """Resolves the names that a test gave, and leads public addresses to servers on loopback."""

    def __init__(self) -> None:
        self.names: dict[str, list[Sequence[str]]] = {}
        self.servers: dict[tuple[str, int], int] = {}
        self.resolved: list[str] = []
        self.connected: list[tuple[str, int]] = []

    def name(self, host: str, *answers: Sequence[str]) -> None:
        """Each answer is given once, the last for ever."""
        self.names[host] = list(answers)

    async def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        answers = self.names.get(host)
        if not answers:
            raise OSError(errno.ENOENT, "no such name")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def connect(
        self,
        protocol: asyncio.Protocol,
        host: str,
        port: int,
        *,
        tls: ssl.SSLContext | None = None,
        server_name: str | None = None,
    ) -> None:
        self.connected.append((host, port))
        if (host, port) not in self.servers:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        name = server_name or host if tls else None
        await super().connect(protocol, "127.0.0.1", self.servers[host, port], tls=tls, server_name=name)


class Peer:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.head = b""
        self.body = b""

    async def take(self) -> bytes:
        """Read the request; its first line is returned."""
        self.head = await self.reader.readuntil(b"\r\n\r\n")
        lines = self.head.lower().split(b"\r\n")
        length = next((line for line in lines if line.startswith(b"content-length:")), b":0")
        self.body = await self.reader.readexactly(int(length.split(b":")[1]))
        return self.head.split(b"\r\n", 1)[0]

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()


Script = Callable[[Peer], Awaitable[None]]


class Server:
    def __init__(self) -> None:
        self.port = 0
        self.peers: list[Peer] = []


@asynccontextmanager
async def serving(script: Script, **options: Any) -> AsyncIterator[Server]:
    """A server on loopback that runs `script` for each connection."""
    server = Server()
    tasks: set[asyncio.Task[None]] = set()
    transports: list[asyncio.WriteTransport] = []

    async def serve(peer: Peer) -> None:
        try:
            await script(peer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            peer.writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer)
        server.peers.append(peer)
        # TLS over it, begun later, would leave this one behind.
        transports.append(writer.transport)
        tasks.add(asyncio.get_running_loop().create_task(serve(peer)))

    listener = await asyncio.start_server(accept, "127.0.0.1", 0, **options)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for transport in transports:
            transport.abort()
        await asyncio.sleep(0)


def answer(body: bytes | str = b"", content_type: str = "text/plain", status: str = "200 OK", *headers: str) -> bytes:
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"content-type: {content_type}", f"content-length: {len(data)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + data


def redirect(location: str, status: str = "302 Found") -> bytes:
    return f"HTTP/1.1 {status}\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n".encode()


def saying(*answers: bytes) -> Script:
    """Gives each answer to one request in turn, the last to all that follow."""
    left = list(answers)

    async def script(peer: Peer) -> None:
        await peer.take()
        await peer.send(left.pop(0) if len(left) > 1 else left[0])

    return script


def context(folder: Path, allowed: Callable[[str, str], bool] = lambda permission, pattern: True) -> "Asked":
    return Asked(folder, allowed)


class Asked:
    """A tool's context that writes down what was asked."""

    def __init__(self, folder: Path, allowed: Callable[[str, str], bool]) -> None:
        self.asks: list[tuple[str, tuple[str, ...]]] = []
        self._allowed = allowed
        self.ctx = ToolContext("ses_1", "msg_1", "call_1", folder, lambda text, details: None, self._ask, self._environ)

    async def _ask(
        self,
        permission: str,
        patterns: Sequence[str],
        always: Sequence[str],
        title: str,
        details: dict[str, Any] | None,
    ) -> None:
        self.asks.append((permission, tuple(patterns)))
        if not all(self._allowed(permission, pattern) for pattern in patterns):
            raise PermissionDenied(f"{permission} is denied")

    async def _environ(self) -> dict[str, str]:
        return {}
