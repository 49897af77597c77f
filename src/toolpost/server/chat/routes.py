"""Routes of the chat: send a prompt and get the AI SDK's UI message stream, resume the stream, stop the run."""

import hashlib
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from typing import Any, cast

from msgspec import Struct

from toolpost.engine.model_options import check_option_names
from toolpost.engine.run_options import check_switched_off
from toolpost.server.http import EVENTS, ReplyStream, Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, ResponseDoc, Route
from toolpost.server.users import User
from toolpost.types.events import Event

from .ai_sdk.stream import HEADERS, PING, Approvals, Retraction, UiStream, failure, parked
from .conversation import Conversation
from .conversations import Conversations
from .message_tree import MessageTree
from .request import ApprovalAnswer, ChatBody, ChatPrompt, wanted
from .run_control import AskClosed
from .session_settings import ChatSettings

CONVERSATION = "x-conversation-id"
# Ids that clients choose; shorter ones could be those of others, too.
_OWN_ID = re.compile(r"[A-Za-z0-9_-]{16,128}")
_SHORT_ID = re.compile(r"[A-Za-z0-9_-]{1,15}")
_CAN_BE_CHOSEN = re.compile(r"[A-Za-z0-9_-]{1,128}")
_SHORT = "chat_"
# Beyond this a client in JavaScript no longer sees the same number.
_EXACT = 2**53


class ResumeQuery(Struct, frozen=True):
    """`approvals`: "live" leaves the stream open while a person is asked. `retract` is as in the body of `POST
    /api/chat`."""

    approvals: Approvals = "end"
    retract: Retraction = "mark"


class StopResult(Struct, frozen=True):
    """Whether there was a run to stop."""

    is_stopped: bool


def chat_routes(conversations: Conversations) -> list[Route]:
    chat = _Chat(conversations)
    answered = Doc(
        "Send a prompt and stream the answer",
        "chat",
        takes=ChatBody,
        content_type=EVENTS,
        streams=dict[str, Any],
        errors=(404, 409, 413),
        description="The AI SDK's UI message stream, version 1.",
    )
    params = {"id": "The id of the session, or the id that the client chose for it"}
    nothing = {204: ResponseDoc("There is no current run")}
    resumed = Doc(
        "Stream the current answer from its beginning",
        "chat",
        query=ResumeQuery,
        content_type=EVENTS,
        streams=dict[str, Any],
        also=nothing,
        params=params,
    )
    return [
        Route("POST", "/api/chat", chat.answer, answered),
        Route("GET", "/api/chat/{id}/stream", chat.resume, resumed),
        Route("POST", "/api/chat/{id}/stop", chat.stop, Doc("Stop the run", "chat", gives=StopResult, params=params)),
    ]


def session_id_of(given: str, user: User) -> str:
    """Return the session id for an id that a client has chosen. A short one gets the user's prefix, because other users
    may choose the same."""
    own = f"{_SHORT}{hashlib.sha256(user.name.encode()).hexdigest()[:16]}_"
    if _SHORT_ID.fullmatch(given):
        return own + given
    if not _OWN_ID.fullmatch(given) or (given.startswith(_SHORT) and not given.startswith(own)):
        raise _no_session(given)
    return given


class _Chat:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    async def answer(self, request: Request) -> None:
        body = request.json(ChatBody)
        conversation, asked = await self._placed(body, request.user)
        request.headers_out[CONVERSATION] = conversation.id
        if not isinstance(asked, ChatPrompt):
            await self._go_on(request, conversation, asked, body.retract)
            return
        after = await conversation.start(
            asked.text,
            files=asked.files,
            at=asked.at,
            options=body.options,
            switch_off=body.switch_off,
            model=body.model,
            agent=body.agent,
            system=body.system,
            variant=body.variant,
        )
        stream = await self._stream(conversation, body.approvals, body.retract)
        async with aclosing(conversation.events(after)) as events, _begun(request, conversation) as out:
            await _write(conversation, events, stream, out)

    async def resume(self, request: Request) -> None:
        conversation = await self._conversations.find(session_id_of(request.params["id"], request.user), request.user)
        after = await conversation.run_after()
        if after is None:
            await request.reply(status=204)
            return
        request.headers_out[CONVERSATION] = conversation.id
        query = request.query_as(ResumeQuery)
        stream = await self._stream(conversation, query.approvals, query.retract)
        now = await conversation.seq()
        async with aclosing(conversation.events(after)) as events, _begun(request, conversation) as out:
            async for event in events:
                await out.write(stream.feed(event))
                if stream.is_over:
                    return
                # What was asked and answered before does not end this stream.
                if stream.requests and (event.seq > now or await _are_open(conversation, stream)):
                    await out.write(stream.pause())
                    return
                if stream.is_interrupted and await _is_interrupted(conversation):
                    await out.write(stream.interrupt())
                    return
            await out.write(stream.close())

    async def stop(self, request: Request) -> None:
        conversation = await self._conversations.find(session_id_of(request.params["id"], request.user), request.user)
        runs = await conversation.run_after() is not None
        await conversation.stop()
        await request.reply_json(StopResult(runs))

    async def _placed(self, body: ChatBody, user: User) -> tuple[Conversation, ChatPrompt | list[ApprovalAnswer]]:
        """Return the session, and what the client wants. A new session is created only for something that can run."""
        if body.id and not _CAN_BE_CHOSEN.fullmatch(body.id):
            raise BadRequest("id must be 1 to 128 letters, digits, - and _")
        given = body.id or body.conversation_id
        session_id = session_id_of(given, user) if given else ""
        conversation = await self._known(session_id, user)
        if conversation is not None:
            return conversation, wanted(body, await conversation.tree(), (await conversation.info()).head)
        asked = wanted(body, MessageTree(), None)
        if not isinstance(asked, ChatPrompt) or asked.text is None or (given and not body.id):
            # Clients choose an `id`; a `conversation_id` is one that was given out here.
            raise _no_session(given)
        if not asked.text.strip() and not asked.files:
            raise BadRequest("the prompt is empty", code="prompt_empty")
        setup = self._conversations.setup(user, ChatSettings(body.model, body.agent, body.system, body.variant))
        await check_switched_off(body.switch_off, setup)
        check_option_names(body.options)
        return await self._conversations.create(user, session_id=session_id), asked

    async def _known(self, session_id: str, user: User) -> Conversation | None:
        try:
            return await self._conversations.find(session_id, user) if session_id else None
        except Refusal as refusal:
            if refusal.kind != "not_found":
                raise
            return None

    async def _stream(self, conversation: Conversation, approvals: Approvals, retract: Retraction) -> UiStream:
        tools, info = self._conversations.workspace.tools, await conversation.info()

        def is_serial(name: str) -> bool:
            tool = tools.get(name)
            return tool is not None and not tool.parallel

        return UiStream(
            approvals,
            retract,
            tree=await conversation.tree(),
            title=lambda: (conversation.session.info if conversation.runs_here else info).title,
            is_serial=is_serial,
            window=lambda: conversation.session.model.info.context_window,
        )

    async def _go_on(
        self, request: Request, conversation: Conversation, answers: Sequence[ApprovalAnswer], retract: Retraction
    ) -> None:
        """Answer open asks of this session, and stream what follows. Anything else that a client reports as asked or
        approved is ignored."""
        after, now = await conversation.run_after(), await conversation.seq()
        opened = {asked.ask_id for asked in (await conversation.waiting()).asks}
        given = {answer.ask_id: answer for answer in answers if answer.ask_id in opened}
        if after is None or not given:
            raise Refusal(
                "conflict",
                "none of these approvals is open: they were already answered, or were never requested",
                code="ask_closed",
            )
        stream = await self._stream(conversation, "end", retract)
        async with aclosing(conversation.events(after)) as events:
            await _replay(events, stream, set(given), now)
            for answer in given.values():
                _check(answer, stream)
            # A rejection ends what else is asked.
            first, *others = sorted(given.values(), key=lambda one: not one.is_approved)
            await conversation.reply(first.ask_id, "once" if first.is_approved else "reject", first.reason)
            for answer in others:
                with suppress(AskClosed):
                    await conversation.reply(answer.ask_id, "once" if answer.is_approved else "reject", answer.reason)
            async with _begun(request, conversation) as out:
                await out.write(stream.go_on(given))
                await _write(conversation, events, stream, out)


def _no_session(given: str) -> Refusal:
    hint = "GET /api/sessions lists your sessions, and POST /api/chat without conversation_id creates one"
    return Refusal("not_found", f"there is no session {given}: {hint}", code="session_not_found")


def _begun(request: Request, conversation: Conversation) -> ReplyStream:
    def fail(text: str) -> bytes:
        # The run goes on elsewhere, or when the server is there again.
        is_stopping = isinstance(request.ending, Refusal) and request.ending.code == "stopping"
        return (parked("released") if is_stopping else b"") + failure(text)

    stream = request.stream(headers=HEADERS, ping=PING, on_failure=fail)
    if not conversation.session.drives:
        # A run that is queued may say nothing for long: the client, and proxies, have to know that it was accepted.
        stream.add(PING)
    return stream


async def _write(
    conversation: Conversation, events: AsyncGenerator[Event, None], stream: UiStream, out: ReplyStream
) -> None:
    async for event in events:
        await out.write(stream.feed(event))
        if stream.requests:
            await out.write(stream.pause())
            return
        if stream.is_over:
            return
        if stream.is_interrupted and await _is_interrupted(conversation):
            await out.write(stream.interrupt())
            return
    await out.write(stream.close())


async def _replay(events: AsyncGenerator[Event, None], stream: UiStream, answered: set[str], now: int) -> None:
    """Replay events up to where the client's stream ended: at the asks that it answers or, if it did not wait for that
    end, at the last event so far."""
    async for event in events:
        stream.feed(event)
        if any(request.ask_id in answered for request in stream.requests) or event.seq >= now:
            return
        if stream.requests:
            stream.go_on(())


async def _are_open(conversation: Conversation, stream: UiStream) -> bool:
    opened = {asked.ask_id for asked in (await conversation.waiting()).asks}
    return any(request.ask_id in opened for request in stream.requests)


async def _is_interrupted(conversation: Conversation) -> bool:
    """Whether it still is: somebody may have resumed it since."""
    return (await conversation.look()).state == "interrupted"


def _check(answer: ApprovalAnswer, stream: UiStream) -> None:
    """Refuse an approval if the call is not the one that the person saw."""
    call = stream.call_of(answer.ask_id)
    if call is None or call.id != answer.call_id or not _same(call.input, answer.input):
        raise Refusal("conflict", f"the ask {answer.ask_id} is for a different call than the one that was approved")


def _same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, dict) and isinstance(theirs, dict):
        mine, other = cast("dict[str, Any]", ours), cast("dict[str, Any]", theirs)
        return mine.keys() == other.keys() and all(_same(mine[key], other[key]) for key in mine)
    if isinstance(ours, list) and isinstance(theirs, list):
        mine_list, other_list = cast("list[Any]", ours), cast("list[Any]", theirs)
        return len(mine_list) == len(other_list) and all(map(_same, mine_list, other_list))
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if isinstance(ours, int) and abs(ours) > _EXACT and isinstance(theirs, int | float):
        return float(ours) == float(theirs)
    return bool(ours == theirs)
