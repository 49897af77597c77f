"""Run the items of a batch in this process, each in a session of its own that is open only while it runs."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from toolpost.engine.permissions import MissingPermission
from toolpost.engine.result import RunResult
from toolpost.engine.session import Session
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import ConfigError, SessionBusy, ToolpostError
from toolpost.types.events import Event, Retry, RunResumed, RunStart
from toolpost.types.messages import ErrorInfo
from toolpost.workspace import Workspace

from .batch_runner import Stands, always
from .item_sessions import ItemSessions, RunReader
from .item_setups import ItemSetups
from .items import BatchItem
from .results import ItemResult

# How often to look whether a session that another process holds is free.
BUSY_SECONDS = 2.0
# What is shown of what nobody could approve; in every item it may be something else.
MOST_REFUSALS = 20
# Where many items try again, not each of them says so.
SECONDS_BETWEEN_RETRIES = 5.0
# The provider is too busy: for the other items as well.
BUSY_CODES = frozenset({"rate_limit", "overloaded"})


class LocalRuns:
    """`limits` are those that the person gave now, also for runs that were begun with others. `hold_back` is told until
    when the provider wants to be left alone, and `say` what a person should know. `refusals` are what nobody could
    approve."""

    def __init__(
        self,
        workspace: Workspace,
        setups: ItemSetups,
        sessions: ItemSessions,
        limits: Mapping[str, Any],
        hold_back: Callable[[float], None],
        say: Callable[[str], None],
    ) -> None:
        self.refusals: set[MissingPermission] = set()
        self._workspace = workspace
        self._setups = setups
        self._sessions = sessions
        self._limits = limits
        self._hold_back = hold_back
        self._say = say
        self._said = -SECONDS_BETWEEN_RETRIES
        self._running: set[Session] = set()
        self._released = asyncio.Event()

    async def run(self, item: BatchItem, stands: Stands) -> ItemResult | None:
        while not self._released.is_set():
            try:
                return await self._run(item, stands)
            except SessionBusy:
                # Another process runs it. It may end there, or be left to us.
                stands = always
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._released.wait(), BUSY_SECONDS)
        return None

    async def release(self) -> None:
        """Stop what runs, so that it can be resumed."""
        self._released.set()
        await asyncio.gather(*(session.release() for session in tuple(self._running)))

    async def _run(self, item: BatchItem, stands: Stands) -> ItemResult | None:
        info = await self._sessions.find_or_create(item)
        ended = await self._sessions.ended(item, info)
        if ended is not None and stands(ended):
            return ended
        setup = await self._setups.of(item, await self._sessions.begun_as(info))
        session = self._workspace.session(setup, info.id)
        reader = await self._sessions.read(info) if info.open_run else RunReader()
        session.subscribe(reader.hear)
        session.subscribe(partial(self._hear, session, item))
        self._running.add(session)
        try:
            self._note(await self._drive(session, item, info))
        except SessionBusy:
            raise
        except ToolpostError as error:
            # Where a run has ended, its end says what failed.
            if reader.end is None:
                return await self._not_run(item, ended, error)
        finally:
            self._running.discard(session)
            await session.close()
        return reader.result(item)

    async def _drive(self, session: Session, item: BatchItem, info: SessionInfo) -> RunResult[Any]:
        if info.open_run is not None:
            return await session.resume(limits=self._limits)
        if info.head is not None:
            await session.branch(None)
        schema, arguments = self._setups.schema(item), self._setups.arguments(item)
        if schema is None:
            return await session.run(item.prompt, **arguments)
        return await session.run(item.prompt, output=schema, **arguments)

    async def _not_run(self, item: BatchItem, before: ItemResult | None, error: ToolpostError) -> ItemResult:
        """The result of an item that could not be run: its open run was given up, or a file of it is gone."""
        ended = await self._sessions.ended(item, await self._sessions.find_or_create(item))
        if ended is not None and ended != before:
            return ended
        if not isinstance(error, ConfigError):
            raise error
        return self._sessions.not_begun(item, ErrorInfo("config", str(error)))

    def _note(self, result: RunResult[Any]) -> None:
        self.refusals.update(result.refusals[: MOST_REFUSALS - len(self.refusals)])

    def _hear(self, session: Session, item: BatchItem, event: Event) -> None:
        if isinstance(event, Retry):
            self._say_retry(item, event)
        if isinstance(event, Retry) and event.error.code in BUSY_CODES:
            self._hold_back(event.next_at)
        elif self._released.is_set() and isinstance(event, RunStart | RunResumed):
            # It was about to begin when all others were released.
            session.release()

    def _say_retry(self, item: BatchItem, retry: Retry) -> None:
        now = time.monotonic()
        if now - self._said >= SECONDS_BETWEEN_RETRIES:
            self._said = now
            seconds = max(0.0, retry.next_at - time.time())
            self._say(f"item {item.id} tries again in {seconds:.0f} s: {retry.error.message}")
