"""Limits on requests, tokens and cost of a user or of a provider's key, counted in this process.

Requests and tokens of a minute are held in buckets that fill evenly: a limit of 60 lets 60 through at once and then one
a second. Tokens are known only when an answer is over. Until then an estimate is taken, and the rest is taken later: a
bucket may go below zero, and nothing is let through until it has filled again.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Protocol

from msgspec import Struct

from toolpost.config.schema import UseSettings

MINUTE = 60.0
DAY = 86_400.0
# A lease of a worker that died is over after this time, in seconds.
LEASE_SECONDS = 3600
# It is not known when a place is free again; seconds.
CONCURRENT_RETRY = 1.0
# The limits in the order in which they are checked, with their names in error texts.
LIMIT_NAMES = {
    "cost_per_month": "this month's cost",
    "cost_per_day": "this day's cost",
    "concurrent": "requests at the same time",
    "requests_per_minute": "requests a minute",
    "tokens_per_minute": "tokens a minute",
}


class UsageCheck(Struct, frozen=True):
    """Whether a request may begin: `refused` is the limit that keeps it out, "" where none does. `requests` and
    `tokens` are what is left of a minute's."""

    refused: str = ""
    retry_after: float = 0.0
    requests: float = 0.0
    tokens: float = 0.0


class Ledger(Protocol):
    """`who` is whose use it is, `lease` names one request of theirs. Neither method ever raises, and `settle` returns
    at once: it is called where a request ends, whichever way."""

    async def take(self, who: str, limits: UseSettings, lease: str, tokens: int) -> UsageCheck:
        """Begin a request that takes about so many tokens, unless a limit is reached."""
        ...

    def settle(self, who: str, limits: UseSettings, lease: str, tokens: int, cost: float) -> None:
        """End it. `tokens` are those that it took beyond the estimate; fewer are given back."""
        ...


class LocalLedger:
    """What this process has counted. It is gone with the process."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._uses: dict[str, _Use] = {}

    async def take(self, who: str, limits: UseSettings, lease: str, tokens: int) -> UsageCheck:
        now = self._clock()
        use = self._uses.setdefault(who, _Use())
        use.refresh(limits, now)
        refused, wait = use.refusal(limits, now)
        if not refused:
            use.requests -= 1
            use.tokens -= tokens
            use.leases[lease] = now + LEASE_SECONDS
        return UsageCheck(refused, wait, use.requests, use.tokens)

    def settle(self, who: str, limits: UseSettings, lease: str, tokens: int, cost: float) -> None:
        use = self._uses.setdefault(who, _Use())
        use.refresh(limits, self._clock())
        use.leases.pop(lease, None)
        use.tokens -= tokens
        use.day_cost += cost
        use.month_cost += cost


def has_limits(limits: UseSettings) -> bool:
    return any(getattr(limits, name) is not None for name in LIMIT_NAMES)


def day_and_month(now: float) -> tuple[str, str]:
    """The day and the month that costs are counted under."""
    calendar = _calendar(int(now // DAY))
    return calendar.day, calendar.month


def seconds_left(now: float) -> tuple[float, float]:
    """Until this day is over, and this month."""
    calendar = _calendar(int(now // DAY))
    return calendar.day_ends - now, calendar.month_ends - now


class _Calendar(Struct, frozen=True):
    day: str
    month: str
    day_ends: float
    month_ends: float


@lru_cache(4)
def _calendar(number: int) -> _Calendar:
    """The day with this number since 1970."""
    today = datetime.fromtimestamp(number * DAY, UTC)
    next_month = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    return _Calendar(today.strftime("%Y-%m-%d"), today.strftime("%Y-%m"), (number + 1) * DAY, next_month.timestamp())


class _Use:
    """What one has used; the two buckets as they were at `at`."""

    def __init__(self) -> None:
        self.at = 0.0
        self.requests = 0.0
        self.tokens = 0.0
        self.leases: dict[str, float] = {}
        self.day: str = ""
        self.day_cost = 0.0
        self.month: str = ""
        self.month_cost = 0.0

    def refresh(self, limits: UseSettings, now: float) -> None:
        """Fill the buckets for the time that has passed, and begin a new day or month where one has begun."""
        passed = max(0.0, now - self.at)
        self.requests = _filled(self.requests, limits.requests_per_minute, passed)
        self.tokens = _filled(self.tokens, limits.tokens_per_minute, passed)
        self.at = max(self.at, now)
        day, month = day_and_month(now)
        if day != self.day:
            self.day, self.day_cost = day, 0.0
        if month != self.month:
            self.month, self.month_cost = month, 0.0

    def refusal(self, limits: UseSettings, now: float) -> tuple[str, float]:
        """The limit that is reached, and for how many seconds."""
        day_left, month_left = seconds_left(now)
        if limits.cost_per_month is not None and self.month_cost >= limits.cost_per_month:
            return "cost_per_month", month_left
        if limits.cost_per_day is not None and self.day_cost >= limits.cost_per_day:
            return "cost_per_day", day_left
        if limits.concurrent is not None:
            self.leases = {lease: until for lease, until in self.leases.items() if until > now}
            if len(self.leases) >= limits.concurrent:
                return "concurrent", CONCURRENT_RETRY
        if limits.requests_per_minute is not None and self.requests < 1:
            return "requests_per_minute", (1 - self.requests) * MINUTE / limits.requests_per_minute
        if limits.tokens_per_minute is not None and self.tokens < 1:
            return "tokens_per_minute", (1 - self.tokens) * MINUTE / limits.tokens_per_minute
        return "", 0.0


def _filled(level: float, limit: int | None, passed: float) -> float:
    return 0.0 if limit is None else min(float(limit), level + passed * limit / MINUTE)
