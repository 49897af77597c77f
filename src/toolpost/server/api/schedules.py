"""List, create, change, delete and fire a person's schedules."""

import itertools
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn, cast

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from toolpost.schedules.edits import ScheduleFields, TooOften, check_gap, edited, new_schedule
from toolpost.schedules.errors import TimingError
from toolpost.schedules.outcomes import is_busy, refreshed
from toolpost.schedules.records import Schedules, TooManySchedules
from toolpost.schedules.schedule import Missed, Overlap, Schedule
from toolpost.schedules.time_zones import UTC
from toolpost.schedules.timing import timing_of
from toolpost.schedules.view import ScheduleView, schedule_view
from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.scheduled_runs import most_schedules, shortest_seconds
from toolpost.server.chat.session_settings import ChatSettings
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Route
from toolpost.server.users import User

from .session_view import Name

LONGEST_PROMPT = 100_000
PREVIEWED = 3
SCHEDULE_ID = {"id": "The schedule's id"}

PromptText = Annotated[str, Meta(min_length=1, max_length=LONGEST_PROMPT)]
Cron = Annotated[str, Meta(max_length=200, description="Minute, hour, day, month, weekday; or @daily")]
Every = Annotated[str, Meta(max_length=50, description="An interval: 90s, 15m, 2h, 1d")]
Moment = Annotated[str, Meta(max_length=50, description="A time: 2026-12-24T18:00, or `in 20m`")]
TimeZone = Annotated[str, Meta(max_length=100, description="A name of the IANA database: Europe/Berlin")]
MostFirings = Annotated[int, Meta(ge=0, le=1_000_000)]


class NewSchedule(Struct, frozen=True, forbid_unknown_fields=True):
    """One of `cron`, `every` and `at` says when, read in `time_zone`. `session` is the session that all firings go on
    with; without it each has a new one. `missed`: what happens to firings for which no server ran; `overlap`: to one
    whose predecessor still runs. It ends after `most` firings, 0 for any number, and at `until`."""

    prompt: PromptText
    cron: Cron = ""
    every: Every = ""
    at: Moment = ""
    time_zone: TimeZone = UTC
    name: Name = ""
    agent: Name = ""
    model: Name = ""
    variant: Name = ""
    session: Name = ""
    missed: Missed = "once"
    overlap: Overlap = "skip"
    most: MostFirings = 0
    until: Moment = ""


class ScheduleChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields that are left out stay as they are; "" or 0 takes a value away. What is missed while it is paused is never
    made up for."""

    prompt: PromptText | UnsetType = UNSET
    cron: Cron | UnsetType = UNSET
    every: Every | UnsetType = UNSET
    at: Moment | UnsetType = UNSET
    time_zone: TimeZone | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    agent: Name | UnsetType = UNSET
    model: Name | UnsetType = UNSET
    variant: Name | UnsetType = UNSET
    session: Name | UnsetType = UNSET
    missed: Missed | UnsetType = UNSET
    overlap: Overlap | UnsetType = UNSET
    most: MostFirings | UnsetType = UNSET
    until: Moment | UnsetType = UNSET
    paused: bool | UnsetType = UNSET


class PreviewQuery(Struct, frozen=True):
    cron: Cron = ""
    every: Every = ""
    at: Moment = ""
    time_zone: TimeZone = UTC


class ScheduleList(Struct, frozen=True):
    """The oldest first. `most` is how many you may have; null for any number."""

    schedules: list[ScheduleView]
    most: int | None


class ComingTimes(Struct, frozen=True):
    times: list[float]


def schedule_routes(conversations: Conversations, schedules: Schedules, wake: Callable[[], None]) -> list[Route]:
    """`wake` is called where a schedule has changed."""
    api = _Schedules(conversations, schedules, wake)

    def doc(summary: str, **fields: Any) -> Doc:
        return Doc(summary, "schedules", **fields)

    one = {"params": SCHEDULE_ID}
    made = doc("Create a schedule", takes=NewSchedule, gives=ScheduleView, status=201, errors=(404, 409))
    changed = doc("Change, pause or resume a schedule", takes=ScheduleChange, gives=ScheduleView, **one)
    coming = doc("Get the next times of a schedule to be", query=PreviewQuery, gives=ComingTimes)
    fired = doc("Fire a schedule now", gives=ScheduleView, status=202, errors=(409,), **one)
    return [
        Route("GET", "/api/schedules", api.list, doc("List your schedules of this project", gives=ScheduleList)),
        Route("POST", "/api/schedules", api.make, made),
        Route("GET", "/api/schedules/preview", api.preview, coming),
        Route("GET", "/api/schedules/{id}", api.one, doc("Get a schedule", gives=ScheduleView, **one)),
        Route("PATCH", "/api/schedules/{id}", api.change, changed),
        Route("DELETE", "/api/schedules/{id}", api.delete, doc("Delete a schedule", status=204, **one)),
        Route("POST", "/api/schedules/{id}/run", api.fire, fired),
    ]


class _Schedules:
    def __init__(self, conversations: Conversations, schedules: Schedules, wake: Callable[[], None]) -> None:
        self._conversations = conversations
        self._schedules = schedules
        self._wake = wake
        self._folder = str(conversations.workspace.project)
        self._limits = conversations.workspace.config.server.schedules

    async def list(self, request: Request) -> None:
        found = await self._schedules.listed(owner=request.user.name, folder=self._folder)
        shown = [schedule_view(await self._refreshed(one)) for one in found]
        await request.reply_json(ScheduleList(shown, most_schedules(request.user, self._limits)))

    async def make(self, request: Request) -> None:
        wanted, user = request.json(NewSchedule), request.user
        fields = cast("ScheduleFields", structs.asdict(wanted))
        shortest = shortest_seconds(user, self._limits)
        with _refusals():
            made = new_schedule(user.name, self._folder, fields, self._schedules.now(), shortest=shortest)
        await self._check(made, user)
        try:
            await self._schedules.add(made, most=most_schedules(user, self._limits))
        except TooManySchedules as error:
            raise Refusal("conflict", str(error), code="too_many_schedules") from None
        self._wake()
        await request.reply_json(schedule_view(made), status=201, headers={"location": f"/api/schedules/{made.id}"})

    async def preview(self, request: Request) -> None:
        asked, now = request.query_as(PreviewQuery), self._schedules.now()
        with _refusals():
            timing = timing_of(now, cron=asked.cron, every=asked.every, at=asked.at, zone=asked.time_zone)
            check_gap(timing, now, shortest_seconds(request.user, self._limits))
        await request.reply_json(ComingTimes([*itertools.islice(timing.times(now), PREVIEWED)]))

    async def one(self, request: Request) -> None:
        await request.reply_json(schedule_view(await self._refreshed(await self._find(request))))

    async def change(self, request: Request) -> None:
        given = structs.asdict(request.json(ScheduleChange))
        fields = cast("ScheduleFields", {name: value for name, value in given.items() if value is not UNSET})
        found, user = await self._find(request), request.user

        def edit(known: Schedule) -> Schedule:
            return edited(known, fields, self._schedules.now(), shortest=shortest_seconds(user, self._limits))

        with _refusals():
            await self._check(edit(found), user)
            changed = await self._schedules.change(found.id, edit)
        self._wake()
        await request.reply_json(schedule_view(await self._refreshed(changed or _missing(found.id))))

    async def delete(self, request: Request) -> None:
        found = await self._find(request)
        await self._schedules.remove(found.id)
        self._wake()
        await request.reply(status=204)

    async def fire(self, request: Request) -> None:
        found = await self._refreshed(await self._find(request))
        if found.overlap == "skip" and await is_busy(found, self._conversations.store):
            text = "a run before it is still going on: wait until it has ended, or stop it"
            raise Refusal("conflict", text, code="schedule_running")
        now = self._schedules.now()
        asked = await self._schedules.change(found.id, lambda known: None if known.pending else known.asked(now))
        if asked is None:
            raise Refusal("conflict", "it fires already: a firing waits for its turn", code="schedule_pending")
        self._wake()
        await request.reply_json(schedule_view(asked), status=202)

    async def _find(self, request: Request) -> Schedule:
        schedule_id = request.params["id"]
        found = await self._schedules.find(schedule_id)
        if found is None or (found.owner, found.folder) != (request.user.name, self._folder):
            _missing(schedule_id)
        return found

    async def _refreshed(self, schedule: Schedule) -> Schedule:
        return await refreshed(schedule, self._schedules, self._conversations.store)

    async def _check(self, schedule: Schedule, user: User) -> None:
        """Refuse now what its owner could not run."""
        self._conversations.setup(user, ChatSettings(schedule.model, schedule.agent, variant=schedule.variant))
        if schedule.session:
            await self._conversations.info(schedule.session, user)


@contextmanager
def _refusals() -> Generator[None]:
    """Refuse, with a code and the name of the field, what can't be read of a time."""
    try:
        yield
    except TimingError as error:
        code = "schedule_too_often" if isinstance(error, TooOften) else "schedule_time_invalid"
        raise BadRequest(str(error), param=error.field, code=code) from None


def _missing(schedule_id: str) -> NoReturn:
    text = f"there is no schedule {schedule_id}: GET /api/schedules lists your schedules"
    raise Refusal("not_found", text, code="schedule_not_found")
