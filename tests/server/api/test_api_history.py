"""The messages of a session as they are stored, and the prompts that wait in it."""

import asyncio
from pathlib import Path

from api_play import talking
from resource_play import message_of, people

from toolpost.testing import Gate, pause, text


async def test_the_history_comes_as_it_is_stored_page_by_page_to_its_beginning(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done("one")
        await every.ann.prompt(session, "two")
        await every.ann.settled(session)
        path = f"/api/sessions/{session}/history"
        last = await every.ann.get(path, limit=3)
        first = await every.ann.get(path, at=last["messages"][0]["parent_id"], limit=3)
        stored = (await every.ann.get(f"/api/sessions/{session}/export"))["messages"]
        assert [*first["messages"], *last["messages"]] == stored
        assert [message["role"] for message in stored] == ["user", "assistant", "user", "assistant"]
        assert "parent_id" not in first["messages"][0]
        assert last["session"]["id"] == session
        assert (last["session"]["state"], last["after"]) == ("idle", last["session"]["seq"])
        assert (last["asks"], last["questions"], last["prompts"]) == ([], [], [])
        assert (last["model"], last["agent"]) == ("again/m", "build")
        await every.ann.get(path, at="nowhere", status=404)
        await every.ann.get(path, limit=201, status=400)


async def test_the_history_of_a_run_says_where_its_events_go_on(folder: Path) -> None:
    gate = Gate()
    async with people(folder, text("one two") + pause(gate) + text(" three")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        await gate.reached.wait()
        found = await every.ann.get(f"/api/sessions/{session}/history")
        assert found["session"]["state"] == "busy"
        events = (await every.ann.get(f"/api/sessions/{session}/events", after=found["after"]))["events"]
        said = "".join(event["text"] for event in events if event["type"] == "message_update")
        assert (events[0]["type"], said) == ("message_start", "one two")
        gate.open()
        await every.ann.settled(session)


async def test_only_the_owner_reads_the_history_and_the_prompts_that_wait(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done("mine")
        for end in ("history", "prompts"):
            refused = await every.bob.get(f"/api/sessions/{session}/{end}", status=404)
            assert message_of(refused).startswith("there is no session")
        await every.bob.delete(f"/api/sessions/{session}/prompts/prm_x", status=404)
        assert (await every.root.get(f"/api/sessions/{session}/history", status=404))["error"]


async def test_a_prompt_that_waits_is_listed_and_taken_back_once(folder: Path) -> None:
    gate = Gate()
    async with people(folder, text("one") + pause(gate), text("two")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session, "first")
        await asyncio.wait_for(gate.reached.wait(), 30)
        await every.ann.prompt(session, "second")
        await every.ann.prompt(session, "third")
        path = f"/api/sessions/{session}/prompts"
        waiting = (await every.ann.get(path))["prompts"]
        assert [(one["text"], one["steer"]) for one in waiting] == [("second", False), ("third", False)]
        assert await every.ann.delete(f"{path}/{waiting[0]['id']}", status=200) == {"text": "second"}
        assert await every.ann.delete(f"{path}/{waiting[0]['id']}", status=200) == {"text": None}
        gate.open()
        await every.ann.settled(session)
        assert (await every.ann.get(path))["prompts"] == []
        history = (await every.ann.get(f"/api/sessions/{session}/history"))["messages"]
        prompts = [message["parts"][0]["text"] for message in history if message["role"] == "user"]
        assert prompts == ["first", "third"]
