"""A request in, a stream out: one turn of a model, or as many as it takes where tools run here."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from msgspec import structs

from toolpost.models.contract import Model, ModelRequest, ToolSpec, close_stream
from toolpost.server.failures import Kind, Refusal
from toolpost.types.errors import RETRYABLE_CODES, ModelError
from toolpost.types.messages import ErrorInfo, Message
from toolpost.types.stream import Finish, StreamError

from .asked import Asked
from .fitted import fitted
from .inner import InnerRuns
from .kept import Shelves
from .recall import Recall
from .targets import Targets
from .told import Done, Out

# What another model, or the same one a moment later, may do better.
_ELSEWHERE = frozenset({*RETRYABLE_CODES, "auth", "spend_limit", "not_found", "overloaded", "rate_limit"})
_KINDS: dict[str, Kind] = {
    "auth": "authentication",
    "spend_limit": "billing",
    "not_found": "not_found",
    "rate_limit": "rate_limit",
    "overloaded": "overloaded",
    "timeout": "timeout",
    "context_overflow": "invalid_request",
    "bad_request": "invalid_request",
    "content_filter": "invalid_request",
    "unknown_price": "invalid_request",
}


class Gateway:
    def __init__(self, targets: Targets, inner: InnerRuns, *, stream_idle: float = 90.0) -> None:
        self.targets = targets
        self._inner = inner
        self._stream_idle = stream_idle
        self._hidden = Shelves()

    async def answer(self, asked: Asked, user: str = "") -> AsyncGenerator[Out, None]:
        """The answer, from its first piece on. Until then other models are tried; a `Refusal` says that none could."""
        _check(asked)
        recall = Recall(asked, self._hidden.of(user))
        failure: ErrorInfo | None = None
        for model in self.targets.of(asked.model):
            outs = self._stream(self._fitted(asked, recall, model), model, recall)
            first = await anext(outs, None)
            if isinstance(first, StreamError) and first.error.code in _ELSEWHERE:
                failure = failure or first.error
                await outs.aclose()
                continue
            if isinstance(first, StreamError):
                await outs.aclose()
                raise refusal_of(first.error)
            return _from(first, outs)
        raise refusal_of(failure or ErrorInfo("protocol", "no model gave an answer"))

    def _fitted(self, asked: Asked, recall: Recall, model: Model) -> Asked:
        """The request as this model gets it. The answers in the conversation count as its own: only then its adapter
        echoes what it must."""
        messages = tuple(_by(message, model) if message.role == "assistant" else message for message in recall.messages)
        return structs.replace(asked, messages=messages, options=fitted(asked, self.targets.wire_of(model)))

    async def _stream(self, asked: Asked, model: Model, recall: Recall) -> AsyncGenerator[Out, None]:
        async with self._inner.tools_for(asked) as ours:
            if ours.tools:
                async with aclosing(self._inner.run(asked, model, ours, recall)) as outs:
                    async for out in outs:
                        yield out
                return
        async with aclosing(self._one_turn(asked, model)) as outs:
            async for out in outs:
                yield out

    async def _one_turn(self, asked: Asked, model: Model) -> AsyncGenerator[Out, None]:
        stream = model.stream(self._request(asked))
        try:
            async for event in stream:
                if isinstance(event, Finish):
                    yield Done(event.reason, event.usage, model.info.id, metadata=event.metadata)
                    return
                yield event
                if isinstance(event, StreamError):
                    return
            yield StreamError(ErrorInfo("truncated", "the model's stream ended without a finish", retryable=True))
        except ModelError as error:
            yield StreamError(error.info)
        finally:
            await close_stream(stream)

    def _request(self, asked: Asked) -> ModelRequest:
        return ModelRequest(
            asked.messages,
            system=asked.system,
            tools=offered(asked),
            tool_choice="required" if asked.only_tool else asked.tool_choice,
            options=dict(asked.options),
            idle_timeout=self._stream_idle,
        )


def offered(asked: Asked) -> Sequence[ToolSpec]:
    """The client's tools; only the one that has to be called, where it names one."""
    if asked.tool_choice == "none":
        return ()
    return [tool for tool in asked.tools if tool.name == asked.only_tool] if asked.only_tool else asked.tools


def refusal_of(error: ErrorInfo) -> Refusal:
    kind = _KINDS.get(error.code, "internal")
    return Refusal(kind, error.message, retry_after=error.retry_after)


def _check(asked: Asked) -> None:
    if asked.only_tool and all(tool.name != asked.only_tool for tool in asked.tools):
        raise Refusal("invalid_request", f"tool_choice names {asked.only_tool!r}, which is not among the tools")


def _by(message: Message, model: Model) -> Message:
    return structs.replace(message, model=model.info.id)


async def _from(first: Out | None, rest: AsyncGenerator[Out, None]) -> AsyncGenerator[Out, None]:
    try:
        if first is not None:
            yield first
        async for out in rest:
            yield out
    finally:
        await rest.aclose()
