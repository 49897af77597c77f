"""Show a schedule to a person: when it fires, what came of it, all about it."""

import time
from collections.abc import Iterator
from datetime import datetime

from toolpost.cli.shared.formats import SHORT_ID, ago, moment, short_id
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
    """The next time on this machine's clock, or why there is none."""
    if schedule.pending is not None:
        return "now"
    return moment(schedule.next_at) if schedule.state == "active" else schedule.state


def last_of(schedule: Schedule) -> str:
    if not schedule.firings:
        return ""
    latest = schedule.firings[0]
    return f"{latest.outcome or 'running'}, {ago(latest.at)}"


def name_of(schedule: Schedule) -> str:
    return schedule.name or schedule.prompt.strip().partition("\n")[0]


def times_of(schedule: Schedule) -> str:
    """`next 2026-12-24 18:00 (Europe/Berlin), in 3 d 4 h`."""
    shown = datetime.fromtimestamp(schedule.next_at, zone_of(schedule.timing.zone))
    left = max(0.0, schedule.next_at - time.time())
    clock = f"{shown:%Y-%m-%d %H:%M:%S}".removesuffix(":00")
    return f"next {clock} ({schedule.timing.zone}), in {_left(left)}"


def details(schedule: Schedule) -> Iterator[str]:
    rows = {
        "id": schedule.id,
        "name": schedule.name,
        "state": f"{schedule.state}{': ' if schedule.reason else ''}{schedule.reason}",
        "when": when_of(schedule.timing) if schedule.timing.kind != "at" else f"once, {moment(schedule.timing.at)}",
        "next": times_of(schedule).removeprefix("next ") if schedule.state == "active" and schedule.next_at else "",
        "until": moment(schedule.until),
        "runs": f"{schedule.fired} of {schedule.most}" if schedule.most else f"{schedule.fired}",
        "session": short_id(schedule.session) if schedule.session else "a new one for each run",
        "missed runs": MISSED[schedule.missed],
        "while one runs": OVERLAP[schedule.overlap],
        "agent": schedule.agent,
        "model": " ".join(filter(None, (schedule.model, schedule.variant))),
        "owner": schedule.owner,
    }
    yield from (f"{name + ':':<16}{value}" for name, value in rows.items() if value)
    yield ""
    yield schedule.prompt
    if schedule.firings:
        yield ""
        yield "last runs:"
        yield from map(_firing, schedule.firings)


def _firing(firing: Firing) -> str:
    session = short_id(firing.session) if firing.session else ""
    outcome = firing.outcome or "running"
    return f"  {moment(firing.due)}  {session:<{SHORT_ID}}  {outcome}{': ' if firing.text else ''}{firing.text}"


def _left(seconds: float) -> str:
    """`40 s`, `14 min`, `3 h 5 min`, `6 d 2 h`: a time to come, in two units at most."""
    minutes, hours = int(seconds // 60), int(seconds // 3_600)
    if minutes < 2:
        return f"{seconds:.0f} s"
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes % 60} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"
