"""Add up what a user's sessions have cost, from the stored steps."""

import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import SessionNotFound
from toolpost.types.messages import Message, StepFinish, Usage

from .session_view import SESSION_ID

USUAL_DAYS = 30
MAX_SESSIONS = 2_000
MAX_MESSAGES = 100_000
MAX_STEPS = MAX_SUMS = 500
DAY_SECONDS = 86_400

By = Literal["model", "day", "session"]


class CostQuery(Struct, frozen=True):
    since: Annotated[float, Meta(ge=0, le=1e12, description="Seconds since 1970; by default 30 days ago")] | None = None
    by: Annotated[By, Meta(description="How the steps are grouped; days are in UTC")] = "model"


class CostSum(Struct, frozen=True):
    """US dollars. `cost` is null if the price of any of its steps is unknown; `known_cost` is the cost of the others,
    null if no price is known."""

    key: str
    steps: int
    unpriced_steps: int
    usage: Usage
    cost: float | None
    known_cost: float | None


class CostReport(Struct, frozen=True):
    """The steps of your sessions in this project, without the summaries of long histories. The most expensive of `sums`
    comes first. `is_whole` is false if there is more data than was read; the newest sessions are always included."""

    since: float
    by: By
    total: CostSum
    sums: list[CostSum]
    is_whole: bool


class StepCost(Struct, frozen=True):
    message: str
    time: float
    model: str
    agent: str
    usage: Usage
    cost: float | None


class SessionCost(Struct, frozen=True):
    """`usage` and `cost` are the totals of the session, with its sub-agents and the summaries of its history; `cost` is
    null if a price is unknown. `steps` are the session's own, the newest first. `is_whole`: all steps are included."""

    usage: Usage
    cost: float | None
    steps: list[StepCost]
    is_whole: bool


def routes(conversations: Conversations) -> list[Route]:
    cost = _Cost(conversations)
    summed = Doc("Get the cost of your sessions", "models", query=CostQuery, gives=CostReport)
    one = Doc("Get the cost of a session, step by step", "sessions", gives=SessionCost, params=SESSION_ID)
    return [
        Route("GET", "/api/cost", cost.sum, summed),
        Route("GET", "/api/sessions/{id}/cost", cost.one, one),
    ]


class Tally:
    """A sum of steps."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.usage = Usage()
        self.steps = 0
        self.unpriced = 0
        self.known = 0.0

    def add(self, step: StepFinish) -> None:
        self.steps += 1
        self.usage += step.usage
        if step.cost is None:
            self.unpriced += 1
        else:
            self.known += step.cost

    def shown(self) -> CostSum:
        known = self.known if self.unpriced < self.steps or not self.steps else None
        return CostSum(self.key, self.steps, self.unpriced, self.usage, None if self.unpriced else known, known)


class _Looked:
    """How much of the store was read; beyond a limit no more is read."""

    def __init__(self) -> None:
        self.sessions = 0
        self.messages = 0
        self.is_whole = True

    @property
    def has_enough(self) -> bool:
        return self.sessions >= MAX_SESSIONS or self.messages >= MAX_MESSAGES


class _Cost:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._store = conversations.store

    async def sum(self, request: Request) -> None:
        query = request.query_as(CostQuery)
        since = time.time() - USUAL_DAYS * DAY_SECONDS if query.since is None else query.since
        total, sums, looked = Tally("total"), dict[str, Tally](), _Looked()
        async for info in self._sessions(request.user.name, since, looked):
            session = await self._talked_to(info) if query.by == "session" else info.id
            async for message, step in self._steps(info, since, looked):
                key = {"model": message.model, "day": _day(message.time), "session": session}[query.by]
                total.add(step)
                sums.setdefault(key, Tally(key)).add(step)
        shown = sorted((one.shown() for one in sums.values()), key=_rank)
        await request.reply_json(CostReport(since, query.by, total.shown(), shown[:MAX_SUMS], looked.is_whole))

    async def one(self, request: Request) -> None:
        info = await self._conversations.info(request.params["id"], request.user)
        steps = [
            StepCost(message.id, message.time, message.model, message.agent, step.usage, step.cost)
            async for message, step in self._steps(info, 0.0, _Looked())
        ]
        newest = steps[: -MAX_STEPS - 1 : -1]
        await request.reply_json(SessionCost(info.usage, info.cost, newest, len(newest) == len(steps)))

    async def _sessions(self, owner: str, since: float, looked: _Looked) -> AsyncIterator[SessionInfo]:
        folder = str(self._conversations.workspace.project)
        async for info in self._store.sessions(folder=folder, owner=owner):
            if info.updated < since:
                return
            if looked.has_enough:
                looked.is_whole = False
                return
            looked.sessions += 1
            yield info

    async def _steps(
        self, info: SessionInfo, since: float, looked: _Looked
    ) -> AsyncIterator[tuple[Message, StepFinish]]:
        # What a fork has of the session that it came from was paid for there.
        begin = max(since, info.created) if info.forked_from else since
        async for message in self._store.messages(info.id):
            looked.messages += 1
            step = message.finish
            # An answer that broke off reports nothing; that makes no price unknown.
            if step is not None and message.time >= begin and (step.usage.total or step.cost is not None):
                yield message, step

    async def _talked_to(self, info: SessionInfo) -> str:
        """Return the session that a person sees, if this one is of a sub-agent."""
        seen = {info.id}
        while info.parent is not None and info.parent not in seen:
            seen.add(info.parent)
            try:
                info = await self._store.info(info.parent)
            except SessionNotFound:
                break
        return info.id


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _rank(one: CostSum) -> tuple[float, int, str]:
    """Sort the most expensive first; without prices, the one with the most tokens."""
    return -(one.known_cost or 0.0), -one.usage.total, one.key
