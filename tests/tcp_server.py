"""A plain TCP server whose every byte the test decides."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


class Peer:
    """One accepted connection: what the client sent, what to send it, and when it went away."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.request = b""

    async def take_request(self) -> bytes:
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
        body = await self.reader.readexactly(int(length.split(b":")[1]))
        self.request = head + body
        return self.request

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def gone(self) -> None:
        """Wait until the client closed its side."""
        try:
            while await self.reader.read(65536):
                pass
        except ConnectionError:
            pass


Script = Callable[[Peer], Awaitable[None]]


def answer(*pieces: bytes) -> Script:
    """Take one request and send these pieces."""

    async def script(peer: Peer) -> None:
        await peer.take_request()
        for piece in pieces:
            await peer.send(piece)

    return script


class TcpServer:
    def __init__(self) -> None:
        self.url = ""
        self.port = 0
        self.peers: list[Peer] = []
        self.done = asyncio.Event()


@asynccontextmanager
async def tcp_server(script: Script) -> AsyncIterator[TcpServer]:
    state = TcpServer()
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer)
        state.peers.append(peer)
        try:
            await script(peer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
            state.done.set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(serve(reader, writer))
        tasks.add(task)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    state.port = server.sockets[0].getsockname()[1]
    state.url = f"http://127.0.0.1:{state.port}/v1/chat/completions"
    try:
        yield state
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)
