"""Control the runs of a session: stop, resume, branches, forks, compaction and status."""

from typing import Any

from msgspec import Struct, structs

from toolpost.engine.state import State
from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route

from .session_view import SESSION_ID, MessageId, SessionView, shown, shown_now


class BranchChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The message that the next one follows; null is before the first. With `below` it is the end of the newest branch
    below that message, which switches from one version to another."""

    at: MessageId | None
    below: bool = False


class NewFork(Struct, frozen=True, forbid_unknown_fields=True):
    """The last message of the copy; null copies the whole current branch."""

    at: MessageId | None = None


class Compacted(Struct, frozen=True):
    """False if there was nothing to summarise."""

    is_compacted: bool


class SessionStatus(Struct, frozen=True):
    """`run_seq` is the event that began the run, `seq` the last stored event. `asks` and `questions` wait for a person;
    `retry_at` is when a failed step is tried again. A `queued` run is stored, and a process takes it up; one that is
    `interrupted` lost its process, and goes on when it is resumed."""

    state: State
    run: str | None
    run_seq: int
    seq: int
    asks: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    retry_at: float | None = None


def routes(conversations: Conversations) -> list[Route]:
    runs = _Runs(conversations)

    def doc(summary: str, **fields: Any) -> Doc:
        return Doc(summary, "sessions", params=SESSION_ID, **fields)

    stopped = doc("Stop the run; what was said is stored", gives=SessionView, errors=(409,))
    resumed = doc("Let a run that was interrupted go on", gives=SessionView, status=202, errors=(409,))
    branched = doc("Continue from another message", takes=BranchChange, gives=SessionView, errors=(409,))
    forked = doc("Copy a session up to a message", takes=NewFork, gives=SessionView, status=201)
    compacted = doc("Summarise the current branch", gives=Compacted, errors=(409,))
    return [
        Route("POST", "/api/sessions/{id}/stop", runs.stop, stopped),
        Route("POST", "/api/sessions/{id}/resume", runs.resume, resumed),
        Route("POST", "/api/sessions/{id}/branch", runs.branch, branched),
        Route("POST", "/api/sessions/{id}/fork", runs.fork, forked),
        Route("POST", "/api/sessions/{id}/compact", runs.compact, compacted),
        Route("GET", "/api/sessions/{id}/status", runs.status, doc("Get the status of a session", gives=SessionStatus)),
    ]


class _Runs:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    async def stop(self, request: Request) -> None:
        conversation = await self._conversations.find(request.params["id"], request.user)
        await conversation.stop()
        await request.reply_json(await shown_now(self._conversations, await conversation.info()))

    async def resume(self, request: Request) -> None:
        conversation = await self._conversations.find(request.params["id"], request.user)
        await conversation.resume()
        info = await self._conversations.info(conversation.id, request.user)
        await request.reply_json(await shown_now(self._conversations, info), status=202)

    async def branch(self, request: Request) -> None:
        conversation = await self._conversations.find(request.params["id"], request.user)
        given = request.json(BranchChange)
        tree = await conversation.tree()
        at = given.at
        if given.below and at is not None and at in tree:
            at = tree.last_below(at)
        await conversation.session.branch(at)
        await request.reply_json(await shown_now(self._conversations, await conversation.info()))

    async def fork(self, request: Request) -> None:
        conversation = await self._conversations.find(request.params["id"], request.user)
        wanted = request.json(NewFork)
        if conversation.can_close:
            # Another process may have moved it on since it was read here.
            conversation.put_away()
        copy = await conversation.session.fork(wanted.at)
        info = copy.info
        await request.reply_json(shown(info), status=201, headers={"location": f"/api/sessions/{info.id}"})

    async def compact(self, request: Request) -> None:
        conversation = await self._conversations.find(request.params["id"], request.user)
        await request.reply_json(Compacted(await conversation.session.compact()))

    async def status(self, request: Request) -> None:
        info = await self._conversations.info(request.params["id"], request.user)
        look = await self._conversations.look(info)
        conversation, retry_at = self._conversations.open.get(info.id), None
        if conversation is not None and conversation.runs_here:
            retry_at = conversation.session.status.retry_at
            info = structs.replace(conversation.session.info, seq=info.seq)
        asks = tuple(asked.ask_id for asked in look.waiting.asks)
        questions = tuple(asked.question_id for asked in look.waiting.questions)
        run = None if look.state == "idle" else info.open_run
        await request.reply_json(SessionStatus(look.state, run, info.run_seq, info.seq, asks, questions, retry_at))
