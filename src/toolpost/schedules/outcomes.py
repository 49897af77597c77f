"""Find out in the store what became of the runs that a schedule has begun, whichever process ran them."""

from collections.abc import AsyncIterator

from msgspec.structs import replace

from toolpost.store.contract import Store
from toolpost.types.errors import SessionNotFound
from toolpost.types.events import MessageEnd, MessageStart, RunEnd, RunStart

from .records import Schedules
from .schedule import Firing, Outcome, PendingFiring, Schedule

LONGEST_TEXT = 300


async def with_outcomes(schedule: Schedule, store: Store) -> Schedule:
    """Return the schedule with the ends of those runs that have ended since they were last looked at."""
    for firing in schedule.firings:
        if firing.is_open:
            ended = await _ended(firing, store)
            schedule = schedule if ended.is_open else schedule.with_outcome(firing.run, ended.outcome, ended.text)
    return schedule


async def refreshed(schedule: Schedule, schedules: Schedules, store: Store) -> Schedule:
    """Return the same, and store what was found, so that it is looked for once."""
    found = await with_outcomes(schedule, store)
    if found == schedule:
        return schedule
    return await schedules.change(schedule.id, lambda known: known.learned(found)) or found


async def is_busy(schedule: Schedule, store: Store) -> bool:
    """Return whether a firing has to wait: an earlier one still runs, or something else in the session that it goes on
    with. The schedule is one `with_outcomes`."""
    if any(firing.is_open for firing in schedule.firings):
        return True
    try:
        return bool(schedule.session) and (await store.info(schedule.session)).open_run is not None
    except SessionNotFound:
        return False


async def find_begun(store: Store, pending: PendingFiring, prompt: str) -> Firing | None:
    """Return the firing whose run a process has begun, and died before it noted that: a run in its session that was
    given this prompt since it was first tried."""
    try:
        info, record = await store.info(pending.session), await store.open_run(pending.session)
        if record is not None and record.began >= pending.tried and any(one.text == prompt for one in record.prompts):
            # It waits in a queue: its prompt is not a message yet.
            return Firing(pending.due, record.began, info.id, record.id, info.run_seq - 1)
        return await _run_with(store.events(pending.session), pending, prompt)
    except SessionNotFound:
        return None


async def _run_with(events: AsyncIterator[object], pending: PendingFiring, prompt: str) -> Firing | None:
    start: RunStart | None = None
    async for event in events:
        if isinstance(event, RunStart):
            start = event
        elif isinstance(event, MessageStart | MessageEnd) and event.time >= pending.tried and start is not None:
            message = event.message
            if message.role == "user" and message.text == prompt:
                return Firing(pending.due, start.time, pending.session, start.run_id, start.seq - 1)
    return None


async def _ended(firing: Firing, store: Store) -> Firing:
    """Return a firing with how its run has ended, where it has."""
    try:
        if (await store.info(firing.session)).open_run == firing.run:
            return firing
        async for event in store.events(firing.session, firing.seq):
            if isinstance(event, RunEnd) and event.run_id == firing.run:
                text = event.error.message if event.error else event.limit
                return _closed(firing, event.reason, text)
    except SessionNotFound:
        return _closed(firing, "failed", "its session was deleted")
    return _closed(firing, "failed", "how it ended is not known")


def _closed(firing: Firing, outcome: Outcome, text: str) -> Firing:
    return replace(firing, outcome=outcome, text=text[:LONGEST_TEXT])
