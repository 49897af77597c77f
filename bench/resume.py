"""How soon a run goes on elsewhere when its process is killed, stopped or frozen.

python -m bench.resume [--samples N] [--frozen N]

Two processes that drive runs, a scripted model on a socket, and a follower of the store, which is this process: it
measures from the signal to the holder until it hears `run_resumed`. The processes are `toolpost serve` with SQLite and
with PostgreSQL, whose sweepers find the run, and `toolpost worker` with PostgreSQL and Temporal's dev server.
"""

import argparse
import asyncio
import contextlib
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

from tests.postgres_server import PostgresServer
from toolpost.engine.drive import RunTicket
from toolpost.engine.sweeper import SWEEP_SECONDS
from toolpost.server.chat.driving import HOME
from toolpost.store import open_store
from toolpost.store.contract import Store
from toolpost.temporal.engine import TemporalEngine
from toolpost.testing import Gate, Received, Turn, Upstream, pause, text
from toolpost.workspace import Workspace

from .engine import Failed, Place, temporal_server
from .engine_runs import TOKEN, stored
from .report import as_text
from .sample import SCRATCH
from .store import SETTINGS

PATIENCE = 120.0
# What a process says on stderr once it drives runs.
READY = {"serve": b"OPENAI_API_KEY=", "worker": b" at once\n"}
SIGNALS = {"killed": signal.SIGKILL, "told to stop": signal.SIGTERM, "frozen": signal.SIGSTOP}
CASES = ("SQLite", "PostgreSQL", "Temporal")

Submit = Callable[[str], Awaitable[RunTicket]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=10, help="of each that is killed or stopped (default 10)")
    parser.add_argument("--frozen", type=int, default=3, help="of each that is frozen (default 3)")
    parser.add_argument("--only", nargs="+", choices=CASES, default=CASES)
    options = parser.parse_args()
    SCRATCH.mkdir(exist_ok=True)
    counts = {"killed": options.samples, "told to stop": options.samples, "frozen": options.frozen}
    rows = [["seconds until `run_resumed`", "", "samples", "min", "median", "max"]]
    try:
        for name in options.only:
            with _place(name) as place:
                rows += asyncio.run(_measure(name, place, counts))
    except Failed as failure:
        print(f"FAILED: {failure}")
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"\n{as_text(rows)}")
    return 0


@contextlib.contextmanager
def _place(name: str) -> Iterator[Place]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=SCRATCH, prefix="resume-")))
        store = str(folder / "sessions.db")
        if name != "SQLite":
            store = stack.enter_context(PostgresServer(settings=SETTINGS)).url()
        temporal = stack.enter_context(temporal_server()) if name == "Temporal" else None
        yield Place(folder, store, temporal, slots=10)


async def _measure(name: str, place: Place, counts: dict[str, int]) -> list[list[str]]:
    rows: list[list[str]] = []
    async with contextlib.AsyncExitStack() as stack:
        model = Model()
        up = await stack.enter_async_context(Upstream(model, repeat=True, strict=False))
        store = open_store(place.store)
        stack.push_async_callback(store.close)
        holders = Holders(place, up.base_url, "worker" if place.has_engine else "serve", stack)
        submit = _submitter(place, up.base_url, stack)
        for what, count in counts.items():
            taken = [await _sample(f"{what} {number}", what, model, store, holders, submit) for number in range(count)]
            if taken:
                figures = (min(taken), statistics.median(taken), max(taken))
                rows.append([name, what, str(count), *(f"{seconds:.2f}" for seconds in figures)])
                print(f"{'  '.join(rows[-1])}  (load average {os.getloadavg()[0]:.1f})", flush=True)
    return rows


async def _sample(prompt: str, what: str, model: "Model", store: Store, holders: "Holders", submit: Submit) -> float:
    await holders.fill()
    ticket = await submit(prompt)
    resumed = asyncio.create_task(_heard(store, ticket.session_id, "run_resumed"))
    async with asyncio.timeout(PATIENCE):
        holder = holders.of(await model.first_asked_by(prompt))
        # At any moment between two looks of the others.
        await asyncio.sleep(random.uniform(0, SWEEP_SECONDS))
        began = time.perf_counter()
        holder.send_signal(SIGNALS[what])
        seconds = await resumed - began
        model.gate(prompt).open()
        await _heard(store, ticket.session_id, "settled")
    await holders.end(holder)
    return seconds


async def _heard(store: Store, session_id: str, kind: str) -> float:
    """When this event of the session was read, as a follower in another process reads it."""
    seq = 0
    async for notice in store.follow():
        if notice.session_id in (None, session_id):
            async for event in store.events(session_id, seq):
                seq = event.seq
                if event.type == kind:
                    return time.perf_counter()
    raise Failed(f"the store is not followed any more: no {kind}")


def _submitter(place: Place, base_url: str, stack: contextlib.AsyncExitStack) -> Submit:
    """Stores a run, for whichever process finds it, or is given it by Temporal."""
    workspace = Workspace(place.folder, environ=place.environment(base_url, "sk-submitter"))
    stack.push_async_callback(workspace.close)
    engine = TemporalEngine(workspace.config.engine, workspace.environ) if place.has_engine else None

    async def submit(prompt: str) -> RunTicket:
        ticket = await stored(workspace, prompt, home=HOME)
        if engine is not None:
            await engine.submit(ticket)
        return ticket

    return submit


class Model:
    """Answers a prompt once its gate is open, and knows who was the first to ask it."""

    def __init__(self) -> None:
        self._gates: dict[str, Gate] = {}
        self._asked: dict[str, asyncio.Future[str]] = {}

    def __call__(self, request: Received) -> Turn:
        prompt = next(one["content"] for one in request.body["messages"] if one["role"] == "user")
        asked = self._asked_by(prompt)
        if not asked.done():
            asked.set_result(request.headers["authorization"].removeprefix("Bearer "))
        return pause(self.gate(prompt)) + text("a short answer")

    def gate(self, prompt: str) -> Gate:
        return self._gates.setdefault(prompt, Gate())

    async def first_asked_by(self, prompt: str) -> str:
        """The key of the process."""
        return await self._asked_by(prompt)

    def _asked_by(self, prompt: str) -> "asyncio.Future[str]":
        return self._asked.setdefault(prompt, asyncio.get_running_loop().create_future())


class Holders:
    """Two processes that drive runs, each known by the key that it sends to the model."""

    def __init__(self, place: Place, base_url: str, command: str, stack: contextlib.AsyncExitStack) -> None:
        self._place = place
        self._base_url = base_url
        self._command = command
        self._stack = stack
        self._count = 0
        self._running: dict[str, Process] = {}

    async def fill(self) -> None:
        while len(self._running) < 2:
            self._count += 1
            key = f"sk-holder-{self._count}"
            self._running[key] = await self._stack.enter_async_context(self._started(key))

    def of(self, key: str) -> Process:
        return self._running[key]

    async def end(self, process: Process) -> None:
        if process.returncode is None:
            # Also one that is frozen.
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        await process.wait()
        self._running = {key: one for key, one in self._running.items() if one is not process}

    @contextlib.asynccontextmanager
    async def _started(self, key: str) -> AsyncIterator[Process]:
        arguments = ["--port", "0", "--token", TOKEN] if self._command == "serve" else []
        log = self._place.folder.parent / f"{key}.log"
        environment = self._place.environment(self._base_url, key)
        with log.open("wb") as opened:
            started = self._place.process(environment, "toolpost", self._command, *arguments, log=opened.fileno())
            async with started as process:
                async with asyncio.timeout(PATIENCE):
                    while READY[self._command] not in log.read_bytes():
                        if process.returncode is not None:
                            raise Failed(f"a process has ended: {log.read_text()}")
                        await asyncio.sleep(0.02)
                yield process


if __name__ == "__main__":
    sys.exit(main())
