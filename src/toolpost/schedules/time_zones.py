"""Find time zones by name, and the moment at which a zone changes its clock."""

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from toolpost.arguments.suggestions import closest

from .errors import TimingError

UTC = "UTC"
WEEK = 7 * 86_400.0
LOCAL_ZONE = Path("/etc/localtime")


@lru_cache(256)
def zone_of(name: str) -> ZoneInfo:
    """Return a zone of the IANA database, such as Europe/Berlin. Raises `TimingError`."""
    try:
        return ZoneInfo(name)
    # A folder of the database, a path out of it, or a name that no file can have.
    except (KeyError, ValueError, OSError):
        known = available_timezones()
        likely = closest(name, known)
        hint = f"did you mean {likely}?" if likely else "write one such as Europe/Berlin, Asia/Shanghai or UTC"
        hint = hint if known else "this system has no time zones: pip install tzdata"
        raise TimingError("time_zone", f"no time zone {name!r}; {hint}") from None


def local_zone(environ: Mapping[str, str] = os.environ, link: Path = LOCAL_ZONE) -> str:
    """Return the name of this machine's time zone; UTC where the machine does not tell."""
    named = environ.get("TZ", "").removeprefix(":")
    if not named and link.is_symlink():
        named = str(link.readlink()).partition("zoneinfo/")[2]
    try:
        return zone_of(named).key if named else UTC
    except TimingError:
        return UTC


def clock_of(moment: float, zone: ZoneInfo) -> datetime:
    """Return what a clock in the zone shows, as a datetime without zone."""
    return datetime.fromtimestamp(moment, zone).replace(tzinfo=None)


def offset_of(moment: float, zone: ZoneInfo) -> timedelta:
    offset = datetime.fromtimestamp(moment, zone).utcoffset()
    assert offset is not None
    return offset


def clock_change(start: float, end: float, zone: ZoneInfo) -> float | None:
    """Return the first moment after `start`, and not after `end`, from which the zone has another offset than at
    `start`; to the second. No zone changes its clock twice within a week."""
    before, known = offset_of(start, zone), start
    while known < end:
        seen = min(known + WEEK, end)
        if offset_of(seen, zone) == before:
            known = seen
            continue
        while seen - known > 1:
            middle = (known + seen) // 2
            known, seen = (middle, seen) if offset_of(middle, zone) == before else (known, middle)
        return seen
    return None


def first_moment(clock_time: datetime, zone: ZoneInfo) -> float:
    """Return the first moment at which the clock shows a time, or has jumped over it."""
    moment = clock_time.replace(tzinfo=zone).timestamp()
    if clock_of(moment, zone) == clock_time:
        return moment
    # The offsets before and after the change stand for moments on both sides of it.
    jumped = clock_change(clock_time.replace(tzinfo=zone, fold=1).timestamp(), moment, zone)
    return moment if jumped is None else jumped
