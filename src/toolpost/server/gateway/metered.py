"""A model in a user's name: every turn of it counts for the user, in a conversation that is kept here."""

from collections.abc import AsyncIterator

from toolpost.engine.token_estimate import estimate
from toolpost.models.contract import Model, ModelInfo, ModelRequest, close_stream
from toolpost.server.refusals import Refusal
from toolpost.types.errors import ModelError
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamError, StreamEvent

from .budgets import Budgets, refuse


class Limited:
    def __init__(self, model: Model, user: str, budgets: Budgets) -> None:
        self._model = model
        self._user = user
        self._budgets = budgets

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    def __repr__(self) -> str:
        return f"Limited({self._model!r}, user={self._user!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        try:
            await self._budgets.check_price(self._user, self._model)
            meter = await self._budgets.user(self._user, lambda: sum(map(estimate, request.messages)))
            if meter is not None:
                refuse(meter)
        except Refusal as refusal:
            raise ModelError(_told(refusal)) from None
        events = self._model.stream(request)
        try:
            async for event in events:
                if meter is not None and not isinstance(event, StreamError):
                    meter.begin(self._model)
                    meter.see(event)
                yield event
        finally:
            if meter is not None:
                meter.settle()
            await close_stream(events)


def _told(refusal: Refusal) -> ErrorInfo:
    if refusal.kind == "permission":
        return ErrorInfo("unknown_price", refusal.message)
    return ErrorInfo("rate_limit", refusal.message, 429, retryable=True, retry_after=refusal.retry_after)
