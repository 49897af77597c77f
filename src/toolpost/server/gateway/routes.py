"""The routes of the gateway: three wires in front of every model, and what they say of the models."""

import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Protocol

import msgspec

from toolpost.server.failures import BadRequest
from toolpost.server.http import Request
from toolpost.server.metrics import Metrics
from toolpost.server.routing import Route
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamError

from .asked import Asked
from .gateway import Gateway
from .items import Items, items_of
from .told import Done, Out
from .wires import (
    anthropic_models,
    anthropic_reading,
    anthropic_writing,
    openai_chat_reading,
    openai_chat_writing,
    openai_models,
    openai_responses_reading,
    openai_responses_writing,
)


class Writer(Protocol):
    def start(self) -> bytes: ...
    def feed(self, out: Out) -> bytes: ...


class Wire(msgspec.Struct, frozen=True):
    """How one wire is read and written. `ping` says that an answer is still being made."""

    read: Callable[[dict[str, Any], Mapping[str, str]], Asked]
    writer: Callable[[Asked, str], Writer]
    whole: Callable[[Asked, Sequence[Out], str], bytes]
    ping: bytes = openai_chat_writing.WORKING


ANTHROPIC = Wire(anthropic_reading.read, anthropic_writing.Writer, anthropic_writing.whole, ping=anthropic_writing.PING)
CHAT = Wire(openai_chat_reading.read, openai_chat_writing.Writer, openai_chat_writing.whole)
RESPONSES = Wire(openai_responses_reading.read, openai_responses_writing.Writer, openai_responses_writing.whole)


class GatewayRoutes:
    def __init__(self, gateway: Gateway, metrics: Metrics) -> None:
        self._gateway = gateway
        self._metrics = metrics
        self._items = Items()

    def routes(self) -> list[Route]:
        def answering(wire: Wire) -> Callable[[Request], Any]:
            return lambda request: self._answer(wire, request)

        return [
            Route("POST", "/v1/messages", answering(ANTHROPIC), shape="anthropic"),
            Route("POST", "/v1/messages/count_tokens", self._count, shape="anthropic"),
            Route("POST", "/v1/chat/completions", answering(CHAT), shape="openai"),
            Route("POST", "/v1/responses", answering(RESPONSES), shape="openai"),
            Route("GET", "/v1/models", self._models, shape="openai"),
            Route("GET", "/v1/models/{id}", self._model, shape="openai"),
        ]

    async def _answer(self, wire: Wire, request: Request) -> None:
        began = time.monotonic()
        body = _body(request)
        if wire is ANTHROPIC and body.get("thread") is not None:
            await request.reply(_no_threads(request.id), status=400)
            return
        asked = self._read(wire, body, request)
        answer = await self._gateway.answer(asked, request.user.name)
        async with aclosing(answer) as outs:
            if asked.is_streamed:
                await self._stream(wire, asked, outs, request, began)
                return
            told = [out async for out in outs]
        self._count_tokens(told)
        response = wire.whole(asked, told, "")
        if wire is RESPONSES:
            self._items.keep(body, request.user.name, items_of(response))
        await request.reply(response)

    def _read(self, wire: Wire, body: dict[str, Any], request: Request) -> Asked:
        if wire is RESPONSES:
            return openai_responses_reading.read(body, request.headers, self._items.named_in(body, request.user.name))
        return wire.read(body, request.headers)

    async def _stream(
        self,
        wire: Wire,
        asked: Asked,
        outs: AsyncGenerator[Out, None],
        request: Request,
        began: float,
    ) -> None:
        writer = wire.writer(asked, "")

        def broken_off(why: str) -> bytes:
            return writer.feed(StreamError(ErrorInfo("server", why)))

        async with request.stream(ping=wire.ping, on_failure=broken_off) as stream:
            await stream.write(writer.start())
            self._metrics.first_byte(request.path, time.monotonic() - began)
            async for out in outs:
                data = writer.feed(out)
                if data:
                    await stream.write(data)
                if isinstance(out, Done | StreamError):
                    self._count_tokens([out])
                    break
            if isinstance(writer, openai_responses_writing.Writer):
                self._items.keep(asked.body, request.user.name, writer.items)

    def _count_tokens(self, told: Sequence[Out]) -> None:
        if told and isinstance(done := told[-1], Done):
            self._metrics.spent(done.model, done.usage.input, done.usage.output)

    async def _count(self, request: Request) -> None:
        asked = anthropic_reading.read(_body(request), request.headers)
        await request.reply(anthropic_models.counted(asked))

    async def _models(self, request: Request) -> None:
        listed = self._gateway.targets.listed()
        if "anthropic-version" in request.headers:
            offered = [anthropic_models.Offered(one.id, one.name) for one in listed]
            await request.reply(anthropic_models.models(offered, request.query))
            return
        await request.reply(openai_models.listing(openai_models.Listed(one.id) for one in listed))

    async def _model(self, request: Request) -> None:
        listed, wanted = self._gateway.targets.listed(), request.params["id"]
        if "anthropic-version" in request.headers:
            offered = [anthropic_models.Offered(one.id, one.name) for one in listed]
            await request.reply(anthropic_models.model(offered, wanted))
            return
        self._gateway.targets.of(wanted)
        await request.reply(openai_models.one(openai_models.Listed(wanted)))


def _no_threads(request_id: str) -> bytes:
    """A client that hears this code sends the whole conversation from then on. Unheard, it would send its end alone."""
    message = "thread: conversations are not kept here: send all messages, without thread"
    details = {"error_code": "thread_unsupported_request"}
    error = {"type": "invalid_request_error", "message": message, "details": details}
    return msgspec.json.encode({"type": "error", "error": error, "request_id": request_id})


def _body(request: Request) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"the body is no JSON: {error}") from None
    if not isinstance(body, dict):
        raise BadRequest("the body must be a JSON object")
    return body  # pyright: ignore[reportUnknownVariableType]
