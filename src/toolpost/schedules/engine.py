"""The seam to an engine that says when schedules fire, instead of the servers that look at the store.

The store stays the truth: an engine knows ids and times, and calls `fire` when the time of one has come. What is run,
for whom, and whether it may, is looked up then.
"""

from typing import Protocol

from msgspec import Struct

from .timing import Timing


class ScheduleTicket(Struct, frozen=True):
    """What an engine is told of a schedule: never a prompt, and never a secret. It has to fire at `next_at`; `timing`
    is for people who look into the engine. With each firing there is another ticket."""

    id: str
    folder: str
    timing: Timing
    next_at: float


class ScheduleEngine(Protocol):
    """Both methods may be called twice with the same, and by several processes. They raise a `ToolpostError` while the
    engine is away: then servers fire what is a minute late."""

    async def put(self, ticket: ScheduleTicket) -> None:
        """Call `fire` at this time, instead of the one that was told before."""
        ...

    async def remove(self, schedule_id: str) -> None:
        """Do not call it for this one any more: it is paused, at its end, or was removed."""
        ...

    async def close(self) -> None: ...


class ScheduleDriver(Protocol):
    """What an engine calls where the work is done."""

    async def fire(self, schedule_id: str) -> None:
        """Begin the firing that is due. Called twice for the same one, or too early, it does nothing."""
        ...
