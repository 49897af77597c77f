"""Runs that kill the process that drives them: given up in the end, so that others can go on."""

import pytest
from workers import Workers, over, submitted

from toolpost.engine.recovery import MAX_DEATHS
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
