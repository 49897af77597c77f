"""Open a session when it is first used: create it in the store, read it there, or copy another one."""

from dataclasses import replace

from toolpost.models.contract import Model
from toolpost.store.contract import SessionInfo, Store

from .asyncio_tasks import uninterrupted
from .history import History
from .journal import Journal
from .listeners import Listening
from .session_setup import Setup
from .state import Core
from .stored_sessions import SessionLock, copy_session, create_session, open_session


class SessionOpening:
    """Of one session; `core` is there once it is open. It `exists` in the store, or is a copy of `source` up to message
    `at`, or else is new. `listeners` hear its events from then on."""

    def __init__(
        self,
        setup: Setup,
        store: Store,
        session_id: str,
        *,
        exists: bool,
        title: str,
        parent: str | None,
        source: "SessionOpening | None",
        at: str | None,
    ) -> None:
        self.setup = setup
        self.core: Core | None = None
        self.lock = SessionLock(store, session_id)
        self.listeners: list[Listening] = []
        self._store = store
        self._id = session_id
        self._exists = exists
        self._title = title
        self._parent = parent
        self._source = source
        self._at = at

    @property
    def info(self) -> SessionInfo:
        return self.core.journal.info if self.core else SessionInfo(self._id, self._title, owner=self.setup.owner)

    async def ready(self, *, with_branch: bool = True) -> Core:
        """Open it, unless it is. Without the branch, whoever asks for that reads it."""
        if self.core is None:
            async with self.lock.in_process:
                if self.core is None:
                    # Whole or not at all: a session that was made in the store can't be made there again.
                    await uninterrupted(self._open(with_branch))
        assert self.core is not None
        return self.core

    def use_model(self, model: Model) -> None:
        self.setup = replace(self.setup, model=model)
        if self.core is not None:
            self.core.use(replace(self.core.setup, model=model))

    def listen(self, listener: Listening) -> None:
        self.listeners.append(listener)
        if self.core is not None:
            self.core.journal.listen(listener.hear)

    def unlisten(self, listener: Listening) -> None:
        if listener in self.listeners:
            self.listeners.remove(listener)
        if self.core is not None:
            self.core.journal.unlisten(listener.hear)

    async def heard_out(self) -> None:
        """Wait until coroutines that listen have heard all, but not for one that hangs."""
        for listener in tuple(self.listeners):
            await listener.done(self.setup.limits.hook_timeout)

    def forget_loop(self) -> None:
        """Its locks and tasks belong to an event loop that has ended."""
        self.lock.forget_loop()
        if self.core is not None:
            self.core.journal.forget_loop()

    async def _open(self, with_branch: bool) -> None:
        if self._source is not None:
            core = await self._source.ready()
            await core.journal.flush()
            await copy_session(self._store, core.journal.info, self._id, self._at)
        if self._source is not None or self._exists:
            info, record = await open_session(self._store, self._id)
            branch = await self._store.branch(self._id, info.head) if with_branch else []
        else:
            info = await create_session(self._store, self.setup, self._id, title=self._title, parent=self._parent)
            branch, record = [], None
        journal = Journal(self._store, info, record, self.setup.limits)
        if self.setup.hooks.having("event"):
            # Plugins that watch get events one after another, beside the run.
            self.listeners.append(Listening(self.setup.hooks.event))
        for listener in self.listeners:
            journal.listen(listener.hear)
        self.core = Core(journal, History(branch), self.setup)
