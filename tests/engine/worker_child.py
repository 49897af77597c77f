"""The process that forks workers: processes that drive the open runs of a store, as those of a server do.

A line of JSON of its input is one worker to start. A worker is connected to the test by a socket, over which it says
what happens in it and is told what to do.
"""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

# Before the fork: what is imported late is else imported by each worker.
import toolpost.models.prices
import toolpost.store.postgres
import toolpost.store.sqlite.store  # noqa: F401
from toolpost import Agent, ToolContext, tool
from toolpost.engine.drive import DriveOutcome, RunTicket
from toolpost.engine.local_driver import LocalDriver, LocalEngine
from toolpost.engine.session import Session
from toolpost.engine.sweeper import Sweeper
from toolpost.models.contract import ModelRequest
from toolpost.store import open_store, worker
from toolpost.store.contract import SessionInfo, Store
from toolpost.store.run_records import Holder, RunRecord
from toolpost.testing import Gate, ScriptedModel, Turn, call, calls, pause, text
from toolpost.tools.define import Tool
from toolpost.types.events import Event, MessageUpdate
from toolpost.types.messages import Message


class WorkerOrder(Struct, frozen=True):
    """A worker to start. It shows that it lives, and looks for runs, much more often than one of a server does. What is
    `deadly` kills it when it does that for a run."""

    name: str
    store: str
    socket: str
    effects: str
    policy: str = "auto"
    beat_seconds: float = 0.2
    sweep_seconds: float = 0.1
    first_sweep_after: float = 0.0
    frozen_seconds: float = 1.0
    deadly: str = ""


def main() -> None:
    # Nobody waits for workers that end, so that the number of each is no other process's until the test is over.
    # What a worker would only look at is not copied for it.
    gc.freeze()
    for line in sys.stdin:
        if not os.fork():
            with contextlib.suppress(BrokenPipeError, ConnectionError):
                asyncio.run(work(msgspec.json.decode(line, type=WorkerOrder)))
            os._exit(0)


async def work(order: WorkerOrder) -> None:
    worker.BEAT_SECONDS = order.beat_seconds
    reader, writer = await asyncio.open_unix_connection(order.socket)

    def say(what: str, **more: Any) -> None:
        writer.write(msgspec.json.encode({"what": what, **more}) + b"\n")

    logging.getLogger("toolpost").addHandler(_Told(say))
    say("started", name=order.name, pid=os.getpid())
    store = open_store(order.store)
    stage = Workshop(order, store, say)
    driver = LocalDriver(store, stage.opened, frozen_seconds=order.frozen_seconds)
    engine = LocalEngine(_Telling(driver, say), store)

    async def submit(ticket: RunTicket, *, instead_of: Holder | None = None) -> None:
        say("submitted", session=ticket.session_id)
        await engine.submit(ticket, instead_of=instead_of)

    sweeper = Sweeper(
        store,
        order.policy,
        submit,
        lambda found: True,
        seconds=order.sweep_seconds,
        frozen_seconds=order.frozen_seconds,
    )
    # What is not there is not held.
    await sweeper.sweep()
    sweeping = asyncio.create_task(sweeper.run(first_after=order.first_sweep_after))
    say("ready")
    async for line in reader:
        match line.decode().strip():
            case "go":
                stage.go.set()
            case "release":
                sweeping.cancel()
                await driver.release_all()
                say("released")
            case "sweep":
                await sweeper.sweep()
                say("swept")
            case "memory":
                gc.collect()
                say("memory", kib=resident_kib())
    os._exit(0)


class Workshop:
    """What a worker drives runs with. Its model says what a prompt is about; its tools wait until they are told to go
    on."""

    def __init__(self, order: WorkerOrder, store: Store, say: Any) -> None:
        self.go = asyncio.Event()
        self._order = order
        self._store = store
        self._say = say

    async def opened(self, info: SessionInfo, record: RunRecord) -> Session:
        agent = Agent(
            ConversationModel(self.go, self._say),
            self._tools(),
            store=self._store,
            permissions={"asked": "ask"},
            interactive=True,
            park_seconds=0.0,
        )
        if self._order.deadly == "prepares":
            agent._setup = replace(agent._setup, prepare=_die)
        session = agent.session(info.id)
        if self._order.deadly == "opens":
            session = Session(agent._setup, _DeadlyStore(self._store), info.id)
        session.subscribe(self._tell)
        return session

    def _tell(self, event: Event) -> None:
        # Of answers, only that they have begun.
        if not isinstance(event, MessageUpdate):
            self._say("event", session=event.session_id, seq=event.seq, type=event.type)

    def _note(self, ctx: ToolContext) -> None:
        file = os.open(self._order.effects, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, f"{ctx.call_id}\n".encode())
        os.close(file)

    def _tools(self) -> list[Tool]:
        @tool
        async def work(n: int, ctx: ToolContext) -> str:
            """Work."""
            self._note(ctx)
            return f"did {n}"

        @tool
        async def asked(n: int, ctx: ToolContext) -> str:
            """Work that a person has to allow."""
            self._note(ctx)
            return f"did {n}"

        @tool
        async def hold(n: int, ctx: ToolContext) -> str:
            """Wait until the worker is told to go on."""
            self._note(ctx)
            self._say("holding", call=ctx.call_id)
            await self.go.wait()
            return "held"

        @tool
        async def die(n: int, ctx: ToolContext) -> str:
            """Take the whole process along."""
            self._note(ctx)
            signal.raise_signal(signal.SIGKILL)
            return ""

        @tool
        async def fall(n: int, ctx: ToolContext) -> str:
            """Take the whole process along once the worker is told to go on."""
            self._note(ctx)
            self._say("falling", call=ctx.call_id)
            await self.go.wait()
            signal.raise_signal(signal.SIGKILL)
            return ""

        return [work, asked, hold, die, fall]


async def _die() -> None:
    signal.raise_signal(signal.SIGKILL)


class _DeadlyStore:
    """A store with a history that is too much for who reads it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def branch(self, session_id: str, head: str | None) -> list[Message]:
        if (await self._store.open_run(session_id)).state == "running":
            await _die()
        return await self._store.branch(session_id, head)


class ConversationModel(ScriptedModel):
    """Answers by the conversation alone, so that a turn that is taken again says the same. The words of a prompt are
    what is done for it, one a step."""

    def __init__(self, go: asyncio.Event, say: Any) -> None:
        super().__init__(name="conversation")
        self._go = go
        self._say = say

    async def _next(self, request: ModelRequest) -> Turn:
        prompt = next(message for message in reversed(request.messages) if message.role == "user")
        steps = sum(message.role == "assistant" for message in request.messages[request.messages.index(prompt) :])
        words = prompt.text.split()
        if steps >= len(words):
            return text(f"done: {prompt.text}")
        word, key = words[steps], f"{request.messages[0].id[-6:]}_{steps}"
        if word == "talk":
            gate = Gate()
            gate.opened = self._go
            self._say("talking")
            return text("I say ", chunk=2) + pause(gate) + text("something. ") + call("work", {"n": steps}, id=key)
        if word in ("hold", "die", "fall"):
            return call(word, {"n": steps}, id=key)
        return calls(*(call(word, {"n": n}, id=f"{key}_{n}") for n in (1, 2)))


class _Telling:
    """A driver that says how it has driven."""

    def __init__(self, driver: LocalDriver, say: Any) -> None:
        self._driver = driver
        self._say = say

    async def drive(self, session_id: str, run_id: str, *, instead_of: Holder | None = None) -> DriveOutcome:
        outcome = await self._driver.drive(session_id, run_id, instead_of=instead_of)
        self._say("drove", session=session_id, outcome=outcome)
        return outcome

    async def give_up(self, session_id: str, run_id: str, reason: str) -> None:
        await self._driver.give_up(session_id, run_id, reason)

    async def release_all(self) -> None:
        await self._driver.release_all()


class _Told(logging.Handler):
    def __init__(self, say: Any) -> None:
        super().__init__()
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say("log", level=record.levelname, text=record.getMessage())


def resident_kib() -> int:
    with Path("/proc/self/status").open() as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


if __name__ == "__main__":
    main()
