"""List, search, create, change and delete sessions."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from toolpost.engine.run_options import check_switched_off
from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.session_settings import ChatSettings, settings_of
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest
from toolpost.server.routing import Doc, Route
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import SessionNotFound

from .session_view import (
    SESSION_ID,
    Limit,
    Name,
    Names,
    SessionView,
    SystemText,
    Title,
    check_options,
    shown,
    shown_now,
    stored,
)


class ListQuery(Struct, frozen=True):
    query: Annotated[str, Meta(max_length=500, description="A text in the title")] = ""
    limit: Limit = 50
    before: Annotated[str, Meta(max_length=300, description="`next` of the previous page")] = ""
    parent: Annotated[
        str, Meta(max_length=200, description="Only sessions of sub-agents that this session started")
    ] = ""


class SessionList(Struct, frozen=True):
    """The newest first. `next` is where the next page begins; null on the last."""

    sessions: list[SessionView]
    next: str | None


class NewSession(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields that are left out are decided by the server."""

    title: Title = ""
    model: Name = ""
    agent: Name = ""
    system: SystemText = ""
    variant: Name = ""
    options: dict[str, Any] = {}
    switched_off: Names = ()
    pinned: bool = False


class SessionChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Fields that are left out stay as they are. Changes apply from the next run on."""

    title: Title | UnsetType = UNSET
    model: Name | UnsetType = UNSET
    agent: Name | UnsetType = UNSET
    system: SystemText | UnsetType = UNSET
    variant: Name | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    switched_off: Names | UnsetType = UNSET
    pinned: bool | UnsetType = UNSET


def routes(conversations: Conversations) -> list[Route]:
    session = _Sessions(conversations)
    listed = Doc("List the sessions of this project", "sessions", query=ListQuery, gives=SessionList)
    made = Doc("Create a session", "sessions", takes=NewSession, gives=SessionView, status=201, errors=(404,))
    one = Doc("Get a session", "sessions", gives=SessionView, params=SESSION_ID)
    changed = Doc(
        "Change the title or settings of a session",
        "sessions",
        takes=SessionChange,
        gives=SessionView,
        errors=(409,),
        params=SESSION_ID,
    )
    deleted = Doc(
        "Delete a session permanently",
        "sessions",
        status=204,
        errors=(409,),
        params=SESSION_ID,
        description="The sessions of its sub-agents are deleted with it.",
    )
    return [
        Route("GET", "/api/sessions", session.list, listed),
        Route("POST", "/api/sessions", session.make, made),
        Route("GET", "/api/sessions/{id}", session.one, one),
        Route("PATCH", "/api/sessions/{id}", session.change, changed),
        Route("DELETE", "/api/sessions/{id}", session.delete, deleted),
    ]


class _Sessions:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    async def list(self, request: Request) -> None:
        asked = request.query_as(ListQuery)
        page: list[SessionView] = []
        last, following = None, None
        async with aclosing(self._found(request.user.name, asked)) as found:
            async for info in found:
                if len(page) == asked.limit and last is not None:
                    following = _place(last)
                    break
                page.append(await shown_now(self._conversations, info))
                last = info
        await request.reply_json(SessionList(page, following))

    async def make(self, request: Request) -> None:
        wanted = request.json(NewSession)
        check_options(wanted.options)
        chosen = ChatSettings(**{name: value for name, value in structs.asdict(wanted).items() if name != "title"})
        await check_switched_off(chosen.switched_off, self._conversations.setup(request.user, chosen))
        conversation = await self._conversations.create(request.user, title=wanted.title, settings=chosen)
        info = await conversation.info()
        await request.reply_json(shown(info), status=201, headers={"location": f"/api/sessions/{info.id}"})

    async def one(self, request: Request) -> None:
        info = await stored(self._conversations, request.params["id"], request.user)
        await request.reply_json(await shown_now(self._conversations, info))

    async def change(self, request: Request) -> None:
        conversation = await self._conversations.find(request.params["id"], request.user)
        given = {
            name: value for name, value in structs.asdict(request.json(SessionChange)).items() if value is not UNSET
        }
        title = given.pop("title", None)
        check_options(given.get("options", {}))
        if given:
            await conversation.configure(structs.replace(settings_of(await conversation.info()), **given))
        if title is not None:
            await conversation.rename(title)
        await request.reply_json(await shown_now(self._conversations, await conversation.info()))

    async def delete(self, request: Request) -> None:
        info = await self._conversations.info(request.params["id"], request.user)
        if await self._conversations.state(info) in ("queued", "waiting", "interrupted"):
            # Nobody drives its run, but an engine may have it.
            await self._conversations.control.stop(info.id)
        # Held, so that nothing runs in it, here or elsewhere, while it goes.
        lease = await self._conversations.store.lease(info.id)
        try:
            for session_id in reversed(await self._with_those_sent(info)):
                await self._conversations.workspace.delete_session(session_id)
        finally:
            lease.release()
        await request.reply(status=204)

    async def _with_those_sent(self, info: SessionInfo) -> Sequence[str]:
        """Return the ids of a session, of its sub-agents' sessions, and of theirs."""
        parents: dict[str, list[str]] = {}
        async for one in self._conversations.store.sessions(owner=info.owner):
            if one.parent is not None:
                parents.setdefault(one.parent, []).append(one.id)
        found = [info.id]
        for session_id in found:
            found += parents.pop(session_id, ())
        return found

    async def _found(self, owner: str, asked: ListQuery) -> AsyncGenerator[SessionInfo, None]:
        """Yield the sessions of a page, from where it begins."""
        place = _read_place(asked.before) if asked.before else None
        folder = str(self._conversations.workspace.project)
        async for info in self._conversations.store.sessions(folder=folder, owner=owner, query=asked.query):
            if place is not None:
                updated, session_id = place
                if info.updated > updated or (info.updated == updated and info.id != session_id):
                    continue
                place = None
                if info.id == session_id:
                    continue
            if (info.parent or "") == asked.parent:
                yield info


def _place(info: SessionInfo) -> str:
    return f"{info.updated!r}_{info.id}"


def _read_place(text: str) -> tuple[float, str]:
    updated, _, session_id = text.partition("_")
    try:
        return float(updated), session_id
    except ValueError:
        raise BadRequest("before: use the `next` value of the previous page") from None


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


def search_routes(conversations: Conversations) -> list[Route]:
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
