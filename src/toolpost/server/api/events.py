"""Events of sessions: stored ones as JSON, and all of them as they happen, as server-sent events."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager, suppress
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import EVENTS, ReplyStream, Request
from toolpost.server.routing import Doc, Route
from toolpost.types.events import Event, event_encoder

from .event_feed import Cursor, EventFollower, EventHub, microseconds
from .session_view import SESSION_ID, Limit, Seq, stored

log = logging.getLogger("toolpost.server")

# How soon a client that lost its stream comes again, in milliseconds.
RETRY = 1000
PING = b": ping\n\n"
# A reader that makes an event wait for so long is cut off.
SLOW_SECONDS = 20.0

ABOUT = """\
Each frame has the event's type as `event`, the event as `data`, and as `id` a position in all sessions. Send the last \
one as `Last-Event-ID`, as browsers do by themselves, to continue from there, without gaps or duplicates, whichever \
process answers. Without one the stream starts with new events; `after=0` is the first event of all. When the server \
ends the stream it says why in an event `stream_end`. A position is refused (400) if more than 200 sessions have \
changed since: then load the sessions again, and start without one."""


class KeptQuery(Struct, frozen=True):
    after: Seq = 0
    limit: Limit = 50


class KeptEvents(Struct, frozen=True):
    """`next` is the `after` of the next page; null on the last one."""

    events: list[Event]
    next: int | None


class StreamQuery(Struct, frozen=True):
    session: Annotated[str, Meta(max_length=200, description="Only the events of this session")] = ""
    after: Annotated[
        str, Meta(max_length=8192, description="The last `id` of the stream; with `session`, also a `seq`")
    ] = ""
    types: Annotated[str, Meta(max_length=1000, description="Only events of these types, separated by commas")] = ""
    seconds: Annotated[float, Meta(gt=0, le=3600, description="End the stream after this time")] = 3600.0


class StreamEnd(Struct, frozen=True, tag_field="type", tag="stream_end"):
    """The last frame: why the server ends the stream. Connect again with the last id."""

    message: str


def routes(conversations: Conversations) -> list[Route]:
    events = _Events(conversations)
    kept = Doc("List the stored events of a session", "events", query=KeptQuery, gives=KeptEvents, params=SESSION_ID)
    streamed = Doc(
        "Stream the events of all sessions",
        "events",
        query=StreamQuery,
        content_type=EVENTS,
        streams=Event | StreamEnd,
        errors=(404,),
        description=ABOUT,
    )
    return [
        Route("GET", "/api/sessions/{id}/events", events.kept, kept),
        Route("GET", "/api/events", events.stream, streamed),
    ]


class _Events:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations
        self._hub = EventHub(conversations)

    async def kept(self, request: Request) -> None:
        info = await stored(self._conversations, request.params["id"], request.user)
        asked = request.query_as(KeptQuery)
        page: list[Event] = []
        following = None
        async for event in self._conversations.store.events(info.id, asked.after):
            if len(page) == asked.limit:
                following = page[-1].seq
                break
            page.append(event)
        await request.reply_json(KeptEvents(page, following))

    async def stream(self, request: Request) -> None:
        asked = request.query_as(StreamQuery)
        if asked.session:
            await self._conversations.info(asked.session, request.user)
        cursor = _cursor(request, asked)
        if request.method == "HEAD":
            await request.reply(content_type=EVENTS)
            return
        request.is_endless = True
        async with request.stream(ping=PING, on_failure=_last_words) as stream:
            try:
                async with _one_error():
                    await self._follow(request, asked, cursor, stream)
            except _TooSlow:
                log.info("%s reads events too slowly and is cut off", request.id)
                # What waits for it is still sent, and this behind it.
                await _without_waiting(stream.write(_last_words("events come faster than they are read")))

    async def _follow(self, request: Request, asked: StreamQuery, cursor: Cursor, stream: ReplyStream) -> None:
        wanted = frozenset(name.strip() for name in asked.types.split(",")) if asked.types else None

        async def give(event: Event) -> None:
            if wanted is not None and event.type not in wanted:
                return
            try:
                async with asyncio.timeout(SLOW_SECONDS):
                    await stream.write(_frame(event, cursor))
            except TimeoutError:
                raise _TooSlow from None

        follower = EventFollower(self._hub, request.user.name, cursor, asked.session, give)
        async with self._hub.joined(follower):
            await follower.look()
            await stream.write(f"retry: {RETRY}\nid: {cursor}\n\n".encode())
            with suppress(TimeoutError):
                async with asyncio.timeout(asked.seconds):
                    await follower.run()


class _TooSlow(Exception):
    pass


def _cursor(request: Request, asked: StreamQuery) -> Cursor:
    now = microseconds(time.time())
    # A browser that comes again sends both, and the header is the newer one.
    text = request.headers.get("last-event-id") or asked.after
    if asked.session and text.isdecimal() and len(text) < 15:
        return Cursor.in_session(asked.session, int(text), now)
    return Cursor.read(text, now) if text else Cursor(now)


def _frame(event: Event, cursor: Cursor) -> bytes:
    return f"id: {cursor}\nevent: {event.type}\ndata: ".encode() + event_encoder.encode(event) + b"\n\n"


def _last_words(why: str) -> bytes:
    return b"event: stream_end\ndata: " + msgspec.json.encode(StreamEnd(why)) + b"\n\n"


async def _without_waiting(write: Awaitable[None]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(0):
            await write


@asynccontextmanager
async def _one_error() -> AsyncGenerator[None, None]:
    """Raise one error of a group: readers that run side by side fail together."""
    try:
        yield
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
