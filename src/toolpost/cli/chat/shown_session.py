"""A session and its transcript: read page by page from the store, then fed by events, of another process too."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from msgspec import structs

from toolpost.engine.session import Session
from toolpost.store.contract import SessionInfo, Store
from toolpost.store.run_records import RunRecord
from toolpost.types.errors import ToolpostError
from toolpost.types.events import Event, RunEnd, RunStart, Settled, StepEnd, StepStarted
from toolpost.view.changes import Changes
from toolpost.view.pages import MessagePages
from toolpost.view.session_facts import WaitingPrompt
from toolpost.view.transcript import TranscriptView

if TYPE_CHECKING:
    from toolpost.view.session_facts import SessionState

# After these the store, or the session, knows more than the events tell.
_TELLING = (RunStart, StepStarted, StepEnd, RunEnd, Settled)


class ShownSession:
    """One session with its view. `changed` is called with what each event changes, in the event loop.

    `info` is what the store said when it was read; a session that nothing was said in is not stored and has none.
    `when_settled` is done once at the end of its run, and `switching` is what then changes its model and agent.
    """

    def __init__(self, store: Store, changed: Callable[["ShownSession", Event | None, Changes], None]) -> None:
        self.view = TranscriptView()
        self.info: SessionInfo | None = None
        self.open_run: RunRecord | None = None
        self.is_driven_elsewhere = False
        self.when_settled: Callable[[], None] | None = None
        self.switching: asyncio.Task[None] | None = None
        self._store = store
        self._changed = changed
        self._session: Session | None = None
        self._pages: MessagePages | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._followers: dict[str, asyncio.Task[None]] = {}

    @property
    def session(self) -> Session:
        if self._session is None:
            raise ToolpostError("the session is still being opened: try again")
        return self._session

    @property
    def is_open(self) -> bool:
        return self._session is not None

    @property
    def id(self) -> str:
        return self._session.id if self._session is not None else self.info.id if self.info is not None else ""

    @property
    def is_stored(self) -> bool:
        return self.info is not None or (self._session is not None and self._session.info.created > 0)

    @property
    def is_at_beginning(self) -> bool:
        return self._pages is None or self._pages.is_at_beginning

    @property
    def runs_here(self) -> bool:
        return self._session is not None and self._session.status.state != "idle"

    async def read(self, session_id: str) -> None:
        """Read the end of a stored session into a new view, with its open run as far as that has come."""
        # Imported here: a new chat has nothing to look at.
        from toolpost.server.chat.open_runs import look_at

        store = self._store
        self.info = info = await store.info(session_id)
        look = await look_at(store, info)
        self.open_run = await store.open_run(session_id) if look.state != "idle" else None
        self.is_driven_elsewhere = look.state == "busy"
        self.view = view = TranscriptView(session_id)

        async def read_path(head: str, limit: int):
            return await store.last_messages(session_id, head, limit)

        self._pages = MessagePages(read_path, info.head)
        page = await self._pages.earlier()
        is_open = self.open_run is not None
        after = max(0, info.open_seq - 1, info.run_seq - 1) if is_open else info.seq
        view.open(page, after=after, is_running=is_open, asks=(*look.waiting.asks, *look.waiting.questions))
        if is_open:
            async for event in store.events(session_id, after):
                view.feed(event)
        state: SessionState = look.state
        view.know(state=state, title=info.title, usage=info.usage, cost=info.cost, queue=_queue(info))
        view.know(is_elsewhere=self.is_driven_elsewhere)
        if info.agent:
            view.know(agent=info.agent)

    def use(self, session: Session, mode: str) -> Changes:
        """Take the events of this session from now on; its setup may be another than before."""
        self._unsubscribe()
        self._session = session
        self._unsubscribe = session.subscribe(self.hear)
        model = session.model.info
        return self.view.know(model=model.id, window=model.context_window, agent=session.agent, mode=mode)

    def hear(self, event: Event) -> None:
        changes = self.view.feed(event)
        if isinstance(event, _TELLING):
            changes = changes + self.know()
        if changes:
            self._changed(self, event, changes)

    def know(self) -> Changes:
        """Take over what the session knows better than its events."""
        if self._session is None or self._session.info.created == 0:
            return Changes()
        info = self._session.info
        window = self._session.model.info.context_window
        return self.view.know(title=info.title, usage=info.usage, cost=info.cost, queue=_queue(info), window=window)

    def refresh(self) -> None:
        """Tell what is known besides the events."""
        if changes := self.know():
            self._changed(self, None, changes)

    async def catch_up(self) -> None:
        """Feed what was stored beside this process."""
        async for event in self._store.events(self.id, self.view.seq):
            self.hear(event)

    async def earlier(self) -> Changes:
        assert self._pages is not None
        return self.view.prepend(await self._pages.earlier())

    def follow(self) -> None:
        """Feed the events of a run that another process drives, until it is over or goes on here."""
        if self.id not in self._followers:
            self._follow(self.id, self.view.seq, self._end_following)

    def follow_sub_agent(self, session_id: str, after: int) -> None:
        if session_id not in self._followers:
            self._follow(session_id, after)

    async def let_go(self) -> None:
        """Leave a run open, with what it asks, for whoever opens the session next."""
        if self._session is not None:
            await self._session.park()
            await self._session.release()

    async def close(self) -> None:
        """Stop what runs, and store everything."""
        for task in self._followers.values():
            task.cancel()
        await asyncio.gather(*self._followers.values(), return_exceptions=True)
        if self._session is not None:
            await self._session.close()
        self._unsubscribe()

    def _follow(self, session_id: str, after: int, ended: Callable[[], Awaitable[None]] | None = None) -> None:
        from toolpost.server.chat.other_processes import stored_events

        def runs_here() -> bool:
            return session_id == self.id and self._session is not None and self._session.drives

        async def follow() -> None:
            try:
                async with contextlib.aclosing(stored_events(self._store, session_id, after, runs_here)) as events:
                    async for event in events:
                        self.hear(event)
            finally:
                self._followers.pop(session_id, None)
            if ended is not None:
                await ended()

        self._followers[session_id] = asyncio.create_task(follow())

    async def _end_following(self) -> None:
        self.is_driven_elsewhere = False
        self.info = info = await self._store.info(self.id)
        self.open_run = await self._store.open_run(self.id) if info.open_run is not None else None
        changes = self.view.know(title=info.title, usage=info.usage, cost=info.cost, queue=_queue(info))
        self._changed(self, None, changes + self.view.know(is_elsewhere=False))


def _queue(info: SessionInfo) -> tuple[WaitingPrompt, ...]:
    return tuple(WaitingPrompt(one.id, one.text, one.steer) for one in info.inbox)


def with_known_agent(info: SessionInfo, record: RunRecord) -> SessionInfo:
    """The info with the model and the agent that its open run began with."""
    return structs.replace(info, model=record.model or info.model, agent=record.agent or info.agent)
