"""Look at the open run of a session without opening it: the store says what state it is in, and what it asks."""

from msgspec import Struct

from toolpost.engine.state import State
from toolpost.engine.unheld_runs import open_requests
from toolpost.store.contract import SessionInfo, Store
from toolpost.store.run_records import Holder, RunRecord
from toolpost.types.events import PermissionAsked, QuestionAsked


class Waiting(Struct, frozen=True):
    """Asks and questions that nobody has answered yet."""

    asks: tuple[PermissionAsked, ...] = ()
    questions: tuple[QuestionAsked, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.asks or self.questions)


class OpenRunLook(Struct, frozen=True):
    """What a session is doing. A run whose process has died is `interrupted`, until another one takes it up."""

    state: State = "idle"
    waiting: Waiting = Waiting()


async def look_at(store: Store, info: SessionInfo) -> OpenRunLook:
    if info.open_run is None:
        return OpenRunLook()
    record = await store.open_run(info.id)
    if record is None:
        # One of an older version: nobody can go on with it, and it is closed with the next prompt.
        return OpenRunLook()
    may_ask = record.is_started and record.state != "interrupted"
    waiting = Waiting(*await open_requests(store, info)) if may_ask else Waiting()
    if waiting:
        return OpenRunLook("waiting", waiting)
    return OpenRunLook(state_of(record, await store.holder(info.id) if record.state == "running" else None))


def state_of(record: RunRecord, holder: Holder | None) -> State:
    """What an open run is doing, without a look at what it asks."""
    if record.state != "running":
        return record.state
    return "busy" if holder is not None and holder.is_alive else "interrupted"


def id_of(asked: PermissionAsked | QuestionAsked) -> str:
    return asked.ask_id if isinstance(asked, PermissionAsked) else asked.question_id
