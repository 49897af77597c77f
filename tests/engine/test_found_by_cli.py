"""Bugs of the engine that the command line met, each as the behaviour that was missing."""

import asyncio

from toolpost import Agent, Answer, MemoryStore, tool
from toolpost.testing import ScriptedModel, call, calls, text
from toolpost.types.events import ToolExecutionStart


class SlowDisk(MemoryStore):
    """A durable store that needs a while for every commit, as a disk does."""

    def __init__(self):
        super().__init__()
        self.on_disk = set()

    @property
    def durable(self):
        return True

    async def commit(self, changes):
        for _ in range(20):
            await asyncio.sleep(0)
        await super().commit(changes)
        self.on_disk |= {event.call_id for event in changes.events if isinstance(event, ToolExecutionStart)}


async def test_each_of_two_parallel_calls_begins_only_after_its_start_is_on_disk():
    """The flush of the second found nothing unsaved, because the first had taken its event along, and did not wait."""
    store, safe = SlowDisk(), {}

    @tool
    async def work(name: str) -> str:
        """Do some work."""
        safe[name] = name in store.on_disk
        return "done"

    both = calls(call("work", {"name": "c1"}, id="c1"), call("work", {"name": "c2"}, id="c2"))
    with ScriptedModel(both, text("ok")) as model:
        await Agent(model, [work], store=store).run("go")
    assert safe == {"c1": True, "c2": True}


async def test_a_call_that_a_person_rejected_with_a_word_is_not_counted_as_denied_by_the_headless_policy():
    @tool
    async def work() -> str:
        """Do some work."""
        return "done"

    async def answer(ask):
        return Answer("reject", "do it another way")

    with ScriptedModel(call("work"), text("ok")) as model:
        result = await Agent(model, [work], permissions={"work": "ask"}, on_ask=answer).run("go")
    assert result.reason == "done"
    assert result.denied == ()
