"""When a schedule fires: by a cron expression, at an interval, or once; and how people write that."""

import itertools
import math
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from msgspec import Struct

from .cron import check_cron, next_of_cron
from .errors import TimingError
from .time_zones import UTC, first_moment, zone_of

Kind = Literal["cron", "every", "at"]

UNITS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
LONGEST_SECONDS = 10 * 366 * UNITS["d"]
# How far ahead one looks for the shortest time between two firings.
SAMPLED = 400
SAMPLED_SECONDS = 10 * 366 * 86_400.0

_PARTS = re.compile(r"(\d{1,9}) *([wdhms]) *")
_DURATION = re.compile(rf"(?:{_PARTS.pattern})+")
_IN = re.compile(r"in +(.+)")


class Timing(Struct, frozen=True, omit_defaults=True):
    """One of `cron`, `every` (in seconds, counted from `since`) and `at`. `zone` is the time zone in which `cron` is
    meant, and times are shown. Moments are seconds since 1970."""

    cron: str = ""
    every: int = 0
    at: float = 0.0
    since: float = 0.0
    zone: str = UTC

    @property
    def kind(self) -> Kind:
        return "cron" if self.cron else "every" if self.every else "at"

    def after(self, moment: float) -> float | None:
        """Return the first moment after `moment` at which it fires; None where it never does again."""
        match self.kind:
            case "cron":
                return next_of_cron(self.cron, self.zone, moment)
            case "every":
                passed = max(0, math.floor((moment - self.since) / self.every))
                found = self.since + passed * self.every
                return found if found > moment else found + self.every
            case "at":
                return self.at if self.at > moment else None

    def times(self, after: float, until: float = math.inf) -> Iterator[float]:
        """Iterate over the moments after one, up to another."""
        found = self.after(after)
        while found is not None and found <= until:
            yield found
            found = self.after(found)

    def last_times(self, first: float, until: float, most: int) -> list[float]:
        """Return the last moments from `first` to `until`, the earliest of them first."""
        width = 60.0
        while True:
            # Of a year that was missed only the end is looked at.
            start = max(math.nextafter(first, -math.inf), until - width)
            found = list(self.times(start, until))
            if len(found) >= most or start < first:
                return found[-most:]
            width *= 4

    def shortest_gap(self, now: float) -> float:
        """Return the shortest time between two of the next firings. For cron this may take a tenth of a second."""
        if self.kind == "every":
            return self.every
        shortest, earlier = math.inf, now
        for place, later in enumerate(itertools.islice(self.times(now), SAMPLED)):
            shortest = min(shortest, later - earlier) if place else shortest
            earlier = later
            if later - now > SAMPLED_SECONDS:
                # What comes so seldom does not come more often in a century.
                break
        return shortest


def timing_of(now: float, *, cron: str = "", every: str = "", at: str = "", zone: str = UTC) -> Timing:
    """Read how a person has written it. Raises `TimingError`."""
    if sum(map(bool, (cron, every, at))) != 1:
        raise TimingError("cron", "say when, in one way: a cron expression, an interval, or a time")
    zone_of(zone)
    if cron:
        return Timing(cron=check_cron(cron), zone=zone)
    if every:
        return Timing(every=seconds_of(every, "every"), since=math.floor(now), zone=zone)
    return Timing(at=moment_of(at, zone, now, "at"), zone=zone)


def seconds_of(text: str, field: str) -> int:
    """Read a duration such as 90s, 15m, 2h, 1d, 1h 30m. Raises `TimingError`."""
    given = text.strip().lower()
    seconds = sum(int(number) * UNITS[unit] for number, unit in _PARTS.findall(given))
    if not _DURATION.fullmatch(given) or not 0 < seconds <= LONGEST_SECONDS:
        raise TimingError(field, f"{field} {text!r} is not a time such as 90s, 15m, 2h, 1d or 1h30m")
    return seconds


def duration_of(seconds: int) -> str:
    """Write a duration as `seconds_of` reads it."""
    parts: list[str] = []
    for unit, size in UNITS.items():
        # 14 days are two weeks for nobody but a calendar: weeks are read, and not written.
        count = 0 if unit == "w" else seconds // size
        seconds -= count * size
        parts += [f"{count}{unit}"] if count else []
    return "".join(parts)


def moment_of(text: str, zone: str, now: float, field: str) -> float:
    """Read a moment to come, such as 2026-12-24T18:00 in the zone, or `in 20m`. Raises `TimingError`."""
    given = text.strip()
    if later := _IN.fullmatch(given.lower()):
        return math.ceil(now) + seconds_of(later[1], field)
    try:
        read = datetime.fromisoformat(given)
        moment = read.timestamp() if read.tzinfo else first_moment(read, zone_of(zone))
    except (ValueError, OverflowError):
        hint = 'write it as 2026-12-24T18:00, with +01:00 for another time zone, or as "in 20m"'
        raise TimingError(field, f"{field} {text!r} is not a time: {hint}") from None
    if not now < moment <= now + LONGEST_SECONDS:
        which = "in the past" if moment <= now else "more than ten years ahead"
        raise TimingError(field, f"{field} {text!r} is {which}")
    return moment
