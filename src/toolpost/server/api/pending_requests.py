"""List and answer the open asks and questions of a user's sessions."""

from contextlib import suppress
from typing import Annotated, Any

from msgspec import Meta, Struct

from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.open_runs import Waiting
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.server.users import User
from toolpost.store.run_records import RunState
from toolpost.types.errors import MessageNotFound, SessionNotFound
from toolpost.types.events import PermissionAsked, Question, QuestionAsked, Reply

MAX_REQUESTS = 500
# A run that its process has let go of may still wait for an answer.
ASKING: tuple[RunState, ...] = ("waiting", "running", "queued")
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

    def add(self, waiting: Waiting) -> None:
        self.asks += waiting.asks
        self.questions += waiting.questions


async def _waiting(conversations: Conversations, user: User) -> _Waiting:
    """Return the open asks and questions of the user's sessions, whichever process runs them, or none. A sub-agent's
    are in the session that started it."""
    found = _Waiting()
    store, folder = conversations.store, str(conversations.workspace.project)
    here = [one for one in conversations.open.values() if one.user.name == user.name and one.runs_here]
    for conversation in here:
        found.add(await conversation.waiting())
    known = {conversation.id for conversation in here}
    async for run in store.open_runs(states=ASKING, owner=user.name, folder=folder):
        if len(found.asks) + len(found.questions) >= MAX_REQUESTS:
            break
        if run.parent is None and run.record.is_started and run.record.session_id not in known:
            # It may have been deleted meanwhile.
            with suppress(SessionNotFound, MessageNotFound):
                found.add((await conversations.look(await store.info(run.record.session_id))).waiting)
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
