"""Cron expressions: read one, and find the moments that it means, also where clocks are changed.

An expression that names hours means times of day, each of which comes once a day: where the clock is put forward over
it, at the moment of the change, and where the clock is put back, the first time that it shows it. An expression for
every hour is an interval: of an hour that comes twice, both count.
"""

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from toolpost.extras import require

from .errors import TimingError
from .time_zones import clock_change, clock_of, first_moment, zone_of

if TYPE_CHECKING:
    from cronsim import CronSim

NICKNAMES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
FIELDS = 5
HOURS_OF_A_DAY = 24
LONGEST = 200
HELP = 'write minute, hour, day, month and weekday, such as "0 9 * * 1-5", or @daily'


def check_cron(expression: str) -> str:
    """Return an expression, with single blanks. Raises `TimingError` where it can't be read, or never comes."""
    given = " ".join(expression.split())
    if len(given) > LONGEST:
        raise TimingError("cron", f"a cron expression has at most {LONGEST} characters: make several schedules")
    if next(_clock_times(given, datetime(2000, 1, 1)), None) is None:
        raise TimingError("cron", f"cron {given!r} never comes: no month has such a day")
    return given


def next_of_cron(expression: str, zone_name: str, moment: float) -> float | None:
    """Return the first moment after `moment`; None where none comes within 50 years."""
    zone, since = zone_of(zone_name), math.floor(moment)
    clock_times = _clock_times(expression, clock_of(since, zone))
    if len(clock_times.hours) == HOURS_OF_A_DAY:
        return _next_interval(expression, zone, since)
    # What the clock shows for the second time was due when it showed it first.
    return next((found for one in clock_times if (found := first_moment(one, zone)) > moment), None)


def _next_interval(expression: str, zone: ZoneInfo, moment: float) -> float | None:
    clock_time = clock_of(moment, zone)
    while (following := next(_clock_times(expression, clock_time), None)) is not None:
        found = moment + (following - clock_of(moment, zone)).total_seconds()
        changed = clock_change(moment, found, zone)
        if changed is None:
            return found
        # Again from there, where the clock has jumped to what may be a time of the expression itself.
        moment, clock_time = changed, clock_of(changed, zone) - timedelta(seconds=1)
    return None


def _clock_times(expression: str, after: datetime) -> "CronSim":
    """Iterate over what a clock that is never changed shows at the times of an expression."""
    require("cli", "a cron expression", ("cronsim",))
    # Imported here: without cron expressions nobody needs it.
    from cronsim import CronSim, CronSimError

    fields = NICKNAMES.get(expression.lower(), expression)
    # The library would take a field for seconds, too.
    if len(fields.split()) != FIELDS:
        raise TimingError("cron", f"cron {expression!r} does not have {FIELDS} fields: {HELP}")
    try:
        return CronSim(fields, after)
    except CronSimError as error:
        raise TimingError("cron", f"cron {expression!r}: {str(error).lower()}; {HELP}") from None
