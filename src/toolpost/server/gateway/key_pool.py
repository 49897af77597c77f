"""Use several keys of one provider in turn: the least recently used key goes first.

A key that is refused is left out for a time that grows, one that is rate limited for as long as the provider says. As
long as a turn has sent nothing, it goes on with the next key. Texts name the variable that holds a key, never the key.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Mapping, Sequence
from typing import TypeVar

from toolpost.engine.token_estimate import estimate
from toolpost.models.contract import Model, ModelInfo, ModelRequest, close_stream, get_ready
from toolpost.server.usage_limits import LIMIT_NAMES
from toolpost.types.errors import ModelError
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamError, StreamEvent

from .budgets import Budgets, Meter
from .output import OutputEvent

E = TypeVar("E", bound=OutputEvent | StreamEvent)

log = logging.getLogger("toolpost.server")

# Seconds.
FIRST_PAUSE = 60.0
MAX_PAUSE = 3600.0
PAUSE_WITHOUT_WORD = 10.0
_REFUSED = ("auth", "spend_limit")


class KeyRing:
    """The keys of a provider, shared by all of its models."""

    def __init__(self, provider: str, variables: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self.provider = provider
        self.clock = clock
        self._keys = [_Key(variable) for variable in variables]
        self._uses = 0

    def usable(self) -> list["_Key"]:
        """Return the keys that are not paused, in the order to try them. A single key is always usable: there is no
        other."""
        now = self.clock()
        keys = [key for key in self._keys if key.out_until <= now or len(self._keys) == 1]
        return sorted(keys, key=lambda key: (key.running, key.last_use))

    @contextlib.contextmanager
    def using(self, key: "_Key") -> Generator[None]:
        self._uses += 1
        key.last_use = self._uses
        key.running += 1
        try:
            yield
        finally:
            key.running -= 1

    def failed(self, key: "_Key", error: ErrorInfo) -> bool:
        """Pause the key if the error is about the key. Return whether another key may succeed."""
        if error.code in _REFUSED:
            pause = min(MAX_PAUSE, FIRST_PAUSE * 2**key.refusals)
            key.refusals += 1
        elif error.code == "rate_limit":
            after = PAUSE_WITHOUT_WORD if error.retry_after is None else error.retry_after
            pause = min(MAX_PAUSE, after)
        else:
            return False
        key.why, key.out_until = error.code, self.clock() + pause
        if len(self._keys) > 1:
            words = f"{self.provider}: the key in {key.variable} got {error.code}, and is left out for {pause:g} s"
            log.warning("%s", words)
        return True

    def none_left(self) -> ErrorInfo:
        """Return the error for a request when every key is paused."""
        names, now = ", ".join(key.variable for key in self._keys), self.clock()
        wait = max(0.0, min(key.out_until for key in self._keys) - now)
        if all(key.why in _REFUSED for key in self._keys):
            return ErrorInfo("auth", f"{self.provider} refused every key: {names}")
        text = f"every key of {self.provider} is paused for now: {names}"
        return ErrorInfo("rate_limit", text, retryable=True, retry_after=wait)


class RotatingModel:
    """A model that is called with one key after the other; `models` are the same model with each of the keys."""

    def __init__(self, models: Mapping[str, Model], ring: KeyRing, budgets: Budgets) -> None:
        self._models = models
        self._ring = ring
        self._budgets = budgets

    @property
    def info(self) -> ModelInfo:
        return next(iter(self._models.values())).info

    async def get_ready(self) -> None:
        await asyncio.gather(*map(get_ready, self._models.values()))

    @property
    def next(self) -> Model:
        """The model with the key that is next."""
        keys = self._ring.usable()
        return self._models[keys[0].variable] if keys else next(iter(self._models.values()))

    def __repr__(self) -> str:
        return f"RotatingModel({self.info.id!r}, keys={list(self._models)})"

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        return self.asked(lambda model: model.stream(request), lambda: sum(map(estimate, request.messages)))

    async def asked(
        self, ask: Callable[[Model], AsyncIterator[E]], tokens: Callable[[], int]
    ) -> AsyncGenerator[E | StreamError, None]:
        """Yield what `ask` yields with the first key that does not fail because of the key."""
        failure: ErrorInfo | None = None
        for key in self._ring.usable():
            model = self._models[key.variable]
            meter = await self._budgets.key(key.variable, model, tokens)
            if meter is not None and meter.verdict.refused:
                failure = failure or _used_up(key, meter)
                continue
            events = ask(model)
            with self._ring.using(key):
                try:
                    first = await _first(events)
                    if isinstance(first, StreamError) and self._ring.failed(key, first.error):
                        failure = first.error
                        continue
                    if not isinstance(first, StreamError):
                        key.refusals = 0
                        if meter is not None:
                            meter.begin(model)
                            meter.see(first)
                    yield first
                    async for event in events:
                        if meter is not None:
                            meter.see(event)
                        yield event
                    return
                finally:
                    if meter is not None:
                        meter.settle()
                    await close_stream(events)
        yield StreamError(failure or self._ring.none_left())


class _Key:
    def __init__(self, variable: str) -> None:
        self.variable = variable
        self.running = 0
        self.last_use = 0
        self.out_until = 0.0
        self.why = ""
        self.refusals = 0


async def _first(events: AsyncIterator[E]) -> E | StreamError:
    try:
        return await anext(events)
    except ModelError as error:
        return StreamError(error.info)
    except StopAsyncIteration:
        return StreamError(ErrorInfo("truncated", "the model's stream ended before it began", retryable=True))


def _used_up(key: _Key, meter: Meter) -> ErrorInfo:
    text = f"the key in {key.variable} has reached its limit of {LIMIT_NAMES[meter.verdict.refused]}"
    return ErrorInfo("rate_limit", text, retryable=True, retry_after=meter.verdict.retry_after)
