"""Run tools for a client outside, in a session without a model, of which nothing is kept.

They take the same steps as a model's calls (see `call_pipeline.py`): a face that runs tools for others does it here.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any

from toolpost.arguments.tool_names import repair
from toolpost.models.contract import Model, ModelRequest
from toolpost.store.contract import Approval, SessionInfo, Store
from toolpost.tools.define import Tool
from toolpost.tools.host import CallOutcome
from toolpost.types.errors import UsageError
from toolpost.types.events import Event, ToolExecutionUpdate
from toolpost.types.ids import new_id
from toolpost.types.messages import ErrorInfo, TextPart
from toolpost.types.stream import StreamError, StreamEvent

from .questions import OnQuestion
from .repetition import RepetitionGuard
from .session import Session
from .session_setup import NO_MODEL, Setup
from .tool_init import ToolInits, init_registry

log = logging.getLogger("toolpost.engine")


class NoModel:
    """Stands where a session has no model; a request to it fails with that reason."""

    info = NO_MODEL

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        yield StreamError(ErrorInfo("not_found", "there is no model here: tools are called from outside"))


class OutsideCalls:
    """The tools of a setup for one client. Nobody is asked for a permission: the headless policy answers.

    Saved approvals do not count, for they were given to our own agents; only those count that are handed over here.
    All calls are one session's: what it has read it may change, and a call that is repeated is noticed. `store` makes
    one that is gone with the call.
    """

    def __init__(self, setup: Setup, store: Callable[[], Store], approved: Sequence[Approval] = ()) -> None:
        self._setup = replace(setup, on_ask=None, on_question=None, interactive=False)
        self._store = store
        self._approved = approved
        self._session_id = new_id("ses")
        self._guard = RepetitionGuard(setup.limits.repetition)
        self._alone = asyncio.Lock()
        self._one_init = asyncio.Lock()

    async def tools(self) -> list[Tool]:
        """What is on offer. The `init` of tools is asked once, for all calls."""
        async with self._one_init:
            if any(tool.init is not None for tool in self._setup.tools):
                inits = ToolInits(self._setup.limits.hook_timeout, self._setup.tell)
                context = self._setup.init_context(self._session_id)
                self._setup = replace(self._setup, tools=await init_registry(self._setup.tools, inits, context))
        offering = self._setup.offering
        return [tool for tool in self._setup.tools if offering.has(tool)]

    async def call(
        self,
        tool: str | Tool,
        arguments: dict[str, Any],
        on_update: Callable[[str], None] = lambda text: None,
        *,
        on_question: OnQuestion | None = None,
        model: Model | None = None,
    ) -> CallOutcome:
        """Call a tool on offer, or one that is given for this call alone. `on_update` gets what it shows meanwhile.
        Where the client can be asked something, `on_question` and `model` do that for a tool which wants to know."""

        def heard(event: Event) -> None:
            if isinstance(event, ToolExecutionUpdate) and event.text:
                on_update(event.text)

        is_parallel = tool.parallel if isinstance(tool, Tool) else await self._is_parallel(tool)
        session = await self._session(replace(self._setup, on_question=on_question, model=model or self._setup.model))
        session.subscribe(heard)
        try:
            async with contextlib.nullcontext() if is_parallel else self._alone:
                return await session.call(tool, arguments, guard=self._guard)
        except UsageError as error:
            # A mistake in the tools' own program: the client can do nothing about it.
            log.error("%s", error)
            name = tool if isinstance(tool, str) else tool.name
            return CallOutcome(name, (TextPart(f"{name} failed: {error}"),), "failed")
        finally:
            await session.close()

    async def _session(self, setup: Setup) -> Session:
        """A store for each call: what happened in it is kept no longer than it takes."""
        store = self._store()
        await store.create(SessionInfo(self._session_id, folder=str(self._setup.folder), owner=self._setup.owner))
        await store.approve(self._approved)
        return await Session(setup, store, self._session_id)

    async def _is_parallel(self, tool: str) -> bool:
        known = {one.name: one for one in await self.tools()}
        found = known.get(repair(tool, known) or tool)
        return found is None or found.parallel
