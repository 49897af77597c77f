"""Drive the open runs of this server: open the session of a run as its person, look for what others have left."""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

import msgspec

from toolpost.engine.drive import DriveOutcome, RunEngine, RunTicket
from toolpost.engine.local_driver import LocalDriver, LocalEngine
from toolpost.engine.session import Session
from toolpost.engine.sweeper import Sweeper
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.store.contract import SessionInfo, Signal
from toolpost.store.run_records import Holder, OpenRun, RunRecord
from toolpost.types.errors import SessionBusy, StoreError, ToolpostError

from .other_processes import StopSignal

if TYPE_CHECKING:
    from .conversations import Conversations

log = logging.getLogger("toolpost.server")

# The kind of process that goes on with the runs of this server by itself.
HOME = "server"
# An engine that was handed in looks after its runs itself; what it has left for so long is given to it again.
ENGINE_PATIENCE_SECONDS = 60.0

# The person of this name as they are now; None for somebody who may not use the server any more.
FindUser = Callable[[str], Awaitable[User | None]]


class ConversationDriver(LocalDriver):
    """Drives runs of users' sessions in this process, with the rights that their users have now."""

    def __init__(self, conversations: "Conversations", find_user: FindUser) -> None:
        super().__init__(conversations.store, self._session_of)
        self._conversations = conversations
        self._find_user = find_user

    async def drive(self, session_id: str, run_id: str, *, instead_of: Holder | None = None) -> DriveOutcome:
        with self._conversations.driven(session_id):
            return await super().drive(session_id, run_id, instead_of=instead_of)

    async def cancel(self, session_id: str, run_id: str) -> None:
        try:
            await super().cancel(session_id, run_id)
        except SessionBusy:
            # Another process drives it, and has to know before it is looked again.
            await self._conversations.store.signal(Signal(session_id, msgspec.json.encode(StopSignal())))
            raise

    async def _session_of(self, info: SessionInfo, record: RunRecord) -> Session:
        if info.folder != str(self._conversations.workspace.project):
            raise SessionBusy(f"session {info.id} belongs to {info.folder}: its run goes on there")
        user = await self._find_user(info.owner)
        if user is None and info.owner and not self._conversations.knows_people:
            # Another server of this store does: it is not for this one to end it.
            raise SessionBusy(f"this server knows no user {info.owner}: another one goes on with the run")
        if user is None or "use" not in user.rights:
            raise ToolpostError("the person who started this run may not use this server any more")
        try:
            conversation = await self._conversations.find(info.id, user)
            return await conversation.take_up(record)
        except Refusal as refusal:
            if refusal.kind == "overloaded":
                # There is no place for it now, which is no reason to end it.
                raise SessionBusy(refusal.message) from refusal
            raise ToolpostError(refusal.message) from refusal


class PatientEngine:
    """An engine that may be out of reach. What a run is and what was answered is in the store, so nobody has to be told
    of it: the sweeper gives the run to the engine again."""

    def __init__(self, engine: RunEngine) -> None:
        self._engine = engine

    async def submit(self, ticket: RunTicket, *, delay: float = 0.0) -> None:
        await self._tried(self._engine.submit(ticket, delay=delay), ticket)

    async def wake(self, ticket: RunTicket) -> None:
        await self._tried(self._engine.wake(ticket), ticket)

    async def cancel(self, ticket: RunTicket) -> None:
        await self._tried(self._engine.cancel(ticket), ticket)

    async def close(self) -> None:
        await self._engine.close()

    async def _tried(self, work: Coroutine[Any, Any, None], ticket: RunTicket) -> None:
        try:
            await work
        except StoreError:
            raise
        except ToolpostError as error:
            log.warning("the engine could not be told of run %s now: %s", ticket.run_id, error)


def sweeper_of(conversations: "Conversations", own: LocalEngine | None) -> Sweeper:
    """What looks for runs that nobody drives any more. Those of this folder's server are given to the engine."""
    folder = str(conversations.workspace.project)

    async def submit(ticket: RunTicket, *, instead_of: Holder | None = None) -> None:
        if own is not None:
            await own.submit(ticket, instead_of=instead_of)
            return
        # An engine that has it waits for an answer, perhaps for one that it was not told of.
        record = await conversations.store.open_run(ticket.session_id)
        is_started = record is not None and record.is_started
        await (conversations.engine.wake(ticket) if is_started else conversations.engine.submit(ticket))

    def can_drive(found: OpenRun) -> bool:
        return found.record.home == HOME and found.folder == folder

    patience = 0.0 if own is not None else ENGINE_PATIENCE_SECONDS
    return Sweeper(conversations.store, conversations.workspace.config.resume, submit, can_drive, patience=patience)
