"""One answer of the session's model beside the conversation: for a summary, or for a server that may ask."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from toolpost.models.contract import ModelRequest, close_stream
from toolpost.tools.collect import clean
from toolpost.types.errors import ModelError
from toolpost.types.messages import ErrorInfo, FinishReason, Message, Usage
from toolpost.types.stream import Finish, StreamError, TextDelta

from .core import Core
from .options import merge

log = logging.getLogger("toolpost.engine")


class Aside(Struct, frozen=True):
    text: str
    usage: Usage
    reason: FinishReason


async def answer_aside(
    core: Core, messages: Sequence[Message], *, system: str = "", options: Mapping[str, Any] | None = None
) -> Aside:
    """Ask without tools, and count what it took. Raises `ModelError` where no answer comes."""
    setup = core.setup
    request = ModelRequest(
        messages,
        system=(system,) if system else (),
        options=merge(setup.options, options or {}),
        idle_timeout=setup.limits.stream_idle,
    )
    answer = await _read(core, request)
    info = setup.model.info
    core.spend(answer.usage, await setup.price(info.provider, info.name, answer.usage))
    return answer


async def _read(core: Core, request: ModelRequest) -> Aside:
    pieces: list[str] = []
    stream = core.setup.model.stream(request)
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
        log.exception("the adapter of %s failed", core.setup.model.info.id)
        raise ModelError(ErrorInfo("protocol", clean(f"{type(error).__name__}: {error}"))) from error
    finally:
        await close_stream(stream)
    raise ModelError(ErrorInfo("protocol", "the model's answer broke off"))
