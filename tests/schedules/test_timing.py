"""When a schedule fires: what is read, what comes next, and what happens where clocks are changed."""

import itertools
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from toolpost.schedules.cron import HELP, next_of_cron
from toolpost.schedules.errors import TimingError
from toolpost.schedules.time_zones import clock_change, local_zone, zone_of
from toolpost.schedules.timing import Timing, duration_of, moment_of, seconds_of, timing_of

# Changes by an hour at night, by half an hour, at midnight, of a whole day; negative summer time; none at all.
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Havana",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Europe/Dublin",
    "Asia/Kathmandu",
    "UTC",
)
NOW = datetime(2026, 3, 4, 10, 11, 12, tzinfo=UTC).timestamp()
MINUTE, HOUR, DAY = 60, 3_600, 86_400

minutes = st.sampled_from(["0", "30", "15,45", "*/20", "*", "59"])
hours = st.sampled_from(["*", "0", "1", "2", "3", "0,23", "*/2", "1-3", "22-23"])
days = st.sampled_from(["*", "1", "L", "25-31"])
weekdays = st.sampled_from(["*", "sun", "1-5", "0,6", "7"])
expressions = st.builds(lambda m, h, d, w: f"{m} {h} {d} * {w}", minutes, hours, days, weekdays)
# Around the changes of 2026, and anywhere in these years.
changes = [
    changed for zone in ZONES if (changed := clock_change(NOW - 60 * DAY, NOW + 300 * DAY, ZoneInfo(zone))) is not None
]
near_changes = st.builds(lambda at, by: at + by, st.sampled_from(changes), st.integers(-2 * DAY, 2 * DAY))
moments = near_changes | st.integers(int(NOW - 400 * DAY), int(NOW + 1_200 * DAY)).map(float)


def at(text: str, zone: str = "UTC") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def shown(moments: Sequence[float], zone: str) -> list[str]:
    """As a clock in the zone shows it, with its offset."""
    return [datetime.fromtimestamp(one, ZoneInfo(zone)).isoformat(" ", "minutes") for one in moments]


def coming(cron: str, zone: str, after: str, count: int = 3) -> list[str]:
    return shown(list(itertools.islice(Timing(cron=cron, zone=zone).times(at(after)), count)), zone)


@pytest.mark.parametrize(
    ("cron", "times"),
    [
        ("0 9 * * 1-5", ["2026-03-05 09:00", "2026-03-06 09:00", "2026-03-09 09:00"]),
        ("0 9 * * MON,wed", ["2026-03-09 09:00", "2026-03-11 09:00", "2026-03-16 09:00"]),
        ("30 6 1 jan *", ["2027-01-01 06:30", "2028-01-01 06:30", "2029-01-01 06:30"]),
        ("*/20 10 * * *", ["2026-03-04 10:20", "2026-03-04 10:40", "2026-03-05 10:00"]),
        ("0 0 29 2 *", ["2028-02-29 00:00", "2032-02-29 00:00", "2036-02-29 00:00"]),
        ("0 12 L * *", ["2026-03-31 12:00", "2026-04-30 12:00", "2026-05-31 12:00"]),
        ("0 12 * * 5#1", ["2026-03-06 12:00", "2026-04-03 12:00", "2026-05-01 12:00"]),
        ("0 0 1 * 1", ["2026-03-09 00:00", "2026-03-16 00:00", "2026-03-23 00:00"]),
        ("@daily", ["2026-03-05 00:00", "2026-03-06 00:00", "2026-03-07 00:00"]),
        ("@Hourly", ["2026-03-04 11:00", "2026-03-04 12:00", "2026-03-04 13:00"]),
        ("@weekly", ["2026-03-08 00:00", "2026-03-15 00:00", "2026-03-22 00:00"]),
        ("@monthly", ["2026-04-01 00:00", "2026-05-01 00:00", "2026-06-01 00:00"]),
        ("@yearly", ["2027-01-01 00:00", "2028-01-01 00:00", "2029-01-01 00:00"]),
    ],
)
def test_a_cron_expression_comes_at_its_times(cron: str, times: list[str]) -> None:
    timing = timing_of(NOW, cron=f"  {cron} ")
    assert shown(list(itertools.islice(timing.times(NOW), 3)), "UTC") == [f"{one}+00:00" for one in times]


@pytest.mark.parametrize(
    ("cron", "why"),
    [
        ("61 * * * *", "bad minute"),
        ("0 9 * * 1-5 *", "5 fields"),
        ("0 0 9 * * 1", "5 fields"),
        ("@reboot", "5 fields"),
        ("0 9 * * mo", "bad day-of-week"),
        ("0 0 31 2 *", "bad day-of-month"),
        ("0 0 30 2 *", "bad day-of-month"),
        ("0 9 * * 5-1", "bad day-of-week"),
        ("*/0 9 * * *", "bad minute"),
        ("0 0 29 2 1#5 *", "5 fields"),
        ("0 0 29 2 *#5", "bad day-of-week"),
        (",".join(["1"] * 200) + " * * * *", "at most 200"),
    ],
)
def test_what_is_no_cron_expression_is_refused_with_the_reason(cron: str, why: str) -> None:
    with pytest.raises(TimingError, match=why) as caught:
        timing_of(NOW, cron=cron)
    assert caught.value.field == "cron"
    assert why == "at most 200" or HELP in str(caught.value)


@given(st.text(max_size=30) | st.lists(st.text("0123456789*/-,#LW@monsu ", max_size=8), max_size=7).map(" ".join))
def test_any_text_is_a_cron_expression_or_refused_as_one(text: str) -> None:
    assume(text.strip())
    try:
        timing = timing_of(NOW, cron=text)
    except TimingError:
        return
    found = timing.after(NOW)
    assert found is None or found > NOW


def test_a_time_of_day_that_the_clock_jumps_over_comes_at_the_change() -> None:
    assert coming("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00") == [
        "2026-03-28 02:30+01:00",
        "2026-03-29 03:00+02:00",
        "2026-03-30 02:30+02:00",
    ]
    assert coming("*/20 2 * * *", "Europe/Berlin", "2026-03-29T00:00", 2) == [
        "2026-03-29 03:00+02:00",
        "2026-03-30 02:00+02:00",
    ]


def test_a_time_of_day_that_the_clock_shows_twice_comes_once() -> None:
    assert coming("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00") == [
        "2026-10-25 02:30+02:00",
        "2026-10-26 02:30+01:00",
        "2026-10-27 02:30+01:00",
    ]
    assert coming("*/30 2 * * *", "Europe/Berlin", "2026-10-24T12:00") == [
        "2026-10-25 02:00+02:00",
        "2026-10-25 02:30+02:00",
        "2026-10-26 02:00+01:00",
    ]


def test_every_hour_is_an_interval_which_a_changed_clock_does_not_stop() -> None:
    assert coming("15 * * * *", "Europe/Berlin", "2026-10-24T23:30", 4) == [
        "2026-10-25 02:15+02:00",
        "2026-10-25 02:15+01:00",
        "2026-10-25 03:15+01:00",
        "2026-10-25 04:15+01:00",
    ]
    assert coming("15 * * * *", "Europe/Berlin", "2026-03-28T23:00", 3) == [
        "2026-03-29 00:15+01:00",
        "2026-03-29 01:15+01:00",
        "2026-03-29 03:15+02:00",
    ]


def test_a_clock_that_jumps_at_midnight_does_not_lose_the_day() -> None:
    assert coming("0 0 * * *", "Africa/Cairo", "2026-04-22T12:00") == [
        "2026-04-23 00:00+02:00",
        "2026-04-24 01:00+03:00",
        "2026-04-25 00:00+03:00",
    ]


@given(expressions, st.sampled_from(ZONES), moments)
def test_the_next_time_is_later_and_none_is_left_out_before_it(cron: str, zone: str, moment: float) -> None:
    found = next_of_cron(cron, zone, moment)
    assert found is not None
    assert found > moment
    # Asked for anything in between, it is the same.
    assert next_of_cron(cron, zone, found - 1) == found
    assert next_of_cron(cron, zone, (moment + found) // 2) == found


@given(expressions, st.sampled_from(ZONES), moments)
@example("30 * * * *", "Australia/Lord_Howe", at("2026-04-04T14:00"))
@example("*/20 * * * *", "Australia/Lord_Howe", at("2026-10-03T14:00"))
@example("0 * * * *", "Africa/Cairo", at("2026-04-23T20:00"))
def test_it_comes_when_the_clock_shows_it(cron: str, zone: str, moment: float) -> None:
    """Against a plain look at every minute of two days."""
    start = moment // MINUTE * MINUTE
    found = list(Timing(cron=cron, zone=zone).times(start, start + 2 * DAY))
    minute, hour = (field(part, top) for part, top in zip(cron.split(), (60, 24), strict=False))
    clock = [datetime.fromtimestamp(start + n * MINUTE, ZoneInfo(zone)) for n in range(1, 2 * DAY // MINUTE + 1)]
    fits = [one for one in clock if one.minute in minute and one.hour in hour and is_on(cron, one)]
    if len(hour) == 24:
        assert found == [one.timestamp() for one in fits]
        return
    first = [one.timestamp() for one in fits if one.fold == 0]
    jumped = [
        later.timestamp()
        for earlier, later in itertools.pairwise(clock)
        for gap in [later.replace(tzinfo=None) - earlier.replace(tzinfo=None) - timedelta(minutes=1)]
        if any(
            one.minute in minute and one.hour in hour and is_on(cron, one)
            for n in range(int(gap.total_seconds()) // MINUTE)
            for one in [earlier.replace(tzinfo=None) + timedelta(minutes=n + 1)]
        )
    ]
    assert found == sorted({*first, *jumped})


def field(text: str, top: int) -> set[int]:
    """The numbers that a field of these tests stands for."""
    numbers: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, _, last = (f"0-{top - 1}" if span == "*" else span).partition("-")
        numbers |= set(range(int(first), int(last or first) + 1, int(step or 1)))
    return numbers


def is_on(cron: str, clock: datetime) -> bool:
    day, weekday = cron.split()[2], cron.split()[4].replace("sun", "0").replace("7", "0")
    is_last = (clock + timedelta(days=1)).day == 1
    on_day = day == "*" or (is_last if day == "L" else clock.day in field(day, 32))
    on_weekday = weekday == "*" or (clock.weekday() + 1) % 7 in field(weekday, 7)
    return (on_day and on_weekday) if "*" in (day, weekday) else (on_day or on_weekday)


@given(st.integers(1, 40 * DAY), moments, moments)
def test_an_interval_comes_at_its_multiples(every: int, since: float, moment: float) -> None:
    timing = Timing(every=every, since=since)
    found = timing.after(moment)
    assert found is not None
    assert found > moment
    assert (found - since) % every == 0
    assert found - moment <= every or found == since


def test_a_time_comes_once() -> None:
    timing = Timing(at=NOW)
    assert timing.after(NOW - 1) == NOW
    assert timing.after(NOW) is None


@given(st.sampled_from(["*/7 * * * *", "0 9 * * 1-5", "0 0 1 * *"]), st.floats(0, 90 * DAY), st.integers(1, 30))
def test_the_last_times_are_the_end_of_all_times(cron: str, missed: float, most: int) -> None:
    timing = Timing(cron=cron, zone="Europe/Berlin")
    first = timing.after(NOW)
    assert first is not None
    every = list(timing.times(first - 1, first + missed))
    assert timing.last_times(first, first + missed, most) == every[-most:]


def test_the_last_time_of_a_year_of_minutes_is_found_at_once() -> None:
    timing = Timing(cron="* * * * *")
    assert timing.last_times(NOW, NOW + 366 * DAY, 1) == [(NOW + 366 * DAY) // MINUTE * MINUTE]


@pytest.mark.parametrize(
    ("cron", "gap"),
    [("* * * * *", MINUTE), ("0 9 * * *", 23 * HOUR), ("0,5 9 * * 1", 5 * MINUTE), ("0 0 1 1 *", 365 * DAY)],
)
def test_the_shortest_gap_is_that_between_two_firings(cron: str, gap: float) -> None:
    # On the day on which clocks are put forward, the next morning comes an hour sooner.
    assert Timing(cron=cron, zone="Europe/Berlin").shortest_gap(NOW) == gap


def test_the_gap_of_an_interval_is_the_interval_and_a_time_has_none() -> None:
    assert Timing(every=90).shortest_gap(NOW) == 90
    assert Timing(at=NOW + 1).shortest_gap(NOW) == math.inf


@pytest.mark.parametrize(
    ("text", "seconds", "written"),
    [("90s", 90, "1m30s"), ("15m", 900, "15m"), ("2h", 7200, "2h"), ("1h 30m", 5400, "1h30m"), ("1W", 604_800, "7d")],
)
def test_an_interval_is_read_as_people_write_it(text: str, seconds: int, written: str) -> None:
    assert seconds_of(text, "every") == seconds
    assert duration_of(seconds) == written


@pytest.mark.parametrize("text", ["", "15", "m", "0s", "-5m", "1.5h", "15 minutes ago", "11000w", "9" * 400 + "s"])
def test_what_is_no_interval_is_refused(text: str) -> None:
    with pytest.raises(TimingError, match="is not a time such as 90s"):
        seconds_of(text, "every")


@given(st.integers(1, 10 * 366 * DAY))
def test_an_interval_that_was_written_is_read_back(seconds: int) -> None:
    assert seconds_of(duration_of(seconds), "every") == seconds


@pytest.mark.parametrize(
    ("text", "zone", "moment"),
    [
        ("2026-12-24T18:00", "Europe/Berlin", at("2026-12-24T17:00")),
        ("2026-12-24 18:00", "UTC", at("2026-12-24T18:00")),
        ("2026-12-24T18:00+09:00", "Europe/Berlin", at("2026-12-24T09:00")),
        ("2026-12-24T18:00Z", "Asia/Shanghai", at("2026-12-24T18:00")),
        ("2026-12-24", "Asia/Shanghai", at("2026-12-23T16:00")),
        # The clock jumps over it, and shows it twice: as in a cron expression.
        ("2027-03-28T02:30", "Europe/Berlin", at("2027-03-28T01:00")),
        ("2027-10-31T02:30", "Europe/Berlin", at("2027-10-31T00:30")),
        ("in 20m", "UTC", NOW + 20 * MINUTE),
        (" In 1h30m", "UTC", NOW + 90 * MINUTE),
    ],
)
def test_a_moment_is_read_in_its_zone(text: str, zone: str, moment: float) -> None:
    assert moment_of(text, zone, NOW, "at") == moment


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tomorrow", "is not a time"),
        ("2026-02-30T10:00", "is not a time"),
        ("9999-12-31T23:59", "is more than ten years ahead|is not a time"),
        ("0001-01-01T00:00", "is in the past|is not a time"),
        ("2026-03-04T10:11", "is in the past"),
        ("2046-03-04T10:11", "is more than ten years ahead"),
        ("in a while", "is not a time such as"),
    ],
)
def test_what_is_no_moment_to_come_is_refused(text: str, why: str) -> None:
    with pytest.raises(TimingError, match=why):
        timing_of(NOW, at=text, zone="Europe/Berlin")


@pytest.mark.parametrize("given", [{}, {"cron": "@daily", "every": "5m"}, {"every": "5m", "at": "in 5m"}])
def test_a_schedule_has_one_kind_of_time(given: dict[str, str]) -> None:
    with pytest.raises(TimingError, match="in one way"):
        timing_of(NOW, **given)


@pytest.mark.parametrize("name", ["Europe/Berlim", "", "Europe", "../etc/passwd", "/etc/passwd", "a\0b", "x" * 5_000])
def test_a_zone_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(TimingError, match="no time zone") as caught:
        timing_of(NOW, cron="@daily", zone=name)
    assert caught.value.field == "time_zone"


def test_a_zone_that_is_nearly_there_is_suggested() -> None:
    with pytest.raises(TimingError, match="did you mean Europe/Berlin"):
        zone_of("europe/berlin")


def test_the_zone_of_the_machine_is_that_of_its_user_or_its_clock(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Asia/Shanghai")
    assert local_zone({}, link) == "Asia/Shanghai"
    assert local_zone({"TZ": ":America/Lima"}, link) == "America/Lima"
    assert local_zone({"TZ": "CET-1CEST"}, link) == "UTC"
    assert local_zone({}, tmp_path / "nothing") == "UTC"
