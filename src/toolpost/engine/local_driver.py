"""Drive open runs in this process, and the engine of a server that has no other: this process, at once."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Generator

from toolpost.store.contract import SessionInfo, Store
from toolpost.store.run_records import Holder, RunRecord
from toolpost.types.errors import (
    RunStaysOpen,
    SessionBusy,
    SessionNotFound,
    SessionTakenOver,
    StoreError,
    ToolpostError,
)
from toolpost.types.messages import ErrorInfo

from .drive import DriveOutcome, RunTicket
from .recovery import SUSPECT_DEATHS, close_run
from .run_record import count_death
from .session import Session
from .stored_sessions import leased
from .unheld_runs import settle_run, stop_run

log = logging.getLogger("toolpost.engine")

# A holder whose beat does not move for so long, by the clock of whoever looks, is frozen.
FROZEN_SECONDS = 10.0
LOOK_SECONDS = 0.5
# What is driven here is let go of within this time when the process stops.
RELEASE_SECONDS = 1.0

# Opens the session of a run with all that it needs here. Raises `ToolpostError` where it can't go on here.
OpenSession = Callable[[SessionInfo, RunRecord], Awaitable[Session]]


class LocalDriver:
    """Drives runs with the sessions that `open_session` gives it."""

    def __init__(self, store: Store, open_session: OpenSession, *, frozen_seconds: float = FROZEN_SECONDS) -> None:
        self._store = store
        self._open = open_session
        self._frozen_seconds = frozen_seconds
        self._driven: dict[str, Session] = {}
        self._suspect = ""

    async def drive(self, session_id: str, run_id: str, *, instead_of: Holder | None = None) -> DriveOutcome:
        """Raises `SessionBusy` while a process that is not frozen holds the session, and for a run that has to wait
        because another one is suspected as well."""
        try:
            info, record = await self._store.info(session_id), await self._store.open_run(session_id)
        except SessionNotFound:
            return "elsewhere"
        if record is None or record.id != run_id:
            return "elsewhere"
        with self._apart(info, record):
            opened = await self._opened(info, record)
            if opened is None:
                return "ended"
            self._driven[session_id] = opened
            try:
                return await self._resume(opened, run_id, instead_of)
            finally:
                if self._driven.get(session_id) is opened:
                    del self._driven[session_id]

    async def cancel(self, session_id: str, run_id: str) -> None:
        try:
            record = await self._store.open_run(session_id)
        except SessionNotFound:
            return
        if record is not None and record.id == run_id:
            await stop_run(self._store, session_id)

    async def give_up(self, session_id: str, run_id: str, reason: str) -> None:
        async with leased(self._store, session_id):
            info = await self._store.info(session_id)
            if info.open_run == run_id:
                await close_run(self._store, info, error=ErrorInfo("given_up", reason))

    async def release_all(self) -> None:
        await asyncio.gather(*(session.release() for session in self._driven.values()))

    @contextlib.contextmanager
    def _apart(self, info: SessionInfo, record: RunRecord) -> Generator[None]:
        """One run at a time of those that may be what kills its process: its next death counts for none that is
        suspected without reason, because it was driven beside it."""
        if count_death(record, info.updated).deaths < SUSPECT_DEATHS:
            yield
            return
        if self._suspect:
            raise SessionBusy(
                f"processes that drove run {record.id} have died, so it waits until {self._suspect}, of which the same "
                "is true, has left this one"
            )
        self._suspect = record.id
        try:
            yield
        finally:
            self._suspect = ""

    async def _opened(self, info: SessionInfo, record: RunRecord) -> Session | None:
        """None if the run can't go on here, and was given up."""
        try:
            return await self._open(info, record)
        except StoreError:
            raise
        except ToolpostError as error:
            # A model that is gone, say, or a person who may not run this any more.
            await self.give_up(info.id, record.id, str(error))
            return None

    async def _resume(self, session: Session, run_id: str, instead_of: Holder | None) -> DriveOutcome:
        try:
            result = await session.resume(instead_of=instead_of)
        except SessionTakenOver:
            return "elsewhere"
        except SessionBusy:
            if instead_of is not None:
                raise
            return await self._resume(session, run_id, await self._frozen_holder(session.id))
        except RunStaysOpen as error:
            await self._leave(session.id, run_id, error)
            return "waiting"
        except ToolpostError:
            # How the run ended is its caller's to know, and stored; one that is still open could not be stored.
            record = await self._store.open_run(session.id)
            if record is not None and record.id == run_id:
                raise
            return "ended"
        if result.reason != "parked":
            return "ended"
        record = await self._store.open_run(session.id)
        return "waiting" if record is not None and record.state == "waiting" else "released"

    async def _leave(self, session_id: str, run_id: str, why: RunStaysOpen) -> None:
        """Nobody goes on with the run by himself: a person has to see to it first."""
        log.warning("run %s is not gone on with: %s", run_id, why)
        record = await self._store.open_run(session_id)
        if record is not None and record.id == run_id:
            await settle_run(self._store, record, "interrupted")

    async def _frozen_holder(self, session_id: str) -> Holder | None:
        """Who holds the session and is frozen; None if it is free by now. Raises `SessionBusy` if its holder works."""
        first, looks = await self._store.holder(session_id), 0
        # Counted in looks: while this process is frozen as well, none pass.
        while first is not None and first.is_alive and looks * LOOK_SECONDS < self._frozen_seconds:
            await asyncio.sleep(LOOK_SECONDS)
            looks += 1
            now = await self._store.holder(session_id)
            if now is None or not now.is_alive:
                return None
            if now != first:
                raise SessionBusy(f"session {session_id} is driven by another process")
        return first if first is not None and first.is_alive else None


class LocalEngine:
    """The engine where there is no other: runs are driven in this process, `slots` of them at once."""

    def __init__(self, driver: LocalDriver, store: Store, *, slots: int = 100) -> None:
        self._driver = driver
        self._store = store
        self._slots = asyncio.Semaphore(slots)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._driving: set[str] = set()
        self._woken: set[str] = set()
        self._is_closed = False

    def is_driving(self, run_id: str) -> bool:
        return run_id in self._tasks

    async def submit(self, ticket: RunTicket, *, delay: float = 0.0, instead_of: Holder | None = None) -> None:
        if ticket.run_id in self._tasks or self._is_closed:
            return
        task = asyncio.create_task(self._work(ticket, delay, instead_of), name=f"drive {ticket.run_id}")
        self._tasks[ticket.run_id] = task
        # One that is cancelled before its first step runs none of its own code.
        task.add_done_callback(lambda task: self._forget(ticket.run_id, task))

    async def wake(self, ticket: RunTicket) -> None:
        # One that is just being parked is driven once more.
        self._woken.add(ticket.run_id)
        await self.submit(ticket)

    async def cancel(self, ticket: RunTicket) -> None:
        task = self._tasks.get(ticket.run_id)
        if task is not None:
            task.cancel()
            await asyncio.wait({task})
        try:
            await stop_run(self._store, ticket.session_id)
        except SessionBusy:
            log.info("run %s is driven by another process", ticket.run_id)

    async def close(self) -> None:
        """Let go of what is driven here: another process goes on with it, or this one when it starts again."""
        self._is_closed = True
        tasks = list(self._tasks.values())
        for run_id, task in self._tasks.items():
            if run_id not in self._driving:
                task.cancel()
        # Cancelling a run that is driven would end it. One that is just being taken up can be let go of a moment later.
        deadline = time.monotonic() + RELEASE_SECONDS
        while any(not task.done() for task in tasks) and time.monotonic() < deadline:
            await self._driver.release_all()
            await asyncio.wait(tasks, timeout=0.02)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, ticket: RunTicket, delay: float, instead_of: Holder | None) -> None:
        try:
            await asyncio.sleep(delay)
            async with self._slots:
                self._driving.add(ticket.run_id)
                is_woken = True
                while is_woken and not self._is_closed:
                    self._woken.discard(ticket.run_id)
                    await self._drive(ticket, instead_of)
                    instead_of, is_woken = None, ticket.run_id in self._woken
        finally:
            self._forget(ticket.run_id, asyncio.current_task())

    def _forget(self, run_id: str, task: asyncio.Task[None] | None) -> None:
        if self._tasks.get(run_id) is task:
            del self._tasks[run_id]
            self._driving.discard(run_id)
            self._woken.discard(run_id)

    async def _drive(self, ticket: RunTicket, instead_of: Holder | None) -> None:
        try:
            await self._driver.drive(ticket.session_id, ticket.run_id, instead_of=instead_of)
        except SessionBusy as error:
            log.info("run %s is not driven here: %s", ticket.run_id, error)
        except Exception:  # nobody awaits this task; the sweeper finds the run again
            log.exception("run %s could not be driven", ticket.run_id)
