"""Answers on all five wires, for `bench.adapters`: raw asyncio, so that it is not what is measured.

The model's name is the script: `all-5000` is an answer of 5,000 chunks of text in one write, `apart-300` one of 300
chunks, each written alone and a moment after the last, as a model does. Every event is an HTTP chunk of its own.
"""

import asyncio
import re
import sys
from functools import cache
from typing import Any

import uvloop

from toolpost.testing import text
from toolpost.testing.wires import ScriptedWire, all_wires

# Long enough for a client to have read one chunk before the next comes.
APART_SECONDS = 0.001
SCRIPT = re.compile(rb"(all|apart)-(\d+)")


class Server(asyncio.Protocol):
    """One connection; requests on it are answered one after another."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.buffer = b""
        self.tasks: set[asyncio.Task[None]] = set()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, end, body = self.buffer.partition(b"\r\n\r\n")
        size = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
        if not end or len(body) < int(size[1] if size else 0):
            return
        script = SCRIPT.search(self.buffer)
        assert script is not None
        path = head.split(b" ", 2)[1].decode().partition("?")[0]
        self.buffer = b""
        task = asyncio.get_running_loop().create_task(self.answer(path, script[1] == b"apart", int(script[2])))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:
        for task in self.tasks:
            task.cancel()

    async def answer(self, path: str, apart: bool, count: int) -> None:
        head, events = turn(path, count)
        self.transport.write(head)
        if not apart:
            self.transport.write(b"".join(events))
        else:
            for event in events:
                self.transport.write(event)
                await asyncio.sleep(APART_SECONDS)
        self.transport.write(b"0\r\n\r\n")


@cache
def turn(path: str, count: int) -> tuple[bytes, list[bytes]]:
    """The head of an answer, and its events as HTTP chunks."""
    wire = next(wire for wire in all_wires() if wire.answers(path))
    said = text("".join(f"tok{number % 97:02} " for number in range(count)), chunk=len("tok00 "))
    events = [*wire.opening(said), *_events(wire, said), *wire.closing(said, {"stream_options": {}})]
    kind = wire.content_type.encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: " + kind + b"\r\ntransfer-encoding: chunked\r\n\r\n"
    return head, [b"%x\r\n%s\r\n" % (len(event), event) for event in events]


def _events(wire: ScriptedWire, said: Any) -> list[bytes]:
    return [event for step in said.steps for event in wire.step(step)]


async def serve() -> None:
    """Listen on a free port, say which on the first line, and serve until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    uvloop.run(serve())
