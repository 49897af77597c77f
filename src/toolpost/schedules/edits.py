"""Make and change schedules as people ask for it, on the command line and over HTTP."""

from typing import TypedDict

from msgspec.structs import replace

from toolpost.types.errors import ConfigError
from toolpost.types.ids import new_id
from toolpost.types.text import clean

from .errors import TimingError
from .schedule import Missed, Overlap, Schedule
from .time_zones import zone_of
from .timing import Timing, duration_of, moment_of, timing_of

# No cron expression comes more often.
CRON_SECONDS = 60.0


class ScheduleFields(TypedDict, total=False):
    """What a person says of a schedule. One of `cron`, `every` and `at` says when, as people write it; `until` and
    `most` say when it ends, "" and 0 that it does not."""

    prompt: str
    cron: str
    every: str
    at: str
    time_zone: str
    name: str
    agent: str
    model: str
    variant: str
    session: str
    missed: Missed
    overlap: Overlap
    most: int
    until: str
    paused: bool


class TooOften(TimingError):
    pass


def new_schedule(owner: str, folder: str, fields: ScheduleFields, now: float, *, shortest: float = 0.0) -> Schedule:
    """Make a schedule. Raises `ConfigError`, and `TooOften` where it would fire sooner than `shortest` seconds after
    it has fired."""
    made = Schedule(new_id("sch"), owner, folder, "", Timing(), created=now)
    return edited(made, {"cron": "", **fields}, now, shortest=shortest)


def edited(schedule: Schedule, fields: ScheduleFields, now: float, *, shortest: float = 0.0) -> Schedule:
    """Return a schedule with these fields; those that are left out stay. Raises as `new_schedule` does."""
    zone, until = fields.get("time_zone", schedule.timing.zone), fields.get("until")
    found = replace(
        schedule,
        prompt=clean(fields.get("prompt", schedule.prompt)),
        name=clean(fields.get("name", schedule.name)),
        timing=_timing(schedule.timing, fields, now, zone),
        agent=fields.get("agent", schedule.agent),
        model=fields.get("model", schedule.model),
        variant=fields.get("variant", schedule.variant),
        session=fields.get("session", schedule.session),
        missed=fields.get("missed", schedule.missed),
        overlap=fields.get("overlap", schedule.overlap),
        most=fields.get("most", schedule.most),
        until=schedule.until if until is None else (until and moment_of(until, zone, now, "until")) or 0.0,
    )
    if not found.prompt.strip():
        raise ConfigError("the prompt is empty: say what is to be done")
    if found.session and found.overlap == "allow":
        raise ConfigError('overlap "allow" needs a new session for each firing: a session has one run at a time')
    check_gap(found.timing, now, shortest)
    return _started(schedule, found, fields, now)


def check_gap(timing: Timing, now: float, shortest: float) -> None:
    """Raise `TooOften` where it would fire sooner than that after it has fired."""
    if timing.kind == "cron" and shortest <= CRON_SECONDS:
        return
    if timing.shortest_gap(now) < shortest:
        text = f"it may fire every {duration_of(round(shortest))} at the most: take a longer time, or ask an admin"
        raise TooOften(timing.kind, text)


def _timing(known: Timing, fields: ScheduleFields, now: float, zone: str) -> Timing:
    zone_of(zone)
    ways = fields.get("cron", ""), fields.get("every", ""), fields.get("at", "")
    if not {"cron", "every", "at"} & fields.keys():
        return replace(known, zone=zone)
    return timing_of(now, cron=ways[0], every=ways[1], at=ways[2], zone=zone)


def _started(known: Schedule, found: Schedule, fields: ScheduleFields, now: float) -> Schedule:
    """Pause it or let it go on, and find its next time where that may have changed."""
    is_paused = fields.get("paused", known.paused)
    if is_paused:
        return found if known.paused else found.stopped()
    times = ("timing", "most", "until")
    if not known.paused and all(getattr(known, name) == getattr(found, name) for name in times):
        return found
    started = found.started(now)
    if not started.next_at and not known.paused:
        raise TimingError("until", "it would never fire before its end: choose a later one")
    return started
