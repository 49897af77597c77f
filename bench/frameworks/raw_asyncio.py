"""The wire read by hand over asyncio's streams: no HTTP library at all."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from .bare import converse

READ_SIZE = 1 << 16

_host, _port = "", 0
_idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []


async def start(base: str) -> None:
    global _host, _port
    parts = urlsplit(base)
    _host, _port = parts.hostname or "", parts.port or 0


async def run(prompt: str, max_steps: int) -> int:
    return await converse(_exchange, prompt, max_steps)


async def _exchange(body: bytes) -> AsyncIterator[list[bytes]]:
    reader, writer = _idle.pop() if _idle else await asyncio.open_connection(_host, _port, limit=READ_SIZE)
    head = (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    )
    writer.write(head % len(body) + body)
    await reader.readuntil(b"\r\n\r\n")
    while size := int(await reader.readuntil(b"\r\n"), 16):
        event = await reader.readexactly(size + 2)
        yield [event[:-4]]
    await reader.readexactly(2)
    _idle.append((reader, writer))
