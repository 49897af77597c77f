"""Go on with an open run: rebuild what its process held in memory from what the store holds of it."""

import time
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from toolpost.arguments.parse_json import canonical
from toolpost.guard.secret_replacer import HIDDEN
from toolpost.store.contract import SessionInfo, Store
from toolpost.store.run_records import RunRecord
from toolpost.tools.define import Tool
from toolpost.types.errors import RunStaysOpen
from toolpost.types.events import (
    Event,
    MessageEnd,
    MessageStart,
    PermissionAsked,
    PermissionReplied,
    QuestionAsked,
    QuestionReplied,
    Retry,
    RunResumed,
    StepEnd,
    ToolCalled,
    ToolExecutionEnd,
)
from toolpost.types.messages import (
    Completed,
    Failed,
    Message,
    Pending,
    RetryPart,
    Running,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
)
from toolpost.types.stream import ToolCall

from .call_pipeline import REPEATED, call_key
from .history import compaction_of, interrupted
from .journal import Journal
from .limits import Limits
from .message_draft import Draft
from .permissions import Answer, AnsweredAsk
from .questions import DISMISSED, AnsweredQuestion
from .recovery import INTERRUPTED, streamed_parts
from .repetition import RepetitionGuard
from .run_record import has_hidden, options_of, resumed_record
from .session_setup import Setup
from .state import Core, OfferedTools, Run, Stop
from .structured_output import OutputTarget

NOT_BEGUN = "The process ended before this call began, and a secret in its arguments is not kept. Call it again."


class LeftStep(Struct, frozen=True):
    """What another process has left of a run's last step: its message, if its turn is over, and what the events say of
    it. `is_told` if subscribers know that the step has ended."""

    message: Message | None = None
    is_told: bool = False
    calls: dict[str, ToolCalled] = {}
    asks: tuple[AnsweredAsk, ...] = ()
    questions: tuple[AnsweredQuestion, ...] = ()

    def is_step(self, message_id: str) -> bool:
        return self.message is not None and self.message.id == message_id


def check_taking_up(setup: Setup, info: SessionInfo, record: RunRecord) -> None:
    """Raise `RunStaysOpen` where a session with this setup must not go on with the run, because it would do so within
    other bounds than those that the run was begun with."""
    if info.parent is not None and setup.parent is None:
        raise RunStaysOpen(of_sub_agent(info.parent))
    if info.folder and info.folder != str(setup.folder):
        raise RunStaysOpen(f"this run belongs to the folder {info.folder}: go on with it there")
    if record.agent and record.agent != setup.agent and not setup.replaces_agent:
        raise RunStaysOpen(
            f"this run was begun as the agent {record.agent}, which is not there: --agent names the one that goes on "
            f"with session {info.id}"
        )
    if has_hidden(record):
        raise RunStaysOpen(
            "this run was begun with a secret in its options or its system prompt, which is not kept, so it can't go "
            "on: stop it, and send its prompt again"
        )
    if record.trusted and not setup.trusts_folder:
        raise RunStaysOpen(
            "this run was begun with the settings of its folder, which is not trusted any more: look at what has "
            "changed, run `toolpost trust`, and then go on with it"
        )


def of_sub_agent(parent: str) -> str:
    return f"this is the run of a sub-agent: it goes on with the session that sent it, {parent}"


async def take_up(core: Core, record: RunRecord, limits: Limits) -> Run:
    """The open run, ready to go on. Call it while holding the session's lease, with journal and branch as stored."""
    journal, history = core.journal, core.history
    asked = options_of(record)
    output = None
    if asked.output is not None:
        retries = limits.output_retries if record.output_retries is None else record.output_retries
        output = OutputTarget.of(asked.output, retries)
        output.insisting = record.insisting
    run = Run(core, run_id=record.id, prompts=record.prompts, asked=asked, output=output, limits=limits)
    if not record.is_started:
        return run
    steps = _steps_of(history.branch, record)
    last = steps[-1] if steps else None
    left = None if last is None else await _left(journal.store, journal.info, last)
    run.left = left or LeftStep()
    # From now on, also while tools get ready: they are open, although no call waits for them yet.
    core.asks.carry(run.left.asks)
    core.questions.carry(run.left.questions)
    run.guard = _guard(steps, limits.repetition)
    run.step = await _steps_taken(journal) if last is None else _number(last)
    run.text = next((message.text for message in reversed(steps) if message.text), "")
    run.usage = journal.info.usage - record.usage_before
    cost, before = journal.info.cost, record.cost_before
    run.cost = record.cost if cost is None or before is None else max(0.0, cost - before)
    run.limit, run.nudge = record.limit, record.nudge
    run.took(record.seconds)
    if left is not None:
        # A turn that is over is closed again with its calls, any other is taken again.
        core.change_branch(history.branch[:-1])
        if left.message is None:
            run.step -= 1
    return run


async def begin_again(run: Run) -> None:
    """Store and say that the run goes on here, and what becomes of the step that was left."""
    journal, left = run.core.journal, run.left
    assert left is not None
    assert journal.record is not None
    head = journal.info.head
    if left.message is None and head is not None and head != _head_of(run):
        await _give_up_turn(run, head)
    again, ended = _again(run), list[str]()
    if left.message is not None:
        message = left.message
        calls = [part for part in message.parts if isinstance(part, ToolPart) and isinstance(part.state, Running)]
        ended = [part.call_id for part in calls if part.call_id not in again]
    journal.change_run(resumed_record(journal.record, run))
    resumed = RunResumed(*journal.stamp(), run.id, run.core.setup.model.info.id, tuple(again), tuple(ended))
    await journal.publish_durably(resumed)


def take_up_step(run: Run, offer: OfferedTools) -> Draft:
    """The draft of the step that was left. Its calls that may not run any more are closed; the others run in it."""
    left = run.left
    assert left is not None
    assert left.message is not None
    message, calls, begun = left.message, dict[int, ToolCall](), dict[str, float]()
    again = frozenset(_again(run))
    for place, part in enumerate(message.parts):
        if not isinstance(part, ToolPart):
            continue
        if isinstance(part.state, Running) and part.call_id in again:
            begun[part.call_id] = part.state.started
        elif not isinstance(part.state, Pending):
            continue
        calls[place] = _call(part, left.calls.get(part.call_id))
    draft = run.draft = Draft.taken_up(run.core, message, offer, calls, begun)
    for place, part in enumerate(message.parts):
        if isinstance(part, ToolPart) and isinstance(part.state, Running) and place not in calls:
            _close_call(run, draft, place, interrupted(part))
        elif place in calls and HIDDEN in canonical(calls[place].arguments):
            assert isinstance(part, ToolPart)
            failed = Failed("interrupted", NOT_BEGUN, calls.pop(place).arguments)
            _close_call(run, draft, place, structs.replace(part, state=failed))
    return draft


def _again(run: Run) -> list[str]:
    """The running calls that may begin once more, because their tool says so. One that has only asked a person may have
    done something before that: nobody but its tool knows."""
    left = run.left
    if left is None or left.message is None:
        return []
    found: list[str] = []
    for part in left.message.calls:
        if isinstance(part.state, Running):
            tool = _tool(run, part.name)
            if tool is not None and tool.may_run_again:
                found.append(part.call_id)
    return found


def _tool(run: Run, name: str) -> Tool | None:
    output = run.output
    return output.tool if output is not None and name == output.tool.name else run.core.setup.tools.get(name)


def _close_call(run: Run, draft: Draft, place: int, part: Any) -> None:
    draft.replace(place, part)
    journal, state = run.core.journal, part.state
    run.guard.record(call_key(part.name, state.arguments or {}, state.raw), state.message)
    content = (TextPart(state.message),)
    journal.publish(
        ToolExecutionEnd(*journal.stamp(), draft.id, part.call_id, part.name, content, 0.0, True, state.kind)
    )


def _call(part: ToolPart, called: ToolCalled | None) -> ToolCall:
    """The call as the model made it: its arguments as they were told, or what could not be read of them."""
    state = part.state
    if isinstance(state, Running):
        return ToolCall(part.call_id, part.asked or part.name, state.arguments, metadata=part.metadata)
    assert isinstance(state, Pending)
    if called is not None and called.arguments:
        return ToolCall(part.call_id, called.name, called.arguments, metadata=part.metadata)
    arguments = _parsed(state.raw)
    raw = state.raw if arguments is None else ""
    return ToolCall(part.call_id, part.name, arguments or {}, raw, part.metadata)


def _parsed(raw: str) -> dict[str, Any] | None:
    try:
        return msgspec.json.decode(raw or "{}", type=dict[str, Any])
    except msgspec.DecodeError:
        return None


def check_end(run: Run) -> None:
    """Raise the `Stop` that the step had brought about, where its process died before it could say so."""
    message = run.left.message if run.left is not None else None
    if message is None:
        return
    if message.finish is not None and message.finish.reason == "aborted":
        raise Stop("aborted")
    for part in message.calls:
        consent = part.consent
        if consent is not None and consent.reply == "reject" and not consent.message:
            raise Stop("repetition" if _says(part, REPEATED) else "denied")
        if _says(part, DISMISSED):
            raise Stop("denied")


def _says(part: ToolPart, text: str) -> bool:
    return isinstance(part.state, Failed) and part.state.message == text


async def _left(store: Store, info: SessionInfo, last: Message) -> LeftStep | None:
    """What is left of the last step. None if it is over: something was said after it, or the next one had begun."""
    if last.id != info.head:
        return None
    is_whole = bool(last.parts) and isinstance(last.parts[-1], StepFinish)
    calls, is_told = dict[str, ToolCalled](), False
    events: list[Event] = []
    async for event in store.events(info.id, max(0, info.open_seq - 1)):
        match event:
            case MessageStart(message=message) if message.role == "assistant" and message.id != last.id:
                return None
            case ToolCalled():
                calls[event.call_id] = event
            case StepEnd():
                is_told = True
            case PermissionAsked() | PermissionReplied() | QuestionAsked() | QuestionReplied():
                events.append(event)
            case _:
                pass
    if not is_whole:
        return LeftStep()
    return LeftStep(last, is_told, calls, *answered(events))


def answered(events: Sequence[Event]) -> tuple[tuple[AnsweredAsk, ...], tuple[AnsweredQuestion, ...]]:
    """The asks and questions among these events, with what was answered."""
    asks, questions = dict[str, AnsweredAsk](), dict[str, AnsweredQuestion]()
    for event in events:
        match event:
            case PermissionAsked():
                asks[event.ask_id] = AnsweredAsk(event)
            case PermissionReplied() if event.ask_id in asks:
                asks[event.ask_id] = AnsweredAsk(asks[event.ask_id].asked, Answer(event.reply, event.message))
            case QuestionAsked():
                questions[event.question_id] = AnsweredQuestion(event)
            case QuestionReplied() if event.question_id in questions:
                given = None if event.dismissed else event.answers
                questions[event.question_id] = AnsweredQuestion(questions[event.question_id].asked, True, given)
            case _:
                pass
    return tuple(asks.values()), tuple(questions.values())


async def _give_up_turn(run: Run, message_id: str) -> None:
    """A turn that its process did not finish stays in the tree, beside the one that is taken now."""
    journal = run.core.journal
    message = await journal.store.message(journal.info.id, message_id)
    if message.parts and isinstance(message.parts[-1], RetryPart):
        journal.change(head=message.parent_id)
        return
    parts = await streamed_parts(journal.store, journal.info, message)
    closed = structs.replace(
        message, parts=(*map(interrupted, parts), RetryPart(0, INTERRUPTED, 0.0)), error=INTERRUPTED
    )
    journal.save(closed)
    journal.change(head=message.parent_id)
    journal.publish(MessageEnd(*journal.stamp(), closed))
    journal.publish(Retry(*journal.stamp(), 1, 0.0, time.time(), INTERRUPTED))


def _head_of(run: Run) -> str | None:
    branch = run.core.history.branch
    return branch[-1].id if branch else None


def _steps_of(branch: Sequence[Message], record: RunRecord) -> list[Message]:
    """The steps of the run on the branch. A compaction may have cut off the first of them, and what was before them."""
    places = [place for place, message in enumerate(branch) if message.id == record.head_before]
    after = branch[places[0] + 1 :] if places else branch
    return [message for message in after if message.role == "assistant" and compaction_of(message) is None]


async def _steps_taken(journal: Journal) -> int:
    """How many steps of the run are over, where the branch has none of it: it has not taken any, or they were all
    summarised."""
    taken = 0
    async for event in journal.store.events(journal.info.id, journal.info.run_seq):
        if isinstance(event, StepEnd):
            taken = event.step
    return taken


def _number(step: Message) -> int:
    return next((part.step for part in step.parts if isinstance(part, StepStart)), 0)


def _guard(steps: Sequence[Message], times: int) -> RepetitionGuard:
    guard = RepetitionGuard(times)
    for part in (part for step in steps for part in step.calls):
        state = part.state
        if isinstance(state, Completed):
            text = "\n".join(one.text for one in state.content if isinstance(one, TextPart))
            guard.record(call_key(part.name, state.arguments), text)
        elif isinstance(state, Failed):
            guard.record(call_key(part.name, state.arguments or {}, state.raw), state.message)
    return guard
