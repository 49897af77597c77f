"""Submit runs to a queue of their own, drive them with workers here and in other processes, and watch them."""

import asyncio
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from inspect import isawaitable
from pathlib import Path

from scripted_driver import Ledger, ScriptedDriver
from temporal_server import TemporalServer
from temporalio.client import Client, WorkflowHandle

from toolpost.config.schema import EngineSettings
from toolpost.engine.drive import RunTicket
from toolpost.schedules.engine import ScheduleDriver
from toolpost.temporal.engine import TemporalEngine
from toolpost.temporal.worker import TemporalWorker
from toolpost.types.ids import new_id

PATIENCE = 30.0
WORKER = Path(__file__).parent / "worker_process.py"


async def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait for something that another process or loop does. What the condition gives may have to be awaited."""
    deadline = time.monotonic() + seconds
    while True:
        met = condition()
        if await met if isawaitable(met) else met:
            return
        assert time.monotonic() < deadline, "it does not happen"
        await asyncio.sleep(0.01)


class Runs:
    """Runs of a queue of their own: they are submitted, driven by workers in this process or in others, and watched."""

    def __init__(self, server: TemporalServer, folder: Path, namespace: str = "default") -> None:
        self.server = server
        self.namespace = namespace
        self.folder = folder
        self.pool: str | None = new_id("p")
        self.ledger = Ledger(folder)
        self.engine = self.new_engine()
        self._processes: list[Process] = []

    def new_engine(self) -> TemporalEngine:
        return TemporalEngine(self.settings(), {})

    def settings(self, slots: int = 10, per_second: float | None = None) -> EngineSettings:
        return EngineSettings(url=self.server.url(self.namespace), pool=self.pool, slots=slots, per_second=per_second)

    def add(self, kind: str, owner: str = "") -> RunTicket:
        run_id = new_id("r")
        self.ledger.add(run_id, kind)
        return RunTicket(f"s-{run_id}", run_id, owner, "chat", str(self.folder))

    async def submit(self, kind: str, owner: str = "", delay: float = 0.0) -> RunTicket:
        ticket = self.add(kind, owner)
        await self.engine.submit(ticket, delay=delay)
        return ticket

    async def submit_all(self, kind: str, count: int, owner: str = "") -> list[RunTicket]:
        return await asyncio.gather(*(self.submit(kind, owner) for _ in range(count)))

    async def answer(self, ticket: RunTicket) -> None:
        self.ledger.answer(ticket.run_id)
        await self.engine.wake(ticket)

    async def ended(self, ticket: RunTicket, seconds: float = PATIENCE) -> str:
        await until(lambda: self.ledger.ended(ticket.run_id), seconds)
        return self.ledger.ended(ticket.run_id)

    async def is_at(self, ticket: RunTicket, what: str, count: int = 1, seconds: float = PATIENCE) -> None:
        await until(lambda: len(self.ledger.times(ticket.run_id, what)) >= count, seconds)

    async def handle(self, ticket: RunTicket) -> WorkflowHandle:
        client = await Client.connect(self.server.target, namespace=self.namespace)
        return client.get_workflow_handle(ticket.run_id)

    @asynccontextmanager
    async def worker(
        self, slots: int = 10, per_second: float | None = None, schedules: ScheduleDriver | None = None
    ) -> AsyncIterator[TemporalWorker]:
        """In this process and its loop."""
        worker = TemporalWorker(self.settings(slots, per_second), {}, self.folder)
        ready = asyncio.Event()
        running = asyncio.create_task(worker.run(ScriptedDriver(self.ledger), ready.set, schedules=schedules))
        try:
            await until(lambda: ready.is_set() or running.done())
            yield worker
        finally:
            worker.stop()
            await running

    async def process(self, slots: int = 10) -> Process:
        """A worker in a process of its own."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(WORKER), self.server.url(self.namespace), self.pool, str(slots), str(self.folder)),
            stdout=asyncio.subprocess.PIPE,
        )
        self._processes.append(process)
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        return process

    @property
    def alive(self) -> int:
        """How many of those processes there are."""
        return sum(process.returncode is None for process in self._processes)

    async def close(self) -> None:
        for process in self._processes:
            if process.returncode is None:
                process.send_signal(signal.SIGKILL)
            await process.communicate()
        await self.engine.close()
        self.ledger.close()
