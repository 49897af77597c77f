"""Show a schedule to a person: when it fires, what came of it, all about it."""

import time
from collections.abc import Iterator
from datetime import datetime

from toolpost.cli.shared.formats import SHORT_ID, ago, short_id
from toolpost.schedules.schedule import Firing, Schedule
from toolpost.schedules.time_zones import zone_of
from toolpost.schedules.timing import Timing, duration_of

MISSED = {"once": "one run makes up for them", "skip": "they are left out", "all": "each is made up for"}
OVERLAP = {"skip": "the next is left out", "queue": "the next waits", "allow": "both run"}


def when_of(timing: Timing) -> str:
    match timing.kind:
        case "cron":
            return f"{timing.cron} {timing.zone}"
        case "every":
            return f"every {duration_of(timing.every)}"
        case "at":
            return "once"


def next_of(schedule: Schedule) -> str:
    """The next time on the clock of its zone, or why there is none."""
    if schedule.pending is not None:
        return "now"
    return _clock(schedule, schedule.next_at) if schedule.state == "active" else schedule.state


def last_of(schedule: Schedule) -> str:
    if not schedule.firings:
        return ""
    latest = schedule.firings[0]
    return f"{latest.outcome or 'running'}, {ago(latest.at)}"


def name_of(schedule: Schedule) -> str:
    return schedule.name or schedule.prompt.strip().partition("\n")[0]


def times_of(schedule: Schedule) -> str:
    """`next 2026-12-24 18:00 (Europe/Berlin), in 3 d 4 h`."""
    left = max(0.0, schedule.next_at - time.time())
    return f"next {_clock(schedule, schedule.next_at)}, in {_left(left)}"


def details(schedule: Schedule) -> Iterator[str]:
    timing = schedule.timing
    rows = {
        "id": schedule.id,
        "name": schedule.name,
        "state": f"{schedule.state}{': ' if schedule.reason else ''}{schedule.reason}",
        "when": f"once, {_clock(schedule, timing.at)}" if timing.kind == "at" else when_of(timing),
        "next": times_of(schedule).removeprefix("next ") if schedule.state == "active" and schedule.next_at else "",
        "until": _clock(schedule, schedule.until) if schedule.until else "",
        "runs": f"{schedule.fired} of {schedule.most}" if schedule.most else f"{schedule.fired}",
        "session": short_id(schedule.session) if schedule.session else "a new one for each run",
        "missed runs": MISSED[schedule.missed],
        "while one runs": OVERLAP[schedule.overlap],
        "agent": schedule.agent or ("that of its session" if schedule.session else "the server's default"),
        "model": " ".join(filter(None, (schedule.model, schedule.variant))),
        "owner": schedule.owner,
    }
    yield from (f"{name + ':':<16}{value}" for name, value in rows.items() if value)
    yield ""
    yield schedule.prompt
    if schedule.firings:
        yield ""
        yield f"last runs ({schedule.timing.zone}):"
        yield from (_firing(schedule, firing) for firing in schedule.firings)


def _clock(schedule: Schedule, moment: float) -> str:
    return f"{_time(schedule, moment)} ({schedule.timing.zone})"


def _time(schedule: Schedule, moment: float) -> str:
    """On the clock of its zone, as its times were given."""
    shown = datetime.fromtimestamp(moment, zone_of(schedule.timing.zone))
    return f"{shown:%Y-%m-%d %H:%M:%S}".removesuffix(":00")


def _firing(schedule: Schedule, firing: Firing) -> str:
    session = short_id(firing.session) if firing.session else ""
    outcome = firing.outcome or "running"
    why = f": {firing.text}" if firing.text else ""
    return f"  {_time(schedule, firing.due)}  {session:<{SHORT_ID}}  {outcome}{why}"


def _left(seconds: float) -> str:
    """`40 s`, `14 min`, `3 h 5 min`, `6 d 2 h`: a time to come, in two units at most."""
    minutes, hours = int(seconds // 60), int(seconds // 3_600)
    if minutes < 2:
        return f"{seconds:.0f} s"
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes % 60} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"
