"""Sessions as the API shows them, and limits of the fields that it accepts."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from toolpost.engine.model_options import check_option_names
from toolpost.engine.state import State
from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.session_settings import settings_of
from toolpost.server.refusals import BadRequest
from toolpost.server.users import User
from toolpost.store.contract import SessionInfo
from toolpost.types.messages import Usage

MAX_RESULTS = 500
MAX_OPTION_BYTES = 20_000

Limit = Annotated[int, Meta(ge=1, le=MAX_RESULTS, description="The maximum number of results")]
Title = Annotated[str, Meta(max_length=500)]
Name = Annotated[str, Meta(max_length=200)]
Names = Annotated[tuple[Name, ...], Meta(max_length=500)]
SystemText = Annotated[str, Meta(max_length=200_000)]
Text = Annotated[str, Meta(min_length=1, max_length=1_000_000)]
MessageId = Annotated[str, Meta(min_length=1, max_length=200)]
Seq = Annotated[int, Meta(ge=0, le=2**53, description="Only events with a greater `seq`")]

SESSION_ID = {"id": "The session's id"}


class SessionView(Struct, frozen=True, kw_only=True):
    """`model`, `agent`, `system`, `variant`, `options` and `switched_off` are the settings of this session; empty
    values are decided by the server. `last_model` answered last. `head` is the message that the next one follows, `seq`
    the last stored event; `parent` is the session that started this sub-agent. `state` is that of its run: `queued` and
    `waiting` ones are parked or go on soon, an `interrupted` one goes on when it is resumed."""

    id: str
    title: str
    created: float
    updated: float
    model: str
    agent: str
    system: str
    variant: str
    options: dict[str, Any]
    switched_off: tuple[str, ...]
    pinned: bool
    last_model: str
    is_running: bool
    state: State
    waiting: int
    head: str | None
    seq: int
    forked_from: str | None
    parent: str | None
    usage: Usage
    cost: float | None


def shown(info: SessionInfo, state: State = "idle") -> SessionView:
    chosen = settings_of(info)
    return SessionView(
        id=info.id,
        title=info.title,
        created=info.created,
        updated=info.updated,
        model=chosen.model,
        agent=chosen.agent,
        system=chosen.system,
        variant=chosen.variant,
        options=chosen.options,
        switched_off=chosen.switched_off,
        pinned=chosen.pinned,
        last_model=info.model,
        is_running=goes_on(state),
        state=state,
        waiting=len(info.inbox),
        head=info.head,
        seq=info.seq,
        forked_from=info.forked_from,
        parent=info.parent,
        usage=info.usage,
        cost=info.cost,
    )


async def stored(conversations: Conversations, session_id: str, user: User) -> SessionInfo:
    """Return a session of the user, after everything that has happened in it here is stored."""
    info = await conversations.info(session_id, user)
    conversation = conversations.open.get(session_id)
    if conversation is None or not conversation.runs_here:
        return info
    await conversation.session.save()
    return await conversations.info(session_id, user)


async def shown_now(conversations: Conversations, info: SessionInfo) -> SessionView:
    """Return a session and what it is doing now."""
    return shown(info, await conversations.state(info))


def goes_on(state: State) -> bool:
    """Whether there is something to follow, or to answer."""
    return state not in ("idle", "interrupted")


def check_options(options: dict[str, Any]) -> None:
    """Refuse options that cannot be stored, are too large, or have unknown names."""
    check_option_names(options)
    try:
        size = len(msgspec.json.encode(options))
    except (OverflowError, ValueError, msgspec.MsgspecError) as error:
        raise BadRequest(f"options cannot be stored: {error}") from None
    if size > MAX_OPTION_BYTES:
        raise BadRequest(f"options must not be larger than {MAX_OPTION_BYTES:,} bytes, not {size:,}")
