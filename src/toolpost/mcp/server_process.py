"""Start MCP servers as child processes with a clean environment, and end all of their processes."""

import asyncio
import errno
import os
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.guard.redact import clean_environment, remember_named
from toolpost.types.ids import new_id

from . import orphans
from .config import McpServer
from .stdio import piped

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

KEPT_STDERR = 32_768
LEAVE_SECONDS = 2.0  # for a server to end by itself
TERM_SECONDS = 0.5


class StderrTail:
    """Keep the last lines that a server wrote to stderr, in bounded memory."""

    def __init__(self, limit: int = KEPT_STDERR) -> None:
        self._limit = limit
        self._kept = bytearray()

    def feed(self, data: bytes) -> None:
        self._kept += data
        if len(self._kept) > 2 * self._limit:
            del self._kept[: -self._limit]

    def text(self) -> str:
        return bytes(self._kept[-self._limit :]).decode(errors="replace")


class ServerReaper:
    """A small process that ends every server of ours if we are killed. Started with the first server."""

    def __init__(self) -> None:
        self._mark = new_id("mcp")
        self._process: subprocess.Popen[bytes] | None = None
        self._servers = 0

    def mark(self) -> str:
        """Make a mark for one server; its child processes inherit it in their environment."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", orphans.__file__, self._mark],
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
        """Close its input: it ends the marked processes, then itself."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            await asyncio.to_thread(process.wait)


@asynccontextmanager
async def started(
    server: McpServer,
    folder: Path,
    environ: Mapping[str, str],
    mark: str,
    stderr: StderrTail,
    cut: Callable[[str], None],
) -> "AsyncGenerator[TransportStreams]":
    """Start a server and give its streams. It gets no secret but those that its own `env` names. `cut` is told why it
    is not read any further."""
    remember_named(server.env)
    env = {**clean_environment(environ), **server.env, orphans.MARK: mark}
    _look_for(server.command, env)
    read_end, write_end = os.pipe()
    loop = asyncio.get_running_loop()
    pipe, _ = await loop.connect_read_pipe(lambda: _Reader(stderr), os.fdopen(read_end, "rb", 0))
    try:
        with os.fdopen(write_end, "w") as errors:
            async with piped(
                (server.command, *server.args),
                env=env,
                cwd=server.cwd or folder,
                stderr=errors.fileno(),
                end=lambda process: _leave(process, mark),
                cut=cut,
            ) as streams:
                # The server holds it now, and no one else: its end is then the pipe's end.
                errors.close()
                yield streams
    finally:
        pipe.close()


async def end(mark: str, session: int = 0) -> None:
    """Ask what carries the mark, or is of the session, to end, and kill what does not within a moment."""
    if not orphans.send(mark, signal.SIGTERM, session):
        return
    await _until(lambda: not orphans.marked(mark, session), TERM_SECONDS)
    orphans.send(mark, signal.SIGKILL, session)


def _look_for(command: str, env: Mapping[str, str]) -> None:
    """Say that a command is not there: the system says "permission denied" if it may not enter a folder on PATH."""
    if "/" not in command and shutil.which(command, path=env.get("PATH", os.defpath)) is None:
        raise FileNotFoundError(errno.ENOENT, "not found on PATH", command)


async def _leave(process: Process, mark: str) -> None:
    """Close the input of a server, wait for it to end, and end the processes that it leaves behind."""
    if process.stdin is not None:
        process.stdin.close()
    await _until(lambda: process.returncode is not None, LEAVE_SECONDS)
    await end(mark, process.pid)
    await _until(lambda: process.returncode is not None, LEAVE_SECONDS)


async def _until(condition: Callable[[], bool], seconds: float) -> None:
    """Nothing tells when a process has ended that is not our child, or whose pipes others hold."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not condition() and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.02)


class _Reader(asyncio.Protocol):
    def __init__(self, tail: StderrTail) -> None:
        self._tail = tail

    def data_received(self, data: bytes) -> None:
        self._tail.feed(data)
