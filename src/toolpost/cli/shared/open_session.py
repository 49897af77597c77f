"""Open the session that the arguments of `run` and `chat` name: workspace, model, rules, stored session."""

import asyncio
from argparse import Namespace
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace

from msgspec import structs

from toolpost.engine.session import Session
from toolpost.engine.session_setup import Setup
from toolpost.engine.sweeper import SWEEP_SECONDS, Sweeper
from toolpost.models.contract import Model
from toolpost.store.contract import SessionInfo
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.workspace import Workspace

from .arguments import limits_of, rules_of
from .default_model import default_model, fetch_default_weights
from .env_files import ask_or_say
from .find_by_id import LATEST, find_session
from .questions import TerminalQuestions

# The kind of process whose runs have people of their own.
SERVER = "server"


class SessionOpener:
    """Opens a workspace and sessions from arguments. `stack` closes what was opened; `tell` shows notes to the person.
    A person is there to be asked where there are `questions`, or `arrange`, which adds to each setup what a face needs.

    `agent`, `model_id` and `variant` are what sessions are opened with, where they are not what those had.
    """

    def __init__(
        self,
        args: Namespace,
        stack: AsyncExitStack,
        tell: Callable[[str], None],
        questions: TerminalQuestions | None = None,
        *,
        arrange: Callable[[Setup], Setup] | None = None,
    ) -> None:
        self._args = args
        self._stack = stack
        self._tell = tell
        self._questions = questions
        self._arrange = arrange
        self._default: Model | None = None
        self.agent: str | None = args.agent
        self.model_id: str | None = args.model
        self.variant: str = args.variant
        self.workspace = _workspace(args, tell, has_person=questions is not None or arrange is not None)
        self.workspace.tell = tell
        stack.push_async_callback(self.workspace.close)

    def watch_runs(self) -> None:
        """Look for runs of this store whose process has died, as every process does, so that followers are told."""
        if self.is_unstored:
            return
        sweeper = Sweeper(self.workspace.store, self.workspace.config.resume)
        task = asyncio.create_task(sweeper.run(first_after=SWEEP_SECONDS))

        async def stop() -> None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        self._stack.push_async_callback(stop)

    async def session(self) -> Session:
        """The session that was asked for, or a new one."""
        info = await self.asked_for()
        session = await self.resume(info) if info else self.new(await self.model())
        if info is not None and self._args.title:
            await session.rename(self._args.title)
        return session

    async def asked_for(self) -> SessionInfo | None:
        """What is stored of the session that was asked for; None for a new one. Begins what sessions need to run."""
        args = self._args
        self.watch_runs()
        if self.workspace.servers is not None:
            # They connect while the person still types, or the model is found.
            self.workspace.servers.start()
        wanted = LATEST if args.newest else args.session
        return await find_session(self.workspace, wanted) if wanted else None

    async def interrupted(self) -> Session:
        """The session whose run is to go on: the one asked for, or the newest with a run that nobody drives."""
        args, store = self._args, self.workspace.store
        found: SessionInfo | None = None
        if args.session:
            found = await find_session(self.workspace, args.session)
        else:
            # Those of a server's users go on there, with their rights and not with those of who types this.
            async for one in store.open_runs(folder=str(self.workspace.project), owner=""):
                is_driven = one.holder is not None and one.holder.is_alive
                if one.parent is None and one.record.home != SERVER and (args.newest or not is_driven):
                    found = await store.info(one.record.session_id)
        if found is None:
            raise ConfigError("no run of this project was interrupted: toolpost sessions lists its sessions")
        record = await store.open_run(found.id)
        if found.owner or (record is not None and record.home == SERVER):
            raise ConfigError(f"the run of session {found.id} belongs to a server: it goes on there, or on its page")
        if record is None:
            raise ConfigError(f'session {found.id} has no open run: continue with toolpost run -s {found.id} "…"')
        known = record.rules[0] if record.rules else rules_of(self._args)
        if any(rule.action == "allow" and rule not in known for rule in rules_of(self._args)):
            self._tell("--allow does not widen a run that goes on: it keeps the rules that it was started with")
        return await self.resume(structs.replace(found, model=record.model or found.model, agent=record.agent))

    def new(self, model: Model, agent: str | None = None) -> Session:
        return self.workspace.session(self.setup(model, agent=agent), title=self._args.title)

    async def resume(self, info: SessionInfo) -> Session:
        """A stored session, with the model that it used unless another was asked for."""
        if info.open_run is not None and not self._agent(info) and info.agent:
            # Another agent may be allowed more.
            raise ConfigError(
                f"the agent {info.agent} of this run is gone: --agent names the one that goes on with session {info.id}"
            )
        model = await self.model(info)
        return await self.reopen(model, info)

    async def reopen(self, model: Model, info: SessionInfo | None, agent: str | None = None) -> Session:
        """The same session, or one that nothing was said in, with another model and its settings, or another agent."""
        if info is None:
            return self.new(model, agent)
        return await self.stored_session(model, info, agent)

    def stored_session(self, model: Model, info: SessionInfo, agent: str | None = None) -> Session:
        """A stored session that is opened on its first use."""
        return self.workspace.session(self.setup(model, info, agent), info.id)

    def stored(self, *, everywhere: bool = False) -> AsyncIterator[SessionInfo]:
        """The sessions of this project, or all, newest first, without those of sub-agents."""
        stored = self.workspace.store.sessions(folder=None if everywhere else str(self.workspace.project))
        return (info async for info in stored if info.parent is None)

    @property
    def is_unstored(self) -> bool:
        return bool(self._args.no_store)

    def setup(self, model: Model, info: SessionInfo | None = None, agent: str | None = None) -> Setup:
        args = self._args
        setup = self.workspace.setup(
            model,
            agent=agent or self._agent(info),
            variant=self.variant,
            rules=rules_of(args),
            limits=limits_of(args),
            on_ask=self._questions,
            on_question=self._questions.choose if self._questions else None,
        )
        setup = replace(setup, replaces_agent=bool(agent or self.agent))
        for notice in self.workspace.notices:
            self._tell(notice)
        self.workspace.notices.clear()
        return self._arrange(setup) if self._arrange is not None else setup

    async def model(self, info: SessionInfo | None = None) -> Model:
        """Asked for, or used last by the session, or configured, or found."""
        _, agent = self.workspace.agent(self._agent(info))
        used = info.model if info and info.model and self._is_known(info.model) else None
        model_id = self.workspace.model_id(self.model_id or used, agent)
        if model_id is not None:
            await fetch_default_weights(self.workspace, model_id)
            return self.workspace.model(model_id)
        if self._default is None:
            self._default = await default_model(self.workspace, self._stack, self._tell)
        return self._default

    def _agent(self, info: SessionInfo | None) -> str | None:
        used = info.agent if info else ""
        is_known = used == "default" or used in self.workspace.agents
        return self.agent or (used if is_known else None)

    def _is_known(self, model_id: str) -> bool:
        """A session may have used the demo model, or a provider that is no longer configured."""
        try:
            self.workspace.model(model_id)
        except ToolpostError:
            return False
        return True


def _workspace(args: Namespace, tell: Callable[[str], None], *, has_person: bool) -> Workspace:
    for file in args.tools:
        if not file.is_file():
            raise ConfigError(f"--tools {file}: no such file")
    workspace = Workspace(tool_files=args.tools)
    ask_or_say(workspace, tell, has_person=has_person)
    if args.no_store:
        if args.newest or args.session:
            raise ConfigError("--no-store cannot be combined with --session or --continue: use one or the other")
        # Imported here: nearly every session is stored.
        from toolpost.store.memory import MemoryStore

        workspace.store = MemoryStore()
    workspace.tools  # noqa: B018 - loaded now, so that a broken file is a clear error before anything else happens
    return workspace
