"""A session: a conversation that runs prompts, keeps its messages as a tree, and publishes events."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast, overload

from msgspec import UNSET, UnsetType

from toolpost.arguments.check_sdk_calls import check_function, named
from toolpost.models.contract import Model
from toolpost.store.contract import SessionInfo, Store
from toolpost.store.run_records import Holder, Prompt, RunRecord
from toolpost.tools.define import Tool
from toolpost.tools.host import CallOutcome
from toolpost.types.errors import ToolpostError
from toolpost.types.events import Event, PermissionAsked, QuestionAsked, Reply, RunParked, Settled
from toolpost.types.ids import new_id
from toolpost.types.messages import Message, Usage
from toolpost.types.text import clean

from .asyncio_tasks import run_blocking, uninterrupted
from .compaction import compact
from .drive import RunTicket
from .listeners import Listening
from .permissions import Answer
from .programmatic_calls import call_tool
from .questions import Given
from .repetition import RepetitionGuard
from .result import RunResult, result_of
from .run_options import RunArguments, RunOptions, check_switched_off, stored_prompt
from .run_task import RunTask
from .session_opening import SessionOpening
from .session_setup import Setup
from .state import Core, Leaving, Run, Status
from .unheld_runs import answer_ask, answer_question, open_requests
from .waiting_prompts import first_prompts, put_prompt, queue_new_run

if TYPE_CHECKING:
    from .file_changes import FileChanges

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
        new_session_id: str = "",
    ) -> None:
        self.id = session_id or new_session_id or new_id("ses")
        self._store = store
        self._opening = SessionOpening(
            setup,
            store,
            self.id,
            exists=session_id is not None,
            title=title,
            parent=parent,
            source=source._opening if source else None,
            at=at,
        )
        self._lock = self._opening.lock
        self._runs = RunTask(store, self._lock)

    def __await__(self) -> Generator[Any, None, "Session"]:
        return self._open().__await__()

    @property
    def status(self) -> Status:
        return self._core.status if self._core else IDLE

    @property
    def info(self) -> SessionInfo:
        return self._opening.info

    @property
    def drives(self) -> bool:
        """Whether a run is driven here, and is not just being let go of."""
        run = self._core.run if self._core else None
        return run is not None and not run.leaving

    @property
    def is_leaving(self) -> bool:
        """Whether a run is just being let go of here: nothing reaches it any more."""
        run = self._core.run if self._core else None
        return run is not None and bool(run.leaving)

    @property
    def open_run(self) -> RunRecord | None:
        """The run that has not ended, if there is one, whichever process drives it: as it was when this session was
        last read."""
        return self._core.journal.record if self._core else None

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
        return self._core.messages if self._core else ()

    @property
    def open_asks(self) -> Sequence[PermissionAsked | QuestionAsked]:
        """What waits for a person's `reply` or `answer`, also what a run that is just being resumed asked before."""
        return self._core.open_asks if self._core else ()

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
        return await self._result(await self._start(prompt, await self._checked(arguments, output)))

    async def resume(
        self, *, instead_of: Holder | None = None, limits: Mapping[str, Any] | None = None
    ) -> RunResult[Any]:
        """Go on with the run that a process left open, until the session is settled, as `run` does.

        It has the options and limits that it was started with; `limits` replaces some of them. A structured output
        comes as plain data. Calls that had ended stay; one that was running is told to the model as interrupted,
        unless its tool is `read_only` or `idempotent`. `instead_of` is a frozen process that holds the session.
        """
        is_new = self._core is None
        core = await self._opening.ready(with_branch=False)
        try:
            run = await self._runs.resume(core, instead_of, limits or {})
        except ToolpostError:
            if is_new:
                core.change_branch(await self._store.branch(self.id, core.journal.info.head))
            raise
        return await self._result(run)

    @named("submit", RunArguments)
    async def submit(
        self,
        prompt: str | None,
        *,
        output: Any = None,
        at: str | UnsetType | None = UNSET,
        **arguments: Unpack[RunArguments],
    ) -> RunTicket:
        """Store a run, for whichever process takes it up first; nothing of it runs here. Takes what `begin` takes."""
        setup, asked = self._setup, self._with_variant(RunOptions.of(arguments, output))
        core = await self._opening.ready()
        async with self._lock.held_idle(core, "start a run"):
            record = queue_new_run(core, asked, await first_prompts(core, prompt, asked, at))
            await core.journal.flush(barrier=True)
        return RunTicket(self.id, record.id, setup.owner, setup.agent, str(setup.folder))

    @named("stream", RunArguments)
    async def stream(
        self, prompt: str | None, *, output: Any = None, **arguments: Unpack[RunArguments]
    ) -> AsyncGenerator[Event, None]:
        """Run a prompt and give every event until `settled`. Leaving early aborts the run. Takes what `run` takes."""
        asked = await self._checked(arguments, output)
        core = await self._opening.ready()
        with core.journal.subscribe(owner=True) as events:
            await self._start(prompt, asked)
            try:
                async for event in events:
                    yield event
                    if isinstance(event, Settled | RunParked):
                        break
            finally:
                await uninterrupted(self._runs.stop())
        await self._opening.heard_out()

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
        self._opening.forget_loop()
        return run_blocking(self.run(prompt, output=output, **arguments))

    def subscribe(self, listener: Callable[[Event], object]) -> Callable[[], None]:
        """Call `listener` with every event from now on; returns a function that stops it. A sync one must not block; a
        coroutine function is served one event after the other, and has heard all when `run` returns."""
        check_function(listener, "what is given to subscribe", "event")
        watcher = Listening(listener)
        self._opening.listen(watcher)
        return lambda: self._opening.unlisten(watcher)

    async def events(self, after: int = 0) -> AsyncGenerator[Event, None]:
        """Every event after `seq` `after`, kept and new, until the session is settled or its run is parked."""
        core = await self._opening.ready()
        if core.run is None or core.run.leaving:
            async with contextlib.aclosing(core.journal.past(after)) as events:
                async for event in events:
                    yield event
            return
        began = core.run.after
        async with contextlib.aclosing(core.journal.follow(after)) as events:
            async for event in events:
                yield event
                if isinstance(event, Settled | RunParked) and event.seq > began:
                    return

    def abort(self) -> "asyncio.Future[None]":
        """Stop the run at once. Await what it returns to know that it has ended."""
        # Cancelled a moment later, in the task made here: then the run has begun, and its `finally` says `settled`.
        return asyncio.ensure_future(self._runs.stop())

    def release(self) -> "asyncio.Future[None]":
        """Stop the run here, but leave it open for another process, or for `resume`. Calls that are running are
        cancelled."""
        return asyncio.ensure_future(self._leave("released"))

    def park(self) -> "asyncio.Future[None]":
        """Let a run that waits for a person hold nothing: the answer goes on with it. Does nothing while it works."""
        run = self._core.run if self._core else None
        return asyncio.ensure_future(self._leave("waiting") if run is not None and run.is_waiting else asyncio.sleep(0))

    def steer(self, text: str) -> "asyncio.Future[None]":
        """Put a message into the running run: the model reads it at the next step. While nothing runs it waits, and
        stands before the next prompt."""
        return asyncio.ensure_future(self._put(stored_prompt(text, steer=True)))

    def queue(self, text: str) -> "asyncio.Future[None]":
        """Let a message wait until the run has ended; then it starts a run of its own."""
        return asyncio.ensure_future(self._put(stored_prompt(text)))

    @property
    def waiting(self) -> Sequence[Prompt]:
        """The messages of `steer` and `queue` that no run has read yet, the oldest first."""
        return self._core.journal.info.inbox if self._core else ()

    async def unqueue(self, prompt_id: str) -> str:
        """Take back a message of `waiting`; gives its text, or nothing where a run has read it already."""
        core = await self._opening.ready()
        async with self._lock.held(core):
            journal, run = core.journal, core.run
            read = {prompt.id for prompt in run.prompts} | run.reading if run is not None else set[str]()
            found = next((one for one in journal.info.inbox if one.id == prompt_id and one.id not in read), None)
            if found is None:
                return ""
            journal.change(inbox=tuple(one for one in journal.info.inbox if one is not found))
            await journal.flush(barrier=True)
            return found.text

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

    async def requests(self) -> Sequence[PermissionAsked | QuestionAsked]:
        """What waits for a person, also where the run is parked or its process has died."""
        core = await self._opening.ready()
        if core.run is not None:
            return self.open_asks
        asks, questions = await open_requests(self._store, await self._store.info(self.id))
        return (*asks, *questions)

    async def respond(self, request_id: str, reply: Reply | Given, message: str = "") -> None:
        """Answer an ask or a question of `requests`. Where the run is parked the answer is stored, for `resume`."""
        core = await self._opening.ready()
        if isinstance(reply, str):
            answer = Answer(cast("Reply", reply), message)
            if core.run is None:
                await answer_ask(self._store, self.id, request_id, answer)
            else:
                core.asks.reply(request_id, answer)
        elif core.run is None:
            await answer_question(self._store, self.id, request_id, reply)
        else:
            core.questions.answer(request_id, reply)

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
        core = await self._opening.ready()
        async with self._lock.held_idle(core, "call a tool"):
            try:
                return await call_tool(core, tool, arguments, guard)
            finally:
                await uninterrupted(core.journal.settle())

    def fork(self, at: str | None = None) -> "Session":
        """A new session with the history of this one up to message `at` (by default all of it)."""
        head = at or (self._core.journal.info.head if self._core else None)
        return Session(self._setup, self._store, source=self, at=head)

    async def branch(self, at: str | None) -> None:
        """Go back to message `at` (None: before the first): what comes next is a new branch, the old one stays."""
        core = await self._opening.ready()
        async with self._lock.held_idle(core, "change the branch"):
            await core.go_to(at)
            await core.journal.flush(barrier=True)

    async def edit(self, message_id: str, text: str) -> RunResult[None]:
        """Ask again in other words: a new branch beside the message."""
        await self._opening.ready()
        message = await self._store.message(self.id, message_id)
        if message.role != "user":
            raise ToolpostError(f"message {message_id} is not a user message")
        await self.branch(message.parent_id)
        return await self.run(text)

    async def retry(self, message_id: str | None = None) -> RunResult[None]:
        """Let the model answer again, from the last prompt before `message_id` (by default the last of the branch)."""
        core = await self._opening.ready()
        prompt = core.history.prompt_of(message_id)
        if prompt is None:
            raise ToolpostError("there is no prompt to retry")
        await self.branch(prompt.id)
        return await self.run(None)

    async def undo(self) -> Message | None:
        """Go back to before the last prompt and give that prompt, so that it can be changed."""
        core = await self._opening.ready()
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
        core = await self._opening.ready()
        async with self._lock.held_idle(core, "compact"):
            try:
                return await compact(core, "asked")
            finally:
                await uninterrupted(core.journal.settle())

    async def rename(self, title: str) -> None:
        core = await self._opening.ready()
        async with self._lock.held(core):
            core.journal.change(title=clean(title))
            await core.journal.flush(barrier=True)

    async def keep(self, name: str, value: Any) -> None:
        """Keep a plain value under a name in the session's metadata."""
        core = await self._opening.ready()
        async with self._lock.held(core):
            core.journal.change(metadata={**(core.journal.info.metadata or {}), name: value})
            await core.journal.flush(barrier=True)

    def use_model(self, model: Model) -> None:
        """Go on with another model from the next step on."""
        self._opening.use_model(model)

    async def save(self) -> None:
        """Store what is unsaved, so that every reader of the store sees all that has happened."""
        if self._core is not None:
            await self._core.journal.flush()

    async def close(self) -> None:
        """Stop what runs and store what is unsaved."""
        await self._runs.stop()
        if self._core is not None:
            await self._core.journal.settle()
        await self._opening.heard_out()

    async def _open(self) -> "Session":
        await self._opening.ready()
        return self

    @property
    def _core(self) -> Core | None:
        return self._opening.core

    @property
    def _setup(self) -> Setup:
        return self._opening.setup

    async def _checked(self, arguments: RunArguments, output: Any) -> RunOptions:
        asked = RunOptions.of(arguments, output)
        await check_switched_off(asked.switched_off, self._setup)
        return asked

    def _with_variant(self, asked: RunOptions) -> RunOptions:
        setup = self._setup
        return asked.with_variant(setup.model.info, setup.variant, setup.variants)

    async def _start(self, prompt: str | None, asked: RunOptions, at: str | UnsetType | None = UNSET) -> Run:
        asked = self._with_variant(asked)
        return await self._runs.start(await self._opening.ready(), self._setup, prompt, asked, at)

    async def _result(self, run: Run) -> RunResult[Any]:
        await self._runs.wait()
        await self._opening.heard_out()
        return result_of(self.id, run)

    async def _leave(self, why: Leaving) -> None:
        if self._core is not None:
            await self._runs.leave(self._core, why)

    @contextlib.asynccontextmanager
    async def _held(self, what: str) -> AsyncGenerator[None]:
        async with self._lock.held_idle(await self._opening.ready(), what):
            yield

    async def _put(self, prompt: Prompt) -> None:
        core = await self._opening.ready()
        async with self._lock.held(core):
            await put_prompt(core, prompt)
