"""List and answer the open asks and questions of a user's sessions."""

import logging
from typing import Annotated, Any

from msgspec import Meta, Struct

from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.server.users import User
from toolpost.types.errors import MessageNotFound, SessionNotFound
from toolpost.types.events import PermissionAsked, Question, QuestionAsked, Reply

log = logging.getLogger("toolpost.server")

# Sessions that run were changed last, so they are among the first.
MAX_SESSIONS = 500
MAX_ANSWER = 100_000

Text = Annotated[str, Meta(max_length=MAX_ANSWER)]


class OpenAsk(Struct, frozen=True):
    """`always` are the patterns that the reply "always" would save. If a sub-agent asks, `agent` is its name and
    `child` its session."""

    id: str
    session: str
    time: float
    permission: str
    patterns: tuple[str, ...]
    always: tuple[str, ...]
    title: str
    call: str
    details: dict[str, Any] | None
    agent: str
    child: str


class OpenQuestion(Struct, frozen=True):
    id: str
    session: str
    time: float
    questions: tuple[Question, ...]
    call: str
    agent: str
    child: str


class OpenAsks(Struct, frozen=True):
    asks: tuple[OpenAsk, ...]
    questions: tuple[OpenQuestion, ...]


class AskReply(Struct, frozen=True, forbid_unknown_fields=True):
    """`message` goes with "reject": the model reads it and continues. A reject without a message ends the run."""

    reply: Reply
    message: Text = ""


class QuestionReply(Struct, frozen=True, forbid_unknown_fields=True):
    """One text, or several options, for each question. Null dismisses the questions, which ends the run."""

    answers: Annotated[list[Text | list[Text]], Meta(max_length=100)] | None


def routes(conversations: Conversations) -> list[Route]:
    async def asks(request: Request) -> None:
        waiting = await _waiting(conversations, request.user)
        await request.reply_json(OpenAsks(tuple(map(_ask, waiting.asks)), tuple(map(_question, waiting.questions))))

    async def reply(request: Request) -> None:
        given, wanted = request.json(AskReply), request.params["id"]
        for asked in (await _waiting(conversations, request.user)).asks:
            if asked.ask_id == wanted:
                conversation = await conversations.find(asked.session_id, request.user)
                await conversation.reply(wanted, given.reply, given.message)
                await request.reply(status=204)
                return
        raise Refusal(
            "not_found", f"there is no open ask {wanted}: GET /api/asks lists your open asks", code="ask_closed"
        )

    async def answer(request: Request) -> None:
        given, wanted = request.json(QuestionReply), request.params["id"]
        for asked in (await _waiting(conversations, request.user)).questions:
            if asked.question_id == wanted:
                conversation = await conversations.find(asked.session_id, request.user)
                await conversation.answer(wanted, given.answers)
                await request.reply(status=204)
                return
        raise Refusal(
            "not_found",
            f"there is no open question {wanted}: GET /api/asks lists your open questions",
            code="question_closed",
        )

    listing = Doc("List open asks and questions", tag="permissions", gives=OpenAsks)
    replying = Doc("Reply to an ask", tag="permissions", takes=AskReply, status=204, params={"id": "The ask's id"})
    answering = Doc(
        "Answer a question", tag="permissions", takes=QuestionReply, status=204, params={"id": "The question's id"}
    )
    return [
        Route("GET", "/api/asks", asks, listing),
        Route("POST", "/api/asks/{id}", reply, replying),
        Route("POST", "/api/questions/{id}", answer, answering),
    ]


class _Waiting(Struct):
    asks: list[PermissionAsked] = []
    questions: list[QuestionAsked] = []


async def _waiting(conversations: Conversations, user: User) -> _Waiting:
    """Return the open asks and questions of the user's sessions, whichever process runs them. A sub-agent's are in the
    session that started it."""
    running = [
        conversation.id
        for conversation in conversations.open.values()
        if conversation.user.name == user.name and conversation.runs_here
    ]
    count = 0
    async for info in conversations.store.sessions(owner=user.name):
        count += 1
        if info.open_run is not None and info.parent is None:
            running.append(info.id)
        if count == MAX_SESSIONS:
            break
    found = _Waiting()
    for session_id in dict.fromkeys(running):
        try:
            conversation = await conversations.find(session_id, user)
            if not conversation.runs_here:
                # Opening it ends what a process that died has left: its asks wait for nobody.
                await conversation.session
            waiting = await conversation.waiting()
        except (MessageNotFound, SessionNotFound, Refusal) as error:
            # It was deleted meanwhile, or can't be opened: what others wait for can be answered all the same.
            log.warning("what session %s waits for can't be told: %s", session_id, error)
            continue
        found.asks += waiting.asks
        found.questions += waiting.questions
    return found


def _ask(asked: PermissionAsked) -> OpenAsk:
    return OpenAsk(
        asked.ask_id,
        asked.session_id,
        asked.time,
        asked.permission,
        asked.patterns,
        asked.always,
        asked.title,
        asked.call_id,
        asked.details,
        asked.agent,
        asked.child,
    )


def _question(asked: QuestionAsked) -> OpenQuestion:
    return OpenQuestion(
        asked.question_id, asked.session_id, asked.time, asked.questions, asked.call_id, asked.agent, asked.child
    )
