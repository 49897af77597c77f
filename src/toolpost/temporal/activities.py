"""What Temporal asks of a worker: drive a run, cancel it, give it up; begin the run of a schedule.

Temporal's side of a worker has a thread and an event loop of its own, because heartbeats go through the loop: a tool
that blocks the loop of the sessions must not look like a dead worker. So each call of the driver is handed over.
"""

import asyncio
import concurrent.futures
import contextlib
import logging
import time
from collections.abc import Coroutine
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.service import RPCError

from toolpost.engine.drive import Driver
from toolpost.schedules.engine import ScheduleDriver
from toolpost.types.errors import SessionNotFound, StoreError, ToolpostError

log = logging.getLogger("toolpost.temporal")

# The answer to a heartbeat brings a cancellation, so this is how long one takes; seconds.
BEAT_SECONDS = 0.7
# A run that takes longer is shown as running: a signal for each of the short ones would cost more than it tells.
SHOWN_AFTER = 1.0
# How long a worker waits for a session that another process holds, or for a store that is away: longer than it takes to
# notice that a process, or its machine, has died. Such a wait is not a death of this worker.
BUSY_SECONDS = 20.0
BUSY_PAUSE = 0.5


class Activities:
    """`loop` is that of the sessions, where the driver lives, and what fires schedules; everything else here runs in
    Temporal's loop."""

    def __init__(
        self, driver: Driver, loop: asyncio.AbstractEventLoop, schedules: ScheduleDriver | None = None
    ) -> None:
        self._driver = driver
        self._schedules = schedules
        self._loop = loop
        self._drives: dict[str, _Drive] = {}
        # Belongs to the loop of the sessions.
        self._stopping = asyncio.Event()

    async def release_all(self) -> None:
        """In the loop of the sessions: every drive ends, and none begins."""
        self._stopping.set()
        await self._driver.release_all()
        for driven in tuple(self._drives.values()):
            await driven.over()

    @activity.defn(name="toolpost.drive")
    async def drive(self, run: dict[str, str], is_shown: bool) -> str:
        run_id = run["run_id"]
        driven = self._drives.get(run_id)
        if driven is None:
            driven = self._drives[run_id] = _Drive(self._loop, self._patiently(run["session_id"], run_id))
        # Else Temporal was away, and took this worker for dead while it went on: it is the same drive.
        beside = [asyncio.create_task(_beat())]
        if is_shown:
            beside.append(asyncio.create_task(_show(run_id)))
        try:
            return await _outcome(driven, run_id)
        finally:
            for task in beside:
                task.cancel()
            if self._drives.get(run_id) is driven:
                del self._drives[run_id]

    @activity.defn(name="toolpost.cancel")
    async def cancel(self, run: dict[str, str]) -> None:
        if (driven := self._drives.get(run["run_id"])) is not None:
            driven.cancel()
        await self._end(self._driver.cancel(run["session_id"], run["run_id"]))

    @activity.defn(name="toolpost.give_up")
    async def give_up(self, run: dict[str, str]) -> None:
        what = f"failed each time ({kind})" if (kind := run["error"]) else "ended the process each time"
        reason = f"the run was driven five times and {what}: the log of the worker says more"
        await self._end(self._driver.give_up(run["session_id"], run["run_id"], reason))

    @activity.defn(name="toolpost.fire")
    async def fire(self, schedule: dict[str, str]) -> None:
        assert self._schedules is not None
        try:
            await _Drive(self._loop, self._schedules.fire(schedule["schedule_id"])).outcome()
        except ToolpostError as error:
            # The store is away, or it is for another worker: it is tried again.
            raise _failure(error) from None
        except Exception as error:
            log.exception("schedule %s could not fire", schedule["schedule_id"])
            raise _failure(error, is_final=True) from None

    async def _patiently(self, session_id: str, run_id: str) -> str:
        """In the loop of the sessions: drive, and wait where that is not possible yet."""
        until = time.monotonic() + BUSY_SECONDS
        while not self._stopping.is_set():
            try:
                return await self._driver.drive(session_id, run_id)
            except SessionNotFound:
                return "elsewhere"
            except StoreError as error:
                if time.monotonic() > until:
                    log.warning("a run can't be driven now: %s", error)
                    return "busy"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), BUSY_PAUSE)
        return "released"

    async def _end(self, ending: Coroutine[Any, Any, None]) -> None:
        try:
            await _Drive(self._loop, ending).outcome()
        except SessionNotFound:
            return
        except StoreError as error:
            # It is tried again until the store is there, and the session free.
            raise _failure(error) from None
        except Exception as error:
            log.exception("the end of a run could not be stored")
            raise _failure(error, is_final=True) from None


class _Drive:
    """A coroutine that runs in another loop. Who waits for it may be cancelled without ending it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any]) -> None:
        self._loop = loop
        self._task: asyncio.Task[Any] | None = None
        self._is_unwanted = False
        self._done: concurrent.futures.Future[Any] = asyncio.run_coroutine_threadsafe(self._run(work), loop)

    @property
    def is_cancelled(self) -> bool:
        return self._done.cancelled()

    async def outcome(self) -> Any:
        return await asyncio.shield(asyncio.wrap_future(self._done))

    async def over(self) -> None:
        """Wait for its end, however it ends."""
        await asyncio.wait({asyncio.wrap_future(self._done)})

    def cancel(self) -> None:
        self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        self._is_unwanted = True
        if self._task is not None:
            self._task.cancel()

    async def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        self._task = asyncio.create_task(work)
        if self._is_unwanted:
            # Asked for while a tool blocked the loop.
            self._task.cancel()
        return await self._task


async def _outcome(driven: _Drive, run_id: str) -> str:
    while True:
        try:
            return await driven.outcome()
        except asyncio.CancelledError:
            if driven.is_cancelled:
                raise
            # Else Temporal has only lost sight of this worker, or the worker stops: no run ends by that.
            details = activity.cancellation_details()
            if details is not None and details.cancel_requested:
                driven.cancel()
        except Exception as error:
            log.exception("run %s could not be driven", run_id)
            raise _failure(error) from None


def _failure(error: Exception, *, is_final: bool = False) -> ApplicationError:
    """What Temporal is told: no more than the type, as what a run says does not belong there. Its client logs nothing
    of it, as we have done so."""
    kind, quiet = type(error).__name__, ApplicationErrorCategory.BENIGN
    return ApplicationError("the log of the worker says more", type=kind, non_retryable=is_final, category=quiet)


async def _beat() -> None:
    while True:
        activity.heartbeat()
        await asyncio.sleep(BEAT_SECONDS)


async def _show(run_id: str) -> None:
    """Let the workflow show that the run is driven."""
    await asyncio.sleep(SHOWN_AFTER)
    # It is only for those who look on.
    with contextlib.suppress(RPCError):
        await activity.client().get_workflow_handle(run_id).signal("driven")
