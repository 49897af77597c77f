"""Search the messages, calls and results of sessions."""

from contextlib import suppress
from typing import Annotated

from msgspec import Meta, Struct

from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.routing import Doc, Route
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import SessionNotFound

from .session_view import Limit


class SearchQuery(Struct, frozen=True):
    query: Annotated[str, Meta(min_length=1, max_length=500, description="The text to find, ignoring ASCII case")]
    session: Annotated[str, Meta(max_length=200, description="Only in this session")] = ""
    limit: Limit = 50


class ChatSearchHit(Struct, frozen=True):
    """`snippet` is the text around the match."""

    session_id: str
    title: str
    message_id: str
    role: str
    time: float
    snippet: str


class SearchResult(Struct, frozen=True):
    """The newest first. `has_more`: use a more specific query, or a higher limit."""

    hits: list[ChatSearchHit]
    has_more: bool


def routes(conversations: Conversations) -> list[Route]:
    async def search(request: Request) -> None:
        asked = request.query_as(SearchQuery)
        if asked.session:
            await conversations.info(asked.session, request.user)
        seen = _Seen(conversations)
        hits: list[ChatSearchHit] = []
        async for hit in conversations.store.search(
            asked.query, session_id=asked.session or None, owner=request.user.name
        ):
            info = await seen.info(hit.session_id)
            if info is None:
                continue
            if len(hits) == asked.limit:
                await request.reply_json(SearchResult(hits, has_more=True))
                return
            hits.append(ChatSearchHit(info.id, info.title, hit.message_id, hit.role, hit.time, hit.snippet))
        await request.reply_json(SearchResult(hits, has_more=False))

    doc = Doc(
        "Search messages, calls and results",
        "sessions",
        query=SearchQuery,
        gives=SearchResult,
        errors=(404,),
    )
    return [Route("GET", "/api/search", search, doc)]


class _Seen:
    """The sessions of this project with matches, each looked up once."""

    def __init__(self, conversations: Conversations) -> None:
        self._store = conversations.store
        self._folder = str(conversations.workspace.project)
        self._known: dict[str, SessionInfo | None] = {}

    async def info(self, session_id: str) -> SessionInfo | None:
        if session_id not in self._known:
            found = None
            # It may have been deleted since it was found.
            with suppress(SessionNotFound):
                found = await self._store.info(session_id)
            self._known[session_id] = found if found is not None and found.folder == self._folder else None
        return self._known[session_id]
