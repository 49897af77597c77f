"""The state of an open session and of its run, which the parts of the engine share."""

import asyncio
import time
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Literal, Protocol

from msgspec import Struct, structs

from toolpost.models.contract import WireMemo
from toolpost.store.contract import SessionInfo
from toolpost.store.run_records import Holder, Prompt, Spent
from toolpost.tools.cancel import CancelSignal
from toolpost.tools.define import Tool
from toolpost.types.events import PermissionAsked, QuestionAsked, RunReason, Settled
from toolpost.types.ids import new_id
from toolpost.types.messages import ErrorInfo, FilePart, Message, Usage, language_of_conversation
from toolpost.types.text import Language, clean

from .history import History
from .journal import Journal
from .limits import Limits
from .permissions import MissingPermission, PermissionBroker
from .questions import QuestionBroker
from .repetition import RepetitionGuard
from .run_options import RunOptions
from .session_setup import Setup
from .structured_output import OutputTarget
from .system_prompt import date_alone, environment
from .tool_budget import fit_tools
from .tool_init import ToolInits

if TYPE_CHECKING:
    from .message_draft import Draft
    from .resume import LeftStep

# queued and interrupted: the run is open, and no process drives it.
State = Literal["idle", "busy", "retrying", "waiting", "queued", "interrupted"]
# Why a process stops driving a run that stays open. lost: another process has taken it over.
Leaving = Literal["", "waiting", "released", "lost"]


class Status(Struct, frozen=True, omit_defaults=True):
    """What a session is doing. `retry_at` is the time of the next attempt; `asks` and `questions` wait for a person."""

    state: State
    retry_at: float | None = None
    asks: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


class Core:
    """An open session, as loop, turn, calls and compaction see it."""

    def __init__(self, journal: Journal, history: History, setup: Setup) -> None:
        self.journal = journal
        self.history = history
        self.setup = setup
        self.memo = WireMemo()
        self._today = date.today()
        self._place = clean(environment(setup.folder)) if setup.names_environment and setup.names_folder else ""
        self._language: Language | None = None
        above = setup.parent.core if setup.parent else None
        self.asks = PermissionBroker(
            journal,
            setup.rules,
            setup.hooks,
            project=str(setup.folder),
            owner=setup.owner,
            headless=setup.headless,
            on_ask=setup.on_ask,
            interactive=setup.interactive,
            above=above and above.asks,
            agent=setup.agent,
        )
        self.questions = QuestionBroker(
            journal,
            on_question=setup.on_question,
            interactive=setup.interactive,
            above=above and above.questions,
            agent=setup.agent,
        )
        self.run: Run | None = None
        self.recall: Tool | None = None
        self.retry_at: float | None = None
        self.inits = ToolInits(setup.limits.hook_timeout, setup.tell)
        self.told_left_out: tuple[str, ...] = ()
        self._offer: tuple[tuple[object, ...], OfferedTools] | None = None
        self._inited: tuple[object, ...] = ()

    def use(self, setup: Setup) -> None:
        """Go on with another model, or within other rules."""
        self.setup = setup
        self.asks.use_rules(setup.rules)

    @property
    def status(self) -> Status:
        if self.asks.pending or self.questions.pending:
            return Status("waiting", asks=self.asks.pending, questions=self.questions.pending)
        if self.retry_at is not None:
            return Status("retrying", retry_at=self.retry_at)
        return Status("busy" if self.run is not None else "idle")

    @property
    def messages(self) -> Sequence[Message]:
        """The branch, and the message of the step that runs, as far as it has come."""
        running = self.run.draft if self.run else None
        return (*self.history.branch, *([running.so_far()] if running and not running.failed else []))

    @property
    def open_asks(self) -> Sequence[PermissionAsked | QuestionAsked]:
        """What waits for a person, also what a run that is just being resumed asked before."""
        carried = (*self.asks.unanswered, *self.questions.unanswered) if self.run is not None else ()
        return (*self.asks.open, *self.questions.open, *carried)

    @property
    def head(self) -> str:
        """The agent's prompt, in the language of the first question where it has it."""
        return self.setup.translations.get(self.language, self.setup.system[0])

    @property
    def environment(self) -> str:
        """What the model is told of the day and of the place where it works."""
        if self._place or not self.setup.names_environment:
            return self._place
        return date_alone(self._today, self.language)

    @property
    def language(self) -> Language:
        """The language of the first question. It is not looked for again once that was summarised: what providers cache
        has to stay the same."""
        if self._language is None or not self.history.compacted:
            self._language = language_of_conversation(self.history.branch)
        return self._language

    async def init_tools(self) -> None:
        """Let tools say how they are here: when the session starts, and those that come later or for another model."""
        key = (self.setup.tools, self.setup.tools.version, self.setup.model.info)
        if self._inited != key:
            await self.inits.ask(list(self.setup.tools), self.setup.init_context(self.journal.info.id))
            self._inited = key

    def offer(self, extra: Sequence[Tool], switched_off: frozenset[str]) -> "OfferedTools":
        """The tools of a step. While nothing changes it is one object, so that adapters encode it only once."""
        window = self.setup.model.info.context_window
        key = (id(self.setup), self.setup.tools.version, self.inits.version, tuple(extra), switched_off, window)
        if self._offer is None or self._offer[0] != key:
            self._offer = key, self._make_offer(extra, switched_off)
        return self._offer[1]

    def spend(self, usage: Usage, cost: float | None, *, by: SessionInfo | None = None) -> None:
        """Count what a model's answer took: for the session, for the run if there is one, and for all above it. `by` is
        the sub-agent's session that took it, and has counted it.

        An answer that broke off reports nothing; that makes no price unknown.
        """
        if not usage.total and cost is None:
            return
        info = self.journal.info
        total = None if cost is None or info.cost is None else info.cost + cost
        self.journal.change(usage=info.usage + usage, cost=total)
        if by is not None:
            self.note_counted(by)
        if self.run is not None:
            self.run.spend(usage, cost)
            self._note_cost(self.run)
        if self.setup.parent is not None:
            self.setup.parent.core.spend(usage, cost, by=self.journal.info)

    def _note_cost(self, run: "Run") -> None:
        """Keep what the run has cost, where whoever goes on with it can't tell by what its session has cost."""
        record = self.journal.record
        if self.journal.info.cost is None and record is not None and record.id == run.id:
            self.journal.change_run(structs.replace(record, cost=run.cost))

    def note_counted(self, child: SessionInfo) -> None:
        """Keep with the run that all which a sub-agent's session took until now is counted: what comes after that, and
        is not counted when this process dies, can be told by it."""
        record = self.journal.record
        if record is not None:
            counted = {**record.counted, child.id: Spent(child.usage, child.cost)}
            self.journal.change_run(structs.replace(record, counted=counted))

    def forget_counted(self) -> None:
        """The calls of a step have ended, and with them what sub-agents did."""
        record = self.journal.record
        if record is not None and record.counted:
            self.journal.change_run(structs.replace(record, counted={}))

    def change_branch(self, branch: Sequence[Message]) -> None:
        """Go on from other messages; what was remembered of the old ones' encoding goes with them."""
        self.history.reset(branch)
        self.memo = WireMemo()

    async def go_to(self, at: str | None) -> None:
        """Go back to message `at` (None: before the first). Call it while the session is held."""
        self.change_branch(await self.journal.store.branch(self.journal.info.id, at))
        self.journal.change(head=at)

    def _make_offer(self, extra: Sequence[Tool], switched_off: frozenset[str]) -> "OfferedTools":
        taken = switched_off | {tool.name for tool in extra}
        offering = self.setup.offering
        made = [self.inits.made(tool) for tool in self.setup.tools if tool.name not in taken]
        known = [tool for tool in made if tool is not None and offering.has(tool)]
        fit = fit_tools(known, self.setup.model.info.context_window if self.setup.fits_tools else None)
        return OfferedTools(sorted((*fit.kept, *extra), key=lambda tool: tool.name), fit.left_out)


class OfferedTools:
    """The tools that a model is offered in a step, in a stable order, and the names of those that do not fit into its
    window."""

    def __init__(self, tools: Sequence[Tool], left_out: tuple[str, ...] = ()) -> None:
        self.left_out = left_out
        self.tools = {tool.name: tool for tool in tools}
        self.names = tuple(self.tools)
        self.specs = tuple(tool.spec for tool in tools)


NO_TOOLS = OfferedTools(())


class Stop(Exception):
    """Raised inside a run to end it for a reason."""

    def __init__(self, reason: RunReason, error: ErrorInfo | None = None) -> None:
        super().__init__(reason)
        self.reason: RunReason = reason
        self.error = error


class ActiveCall(Protocol):
    """A call that has begun and not ended."""

    @property
    def call_id(self) -> str: ...

    @property
    def is_asking(self) -> bool:
        """Whether it only waits for a person."""
        ...

    @property
    def is_sending(self) -> bool:
        """Whether it only waits for a sub-agent."""
        ...


class Run:
    """One run: from its `prompts` until there is nothing more to do. `after` is the last event before those of this
    process. `signal` is set at its end, for what its calls have left running.

    `active` are its calls that have not ended, `children` the runs of its sub-agents. While it is `leaving`, it is
    stopped but stays open. `left` is there for a run that another process began: what that has left of its last step.
    `taken_from` is a frozen process that held it before. `reading` are the ids of the prompts that were put into it and
    that it has read.
    """

    def __init__(
        self,
        core: Core,
        *,
        run_id: str = "",
        prompts: Sequence[Prompt] = (),
        asked: RunOptions = RunOptions(),  # noqa: B008 - a frozen value
        output: OutputTarget | None = None,
        guard: RepetitionGuard | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.id = run_id or new_id("run")
        self.core = core
        self.limits = limits or core.setup.limits
        self.after = core.journal.seq
        self.prompts = prompts
        self.reading: set[str] = set()
        self.asked = asked
        self.output = output
        self.leaving: Leaving = ""
        self.left: LeftStep | None = None
        self.active: list[ActiveCall] = []
        self.children: list[Run] = []
        self.taken_from: Holder | None = None
        self.guard = guard or RepetitionGuard(self.limits.repetition)
        self.signal = CancelSignal()
        self.draft: Draft | None = None
        self.titling: asyncio.Task[None] | None = None
        self.step = 0
        self.usage = Usage()
        self.cost: float | None = 0.0
        self.text = ""
        self.limit = ""
        self.notice = ""
        self.nudge = ""
        self.refusals: list[MissingPermission] = []
        self.files: list[FilePart] = []
        self.reason: RunReason | None = None
        self.error: ErrorInfo | None = None
        self.is_stored = True
        self.settled: Settled | None = None
        self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has been worked on, by earlier processes too."""
        return time.monotonic() - self._started

    def took(self, seconds: float) -> None:
        """Count what earlier processes have worked on it."""
        self._started -= seconds

    @property
    def is_waiting(self) -> bool:
        """Whether nothing of it goes on before a person answers, who has been asked all that there is to ask."""
        asked = len(self.core.asks.pending) + len(self.core.questions.pending)
        return 0 < self._asking == asked and self._is_held_up

    @property
    def _asking(self) -> int:
        """How many calls ask a person, those of sub-agents too."""
        return sum(call.is_asking for call in self.active) + sum(child._asking for child in self.children)

    @property
    def _is_held_up(self) -> bool:
        here = all(call.is_asking or call.is_sending for call in self.active)
        # A sub-agent without a call is with its model.
        return here and all(child.active and child._is_held_up for child in self.children)

    def leave(self, why: Leaving) -> None:
        """From now on a cancellation stops it, and what its sub-agents do, without ending it."""
        self.leaving = why
        for child in self.children:
            child.leave(why)

    @property
    def last_answer(self) -> bool:
        """True once a limit was reached: one more step, without tools, and the run ends."""
        return bool(self.limit)

    def fail_to_store(self, problem: str) -> None:
        """The run has ended, but the store does not know how. What made it fail before stays what made it fail."""
        self.is_stored, self.reason = False, "error"
        if self.error is None:
            self.error = ErrorInfo("store", f"this run could not be stored: {problem}")
        elif self.error.code != "store":
            told = f"{self.error.message}; and this run could not be stored: {problem}"
            self.error = structs.replace(self.error, message=told)

    def spend(self, usage: Usage, cost: float | None) -> None:
        self.usage += usage
        self.cost = None if cost is None or self.cost is None else self.cost + cost

    def limit_reached(self) -> str:
        """The name of the first limit that this run has reached, or nothing."""
        return "max_steps" if self.step >= self.limits.max_steps else self.budget_reached()

    def budget_reached(self) -> str:
        """The same without the steps, of which each run has its own; for this run and for those above it."""
        limits, parent = self.limits, self.core.setup.parent
        if limits.max_tokens is not None and self.usage.total >= limits.max_tokens:
            return "max_tokens"
        if self.seconds_left == 0:
            return "max_seconds"
        if limits.max_cost is not None and (self.cost is None or self.cost >= limits.max_cost):
            return "max_cost"
        return parent.budget_reached() if parent else ""

    @property
    def seconds_left(self) -> float | None:
        """What is left of `max_seconds`, here or above; None where there is no such limit, and for the last answer."""
        if self.last_answer:
            return None
        limit, parent = self.limits.max_seconds, self.core.setup.parent
        above = parent.seconds_left if parent else None
        if limit is None:
            return above
        left = max(0.0, self._started + limit - time.monotonic())
        return left if above is None else min(left, above)
