"""Pass requests on unchanged to a model server that speaks the client's API, and its answers back.

Nothing is lost on the way that we know no name for. The relay only looks on: it tells what an answer took, and that one
broke off.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any, cast

import msgspec
from msgspec import structs

from toolpost.models import http
from toolpost.models.contract import Model
from toolpost.models.http_model import TRAILER_SECONDS, HttpModel, next_bytes
from toolpost.models.openai_responses.model import OpenAIResponses
from toolpost.models.provider_errors import ProviderRefusal, model_error
from toolpost.models.sse import SSEParser
from toolpost.models.tool_mode import AutoMode
from toolpost.server.telemetry import untraced
from toolpost.types.errors import ModelError
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import Finish, StreamError

from .output import Done, OutputEvent, Relayed, UpstreamError, stop_sequence_in
from .relay_observer import AnswerObserver, ChatObserver, MessagesObserver, ResponsesObserver
from .request import GatewayRequest, RawRequest

# An answer in one piece is silent until it is done, so it may take as long as the vendors' clients wait.
WHOLE_SECONDS = 600.0
COUNT_SECONDS = 10.0
# One event that is larger than this is no event.
MAX_HELD = 32 * 1024 * 1024

# The rest of a client's headers is about its own connection, or about a key that is not ours.
_SENT_ON = ("anthropic-version", "anthropic-beta", "openai-beta")
_GIVEN_BACK = ("request-id", "x-request-id", "openai-processing-ms", "openai-version", "retry-after", "x-should-retry")
_LIMITS = ("anthropic-ratelimit-", "x-ratelimit-")
# What stands in a conversation that was answered here before: only we know what it means.
_MADE_HERE = (b'"toolpost-1.', b'"toolu_tp_', b'"toolu_here_', b'"mcptoolu_', b'"signature":""', b'"signature": ""')
# About our own key and purse: not the client's to read.
_OUR_AFFAIRS = ("auth", "spend_limit")
_ENDS = (b"\n\n", b"\r\n\r\n", b"\r\r")
# How servers refuse what they do not have.
_NO_SUCH_ROUTE = (404, 405, 501)

Adapter = HttpModel[Any]


def relay_of(asked: GatewayRequest, model: Model) -> Adapter | None:
    """Return the adapter that can pass the request on unchanged; None if the request has to be translated."""
    came, adapter = asked.came, _adapter(model, asked)
    if came is None or adapter is None or asked.mcp.servers or asked.mcp.toolsets:
        return None
    if asked.follows and asked.follows != model.info.provider:
        return None
    return None if any(mark in came.body for mark in _MADE_HERE) else adapter


async def relayed(asked: GatewayRequest, model: Adapter, idle_timeout: float) -> AsyncGenerator[OutputEvent, None]:
    """Yield the answer as it comes. It ends with `Done` or a `StreamError`, like every answer."""
    assert asked.came is not None
    watch = _watch(asked, model)
    seconds = idle_timeout if asked.is_streamed else WHOLE_SECONDS
    try:
        response = await model.relay(asked.came.body, _sent_on(asked.came), idle_timeout=seconds)
    except ModelError as error:
        yield StreamError(_in_its_words(error, asked.wire))
        return
    try:
        if not asked.is_streamed:
            outs = _whole(response, watch)
        elif response.content_type == "application/json":
            outs = _told_at_once(response, model)
        else:
            outs = _streamed(response, watch)
        async with aclosing(outs):
            async for out in outs:
                yield out
        if watch.is_whole:
            yield Done(watch.reason, watch.usage, model.info.id)
    except ModelError as error:
        yield Done(watch.reason, watch.usage, model.info.id) if watch.is_whole else StreamError(error.info)
    finally:
        response.close()


async def counted(asked: GatewayRequest, model: Model) -> bytes | None:
    """Return the token count of a request from a server of the same API; None if there is no such server or it cannot
    count."""
    adapter = relay_of(asked, model)
    if asked.came is None or adapter is None:
        return None
    try:
        return await adapter.count(asked.came.body, _sent_on(asked.came), timeout=COUNT_SECONDS)
    except ModelError:
        return None


async def compacted(asked: GatewayRequest, model: Model) -> bytes | None:
    """Return a conversation as compacted by a server of the Responses API; None if it cannot. Raises `ModelError`."""
    adapter = relay_of(asked, model)
    if asked.came is None or not isinstance(adapter, OpenAIResponses):
        return None
    try:
        return await adapter.compact(asked.came.body, _sent_on(asked.came), timeout=WHOLE_SECONDS)
    except ModelError as error:
        if error.code == "protocol" or error.info.status in _NO_SUCH_ROUTE:
            return None
        raise


async def _streamed(response: http.ModelResponse, watch: AnswerObserver) -> AsyncGenerator[OutputEvent, None]:
    passing, headers = _Passing(watch), _given_back(response.headers)
    while data := await next_bytes(response, passing.leave_at):
        data = passing.take(data)
        if data:
            yield Relayed(data, headers, watch.is_whole)
            headers = {}
        if watch.error is not None:
            yield StreamError(watch.error)
            return
        if watch.has_ended:
            response.release()
            return
        del data
    rest = passing.close()
    if not watch.is_whole:
        text = "the model's server ended the stream before the response was complete"
        yield StreamError(ErrorInfo("truncated", text, retryable=True))
    elif rest:
        yield Relayed(rest, headers, is_last=True)


async def _whole(response: http.ModelResponse, watch: AnswerObserver) -> AsyncGenerator[OutputEvent, None]:
    body = await response.read()
    watch.see_whole(body)
    answer = Relayed(body, _given_back(response.headers), is_last=True)
    yield answer if watch.error is None else StreamError(watch.error)


async def _told_at_once(response: http.ModelResponse, model: Adapter) -> AsyncGenerator[OutputEvent, None]:
    """Translate the answer of a server that does not stream although the request asked for it."""
    for event in model.read_whole(await response.read()):
        if isinstance(event, Finish):
            yield Done(event.reason, event.usage, model.info.id, stop_sequence_in(event.metadata))
        else:
            yield event


class _Passing:
    """Passes on only whole events, so that nothing of ours can be inserted into the middle of one. Nothing is passed on
    before the answer itself has begun: another model could still answer. `leave_at` is when a complete answer is left
    although its stream has not ended."""

    def __init__(self, watch: AnswerObserver) -> None:
        self.leave_at = 0.0
        self._watch = watch
        self._parser = SSEParser()
        self._held = bytearray()
        self._ready = b""

    def take(self, data: bytes) -> bytes:
        """Take data and return what can be sent now."""
        held, watch = self._held, self._watch
        start = max(0, len(held) - 3)
        held += data
        end = max(_end_after(held, mark, start) for mark in _ENDS)
        if not end:
            if len(held) > MAX_HELD:
                raise model_error("protocol", f"the server sent an event of more than {MAX_HELD:,} bytes")
            return b""
        events = bytes(held[:end])
        del held[:end]
        self._ready += self._watched(events)
        if watch.is_whole:
            self.leave_at = asyncio.get_running_loop().time() + TRAILER_SECONDS
        if not watch.has_begun and not watch.has_ended:
            return b""
        ready, self._ready = self._ready, b""
        return ready

    def close(self) -> bytes:
        """Return what is left when the stream ends; an event without its final blank line counts if it is complete."""
        self._watched(bytes(self._held))
        last = self._parser.close()
        if last is not None:
            self._watch.see(last.data)
        return self._ready + bytes(self._held)

    def _watched(self, events: bytes) -> bytes:
        """Return the events up to one that reports an error, without those that only we asked for."""
        watch = self._watch
        for payload in self._parser.feed(events):
            watch.see(payload)
            if watch.error is not None:
                events = events[: events.find(payload)]
                return events[: max(_end_after(events, mark, 0) for mark in _ENDS)]
        for payload in watch.surplus:
            events = events.replace(b"data: " + payload + b"\n\n", b"", 1)
        watch.surplus.clear()
        return events


def _end_after(held: bytes | bytearray, mark: bytes, start: int) -> int:
    """Return where the last whole event ends; 0 if there is none."""
    found = held.rfind(mark, start)
    return found + len(mark) if found >= 0 else 0


def _adapter(model: Model, asked: GatewayRequest) -> Adapter | None:
    model = untraced(model)
    if isinstance(model, AutoMode):
        # With tools it may have to be asked in words, and what it says looked through for calls.
        if model.mode != "native" or asked.tools:
            return None
        model = model.native
    adapter = cast("Adapter", model) if isinstance(model, HttpModel) else None
    return adapter if adapter is not None and adapter.wire == asked.wire else None


def _watch(asked: GatewayRequest, model: Adapter) -> AnswerObserver:
    if asked.wire == "openai_chat":
        return ChatObserver(model.secrets, wants_usage=asked.wants_usage)
    return MessagesObserver(model.secrets) if asked.wire == "anthropic" else ResponsesObserver(model.secrets)


def _sent_on(came: RawRequest) -> dict[str, str]:
    """The headers of a request that the model server has to see."""
    return {name: value for name in _SENT_ON if (value := came.headers.get(name))}


def _given_back(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of an answer that the client can use."""
    return {name: value for name, value in headers.items() if name in _GIVEN_BACK or name.startswith(_LIMITS)}


def _in_its_words(error: ModelError, wire: str) -> ErrorInfo:
    """Return the error, with the original body if the client may read it."""
    if not isinstance(error, ProviderRefusal) or error.code in _OUR_AFFAIRS or not _is_of(wire, error.body):
        return error.info
    told = structs.asdict(error.info)
    return UpstreamError(**told, body=error.body, headers=_given_back(error.headers))


def _is_of(wire: str, body: bytes) -> bool:
    """Return whether an error body has the form of the wire's errors."""
    try:
        fields = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(fields.get("error"), dict) and (wire != "anthropic" or fields.get("type") == "error")
