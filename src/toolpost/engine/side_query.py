"""One answer of a model beside the conversation: for a summary or a title, or for a server that may ask."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from toolpost.models.contract import Model, ModelRequest, close_stream
from toolpost.tools.output_collector import clean
from toolpost.types.errors import ModelError, ToolpostError
from toolpost.types.messages import ErrorInfo, FinishReason, Message, Usage
from toolpost.types.stream import Finish, StreamError, TextDelta

from .options import merge
from .state import Core, Setup

log = logging.getLogger("toolpost.engine")


class Aside(Struct, frozen=True):
    text: str
    usage: Usage
    reason: FinishReason


async def answer_aside(
    core: Core,
    messages: Sequence[Message],
    *,
    system: str = "",
    options: Mapping[str, Any] | None = None,
    small: bool = False,
) -> Aside:
    """Ask without tools, and count what it took. Raises `ModelError` where no answer comes. `small`: the small model is
    asked, where there is one, and not the session's."""
    setup = core.setup
    model, usual = await small_model(setup) if small else (setup.model, setup.options)
    request = ModelRequest(
        messages,
        system=(system,) if system else (),
        options=merge(usual, options or {}),
        idle_timeout=setup.limits.stream_idle,
    )
    answer = await _read(model, request)
    info = model.info
    core.spend(answer.usage, await setup.price(info.provider, info.name, answer.usage))
    return answer


async def small_model(setup: Setup) -> tuple[Model, Mapping[str, Any]]:
    """The small model and its options; the session's own where there is none, or none that may be used."""
    if setup.small is None:
        return setup.model, setup.options
    try:
        model, options = setup.small()
    except ToolpostError as error:
        log.warning("the small model can't be used: %s", error)
        return setup.model, setup.options
    info = model.info
    if setup.limits.max_cost is not None and await setup.price(info.provider, info.name, Usage()) is None:
        # A budget that cannot be watched is no budget.
        return setup.model, setup.options
    return model, options


async def _read(model: Model, request: ModelRequest) -> Aside:
    pieces: list[str] = []
    stream = model.stream(request)
    try:
        async for event in stream:
            if isinstance(event, TextDelta):
                pieces.append(clean(event.text))
            elif isinstance(event, StreamError):
                raise ModelError(event.error)
            elif isinstance(event, Finish):
                return Aside("".join(pieces).strip(), event.usage, event.reason)
    except ModelError:
        raise
    except Exception as error:
        log.exception("the adapter of %s failed", model.info.id)
        raise ModelError(ErrorInfo("protocol", clean(f"{type(error).__name__}: {error}"))) from error
    finally:
        await close_stream(stream)
    raise ModelError(ErrorInfo("protocol", "the model's answer broke off"))
