"""The task that drives a session's runs: start, resume, stop, park, release."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine, Mapping
from typing import Any

from msgspec import UNSET, UnsetType, structs

from toolpost.store.contract import Store
from toolpost.store.run_records import Holder, RunRecord
from toolpost.types.errors import SessionTakenOver, StoreError, ToolpostError
from toolpost.types.events import Settled
from toolpost.types.messages import ErrorInfo

from .asyncio_tasks import stopped, uninterrupted
from .loop import run_loop
from .recovery import MAX_DEATHS, close_run, given_up
from .resume import check_taking_up, take_up
from .run_options import RunOptions
from .run_record import asked_after, count_death, limits_of
from .session_setup import Setup, bounded_by
from .state import Core, Leaving, Run
from .stored_sessions import SessionLock
from .structured_output import OutputTarget
from .waiting_prompts import first_prompts

log = logging.getLogger("toolpost.engine")

# A run is looked at no more often than this, however soon it is to be parked.
LOOK_SECONDS = 0.02
# Of a process that dies, at most so much of the time that it worked in silence is not counted.
TOUCH_SECONDS = 15.0


class RunTask:
    """Of one session, one run at a time."""

    def __init__(self, store: Store, lock: SessionLock) -> None:
        self._store = store
        self._lock = lock
        self._task: asyncio.Task[None] | None = None
        self._parking: asyncio.TimerHandle | None = None
        self._touching: asyncio.TimerHandle | None = None

    async def start(
        self, core: Core, setup: Setup, prompt: str | None, asked: RunOptions, at: str | UnsetType | None = UNSET
    ) -> Run:
        """Drive a new run, after message `at` if one is given."""
        async with self._lock.held_for_run(core):
            prompts = await first_prompts(core, prompt, asked, at)
            target = None
            if asked.output is not None:
                target = OutputTarget.of(asked.output, core.setup.limits.output_retries)
            # Rules that an earlier run was begun with, and went on with here, ended with it.
            core.use(setup)
            run = Run(core, prompts=prompts, asked=asked, output=target)
            self._begin(core, run)
            return run

    async def resume(self, core: Core, instead_of: Holder | None, limits: Mapping[str, Any]) -> Run:
        """Drive the open run, within the limits that it was started with unless others are given."""
        session_id = core.journal.info.id
        async with self._lock.held_for_run(core, instead_of=instead_of, closes=False):
            info, record = core.journal.info, core.journal.record
            if info.open_run is None or record is None:
                raise ToolpostError(f"session {session_id} has no open run: give it a prompt")
            check_taking_up(core.setup, info, record)
            record = count_death(record, info.updated)
            if record.deaths >= MAX_DEATHS:
                error = given_up(record.deaths)
                core.journal.reload(await close_run(self._store, info, error=error), None)
                raise ToolpostError(error.message)
            # On disk before anything is done for it: whatever of it kills this process, that counts.
            core.journal.change_run(structs.replace(record, state="running", since=time.time()))
            await core.journal.flush(barrier=True)
            core.change_branch(await self._store.branch(session_id, info.head))
            core.use(bounded_by(core.setup, record.rules))
            run = await take_up(core, record, limits_of(record, core.setup.limits, limits))
            run.taken_from = instead_of
            self._begin(core, run)
            return run

    async def wait(self) -> None:
        """Return when nothing is driven here any more. Cancelling this stops the run."""
        task = self._task
        assert task is not None
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await uninterrupted(stopped(task))
            raise

    def stop(self) -> Coroutine[Any, Any, None]:
        """Stop the run that is driven at the time of this call, and wait for its end."""
        return stopped(self._task)

    async def leave(self, core: Core, why: Leaving) -> None:
        """Stop what is driven here and leave it open, for a person's answer or for another process."""
        if core.run is not None and core.run.reason is None:
            core.run.leave(why)
            await stopped(self._task)

    def _begin(self, core: Core, run: Run) -> None:
        """Drive `run` in a task of its own. Call it while the lease is held for a run."""
        core.run = run
        self._lock.when_lost(lambda: self._lose(core))
        self._task = asyncio.create_task(self._drive(core, run), name=f"run {run.id}")
        self._task.add_done_callback(lambda task: self._ended(core, task))
        if core.setup.parent is not None:
            core.setup.parent.children.append(run)
        self._look_at_asks(core, ())
        self._touch_later(core)

    def _touch_later(self, core: Core) -> None:
        """Note now and then until when a run was worked on whose time is limited: a call may be silent for long."""
        if core.run is not None and core.run.limits.max_seconds is not None:
            self._touching = asyncio.get_running_loop().call_later(TOUCH_SECONDS, self._touch, core)

    def _touch(self, core: Core) -> None:
        # Between a run and the one that waited for its end there is nothing to note.
        if core.run is not None and core.run.reason is None:
            core.journal.touch()
        self._touch_later(core)

    async def _drive(self, core: Core, run: Run) -> None:
        """The run, then what waits in the queue, then `settled`, whatever happens."""
        try:
            await run_loop(run)
            # What waits in the queue stays there while it can't be stored that it was taken out.
            while run.reason not in (None, "aborted") and run.is_stored and (record := core.journal.record) is not None:
                run = core.run = following_run(run, record)
                await run_loop(run)
        except asyncio.CancelledError:
            if run.reason is None and not run.leaving:
                raise
        finally:
            # An abort that comes now finds the run ended: its result stands.
            with contextlib.suppress(asyncio.CancelledError):
                await uninterrupted(self._settle(core, run))

    async def _settle(self, core: Core, run: Run) -> None:
        for timer in (self._parking, self._touching):
            if timer is not None:
                timer.cancel()
        if run.reason is None:
            await self._let_go(core, run)
            return
        settled = run.settled
        if settled is None:
            settled = Settled(*core.journal.stamp())
            core.journal.record_event(settled)
        try:
            await core.journal.settle()
        except StoreError as error:
            log.warning("the end of session %s could not be stored yet: %s", core.journal.info.id, error)
        finally:
            # Before `settled` goes out: a listener may start the next run at once.
            self._release(core)
            core.journal.deliver(settled)

    async def _let_go(self, core: Core, run: Run) -> None:
        """The run is still open, but not here."""
        if run.leaving == "lost":
            run.reason = "error"
            run.error = ErrorInfo("taken_over", str(SessionTakenOver(core.journal.info.id)))
            self._release(core)
            core.journal.abandon()
            return
        run.reason = "parked"
        try:
            await core.journal.settle()
        except StoreError as error:
            log.warning("what session %s did last could not be stored: %s", core.journal.info.id, error)
        finally:
            self._release(core)

    def _release(self, core: Core) -> None:
        parent = core.setup.parent
        if parent is not None:
            parent.children[:] = [child for child in parent.children if child.core is not core]
        core.run = None
        self._lock.release()

    def _lose(self, core: Core) -> None:
        """Another process has taken the session over: stop, and write nothing."""
        if core.run is not None and self._task is not None:
            core.run.leave("lost")
            self._task.cancel()

    def _look_at_asks(self, core: Core, before: tuple[str, ...]) -> None:
        """Park the run once it has waited for the same answers all the time between two looks."""
        seconds, run, task = core.setup.park_seconds, core.run, self._task
        if seconds is None or run is None or task is None or core.setup.parent is not None:
            return
        pending = (*core.asks.pending, *core.questions.pending)
        is_answered = core.asks.has_answers or core.questions.has_answers
        if pending and pending == before and run.is_waiting and not is_answered:
            run.leave("waiting")
            task.cancel()
            return
        loop = asyncio.get_running_loop()
        self._parking = loop.call_later(max(seconds, LOOK_SECONDS), self._look_at_asks, core, pending)

    def _ended(self, core: Core, task: asyncio.Task[None]) -> None:
        """A task that was cancelled before its first step has run none of its own code."""
        if task is self._task and core.run is not None:
            self._release(core)


def following_run(run: Run, record: RunRecord) -> Run:
    """The run of the prompt that waited behind this one. Its options are those that this one has, of which the record
    may not have kept all."""
    limits = limits_of(record, run.core.setup.limits, {})
    return Run(run.core, run_id=record.id, prompts=record.prompts, asked=asked_after(run), limits=limits)
