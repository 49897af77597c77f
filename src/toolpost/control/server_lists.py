"""Look through the sessions of a server, and the prompts of one, page by page."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from toolpost.types.errors import ToolpostError
from toolpost.types.messages import Message

from .api_answers import ApiHistory, ApiSession, ApiSessions
from .api_client import ApiClient

PAGE_SESSIONS = 500
PAGE_MESSAGES = 200
# The server takes no more at once.
MAX_PROMPTS = 1_000


async def listed(api: ApiClient) -> AsyncGenerator[ApiSession, None]:
    """Yield the sessions of the person, the newest first."""
    before = ""
    while True:
        page = await api.get("/api/sessions", ApiSessions, limit=PAGE_SESSIONS, before=before)
        for one in page.sessions:
            yield one
        if not page.next:
            return
        before = page.next


async def session_like(api: ApiClient, given: str) -> str:
    """Return the id that begins so, also without its kind; "" if none does. Raises where several do."""
    async with aclosing(listed(api)) as sessions:
        found = [one.id async for one in sessions if given in (one.id[: len(given)], _key(one.id)[: len(given)])]
    if len(found) > 1:
        raise ToolpostError(f"{len(found)} sessions begin with {given}: give more of the id")
    return found[0] if found else ""


async def prompts_from(api: ApiClient, path: str, message_id: str) -> tuple[Message | None, Sequence[str]]:
    """Return the prompt of this id, by default the last one, and the ids of all prompts from there on."""
    prompts: list[str] = []
    at = ""
    while True:
        found = (await api.get(f"{path}/history", ApiHistory, at=at, limit=PAGE_MESSAGES)).messages
        for message in reversed(found):
            if message.role != "user":
                continue
            prompts.append(message.id)
            if message.id == message_id if message_id else message.text:
                return message, prompts[-MAX_PROMPTS:][::-1]
        if not found or found[0].parent_id is None:
            return None, ()
        at = found[0].parent_id


def _key(session_id: str) -> str:
    return session_id.partition("_")[2]
