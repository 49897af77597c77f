"""A search service on a real socket, that answers as Tavily does."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from toolpost.testing import Gate


class Tavily:
    """Where it listens, and what it was asked: the body and the `authorization` of each search."""

    def __init__(self) -> None:
        self.address = ""
        self.searches: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def config(self) -> str:
        return f'[web]\nsearch = "tavily"\ntavily = "{self.address}"\n'


@asynccontextmanager
async def tavily(hits: Sequence[dict[str, Any]], gate: Gate) -> AsyncGenerator[Tavily]:
    """A server that gives these results, once the gate is open."""
    service = Tavily()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        service.searches.append(json.loads(await reader.readexactly(int(fields["content-length"]))))
        service.keys.append(fields.get("authorization", ""))
        await gate.passed()
        body = json.dumps({"results": list(hits)}).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body
        )
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        service.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield service


def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of this machine does not know the service."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
