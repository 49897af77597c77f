"""The loop: prompt → step → calls → step … until something ends the run."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Generator, Sequence

from msgspec import structs

from toolpost.extras import is_installed, missing_text
from toolpost.models.contract import get_ready
from toolpost.plugins.hooks import HookError, PromptHook
from toolpost.store.run_records import Prompt
from toolpost.types.errors import ConfigError, SessionTakenOver, ToolError, ToolpostError, WiringError
from toolpost.types.events import (
    Event,
    MessageEnd,
    MessageStart,
    RunEnd,
    RunParked,
    RunStart,
    Settled,
    StepEnd,
    StepStarted,
)
from toolpost.types.ids import new_id
from toolpost.types.messages import (
    ContextPart,
    ErrorInfo,
    FilePart,
    FinishReason,
    Message,
    Part,
    StepFinish,
    TextPart,
    Usage,
)
from toolpost.types.text import clean

from .asyncio_tasks import uninterrupted
from .compaction import compact, needs_compaction
from .message_draft import Draft
from .model_turn import take_turn
from .notices import fills_window, tell_tools_left_out, tell_window_full
from .recall_tool import RECALL, recall_tool
from .resume import begin_again, check_end, take_up_step
from .run_record import next_record, parked_record, progress_record, started_record
from .state import NO_TOOLS, OfferedTools, Run, Stop
from .structured_output import NUDGE
from .titles import begin_title, end_title, first_title
from .turn_calls import close_open_calls, run_calls
from .turn_reader import without_secrets

log = logging.getLogger("toolpost.engine")

LAST_ANSWER = (
    "A limit of this run ({limit}) was reached: no more tools can be called. "
    "Answer now from what you know, and say what is left undone."
)


async def run_loop(run: Run) -> None:
    """Run to the end; `run.reason` says how it ended. Raises only when the task itself was cancelled. A run that is
    `leaving` has no reason then: it is parked, for this process or another to go on with it."""
    try:
        if run.left is None:
            await _accept(run)
        if run.core.setup.prepare is not None:
            await run.core.setup.prepare()
        if run.left is not None:
            # Which calls may begin again is what their tools say.
            await begin_again(run)
        await get_ready(run.core.setup.model)
        if run.left is not None and run.left.message is not None:
            await run.core.init_tools()
            await _finish_step(run)
        while run.reason is None:
            await _take_steering(run)
            await _make_room(run)
            await run.core.init_tools()
            await _step(run, _offer(run))
    except Stop as stop:
        run.reason, run.error = stop.reason, stop.error
    except asyncio.CancelledError:
        if not run.leaving:
            run.reason = "aborted"
        raise
    except SessionTakenOver:
        run.leave("lost")
    except ToolpostError as error:
        run.reason, run.error = "error", ErrorInfo(_code(error), str(error))
    except Exception as error:  # a bug of ours must still end the run and tell its subscribers
        log.exception("the run failed")
        run.reason, run.error = "error", ErrorInfo("internal", f"{type(error).__name__}: {error}")
    finally:
        if run.reason is not None:
            await uninterrupted(_end(run))
        elif run.leaving != "lost":
            await uninterrupted(_park(run))


async def _step(run: Run, offer: OfferedTools) -> None:
    """One model turn and the calls that it makes; whatever happens, the message stays whole and on its branch."""
    run.step += 1
    journal = run.core.journal
    # What an earlier process asked was for a call of the step that it left.
    _drop_carried(run)
    journal.publish(StepStarted(*journal.stamp(), run.step, run.core.setup.model.info.id, offer.names))
    with _closing_step(run):
        draft = await take_turn(run, offer)
        _count(run, draft)
        await run_calls(run, draft)
    _judge(run, run.core.history.branch[-1])


async def _finish_step(run: Run) -> None:
    """The calls of a step that another process has left, and what follows from them."""
    draft = take_up_step(run, _tools(run))
    with _closing_step(run):
        check_end(run)
        await run_calls(run, draft)
        _drop_carried(run)
    _judge(run, run.core.history.branch[-1])


def _drop_carried(run: Run) -> None:
    run.core.asks.drop_carried()
    run.core.questions.drop_carried()


@contextlib.contextmanager
def _closing_step(run: Run) -> Generator[None]:
    """Close the step's message, however it ends; one that is left for another process stays open."""
    ending: FinishReason = "error"
    try:
        yield
    except asyncio.CancelledError:
        ending = "aborted"
        raise
    except SessionTakenOver:
        run.leave("lost")
        raise
    finally:
        if not run.leaving:
            _close_step(run, ending)


def _count(run: Run, draft: Draft) -> None:
    """Count what the turn took before its calls begin, so that sub-agents know what is left for them."""
    finish = draft.parts[-1]
    if isinstance(finish, StepFinish):
        run.core.spend(finish.usage, finish.cost)


def _judge(run: Run, message: Message) -> None:
    """Decide whether the run goes on after this step."""
    _decide(run, message)
    _note_progress(run)
    run.core.forget_counted()


def _decide(run: Run, message: Message) -> None:
    finish, output = message.finish, run.output
    if message.error is not None:
        raise Stop("error", message.error)
    if output is not None and output.done:
        run.reason = "done"
    elif run.last_answer:
        run.reason = "limit"
        if output is not None:
            output.accept_text(message.text)
    elif message.calls:
        if output is not None and output.exhausted:
            raise Stop("error", ErrorInfo("output", "the model gave no valid output within its retries"))
    elif finish is not None and finish.reason == "length":
        run.reason, run.limit = "limit", "max_output"
        if fills_window(run, finish):
            run.limit = "context_window"
            tell_window_full(run)
    elif finish is not None and finish.reason == "content-filter":
        raise Stop("error", ErrorInfo("content_filter", "the provider's filter stopped the answer"))
    elif _steering(run) or (finish is not None and finish.reason == "interrupted"):
        return
    elif output is None or output.accept_text(message.text):
        run.reason = "done"
    elif output.may_retry():
        run.nudge = NUDGE
    else:
        raise Stop("error", ErrorInfo("output", "the model gave no valid output within its retries"))


async def _accept(run: Run) -> None:
    """Store the prompts before anything is done with them. A run without any continues from the head (a retry)."""
    core, journal = run.core, run.core.journal
    await _check_price(run)
    messages = [await _user_message(run, prompt) for prompt in run.prompts]
    start = RunStart(*journal.stamp(), run.id, core.setup.model.info.id)
    journal.change(open_run=run.id, run_seq=start.seq, model=core.setup.model.info.id, agent=core.setup.agent)
    journal.change_run(started_record(run))
    if not journal.info.title and run.prompts:
        journal.change(title=first_title(run.prompts[-1].text))
        run.titling = begin_title(core, run.prompts[-1].text)
    await journal.publish_durably(start, *_announced(run, messages))


async def _check_price(run: Run) -> None:
    """Refuse a run whose `max_cost` could not be checked, because the model's price is not known."""
    setup = run.core.setup
    info = setup.model.info
    if run.limits.max_cost is not None and await setup.price(info.provider, info.name, Usage()) is None:
        text = f"max_cost is set, but the price of {info.id} is not known: use max_tokens instead"
        if not is_installed("prices"):
            text = missing_text("prices", "max_cost")
        raise Stop("error", ErrorInfo("unknown_price", text))


async def _take_steering(run: Run) -> None:
    """Messages that came while the run was going on join it here, between two steps."""
    waiting = _steering(run)
    if waiting:
        # From here on they can't be taken back: a plugin may take its time with each.
        run.reading |= {prompt.id for prompt in waiting}
        messages = [await _user_message(run, prompt) for prompt in waiting]
        await run.core.journal.publish_durably(*_announced(run, messages))


async def _make_room(run: Run) -> None:
    if needs_compaction(run.core):
        await compact(run.core, "threshold")


def _offer(run: Run) -> OfferedTools:
    """The tools of the next step: none once a limit has been reached, so that the model must answer."""
    if not run.limit:
        run.limit = run.limit_reached()
    if run.last_answer:
        run.notice = LAST_ANSWER.format(limit=run.limit)
        _note_progress(run)
    return _tools(run)


def _tools(run: Run) -> OfferedTools:
    if run.last_answer:
        return NO_TOOLS if run.output is None else OfferedTools((run.output.tool,))
    core = run.core
    if core.history.compacted and core.recall is None and RECALL not in core.setup.tools:
        core.recall = recall_tool(core.journal.store)
    extra = [tool for tool in (core.recall, run.output and run.output.tool) if tool is not None]
    offer = core.offer(extra, run.asked.switched_off)
    tell_tools_left_out(run, offer.left_out)
    return offer


def _close_step(run: Run, ending: FinishReason) -> None:
    core, journal, draft = run.core, run.core.journal, run.draft
    assert draft is not None
    is_told = run.left is not None and run.left.is_told and run.left.is_step(draft.id)
    if ending == "aborted":
        draft.stop()
    else:
        draft.close(ending)
    close_open_calls(draft)
    message = draft.message()
    finish = message.finish
    journal.save(message)
    if finish is not None:
        core.history.add(message)
        run.draft = None
        run.text = message.text or run.text
        run.files += [part for part in message.parts if isinstance(part, FilePart)]
        if not is_told:
            journal.publish(StepEnd(*journal.stamp(), run.step, finish.reason, finish.usage, finish.cost))
        if message.calls:
            # Results are on disk before the next request goes out: begun now, waited for there.
            journal.flush_ahead()


def _note_progress(run: Run) -> None:
    """Keep, with what is stored next, what another process could not see in the messages."""
    record = progress_record(run)
    if record is not None and record != run.core.journal.record:
        run.core.journal.change_run(record)


async def _end(run: Run) -> None:
    """Say how the run ended, on disk and then to the subscribers. A run whose end is not on disk has failed; one that
    another process has taken over has not ended here."""
    journal = run.core.journal
    assert run.reason is not None
    if run.reason == "aborted":
        _mark_stopped(run)
    run.signal.set("aborted" if run.reason == "aborted" else "ended")
    if run.titling is not None:
        # Who stops a run does not wait for its title.
        limits = run.core.setup.limits
        await end_title(run.titling, 0.0 if run.reason == "aborted" else limits.title_seconds, limits.abort_grace)
    following = next_record(run)
    end = _run_end(run, journal.stamp())
    if following is None:
        journal.change(open_run=None)
        # With the end: who follows must not wait for it where this process dies in between.
        run.settled = Settled(*journal.stamp())
    else:
        journal.change(open_run=following.id, run_seq=end.seq + 1)
    journal.change_run(following)
    try:
        await journal.publish_durably(end, later=(run.settled,) if run.settled is not None else ())
    except SessionTakenOver:
        run.reason = None
        run.leave("lost")
    except ToolpostError as error:
        log.warning("the end of the run could not be stored: %s", error)
        run.fail_to_store(str(error))
        end = _run_end(run, (end.seq, end.session_id, end.time))
        # With the next flush that finds the store again, the same is stored that was told.
        journal.replace_event(end)
        journal.deliver(end)


async def _park(run: Run) -> None:
    """Leave the run open in the store, and say so: another process, or this one later, goes on with it."""
    journal = run.core.journal
    run.signal.set("ended")
    if run.titling is not None:
        await end_title(run.titling, 0.0, run.core.setup.limits.abort_grace)
    if run.draft is not None and run.draft.sealed:
        journal.save(run.draft.message())
    journal.change_run(parked_record(run))
    why = "waiting" if run.leaving == "waiting" else "released"
    try:
        await journal.publish_durably(RunParked(*journal.stamp(), run.id, why))
    except SessionTakenOver:
        run.leave("lost")
    except ToolpostError as error:
        log.warning("that run %s is parked could not be stored: %s", run.id, error)


def _run_end(run: Run, stamp: tuple[int, str, float]) -> RunEnd:
    assert run.reason is not None
    output = run.output.plain if run.output is not None else None
    run.error = run.error and without_secrets(run.error)
    return RunEnd(*stamp, run.id, run.reason, run.text, run.step, run.usage, run.cost, run.error, run.limit, output)


def _mark_stopped(run: Run) -> None:
    """Let the conversation end with an answer that says so, where the run was stopped between steps or attempts."""
    core = run.core
    last = core.history.branch[-1] if core.history.branch else None
    if last is None or (last.role == "assistant" and not run.step):
        return  # nothing of this run is in it
    # Of an attempt that is made again there is a draft, but no message on the branch.
    if last.role == "assistant" and run.draft is None:
        core.history.branch[-1] = _stopped(last)
    else:
        draft = Draft(core, run.step + 1 if run.draft is None else run.step, NO_TOOLS)
        draft.begin()
        draft.stop()
        core.history.add(draft.message())
    core.journal.save(core.history.branch[-1])


def _stopped(message: Message) -> Message:
    *parts, finish = message.parts
    if isinstance(finish, StepFinish):
        finish = structs.replace(finish, reason="aborted")
    return structs.replace(message, parts=(*parts, finish))


async def _user_message(run: Run, prompt: Prompt) -> Message:
    """Make a prompt a message at the head, and take it out of the inbox in the same transaction."""
    core, journal = run.core, run.core.journal
    text, context = prompt.text, tuple[ContextPart, ...]()
    if core.setup.hooks.having("chat_message"):
        try:
            hooked = await core.setup.hooks.chat_message(PromptHook(journal.info.id, text))
            text, context = clean(hooked.text), hooked.context
        except (HookError, ToolError, WiringError) as error:
            # A refused prompt does not wait any longer, or every later run would meet it again.
            journal.change(inbox=_inbox_without(run, prompt))
            code = "wiring" if isinstance(error, WiringError) else "hook"
            raise Stop("error", ErrorInfo(code, str(error))) from error
    parts: tuple[Part, ...] = (TextPart(text), *prompt.files, *context)
    message = Message(new_id("msg"), "user", parts, journal.info.head, time.time(), agent=core.setup.agent)
    journal.save(message)
    journal.change(head=message.id, inbox=_inbox_without(run, prompt))
    core.history.add(message)
    return message


def _announced(run: Run, messages: Sequence[Message]) -> list[Event]:
    """The events of messages that are whole. They are stored with these, or who follows would never hear of them."""
    stamp = run.core.journal.stamp
    return [kind(*stamp(), message) for message in messages for kind in (MessageStart, MessageEnd)]


def _steering(run: Run) -> list[Prompt]:
    return [prompt for prompt in run.core.journal.info.inbox if prompt.steer]


def _inbox_without(run: Run, prompt: Prompt) -> tuple[Prompt, ...]:
    return tuple(waiting for waiting in run.core.journal.info.inbox if waiting.id != prompt.id)


def _code(error: ToolpostError) -> str:
    if isinstance(error, ConfigError):
        return "wiring"
    return "hook" if isinstance(error, HookError) else "store"
