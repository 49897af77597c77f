"""Runs that kill the process that drives them: given up in the end, so that others can go on."""

import pytest
from workers import Workers, over, submitted

from toolpost.engine.recovery import MAX_DEATHS, SUSPECT_DEATHS
from toolpost.store.contract import Store


async def test_a_run_whose_tool_kills_its_process_is_given_up_and_others_go_on(workers: Workers, store: Store) -> None:
    deadly = await submitted(store, "die " * (MAX_DEATHS + 1))
    for _ in range(2):
        await (await workers.start()).ended()
    other = await submitted(store, "hold work")
    for _ in range(2, MAX_DEATHS):
        await (await workers.start()).ended()
    last = await workers.start()
    last.tell("go")
    left = await over(store, deadly)
    left.check(workers.effects)
    (end,) = [event for event in left.events if event.type == "run_end"]
    assert (end.reason, end.error.code) == ("error", "given_up")
    assert end.error.message == f"{MAX_DEATHS} processes died while they drove this run, so it was given up"
    assert left.states == ["interrupted"] * MAX_DEATHS
    others = await over(store, other)
    others.check(workers.effects)
    assert others.events[-2].reason == "done"


async def test_those_that_were_driven_beside_it_are_not_given_up(workers: Workers, store: Store) -> None:
    """Each death counts for all that the process held, until they are suspects: then each is driven without the
    others."""
    deadly = await submitted(store, "fall " * (MAX_DEATHS + 1))
    neighbours = [await submitted(store, "hold " * (MAX_DEATHS + 1)) for _ in range(3)]
    for deaths in range(MAX_DEATHS):
        worker = await workers.start()
        if deaths < SUSPECT_DEATHS:
            await worker.hears("falling")
            for neighbour in neighbours:
                await worker.event("tool_execution_start", neighbour.session_id)
        else:
            # Which of them comes first is open; what nobody suspects goes on beside it.
            fresh = await over(store, await submitted(store, "work"))
            assert fresh.events[-2].reason == "done"
        worker.tell("go")
        await worker.ended()
    last = await workers.start()
    last.tell("go")
    assert (await over(store, deadly)).events[-2].error.code == "given_up"
    for neighbour in neighbours:
        left = await over(store, neighbour)
        left.check(workers.effects)
        assert left.events[-2].reason == "done"
        assert left.states.count("interrupted") == SUSPECT_DEATHS


@pytest.mark.parametrize("place", ["opens", "prepares"])
async def test_one_that_kills_it_before_it_goes_on_is_given_up_too(workers: Workers, store: Store, place: str) -> None:
    """A history that takes all memory, say, or a server of MCP that does."""
    deadly = await submitted(store, "work")
    for _ in range(MAX_DEATHS):
        await (await workers.start(deadly=place)).ended()
    await workers.start(deadly=place)
    left = await over(store, deadly)
    assert left.events[-2].error.code == "given_up"
    assert left.kinds["run_start"] == left.kinds["run_end"] == 1
    assert [message.text for message in left.branch] == ["work"]
