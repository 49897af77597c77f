"""What becomes of a run whose process has died: it goes on, waits for a person, or is closed, as the policy says."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from play_child import Order
from played import Nursery, Outcome, answer_all
from plays import PLAYS, Place

from toolpost import Agent, tool
from toolpost.engine import sweeper as sweeper_module
from toolpost.engine.recovery import MAX_DEATHS
from toolpost.engine.sweeper import Sweeper
from toolpost.engine.unheld_runs import queue_run, stop_run
from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.store.run_records import RunRecord
from toolpost.testing import ScriptedModel, call


@pytest.fixture
def store_place(memory_folder: Path) -> str:
    return str(memory_folder / "t.db")


def order(play: str, memory_folder: Path, death: Place = Place()) -> Order:  # noqa: B008 - a frozen value
    assert play in PLAYS
    return Order(play, str(memory_folder / "t.db"), str(memory_folder), death)


async def the_run(store: Store):
    (found,) = [one async for one in store.open_runs()]
    return found


async def test_with_the_policy_ask_a_person_lets_it_go_on(nursery: Nursery, memory_folder: Path, store: Store) -> None:
    assert await nursery.carry_out(order("parallel", memory_folder, Place("tool begins", 4))) == "killed"
    before = await the_run(store)
    assert (before.record.state, before.holder.is_alive) == ("running", False)
    await Sweeper(store, "ask", _never, lambda found: True).sweep()
    found = await the_run(store)
    assert (found.record.state, found.holder, found.record.deaths) == ("interrupted", None, 1)
    (*_, parked) = [event async for event in store.events(found.record.session_id)]
    assert (parked.type, parked.reason) == ("run_parked", "interrupted")
    # Nobody looks at it again by himself.
    await Sweeper(store, "ask", _never, lambda found: True).sweep()
    assert await the_run(store) == found
    await queue_run(store, found.record.session_id)
    assert await nursery.carry_out(order("parallel", memory_folder)) == "done"
    outcome = await Outcome("parallel", str(memory_folder)).read(store)
    outcome.check()


async def test_where_nobody_can_drive_it_what_it_asked_can_still_be_answered(
    nursery: Nursery, memory_folder: Path, store: Store
) -> None:
    assert await nursery.carry_out(order("asking", memory_folder, Place("parks", 1))) == "killed"
    await Sweeper(store, "auto").sweep()
    assert (await the_run(store)).record.state == "waiting"
    await answer_all(str(memory_folder / "t.db"))
    assert (await the_run(store)).record.state == "queued"
    assert await nursery.carry_out(order("asking", memory_folder)) == "done"
    outcome = await Outcome("asking", str(memory_folder)).read(store)
    outcome.check()


async def test_with_the_policy_never_it_is_closed(nursery: Nursery, memory_folder: Path, store: Store) -> None:
    assert await nursery.carry_out(order("parallel", memory_folder, Place("tool begins", 4))) == "killed"
    session_id = (await the_run(store)).record.session_id
    await Sweeper(store, "never", _never, lambda found: True).sweep()
    assert [one async for one in store.open_runs()] == []
    *_, end, settled = [event async for event in store.events(session_id)]
    assert (end.type, end.reason, end.error.code, settled.type) == ("run_end", "error", "interrupted", "settled")


async def test_a_sub_agent_that_waits_is_closed_once_the_run_that_sent_it_is_gone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    @tool
    async def work() -> str:
        """Work."""
        return ""

    helper = Agent(ScriptedModel(call("work")), [work], name="helper", permissions={"work": "ask"})
    sent = call("task", {"description": "do it", "prompt": "work", "agent": "helper"})
    session = Agent(ScriptedModel(sent), agents=[helper], store=store, interactive=True, park_seconds=0.0).session()
    assert (await session.run("go")).reason == "parked"
    await stop_run(store, session.id)
    assert (await the_run(store)).parent == session.id
    monkeypatch.setattr(sweeper_module, "ORPHAN_SECONDS", 0.0)
    await Sweeper(store, "auto").sweep()
    assert [one async for one in store.open_runs()] == []


@pytest.mark.parametrize("column", ["open_run.body", "open_run.files", "session.info"])
async def test_one_run_that_cannot_be_read_stops_no_look_at_the_others(
    store_place: str, store: Store, column: str
) -> None:
    for number, session_id in enumerate(("broken", "whole"), 1):
        await store.create(SessionInfo(session_id, open_run="run"))
        # The sweeper closes a run that is given up, and has to read all of it for that.
        record = RunRecord("run", session_id, is_started=True, began=float(number), deaths=MAX_DEATHS)
        await store.commit(SessionChanges(session_id, run=record))
    table, name = column.split(".")
    with contextlib.closing(sqlite3.connect(store_place)) as connection, connection:
        which = "key" if table == "session" else "session"
        connection.execute(f"UPDATE {table} SET {name} = '{{' WHERE {which} = (SELECT min(key) FROM session)")
    await Sweeper(store, "auto", _never, lambda found: True).sweep()
    assert await store.open_run("whole") is None


async def _never(*arguments: object, **options: object) -> None:
    raise AssertionError("a run was submitted")
