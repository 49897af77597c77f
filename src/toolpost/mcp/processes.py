"""Servers that are processes of ours: a clean environment, their complaints kept, nothing left when we end."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.guard.redact import is_secret_name
from toolpost.types.ids import new_id

from . import warden
from .config import McpServer

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

KEPT_STDERR = 32_768
TERM_SECONDS = 0.5


class Tail:
    """The last of what a server said on stderr, however much it says."""

    def __init__(self, limit: int = KEPT_STDERR) -> None:
        self._limit = limit
        self._kept = bytearray()

    def feed(self, data: bytes) -> None:
        self._kept += data
        if len(self._kept) > 2 * self._limit:
            del self._kept[: -self._limit]

    def text(self) -> str:
        return bytes(self._kept[-self._limit :]).decode(errors="replace")


class Warden:
    """A small process that ends every server of ours if we are killed. Started with the first server."""

    def __init__(self) -> None:
        self._mark = new_id("mcp")
        self._process: subprocess.Popen[bytes] | None = None
        self._servers = 0

    def mark(self) -> str:
        """A mark for one server, which all its descendants will carry."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", warden.__file__, self._mark],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},
                start_new_session=True,
            )
        self._servers += 1
        # The dot at the end keeps the first mark from being the beginning of the tenth.
        return f"{self._mark}.{self._servers}."

    async def close(self) -> None:
        """Let it end what is left, and itself."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            await asyncio.to_thread(process.wait)


@asynccontextmanager
async def started(
    server: McpServer, folder: Path, environ: Mapping[str, str], mark: str, stderr: Tail
) -> "AsyncGenerator[TransportStreams]":
    """Start a server and give its streams. It gets no secret but those that its own `env` names."""
    # Imported here: the SDK takes a second or two, and most starts need no server.
    from mcp.client.stdio import StdioServerParameters, stdio_client

    plain = {name: value for name, value in environ.items() if not is_secret_name(name)}
    parameters = StdioServerParameters(
        command=server.command,
        args=list(server.args),
        env={**plain, **server.env, warden.MARK: mark},
        cwd=server.cwd or folder,
        encoding_error_handler="replace",
    )
    read_end, write_end = os.pipe()
    loop = asyncio.get_running_loop()
    pipe, _ = await loop.connect_read_pipe(lambda: _Reader(stderr), os.fdopen(read_end, "rb", 0))
    try:
        with os.fdopen(write_end, "w") as errors:
            async with stdio_client(parameters, errors) as streams:
                # The server holds it now, and no one else: its end is then the pipe's end.
                errors.close()
                yield streams
    finally:
        await end(mark)
        pipe.close()


async def end(mark: str) -> None:
    """Ask what carries the mark to end, and kill what does not within a moment."""
    if not warden.send(mark, signal.SIGTERM):
        return
    deadline = asyncio.get_running_loop().time() + TERM_SECONDS
    # Nothing tells when a process that is not our child has ended, so it has to be looked for.
    while warden.marked(mark) and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    warden.send(mark, signal.SIGKILL)


class _Reader(asyncio.Protocol):
    def __init__(self, tail: Tail) -> None:
        self._tail = tail

    def data_received(self, data: bytes) -> None:
        self._tail.feed(data)
