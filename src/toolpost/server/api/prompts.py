"""Send a prompt to a session, list those that wait, and take one back."""

from msgspec import Struct

from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.store.contract import SessionInfo

from .session_view import SESSION_ID, SessionView, Text, shown_now, stored


class NewPrompt(Struct, frozen=True, forbid_unknown_fields=True):
    """`steer`: the current run reads it at its next step; otherwise it waits until that run has ended."""

    text: Text
    steer: bool = False


class WaitingPrompt(Struct, frozen=True):
    """A prompt that no run has read yet."""

    id: str
    text: str
    steer: bool


class WaitingPrompts(Struct, frozen=True):
    """The oldest first."""

    prompts: tuple[WaitingPrompt, ...]


class TakenBack(Struct, frozen=True):
    """`text` is that of the prompt; null if a run has read it already."""

    text: str | None


def waiting_prompts(info: SessionInfo) -> tuple[WaitingPrompt, ...]:
    return tuple(WaitingPrompt(one.id, one.text, one.steer) for one in info.inbox)


def routes(conversations: Conversations) -> list[Route]:
    async def send(request: Request) -> None:
        conversation = await conversations.find(request.params["id"], request.user)
        given = request.json(NewPrompt)
        await conversation.put(given.text, steer=given.steer)
        await request.reply_json(await shown_now(conversations, await conversation.info()), status=202)

    async def waiting(request: Request) -> None:
        info = await stored(conversations, request.params["id"], request.user)
        await request.reply_json(WaitingPrompts(waiting_prompts(info)))

    async def take_back(request: Request) -> None:
        conversation = await conversations.find(request.params["id"], request.user)
        text = await conversation.take_back(request.params["prompt"])
        await request.reply_json(TakenBack(text or None))

    sent = Doc(
        "Send a prompt",
        "sessions",
        takes=NewPrompt,
        gives=SessionView,
        status=202,
        errors=(409,),
        params=SESSION_ID,
    )
    listed = Doc("List the prompts that wait", "sessions", gives=WaitingPrompts, params=SESSION_ID)
    taken = Doc(
        "Take back a prompt that waits",
        "sessions",
        gives=TakenBack,
        errors=(503,),
        params={**SESSION_ID, "prompt": "The prompt's id"},
    )
    return [
        Route("POST", "/api/sessions/{id}/prompts", send, sent),
        Route("GET", "/api/sessions/{id}/prompts", waiting, listed),
        Route("DELETE", "/api/sessions/{id}/prompts/{prompt}", take_back, taken),
    ]
