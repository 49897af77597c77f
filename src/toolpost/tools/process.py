"""Child processes for tools: live output, bounded memory, and the whole tree gone when the call ends.

A child may start a session of its own or detach itself, so its process group is not enough: every process of a call
carries a mark in its environment, and what carries it is found again through /proc.
"""

import asyncio
import codecs
import contextlib
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolpost.types.ids import new_id

from .define import ToolContext
from .output import Bounded, OutputCollector

MARK = "TOOLPOST_PROCESS"
TERM_GRACE = 0.2
DRAIN_SECONDS = 0.5
CHUNK = 65_536


class Finished(Struct, frozen=True):
    """`code` is the exit code, negative for a signal. `output` holds both stdout and stderr, bounded."""

    code: int
    output: Bounded


async def run_process(
    command: Sequence[str] | str,
    ctx: ToolContext,
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    spill: Path | None = None,
) -> Finished:
    """Run a command (a list, or a text for the shell) and show its output as it comes.

    Cancelled, it takes the whole tree of processes with it. It ends when the command ends: a child left in the
    background does not hold it up, and is stopped.
    """
    mark = new_id("prc")
    environment = {**(await ctx.environment() if env is None else env), MARK: mark}
    collector = OutputCollector(folder=spill, call_id=ctx.call_id)
    process, output, pipe = await _start(command, cwd or ctx.folder, environment)
    reading = asyncio.create_task(_read(output, collector, ctx))
    try:
        await _feed(process, stdin)
        code = await process.wait()
        # A detached child may hold the pipe open for ever: what is there is read, and no more is waited for.
        await asyncio.wait({reading}, timeout=DRAIN_SECONDS)
    finally:
        reading.cancel()
        await asyncio.shield(asyncio.ensure_future(end_tree(process.pid, mark)))
        await asyncio.wait({reading})
        pipe.close()
    return Finished(code, collector.finish())


async def end_tree(pid: int, mark: str) -> None:
    """Ask every process of the tree to end, and kill what does not within a moment."""
    for wanted in (signal.SIGTERM, signal.SIGKILL):
        left = _tree(pid, mark)
        if not left:
            return
        for process in left:
            _signal(process, wanted)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, wanted)
        if wanted is signal.SIGTERM:
            await _until_gone(pid, mark, TERM_GRACE)


async def _start(
    command: Sequence[str] | str, cwd: Path, env: Mapping[str, str]
) -> tuple[asyncio.subprocess.Process, asyncio.StreamReader, asyncio.ReadTransport]:
    """Start the command with an output pipe of our own: `Process.wait` waits for its own pipes to close as well, and
    a child in the background may keep those open for ever."""
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    read_end, write_end = os.pipe()
    output = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(output), os.fdopen(read_end, "rb", 0))
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            cwd=cwd,
            env=env,
            stdin=asyncio.subprocess.PIPE,
            stdout=write_end,
            stderr=write_end,
            start_new_session=True,
        )
    except BaseException:
        pipe.close()
        raise
    finally:
        os.close(write_end)
    return process, output, pipe


async def _feed(process: asyncio.subprocess.Process, stdin: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(stdin)
        await process.stdin.drain()
    process.stdin.close()


async def _read(output: asyncio.StreamReader, collector: OutputCollector, ctx: ToolContext) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := await output.read(CHUNK):
        collector.feed(data)
        ctx.update(decoder.decode(data))


async def _until_gone(pid: int, mark: str, seconds: float) -> None:
    deadline = asyncio.get_running_loop().time() + seconds
    # Nothing tells when a process that is not our child has ended, so it has to be looked for.
    while _tree(pid, mark) and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


def _tree(pid: int, mark: str) -> list[int]:
    """The processes that carry the mark, where /proc tells; else only the leader."""
    if sys.platform != "linux":
        return [pid] if _alive(pid) else []
    needle = f"{MARK}={mark}".encode()
    found: list[int] = []
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                if needle in Path(entry.path, "environ").read_bytes():
                    found.append(int(entry.name))
    return found


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _signal(pid: int, wanted: Literal[signal.Signals.SIGTERM, signal.Signals.SIGKILL]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, wanted)
