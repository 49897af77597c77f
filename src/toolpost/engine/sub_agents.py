"""Run sub-agents: a child session works for a run, within the limits and rules of that run."""

import asyncio
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from msgspec import structs

from toolpost.guard.rules import Rules
from toolpost.store.contract import SessionInfo
from toolpost.store.run_records import Spent
from toolpost.tools.host import SELF, Progress, SubAgentReport, SubAgentTask
from toolpost.tools.offered_tools import ToolSwitches
from toolpost.types.errors import SessionBusy, SessionNotFound, ToolError, ToolpostError, UsageError, WiringError
from toolpost.types.events import Event, RunEnd, StepEnd, ToolExecutionEnd, ToolExecutionStart
from toolpost.types.messages import Message, Usage

from .model_options import merge
from .permissions import CallRefused, PermissionRequest
from .result import RunResult
from .session import Session
from .session_setup import NONE_GIVEN, Setup, SubAgent
from .state import Core, Run

# Of its time a sub-agent works with tools for the first part, and has to be done with its answer at the second.
WORKING_SHARE = 0.85
ANSWERED_SHARE = 0.95
SHOWN_ARGUMENT_CHARS = 80
PARTIAL_CHARS = 20_000

NOTICE = (
    "You work as a sub-agent on a task that another agent gave you. It sees nothing but your last message: say there, "
    "completely and briefly, what you found and did, and what is left."
)


async def send(
    run: Run, errand: SubAgentTask, progress: Progress, *, tool: str, message_id: str, call_id: str, again: bool
) -> SubAgentReport:
    """Let a sub-agent work and wait for its end. Raises `CallRefused` if a person or the policy ended its run. With
    `again`, one that an earlier process sent for this call goes on."""
    core = run.core
    if core.setup.depth >= errand.depth:
        raise ToolError("This sub-agent is nested too deeply to start another one. Do it yourself.")
    if reached := run.budget_reached():
        raise ToolError(f"A limit of this run ({reached}) has been reached: no sub-agent can be started any more.")
    name, agent = await _chosen(core, errand, call_id)
    setup = child_setup(run, name, agent, errand, tool)
    fresh = _session_of(core.journal.info.id, message_id, call_id)
    known = errand.session_id or (fresh if again and await _is_there(core, fresh) else None)
    parent = core.journal.info.id
    child = Session(setup, core.journal.store, known, title=errand.title, parent=parent, new_session_id=fresh)
    _count(core, (await child).info, is_left=again and not errand.session_id)
    return await _Work(run, child, name, progress, again=again).done(errand)


def _count(core: Core, child: SessionInfo, *, is_left: bool) -> None:
    """Count what a sub-agent took without its being stored here that it is counted: its sender's process has died. Of
    one that `is_left`, that is everything; a session of before had taken some earlier."""
    record = core.journal.record
    before = record.counted.get(child.id) if record is not None else None
    if before is None and not is_left:
        core.note_counted(child)
        return
    before = before or Spent()
    cost = None if child.cost is None or before.cost is None else child.cost - before.cost
    core.spend(child.usage - before.usage, cost, by=child)


def _session_of(session_id: str, message_id: str, call_id: str) -> str:
    """The id of the session that a call begins: the same one in whichever process the call runs."""
    seed = "\n".join((session_id, message_id, call_id)).encode("utf-8", "surrogatepass")
    return f"ses_{hashlib.blake2b(seed, digest_size=22).hexdigest()}"


async def _is_there(core: Core, session_id: str) -> bool:
    try:
        await core.journal.store.info(session_id)
    except SessionNotFound:
        return False
    return True


def child_setup(run: Run, name: str, agent: SubAgent, errand: SubAgentTask, tool: str = "") -> Setup:
    """What a sub-agent runs with: its own where it has that, and never more than its sender may do."""
    setup = run.core.setup
    model, options = agent.model() if agent.model else (setup.model, merge(setup.options, agent.options))
    own = dict(agent.limits)
    seconds = errand.seconds if run.seconds_left is None else min(errand.seconds, run.seconds_left)
    own["max_seconds"] = min(own.get("max_seconds") or seconds, seconds) * WORKING_SHARE
    own["max_steps"] = min(own.get("max_steps", errand.steps), errand.steps)
    # Half of what its sender has, so that the sender sees it end.
    own["abort_grace"] = setup.limits.abort_grace / 2
    deepest = frozenset({tool}) if setup.depth + 1 >= errand.depth else frozenset[str]()
    head, body = run.asked.system or setup.system[0], setup.system[1]
    variant = "" if agent.model else agent.variant or run.asked.variant or setup.variant
    return replace(
        setup,
        model=model,
        options=options,
        variant=variant,
        tools=setup.tools if agent.tools is None else agent.tools,
        agents=setup.agents if agent.agents is None else agent.agents,
        rules=Rules(agent.rules, parent=setup.rules),
        given=NONE_GIVEN,
        limits=structs.replace(setup.limits, **own),
        agent=setup.agent if name == SELF else name,
        system=(f"{agent.system or head}\n\n{NOTICE}", body),
        choice=setup.choice & agent.choice & ToolSwitches.without(run.asked.switched_off | deepest),
        read_only=setup.read_only or agent.read_only,
        on_ask=None,
        on_question=None,
        parent=run,
    )


async def _chosen(core: Core, errand: SubAgentTask, call_id: str) -> tuple[str, SubAgent]:
    """The agent that was asked for, or that an old session had. What the model did not name is asked for here."""
    agents, name = core.setup.agents, errand.agent or SELF
    if errand.session_id:
        name = await _agent_of(core, errand)
        if name != errand.agent:
            await core.asks.require(PermissionRequest("task", [name], [name], title=f"Send {name}", call_id=call_id))
    if name == SELF:
        return name, SubAgent()
    if name not in agents:
        known = ", ".join(sorted(agents)) or "none"
        raise ToolError(f'There is no agent "{name}". There are: {known}. Without one, a copy of you is sent.')
    return name, agents[name]


async def _agent_of(core: Core, errand: SubAgentTask) -> str:
    try:
        info = await core.journal.store.info(errand.session_id)
    except SessionNotFound:
        info = None
    if info is None or info.parent != core.journal.info.id:
        raise ToolError(
            f"{errand.session_id} is not a session of one of your sub-agents. Leave session_id out to begin a new one."
        )
    name = SELF if info.agent == core.setup.agent and info.agent not in core.setup.agents else info.agent
    if errand.agent not in ("", name):
        raise ToolError(f"{errand.session_id} belongs to the agent {name}. Give the session_id or the agent, not both.")
    return name


class _Work:
    """One errand of an open child session."""

    def __init__(self, run: Run, child: Session, name: str, progress: Progress, *, again: bool) -> None:
        self._run = run
        self._child = child
        self._name = name
        self._progress = progress
        self._again = again
        self._calls: list[str] = []
        self._usage = Usage()
        self._cost: float | None = 0.0

    async def done(self, errand: SubAgentTask) -> SubAgentReport:
        child = self._child
        before = {message.id for message in child.messages}
        left = self._run.seconds_left
        seconds = errand.seconds if left is None else min(errand.seconds, left)
        child.subscribe(self._watch)
        if self._again and child.open_run is None and (end := await self._ended(errand)):
            return self._report_of(end, _before(errand.prompt, child.messages))
        # Who watches can tell from now on whose call it is that a sub-agent asks for.
        self._progress("", self._details())
        try:
            async with asyncio.timeout(seconds * ANSWERED_SHARE):
                result = await (self._resumed() if self._again and child.open_run else child.run(errand.prompt))
        except TimeoutError:
            return self._report("timeout", self._so_far(before), f"its {seconds:g} s were up")
        except SessionBusy:
            raise ToolError(f"The sub-agent of session {child.id} is still at work.") from None
        except UsageError as error:
            # A mistake in the program: for its author, not for the model that sent the sub-agent.
            raise WiringError(str(error)) from error
        except ToolpostError as error:
            return self._report("error", self._so_far(before), str(error))
        finally:
            await child.close()
        self._run.refusals += result.refusals
        return self._report_of(result, before)

    async def _ended(self, errand: SubAgentTask) -> RunEnd | None:
        """The end of the run that an earlier process let it make for this errand; None if it had made none."""
        # The session that a call begins is for this errand alone. In one of before, its prompt tells.
        if errand.session_id and not _is_last_prompt(errand.prompt, self._child.messages):
            return None
        store = self._run.core.journal.store
        info = await store.info(self._child.id)
        end = None
        async for event in store.events(info.id, max(0, info.run_seq - 1)):
            self._count(event)
            end = event if isinstance(event, RunEnd) else end
        return end

    def _report_of(self, end: RunEnd | RunResult[Any], before: Collection[str]) -> SubAgentReport:
        if end.reason == "denied":
            raise CallRefused(
                f"A call of the sub-agent {self._name} was rejected, and with it the run ended.", final=True
            )
        text = end.text if end.reason in ("done", "limit") else self._so_far(before)
        error = end.error.message if isinstance(end, RunEnd) and end.error is not None else end.limit
        return self._report(end.reason, text, error)

    async def _resumed(self) -> RunResult[Any]:
        """Go on with what an earlier process began; what a frozen one held is taken from it here, too."""
        holder = await self._run.core.journal.store.holder(self._child.id)
        frozen = self._run.taken_from
        is_frozen = holder is not None and frozen is not None and holder.worker == frozen.worker
        return await self._child.resume(instead_of=holder if is_frozen else None)

    def _watch(self, event: Event) -> None:
        if isinstance(event, ToolExecutionStart):
            self._progress(f"{event.name} {_shown(event.arguments)}".rstrip() + "\n", self._details())
        self._count(event)

    def _count(self, event: Event) -> None:
        match event:
            case ToolExecutionEnd():
                self._calls.append(f"{event.name}: {event.error_kind or 'completed'}")
            case StepEnd():
                self._usage += event.usage
                self._cost = None if event.cost is None or self._cost is None else self._cost + event.cost
            case _:
                pass

    def _details(self) -> dict[str, Any]:
        return {"session_id": self._child.id, "agent": self._name, "calls": len(self._calls)}

    def _so_far(self, before: Collection[str]) -> str:
        """What it has said in this run, its last words kept where that is much."""
        said = [m.text for m in self._child.messages if m.role == "assistant" and m.text and m.id not in before]
        text = "\n\n".join(said)
        return text if len(text) <= PARTIAL_CHARS else f"…{text[-PARTIAL_CHARS:]}"

    def _report(self, ending: str, text: str, error: str) -> SubAgentReport:
        calls = tuple(self._calls)
        return SubAgentReport(self._child.id, self._name, ending, text, error, calls, self._usage, self._cost)


def _is_last_prompt(prompt: str, messages: Sequence[Message]) -> bool:
    said = [message.text for message in messages if message.role == "user"]
    return said[-1:] == [prompt]


def _before(prompt: str, messages: Sequence[Message]) -> set[str]:
    """The messages before this prompt was said for the last time."""
    places = [place for place, message in enumerate(messages) if message.role == "user" and message.text == prompt]
    return {message.id for message in messages[: places[-1] if places else 0]}


def _shown(arguments: dict[str, Any]) -> str:
    """The argument that says most about a call, which is nearly always the first text."""
    text = next((value for value in arguments.values() if isinstance(value, str)), "")
    line = text.strip().partition("\n")[0]
    return line if len(line) <= SHOWN_ARGUMENT_CHARS else line[: SHOWN_ARGUMENT_CHARS - 1] + "…"
