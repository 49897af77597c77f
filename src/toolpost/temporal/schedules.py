"""Let Temporal say when schedules fire: each is a Schedule there, which comes once, at our next time.

Not Temporal's own cron: it knows fewer expressions, and means another moment by some where clocks change. So the times
stay ours, and each firing tells the next one.
"""

import math
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from toolpost.config.schema import EngineSettings
from toolpost.schedules.engine import ScheduleTicket
from toolpost.schedules.timing import Timing, duration_of

from .connection import PATIENCE, TemporalConnection, unless_gone
from .queues import queue_of

if TYPE_CHECKING:
    from temporalio.client import Schedule, ScheduleUpdate, ScheduleUpdateInput

# What is due already, or in this moment, comes so soon; seconds.
SOON = 2.0

_TIMEOUT = timedelta(seconds=PATIENCE)


class TemporalSchedules:
    """A `ScheduleEngine`. It connects when it is first used, and raises `ToolpostError` while the server is away."""

    def __init__(self, settings: EngineSettings, environ: Mapping[str, str]) -> None:
        self._pool = settings.pool
        self._connection = TemporalConnection(settings, environ)

    async def put(self, ticket: ScheduleTicket) -> None:
        from temporalio.client import ScheduleAlreadyRunningError, ScheduleUpdate

        schedule = self._schedule(ticket)

        def changed(_: "ScheduleUpdateInput") -> "ScheduleUpdate":
            return ScheduleUpdate(schedule)

        async with self._connection.client() as client:
            handle = client.get_schedule_handle(ticket.id)
            with unless_gone():
                await handle.update(changed, rpc_timeout=_TIMEOUT)
                return
            try:
                await client.create_schedule(ticket.id, schedule, rpc_timeout=_TIMEOUT)
            except ScheduleAlreadyRunningError:
                # Another process was quicker.
                await handle.update(changed, rpc_timeout=_TIMEOUT)

    async def remove(self, schedule_id: str) -> None:
        async with self._connection.client() as client:
            with unless_gone():
                await client.get_schedule_handle(schedule_id).delete(rpc_timeout=_TIMEOUT)

    async def close(self) -> None:
        self._connection.close()

    def _schedule(self, ticket: ScheduleTicket) -> "Schedule":
        from temporalio.client import (
            Schedule,
            ScheduleActionStartWorkflow,
            ScheduleCalendarSpec,
            ScheduleOverlapPolicy,
            SchedulePolicy,
            ScheduleRange,
            ScheduleSpec,
            ScheduleState,
        )

        # To the second, and never before the time.
        at = datetime.fromtimestamp(math.ceil(max(ticket.next_at, time.time() + SOON)), UTC)
        once = ScheduleCalendarSpec(
            second=[ScheduleRange(at.second)],
            minute=[ScheduleRange(at.minute)],
            hour=[ScheduleRange(at.hour)],
            day_of_month=[ScheduleRange(at.day)],
            month=[ScheduleRange(at.month)],
            year=[ScheduleRange(at.year)],
        )
        return Schedule(
            ScheduleActionStartWorkflow(
                "toolpost.fire",
                {"schedule_id": ticket.id},
                id=f"fire-{ticket.id}",
                task_queue=queue_of(ticket.folder, self._pool),
            ),
            ScheduleSpec(calendars=[once], time_zone_name="UTC"),
            # The one before has told the next time before it has ended. What is missed while Temporal is away is called
            # for when it is back: what that means is decided here.
            SchedulePolicy(overlap=ScheduleOverlapPolicy.ALLOW_ALL, catchup_window=timedelta(days=365)),
            ScheduleState(note=_words_on(ticket.timing)),
        )


def _words_on(timing: Timing) -> str:
    match timing.kind:
        case "cron":
            return f"cron {timing.cron}, {timing.zone}"
        case "every":
            return f"every {duration_of(timing.every)}"
        case "at":
            return "once"
