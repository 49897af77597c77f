"""A session: a conversation that runs, remembers, branches, and says what it does."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar, overload

from msgspec import Struct, structs

from toolpost.models.contract import Model
from toolpost.store.contract import Lease, Prompt, SessionInfo, Store
from toolpost.types.errors import ModelError, OutputError, SessionBusy, StoreError, ToolpostError
from toolpost.types.events import Event, Reply, RunReason, Settled
from toolpost.types.ids import new_id
from toolpost.types.messages import FilePart, Message, Usage

from .asks import Answer
from .compaction import compact
from .core import Core, Run, Setup, Status
from .history import History
from .journal import Journal
from .loop import run_loop
from .output import OutputTarget
from .recovery import recover
from .tasks import run_blocking, uninterrupted
from .watch import EventWatcher, guarded

log = logging.getLogger("toolpost.engine")
T = TypeVar("T")

IDLE = Status("idle")


class RunResult(Struct, Generic[T], frozen=True):
    """How a run ended. `text` is the last answer; `cost` is None where a price is not known.

    `reason`: done, limit (`limit` says which), aborted, denied, repetition. `denied` are the tools that the headless
    policy refused. `output` is the validated value of the type that was asked for, else None.
    """

    session_id: str
    text: str
    reason: RunReason
    steps: int
    usage: Usage
    cost: float | None
    output: T
    limit: str = ""
    denied: tuple[str, ...] = ()


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
        source: "Session | None" = None,
        at: str | None = None,
    ) -> None:
        self.id = session_id or new_id("ses")
        self._setup = setup
        self._store = store
        self._exists = session_id is not None
        self._title = title
        self._source = source
        self._at = at
        self._core: Core | None = None
        self._opening = asyncio.Lock()
        self._listeners: list[Callable[[Event], None]] = []
        self._task: asyncio.Task[None] | None = None
        self._lease: Lease | None = None
        self._just_created = False
        self._watcher: EventWatcher | None = None

    def __await__(self) -> Generator[Any, None, "Session"]:
        return self._opened().__await__()

    @property
    def status(self) -> Status:
        return self._core.status if self._core else IDLE

    @property
    def info(self) -> SessionInfo:
        return self._core.journal.info if self._core else SessionInfo(self.id, self._title)

    @property
    def messages(self) -> Sequence[Message]:
        """The current branch, from its beginning (or what the last compaction kept) to its head."""
        return tuple(self._core.history.branch) if self._core else ()

    @property
    def usage(self) -> Usage:
        return self.info.usage

    @property
    def cost(self) -> float | None:
        return self.info.cost

    @property
    def model(self) -> Model:
        return self._setup.model

    @overload
    async def run(
        self,
        prompt: str | None,
        *,
        output: type[T],
        files: Sequence[FilePart] = (),
        options: Mapping[str, Any] | None = None,
        switch_off: Sequence[str] = (),
    ) -> RunResult[T]: ...

    @overload
    async def run(
        self,
        prompt: str | None,
        *,
        output: Mapping[str, Any],
        files: Sequence[FilePart] = (),
        options: Mapping[str, Any] | None = None,
        switch_off: Sequence[str] = (),
    ) -> RunResult[Any]: ...

    @overload
    async def run(
        self,
        prompt: str | None,
        *,
        files: Sequence[FilePart] = (),
        options: Mapping[str, Any] | None = None,
        switch_off: Sequence[str] = (),
    ) -> RunResult[None]: ...

    async def run(
        self,
        prompt: str | None,
        *,
        output: Any = None,
        files: Sequence[FilePart] = (),
        options: Mapping[str, Any] | None = None,
        switch_off: Sequence[str] = (),
    ) -> RunResult[Any]:
        """Run a prompt until the session is settled. Raises `ModelError` or `OutputError` if it failed.

        `output` is a type (or a JSON Schema): the result's `output` is then a valid value of it. `options` go to the
        model (temperature, max_tokens…); `switch_off` names tools that are not offered this time.
        """
        run = await self._start(prompt, files, options, switch_off, output)
        task = self._task
        assert task is not None
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await uninterrupted(self._stop())
            raise
        return _result(self.id, run)

    async def stream(
        self,
        prompt: str | None,
        *,
        output: Any = None,
        files: Sequence[FilePart] = (),
        options: Mapping[str, Any] | None = None,
        switch_off: Sequence[str] = (),
    ) -> AsyncGenerator[Event, None]:
        """Run a prompt and give every event until `settled`. Leaving early aborts the run."""
        core = await self._ready()
        with core.journal.subscribe(owner=True) as events:
            await self._start(prompt, files, options, switch_off, output)
            try:
                async for event in events:
                    yield event
                    if isinstance(event, Settled):
                        break
            finally:
                await uninterrupted(self._stop())

    def run_sync(self, prompt: str, **arguments: Any) -> RunResult[Any]:
        """`run` for code without an event loop."""
        return run_blocking(self.run(prompt, **arguments))

    def subscribe(self, listener: Callable[[Event], object]) -> Callable[[], None]:
        """Call `listener` with every event from now on; returns a function that stops it. It must not block."""
        heard = guarded(listener)
        self._listeners.append(heard)
        if self._core is not None:
            self._core.journal.listen(heard)
        return lambda: self._unsubscribe(heard)

    async def events(self, after: int = 0) -> AsyncGenerator[Event, None]:
        """Every event after `seq` `after`, kept and new, until the session is settled."""
        core = await self._ready()
        if core.run is None:
            await core.journal.flush()
            async for event in self._store.events(self.id, after):
                yield event
            return
        async with contextlib.aclosing(core.journal.follow(after)) as events:
            async for event in events:
                yield event
                if isinstance(event, Settled):
                    return

    def abort(self) -> "asyncio.Future[None]":
        """Stop the run at once. Await what it returns to know that it has ended."""
        if self._task is None or self._task.done():
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            done.set_result(None)
            return done
        self._task.cancel()
        return asyncio.ensure_future(self._stop())

    def steer(self, text: str) -> "asyncio.Future[None]":
        """Put a message into the running run: the model reads it at the next step. Idle, it waits for the next run."""
        return asyncio.ensure_future(self._put(Prompt(new_id("prm"), text, steer=True)))

    def queue(self, text: str) -> "asyncio.Future[None]":
        """Let a message wait until the run has ended; then it starts a run of its own."""
        return asyncio.ensure_future(self._put(Prompt(new_id("prm"), text)))

    def reply(self, ask_id: str, reply: Reply, message: str = "") -> None:
        """Answer a `permission_asked` event."""
        if self._core is None:
            raise ToolpostError("this session has asked nothing")
        self._core.asks.reply(ask_id, Answer(reply, message))

    def fork(self, at: str | None = None) -> "Session":
        """A new session with the history of this one up to message `at` (by default all of it)."""
        head = at or (self._core.journal.info.head if self._core else None)
        return Session(self._setup, self._store, source=self, at=head)

    async def branch(self, at: str | None) -> None:
        """Go back to message `at` (None: before the first): what comes next is a new branch, the old one stays."""
        core = await self._ready()
        self._refuse_if_running("change the branch")
        if at is not None:
            await self._store.message(self.id, at)
        core.change_branch(await self._store.branch(self.id, at))
        core.journal.change(head=at)
        await core.journal.flush(barrier=True)

    async def edit(self, message_id: str, text: str) -> RunResult[None]:
        """Ask again in other words: a new branch beside the message."""
        await self.branch(await self._parent_of(message_id, "user"))
        return await self.run(text)

    async def retry(self, message_id: str | None = None) -> RunResult[None]:
        """Let the model answer again, from the last prompt before `message_id` (by default the last of the branch)."""
        core = await self._ready()
        branch = core.history.branch
        end = next((i for i, m in enumerate(branch) if m.id == message_id), len(branch) - 1)
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

    async def compact(self) -> bool:
        """Summarise the branch now. False if there was nothing to summarise."""
        core = await self._ready()
        self._refuse_if_running("compact")
        with self._leased():
            return await compact(core, "asked")

    async def rename(self, title: str) -> None:
        core = await self._ready()
        core.journal.change(title=title)
        await core.journal.flush(barrier=True)

    def use_model(self, model: Model) -> None:
        """Go on with another model from the next step on."""
        self._setup = replace(self._setup, model=model)
        if self._core is not None:
            self._core.setup = self._setup

    async def close(self) -> None:
        """Stop what runs and store what is unsaved."""
        await self._stop()
        if self._core is not None:
            await self._core.journal.settle()
        if self._watcher is not None:
            await self._watcher.drained()

    async def _opened(self) -> "Session":
        await self._ready()
        return self

    async def _ready(self) -> Core:
        if self._core is None:
            async with self._opening:
                if self._core is None:
                    self._core = await self._open()
        return self._core

    async def _open(self) -> Core:
        if self._source is not None:
            await self._copy(self._source)
        if self._source is not None or self._exists:
            info = await self._stored_info()
            branch = await self._store.branch(self.id, info.head)
        else:
            info, branch = await self._create(), []
        journal = Journal(self._store, info, self._setup.limits)
        for listener in self._listeners:
            journal.listen(listener)
        self._watch_events(journal)
        return Core(journal, History(branch), self._setup)

    async def _create(self) -> SessionInfo:
        now = time.time()
        info = SessionInfo(self.id, self._title, str(self._setup.folder), created=now, updated=now)
        await self._store.create(info)
        self._just_created = True
        return info

    async def _stored_info(self) -> SessionInfo:
        info = await self._store.info(self.id)
        if info.open_run is not None:
            with contextlib.suppress(SessionBusy), self._leased():
                return await recover(self._store, await self._store.info(self.id))
        return info

    async def _copy(self, source: "Session") -> None:
        core = await source._ready()
        await core.journal.flush()
        at = self._at or core.journal.info.head
        now = time.time()
        origin = core.journal.info
        info = structs.replace(
            origin, id=self.id, head=at, forked_from=origin.id, created=now, updated=now, open_run=None, seq=0, inbox=()
        )
        await self._store.fork(source.id, at, info)

    def _watch_events(self, journal: Journal) -> None:
        """Plugins that watch events get them one after another, beside the run."""
        if self._setup.hooks.having("event"):
            self._watcher = EventWatcher(self._setup.hooks.event)
            journal.listen(self._watcher.put)

    async def _start(
        self,
        prompt: str | None,
        files: Sequence[FilePart],
        options: Mapping[str, Any] | None,
        switch_off: Sequence[str],
        output: Any,
    ) -> Run:
        core = await self._ready()
        self._refuse_if_running("start a run")
        self._lease = self._store.lease(self.id)
        try:
            await self._catch_up(core)
            waiting = None if prompt is None else Prompt(new_id("prm"), prompt, files=tuple(files))
            target = None if output is None else OutputTarget.of(output, self._setup.limits.output_retries)
            run = core.run = Run(
                core, prompt=waiting, options=options, switched_off=frozenset(switch_off), output=target
            )
        except BaseException:
            self._release()
            raise
        self._task = asyncio.create_task(self._drive(core, run), name=f"run {run.id}")
        self._task.add_done_callback(lambda _: self._ended(core))
        return run

    async def _catch_up(self, core: Core) -> None:
        """Another process may have moved the session on since we last wrote to it, or died while doing so."""
        if not self._store.durable or self._just_created:
            self._just_created = False
            return
        await core.journal.flush()
        info = await self._store.info(self.id)
        if info.open_run is not None:
            info = await recover(self._store, info)
        if info.seq != core.journal.info.seq or info.head != core.journal.info.head:
            core.journal.reload(info)
            core.change_branch(await self._store.branch(self.id, info.head))

    async def _drive(self, core: Core, run: Run) -> None:
        """The run, then what waits in the queue, then `settled`, whatever happens."""
        try:
            await run_loop(run)
            while run.reason != "aborted" and (waiting := self._next_in_queue(core)) is not None:
                run = core.run = Run(core, prompt=waiting, options=run.options, switched_off=run.switched_off)
                await run_loop(run)
        except asyncio.CancelledError:
            if run.reason is None:
                raise
        finally:
            core.run = None
            await uninterrupted(self._settle(core))

    async def _settle(self, core: Core) -> None:
        """Give the session free before saying so: whoever hears `settled` may start the next run at once."""
        settled = Settled(*core.journal.stamp())
        core.journal.record(settled)
        try:
            await core.journal.settle()
        except StoreError as error:
            log.warning("the end of session %s could not be stored yet: %s", self.id, error)
        finally:
            self._release()
            core.journal.deliver(settled)

    def _ended(self, core: Core) -> None:
        """A task that was cancelled before its first step has run none of its own code."""
        core.run = None
        self._release()

    def _next_in_queue(self, core: Core) -> Prompt | None:
        return next(iter(core.journal.info.inbox), None)

    async def _stop(self) -> None:
        task = self._task
        if task is None or task.done():
            return
        task.cancel()
        await asyncio.wait({task})

    async def _put(self, prompt: Prompt) -> None:
        core = await self._ready()
        core.journal.change(inbox=(*core.journal.info.inbox, prompt))
        await core.journal.flush(barrier=True)

    async def _parent_of(self, message_id: str, role: str) -> str | None:
        await self._ready()
        message = await self._store.message(self.id, message_id)
        if message.role != role:
            raise ToolpostError(f"message {message_id} is not a {role} message")
        return message.parent_id

    def _refuse_if_running(self, what: str) -> None:
        if self._task is not None and not self._task.done():
            raise SessionBusy(f"session {self.id} is running: wait, `abort()` it, or `steer()` before you {what}")

    @contextlib.contextmanager
    def _leased(self) -> Generator[None, None, None]:
        lease = self._store.lease(self.id)
        try:
            yield
        finally:
            lease.release()

    def _release(self) -> None:
        if self._lease is not None:
            self._lease.release()
            self._lease = None

    def _unsubscribe(self, listener: Callable[[Event], None]) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)
        if self._core is not None:
            self._core.journal.unlisten(listener)


def _result(session_id: str, run: Run) -> RunResult[Any]:
    assert run.reason is not None
    error = run.error
    if error is not None:
        if error.code == "output":
            raise OutputError(error.message)
        if error.code == "store":
            raise StoreError(error.message)
        if error.code in ("hook", "internal"):
            raise ToolpostError(error.message)
        raise ModelError(error)
    output = run.output.value if run.output is not None else None
    return RunResult(
        session_id, run.text, run.reason, run.step, run.usage, run.cost, output, run.limit, tuple(run.denied)
    )
