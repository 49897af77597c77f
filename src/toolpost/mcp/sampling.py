"""A server's wish for an answer of the model, given by the model of the session that called the server."""

import time
from typing import Literal

from toolpost.tools.define import ToolContext
from toolpost.types.ids import new_id
from toolpost.types.messages import FinishReason, Message

from .requests import SamplingAnswer, SamplingMessage, SamplingRequest


async def sample_from_model(request: SamplingRequest, ctx: ToolContext) -> SamplingAnswer:
    """Asked only once the person has allowed it. What it takes counts as the session's."""
    options = {"max_tokens": request.max_tokens, "temperature": request.temperature, "stop": list(request.stop) or None}
    given = {name: value for name, value in options.items() if value is not None}
    messages = [_message(message) for message in request.messages]
    said = await ctx.host.ask_model(messages, system=request.system, options=given)
    return SamplingAnswer(said.text, said.model, _reason(said.reason))


def _message(message: SamplingMessage) -> Message:
    return Message(new_id("msg"), message.role, message.content, time=time.time())


def _reason(reason: FinishReason) -> Literal["endTurn", "maxTokens"]:
    return "maxTokens" if reason == "length" else "endTurn"
