"""Any run, killed anywhere and more than once, ends as it would have without: as if one process had done it all."""

import itertools
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from play_child import Order
from played import Nursery, Outcome, played
from plays import Place, Script

from toolpost.engine.recovery import MAX_DEATHS
from toolpost.store import open_store

KINDS = ("before write", "after write", "tool begins", "tool ends", "request", "delta")
EXAMPLES = 40
# It is processes that die here, not disks.
MEMORY = Path("/dev/shm") if Path("/dev/shm").is_dir() else None

tools = st.sampled_from(["work", "serial", "look", "put", "careful", "question"])
turns = st.lists(st.lists(tools, min_size=1, max_size=3), max_size=3)
deaths = st.lists(st.builds(Place, st.sampled_from(KINDS), st.integers(1, 12)), min_size=1, max_size=MAX_DEATHS - 1)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    made, sent = draw(turns), draw(turns)
    if sent:
        # One sub-agent: those of several would make the same calls.
        made.insert(draw(st.integers(0, len(made))), [draw(tools), "task"])
    places = st.none() | st.integers(0, len(made))
    asks = draw(st.lists(st.sampled_from(["work", "serial"]), unique=True))
    return Script(made, sent, asks, draw(st.booleans()), draw(places), draw(places))


@pytest.mark.timeout(600)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(script=scripts(), places=deaths, submits=st.booleans())
async def test_a_run_ends_as_it_would_have_without_deaths(
    nursery: Nursery, script: Script, places: list[Place], submits: bool
) -> None:
    whole, _ = await one(nursery, script, [], submits=submits)
    killed, cut_off = await one(nursery, script, places, submits=submits)
    assert killed.story == whole.story
    assert killed.results == {key: value for key, value in whole.results.items() if key in killed.results}
    assert len(whole.results) - len(killed.results) <= cut_off


async def one(nursery: Nursery, script: Script, places: list[Place], *, submits: bool) -> tuple[Outcome, int]:
    """What is left of it, and how many calls its deaths can have cut off at most."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        play = msgspec.json.encode(script).decode()
        order = Order(play, f"{folder}/t.db", folder, submits=submits)
        ended = await played(nursery, order, places)
        store = open_store(order.store)
        outcome = await Outcome(play, folder).read(store)
        await store.close()
        outcome.check()
        return outcome, ended.count("killed") * max(map(len, itertools.chain(script.turns, script.sent)), default=0) * 2
