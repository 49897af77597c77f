"""What becomes of a schedule: claimed, begun, missed, paused, changed, at its end."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from toolpost.schedules.edits import edited, new_schedule
from toolpost.schedules.schedule import LATE_SECONDS, MOST_FIRINGS, MOST_MISSED, NEVER, Firing, Missed, Schedule
from toolpost.schedules.timing import Timing
from toolpost.types.errors import ConfigError

HOUR = 3_600
NOW = 1_780_000_000.0


def hourly(**fields: object) -> Schedule:
    """Due every hour since `NOW`."""
    known = Schedule("sch_1", "ann", "/p", "go", Timing(every=HOUR, since=NOW), next_at=NOW)
    return replace(known, **fields)


def begun(schedule: Schedule, outcome: str = "") -> Schedule:
    assert schedule.pending is not None
    pending = schedule.pending
    return schedule.begun(Firing(pending.due, pending.due, pending.session, f"run_{pending.due}", outcome=outcome))


def test_a_firing_that_is_due_is_taken_and_the_next_time_is_later() -> None:
    claimed = hourly().claimed(NOW + 2)
    assert claimed.pending is not None
    assert (claimed.pending.due, claimed.pending.taken, claimed.pending.waits) == (NOW, NOW + 2, False)
    assert claimed.pending.session.startswith("ses_")
    assert claimed.next_at == NOW + HOUR
    assert (claimed.state, claimed.look_at) == ("active", 0.0)
    after = begun(claimed)
    assert (after.pending, after.fired, after.look_at) == (None, 1, NOW + HOUR)
    assert [one.due for one in after.firings] == [NOW]


@given(st.sampled_from(["skip", "once", "all"]), st.integers(0, 500 * HOUR))
def test_every_missed_firing_is_run_or_told_or_covered_by_one_that_is(missed: Missed, late: int) -> None:
    schedule, now = hourly(missed=missed), NOW + late
    dues = [NOW + n * HOUR for n in range(int(late // HOUR) + 1)]
    fired: list[float] = []
    while schedule.next_at <= now:
        schedule = schedule.claimed(now)
        if schedule.pending is not None:
            fired.append(schedule.pending.due)
            schedule = begun(schedule, "done")
    assert schedule.next_at == dues[-1] + HOUR
    is_late = now - dues[-1] > LATE_SECONDS
    expected = {"skip": [] if is_late else dues[-1:], "once": dues[-1:], "all": dues[-MOST_MISSED:]}
    assert fired == expected[missed]
    if missed == "skip" and is_late:
        assert [(one.due, one.outcome) for one in schedule.firings] == [(dues[-1], "missed")]


def test_missed_firings_that_are_all_made_up_for_wait_for_each_other() -> None:
    claimed = hourly(missed="all").claimed(NOW + 3 * HOUR)
    assert claimed.pending is not None
    assert claimed.pending.waits
    # Also with others that are due by now, none of which is left out.
    assert claimed.next_at == NOW + HOUR
    both = hourly(missed="all", overlap="allow").claimed(NOW + 3 * HOUR)
    assert both.pending is not None
    assert not both.pending.waits


def test_while_one_waits_the_next_is_left_out() -> None:
    waiting = hourly(overlap="queue").claimed(NOW).put_off()
    assert waiting.pending is not None
    assert waiting.pending.waits
    again = waiting.claimed(NOW + HOUR)
    assert again.pending == waiting.pending
    assert again.next_at == NOW + 2 * HOUR
    assert [(one.due, one.outcome) for one in again.firings] == [(NOW + HOUR, "skipped")]


def test_a_firing_that_was_put_off_was_never_tried_and_one_of_a_dead_process_was() -> None:
    claimed = hourly().claimed(NOW)
    assert claimed.pending is not None
    free = claimed.put_off().pending
    assert free is not None
    assert (free.taken, free.tried) == (0.0, 0.0)
    again = claimed.taken(NOW + 100).pending
    assert again is not None
    assert (again.taken, again.tried) == (NOW + 100, NOW)


def test_it_ends_after_so_many_firings_or_at_its_time() -> None:
    twice = begun(hourly(most=2).claimed(NOW))
    assert twice.state == "active"
    over = begun(twice.claimed(NOW + HOUR))
    assert (over.state, over.next_at, over.look_at) == ("ended", 0.0, NEVER)
    last = hourly(until=NOW + HOUR).claimed(NOW)
    assert last.next_at == NOW + HOUR
    assert begun(last.claimed(NOW + HOUR)).state == "ended"


def test_a_pause_drops_what_waits_and_nothing_is_made_up_for_after_it() -> None:
    paused = hourly(overlap="queue").claimed(NOW).put_off().stopped("gone", "schedule_owner_gone")
    assert (paused.state, paused.reason, paused.pending, paused.look_at) == ("paused", "gone", None, NEVER)
    on = paused.started(NOW + 10.5 * HOUR)
    assert (on.state, on.reason, on.code, on.next_at) == ("active", "", "", NOW + 11 * HOUR)


def test_what_is_asked_for_by_hand_is_looked_at_at_once_also_while_it_is_paused() -> None:
    asked = hourly().stopped().asked(NOW + 5)
    assert (asked.state, asked.look_at) == ("paused", 0.0)
    assert begun(asked).state == "paused"
    assert begun(hourly().asked(NOW - 5)).next_at == NOW


def test_only_the_last_firings_are_kept() -> None:
    schedule = hourly()
    for _ in range(MOST_FIRINGS + 3):
        schedule = begun(schedule.claimed(schedule.next_at), "done")
    assert len(schedule.firings) == MOST_FIRINGS
    assert schedule.firings[0].due > schedule.firings[-1].due
    assert schedule.fired == MOST_FIRINGS + 3


def test_the_end_of_a_run_is_learned_once() -> None:
    schedule = begun(hourly().claimed(NOW))
    run = schedule.firings[0].run
    ended = schedule.with_outcome(run, "error", "no key")
    assert (ended.firings[0].outcome, ended.firings[0].text) == ("error", "no key")
    assert ended.with_outcome(run, "done", "") == ended
    assert begun(schedule.claimed(NOW + HOUR)).learned(ended).firings[1].outcome == "error"


def test_a_next_time_that_a_zone_no_longer_has_is_fired_all_the_same() -> None:
    moved = Schedule("sch_1", "", "/p", "go", Timing(cron="0 9 * * *"), next_at=NOW)
    claimed = moved.claimed(NOW + 1)
    assert claimed.pending is not None
    assert claimed.pending.due == NOW


def test_a_change_of_words_leaves_the_times_and_one_of_times_finds_them_again() -> None:
    made = new_schedule("ann", "/p", {"prompt": "go", "every": "1h"}, NOW)
    assert edited(made, {"prompt": "stop", "name": "x"}, NOW + 50) == replace(made, prompt="stop", name="x")
    moved = edited(made, {"cron": "0 9 * * *", "time_zone": "Asia/Tokyo"}, NOW + 50)
    assert (moved.timing.cron, moved.timing.zone, moved.timing.every) == ("0 9 * * *", "Asia/Tokyo", 0)
    assert moved.next_at > NOW + 50
    paused = edited(made, {"paused": True}, NOW)
    assert edited(paused, {"every": "2h"}, NOW).state == "paused"
    assert edited(paused, {"every": "2h", "paused": False}, NOW).next_at == NOW + 2 * HOUR


def test_a_schedule_at_its_end_goes_on_with_a_later_end() -> None:
    made = new_schedule("ann", "/p", {"prompt": "go", "every": "1h", "most": 1}, NOW)
    over = begun(made.claimed(made.next_at))
    assert over.state == "ended"
    assert edited(over, {"most": 0}, NOW + 10 * HOUR).next_at == NOW + 11 * HOUR


@pytest.mark.parametrize(
    "fields", [{"prompt": " \n"}, {"session": "ses_1", "overlap": "allow"}, {"until": "in 30m"}, {"cron": "* *"}]
)
def test_a_change_that_makes_no_sense_is_refused(fields: dict[str, str]) -> None:
    made = new_schedule("ann", "/p", {"prompt": "go", "every": "1h"}, NOW)
    with pytest.raises(ConfigError):
        edited(made, fields, NOW)


def test_never_is_later_than_any_time_that_can_be_asked_for() -> None:
    assert NOW + 10 * 366 * 24 * HOUR < NEVER < math.inf
