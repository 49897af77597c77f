"""Runs that wait for a person are rows: however many there are, a worker holds nothing for them."""

from parked import park_many
from workers import Workers

from toolpost.engine.permissions import Answer
from toolpost.engine.unheld_runs import answer_ask, open_requests
from toolpost.store.contract import Store

MANY = 10_000
MEMORY_KIB = 4 * 1024


async def test_ten_thousand_parked_runs_hold_no_memory_and_an_answer_wakes_one_of_them(
    workers: Workers, store: Store
) -> None:
    worker = await workers.start()
    worker.tell("memory")
    before = await worker.hears("memory")
    parked = await park_many(store, MANY)
    worker.said.clear()
    await worker.sweep()
    worker.tell("memory")
    after = await worker.hears("memory")
    assert after["kib"] - before["kib"] < MEMORY_KIB
    chosen = parked[MANY // 2]
    ((asked,), _) = await open_requests(store, await store.info(chosen))
    await answer_ask(store, chosen, asked.ask_id, Answer("once"))
    await worker.event("settled")
    assert {said["session"] for said in worker.said if "session" in said} == {chosen}
    assert len([found async for found in store.open_runs(states=("waiting",))]) == MANY - 1
