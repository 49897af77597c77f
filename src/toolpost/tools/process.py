"""Run child processes for tools: live output, bounded memory, and the whole process tree ended with the call.

A child may start a session of its own or detach itself, so its process group is not enough: every process of a call
carries a mark in its environment, and what carries it is found again through /proc.
"""

import asyncio
import codecs
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolpost.guard.redact import known_secrets
from toolpost.guard.secret_replacer import ByteStreamRedactor
from toolpost.types.ids import new_id

from .define import ToolContext
from .output import Bounded, OutputCollector
from .output_collector import MAX_BYTES, MAX_LINES
from .output_file import call_name, session_folder

MARK = "TOOLPOST_PROCESS"
TERM_GRACE = 0.2
DRAIN_SECONDS = 0.5
REAP_SECONDS = 5.0
CHUNK = 65_536
# So much of an output is shown as it comes; of the rest, the newest piece now and then.
LIVE_BYTES = 200_000
LIVE_SECONDS = 1.0
LIVE_PIECE = 2_000


class Finished(Struct, frozen=True):
    """`code` is the exit code, negative for a signal. `output` holds both stdout and stderr, bounded."""

    code: int
    output: Bounded
    timed_out: bool = False


async def run_process(
    command: Sequence[str] | str,
    ctx: ToolContext,
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    spill: Path | None = None,
    pass_fds: Sequence[int] = (),
    timeout: float | None = None,
    max_lines: int = MAX_LINES,
    max_bytes: int = MAX_BYTES,
) -> Finished:
    """Run a command (a list, or a text for the shell) and show its output as it comes.

    Cancelled, or after `timeout` seconds, it takes the whole tree of processes with it. It ends when the command ends:
    a child left in the background does not hold it up, and is stopped.
    """
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    environment = await ctx.environment() if env is None else env
    folder = session_folder(spill, ctx.session_id) if spill is not None else None
    collector = OutputCollector(max_lines, max_bytes, folder, call_name(ctx.message_id, ctx.call_id))
    live = _Live(ctx)

    # Here, before anything is cut or kept: half a secret could not be recognised later.
    flow = ByteStreamRedactor(known_secrets())

    def take(data: bytes) -> None:
        collector.feed(data)
        live.show(data)

    child = await Child.start(words, cwd=cwd or ctx.folder, env=environment, pass_fds=pass_fds, has_input=bool(stdin))
    timed_out = False
    try:
        async with asyncio.timeout(timeout):
            await child.follow(lambda data: take(flow.feed(data)), stdin)
    except TimeoutError:
        timed_out = True
    finally:
        await asyncio.shield(asyncio.ensure_future(child.end()))
    take(flow.end())
    live.end()
    return Finished(await child.wait(), collector.finish(), timed_out)


@dataclass
class Child:
    """A process with one pipe for all its output, in a session of its own."""

    process: asyncio.subprocess.Process
    mark: str
    _output: asyncio.StreamReader
    _pipe: asyncio.ReadTransport

    @classmethod
    async def start(
        cls,
        words: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        pass_fds: Sequence[int] = (),
        has_input: bool = False,
    ) -> "Child":
        """Start it with an output pipe of our own: `Process.wait` waits for its own pipes to close as well, and a child
        in the background may keep those open for ever. Without input it has no pipe for it either: some programs
        read one where it is there, and others wait at it."""
        mark = new_id("prc")
        read_end, write_end = os.pipe()
        output = asyncio.StreamReader()
        loop = asyncio.get_running_loop()
        opened = os.fdopen(read_end, "rb", 0)
        pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(output), opened)
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                cwd=cwd,
                env={**env, MARK: mark},
                stdin=asyncio.subprocess.PIPE if has_input else asyncio.subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                start_new_session=True,
                pass_fds=tuple(pass_fds),
            )
        except BaseException:
            pipe.close()
            raise
        finally:
            os.close(write_end)
        return cls(process, mark, output, pipe)

    async def follow(self, take: Callable[[bytes], None], stdin: bytes = b"") -> int:
        """Give it its input, hand its output on as it comes, and return its exit code."""
        reading = asyncio.create_task(self._read(take))
        try:
            await self._feed(stdin)
            code = await self.process.wait()
            # A detached child may hold the pipe open for ever: what is there is read, and no more is waited for.
            await asyncio.wait({reading}, timeout=DRAIN_SECONDS)
        finally:
            reading.cancel()
            await asyncio.wait({reading})
        return code

    async def wait(self) -> int:
        """The exit code, when there is one."""
        return await self.process.wait()

    async def end(self) -> None:
        """Take the whole tree with it, and wait until it is gone: a loop that ends before would leave it unclosed."""
        await end_tree(self.process.pid, self.mark)
        if self.process.returncode is None:
            # Right after its start it has no environment yet to be found by.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            await end_tree(self.process.pid, self.mark)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), REAP_SECONDS)
        self._pipe.close()

    async def _feed(self, stdin: bytes) -> None:
        if self.process.stdin is None:
            return
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.process.stdin.write(stdin)
            await self.process.stdin.drain()
        self.process.stdin.close()

    async def _read(self, take: Callable[[bytes], None]) -> None:
        while data := await self._output.read(CHUNK):
            take(data)


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


class _Live:
    """Shows output as it comes, but not a flood of it: a viewer has to keep up, and it may be stored."""

    def __init__(self, ctx: ToolContext) -> None:
        self._ctx = ctx
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = LIVE_BYTES
        self._next = 0.0
        self._unseen = b""

    def show(self, data: bytes) -> None:
        if not data:
            return
        if self._left > 0:
            self._left -= len(data)
            self._ctx.update(self._decoder.decode(data))
            return
        self._unseen = (self._unseen + data[-LIVE_PIECE:])[-LIVE_PIECE:]
        now = asyncio.get_running_loop().time()
        if now >= self._next:
            self._next = now + LIVE_SECONDS
            self.end()

    def end(self) -> None:
        """Show the last of what was too much to be shown as it came."""
        piece, self._unseen = self._unseen, b""
        if piece:
            # From the beginning of a line, so that no half of one stands there.
            whole = piece.partition(b"\n")[2] or piece
            self._ctx.update("\n[…]\n" + whole.decode(errors="replace"))


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
