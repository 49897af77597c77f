"""A network between a store and its server that can lose an answer."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class LosingProxy:
    """Passes bytes on, until it is told to lose an answer: the request reaches the server, then the line is cut."""

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._words: bytes | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.port = 0
        self.lost = 0

    def lose_answer_to(self, words: bytes) -> None:
        """Lose the answer to the next request that has `words` in it."""
        self._words = words

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["LosingProxy"]:
        listening = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            listening.close()
            await asyncio.gather(*self._connections)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        losing = asyncio.Event()
        ways = [
            asyncio.create_task(self._requests(reader, server_writer, losing)),
            asyncio.create_task(self._answers(server_reader, writer, losing)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        for each in (writer, server_writer):
            each.close()
            with contextlib.suppress(OSError):
                await each.wait_closed()
        self._connections.discard(task)

    async def _requests(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, losing: asyncio.Event
    ) -> None:
        while data := await reader.read(1 << 16):
            if self._words is not None and self._words in data:
                self._words = None
                losing.set()
            writer.write(data)
            await writer.drain()

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, losing: asyncio.Event) -> None:
        while data := await reader.read(1 << 16):
            if losing.is_set():
                self.lost += 1
                return
            writer.write(data)
            await writer.drain()
