"""Run the items of a batch through an engine: submit each, and read from the store how its run has ended."""

import logging
from argparse import Namespace
from dataclasses import replace

from msgspec import UNSET, structs

from toolpost.engine.drive import RunEngine, RunTicket
from toolpost.engine.permissions import MissingPermission
from toolpost.engine.unheld_runs import withdraw_run
from toolpost.extras import require
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import ConfigError, SessionBusy, StoreError, ToolpostError
from toolpost.types.messages import ErrorInfo
from toolpost.workspace import Workspace

from .batch_runner import Stands
from .item_sessions import ItemSessions
from .item_setups import ItemSetups
from .items import BatchItem
from .results import ItemResult
from .run_endings import RunEndings

log = logging.getLogger("toolpost.cli")

# The kind of process that drives them.
HOME = "server"


def engine_of(args: Namespace, workspace: Workspace) -> RunEngine | None:
    """The engine that the arguments or the configuration name; None where items run in this process."""
    url = None if args.here else args.engine or workspace.config.engine.url
    if url is None:
        if args.detach:
            raise ConfigError("--detach needs an engine: give --engine temporal://…, or set `url` in [engine]")
        return None
    if args.tools or args.rules:
        raise ConfigError(
            "--tools, --allow and --deny hold in this process only, and an engine has others drive the runs: put them "
            "into the folder's configuration, or give --here"
        )
    if workspace.config.store == "memory":
        raise ConfigError("an engine needs a store that others can read: set `store`, or give --here")
    require("temporal", "[engine] url")
    # Imported here: few have such a server.
    from toolpost.temporal.engine import TemporalEngine

    return TemporalEngine(structs.replace(workspace.config.engine, url=url), workspace.environ)


class NotSubmitted(ToolpostError):
    """The engine is away. The run is stored no more, so that nobody runs it before the batch goes on."""


class EngineRuns:
    """With `is_detached` nobody waits for the ends: the same command reads them later. `submitted` is how many runs
    are with the engine and were not seen to end."""

    # Who drives a run knows what nobody could approve.
    refusals: frozenset[MissingPermission] = frozenset()

    def __init__(
        self,
        workspace: Workspace,
        setups: ItemSetups,
        sessions: ItemSessions,
        engine: RunEngine,
        endings: RunEndings,
        *,
        is_detached: bool = False,
    ) -> None:
        self.submitted = 0
        self._workspace = workspace
        self._setups = setups
        self._sessions = sessions
        self._engine = engine
        self._endings = endings
        self._is_detached = is_detached

    async def run(self, item: BatchItem, stands: Stands) -> ItemResult | None:
        info = await self._sessions.find_or_create(item)
        ended = await self._sessions.ended(item, info)
        if ended is not None and stands(ended):
            return ended
        try:
            ticket = await self._ticket(item, info)
        except ConfigError as error:
            return self._sessions.not_begun(item, ErrorInfo("config", str(error)))
        await self._submit(ticket, is_new=ticket.run_id != info.open_run)
        self.submitted += 1
        if self._is_detached or not await self._endings.wait(info.id, ticket.run_id):
            return None
        self.submitted -= 1
        return await self._sessions.ended(item, await self._sessions.find_or_create(item))

    async def release(self) -> None:
        """Wait for nothing any more: the engine goes on with what it has."""
        self._endings.stop()

    async def _submit(self, ticket: RunTicket, *, is_new: bool) -> None:
        try:
            # One that is there already is not submitted twice.
            await self._engine.submit(ticket)
        except ToolpostError as error:
            if is_new:
                await self._withdraw(ticket)
            if isinstance(error, ConfigError):
                raise
            raise NotSubmitted(str(error)) from error

    async def _withdraw(self, ticket: RunTicket) -> None:
        """Else a server that finds it would run it much later, to everybody's surprise."""
        try:
            await withdraw_run(self._workspace.store, ticket)
        except SessionBusy:
            # Only the answer was lost: a worker drives it already.
            return
        except StoreError as error:
            log.warning("the run of session %s is left queued: %s", ticket.session_id, error)

    async def _ticket(self, item: BatchItem, info: SessionInfo) -> RunTicket:
        """Of the run that is open, or of a new one that is stored now."""
        if info.open_run is not None:
            return RunTicket(info.id, info.open_run, info.owner, info.agent, info.folder)
        setup = replace(await self._setups.of(item), home=HOME)
        session = self._workspace.session(setup, info.id)
        try:
            at = UNSET if info.head is None else None
            arguments = self._setups.arguments(item)
            return await session.submit(item.prompt, output=self._setups.schema(item), at=at, **arguments)
        finally:
            await session.close()
