"""One session of a server and its transcript: read page by page, then followed by server-sent events, over lost
connections too."""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from toolpost.types.errors import ToolpostError
from toolpost.types.events import Event, RunEnd, RunStart, Settled, StepEnd, StepStarted, event_decoder
from toolpost.types.messages import Message
from toolpost.view.changes import Changes
from toolpost.view.pages import PAGE_MESSAGES, MessagePages
from toolpost.view.transcript import TranscriptView

from .api_answers import ApiEvents, ApiHistory, ApiPrompts, ApiSession
from .api_client import ApiClient, ServerRefused, quoted

if TYPE_CHECKING:
    from .contract import NoteKind

FIRST_WAIT_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 10.0
MAX_PAGE_EVENTS = 500
# After these the server knows more than the events tell.
_TELLING = (RunStart, StepStarted, StepEnd, RunEnd, Settled)
# What the events alone do not tell: a process that died says nothing.
_UNTOLD = frozenset({"idle", "queued", "interrupted"})


class ServerSession:
    """A session with its view. `changed` is called with what each event changes, and `note` with what a person should
    know of the connection. Without an `id` nothing was said yet, and the server does not have it."""

    def __init__(
        self,
        api: ApiClient,
        changed: Callable[["ServerSession", Event | None, Changes], None],
        note: Callable[[str, "NoteKind"], None],
    ) -> None:
        self.view = TranscriptView()
        self.id = ""
        self.settings = ApiSession("")
        self._api = api
        self._changed = changed
        self._note = note
        self._pages: MessagePages | None = None
        self._followers: dict[str, asyncio.Task[None]] = {}
        self._refreshing: asyncio.Task[None] | None = None
        self._is_stale = False
        self._is_lost = False
        self._heard = 0
        self._look_again_at: int | None = None

    @property
    def path(self) -> str:
        return path_of(self.id)

    @property
    def is_at_beginning(self) -> bool:
        return self._pages is None or self._pages.is_at_beginning

    async def read(self, session_id: str) -> None:
        """Read the end of a stored session into a new view, with its run as far as that has come."""
        self.id = session_id
        self.view = view = TranscriptView(session_id)
        history, page = await self._first_page()
        await self._open(view, history, page)
        self._know(history)

    def begin(self, made: ApiSession) -> None:
        """The server has made the session that the view is of."""
        self.id = self.view.session_id = made.id
        self.settings = made
        self.follow()

    def follow(self) -> None:
        """Feed what happens from now on, until it is closed."""
        self._heard = self.view.seq
        self._follow(self.id, self.view.seq)

    async def watch(self, session_id: str) -> TranscriptView:
        """The transcript of a sub-agent's session, which is followed from now on."""
        view = self.view.sub_agent(session_id)
        if session_id not in self._followers:
            history = await self._api.get(f"{path_of(session_id)}/history", ApiHistory, limit=PAGE_MESSAGES)
            await self._open(view, history, history.messages)
            self._follow(session_id, view.seq)
        return view

    async def earlier(self) -> Changes:
        return self.view.prepend(await self._pages.earlier()) if self._pages is not None else Changes()

    async def chat(self, body: Mapping[str, Any]) -> None:
        """Start a run; returns once it has begun."""
        before = self.view.seq
        # "live" has no end at an ask; nothing else differs where nobody reads the stream.
        await self._api.begin("/api/chat", {"conversation_id": self.id, "approvals": "live", **body})
        if self.view.seq == before:
            # Its first event comes a moment later.
            self._tell(None, self.view.know(state="busy"))

    async def learn_settings(self) -> None:
        """Take over what the next run uses."""
        history = await self._api.get(f"{self.path}/history", ApiHistory, limit=1)
        self.settings = history.session
        self._tell(None, self.view.know(model=history.model, window=history.window, agent=history.agent))

    def refresh(self) -> None:
        """Take over what the events do not tell, soon."""
        self._is_stale = True
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.create_task(self._refresh(), name=f"refresh-{self.id}")

    async def close(self) -> None:
        tasks = [*self._followers.values(), *([self._refreshing] if self._refreshing is not None else [])]
        self._followers.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _first_page(self) -> tuple[ApiHistory, Sequence[Message]]:
        first = await self._api.get(f"{self.path}/history", ApiHistory, limit=PAGE_MESSAGES)
        path, is_used = self.path, False

        async def read(head: str, limit: int) -> Sequence[Message]:
            nonlocal is_used
            if not is_used:
                is_used = True
                return first.messages
            return (await self._api.get(f"{path}/history", ApiHistory, at=head, limit=limit)).messages

        self._pages = MessagePages(read, first.session.head)
        return first, await self._pages.earlier()

    async def _open(self, view: TranscriptView, history: ApiHistory, page: Sequence[Message]) -> None:
        """Begin a view with messages, and feed what is not in them yet."""
        session = history.session
        is_open = session.state != "idle"
        view.open(page, after=history.after, is_running=is_open, asks=(*history.asks, *history.questions))
        after: int | None = history.after if is_open else None
        while after is not None:
            found = await self._api.get(f"{path_of(session.id)}/events", ApiEvents, after=after, limit=MAX_PAGE_EVENTS)
            for told in found.events:
                event = _event_of(msgspec.json.encode(told))
                if isinstance(event, Event):
                    view.feed(event)
            after = found.next
        if view.seq <= session.seq:
            # Otherwise more has happened since, and its events have told.
            view.know(state=session.state)

    def _know(self, history: ApiHistory) -> None:
        self.settings = session = history.session
        self.view.know(title=session.title, usage=session.usage, cost=session.cost, queue=history.queue)
        if history.model:
            self.view.know(model=history.model, window=history.window, agent=history.agent)

    async def _refresh(self) -> None:
        # What can't be asked now is asked again after the next event, or once the connection is back.
        with suppress(ToolpostError):
            while self._is_stale:
                self._is_stale = False
                session = await self._api.get(self.path, ApiSession)
                waiting = ApiPrompts()
                if session.waiting:
                    waiting = await self._api.get(f"{self.path}/prompts", ApiPrompts)
                self.settings = session
                changes = self.view.know(
                    title=session.title, usage=session.usage, cost=session.cost, queue=waiting.queue
                )
                if session.state in _UNTOLD and session.seq == self._heard:
                    changes = changes + self.view.know(state=session.state)
                elif session.state in _UNTOLD and session.seq > self._heard:
                    # The events up to there come first, and may tell it themselves.
                    self._look_again_at = session.seq
                self._tell(None, changes)

    def _follow(self, session_id: str, after: int) -> None:
        if session_id not in self._followers:
            task = asyncio.create_task(self._follow_on(session_id, after), name=f"follow-{session_id}")
            self._followers[session_id] = task

    async def _follow_on(self, session_id: str, after: int) -> None:
        """Read the events after `after`, and connect again whenever the connection ends."""
        wait = FIRST_WAIT_SECONDS
        while True:
            try:
                query: dict[str, Any] = {"session": session_id, "after": after}
                async with aclosing(self._api.events("/api/events", **query)) as frames:
                    async for frame in frames:
                        wait = FIRST_WAIT_SECONDS
                        self._found_again()
                        event = _event_of(frame.data) if frame.data else None
                        if event is not None:
                            after = max(after, event.seq)
                            self._hear(session_id, event)
            except ToolpostError as error:
                if _is_final(error):
                    self._note(f"what happens in this session is not shown any more: {error}", "error")
                    return
                self._lost()
            # Not all at once, where many have lost the same server.
            await asyncio.sleep(wait * random.uniform(0.8, 1.2))
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)

    def _hear(self, session_id: str, event: "Event | _Place") -> None:
        if isinstance(event, Event):
            self._tell(event, self.view.feed(event))
        if session_id != self.id:
            return
        self._heard = max(self._heard, event.seq)
        is_due = self._look_again_at is not None and self._heard >= self._look_again_at
        if is_due or isinstance(event, _TELLING):
            self._look_again_at = None
            self.refresh()

    def _tell(self, event: Event | None, changes: Changes) -> None:
        if changes:
            self._changed(self, event, changes)

    def _lost(self) -> None:
        if not self._is_lost:
            self._is_lost = True
            self._note(f"the connection to {self._api.url} was lost; trying again", "warning")

    def _found_again(self) -> None:
        if self._is_lost:
            self._is_lost = False
            self._note(f"the connection to {self._api.url} is back", "info")
            self.refresh()


class _Place(Struct, frozen=True):
    seq: int


def path_of(session_id: str) -> str:
    return f"/api/sessions/{quoted(session_id)}"


def _event_of(data: bytes) -> Event | _Place | None:
    """The event, or its number alone where it is of a type that a newer server has."""
    with suppress(msgspec.MsgspecError):
        return event_decoder.decode(data)
    with suppress(msgspec.MsgspecError):
        return msgspec.json.decode(data, type=_Place)
    return None


def _is_final(error: ToolpostError) -> bool:
    """Whether the same will be refused again: another attempt would not help."""
    return isinstance(error, ServerRefused) and 400 <= error.status < 500 and error.status not in (408, 425, 429)
