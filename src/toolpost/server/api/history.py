"""The messages of a session as they are stored, page by page, with what a client needs to follow it from there."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.open_runs import OpenRunLook
from toolpost.server.chat.session_settings import settings_of
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.server.users import User
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import ToolpostError
from toolpost.types.events import PermissionAsked, QuestionAsked
from toolpost.types.messages import Message

from .prompts import WaitingPrompt, waiting_prompts
from .session_view import SESSION_ID, SessionView, shown, stored

MAX_MESSAGES = 200


class HistoryQuery(Struct, frozen=True):
    at: Annotated[
        str, Meta(max_length=200, description="The last message of the page; by default that of the current branch")
    ] = ""
    limit: Annotated[int, Meta(ge=1, le=MAX_MESSAGES, description="The maximum number of messages")] = 60


class History(Struct, frozen=True):
    """The messages of a branch, as events have them, the oldest first, also those before a summary. The page before
    ends `at` the `parent_id` of the first; null is the beginning. Follow the session with its events after `after`:
    these have what is not stored yet of the last message. `asks` and `questions` are open, `prompts` wait. The next run
    uses `model`, which takes `window` tokens, and `agent`; empty where the settings name something that is gone."""

    session: SessionView
    messages: list[Message]
    after: int
    asks: tuple[PermissionAsked, ...]
    questions: tuple[QuestionAsked, ...]
    prompts: tuple[WaitingPrompt, ...]
    model: str
    window: int | None
    agent: str


def routes(conversations: Conversations) -> list[Route]:
    async def history(request: Request) -> None:
        info, look = await _at_one_moment(conversations, request.params["id"], request.user)
        asked = request.query_as(HistoryQuery)
        messages = await conversations.store.last_messages(info.id, asked.at or info.head, asked.limit)
        model, window, agent = _next_run(conversations, info, request.user)
        found = History(
            shown(info, look.state),
            messages,
            _after(info),
            look.waiting.asks,
            look.waiting.questions,
            waiting_prompts(info),
            model,
            window,
            agent,
        )
        await request.reply_json(found)

    doc = Doc(
        "List the messages of a branch as they are stored",
        "sessions",
        query=HistoryQuery,
        gives=History,
        params=SESSION_ID,
    )
    return [Route("GET", "/api/sessions/{id}/history", history, doc)]


async def _at_one_moment(conversations: Conversations, session_id: str, user: User) -> tuple[SessionInfo, OpenRunLook]:
    """Return a session and what it does. Its run may end between the two: who is told that it works, and gets no event
    of that any more, would wait for ever."""
    info = await stored(conversations, session_id, user)
    look = await conversations.look(info)
    if info.open_run is not None and look.state == "idle":
        info = await stored(conversations, session_id, user)
    return info, look if info.open_run is not None else OpenRunLook()


def _after(info: SessionInfo) -> int:
    """Return the event before the first one that the stored messages do not tell of."""
    return info.seq if info.open_run is None else max(0, info.open_seq - 1, info.run_seq - 1)


def _next_run(conversations: Conversations, info: SessionInfo, user: User) -> tuple[str, int | None, str]:
    try:
        setup = conversations.setup(user, settings_of(info))
    except (Refusal, ToolpostError):
        return "", None, ""
    return setup.model.info.id, setup.model.info.context_window, setup.agent
