"""Make a store full of parked runs: one is real, the others are copies of it."""

import asyncio
from typing import NamedTuple

from msgspec.structs import replace

from toolpost import Agent, tool
from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.store.run_records import RunRecord
from toolpost.testing import ScriptedModel, calls
from toolpost.testing import call as called
from toolpost.types.events import Event
from toolpost.types.messages import Message

AT_ONCE = 1_000


async def park_many(store: Store, count: int) -> list[str]:
    """Let so many runs wait for a person, and give their sessions."""

    @tool
    async def asked(n: int) -> str:
        """Work that a person has to allow."""
        return f"did {n}"

    turn = calls(called("asked", {"n": 1}, id="c1"))
    agent = Agent(
        ScriptedModel(turn), [asked], store=store, permissions={"asked": "ask"}, interactive=True, park_seconds=0.0
    )
    session = agent.session()
    assert (await session.run("asked")).reason == "parked"
    original = Parked(
        await store.info(session.id),
        await store.open_run(session.id),
        [message async for message in store.messages(session.id)],
        [event async for event in store.events(session.id)],
    )
    copies = [session.id]
    for start in range(1, count, AT_ONCE):
        made = [f"ses_copy{n}" for n in range(start, min(start + AT_ONCE, count))]
        await asyncio.gather(*(original.copy(store, session_id) for session_id in made))
        copies += made
    return copies


class Parked(NamedTuple):
    info: SessionInfo
    record: RunRecord
    messages: list[Message]
    events: list[Event]

    async def copy(self, store: Store, session_id: str) -> None:
        await store.create(SessionInfo(session_id))
        run = replace(self.record, id=f"run_{session_id}", session_id=session_id)
        info = replace(self.info, id=session_id, open_run=run.id)
        events = [replace(event, session_id=session_id) for event in self.events]
        await store.commit(SessionChanges(session_id, info, self.messages, events, run=run))
