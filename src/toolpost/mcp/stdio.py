"""Run an MCP server process and read and write its messages, one per line, each of limited length.

The SDK's own reader has no limit and copies what it has with every piece, so that one answer of 20 MB stops the loop.
"""

import asyncio
import logging
import subprocess
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage

log = logging.getLogger("toolpost.mcp")

MAX_MESSAGE = 16 * 1024 * 1024
MAX_JUNK_LINES = 10_000  # between two messages; some servers print a word of their own to stdout
SHOWN_JUNK_LINES = 5
SHOWN_JUNK = 200
CHUNK = 65_536


@asynccontextmanager
async def piped(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path | str,
    stderr: int,
    end: Callable[[Process], Awaitable[None]],
    cut: Callable[[str], None],
) -> "AsyncGenerator[TransportStreams]":
    """Start a process, in a session of its own, and give its streams. `end` is awaited when they are left; `cut` is
    told why its output is not read any further, where that is so."""
    # Imported here: see transports.py.
    import anyio

    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(CHUNK, loop),
        *command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=dict(env),
        cwd=cwd,
        start_new_session=True,
    )
    process = Process(transport, protocol, loop)
    try:
        async with _streams(process, cut) as streams:
            yield streams
    finally:
        with anyio.CancelScope(shield=True):
            await end(process)
        transport.close()


@asynccontextmanager
async def _streams(process: Process, cut: Callable[[str], None]) -> "AsyncGenerator[TransportStreams]":
    import anyio
    from mcp.shared.message import SessionMessage

    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    async with incoming, read, write, outgoing, anyio.create_task_group() as group:
        group.start_soon(_read, process, incoming, cut)
        group.start_soon(_write, process, outgoing, incoming)
        try:
            yield read, write
        finally:
            group.cancel_scope.cancel()


async def _read(
    process: Process, incoming: "MemoryObjectSendStream[SessionMessage | Exception]", cut: Callable[[str], None]
) -> None:
    import anyio

    # A stream that closes is how the session learns of the end.
    async with incoming:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            try:
                async for message in _messages(process):
                    await incoming.send(message)
            except _CutOff as reason:
                cut(str(reason))


async def _write(
    process: Process,
    outgoing: "MemoryObjectReceiveStream[SessionMessage]",
    incoming: "MemoryObjectSendStream[SessionMessage | Exception]",
) -> None:
    stdin: Any = process.stdin
    try:
        async for item in outgoing:
            stdin.write(item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await stdin.drain()
    except (OSError, RuntimeError):
        # The process may live on without its input: nobody should wait for its answers.
        await incoming.aclose()


class _CutOff(Exception):
    """The reason to stop reading from a server."""


async def _messages(process: Process) -> "AsyncGenerator[SessionMessage]":
    """The messages of a server, without what else it prints. Raises `_CutOff` where it prints nothing else any more."""
    junk = 0
    async for line in _lines(process):
        message = _message(line)
        if message is not None:
            junk = 0
            yield message
            continue
        junk += 1
        if junk <= SHOWN_JUNK_LINES:
            log.warning(
                "process %d, an MCP server, printed a line that is not a message: %r", process.pid, line[:SHOWN_JUNK]
            )
        if junk >= MAX_JUNK_LINES:
            raise _CutOff(f"it printed {MAX_JUNK_LINES:,} lines that are not protocol messages")


async def _lines(process: Process) -> AsyncGenerator[bytes]:
    """Yield whole lines; a line over the limit is never assembled."""
    stdout: Any = process.stdout
    pieces: list[bytes] = []
    size = 0
    while chunk := await stdout.read(CHUNK):
        first, *others = chunk.split(b"\n")
        pieces.append(first)
        size += len(first)
        if size > MAX_MESSAGE:
            raise _CutOff(f"it sent a message of more than {MAX_MESSAGE:,} bytes")
        if others:
            yield b"".join(pieces)
            for line in others[:-1]:
                yield line
            pieces, size = [others[-1]], len(others[-1])


def _message(line: bytes) -> "SessionMessage | None":
    from mcp import types
    from mcp.shared.message import SessionMessage

    # Most lines that are not messages show it in their first character, which is quick to check.
    if not line.lstrip().startswith(b"{"):
        return None
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        return None
