"""A position in many sessions: what it says is what was given, however it is carried about and shortened."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from toolpost.server.api.event_feed import FEW, Cursor
from toolpost.server.refusals import BadRequest
from toolpost.types.events import Settled

START = 1_000_000.0
SLACK = 60.0
moments = st.lists(st.tuples(st.integers(0, 9), st.floats(0.001, 30), st.booleans()), max_size=40)


@given(moments)
def test_a_reader_that_comes_again_after_any_event_has_exactly_the_rest_before_it(
    happened: list[tuple[int, float, bool]],
) -> None:
    """Sessions move one after another; the position is shortened where it can be, and read again where `lost`."""
    cursor, now, seqs, events = Cursor(round(START * 1e6)), START, dict[int, int](), list[Settled]()
    for session, later, lost in happened:
        now += later
        seqs[session] = seqs.get(session, 0) + 1
        event = Settled(seqs[session], f"session {session}", now)
        events.append(event)
        assert not cursor.is_past(event)
        cursor.move(event)
        cursor.forget(round((now - SLACK) * 1e6), busy=())
        if lost:
            cursor = Cursor.read(str(cursor), round(now * 1e6))
        assert all(cursor.is_past(given) for given in events)
        upcoming = [Settled(seqs.get(one, 0) + 1, f"session {one}", now + 0.001) for one in range(10)]
        assert not any(cursor.is_past(event) for event in upcoming)


def test_the_position_stays_short_while_sessions_come_and_go() -> None:
    cursor, now = Cursor(round(START * 1e6)), START
    for number in range(1_000):
        now += 10.0
        cursor.move(Settled(1, f"session {number}", now))
        cursor.forget(round((now - SLACK) * 1e6), busy=())
    assert len(str(cursor)) < 200
    assert not cursor.is_long
    assert FEW > SLACK / 10.0


def test_a_session_that_is_still_read_is_not_forgotten() -> None:
    """What it has to give may be older than what others gave already."""
    cursor = Cursor(round(START * 1e6))
    cursor.move(Settled(1, "slow", START + 1))
    cursor.move(Settled(1, "quick", START + 100))
    cursor.forget(round((START + 50) * 1e6), busy=["slow"])
    assert not cursor.is_past(Settled(2, "slow", START + 2))
    cursor.forget(round((START + 60) * 1e6), busy=["unread"])
    assert not cursor.is_past(Settled(1, "unread", START + 55))


@pytest.mark.parametrize("text", ["x", "1~", "~", "1~abc:1", "1~aaaaaaaaaaaa:", "1~aaaaaaaaaaaa:x", "-1", "1\n", "٣"])
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        Cursor.read(text, round(START * 1e6))
