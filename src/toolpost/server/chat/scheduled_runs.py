"""Begin the runs of schedules: in a session of the schedule's owner, with the role that the owner has now."""

import time
from contextlib import aclosing

from toolpost.config.schema import ScheduleSettings
from toolpost.schedules.edits import TooOften, check_gap
from toolpost.schedules.records import Schedules
from toolpost.schedules.schedule import Firing, Schedule
from toolpost.schedules.scheduler import MayNotFire, NotNow
from toolpost.server.accounts.identities import Identities
from toolpost.server.refusals import Kind, Refusal
from toolpost.server.users import User
from toolpost.types.errors import ConfigError, SessionBusy, SessionNotFound, ToolpostError
from toolpost.types.events import RunEnd, RunStart

from .conversation import Conversation
from .conversations import Conversations
from .session_settings import ChatSettings

# Refusals that are over soon, and those that only a person can put right.
_SOON: frozenset[Kind] = frozenset({"overloaded", "conflict"})
_LASTING: frozenset[Kind] = frozenset({"invalid_request", "authentication", "permission", "not_found"})


def most_schedules(user: User, limits: ScheduleSettings) -> int | None:
    """How many schedules a person may have; None for any number."""
    return None if user.is_admin else limits.most


def shortest_seconds(user: User, limits: ScheduleSettings) -> float:
    """The shortest time between two firings of one schedule of this person."""
    return 0.0 if user.is_admin else limits.shortest_seconds


class ScheduledRuns:
    """At most `limits.most_runs` go on at once in this process; the others begin when one of these has ended. An engine
    has its own way to hold back what it gives to its workers."""

    def __init__(
        self, conversations: Conversations, identities: Identities, schedules: Schedules, limits: ScheduleSettings
    ) -> None:
        self._conversations = conversations
        self._identities = identities
        self._schedules = schedules
        self._limits = limits
        self._begun: list[Conversation] = []

    async def begin(self, schedule: Schedule) -> Firing:
        """Begin the run of the pending firing. Raises `NotNow`, `MayNotFire`, or a `ToolpostError`."""
        # One that waits for a person takes no place.
        self._begun = [one for one in self._begun if one.session.status.state in ("busy", "retrying")]
        if len(self._begun) >= self._limits.most_runs:
            raise NotNow("too many scheduled runs go on at once")
        user = await self._identities.named(schedule.owner)
        if user is None or "use" not in user.rights:
            raise MayNotFire(f"{schedule.owner} may not use this server any more", "schedule_owner_gone")
        await self._check_limits(schedule, user)
        try:
            return await self._begin_for(schedule, user)
        except SessionBusy as error:
            raise NotNow(str(error)) from error
        except ConfigError as error:
            raise MayNotFire(str(error)) from error
        except Refusal as refusal:
            if refusal.kind in _SOON:
                raise NotNow(refusal.message) from refusal
            if refusal.kind in _LASTING:
                raise MayNotFire(refusal.message, refusal.code) from refusal
            raise ToolpostError(refusal.message) from refusal

    async def _check_limits(self, schedule: Schedule, user: User) -> None:
        """Raise `MayNotFire` for what the owner could not make now: it was an admin, or the limits were others."""
        try:
            check_gap(schedule.timing, self._schedules.now(), shortest_seconds(user, self._limits))
        except TooOften as error:
            raise MayNotFire(str(error), "schedule_too_often") from error
        most = most_schedules(user, self._limits)
        if most is None:
            return
        owned = await self._schedules.listed(owner=schedule.owner)
        # The oldest ones stay.
        going = [one.id for one in owned if not one.paused]
        if schedule.id in going[most:]:
            raise MayNotFire(
                f"{len(going)} schedules go on, and you may have {most}: remove or pause one", "too_many_schedules"
            )

    async def _begin_for(self, schedule: Schedule, user: User) -> Firing:
        pending = schedule.pending
        assert pending is not None
        model, agent, variant = schedule.model, schedule.agent, schedule.variant
        if schedule.session:
            conversation = await self._conversations.find(pending.session, user)
        else:
            settings = ChatSettings(model, agent, variant=variant)
            conversation = await self._new(pending.session, schedule.name, settings, user)
        after = await conversation.start(schedule.prompt, model=model, agent=agent, variant=variant)
        self._begun.append(conversation)
        return await self._started(conversation, after, pending.due)

    async def _new(self, session_id: str, title: str, settings: ChatSettings, user: User) -> Conversation:
        """Return the session of a firing; a process that died may have created it already."""
        try:
            await self._conversations.store.info(session_id)
        except SessionNotFound:
            return await self._conversations.create(user, title=title, settings=settings, session_id=session_id)
        return await self._conversations.find(session_id, user)

    async def _started(self, conversation: Conversation, after: int, due: float) -> Firing:
        """Return the firing once its run is stored, so that it is not begun again."""
        # One that an engine gives to a process may wait long before it starts.
        run = (await self._conversations.store.info(conversation.id)).open_run
        if run is not None:
            return Firing(due, time.time(), conversation.id, run, after)
        async with aclosing(conversation.events(after)) as events:
            async for event in events:
                if isinstance(event, RunStart):
                    return Firing(due, event.time, conversation.id, event.run_id, after)
                if isinstance(event, RunEnd):
                    text = event.error.message if event.error else ""
                    return Firing(due, event.time, conversation.id, event.run_id, after, event.reason, text)
        raise ToolpostError("the run could not be stored")
