"""The loop: prompt → step → calls → step … until something ends the run."""

import asyncio
import logging
import time
from collections.abc import Sequence

from msgspec import structs

from toolpost.extras import is_installed, missing_text
from toolpost.models.contract import get_ready
from toolpost.plugins.hooks import HookError, PromptHook
from toolpost.store.contract import Prompt
from toolpost.types.errors import ConfigError, ToolError, ToolpostError, WiringError
from toolpost.types.events import MessageEnd, MessageStart, RunEnd, RunStart, StepEnd, StepStarted
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
from .call_pipeline import close_open_calls, run_calls
from .compaction import compact, needs_compaction
from .message_draft import Draft
from .model_turn import take_turn
from .notices import fills_window, tell_tools_left_out, tell_window_full
from .recall_tool import RECALL, recall_tool
from .state import NO_TOOLS, OfferedTools, Run, Stop
from .structured_output import NUDGE
from .titles import begin_title, end_title, first_title
from .turn_reader import without_secrets

log = logging.getLogger("toolpost.engine")

LAST_ANSWER = (
    "A limit of this run ({limit}) was reached: no more tools can be called. "
    "Answer now from what you know, and say what is left undone."
)


async def run_loop(run: Run) -> None:
    """Run to the end; `run.reason` says how it ended. Raises only when the task itself was cancelled."""
    try:
        await _accept(run)
        if run.core.setup.prepare is not None:
            await run.core.setup.prepare()
        await get_ready(run.core.setup.model)
        while run.reason is None:
            await _take_steering(run)
            await _make_room(run)
            await run.core.init_tools()
            await _step(run, _offer(run))
    except Stop as stop:
        run.reason, run.error = stop.reason, stop.error
    except asyncio.CancelledError:
        run.reason = "aborted"
        raise
    except ToolpostError as error:
        run.reason, run.error = "error", ErrorInfo(_code(error), str(error))
    except Exception as error:  # a bug of ours must still end the run and tell its subscribers
        log.exception("the run failed")
        run.reason, run.error = "error", ErrorInfo("internal", f"{type(error).__name__}: {error}")
    finally:
        await uninterrupted(_end(run))


async def _step(run: Run, offer: OfferedTools) -> None:
    """One model turn and the calls that it makes; whatever happens, the message stays whole and on its branch."""
    run.step += 1
    journal = run.core.journal
    journal.publish(StepStarted(*journal.stamp(), run.step, run.core.setup.model.info.id, offer.names))
    ending: FinishReason = "error"
    try:
        draft = await take_turn(run, offer)
        _count(run, draft)
        await run_calls(run, draft)
    except asyncio.CancelledError:
        ending = "aborted"
        raise
    finally:
        message = _close_step(run, ending)
    _judge(run, message)


def _count(run: Run, draft: Draft) -> None:
    """Count what the turn took before its calls begin, so that sub-agents know what is left for them."""
    finish = draft.parts[-1]
    if isinstance(finish, StepFinish):
        run.core.spend(finish.usage, finish.cost)


def _judge(run: Run, message: Message) -> None:
    """Decide whether the run goes on after this step."""
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
    if not journal.info.title and run.prompts:
        journal.change(title=first_title(run.prompts[-1].text))
        run.titling = begin_title(core, run.prompts[-1].text)
    await journal.publish_durably(start)
    _announce(run, messages)


async def _check_price(run: Run) -> None:
    """Refuse a run whose `max_cost` could not be checked, because the model's price is not known."""
    setup = run.core.setup
    info = setup.model.info
    if setup.limits.max_cost is not None and await setup.price(info.provider, info.name, Usage()) is None:
        text = f"max_cost is set, but the price of {info.id} is not known: use max_tokens instead"
        if not is_installed("prices"):
            text = missing_text("prices", "max_cost")
        raise Stop("error", ErrorInfo("unknown_price", text))


async def _take_steering(run: Run) -> None:
    """Messages that came while the run was going on join it here, between two steps."""
    waiting = _steering(run)
    if waiting:
        messages = [await _user_message(run, prompt) for prompt in waiting]
        await run.core.journal.flush(barrier=True)
        _announce(run, messages)


async def _make_room(run: Run) -> None:
    if needs_compaction(run.core):
        await compact(run.core, "threshold")


def _offer(run: Run) -> OfferedTools:
    """The tools of the next step: none once a limit has been reached, so that the model must answer."""
    if not run.limit:
        run.limit = run.limit_reached()
    if run.last_answer:
        run.notice = LAST_ANSWER.format(limit=run.limit)
        return NO_TOOLS if run.output is None else OfferedTools((run.output.tool,))
    core = run.core
    if core.history.compacted and core.recall is None and RECALL not in core.setup.tools:
        core.recall = recall_tool(core.journal.store)
    extra = [tool for tool in (core.recall, run.output and run.output.tool) if tool is not None]
    offer = core.offer(extra, run.asked.switched_off)
    tell_tools_left_out(run, offer.left_out)
    return offer


def _close_step(run: Run, ending: FinishReason) -> Message:
    core, journal, draft = run.core, run.core.journal, run.draft
    assert draft is not None
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
        journal.publish(StepEnd(*journal.stamp(), run.step, finish.reason, finish.usage, finish.cost))
    return message


async def _end(run: Run) -> None:
    """Say how the run ended, on disk and then to the subscribers. A run whose end is not on disk has failed."""
    journal = run.core.journal
    assert run.reason is not None
    if run.reason == "aborted":
        _mark_stopped(run)
    run.signal.set("aborted" if run.reason == "aborted" else "ended")
    if run.titling is not None:
        # Who stops a run does not wait for its title.
        limits = run.core.setup.limits
        await end_title(run.titling, 0.0 if run.reason == "aborted" else limits.title_seconds, limits.abort_grace)
    journal.change(open_run=None)
    end = _run_end(run)
    try:
        await journal.publish_durably(end)
    except ToolpostError as error:
        log.warning("the end of the run could not be stored: %s", error)
        journal.drop(end)
        run.fail_to_store(str(error))
        end = _run_end(run)
        # With the next flush that finds the store again, the same is stored that was told.
        journal.record(end)
        journal.deliver(end)


def _run_end(run: Run) -> RunEnd:
    assert run.reason is not None
    output = run.output.plain if run.output is not None else None
    run.error = run.error and without_secrets(run.error)
    stamp = run.core.journal.stamp()
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


def _announce(run: Run, messages: Sequence[Message]) -> None:
    journal = run.core.journal
    for message in messages:
        journal.publish(MessageStart(*journal.stamp(), message))
        journal.publish(MessageEnd(*journal.stamp(), message))


def _steering(run: Run) -> list[Prompt]:
    return [prompt for prompt in run.core.journal.info.inbox if prompt.steer]


def _inbox_without(run: Run, prompt: Prompt) -> tuple[Prompt, ...]:
    return tuple(waiting for waiting in run.core.journal.info.inbox if waiting.id != prompt.id)


def _code(error: ToolpostError) -> str:
    if isinstance(error, ConfigError):
        return "wiring"
    return "hook" if isinstance(error, HookError) else "store"
