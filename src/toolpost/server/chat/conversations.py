"""The sessions that are open in this process: opened, closed, driven, and told what other processes ask of them."""

import asyncio
import contextlib
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import msgspec
from msgspec import structs

from toolpost.engine.drive import RunEngine
from toolpost.engine.local_driver import LocalEngine
from toolpost.engine.model_options import variant_options
from toolpost.engine.permissions import Answer
from toolpost.engine.session_setup import Setup
from toolpost.engine.state import State
from toolpost.server.accounts.bounds import agent_for, bounded
from toolpost.server.gateway.targets import Targets
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.store.contract import SessionInfo, Signal, Store
from toolpost.store.run_records import RunRecord
from toolpost.types.errors import SessionNotFound, StoreError, ToolpostError
from toolpost.types.events import Event, PermissionAsked, QuestionAsked
from toolpost.types.ids import new_id
from toolpost.types.text import clean
from toolpost.workspace import Workspace

from .conversation import Conversation
from .driving import HOME, ConversationDriver, FindUser, PatientEngine, sweeper_of
from .open_runs import OpenRunLook, look_at, state_of
from .other_processes import (
    PromptSignal,
    PromptTaken,
    RunsReleased,
    TakeBackSignal,
    obey_if_possible,
    read_signal,
)
from .run_control import RunControl
from .session_settings import KEPT_AS, ChatSettings, kept

if TYPE_CHECKING:
    from toolpost.server.spans import Spans

log = logging.getLogger("toolpost.server")
Listener = Callable[[Event], object]

# After the store was out of reach, its signals are listened to again.
LISTEN_AGAIN_SECONDS = 1.0
HEARING_SECONDS = 5.0


class Conversations:
    """Opens and closes the sessions of users. A session that is unused for `idle_seconds` is closed, and so is the
    least recently used one if more than `most_open` are open. What a run asks is refused if there is no answer for
    `ask_seconds`, unless it is parked before.

    `find_user` says who may drive a run that no request belongs to. Without an `engine` every run begins here;
    with one, which is not closed here, it is stored and submitted, and `driver` drives what the engine gives to this
    process.
    """

    def __init__(
        self,
        workspace: Workspace,
        targets: Targets,
        find_user: FindUser,
        *,
        engine: RunEngine | None = None,
        ask_seconds: float = 86_400,
        idle_seconds: float = 900,
        most_open: int = 200,
        spans: "Spans | None" = None,
    ) -> None:
        self.workspace = workspace
        self.spans = spans
        self._targets = targets
        self._ask_seconds = ask_seconds
        self._idle_seconds = idle_seconds
        self._most_open = most_open
        self._open: OrderedDict[str, Conversation] = OrderedDict()
        # Whoever still holds a conversation that was closed, and whoever asks for it again, must have the same one.
        self._known: WeakValueDictionary[str, Conversation] = WeakValueDictionary()
        self._driven: Counter[str] = Counter()
        self._listeners: list[Listener] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._hears = asyncio.Event()
        self._is_closed = False
        self.driver = ConversationDriver(self, find_user)
        own = LocalEngine(self.driver, self.store)
        self._own_engine = own if engine is None else None
        self.engine = PatientEngine(own if engine is None else engine)
        self.control = RunControl(self)
        self._sweeper = sweeper_of(self, self._own_engine)
        self._sweeping: asyncio.Task[None] | None = None

    @property
    def open(self) -> Mapping[str, Conversation]:
        """The open sessions; the least recently used one comes first."""
        return self._open

    @property
    def store(self) -> Store:
        return self.workspace.store

    @property
    def knows_people(self) -> bool:
        """Whether this server has users of its own: then one that it does not know is gone."""
        config = self.workspace.config.server
        return config.accounts or bool(config.users)

    @property
    def begins_here(self) -> bool:
        """Whether this process drives the runs that it accepts. Else an engine says who does."""
        return self._own_engine is not None

    def start(self) -> None:
        """From now on, take up the runs that nobody drives, until `drained` or `close`."""
        self._begin()
        if self._sweeping is None:
            self._sweeping = asyncio.create_task(self._sweeper.run())

    async def info(self, session_id: str, user: User) -> SessionInfo:
        """Return what is stored about a session of the user's. A session of another user counts as not found."""
        try:
            info = await self.store.info(session_id)
        except SessionNotFound:
            info = None
        if info is None or info.owner != user.name:
            raise Refusal(
                "not_found",
                f"there is no session {session_id}: GET /api/sessions lists your sessions",
                code="session_not_found",
            )
        return info

    async def create(
        self,
        user: User,
        *,
        title: str = "",
        model: str = "",
        agent: str = "",
        settings: ChatSettings = ChatSettings(),  # noqa: B008 - a frozen value
        session_id: str = "",
    ) -> Conversation:
        """Create a session; `session_id` is for a client that chooses it. `model` and `agent` go into the settings."""
        chosen = structs.replace(settings, model=model or settings.model, agent=agent or settings.agent)
        # What can't run is refused before anything is kept.
        self.setup(user, chosen)
        self._make_place()
        now = time.time()
        info = SessionInfo(
            session_id or new_id("ses"),
            clean(title),
            str(self.workspace.project),
            owner=user.name,
            created=now,
            updated=now,
            metadata={KEPT_AS: kept(chosen)},
        )
        try:
            await self.store.create(info)
        except StoreError:
            # Somebody was quicker, if it is there now: whether it is theirs is looked at next.
            with contextlib.suppress(SessionNotFound):
                await self.store.info(info.id)
                return await self.find(info.id, user)
            raise
        return await self.find(info.id, user)

    async def state(self, info: SessionInfo) -> State:
        """Return what a session is doing. A run in another process counts as busy until it is parked."""
        conversation = self._open.get(info.id)
        if conversation is not None and conversation.runs_here and not conversation.session.is_leaving:
            return conversation.session.status.state
        record = await self.store.open_run(info.id) if info.open_run is not None else None
        return "idle" if record is None else state_of(record, await self.store.holder(info.id))

    async def look(self, info: SessionInfo) -> OpenRunLook:
        """Return what a session is doing, and what waits for an answer."""
        conversation = self._open.get(info.id)
        return await (look_at(self.store, info) if conversation is None else conversation.look())

    async def find(self, session_id: str, user: User) -> Conversation:
        """Return the session, opened here if it is not open yet."""
        info = await self.info(session_id, user)
        conversation = self._known.get(session_id)
        # An id that was deleted may have been chosen again, by somebody else.
        if conversation is None or conversation.user.name != user.name:
            conversation = self._known[session_id] = Conversation(self, info, user)
        self.use(conversation)
        conversation.be_for(user)
        return conversation

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every event of every session that runs here; returns a function that stops it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def hearing(self) -> None:
        """Wait until signals of other processes can arrive, but not for long: the store may be unreachable."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HEARING_SECONDS):
                await self._hears.wait()

    async def finished(self) -> None:
        """Return when nothing runs here any more, except what waits for a person."""
        while running := [conversation for conversation in self._open.values() if conversation.is_working]:
            await running[0].changed()

    async def drained(self) -> None:
        """Take up no more runs, and return when those that run here have ended."""
        await self._stop_sweeping()
        await self.finished()

    async def close(self) -> None:
        """Let go of all runs: another process goes on with them, or this server when it starts again. Those that wait
        for a person are parked."""
        self._is_closed = True
        await self._stop_sweeping()
        await self.control.close()
        conversations, self._open = list(self._open.values()), OrderedDict()
        closed = await asyncio.gather(*(one.let_go() for one in conversations), return_exceptions=True)
        if self._own_engine is not None:
            # What it was just taking up.
            await self._own_engine.close()
        if any(closed):
            # Where the store can't be reached, they are found a little later.
            with contextlib.suppress(StoreError):
                await self.store.signal(Signal("*", msgspec.json.encode(RunsReleased())))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for problem in closed:
            if isinstance(problem, StoreError):
                log.warning("what was said last could not be stored: %s", problem)
            elif isinstance(problem, BaseException):
                raise problem

    def setup(self, user: User, settings: ChatSettings) -> Setup:
        """Return the setup of a session with these settings, within the user's role. Raises a `Refusal` if a name in
        them is unknown, or the role does not have it."""
        name, agent = agent_for(self.workspace, user, settings.agent)
        model = self._targets.model(settings.model, user, usual=agent.model or "")
        setup = self.workspace.setup(
            model,
            agent=name,
            rules=user.rules(self.workspace),
            on_ask=self._refuse_late,
            on_question=self._dismiss_late,
        )
        variant_options(model.info, settings.variant, setup.variants(model.info))
        config = self.workspace.config
        park_seconds = None if self.begins_here else config.engine.park_seconds
        return replace(
            bounded(setup, self.workspace, user, self._targets),
            home=HOME,
            park_seconds=config.server.park_seconds if park_seconds is None else park_seconds,
        )

    def settings_of_run(self, record: RunRecord, own: ChatSettings, user: User) -> ChatSettings:
        """Return the settings with the model and the agent that a run began with, if the user may still have them: the
        session's own where these say the same. Raises a `Refusal` or a `ToolpostError`."""
        with contextlib.suppress(Refusal, ToolpostError):
            setup = self.setup(user, structs.replace(own, variant=""))
            if (setup.model.info.id, setup.agent) == (record.model, record.agent):
                return own
        return structs.replace(own, model=self._targets.name_of(record.model, user), agent=record.agent)

    def goes_on_by_itself(self, record: RunRecord, info: SessionInfo) -> bool:
        """Whether a run whose process has died is taken up by this server, without a person."""
        is_ours = record.home == HOME and info.folder == str(self.workspace.project)
        return is_ours and self.workspace.config.resume == "auto"

    @contextlib.contextmanager
    def driven(self, session_id: str) -> Generator[None]:
        """Keep a session open while it is driven, also before its run has begun here."""
        self._driven[session_id] += 1
        try:
            yield
        finally:
            self._driven[session_id] -= 1
            if not self._driven[session_id]:
                del self._driven[session_id]

    def is_driven(self, session_id: str) -> bool:
        return session_id in self._driven

    async def stop_runs(self, is_out: Callable[[User], Awaitable[bool]]) -> None:
        """Stop what runs here for users who may not use the server any more."""
        for conversation in [one for one in self._open.values() if one.runs_here]:
            if await is_out(conversation.user):
                await conversation.stop()

    def use(self, conversation: Conversation) -> None:
        """Mark a session as the most recently used one, and close others if too many are open."""
        if self._is_closed:
            raise Refusal("overloaded", "the server is stopping", status=503, code="stopping")
        self._begin()
        if conversation.id not in self._open:
            self._make_place()
        conversation.used = time.monotonic()
        self._open[conversation.id] = conversation
        self._open.move_to_end(conversation.id)

    def heard(self, event: Event) -> None:
        """Pass on an event of a session that runs here."""
        for listener in tuple(self._listeners):
            listener(event)

    def _begin(self) -> None:
        """Start the background tasks with the first session, when there is an event loop."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._sweep()), asyncio.create_task(self._obey())]

    def _make_place(self) -> None:
        if len(self._open) < self._most_open:
            return
        place = next((conversation for conversation in self._open.values() if conversation.can_close), None)
        if place is None:
            raise Refusal(
                "overloaded",
                f"{self._most_open} sessions run at once: try again later",
                retry_after=5.0,
                code="too_many_runs",
            )
        self._close(place)

    def _close(self, conversation: Conversation) -> None:
        del self._open[conversation.id]
        conversation.put_away()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self._idle_seconds / 2)
            oldest = time.monotonic() - self._idle_seconds
            for conversation in [conversation for conversation in self._open.values() if conversation.used < oldest]:
                if not conversation.runs_here and conversation.session.is_unsaved:
                    with contextlib.suppress(StoreError):
                        await conversation.session.save()
                if conversation.can_close and self._open.get(conversation.id) is conversation:
                    self._close(conversation)

    async def _obey(self) -> None:
        """Apply signals of other processes to sessions that run here."""
        while True:
            try:
                async for signal in self.store.signals():
                    self._hears.set()
                    await self._heed(signal)
            except Exception:  # nobody awaits this task, and without it nobody could answer a run from elsewhere
                log.warning("signals of other processes can't be heard now", exc_info=True)
            await asyncio.sleep(LISTEN_AGAIN_SECONDS)

    async def _heed(self, signal: Signal) -> None:
        said = read_signal(signal.body)
        conversation = self._open.get(signal.session_id)
        if isinstance(said, PromptTaken):
            self.control.prompt_taken(said.id)
        elif isinstance(said, RunsReleased):
            self._sweeper.look_now()
        elif said is not None and conversation is not None and conversation.runs_here:
            is_done = await obey_if_possible(said, conversation)
            if is_done and isinstance(said, PromptSignal | TakeBackSignal):
                await self.store.signal(Signal(signal.session_id, msgspec.json.encode(PromptTaken(said.id))))

    async def _stop_sweeping(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.wait({self._sweeping})

    async def _refuse_late(self, asked: PermissionAsked) -> Answer:
        await asyncio.sleep(self._ask_seconds)
        return Answer("reject", f"There was no answer within {self._ask_seconds:g} s. Continue without it.")

    async def _dismiss_late(self, asked: QuestionAsked) -> None:
        await asyncio.sleep(self._ask_seconds)
