"""One model turn: a request, its stream read into a draft, and another attempt where that failed."""

import asyncio
import logging
import time

from msgspec import structs

from toolpost.guard.redact import known_secrets
from toolpost.models.contract import Model, ModelRequest, Tape, close_stream
from toolpost.plugins.hooks import ParamsHook, SystemHook
from toolpost.store.contract import Exchange
from toolpost.tools.output_collector import clean
from toolpost.types.errors import ModelError
from toolpost.types.events import Retry
from toolpost.types.messages import ErrorInfo, Message, TextPart
from toolpost.types.stream import Finish, StreamError, TextDelta

from .compaction import compact
from .message_draft import Draft
from .options import merge
from .retry import retry_delay
from .state import Core, Offer, Run

log = logging.getLogger("toolpost.engine")
ENDINGS = (Finish, StreamError)


async def take_turn(run: Run, offer: Offer) -> Draft:
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
        error = without_secrets(outcome.error)
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


def without_secrets(error: ErrorInfo) -> ErrorInfo:
    """Some servers say in their refusal which key they were given."""
    return structs.replace(error, message=known_secrets().hide(error.message))


async def _stream(run: Run, offer: Offer, draft: Draft) -> Finish | StreamError | None:
    """Read the answer into the draft. None: the time of the run was up before the answer was whole."""
    core = run.core
    model = core.setup.model
    request = await _request(run, offer, model)
    outcome: Finish | StreamError | None = None
    left = run.seconds_left
    if left == 0:
        return None
    clock = asyncio.timeout(left)
    events = model.stream(request)
    try:
        async with clock:
            async for event in events:
                if isinstance(event, TextDelta):
                    draft.add_text(event)
                elif isinstance(event, ENDINGS):
                    outcome = event
                    break
                else:
                    draft.add(event)
                if core.journal.congested:
                    await core.journal.wait_until_clear()
    except ModelError as error:
        outcome = StreamError(error.info)
    except Exception as error:
        if clock.expired():
            return None
        log.exception("the adapter of %s failed", model.info.id)
        outcome = StreamError(ErrorInfo("protocol", clean(f"{type(error).__name__}: {error}")))
    finally:
        await close_stream(events)
        if request.tape is not None:
            core.journal.keep(_exchange(draft.id, request.tape))
    return outcome or StreamError(ErrorInfo("protocol", "the model's stream ended without a finish", retryable=True))


async def _request(run: Run, offer: Offer, model: Model) -> ModelRequest:
    core, setup = run.core, run.core.setup
    session_id, hooks = core.journal.info.id, core.setup.hooks
    options = merge(setup.options, run.asked.options)
    if hooks.having("chat_params"):
        options = (await hooks.chat_params(ParamsHook(session_id, model.info.id, setup.agent, options))).options
    # The environment comes last: what stands before it changes less often.
    head, body = run.asked.system or setup.system[0], _joined(setup.system[1], core.environment)
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
