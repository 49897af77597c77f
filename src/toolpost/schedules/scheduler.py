"""Fire the schedules of a folder: each process that serves it looks for those that are due, and one begins each run.

A firing is first taken in the store, by one process, and then begun. A process that dies in between leaves it there,
and another one takes it later; whether the run was begun after all is looked up then.
"""

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable

from toolpost.store.contract import Store
from toolpost.types.errors import ConfigError, StoreError, ToolpostError
from toolpost.types.ids import new_id

from .engine import ScheduleEngine, ScheduleTicket
from .outcomes import find_begun, is_busy, with_outcomes
from .records import ANNOUNCE_SECONDS, Schedules
from .schedule import Firing, Schedule

# Changes that another process has made are seen so soon.
LOOK_SECONDS = 5.0
# A firing that a process has taken, and not begun for so long, is taken by another one.
STALE_SECONDS = 60.0
# So long after its time a firing is begun here although an engine should have called for it.
ENGINE_LATE_SECONDS = 60.0
# So much earlier than our own an engine's clock may be.
CLOCK_SECONDS = 5.0
STILL_RUNS = "a run before it was still going on"
# So many firings are begun at the same time.
AT_ONCE = 8

log = logging.getLogger("toolpost.schedules")
# Begins the run of a schedule's pending firing. Raises `NotNow`, `MayNotFire`, or what went wrong.
Begin = Callable[[Schedule], Awaitable[Firing]]


class NotNow(ToolpostError):
    """The run can't begin yet; a moment later it may."""


class MayNotFire(ToolpostError):
    """The run can't begin, and will not be able to until a person changes something."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Scheduler:
    """`may_begin` is asked before anything is begun: a server that stops begins nothing more."""

    def __init__(
        self,
        schedules: Schedules,
        store: Callable[[], Store],
        folder: str,
        begin: Begin,
        *,
        may_begin: Callable[[], bool] = lambda: True,
        engine: ScheduleEngine | None = None,
    ) -> None:
        self._schedules = schedules
        self._store = store
        self._folder = folder
        self._begin = begin
        self._may_begin = may_begin
        self._engine = engine
        self._told: dict[str, ScheduleTicket] = {}
        self._engine_is_away = False
        self._process = new_id("srv")
        self._announced = -math.inf
        self._has_failed = False
        self._woken = asyncio.Event()
        self._places = asyncio.Semaphore(AT_ONCE)

    async def run(self) -> None:
        """Go on until cancelled."""
        try:
            while True:
                self._woken.clear()
                idle = LOOK_SECONDS
                try:
                    await self._announce()
                    idle = await self.look()
                    self._has_failed = False
                except StoreError as error:
                    # Told once: it may be away for hours.
                    if not self._has_failed:
                        log.warning("schedules can't be looked at now: %s", error)
                    self._has_failed = True
                except Exception:  # nobody awaits this task, and without it nothing would fire any more
                    log.exception("schedules could not be looked at")
                # Not `wait_for`: where it is woken and cancelled at once, it forgets that it was cancelled.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(idle):
                        await self._woken.wait()
        finally:
            with contextlib.suppress(StoreError):
                await self._schedules.withdraw(self._process)

    def wake(self) -> None:
        """Look again at once: a schedule has changed."""
        self._woken.set()

    async def look(self) -> float:
        """Begin what is due. Return for how many seconds nothing else is."""
        now = self._schedules.now()
        if self._engine is not None and await self._schedules.is_first(self._process, self._folder):
            await self._tell(self._engine)
        found = await self._schedules.due(self._folder, now + LOOK_SECONDS)
        late = ENGINE_LATE_SECONDS if self._engine is not None else 0.0
        due = [one for one in found if one.pending is not None or one.look_at + late <= now]
        if due and self._may_begin():
            await asyncio.gather(*map(self._attend, due))
            # Each of them has another time now.
            found = await self._schedules.due(self._folder, now + LOOK_SECONDS)
        coming = min((one.look_at + late for one in found if one.look_at + late > now), default=math.inf)
        return min(max(0.0, coming - self._schedules.now()), LOOK_SECONDS)

    async def fire(self, schedule_id: str) -> None:
        """Begin the firing that is due, as an engine wants it. Called twice for the same one it does nothing. Raises
        `NotNow` where it is for another process to do."""
        schedule = await self._schedules.find(schedule_id)
        if schedule is None:
            if self._engine is not None:
                await self._engine.remove(schedule_id)
            return
        if schedule.folder != self._folder or not self._may_begin():
            raise NotNow("this process does not fire it: its folder is another one, or it stops")
        early = schedule.look_at - self._schedules.now()
        if 0 < early <= CLOCK_SECONDS:
            await asyncio.sleep(early)
        await self._attend(schedule)
        if self._engine is not None:
            # At once: it may come again before anybody looks.
            await self._tell_of(self._engine, schedule_id)

    async def _attend(self, schedule: Schedule) -> None:
        """Take what is due of one schedule, and begin it, unless another process was quicker."""
        async with self._places:
            try:
                if (taken := await self._take(schedule.id)) is not None:
                    await self._begin_or_drop(taken)
            except StoreError as error:
                log.warning("the schedule %s can't be looked at now: %s", schedule.id, error)
            except ConfigError as error:
                await self._stop(schedule, MayNotFire(str(error)))
            except Exception:  # the other schedules fire all the same
                log.exception("the schedule %s could not fire", schedule.id)

    async def _take(self, schedule_id: str) -> Schedule | None:
        """Take the firing of a schedule for this process, where it is free."""
        now, is_mine = self._schedules.now(), False

        def edit(known: Schedule) -> Schedule | None:
            nonlocal is_mine
            is_mine = False
            is_due = not known.paused and 0 < known.next_at <= now
            if known.pending is None:
                claimed = known.claimed(now) if is_due else None
                is_mine = claimed is not None and claimed.pending is not None
                return claimed
            if is_due and known.missed != "all":
                known = known.claimed(now)
            elif now - known.pending.taken < STALE_SECONDS:
                return None
            if known.pending is not None and now - known.pending.taken >= STALE_SECONDS:
                is_mine = True
                return known.taken(now)
            return known

        taken = await self._schedules.change(schedule_id, edit)
        return taken if is_mine else None

    async def _begin_or_drop(self, schedule: Schedule) -> None:
        """Begin the run of a firing that this process has taken, or note why there is none."""
        pending, now = schedule.pending, self._schedules.now()
        assert pending is not None
        schedule = await with_outcomes(schedule, self._store())
        try:
            firing = await self._begun_before(schedule)
            if firing is None and schedule.overlap != "allow" and await is_busy(schedule, self._store()):
                if pending.waits:
                    raise NotNow(STILL_RUNS)
                await self._settle(schedule, lambda one: one.dropped(now, "skipped", STILL_RUNS))
                return
            firing = firing or await self._begin(schedule)
        except NotNow:
            await self._settle(schedule, Schedule.put_off)
        except MayNotFire as error:
            await self._stop(schedule, error)
        except StoreError:
            # It stays taken, and is tried again when that is stale.
            raise
        except ToolpostError as error:
            text = str(error)
            await self._settle(schedule, lambda one: one.dropped(now, "failed", text))
        except Exception:
            await self._settle(schedule, lambda one: one.dropped(now, "failed", "the server failed"))
            raise
        else:
            begun = firing
            await self._schedules.change(schedule.id, lambda known: known.learned(schedule).begun(begun))
            log.info("schedule %s fired: session %s, run %s", schedule.id, firing.session, firing.run)

    async def _begun_before(self, schedule: Schedule) -> Firing | None:
        """Return the firing where a process has begun its run and died before it noted that."""
        pending = schedule.pending
        if pending is None or pending.taken == pending.tried:
            return None
        return await find_begun(self._store(), pending, schedule.prompt)

    async def _settle(self, schedule: Schedule, edit: Callable[[Schedule], Schedule]) -> None:
        """Change a schedule whose pending firing is ours, unless a person has paused it meanwhile."""

        def settled(known: Schedule) -> Schedule:
            known = known.learned(schedule)
            return edit(known) if known.pending == schedule.pending else known

        await self._schedules.change(schedule.id, settled)

    async def _stop(self, schedule: Schedule, error: MayNotFire) -> None:
        log.warning("schedule %s is paused: %s", schedule.id, error)
        await self._schedules.change(schedule.id, lambda one: one.stopped(str(error), error.code))

    async def _announce(self) -> None:
        if self._schedules.now() - self._announced >= ANNOUNCE_SECONDS:
            await self._schedules.announce(self._process, self._folder)
            self._announced = self._schedules.now()

    async def _tell(self, engine: ScheduleEngine) -> None:
        """Tell the engine what has changed since it was last told, whichever process has changed it. One process does
        this for all of them."""
        known = {one.id: one for one in await self._schedules.listed(folder=self._folder)}
        tickets = {one.id: _ticket(one) for one in known.values()}
        for schedule_id in {**self._told, **tickets}:
            ticket = tickets.get(schedule_id)
            if self._told.get(schedule_id) != ticket and not await self._say(engine, schedule_id, ticket):
                # Nothing else can be said now; all of it is said with a later look.
                return

    async def _tell_of(self, engine: ScheduleEngine, schedule_id: str) -> None:
        schedule = await self._schedules.find(schedule_id)
        await self._say(engine, schedule_id, None if schedule is None else _ticket(schedule))

    async def _say(self, engine: ScheduleEngine, schedule_id: str, ticket: ScheduleTicket | None) -> bool:
        """Tell the engine when one fires, or that it does not; return whether it could be told."""
        try:
            if ticket is None:
                await engine.remove(schedule_id)
                self._told.pop(schedule_id, None)
            else:
                await engine.put(ticket)
                self._told[schedule_id] = ticket
        except ToolpostError as error:
            if not self._engine_is_away:
                log.warning("the engine can't be told when schedules fire, so they may be a minute late: %s", error)
            self._engine_is_away = True
            return False
        self._engine_is_away = False
        return True


def _ticket(schedule: Schedule) -> ScheduleTicket | None:
    """What an engine is told; None where it has nothing to call for."""
    if schedule.paused or not schedule.next_at:
        return None
    return ScheduleTicket(schedule.id, schedule.folder, schedule.timing, schedule.next_at)
