"""The scheduler over each kind of store: who takes a firing, what is done with it, and what an engine is told."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from msgspec.structs import replace

from toolpost.schedules.edits import new_schedule
from toolpost.schedules.engine import ScheduleTicket
from toolpost.schedules.outcomes import refreshed
from toolpost.schedules.records import ANNOUNCED_SECONDS, SCHEDULE, Schedules, TooManySchedules
from toolpost.schedules.schedule import Firing, Schedule
from toolpost.schedules.scheduler import (
    ENGINE_LATE_SECONDS,
    LOOK_SECONDS,
    STALE_SECONDS,
    MayNotFire,
    NotNow,
    Scheduler,
)
from toolpost.store.account_records import AccountRecord
from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.types.errors import StoreError, ToolpostError
from toolpost.types.events import RunEnd
from toolpost.types.messages import ErrorInfo

NOW = 1_780_000_000.0
HOUR = 3_600.0


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


class Begun:
    """What begins runs: each is over at once, or as `error` says."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.error: Exception | None = None
        self.outcome: Any = "done"

    async def __call__(self, schedule: Schedule) -> Firing:
        pending = schedule.pending
        assert pending is not None
        # Others get their chance to begin the same one.
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        self.prompts.append(schedule.prompt)
        return Firing(pending.due, pending.due, pending.session, f"run_{len(self.prompts)}", outcome=self.outcome)


class Engine:
    def __init__(self) -> None:
        self.tickets: dict[str, ScheduleTicket] = {}
        self.calls: list[str] = []

    async def put(self, ticket: ScheduleTicket) -> None:
        self.calls.append("put")
        self.tickets[ticket.id] = ticket

    async def remove(self, schedule_id: str) -> None:
        self.calls.append("remove")
        self.tickets.pop(schedule_id, None)

    async def close(self) -> None: ...


class World:
    def __init__(self, store: Store) -> None:
        self.clock = Clock()
        self.begun = Begun()
        self.store = store
        self.schedules = Schedules(lambda: store, self.clock)

    def scheduler(self, **options: Any) -> Scheduler:
        return Scheduler(self.schedules, lambda: self.store, "/p", self.begun, **options)

    async def add(self, **fields: Any) -> Schedule:
        when = {} if fields.keys() & {"cron", "every", "at"} else {"every": "1h"}
        made = new_schedule(
            fields.pop("owner", "ann"), fields.pop("folder", "/p"), {"prompt": "go", **when, **fields}, self.clock.now
        )
        await self.schedules.add(made)
        return made

    async def now(self, schedule: Schedule) -> Schedule:
        found = await self.schedules.find(schedule.id)
        assert found is not None
        return found


@pytest.fixture
def world(store: Store) -> World:
    return World(store)


async def test_what_is_due_is_begun_and_what_is_not_waits(world: World) -> None:
    soon, late = await world.add(prompt="soon"), await world.add(prompt="late", every="2h")
    elsewhere = await world.add(prompt="elsewhere", folder="/other")
    scheduler = world.scheduler()
    assert await scheduler.look() == LOOK_SECONDS
    world.clock.now += HOUR - 2
    assert await scheduler.look() == 2.0
    world.clock.now += 2
    assert await scheduler.look() == LOOK_SECONDS
    assert world.begun.prompts == ["soon"]
    assert (await world.now(soon)).next_at == NOW + 2 * HOUR
    assert await world.now(late) == late
    assert await world.now(elsewhere) == elsewhere


async def test_of_many_who_look_at_once_one_begins(world: World) -> None:
    made = [await world.add(prompt=f"{number}") for number in range(5)]
    world.clock.now += HOUR
    await asyncio.gather(*(world.scheduler().look() for _ in range(6)))
    assert sorted(world.begun.prompts) == ["0", "1", "2", "3", "4"]
    assert all([(await world.now(one)).fired == 1 for one in made])


async def test_a_firing_that_can_not_begin_now_begins_with_a_later_look(world: World) -> None:
    made = await world.add()
    world.clock.now += HOUR
    world.begun.error = NotNow("overloaded")
    scheduler = world.scheduler()
    assert await scheduler.look() == LOOK_SECONDS
    waiting = await world.now(made)
    assert waiting.pending is not None
    assert waiting.pending.taken == 0
    world.begun.error = None
    await scheduler.look()
    after = await world.now(made)
    assert (after.pending, after.fired) == (None, 1)
    assert after.firings[0].due == NOW + HOUR


async def test_what_may_not_fire_is_paused_with_the_reason(world: World, caplog: pytest.LogCaptureFixture) -> None:
    made = await world.add()
    world.clock.now += HOUR
    world.begun.error = MayNotFire("ann has left", "schedule_owner_gone")
    with caplog.at_level(logging.WARNING, "toolpost.schedules"):
        await world.scheduler().look()
    after = await world.now(made)
    assert (after.state, after.reason, after.code, after.firings) == (
        "paused",
        "ann has left",
        "schedule_owner_gone",
        (),
    )
    assert "is paused: ann has left" in caplog.text


@pytest.mark.parametrize(
    ("error", "text"), [(ToolpostError("no money"), "no money"), (RuntimeError("inside"), "the server failed")]
)
async def test_a_run_that_could_not_begin_is_noted_and_the_schedule_goes_on(
    world: World, error: Exception, text: str
) -> None:
    made, other = await world.add(), await world.add()
    world.clock.now += HOUR
    world.begun.error = error
    await world.scheduler().look()
    for one in (made, other):
        after = await world.now(one)
        assert [(firing.outcome, firing.text) for firing in after.firings] == [("failed", text)]
        assert (after.state, after.pending, after.next_at) == ("active", None, NOW + 2 * HOUR)


async def test_a_firing_that_was_taken_is_left_alone_until_that_is_stale(world: World) -> None:
    made = await world.add()
    world.clock.now += HOUR
    world.begun.error = StoreError("the database is away")
    await world.scheduler().look()
    taken = (await world.now(made)).pending
    assert taken is not None
    assert taken.taken == world.clock.now
    world.begun.error = None
    world.clock.now += STALE_SECONDS - 1
    await world.scheduler().look()
    assert world.begun.prompts == []
    world.clock.now += 1
    await world.scheduler().look()
    assert world.begun.prompts == ["go"]
    assert (await world.now(made)).fired == 1


async def test_a_pause_in_the_middle_of_a_beginning_stays(world: World) -> None:
    made = await world.add()
    world.clock.now += HOUR

    async def pause_first(schedule: Schedule) -> Firing:
        await world.schedules.change(schedule.id, lambda known: known.stopped())
        return await Begun()(schedule)

    await Scheduler(world.schedules, lambda: world.store, "/p", pause_first).look()
    after = await world.now(made)
    assert (after.state, after.fired, len(after.firings)) == ("paused", 1, 1)


async def test_a_schedule_that_is_removed_meanwhile_stays_removed(world: World) -> None:
    made = await world.add()
    world.clock.now += HOUR

    async def remove_first(schedule: Schedule) -> Firing:
        await world.schedules.remove(schedule.id)
        return await Begun()(schedule)

    await Scheduler(world.schedules, lambda: world.store, "/p", remove_first).look()
    assert await world.schedules.find(made.id) is None


@contextlib.asynccontextmanager
async def running(world: World) -> AsyncGenerator[Callable[[str], Any]]:
    """A session whose run goes on; what is given ends it."""
    info = SessionInfo("ses_1", folder="/p", owner="ann", open_run="run_1", run_seq=1)
    await world.store.create(info)

    async def end(reason: Any) -> None:
        error = ErrorInfo("auth", "no key") if reason == "error" else None
        event = RunEnd(1, "ses_1", NOW, "run_1", reason, error=error)
        await world.store.commit(SessionChanges("ses_1", replace(info, open_run=None, seq=1), events=[event]))

    yield end


async def test_while_a_run_goes_on_the_next_is_left_out_or_waits(world: World) -> None:
    going_on = Firing(NOW, NOW, "ses_1", "run_1")
    async with running(world) as end:
        made = {name: await world.add(prompt=name, overlap=name) for name in ("skip", "queue", "allow")}
        for one in made.values():
            await world.schedules.change(one.id, lambda known: replace(known, firings=(going_on,)))
        world.clock.now += HOUR
        await world.scheduler().look()
        assert world.begun.prompts == ["allow"]
        skipped, queued = await world.now(made["skip"]), await world.now(made["queue"])
        assert (skipped.firings[0].outcome, skipped.pending) == ("skipped", None)
        assert queued.pending is not None
        await end("done")
        await world.scheduler().look()
        assert world.begun.prompts == ["allow", "queue"]
        after = await world.now(made["queue"])
        assert [one.outcome for one in after.firings] == ["done", "done"]


async def test_a_person_s_own_run_in_the_session_counts_too(world: World) -> None:
    async with running(world) as end:
        made = await world.add(session="ses_1")
        world.clock.now += HOUR
        await world.scheduler().look()
        assert (await world.now(made)).firings[0].outcome == "skipped"
        await end("done")
        world.clock.now += HOUR
        await world.scheduler().look()
        assert (await world.now(made)).fired == 1


async def test_how_a_run_ended_is_found_in_the_store(world: World) -> None:
    async with running(world) as end:
        made = await world.add()
        known = await world.schedules.change(
            made.id,
            lambda one: replace(one, firings=(Firing(NOW, NOW, "ses_1", "run_1"), Firing(1, 1, "ses_gone", "r"))),
        )
        assert known is not None
        found = await refreshed(known, world.schedules, world.store)
        assert [(one.outcome, one.text) for one in found.firings] == [("", ""), ("failed", "its session was deleted")]
        await end("error")
        found = await refreshed(known, world.schedules, world.store)
        assert (found.firings[0].outcome, found.firings[0].text) == ("error", "no key")
        assert await world.now(made) == found


async def test_an_engine_is_told_of_changes_and_of_nothing_else(world: World) -> None:
    engine = Engine()
    scheduler = world.scheduler(engine=engine)
    made, paused = await world.add(prompt="a secret"), await world.add()
    await world.schedules.change(paused.id, lambda one: one.stopped())
    for _ in range(2):
        await scheduler.look()
    assert engine.tickets == {made.id: ScheduleTicket(made.id, "/p", made.timing, NOW + HOUR)}
    assert engine.calls == ["put"]
    await world.schedules.change(paused.id, lambda one: one.started(NOW))
    await world.schedules.remove(made.id)
    await scheduler.look()
    assert list(engine.tickets) == [paused.id]
    assert engine.calls == ["put", "remove", "put"]


async def test_with_an_engine_a_firing_begins_when_it_calls_and_without_its_call_a_minute_later(world: World) -> None:
    engine = Engine()
    scheduler = world.scheduler(engine=engine)
    called, forgotten = await world.add(prompt="called"), await world.add(prompt="forgotten")
    world.clock.now += HOUR
    await scheduler.look()
    assert world.begun.prompts == []
    for _ in range(2):
        await scheduler.fire(called.id)
    assert world.begun.prompts == ["called"]
    # It knows of the next time at once: it may be called before anybody looks again.
    assert engine.tickets[called.id].next_at == NOW + 2 * HOUR
    world.clock.now += ENGINE_LATE_SECONDS
    await scheduler.look()
    assert world.begun.prompts == ["called", "forgotten"]
    assert (await world.now(forgotten)).firings[0].due == NOW + HOUR


async def test_an_engine_that_calls_for_what_is_gone_is_told_so(world: World) -> None:
    engine = Engine()
    await world.scheduler(engine=engine).fire("sch_gone")
    assert engine.calls == ["remove"]


async def test_an_engine_whose_clock_is_a_little_ahead_is_waited_for(world: World) -> None:
    made = await world.add()
    world.clock.now += HOUR - 0.05
    scheduler = world.scheduler(engine=Engine())
    firing = asyncio.create_task(scheduler.fire(made.id))
    asyncio.get_running_loop().call_later(0.02, lambda: setattr(world.clock, "now", NOW + HOUR))
    await firing
    assert world.begun.prompts == ["go"]


async def test_a_server_that_stops_begins_nothing(world: World) -> None:
    made = await world.add()
    world.clock.now += HOUR
    assert await world.scheduler(may_begin=lambda: False).look() == LOOK_SECONDS
    assert (await world.now(made)).next_at == NOW + HOUR


async def test_it_says_that_it_is_there_as_long_as_it_is(world: World) -> None:
    assert not await world.schedules.is_served("/p")
    scheduling = asyncio.create_task(world.scheduler().run())
    async with asyncio.timeout(20):
        while not await world.schedules.is_served("/p"):  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.001)
    assert not await world.schedules.is_served("/other")
    scheduling.cancel()
    await asyncio.gather(scheduling, return_exceptions=True)
    assert not await world.schedules.is_served("/p")


async def test_what_a_dead_process_said_does_not_hold_for_long(world: World) -> None:
    await world.schedules.announce("srv_dead", "/p")
    assert await world.schedules.is_served("/p")
    world.clock.now += ANNOUNCED_SECONDS
    assert not await world.schedules.is_served("/p")


async def test_a_wake_is_a_look_at_once(world: World) -> None:
    scheduler = world.scheduler()
    scheduling = asyncio.create_task(scheduler.run())
    made = await world.add(every="1d")
    await world.schedules.change(made.id, lambda one: one.asked(NOW))
    scheduler.wake()
    async with asyncio.timeout(LOOK_SECONDS - 1):
        while not world.begun.prompts:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    scheduling.cancel()
    await asyncio.gather(scheduling, return_exceptions=True)


async def test_of_a_person_s_schedules_only_so_many_are_kept(world: World) -> None:
    made = [new_schedule("ann", "/p", {"prompt": "go", "every": "1h"}, NOW) for _ in range(6)]
    added = await asyncio.gather(*(world.schedules.add(one, most=2) for one in made), return_exceptions=True)
    assert [type(one) for one in added if one is not None] == [TooManySchedules] * 4
    await world.schedules.add(new_schedule("bob", "/p", {"prompt": "go", "every": "1h"}, NOW), most=1)
    assert len(await world.schedules.listed()) == 3
    assert len(await world.schedules.listed(owner="ann")) == 2


async def test_changes_at_once_come_one_after_the_other(world: World) -> None:
    made = await world.add()
    many = 12
    await asyncio.gather(
        *(world.schedules.change(made.id, lambda one: replace(one, fired=one.fired + 1)) for _ in range(many))
    )
    assert (await world.now(made)).fired == many


async def test_a_record_that_a_newer_version_wrote_does_not_stop_the_others(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    await world.store.add_record(AccountRecord(SCHEDULE, "sch_new", b'{"id": "sch_new", "missed": "twice"}'))
    await world.add()
    world.clock.now += HOUR
    await world.scheduler().look()
    assert world.begun.prompts == ["go"]
    assert "sch_new cannot be read" in caplog.text


async def test_a_time_zone_that_is_gone_pauses_the_schedule(world: World) -> None:
    made = await world.add(cron="@hourly")
    await world.schedules.change(
        made.id, lambda one: replace(one, timing=replace(one.timing, zone="Mars/Phobos"), next_at=NOW)
    )
    await world.scheduler().look()
    after = await world.now(made)
    assert after.state == "paused"
    assert "no time zone 'Mars/Phobos'" in after.reason
