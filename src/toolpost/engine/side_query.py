"""Call a model outside of the session's history: for summaries, titles and MCP sampling."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from toolpost.models.contract import Model, ModelRequest
from toolpost.types.errors import ModelError, ToolpostError
from toolpost.types.messages import FinishReason, Message, Usage
from toolpost.types.stream import StreamError

from .model_options import merge
from .session_setup import Setup
from .state import Core
from .turn_reader import TurnParts, TurnReader

log = logging.getLogger("toolpost.engine")


class SideAnswer(Struct, frozen=True):
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
) -> SideAnswer:
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
        # Without a price, max_cost could not be checked.
        return setup.model, setup.options
    return model, options


async def _read(model: Model, request: ModelRequest) -> SideAnswer:
    parts = TurnParts()
    async with TurnReader(model, request) as turn:
        async for event in turn.events:
            if turn.ends_with(event):
                break
            parts.add(event)
    ending = turn.ending
    assert ending is not None, "it was given no time that could be up"
    if isinstance(ending, StreamError):
        raise ModelError(ending.error)
    return SideAnswer(parts.text.strip(), ending.usage, ending.reason)
