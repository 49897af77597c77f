"""A session: a conversation that runs prompts, keeps its messages as a tree, and publishes events."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from msgspec import UNSET, UnsetType

from toolpost.arguments.check_sdk_calls import check_function, named
from toolpost.models.contract import Model
from toolpost.store.contract import Prompt, SessionInfo, Store
from toolpost.tools.define import Tool
from toolpost.tools.host import CallOutcome
from toolpost.types.errors import StoreError, ToolpostError
from toolpost.types.events import Event, PermissionAsked, QuestionAsked, Reply, Settled
from toolpost.types.ids import new_id
from toolpost.types.messages import Message, Usage
from toolpost.types.text import clean

from .asyncio_tasks import run_blocking, stopped, uninterrupted
from .compaction import compact
from .history import History
from .journal import Journal
from .listeners import Listening
from .loop import run_loop
from .permissions import Answer
from .programmatic_calls import call_tool
from .questions import Given
from .repetition import RepetitionGuard
from .result import RunResult, result_of
from .run_options import RunArguments, RunOptions, check_switched_off, stored_prompt
from .session_setup import Setup
from .state import Core, Run, Status
from .stored_sessions import SessionLock, copy_session, create_session, open_session
from .structured_output import OutputTarget

if TYPE_CHECKING:
    from .file_changes import FileChanges

log = logging.getLogger("toolpost.engine")
T = TypeVar("T")

IDLE = Status("idle")


class Session:
    """Opened on first use; `await session` opens it at once. One run at a time.

    Made by `Agent.session()`. All its methods belong to one event loop.
    """

    def __init__(
        self,
        setup: Setup,
        store: Store,
        session_id: str | None = None,
        *,
        title: str = "",
        parent: str | None = None,
        source: "Session | None" = None,
        at: str | None = None,
    ) -> None:
        self.id = session_id or new_id("ses")
        self._setup = setup
        self._store = store
        self._exists = session_id is not None
        self._title = title
        self._parent = parent
        self._source = source
        self._at = at
        self._core: Core | None = None
        self._lock = SessionLock(store, self.id)
        self._listeners: list[Listening] = []
        self._task: asyncio.Task[None] | None = None

    def __await__(self) -> Generator[Any, None, "Session"]:
        return self._opened().__await__()

    @property
    def status(self) -> Status:
        return self._core.status if self._core else IDLE

    @property
    def info(self) -> SessionInfo:
        return self._core.journal.info if self._core else SessionInfo(self.id, self._title, owner=self._setup.owner)

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self._core.journal.seq if self._core else 0

    @property
    def is_unsaved(self) -> bool:
        """True where something of it is only here: it runs, or the store could not take it."""
        return self._core is not None and self._core.journal.is_unsaved

    @property
    def messages(self) -> Sequence[Message]:
        """The current branch, from its beginning (or what the last compaction kept) to its head. While a step runs, its
        message is the last one, as far as it has come: with what was said so far, and each call in its state."""
        core = self._core
        if core is None:
            return ()
        running = core.run.draft if core.run else None
        return (*core.history.branch, *([running.so_far()] if running and not running.failed else []))

    @property
    def open_asks(self) -> Sequence[PermissionAsked | QuestionAsked]:
        """What waits for a person's `reply` or `answer`."""
        return (*self._core.asks.open, *self._core.questions.open) if self._core else ()

    @property
    def usage(self) -> Usage:
        return self.info.usage

    @property
    def cost(self) -> float | None:
        return self.info.cost

    @property
    def model(self) -> Model:
        return self._setup.model

    @property
    def agent(self) -> str:
        return self._setup.agent

    @overload
    async def run(self, prompt: str | None, *, output: type[T], **arguments: Unpack[RunArguments]) -> RunResult[T]: ...

    @overload
    async def run(
        self, prompt: str | None, *, output: Mapping[str, Any], **arguments: Unpack[RunArguments]
    ) -> RunResult[Any]: ...

    @overload
    async def run(
        self, prompt: str | None, *, output: None = None, **arguments: Unpack[RunArguments]
    ) -> RunResult[None]: ...

    @named("run", RunArguments)
    async def run(self, prompt: str | None, *, output: Any = None, **arguments: Unpack[RunArguments]) -> RunResult[Any]:
        """Run a prompt until the session is settled. Raises `ModelError` or `OutputError` if it failed.

        - `output` is a type (or a JSON Schema): the result's `output` is then a valid value of it.
        - `files` go with the prompt.
        - `options` go to the model (temperature, max_tokens…), and `variant` names a set of them, such as "high".
        - `system` stands in place of the agent's prompt.
        - `switch_off` names tools that are not offered.

        All of it holds for this run. Without a prompt (None) the model goes on from where the branch ends.
        """
        run = await self._start(prompt, await self._checked(arguments, output))
        task = self._task
        assert task is not None
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await uninterrupted(stopped(task))
            raise
        await self._heard_out()
        return result_of(self.id, run)

    @named("stream", RunArguments)
    async def stream(
        self, prompt: str | None, *, output: Any = None, **arguments: Unpack[RunArguments]
    ) -> AsyncGenerator[Event, None]:
        """Run a prompt and give every event until `settled`. Leaving early aborts the run. Takes what `run` takes."""
        asked = await self._checked(arguments, output)
        core = await self._ready()
        with core.journal.subscribe(owner=True) as events:
            await self._start(prompt, asked)
            task = self._task
            try:
                async for event in events:
                    yield event
                    if isinstance(event, Settled):
                        break
            finally:
                await uninterrupted(stopped(task))
        await self._heard_out()

    @named("begin", RunArguments)
    async def begin(
        self, prompt: str | None, *, at: str | UnsetType | None = UNSET, **arguments: Unpack[RunArguments]
    ) -> int:
        """Start a run that goes on after this returns, and give the `seq` after which its events come.

        With `at` it first goes back to that message, as `branch` does. The rest is as in `run`.
        """
        # Stored settings of a chat may name a tool that is gone, so it is not checked here: the server checks new ones.
        return (await self._start(prompt, RunOptions.of(arguments), at)).after

    def run_sync(self, prompt: str, *, output: Any = None, **arguments: Unpack[RunArguments]) -> RunResult[Any]:
        """`run` for code without an event loop."""
        self._forget_loop()
        return run_blocking(self.run(prompt, output=output, **arguments))

    def subscribe(self, listener: Callable[[Event], object]) -> Callable[[], None]:
        """Call `listener` with every event from now on; returns a function that stops it. A sync one must not block; a
        coroutine function is served one event after the other, and has heard all when `run` returns."""
        check_function(listener, "what is given to subscribe", "event")
        watcher = Listening(listener)
        self._listeners.append(watcher)
        if self._core is not None:
            self._core.journal.listen(watcher.hear)
        return lambda: self._unsubscribe(watcher)

    async def events(self, after: int = 0) -> AsyncGenerator[Event, None]:
        """Every event after `seq` `after`, kept and new, until the session is settled."""
        core = await self._ready()
        if core.run is None:
            async with contextlib.aclosing(core.journal.past(after)) as events:
                async for event in events:
                    yield event
            return
        began = core.run.after
        async with contextlib.aclosing(core.journal.follow(after)) as events:
            async for event in events:
                yield event
                if isinstance(event, Settled) and event.seq > began:
                    return

    def abort(self) -> "asyncio.Future[None]":
        """Stop the run at once. Await what it returns to know that it has ended."""
        # Cancelled a moment later, in the task made here: then the run has begun, and its `finally` says `settled`.
        return asyncio.ensure_future(stopped(self._task))

    def steer(self, text: str) -> "asyncio.Future[None]":
        """Put a message into the running run: the model reads it at the next step. While nothing runs it waits, and
        stands before the next prompt."""
        return asyncio.ensure_future(self._put(stored_prompt(text, steer=True)))

    def queue(self, text: str) -> "asyncio.Future[None]":
        """Let a message wait until the run has ended; then it starts a run of its own."""
        return asyncio.ensure_future(self._put(stored_prompt(text)))

    def reply(self, ask_id: str, reply: Reply, message: str = "") -> None:
        """Answer a `permission_asked` event."""
        if self._core is None:
            raise ToolpostError("this session has asked nothing")
        self._core.asks.reply(ask_id, Answer(reply, message))

    def answer(self, question_id: str, answers: Given) -> None:
        """Answer a `question_asked` event: one text, or several options, a question. None dismisses it."""
        if self._core is None:
            raise ToolpostError("this session has asked nothing")
        self._core.questions.answer(question_id, answers)

    def offers(self, tool: str) -> bool:
        """Whether it has this tool: one that is there, switched on and not denied outright."""
        known = self._setup.tools.get(tool)
        if known is not None and self._core is not None and self._core.inits.version:
            known = self._core.inits.made(known)
        return known is not None and self._setup.offering.has(known)

    async def call(
        self, tool: str | Tool, arguments: dict[str, Any], *, guard: RepetitionGuard | None = None
    ) -> CallOutcome:
        """Call a tool in a person's name, with this session's rules and limits, outside of the conversation: one that
        it has, or one that is given for this call alone. `guard` knows the calls that were made before."""
        core = await self._ready()
        async with self._lock.held_idle(core, "call a tool"):
            try:
                given, name = ((), tool) if isinstance(tool, str) else ((tool,), tool.name)
                if isinstance(tool, str):
                    await core.init_tools()
                run, offer = Run(core, guard=guard), core.offer(given, frozenset())
                return await call_tool(run, offer, name, arguments)
            finally:
                await uninterrupted(core.journal.settle())

    def fork(self, at: str | None = None) -> "Session":
        """A new session with the history of this one up to message `at` (by default all of it)."""
        head = at or (self._core.journal.info.head if self._core else None)
        return Session(self._setup, self._store, source=self, at=head)

    async def branch(self, at: str | None) -> None:
        """Go back to message `at` (None: before the first): what comes next is a new branch, the old one stays."""
        core = await self._ready()
        async with self._lock.held_idle(core, "change the branch"):
            await self._go_to(core, at)
            await core.journal.flush(barrier=True)

    async def edit(self, message_id: str, text: str) -> RunResult[None]:
        """Ask again in other words: a new branch beside the message."""
        await self.branch(await self._parent_of(message_id, "user"))
        return await self.run(text)

    async def retry(self, message_id: str | None = None) -> RunResult[None]:
        """Let the model answer again, from the last prompt before `message_id` (by default the last of the branch)."""
        core = await self._ready()
        branch = core.history.branch
        end = len(branch) - 1
        if message_id is not None:
            end = next((i for i, m in enumerate(branch) if m.id == message_id), -1)
        prompt = next((m for m in reversed(branch[: end + 1]) if m.role == "user"), None)
        if prompt is None:
            raise ToolpostError("there is no prompt to retry")
        await self.branch(prompt.id)
        return await self.run(None)

    async def undo(self) -> Message | None:
        """Go back to before the last prompt and give that prompt, so that it can be changed."""
        core = await self._ready()
        prompt = next((m for m in reversed(core.history.branch) if m.role == "user" and m.text), None)
        if prompt is not None:
            await self.branch(prompt.parent_id)
        return prompt

    @property
    def changes(self) -> "FileChanges":
        """What it changed in files, and taking that back. `undo` goes back in the conversation, and leaves files."""
        # Imported here: few sessions take back what they did to files.
        from toolpost.guard.paths import FileAccess

        from .file_changes import FileChanges

        setup = self._setup
        if setup.files is None:
            raise ToolpostError("this agent notes no changes of files: make it with Agent(…, undo=True)")
        return FileChanges(setup.files, FileAccess(setup.folder), self._store, self.id, self._held)

    async def compact(self) -> bool:
        """Summarise the branch now. False if there was nothing to summarise."""
        core = await self._ready()
        async with self._lock.held_idle(core, "compact"):
            try:
                return await compact(core, "asked")
            finally:
                await uninterrupted(core.journal.settle())

    async def rename(self, title: str) -> None:
        core = await self._ready()
        async with self._lock.held(core):
            core.journal.change(title=clean(title))
            await core.journal.flush(barrier=True)

    async def keep(self, name: str, value: Any) -> None:
        """Keep a plain value under a name in the session's metadata."""
        core = await self._ready()
        async with self._lock.held(core):
            core.journal.change(metadata={**(core.journal.info.metadata or {}), name: value})
            await core.journal.flush(barrier=True)

    def use_model(self, model: Model) -> None:
        """Go on with another model from the next step on."""
        self._setup = replace(self._setup, model=model)
        if self._core is not None:
            self._core.setup = self._setup

    async def save(self) -> None:
        """Store what is unsaved, so that every reader of the store sees all that has happened."""
        if self._core is not None:
            await self._core.journal.flush()

    async def close(self) -> None:
        """Stop what runs and store what is unsaved."""
        await stopped(self._task)
        if self._core is not None:
            await self._core.journal.settle()
        await self._heard_out()

    async def _heard_out(self) -> None:
        """Wait until coroutines that listen have heard all, but not for one that hangs."""
        for listener in tuple(self._listeners):
            await listener.done(self._setup.limits.hook_timeout)

    async def _opened(self) -> "Session":
        await self._ready()
        return self

    async def _ready(self) -> Core:
        if self._core is None:
            async with self._lock.in_process:
                if self._core is None:
                    # Whole or not at all: a session that was made in the store can't be made there again.
                    await uninterrupted(self._open())
        assert self._core is not None
        return self._core

    async def _open(self) -> None:
        if self._source is not None:
            core = await self._source._ready()
            await core.journal.flush()
            await copy_session(self._store, core.journal.info, self.id, self._at)
        if self._source is not None or self._exists:
            info = await open_session(self._store, self.id)
            branch = await self._store.branch(self.id, info.head)
        else:
            info = await create_session(self._store, self._setup, self.id, title=self._title, parent=self._parent)
            branch = []
        journal = Journal(self._store, info, self._setup.limits)
        if self._setup.hooks.having("event"):
            # Plugins that watch get events one after another, beside the run.
            self._listeners.append(Listening(self._setup.hooks.event))
        for listener in self._listeners:
            journal.listen(listener.hear)
        self._core = Core(journal, History(branch), self._setup)

    async def _checked(self, arguments: RunArguments, output: Any) -> RunOptions:
        asked = RunOptions.of(arguments, output)
        await check_switched_off(asked.switched_off, self._setup)
        return asked

    async def _start(self, prompt: str | None, asked: RunOptions, at: str | UnsetType | None = UNSET) -> Run:
        setup = self._setup
        asked = asked.with_variant(setup.model.info, setup.variant, setup.variants)
        core = await self._ready()
        async with self._lock.held_for_run(core):
            waiting = None if prompt is None else stored_prompt(prompt, asked.files)
            if at is not UNSET:
                await self._go_to(core, at)
            if waiting is None and not core.history.sendable:
                raise ToolpostError("there is nothing to continue from: give a prompt")
            target = None if asked.output is None else OutputTarget.of(asked.output, setup.limits.output_retries)
            # What was said while nothing ran was said before this prompt.
            earlier = [said for said in core.journal.info.inbox if said.steer]
            prompts = () if waiting is None else (*earlier, waiting)
            run = core.run = Run(core, prompts=prompts, asked=asked, output=target)
            self._task = asyncio.create_task(self._drive(core, run), name=f"run {run.id}")
            self._task.add_done_callback(lambda task: self._ended(core, task))
            return run

    @contextlib.asynccontextmanager
    async def _held(self, what: str) -> AsyncGenerator[None]:
        async with self._lock.held_idle(await self._ready(), what):
            yield

    async def _go_to(self, core: Core, at: str | None) -> None:
        core.change_branch(await self._store.branch(self.id, at))
        core.journal.change(head=at)

    async def _drive(self, core: Core, run: Run) -> None:
        """The run, then what waits in the queue, then `settled`, whatever happens."""
        try:
            await run_loop(run)
            # What waits in the queue stays there while it can't be stored that it was taken out.
            while run.reason != "aborted" and run.is_stored and core.journal.info.inbox:
                run = core.run = Run(core, prompts=core.journal.info.inbox[:1], asked=run.asked)
                await run_loop(run)
        except asyncio.CancelledError:
            if run.reason is None:
                raise
        finally:
            # An abort that comes now finds the run ended: its result stands.
            with contextlib.suppress(asyncio.CancelledError):
                await uninterrupted(self._settle(core))

    async def _settle(self, core: Core) -> None:
        """Release the session before `settled` goes out: a listener may start the next run at once."""
        settled = Settled(*core.journal.stamp())
        core.journal.record(settled)
        try:
            await core.journal.settle()
        except StoreError as error:
            log.warning("the end of session %s could not be stored yet: %s", self.id, error)
        finally:
            core.run = None
            self._lock.release()
            core.journal.deliver(settled)

    def _ended(self, core: Core, task: asyncio.Task[None]) -> None:
        """A task that was cancelled before its first step has run none of its own code."""
        if task is self._task and core.run is not None:
            core.run = None
            self._lock.release()

    async def _put(self, prompt: Prompt) -> None:
        core = await self._ready()
        async with self._lock.held(core):
            core.journal.change(inbox=(*core.journal.info.inbox, prompt))
            await core.journal.flush(barrier=True)

    async def _parent_of(self, message_id: str, role: str) -> str | None:
        await self._ready()
        message = await self._store.message(self.id, message_id)
        if message.role != role:
            raise ToolpostError(f"message {message_id} is not a {role} message")
        return message.parent_id

    def _forget_loop(self) -> None:
        self._lock.forget_loop()
        if self._core is not None:
            self._core.journal.forget_loop()

    def _unsubscribe(self, listener: Listening) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)
        if self._core is not None:
            self._core.journal.unlisten(listener.hear)
