"""Workers of one store, each a process: start them, hear what they say, tell them what to do."""

import asyncio
import contextlib
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
from worker_child import WorkerOrder

from toolpost import Agent
from toolpost.engine.drive import RunTicket
from toolpost.store.contract import Store
from toolpost.testing import ScriptedModel
from toolpost.types.events import Event
from toolpost.types.messages import Completed, Failed, Message

CHILD = Path(__file__).with_name("worker_child.py")
SECONDS = 30

Said = dict[str, Any]


class WorkerEnded(AssertionError):
    """It can't say what it was to say."""


class Worker:
    """One worker, and all that it has said."""

    def __init__(self, process: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A descriptor of it, not its number: that may be another one's once it has ended.
        self._process = process
        self.said: list[Said] = []
        self._reader = reader
        self._writer = writer

    async def hears(self, what: str, matches: Callable[[Said], bool] = lambda said: True) -> Said:
        """Wait until it says this. What it has said before counts, too."""
        for said in self.said:
            if said["what"] == what and matches(said):
                return said
        try:
            async with asyncio.timeout(SECONDS):
                while line := await self._reader.readline():
                    said = msgspec.json.decode(line)
                    self.said.append(said)
                    if said["what"] == what and matches(said):
                        return said
        except TimeoutError:
            raise AssertionError(f"the worker does not say {what!r}: {self.said[-5:]}") from None
        raise WorkerEnded(f"the worker ended before it said {what!r}: {self.said[-5:]}")

    async def event(self, kind: str, session_id: str = "") -> Said:
        return await self.hears("event", lambda said: said["type"] == kind and session_id in ("", said["session"]))

    async def ended(self) -> None:
        """Wait until the process is gone, and hear all that it said until then."""
        with contextlib.suppress(WorkerEnded, ConnectionResetError):
            await self.hears("nothing more")

    def tell(self, what: str) -> None:
        self._writer.write(f"{what}\n".encode())

    async def sweep(self) -> None:
        """Let it look for runs now, and wait until it has."""
        self.said = [said for said in self.said if said["what"] != "swept"]
        self.tell("sweep")
        await self.hears("swept")

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        signal.pidfd_send_signal(self._process, how)

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.kill()
        os.close(self._process)
        self._writer.close()


class Workers:
    """The workers of one store, and the process that forks them."""

    def __init__(self, store: str, folder: Path) -> None:
        self.store = store
        self.effects = folder / "effects"
        self._socket = folder / "s"
        self._arrived: asyncio.Queue[Worker] = asyncio.Queue()
        self._all: list[Worker] = []

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["Workers"]:
        server = await asyncio.start_unix_server(self._connected, self._socket)
        pipe = asyncio.subprocess.PIPE
        self._nursery = await asyncio.create_subprocess_exec(sys.executable, CHILD, stdin=pipe)
        try:
            yield self
        finally:
            self._nursery.stdin.close()
            for worker in self._all:
                worker.close()
            server.close()
            await self._nursery.wait()

    async def start(self, name: str = "a", **options: Any) -> Worker:
        order = WorkerOrder(name, self.store, str(self._socket), str(self.effects), **options)
        self._nursery.stdin.write(msgspec.json.encode(order) + b"\n")
        async with asyncio.timeout(SECONDS):
            worker = await self._arrived.get()
        await worker.hears("ready")
        return worker

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        started = msgspec.json.decode(await reader.readline())
        # It can't be another one yet: what forks them waits for none before the test is over.
        worker = Worker(os.pidfd_open(started["pid"]), reader, writer)
        self._all.append(worker)
        self._arrived.put_nowait(worker)


async def submitted(store: Store, prompt: str) -> RunTicket:
    """A run that waits to be driven by whichever worker finds it."""
    return await Agent(ScriptedModel(), store=store).session().submit(prompt)


async def over(store: Store, ticket: RunTicket) -> "Left":
    """Wait until the run has ended, whichever worker drives it, and give what is left of it."""
    async with asyncio.timeout(SECONDS):
        while await store.open_run(ticket.session_id) is not None:  # noqa: ASYNC110 - nobody tells who drives nothing
            await asyncio.sleep(0.01)
    return await Left.of(store, ticket.session_id)


class Left:
    """What is left of a session in the store."""

    def __init__(self, events: list[Event], branch: list[Message]) -> None:
        self.events = events
        self.branch = branch

    @classmethod
    async def of(cls, store: Store, session_id: str) -> "Left":
        info = await store.info(session_id)
        events = [event async for event in store.events(session_id)]
        assert await store.open_run(session_id) is None
        return cls(events, await store.branch(session_id, info.head))

    @property
    def kinds(self) -> Counter[str]:
        return Counter(event.type for event in self.events)

    @property
    def states(self) -> list[str]:
        return [
            part.state.kind if isinstance(part.state, Failed) else part.state.status
            for message in self.branch
            for part in message.calls
        ]

    def check(self, effects: Path) -> None:
        """One run, told without a gap, and no call of it begun twice."""
        assert [event.seq for event in self.events] == list(range(1, len(self.events) + 1))
        assert {self.kinds[kind] for kind in ("run_start", "run_end", "settled")} == {1}
        assert len({event.run_id for event in self.events if hasattr(event, "run_id")}) == 1
        begun = Counter(event.call_id for event in self.events if event.type == "tool_execution_start")
        ended = Counter(event.call_id for event in self.events if event.type == "tool_execution_end")
        assert set(begun.values()) | set(ended.values()) <= {1}
        ran = Counter(effects.read_text().split())
        for part in (part for message in self.branch for part in message.calls):
            assert isinstance(part.state, Completed | Failed)
            assert ran[part.call_id] <= 1
