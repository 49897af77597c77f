"""A server's process and its pipes, as the SDK's streams: a line is a message, and none is read without end.

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

LONGEST_MESSAGE = 32 * 1024 * 1024


@asynccontextmanager
async def piped(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path | str,
    stderr: int,
    end: Callable[[Process], Awaitable[None]],
) -> "AsyncGenerator[TransportStreams]":
    """Start a process, in a session of its own, and give its streams. `end` is awaited when they are left."""
    # Imported here: see transports.py.
    import anyio

    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(
        lambda: SubprocessStreamProtocol(LONGEST_MESSAGE, loop),
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
        async with _streams(process) as streams:
            yield streams
    finally:
        with anyio.CancelScope(shield=True):
            await end(process)
        transport.close()


@asynccontextmanager
async def _streams(process: Process) -> "AsyncGenerator[TransportStreams]":
    import anyio
    from mcp.shared.message import SessionMessage

    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    async with incoming, read, write, outgoing, anyio.create_task_group() as group:
        group.start_soon(_read, process, incoming)
        group.start_soon(_write, process, outgoing, incoming)
        try:
            yield read, write
        finally:
            group.cancel_scope.cancel()


async def _read(process: Process, incoming: "MemoryObjectSendStream[SessionMessage | Exception]") -> None:
    import anyio

    # A stream that closes is how the session learns of the end.
    async with incoming:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
            while line := await _line(process):
                await incoming.send(_message(line))


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


async def _line(process: Process) -> bytes:
    stdout: Any = process.stdout
    try:
        return await stdout.readuntil(b"\n")
    except asyncio.IncompleteReadError:
        return b""
    except asyncio.LimitOverrunError:
        log.warning("an MCP server sent a message of more than %d bytes, and is left", LONGEST_MESSAGE)
        return b""


def _message(line: bytes) -> "SessionMessage | Exception":
    from mcp import types
    from mcp.shared.message import SessionMessage

    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
