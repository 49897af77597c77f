"""Store schedules, and let one process at a time change one.

A schedule is a record of the store, listed by when it has to be looked at. Whoever changes it has read it before, and
writes only if it is still what was read: so of several processes that see a firing due one takes it.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping

import msgspec

from toolpost.store.account_records import AccountRecord, AccountStore
from toolpost.types.errors import ConfigError

from .schedule import Schedule

SCHEDULE, SCHEDULER = "schedule", "scheduler"
# How often a server says that it fires schedules, and how long that holds.
ANNOUNCE_SECONDS = 30.0
ANNOUNCED_SECONDS = 90.0

log = logging.getLogger("toolpost.schedules")


class TooManySchedules(ConfigError):
    pass


class Schedules:
    """The schedules of a store. `store` is asked for whenever it is needed, because it may be opened late."""

    def __init__(self, store: Callable[[], AccountStore], clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self.now = clock

    async def add(self, schedule: Schedule, *, most: int | None = None) -> None:
        """Keep a new one. Raises `TooManySchedules` where its owner has `most` of them already."""
        count = 0

        def edit(there: Mapping[str, AccountRecord]) -> Iterable[AccountRecord]:
            nonlocal count
            count = sum(one.owner == schedule.owner for one in there.values())
            return [_record(schedule)] if most is None or count < most else []

        if most is None:
            await self._store().add_record(_record(schedule))
            return
        await self._store().change_records(SCHEDULE, edit)
        if count >= most:
            raise TooManySchedules(f"there are {count} schedules already, and you may have {most}: remove one")

    async def listed(self, *, owner: str | None = None, folder: str | None = None) -> list[Schedule]:
        """Return the schedules of one owner or of all, in one folder or in all; the oldest first."""
        found = _readable(await self._store().records(SCHEDULE, owner=owner))
        return sorted((one for one in found if folder in (None, one.folder)), key=lambda one: (one.created, one.id))

    async def due(self, folder: str, until: float) -> list[Schedule]:
        """Return those of a folder that have to be looked at by then, the earliest first."""
        found = _readable(await self._store().records(SCHEDULE, until=until))
        return [one for one in found if one.folder == folder]

    async def find(self, schedule_id: str) -> Schedule | None:
        record = await self._store().find_record(SCHEDULE, schedule_id)
        return None if record is None else next(iter(_readable([record])), None)

    async def change(self, schedule_id: str, edit: Callable[[Schedule], Schedule | None]) -> Schedule | None:
        """Change one, and return it as it is then. `edit` is called again where somebody else was quicker, and returns
        None where there is nothing to change any more; then None is returned, as where there is no such schedule."""
        while (schedule := await self.find(schedule_id)) is not None:
            changed = edit(schedule)
            if changed is None or await self._replace(schedule, changed):
                return changed
        return None

    async def remove(self, schedule_id: str) -> bool:
        return await self._store().take_record(SCHEDULE, schedule_id) is not None

    async def announce(self, process: str, folder: str) -> None:
        """Say for a while that a process fires the schedules of a folder."""
        now = self.now()
        record = AccountRecord(SCHEDULER, process, folder.encode(), time=now, expires=now + ANNOUNCED_SECONDS)
        await self._store().change_records(SCHEDULER, lambda _: [record], ids=[process])

    async def withdraw(self, process: str) -> None:
        """Take back what `announce` said, and what processes said that died."""
        await self._store().take_record(SCHEDULER, process)
        await self._store().delete_records(SCHEDULER, expired_before=self.now())

    async def is_served(self, folder: str) -> bool:
        """Return whether a process fires the schedules of a folder."""
        return bool(await self._processes(folder))

    async def is_first(self, process: str, folder: str) -> bool:
        """Return whether no other process fires the schedules of a folder for longer: it does what one has to do for
        all."""
        return all(process <= other for other in await self._processes(folder))

    async def _processes(self, folder: str) -> list[str]:
        said = await self._store().records(SCHEDULER)
        return [one.id for one in said if one.expires > self.now() and one.body == folder.encode()]

    async def _replace(self, known: Schedule, changed: Schedule) -> bool:
        """Write a schedule if it is still what is known of it."""
        is_written = False

        def edit(there: Mapping[str, AccountRecord]) -> Iterable[AccountRecord]:
            nonlocal is_written
            is_written = any(_readable([one]) == [known] for one in there.values())
            return [_record(changed)] if is_written else []

        await self._store().change_records(SCHEDULE, edit, ids=[known.id])
        return is_written


def _record(schedule: Schedule) -> AccountRecord:
    body = msgspec.json.encode(schedule)
    return AccountRecord(SCHEDULE, schedule.id, body, schedule.owner, time=schedule.look_at)


def _readable(records: Iterable[AccountRecord]) -> list[Schedule]:
    """Read records; one that a newer Toolpost has written may say what this one does not know."""
    found: list[Schedule] = []
    for record in records:
        try:
            found.append(msgspec.json.decode(record.body, type=Schedule))
        except msgspec.MsgspecError as error:
            log.warning("the schedule %s cannot be read, and so does not fire: %s", record.id, error)
    return found
