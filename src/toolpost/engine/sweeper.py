"""Find open runs whose process has died or is frozen, and resume or settle them."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from toolpost.store.contract import Store
from toolpost.store.run_records import Holder, OpenRun, RunRecord, RunState, without_files
from toolpost.types.errors import SessionBusy, SessionNotFound, StoreError, ToolpostError

from .drive import RunTicket
from .local_driver import FROZEN_SECONDS
from .recovery import INTERRUPTED, MAX_DEATHS, close_run, given_up
from .stored_sessions import can_go_on, leased
from .unheld_runs import open_requests, settle_run

log = logging.getLogger("toolpost.engine")

SWEEP_SECONDS = 2.0
# A run of which another server says that it goes on with it by itself is left to that for so long.
FOREIGN_SECONDS = 30.0
# How often sub-agents that wait for a person are looked at, too: the run that sent them may be gone.
ORPHAN_SECONDS = 60.0
# An engine is given so many runs again in one look: with a long queue, dead runs must not wait behind that.
MAX_GIVEN = 20
# auto: a run goes on by itself. ask: a person says so. never: it is closed.
ResumePolicy = Literal["auto", "ask", "never"]


class Submit(Protocol):
    async def __call__(self, ticket: RunTicket, *, instead_of: Holder | None = None) -> None: ...


class Seen(Struct, frozen=True):
    """The beat of a holder, and for how many seconds it has not moved, by the clock of this process."""

    worker: int
    beat: int
    seconds: float = 0.0


class Sweeper:
    """Looks every so many `seconds`. What `can_drive` accepts is submitted; anything else is only settled, so that who
    looks at it is told the truth. With an engine that looks after its runs itself, its own are left to it for
    `patience` seconds. A holder is frozen once its beat has not moved for `frozen_seconds`."""

    def __init__(
        self,
        store: Store,
        policy: ResumePolicy,
        submit: Submit | None = None,
        can_drive: Callable[[OpenRun], bool] = lambda found: False,
        *,
        patience: float = 0.0,
        seconds: float = SWEEP_SECONDS,
        frozen_seconds: float = FROZEN_SECONDS,
    ) -> None:
        self._store = store
        self._policy: ResumePolicy = policy
        self._submit = submit
        self._can_drive = can_drive
        self._patience = patience
        self._seconds = seconds
        self._frozen_seconds = frozen_seconds
        self._orphans_at = time.monotonic() + ORPHAN_SECONDS
        self._swept_at = time.monotonic()
        self._beats: dict[str, Seen] = {}
        self._left: dict[str, float] = {}
        self._is_first = True
        self._given = 0
        self._called = asyncio.Event()

    async def run(self, *, first_after: float = 0.0) -> None:
        """Look for ever. A store that is out of reach is looked at again."""
        await asyncio.sleep(first_after)
        while True:
            self._called.clear()
            try:
                await self.sweep()
            except StoreError as error:
                log.warning("open runs can't be looked at now: %s", error)
            except Exception:  # nobody awaits this task, and without it nobody would go on with anything
                log.exception("open runs could not be looked at")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await self._called.wait()

    def look_now(self) -> None:
        """There may be something to take up: do not wait for the next time."""
        self._called.set()

    async def sweep(self) -> None:
        beats, left = self._beats, self._left
        self._beats, self._left = {}, {}
        self._given = 0
        now = time.monotonic()
        # Where this process was frozen as well, with its machine, say, the others had no time to show themselves.
        passed, self._swept_at = min(now - self._swept_at, 2 * self._seconds), now
        async for found in self._store.open_runs(states=self._states()):
            if found.record.state == "waiting" and found.parent is None:
                continue
            session_id, run_id = found.record.session_id, found.record.id
            frozen = None
            if found.holder is not None and found.holder.is_alive:
                frozen = self._frozen(session_id, found.holder, beats.get(session_id), passed)
                if frozen is None:
                    continue
            self._left[run_id] = left.get(run_id, time.monotonic())
            try:
                await self._take(found, frozen)
            except (SessionBusy, SessionNotFound):
                # Another process was quicker, or it was deleted.
                continue
            except ToolpostError as error:
                log.warning("run %s could not be taken up: %s", run_id, error)
            except Exception:  # the others are looked at all the same
                log.exception("run %s could not be taken up", run_id)
        self._is_first = False

    def _states(self) -> list[RunState]:
        states: list[RunState] = ["queued", "running"]
        if self._is_first and self._policy == "auto":
            # Those that somebody else has settled while no process of this server was there go on now.
            states.append("interrupted")
        if time.monotonic() >= self._orphans_at:
            self._orphans_at = time.monotonic() + ORPHAN_SECONDS
            states.append("waiting")
        return states

    def _frozen(self, session_id: str, holder: Holder, before: Seen | None, passed: float) -> Holder | None:
        """The holder, once its beat has not moved for long enough."""
        is_same = before is not None and (before.worker, before.beat) == (holder.worker, holder.beat)
        seen = Seen(holder.worker, holder.beat, before.seconds + passed if before is not None and is_same else 0.0)
        self._beats[session_id] = seen
        return holder if seen.seconds >= self._frozen_seconds else None

    async def _take(self, found: OpenRun, frozen: Holder | None) -> None:
        record, is_ours = found.record, self._submit is not None and self._can_drive(found)
        # One that had not begun has done nothing that could matter to a person.
        is_cut_off = record.state == "running" and record.is_started
        if frozen is not None and not is_ours:
            # It may have been stopped by the person in front of it, and nobody here would go on with its run.
            return
        if found.parent is not None:
            await self._close_orphan(found, found.parent, frozen)
        elif not can_go_on(record) or (is_cut_off and self._policy == "never" and is_ours):
            await self._close(record, frozen)
        elif record.state == "running" and record.deaths + 1 >= MAX_DEATHS:
            await self._close(record, frozen, deaths=record.deaths + 1)
        elif self._submit is not None and is_ours and (self._policy == "auto" or not is_cut_off):
            if self._is_left(record.id, self._patience) and self._given < MAX_GIVEN:
                self._given += bool(self._patience)
                self._left[record.id] = time.monotonic()
                ticket = RunTicket(record.session_id, record.id, found.owner, record.agent, found.folder)
                await self._submit(ticket, instead_of=frozen)
        elif is_cut_off and (is_ours or not record.home or self._is_left(record.id, FOREIGN_SECONDS)):
            info = await self._store.info(record.session_id)
            asks, questions = await open_requests(self._store, info)
            await settle_run(self._store, record, "waiting" if asks or questions else "interrupted", frozen)

    def _is_left(self, run_id: str, seconds: float) -> bool:
        """Whether it has been seen without a process for so long."""
        return time.monotonic() - self._left[run_id] >= seconds

    async def _close(self, record: RunRecord, frozen: Holder | None, *, deaths: int = 0) -> None:
        async with leased(self._store, record.session_id, instead_of=frozen):
            # Another process may have gone on with it since it was looked at.
            now = await self._store.open_run(record.session_id)
            if now is not None and without_files(now) == record:
                info = await self._store.info(record.session_id)
                await close_run(self._store, info, error=given_up(deaths) if deaths else INTERRUPTED)

    async def _close_orphan(self, found: OpenRun, parent: str, frozen: Holder | None) -> None:
        """A sub-agent goes on with the run that sent it; where that is gone, nobody waits for it."""
        try:
            if await self._store.open_run(parent) is not None:
                return
        except SessionNotFound:
            pass
        await self._close(found.record, frozen)
