"""Check the limits of users and keys before a request, and count what the request used."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, MutableMapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any

from msgspec import structs

from toolpost.config.schema import UseSettings
from toolpost.engine.session_setup import listed_price
from toolpost.engine.token_estimate import CHARS_PER_TOKEN, estimate
from toolpost.models import prices
from toolpost.models.contract import Model, ModelInfo, ModelRequest, WrappedModel, close_stream
from toolpost.server.refusals import Refusal
from toolpost.server.usage_limits import LIMIT_NAMES, Ledger, UsageCheck, has_limits
from toolpost.server.users import User
from toolpost.types.errors import ModelError
from toolpost.types.ids import new_id
from toolpost.types.messages import ErrorInfo, Usage
from toolpost.types.stream import Finish, ReasoningDelta, StreamError, StreamEvent, TextDelta, ToolInputDelta

from .output import Done, OutputEvent, Relayed
from .request import WireName

# What the wires put around the text of an event.
EVENT_BYTES = 200
ONE_OF_EACH = Usage(input=1, output=1)

# Is told what a request has used of a model and what that cost, by the user's name.
RecordUse = Callable[[str, ModelInfo, Usage, float], None]


class Meter:
    """The use of one request. It is settled once, in every case.

    An answer that was left before its end reports no usage: then its size is estimated, and the estimate counts.
    """

    def __init__(
        self,
        ledger: Ledger,
        who: str,
        limits: UseSettings,
        verdict: UsageCheck,
        lease: str,
        tokens: int,
        record: Callable[[ModelInfo, Usage, float], None] | None = None,
    ) -> None:
        self.verdict = verdict
        self.is_limited = has_limits(limits)
        self._record = record
        self._ledger = ledger
        self._who = who
        self._limits = limits
        self._lease = lease
        self._estimate = tokens
        self._letters = 0
        self._model: Model | None = None
        self._usage: Usage | None = None
        self._is_settled = False

    def begin(self, model: Model) -> None:
        """Note that a model has begun to answer: from here on the request costs something."""
        self._model = model

    def see(self, out: OutputEvent | StreamEvent) -> None:
        if isinstance(out, TextDelta | ReasoningDelta | ToolInputDelta):
            self._letters += len(out.text)
        elif isinstance(out, Relayed):
            self._letters += _letters_in(out.data)
        elif isinstance(out, Done | Finish):
            self._usage = out.usage

    def settle(self) -> None:
        if self._is_settled:
            return
        self._is_settled = True
        usage = self._usage
        if usage is None or not usage.total:
            usage = Usage(self._estimate, self._letters // CHARS_PER_TOKEN) if self._model else Usage()
        cost = 0.0
        if self._model is not None and (self._record is not None or _counts_cost(self._limits)):
            info = self._model.info
            cost = prices.cost(info.provider, info.name, usage) or 0.0
            if self._record is not None:
                self._record(info, usage, cost)
        if self.is_limited:
            self._ledger.settle(self._who, self._limits, self._lease, usage.total - self._estimate, cost)


class Budgets:
    """The limits of users and keys. A user's own limits lie over those of the role, and these over the `usual` ones;
    `keys` are named by the variable that holds the key. `record` is told what each request has used."""

    def __init__(
        self,
        ledger: Ledger,
        usual: UseSettings = UseSettings(),  # noqa: B008 (frozen)
        keys: Mapping[str, UseSettings] | None = None,
        record: RecordUse | None = None,
    ) -> None:
        self._ledger = ledger
        self._usual = usual
        self._keys = dict(keys or {})
        self._record = record

    def of_user(self, user: User) -> UseSettings:
        return _over(self._usual, user.role.limits, user.limits)

    def counts(self, user: User) -> bool:
        """Return whether what the user sends has to be counted at all."""
        return self._record is not None or has_limits(self.of_user(user))

    def of_key(self, variable: str) -> UseSettings:
        return self._keys.get(variable, UseSettings())

    async def user(self, user: User, tokens: Callable[[], int]) -> Meter | None:
        """Return a meter whose verdict says whether the user may send the request; None if nothing is counted."""
        record = None if self._record is None else partial(self._record, user.name)
        return await self._meter(f"user:{user.name}", self.of_user(user), tokens, record)

    async def key(self, variable: str, model: Model, tokens: Callable[[], int]) -> Meter | None:
        if _counts_cost(self.of_key(variable)):
            # Read here, so that it is at hand when the request is over.
            await listed_price(model.info.provider, model.info.name, ONE_OF_EACH)
        return await self._meter(f"key:{variable}", self.of_key(variable), tokens)

    async def check_price(self, user: User, model: Model) -> None:
        """Refuse a model without a known price to a user with a cost limit: the limit could not be checked."""
        if self._record is not None:
            # Read here, so that it is at hand when the request is over.
            await listed_price(model.info.provider, model.info.name, ONE_OF_EACH)
        if self.limits_cost(user) and not await self.has_price(user, model.info):
            why = f"the price of {model.info.id} is not known, and you have a cost limit: ask for another model"
            raise Refusal("permission", why)

    def limits_cost(self, user: User) -> bool:
        return _counts_cost(self.of_user(user))

    async def has_price(self, user: User, info: ModelInfo) -> bool:
        """Return whether the price of a model is known (or nothing), or the user may use models without a price."""
        if self.of_user(user).unpriced or prices.is_own(info.provider, info.name):
            return True
        return await listed_price(info.provider, info.name, ONE_OF_EACH) is not None

    async def _meter(
        self,
        who: str,
        limits: UseSettings,
        tokens: Callable[[], int],
        record: Callable[[ModelInfo, Usage, float], None] | None = None,
    ) -> Meter | None:
        if record is None and not has_limits(limits):
            return None
        lease = new_id("use")
        estimate = tokens() if record is not None or limits.tokens_per_minute or _counts_cost(limits) else 0
        if not has_limits(limits):
            return Meter(self._ledger, who, limits, UsageCheck(), lease, estimate, record)
        try:
            verdict = await self._ledger.take(who, limits, lease, estimate)
        except BaseException:
            # The client has left meanwhile: whether a place was taken nobody knows.
            self._ledger.settle(who, limits, lease, -estimate, 0.0)
            raise
        return Meter(self._ledger, who, limits, verdict, lease, estimate, record)


def refuse(meter: Meter) -> None:
    """Raise a `Refusal` if the user's limit is reached."""
    verdict = meter.verdict
    if verdict.refused:
        why = (
            f"you have reached your limit of {LIMIT_NAMES[verdict.refused]}: try again in {_span(verdict.retry_after)}"
        )
        raise Refusal("rate_limit", why, retry_after=verdict.retry_after)


def tell_left(meter: Meter, limits: UseSettings, wire: WireName, headers: MutableMapping[str, str]) -> None:
    """Set the rate limit headers that the wire's clients read: requests and tokens left in this minute."""
    verdict = meter.verdict
    told = (
        ("requests", limits.requests_per_minute, verdict.requests),
        ("tokens", limits.tokens_per_minute, verdict.tokens),
    )
    for what, limit, level in told:
        if limit is None:
            continue
        left, reset = max(0, int(level)), max(0.0, (limit - level) * 60 / limit)
        if wire == "anthropic":
            at = datetime.now(UTC) + timedelta(seconds=reset)
            stem, values = f"anthropic-ratelimit-{what}-", (limit, left, at.strftime("%Y-%m-%dT%H:%M:%SZ"))
            names = (f"{stem}limit", f"{stem}remaining", f"{stem}reset")
        else:
            names = (f"x-ratelimit-limit-{what}", f"x-ratelimit-remaining-{what}", f"x-ratelimit-reset-{what}")
            values = (limit, left, f"{reset:.3f}s")
        headers.update({name: str(value) for name, value in zip(names, values, strict=True)})


class MeteredAnswer(AsyncGenerator[OutputEvent, None]):
    """An answer whose use is counted. A class, because a generator that is closed before it started runs none of its
    code."""

    def __init__(self, outs: AsyncGenerator[OutputEvent, None], meter: Meter) -> None:
        self._outs = outs
        self._meter = meter

    async def asend(self, value: None) -> OutputEvent:
        try:
            out = await anext(self._outs)
        except BaseException:
            self._meter.settle()
            raise
        self._meter.see(out)
        if isinstance(out, Done | StreamError):
            # Before it is told: who has heard the end may ask again at once.
            self._meter.settle()
        if isinstance(out, Relayed) and out.headers and self._meter.is_limited:
            # What the provider leaves to our key is not what we leave to the user.
            return Relayed(out.data, {name: value for name, value in out.headers.items() if "ratelimit" not in name})
        return out

    async def athrow(self, *failure: Any) -> OutputEvent:
        self._meter.settle()
        return await self._outs.athrow(*failure)

    async def aclose(self) -> None:
        self._meter.settle()
        await self._outs.aclose()


class LimitedModel(WrappedModel):
    """A model whose turns count against the limits of one user, for conversations that are stored here."""

    def __init__(self, model: Model, user: User, budgets: Budgets) -> None:
        super().__init__(model)
        self._user = user
        self._budgets = budgets

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        try:
            await self._budgets.check_price(self._user, self._model)
            meter = await self._budgets.user(self._user, lambda: sum(map(estimate, request.messages)))
            if meter is not None:
                refuse(meter)
        except Refusal as refusal:
            raise ModelError(_as_error(refusal)) from None
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


@lru_cache(maxsize=1024)
def _over(usual: UseSettings, role: UseSettings, own: UseSettings) -> UseSettings:
    return structs.replace(usual, **{**role.given(), **own.given()})


def _counts_cost(limits: UseSettings) -> bool:
    return limits.cost_per_day is not None or limits.cost_per_month is not None


def _letters_in(data: bytes) -> int:
    """Estimate how much text is in events that are passed on as they came; each event is at least one token."""
    events = data.count(b"data:")
    return max(CHARS_PER_TOKEN * events, len(data) - EVENT_BYTES * events)


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 7200 else f"{round(seconds / 3600)} h"


def _as_error(refusal: Refusal) -> ErrorInfo:
    if refusal.kind == "permission":
        return ErrorInfo("unknown_price", refusal.message)
    return ErrorInfo("own_limit", refusal.message, 429, retryable=True, retry_after=refusal.retry_after)
