"""Take one model turn: send the request, read the stream into a draft, try again where that failed."""

import asyncio
import random
import time

from toolpost.guard.redact import known_secrets
from toolpost.models.contract import Model, ModelRequest, Tape
from toolpost.plugins.hooks import ParamsHook, SystemHook
from toolpost.store.contract import Exchange
from toolpost.types.errors import RETRYABLE_CODES
from toolpost.types.events import Retry
from toolpost.types.messages import ErrorInfo, Message, TextPart
from toolpost.types.stream import Finish, StreamError, TextDelta

from .compaction import compact
from .limits import Limits
from .message_draft import Draft
from .model_options import merge
from .state import Core, OfferedTools, Run
from .turn_reader import TurnReader

JITTER = 0.25


async def take_turn(run: Run, offer: OfferedTools) -> Draft:
    """Ask the model once, with as many attempts as the limits allow. A draft with an `error` is the failure."""
    core = run.core
    attempt, compacted = 0, False
    while True:
        draft = run.draft = Draft(core, run.step, offer)
        draft.begin()
        outcome = await _stream(run, offer, draft)
        if outcome is None:
            draft.interrupt()
            return draft
        if isinstance(outcome, Finish):
            info = core.setup.model.info
            draft.finish(outcome, await core.setup.price(info.provider, info.name, outcome.usage))
            return draft
        error = outcome.error
        if draft.has_begun and not core.setup.retracts:
            draft.close("error", error)
            return draft
        if error.code == "context_overflow" and not compacted:
            draft.give_up(0, error, 0.0)
            compacted = await compact(core, "overflow")
            if compacted:
                continue
        attempt += 1
        delay = retry_delay(error, attempt, core.setup.limits)
        if delay is None:
            draft.close("error", error)
            return draft
        left = run.seconds_left
        delay = delay if left is None else min(delay, left)
        draft.give_up(attempt, error, delay)
        await _wait(core, attempt, error, delay)


async def _stream(run: Run, offer: OfferedTools, draft: Draft) -> Finish | StreamError | None:
    """Read the answer into the draft. None: the time of the run was up before the answer was whole."""
    journal = run.core.journal
    model = run.core.setup.model
    request = await _request(run, offer, model)
    await journal.caught_up()
    seconds = run.seconds_left
    if seconds == 0:
        return None
    try:
        async with TurnReader(model, request, seconds) as turn:
            async for event in turn.events:
                if isinstance(event, TextDelta):
                    draft.add_text(event)
                elif turn.ends_with(event):
                    break
                else:
                    draft.add(event)
                if journal.congested:
                    await journal.wait_until_clear()
    finally:
        if request.tape is not None:
            journal.keep(_exchange(draft.id, request.tape))
    return turn.ending


async def _request(run: Run, offer: OfferedTools, model: Model) -> ModelRequest:
    core, setup = run.core, run.core.setup
    session_id, hooks = core.journal.info.id, core.setup.hooks
    options = merge(setup.options, run.asked.options)
    if hooks.having("chat_params"):
        options = (await hooks.chat_params(ParamsHook(session_id, model.info.id, setup.agent, options))).options
    # The environment comes last: what stands before it changes less often.
    head, body = run.asked.system or core.head, _joined(setup.system[1], core.environment)
    if hooks.having("chat_system_transform"):
        system = await hooks.chat_system_transform(SystemHook(session_id, model.info.id, head, body))
        head, body = system.head, system.body
    body = _joined(body, run.notice)
    messages = tuple(core.history.sendable)
    if run.nudge:
        # As a message of the user's, because many servers refuse a conversation that ends with the model's own words.
        messages += (Message("", "user", (TextPart(run.nudge),)),)
        run.nudge = ""
    return ModelRequest(
        messages,
        system=tuple(text for text in (head, body) if text),
        tools=offer.specs,
        tool_choice="required" if run.output is not None and run.output.insisting and offer.specs else "auto",
        options=options,
        memo=core.memo,
        tape=Tape() if core.journal.store.durable else None,
        idle_timeout=setup.limits.stream_idle,
    )


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)


def retry_delay(error: ErrorInfo, attempt: int, limits: Limits) -> float | None:
    """Seconds until the next attempt, or None if there should be none. `attempt` counts from 1.

    A server that wants a longer wait than we are ready for is not asked again: better to say so than to hang.
    """
    if attempt > limits.retries or not (error.retryable or error.code in RETRYABLE_CODES):
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= limits.retry_after_max else None
    delay = min(limits.retry_delay * 2 ** (attempt - 1), limits.retry_delay_max)
    return delay * (1 + random.uniform(0, JITTER))  # spreads load, guards nothing


async def _wait(core: Core, attempt: int, error: ErrorInfo, delay: float) -> None:
    core.retry_at = time.time() + delay
    core.journal.publish(Retry(*core.journal.stamp(), attempt, delay, core.retry_at, error))
    try:
        await asyncio.sleep(delay)
    finally:
        core.retry_at = None


def _exchange(message_id: str, tape: Tape) -> Exchange:
    hide = known_secrets().hide
    return Exchange(
        message_id,
        hide(tape.url),
        tape.status,
        tape.sent_at,
        tape.first_byte_at,
        time.time(),
        tape.sent_bytes,
        tape.received_bytes,
        hide(tape.sent.decode(errors="replace")),
        hide(tape.received.decode(errors="replace")),
    )
