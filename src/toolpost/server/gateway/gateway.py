"""Answer gateway requests: choose a model; run one turn, or several where tools run on the server."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, MutableMapping, Sequence
from contextlib import aclosing

from msgspec import structs

from toolpost.config.schema import GatewaySettings
from toolpost.engine.turn_reader import TurnReader
from toolpost.models.contract import Model, ModelRequest
from toolpost.server.redis_state import SharedCacheStore, SharedLedger, SharedRedis
from toolpost.server.refusals import BadRequest, Refusal, refusal_of
from toolpost.server.telemetry import TracedModel
from toolpost.server.usage_limits import LocalLedger
from toolpost.server.users import User
from toolpost.tools.define import Tool
from toolpost.types.errors import RETRYABLE_CODES, ModelError
from toolpost.types.messages import ErrorInfo, Message
from toolpost.types.stream import Finish, StreamError
from toolpost.types.tool_spec import ToolSpec

from .budgets import Budgets, MeteredAnswer, RecordUse, refuse, tell_left
from .cache import HEADER as CACHE_HEADER
from .cache import AnswerCache, LocalCacheStore, replay
from .hidden_calls import HiddenCalls
from .key_pool import RotatingModel
from .lru import LruCaches
from .output import Done, OutputEvent, UpstreamError, stop_sequence_in
from .relay import compacted, relay_of, relayed
from .relay_observer import usage_in
from .request import GatewayRequest, options_for
from .route_choice import ChosenRoute, tokens_of
from .targets import Targets
from .tool_runs import ToolRuns

log = logging.getLogger("toolpost.server")

# What another model may do better.
_ELSEWHERE = frozenset(
    {*RETRYABLE_CODES, "auth", "spend_limit", "not_found", "unreachable", "protocol", "previous_response_not_found"}
)
# What the same one may do better, some seconds later.
_A_MOMENT_LATER = frozenset({"overloaded", "network", "rate_limit", "server"})
FIRST_WAIT = 0.2
MAX_WAIT = 2.0
ROUTE_HEADER = "x-toolpost-route"
MODEL_HEADER = "x-toolpost-model"
WEB_SEARCH = "web_search"
NO_PREVIOUS = "previous_response_not_found"


class SharedState:
    """What the server counts and caches between requests, in its own memory or shared with other workers."""

    def __init__(self, config: GatewaySettings, record: RecordUse | None = None) -> None:
        self._shared = shared = SharedRedis(config.redis) if config.redis else None
        ledger = SharedLedger(shared) if shared else LocalLedger()
        keeper = SharedCacheStore(shared) if shared else LocalCacheStore(config.cache.most_bytes)
        self.budgets = Budgets(ledger, config.limits, config.keys, record)
        self.answers = AnswerCache(config.cache, keeper)
        # The results of web searches, which each process keeps for itself where there is no other place.
        self.searches = SharedCacheStore(shared, "search") if shared else None

    async def close(self) -> None:
        if self._shared is not None:
            await self._shared.close()


class Gateway:
    """`retries` is how often all models are tried again when none could answer, if they may be able to a moment
    later."""

    def __init__(
        self,
        targets: Targets,
        tool_runs: ToolRuns,
        shared: SharedState,
        *,
        stream_idle: float = 90.0,
        retries: int = 0,
    ) -> None:
        self.targets = targets
        self._tool_runs = tool_runs
        self._budgets = shared.budgets
        self._answers = shared.answers
        self._stream_idle = stream_idle
        self._retries = retries
        self._hidden = LruCaches()

    async def answer(
        self, asked: GatewayRequest, user: User, headers: MutableMapping[str, str] | None = None
    ) -> AsyncGenerator[OutputEvent, None]:
        """Return the answer, starting with its first piece. Before that piece other models are tried; a `Refusal` says
        that none could answer. Headers for the client are added to `headers`."""
        _check(asked)
        told: MutableMapping[str, str] = {} if headers is None else headers
        chosen = self.targets.choose(asked, user)
        if chosen.name:
            told[ROUTE_HEADER] = chosen.name
        if key := self._answers.key(asked, user.name, chosen.models):
            if kept := await self._answers.find(key):
                told[CACHE_HEADER] = "hit"
                return replay(kept)
            told[CACHE_HEADER] = "miss"
        return await self._metered(asked, user, chosen, told, key)

    async def compacted(self, asked: GatewayRequest, user: User, told: MutableMapping[str, str]) -> bytes | None:
        """Return the conversation as compacted by the server of its model; None if that server cannot compact."""
        model = self.targets.single(self.targets.choose(asked, user).models[0])
        await self._budgets.check_price(user, model)
        meter = await self._budgets.user(user, lambda: tokens_of(asked))
        try:
            if meter is not None:
                refuse(meter)
            try:
                answer = await compacted(asked, model)
            except ModelError as error:
                raise refusal_of(error.info) from None
            if answer is not None and meter is not None:
                meter.begin(model)
                meter.see(Done("stop", usage_in(answer)))
        finally:
            if meter is not None:
                meter.settle()
        if answer is not None:
            told[MODEL_HEADER] = model.info.id
        return answer

    async def _metered(
        self, asked: GatewayRequest, user: User, chosen: ChosenRoute, told: MutableMapping[str, str], key: str
    ) -> AsyncGenerator[OutputEvent, None]:
        """Answer, count the answer for a user with limits, and cache it if it has a key."""
        meter = await self._budgets.user(user, lambda: tokens_of(asked))
        if meter is not None:
            tell_left(meter, self._budgets.of_user(user), asked.wire, told)
            refuse(meter)
        try:
            model, outs = await self._begun(asked, user, chosen)
        except BaseException:
            if meter is not None:
                meter.settle()
            raise
        told[MODEL_HEADER] = model.info.id
        if key:
            outs = self._answers.keeping(key, outs)
        if meter is None:
            return outs
        meter.begin(model)
        return MeteredAnswer(outs, meter)

    async def _begun(
        self, asked: GatewayRequest, user: User, chosen: ChosenRoute
    ) -> tuple[Model, AsyncGenerator[OutputEvent, None]]:
        """Return the first model that starts to answer, and its answer. Each model is tried once before one is tried
        again."""
        hidden = HiddenCalls(asked, self._hidden.of(user.name))
        failure: Refusal | None = None
        left, wait = list(chosen.models), 0.0
        for attempt in range(self._retries + 1):
            if failure is not None:
                await asyncio.sleep(max(FIRST_WAIT * 2 ** (attempt - 1), wait))
            again, wait = list[str](), 0.0
            for model_id in left:
                try:
                    return await self._tried(asked, user, model_id, hidden)
                except Refusal as refusal:
                    # What is told is what went wrong first.
                    failure = failure or refusal
                    if refusal.code and refusal.code not in _ELSEWHERE:
                        raise (failure if attempt else refusal) from None
                    if refusal.code in _A_MOMENT_LATER and (refusal.retry_after or 0.0) <= MAX_WAIT:
                        again.append(model_id)
                        wait = max(wait, refusal.retry_after or 0.0)
            if not (left := again):
                break
        raise failure or Refusal("internal", "no model answered")

    async def _tried(
        self, asked: GatewayRequest, user: User, model_id: str, hidden: HiddenCalls
    ) -> tuple[Model, AsyncGenerator[OutputEvent, None]]:
        """Return a model's answer, starting with its first piece. Raises `Refusal` if that piece is a failure."""
        model = self.targets.made(model_id)
        await self._budgets.check_price(user, model)
        outs = self._stream(self._fitted(asked, hidden, model), user, model, hidden)
        first = await anext(outs, None)
        hide = self._without_address(model)
        if isinstance(first, StreamError):
            await outs.aclose()
            raise _refused(hide(first.error))
        return model, _from(first, outs, hide)

    def _without_address(self, model: Model) -> Callable[[ErrorInfo], ErrorInfo]:
        """Return a function that hides the address of this model in an error. The log contains the whole error."""
        hidden = self.targets.hidden(model)

        def hide(error: ErrorInfo) -> ErrorInfo:
            log.warning("%s failed: %s", model.info.id, error.message)
            return hidden.told(error)

        return hide

    def _fitted(self, asked: GatewayRequest, hidden: HiddenCalls, model: Model) -> GatewayRequest:
        """Return the request for this model. The answers in the conversation count as the model's own: only then its
        adapter returns what the model's server wants back."""
        messages = tuple(_by(message, model) if message.role == "assistant" else message for message in hidden.messages)
        return structs.replace(asked, messages=messages, options=options_for(asked, self.targets.wire_of(model)))

    def _stream(
        self, asked: GatewayRequest, user: User, model: Model, hidden: HiddenCalls
    ) -> AsyncGenerator[OutputEvent, None]:
        if self._tool_runs.has_none_for(asked, user):
            return self._without_tools(asked, model, hidden)
        return self._with_tools(asked, user, model, hidden)

    async def _with_tools(
        self, asked: GatewayRequest, user: User, model: Model, hidden: HiddenCalls
    ) -> AsyncGenerator[OutputEvent, None]:
        async with self._tool_runs.tools_for(asked, user) as ours:
            runs = bool(ours.tools)
            if runs:
                _check_servable(asked, self.targets.wire_of(model), ours.tools)
            outs = (
                self._tool_runs.run(asked, model, ours, hidden) if runs else self._without_tools(asked, model, hidden)
            )
            async with aclosing(outs):
                async for out in outs:
                    yield out

    def _without_tools(
        self, asked: GatewayRequest, model: Model, hidden: HiddenCalls
    ) -> AsyncGenerator[OutputEvent, None]:
        if isinstance(model, RotatingModel):
            return model.asked(lambda one: self._directly(asked, one, hidden), lambda: tokens_of(asked))
        return self._directly(asked, model, hidden)

    def _directly(self, asked: GatewayRequest, model: Model, hidden: HiddenCalls) -> AsyncGenerator[OutputEvent, None]:
        if not hidden.adds_hidden and (relay := relay_of(asked, model)):
            outs = relayed(asked, relay, self._stream_idle)
            return model.relayed(asked, outs) if isinstance(model, TracedModel) else outs
        _check_servable(asked, self.targets.wire_of(model))
        return self._one_turn(asked, model)

    async def _one_turn(self, asked: GatewayRequest, model: Model) -> AsyncGenerator[OutputEvent, None]:
        async with TurnReader(model, self._request(asked)) as turn:
            async for event in turn.events:
                if isinstance(event, Finish | StreamError):
                    turn.ending = event
                    break
                yield event
        ending = turn.ending
        if isinstance(ending, Finish):
            yield Done(ending.reason, ending.usage, model.info.id, stop_sequence_in(ending.metadata))
        elif ending is not None:
            yield ending

    def _request(self, asked: GatewayRequest) -> ModelRequest:
        return ModelRequest(
            asked.messages,
            system=asked.system,
            tools=offered(asked),
            tool_choice="required" if asked.only_tool else asked.tool_choice,
            options=dict(asked.options),
            idle_timeout=self._stream_idle,
        )


def offered(asked: GatewayRequest) -> Sequence[ToolSpec]:
    """The client's tools; only the one that must be called, if the request names one."""
    if asked.tool_choice == "none":
        return ()
    return [tool for tool in asked.tools if tool.name == asked.only_tool] if asked.only_tool else asked.tools


def _refused(error: ErrorInfo) -> Refusal:
    refusal = refusal_of(error)
    if isinstance(error, UpstreamError):
        refusal.tell(error.status, error.body, error.headers)
    return refusal


def _check(asked: GatewayRequest) -> None:
    if asked.only_tool and all(tool.name != asked.only_tool for tool in asked.tools):
        raise BadRequest(f"tool_choice names {asked.only_tool!r}, which is not one of the tools", param="tool_choice")


def _check_servable(asked: GatewayRequest, wire: str, ours: Sequence[Tool] = ()) -> None:
    """Raise a `Refusal` if a model that gets the request translated cannot do all that it asks for; another model may.
    A web search can be done by a tool of this server."""
    if asked.only_relayed:
        param = asked.only_relayed.partition(" ")[0]
        code = NO_PREVIOUS if param == "previous_response_id" else ""
        raise Refusal("invalid_request", asked.only_relayed, param=param, code=code)
    if wire == asked.wire:
        return
    has_search = any(tool.name == WEB_SEARCH for tool in ours)
    for kind in asked.hosted:
        if not (has_search and kind.startswith(WEB_SEARCH)):
            text = f"tools: the model cannot use {kind!r}, which runs at OpenAI: remove it"
            if kind.startswith(WEB_SEARCH):
                text += f', or let this server offer its own (tools = ["mcp__*", "{WEB_SEARCH}"] in [server])'
            raise Refusal("invalid_request", text, param="tools")


def _by(message: Message, model: Model) -> Message:
    return structs.replace(message, model=model.info.id)


async def _from(
    first: OutputEvent | None, rest: AsyncGenerator[OutputEvent, None], hide: Callable[[ErrorInfo], ErrorInfo]
) -> AsyncGenerator[OutputEvent, None]:
    try:
        if first is not None:
            yield first
        async for out in rest:
            yield StreamError(hide(out.error)) if isinstance(out, StreamError) else out
    finally:
        await rest.aclose()
