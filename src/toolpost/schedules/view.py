"""A schedule as programs read it: over HTTP, and with `toolpost schedule --json`."""

from typing import Literal

from msgspec import Struct

from .schedule import Firing, Missed, Outcome, Overlap, Schedule, State
from .timing import duration_of


class FiringView(Struct, frozen=True):
    """`outcome` is "running", how the run has ended, or why there was none: skipped, missed, failed. `text` says more
    where something went wrong."""

    due: float
    at: float
    session: str | None
    outcome: Literal["running"] | Outcome
    text: str


class ScheduleView(Struct, frozen=True, kw_only=True):
    """`every` is written as 15m; `at`, `until` and `next_at` are null where there is none. `reason` says why the server
    has paused it, `code` is for programs. `is_pending`: a firing waits for its turn. The latest of `firings` comes
    first."""

    id: str
    name: str
    prompt: str
    cron: str
    every: str
    at: float | None
    time_zone: str
    agent: str
    model: str
    variant: str
    session: str
    missed: Missed
    overlap: Overlap
    most: int
    until: float | None
    state: State
    reason: str
    code: str
    created: float
    next_at: float | None
    is_pending: bool
    fired: int
    firings: tuple[FiringView, ...]


def schedule_view(schedule: Schedule) -> ScheduleView:
    timing = schedule.timing
    return ScheduleView(
        id=schedule.id,
        name=schedule.name,
        prompt=schedule.prompt,
        cron=timing.cron,
        every=duration_of(timing.every),
        at=timing.at or None,
        time_zone=timing.zone,
        agent=schedule.agent,
        model=schedule.model,
        variant=schedule.variant,
        session=schedule.session,
        missed=schedule.missed,
        overlap=schedule.overlap,
        most=schedule.most,
        until=schedule.until or None,
        state=schedule.state,
        reason=schedule.reason,
        code=schedule.code,
        created=schedule.created,
        next_at=None if schedule.paused else schedule.next_at or None,
        is_pending=schedule.pending is not None,
        fired=schedule.fired,
        firings=tuple(map(_firing_view, schedule.firings)),
    )


def _firing_view(firing: Firing) -> FiringView:
    return FiringView(firing.due, firing.at, firing.session or None, firing.outcome or "running", firing.text)
