"""A request in, a stream out: one turn of a model, or as many as it takes where tools run here."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, MutableMapping, Sequence
from contextlib import aclosing

from msgspec import structs

from toolpost.models.contract import Model, ModelRequest, ToolSpec, close_stream
from toolpost.server.refusals import BadRequest, Refusal, refusal_of
from toolpost.server.telemetry import TracedModel
from toolpost.server.users import User
from toolpost.tools.define import Tool
from toolpost.types.errors import RETRYABLE_CODES, ModelError
from toolpost.types.messages import ErrorInfo, Message
from toolpost.types.stream import Finish, StreamError

from .budgets import Metered, refuse, tell_left
from .cache import HEADER as CACHE_HEADER
from .cache import replay
from .hidden_calls import Recall
from .key_rotation import Rotating
from .lru import Shelves
from .options import fitted
from .output import Done, InItsWords, Out
from .relay import compacted, relay_of, relayed
from .relay_observer import usage_in
from .request import Asked
from .route_choice import Chosen, tokens_of
from .shared_state import Counting
from .targets import Targets
from .tool_runs import InnerRuns

log = logging.getLogger("toolpost.server")

# What another model may do better.
_ELSEWHERE = frozenset(
    {*RETRYABLE_CODES, "auth", "spend_limit", "not_found", "unreachable", "protocol", "previous_response_not_found"}
)
# What the same one may do better, some seconds later.
_A_MOMENT_LATER = frozenset({"overloaded", "network", "rate_limit", "server"})
FIRST_WAIT = 0.2
LONGEST_WAIT = 2.0
ROUTE_HEADER = "x-toolpost-route"
MODEL_HEADER = "x-toolpost-model"
WEB_SEARCH = "web_search"
NO_PREVIOUS = "previous_response_not_found"


class Gateway:
    """`retries`: how often all models are tried again where none could answer, and each may a moment later."""

    def __init__(
        self,
        targets: Targets,
        inner: InnerRuns,
        counting: Counting,
        *,
        stream_idle: float = 90.0,
        retries: int = 0,
    ) -> None:
        self.targets = targets
        self._inner = inner
        self._budgets = counting.budgets
        self._answers = counting.answers
        self._stream_idle = stream_idle
        self._retries = retries
        self._hidden = Shelves()

    async def answer(
        self, asked: Asked, user: User, headers: MutableMapping[str, str] | None = None
    ) -> AsyncGenerator[Out, None]:
        """The answer, from its first piece on. Until then other models are tried; a `Refusal` says that none could.
        What the client shall know besides is put into `headers`."""
        _check(asked)
        told: MutableMapping[str, str] = {} if headers is None else headers
        chosen = self.targets.choose(asked, user.name)
        if chosen.name:
            told[ROUTE_HEADER] = chosen.name
        if key := self._answers.key(asked, user.name, chosen.models):
            if kept := await self._answers.find(key):
                told[CACHE_HEADER] = "hit"
                return replay(kept)
            told[CACHE_HEADER] = "miss"
        return await self._metered(asked, user, chosen, told, key)

    async def compacted(self, asked: Asked, user: User, told: MutableMapping[str, str]) -> bytes | None:
        """A conversation made shorter by the server of the model that would answer it; None where that one can't."""
        model = self.targets.single(self.targets.choose(asked, user.name).models[0])
        await self._budgets.check_price(user.name, model)
        meter = await self._budgets.user(user.name, lambda: tokens_of(asked))
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
        self, asked: Asked, user: User, chosen: Chosen, told: MutableMapping[str, str], key: str
    ) -> AsyncGenerator[Out, None]:
        """An answer that counts for the user, where the user has limits, and is kept where it has a key."""
        meter = await self._budgets.user(user.name, lambda: tokens_of(asked))
        if meter is not None:
            tell_left(meter, self._budgets.of_user(user.name), asked.wire, told)
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
        return Metered(outs, meter)

    async def _begun(self, asked: Asked, user: User, chosen: Chosen) -> tuple[Model, AsyncGenerator[Out, None]]:
        """The first model that has something to say, and what it says. All are tried before one is tried again."""
        recall = Recall(asked, self._hidden.of(user.name))
        failure: Refusal | None = None
        left, wait = list(chosen.models), 0.0
        for attempt in range(self._retries + 1):
            if failure is not None:
                await asyncio.sleep(max(FIRST_WAIT * 2 ** (attempt - 1), wait))
            again, wait = list[str](), 0.0
            for model_id in left:
                try:
                    return await self._tried(asked, user, model_id, recall)
                except Refusal as refusal:
                    # What is told is what went wrong first.
                    failure = failure or refusal
                    if refusal.code and refusal.code not in _ELSEWHERE:
                        raise (failure if attempt else refusal) from None
                    if refusal.code in _A_MOMENT_LATER and (refusal.retry_after or 0.0) <= LONGEST_WAIT:
                        again.append(model_id)
                        wait = max(wait, refusal.retry_after or 0.0)
            if not (left := again):
                break
        raise failure or Refusal("internal", "no model gave an answer")

    async def _tried(
        self, asked: Asked, user: User, model_id: str, recall: Recall
    ) -> tuple[Model, AsyncGenerator[Out, None]]:
        """A model's answer from its first piece on. Raises `Refusal` where that is a failure."""
        model = self.targets.made(model_id)
        await self._budgets.check_price(user.name, model)
        outs = self._stream(self._fitted(asked, recall, model), user, model, recall)
        first = await anext(outs, None)
        hide = self._without_address(model)
        if isinstance(first, StreamError):
            await outs.aclose()
            raise _refused(hide(first.error))
        return model, _from(first, outs, hide)

    def _without_address(self, model: Model) -> Callable[[ErrorInfo], ErrorInfo]:
        """How a failure of this model is told to clients. The log has all of it."""
        hidden = self.targets.hidden(model)

        def hide(error: ErrorInfo) -> ErrorInfo:
            log.warning("%s failed: %s", model.info.id, error.message)
            return hidden.told(error)

        return hide

    def _fitted(self, asked: Asked, recall: Recall, model: Model) -> Asked:
        """The request as this model gets it. The answers in the conversation count as its own: only then its adapter
        echoes what it must."""
        messages = tuple(_by(message, model) if message.role == "assistant" else message for message in recall.messages)
        return structs.replace(asked, messages=messages, options=fitted(asked, self.targets.wire_of(model)))

    def _stream(self, asked: Asked, user: User, model: Model, recall: Recall) -> AsyncGenerator[Out, None]:
        if self._inner.has_none_for(asked, user):
            return self._without_tools(asked, model, recall)
        return self._with_tools(asked, user, model, recall)

    async def _with_tools(self, asked: Asked, user: User, model: Model, recall: Recall) -> AsyncGenerator[Out, None]:
        async with self._inner.tools_for(asked, user) as ours:
            runs = bool(ours.tools)
            if runs:
                _check_servable(asked, self.targets.wire_of(model), ours.tools)
            outs = self._inner.run(asked, model, ours, recall) if runs else self._without_tools(asked, model, recall)
            async with aclosing(outs):
                async for out in outs:
                    yield out

    def _without_tools(self, asked: Asked, model: Model, recall: Recall) -> AsyncGenerator[Out, None]:
        if isinstance(model, Rotating):
            return model.asked(lambda one: self._directly(asked, one, recall), lambda: tokens_of(asked))
        return self._directly(asked, model, recall)

    def _directly(self, asked: Asked, model: Model, recall: Recall) -> AsyncGenerator[Out, None]:
        if not recall.adds_hidden and (relay := relay_of(asked, model)):
            outs = relayed(asked, relay, self._stream_idle)
            return model.relayed(asked, outs) if isinstance(model, TracedModel) else outs
        _check_servable(asked, self.targets.wire_of(model))
        return self._one_turn(asked, model)

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


def _refused(error: ErrorInfo) -> Refusal:
    refusal = refusal_of(error)
    if isinstance(error, InItsWords):
        refusal.tell(error.status, error.body, error.headers)
    return refusal


def _check(asked: Asked) -> None:
    if asked.only_tool and all(tool.name != asked.only_tool for tool in asked.tools):
        raise BadRequest(f"tool_choice names {asked.only_tool!r}, which is not among the tools", param="tool_choice")


def _check_servable(asked: Asked, wire: str, ours: Sequence[Tool] = ()) -> None:
    """Raise where a model that does not get the request as it came could not do all that it asks for: another one may.
    A search of the web is done by a tool of ours where that is offered."""
    if asked.only_relayed:
        param = asked.only_relayed.partition(" ")[0]
        code = NO_PREVIOUS if param == "previous_response_id" else ""
        raise Refusal("invalid_request", asked.only_relayed, param=param, code=code)
    if wire == asked.wire:
        return
    has_search = any(tool.name == WEB_SEARCH for tool in ours)
    for kind in asked.hosted:
        if not (has_search and kind.startswith(WEB_SEARCH)):
            text = f"tools: the model can't use {kind!r}, which runs at OpenAI: leave it out"
            if kind.startswith(WEB_SEARCH):
                text += f', or let the server offer its own (tools = ["mcp__*", "{WEB_SEARCH}"] in [server])'
            raise Refusal("invalid_request", text, param="tools")


def _by(message: Message, model: Model) -> Message:
    return structs.replace(message, model=model.info.id)


async def _from(
    first: Out | None, rest: AsyncGenerator[Out, None], hide: Callable[[ErrorInfo], ErrorInfo]
) -> AsyncGenerator[Out, None]:
    try:
        if first is not None:
            yield first
        async for out in rest:
            yield StreamError(hide(out.error)) if isinstance(out, StreamError) else out
    finally:
        await rest.aclose()
