"""Whoever stops reading a session's events takes nothing from those who read on."""

import asyncio

from toolpost import Agent
from toolpost.store.contract import SessionChanges
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import Gate, ScriptedModel, pause, text


class SlowStore(SqliteStore):
    """Holds every commit up while it is `slow`."""

    def __init__(self, path) -> None:
        super().__init__(path)
        self.slow = False
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()

    async def commit(self, changes: SessionChanges) -> None:
        if self.slow:
            self.asked.set()
            await self.go_on.wait()
        await super().commit(changes)


async def test_a_reader_that_leaves_while_events_are_stored_hides_none_from_the_next_one(tmp_path) -> None:
    store, gate = SlowStore(tmp_path / "a.db"), Gate()
    with ScriptedModel(text("one ") + pause(gate) + text("two")) as model:
        session = await Agent(model, store=store).session()
        run = asyncio.create_task(session.run("hi"))
        await gate.reached.wait()
        store.slow = True
        leaving = asyncio.create_task(anext(session.events()))
        await store.asked.wait()
        leaving.cancel()
        reading = asyncio.create_task(_all(session.events()))
        store.slow = False
        gate.open()
        store.go_on.set()
        await run
        seen = await asyncio.wait_for(reading, 10)
        kept = [event.seq async for event in store.events(session.id)]
    await store.close()
    assert seen == kept == list(range(1, len(kept) + 1))


async def _all(events) -> list[int]:
    return [event.seq async for event in events]
