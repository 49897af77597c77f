"""Answer, stop and settle open runs that no process drives. Nothing is loaded for it: they stay rows in the store."""

import time
from collections.abc import AsyncIterator
from typing import Literal

from msgspec import structs

from toolpost.store.contract import SessionChanges, SessionInfo, Store
from toolpost.store.run_records import Holder, RunRecord, without_files
from toolpost.types.errors import RunStaysOpen, ToolpostError
from toolpost.types.events import Event, PermissionAsked, PermissionReplied, QuestionAsked, QuestionReplied, RunParked
from toolpost.types.text import clean

from .drive import RunTicket
from .permissions import Answer, check_reply
from .questions import Given, checked_answers
from .recovery import close_run
from .resume import answered, of_sub_agent
from .run_record import count_death
from .stored_sessions import leased

# What the sweeper says of a run whose process has died, where nobody goes on with it by himself.
SettledState = Literal["waiting", "interrupted"]


async def open_requests(
    store: Store, info: SessionInfo
) -> tuple[tuple[PermissionAsked, ...], tuple[QuestionAsked, ...]]:
    """The asks and questions of the open run that nobody has answered."""
    if info.open_run is None:
        return (), ()
    asks, questions = answered([event async for event in _events_of_step(store, info)])
    return (
        tuple(one.asked for one in asks if one.answer is None),
        tuple(one.asked for one in questions if not one.is_answered),
    )


async def answer_ask(store: Store, session_id: str, ask_id: str, answer: Answer) -> RunTicket:
    """Store the answer to an open ask, and let the run wait to be driven on. A reject answers every other open ask too.
    Raises `SessionBusy` where a process drives the run: that is who has to be told."""
    check_reply(answer)
    async with leased(store, session_id):
        info, record = await _open_run(store, session_id)
        asks, _ = await open_requests(store, info)
        asked = next((one for one in asks if one.ask_id == ask_id), None)
        if asked is None:
            raise ToolpostError(f"no open ask {ask_id}: it was answered already, or its run has ended")
        closed = asks if answer.reply == "reject" else (asked,)
        replies: list[Event] = [
            PermissionReplied(
                info.seq + place, session_id, time.time(), one.ask_id, answer.reply, clean(answer.message)
            )
            for place, one in enumerate(closed, 1)
        ]
        return await _wake(store, info, record, replies)


async def answer_question(store: Store, session_id: str, question_id: str, given: Given) -> RunTicket:
    """Store the answers to an open question, or dismiss it with None, as `answer_ask` does."""
    async with leased(store, session_id):
        info, record = await _open_run(store, session_id)
        _, questions = await open_requests(store, info)
        asked = next((one for one in questions if one.question_id == question_id), None)
        if asked is None:
            raise ToolpostError(f"no open question {question_id}: it was answered already, or its run has ended")
        answers = checked_answers(asked, given)
        replied = QuestionReplied(info.seq + 1, session_id, time.time(), question_id, answers or (), answers is None)
        return await _wake(store, info, record, [replied])


async def queue_run(store: Store, session_id: str) -> RunTicket:
    """Let an interrupted run wait to be driven on, because a person says so."""
    async with leased(store, session_id):
        info, record = await _open_run(store, session_id)
        if info.parent is not None:
            raise RunStaysOpen(of_sub_agent(info.parent))
        return await _wake(store, info, record, [])


async def stop_run(store: Store, session_id: str) -> bool:
    """End the open run as aborted. False if there is none; raises `SessionBusy` where a process drives it."""
    async with leased(store, session_id):
        info = await store.info(session_id)
        if info.open_run is None:
            return False
        await close_run(store, info, reason="aborted", error=None)
        return True


async def close_interrupted(store: Store, session_id: str) -> bool:
    """End the open run as one that lost its process, where nothing is to go on with it. False if it is none of these;
    raises `SessionBusy` where a process drives it."""
    async with leased(store, session_id):
        info, record = await store.info(session_id), await store.open_run(session_id)
        if record is None or record.state not in ("running", "interrupted"):
            return False
        await close_run(store, info)
        return True


async def withdraw_run(store: Store, ticket: RunTicket) -> None:
    """Take back a run that was stored and that no process has begun: its session is as it was before. Raises
    `SessionBusy` where one begins it now; one that has begun is left as it is."""
    async with leased(store, ticket.session_id):
        info, record = await store.info(ticket.session_id), await store.open_run(ticket.session_id)
        if record is not None and record.id == ticket.run_id and record.state == "queued" and not record.is_started:
            withdrawn = structs.replace(info, open_run=None, updated=time.time())
            await store.commit(SessionChanges(info.id, withdrawn, run=None, barrier=True))


async def settle_run(store: Store, found: RunRecord, state: SettledState, instead_of: Holder | None = None) -> None:
    """Note that nobody drives the run, and tell its subscribers. It goes on when a person says so. Does nothing where
    the run is no longer as it was found."""
    session_id = found.session_id
    async with leased(store, session_id, instead_of=instead_of):
        info, record = await _open_run(store, session_id)
        if without_files(record) != without_files(found):
            return
        record = structs.replace(count_death(record, info.updated), state=state, since=0.0)
        parked = RunParked(info.seq + 1, session_id, time.time(), record.id, state)
        changed = structs.replace(info, seq=parked.seq, updated=time.time())
        await store.commit(SessionChanges(session_id, changed, events=[parked], run=record, barrier=True))


def ticket_of(info: SessionInfo, record: RunRecord) -> RunTicket:
    return RunTicket(info.id, record.id, info.owner, record.agent, info.folder)


async def _open_run(store: Store, session_id: str) -> tuple[SessionInfo, RunRecord]:
    info, record = await store.info(session_id), await store.open_run(session_id)
    if info.open_run is None or record is None:
        raise ToolpostError(f"session {session_id} has no open run")
    return info, record


async def _wake(store: Store, info: SessionInfo, record: RunRecord, replies: list[Event]) -> RunTicket:
    """Store the answers, and let the run wait for a process."""
    record = structs.replace(count_death(record, info.updated), state="queued", since=0.0)
    changed = structs.replace(info, seq=info.seq + len(replies), updated=time.time())
    await store.commit(SessionChanges(info.id, changed, events=replies, run=record, barrier=True))
    return ticket_of(changed, record)


async def _events_of_step(store: Store, info: SessionInfo) -> AsyncIterator[Event]:
    async for event in store.events(info.id, max(0, info.open_seq - 1, info.run_seq - 1)):
        yield event
