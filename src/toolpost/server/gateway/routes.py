"""Routes of the gateway: Anthropic Messages, OpenAI Chat Completions and Responses, and the lists of models."""

import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import msgspec
from msgspec import structs

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.server.http import ReplyStream, Request
from toolpost.server.metrics import Metrics
from toolpost.server.refusals import BadRequest, Kind, Refusal
from toolpost.server.routing import Route
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamError

from . import openapi
from .cache import HEADER as CACHE_HEADER
from .gateway import MODEL_HEADER, Gateway
from .output import AnswerEncoder, AnswerWriter, Done, OutputEvent, Relayed
from .relay import counted
from .request import GatewayRequest, RawRequest
from .route_choice import tokens_of
from .stored_responses import KeptResponses
from .wires import model_lists
from .wires.anthropic import request as anthropic_request
from .wires.anthropic import response as anthropic_response
from .wires.openai_chat import request as openai_chat_request
from .wires.openai_chat import response as openai_chat_response
from .wires.openai_responses import request as openai_responses_request
from .wires.openai_responses import response as openai_responses_response


class WireFormat(msgspec.Struct, frozen=True):
    """How one wire is read and written. `ping` shows that an answer is still being made."""

    read: Callable[[dict[str, Any], Mapping[str, str]], GatewayRequest]
    writer: Callable[[GatewayRequest, str], AnswerWriter]
    whole: Callable[[GatewayRequest, Sequence[OutputEvent], str], bytes]
    ping: bytes = openai_chat_response.WORKING


ANTHROPIC = WireFormat(
    anthropic_request.read, anthropic_response.AnthropicWriter, anthropic_response.whole, ping=anthropic_response.PING
)
CHAT = WireFormat(openai_chat_request.read, openai_chat_response.ChatWriter, openai_chat_response.whole)
RESPONSES = WireFormat(
    openai_responses_request.read, openai_responses_response.ResponseWriter, openai_responses_response.whole
)

# A refusal that no model made, in the words of one.
_CODES: dict[Kind, str] = {
    "invalid_request": "bad_request",
    "authentication": "auth",
    "billing": "spend_limit",
    "not_found": "not_found",
    "rate_limit": "rate_limit",
    "timeout": "timeout",
    "overloaded": "overloaded",
}


class GatewayRoutes:
    def __init__(self, gateway: Gateway, metrics: Metrics, responses: KeptResponses) -> None:
        self._gateway = gateway
        self._metrics = metrics
        self._responses = responses

    def routes(self) -> list[Route]:
        def answering(wire: WireFormat) -> Callable[[Request], Any]:
            return lambda request: self._answer(wire, request)

        return [
            Route("POST", "/v1/messages", answering(ANTHROPIC), openapi.MESSAGES, shape="anthropic"),
            Route("POST", "/v1/messages/count_tokens", self._count, openapi.COUNT_TOKENS, shape="anthropic"),
            Route("POST", "/v1/chat/completions", answering(CHAT), openapi.CHAT_COMPLETIONS, shape="openai"),
            Route("POST", "/v1/responses", answering(RESPONSES), openapi.RESPONSES, shape="openai"),
            Route("GET", "/v1/models", self._models, openapi.MODELS, shape="openai"),
            Route("GET", "/v1/models/{id:rest}", self._model, openapi.MODEL, shape="openai"),
        ]

    async def _answer(self, wire: WireFormat, request: Request) -> None:
        began = time.monotonic()
        body = _body(request)
        if wire is ANTHROPIC and body.get("thread") is not None:
            await request.reply(_no_threads(request.id), status=400)
            return
        asked = await self._read(wire, body, request)
        if asked.is_streamed:
            await self._stream(wire, asked, request, began)
            return
        answer = await self._gateway.answer(asked, request.user, request.headers_out)
        async with aclosing(answer) as outs:
            told = [out async for out in outs]
        self._count_tokens(told, request)
        came = told[0] if told and isinstance(told[0], Relayed) else None
        response = came.data if came is not None else wire.whole(asked, told, "")
        if came is not None:
            request.headers_out |= came.headers
        if wire is RESPONSES:
            provider = request.headers_out.get(MODEL_HEADER, "").partition("/")[0] if came is not None else ""
            await self._responses.keep_response(asked, request.user.name, response, provider=provider)
        await request.reply(response)

    async def _read(self, wire: WireFormat, body: dict[str, Any], request: Request) -> GatewayRequest:
        came = RawRequest(request.body, request.headers)
        if wire is RESPONSES:
            return await self._responses.read_request(body, came, request.user.name)
        return structs.replace(wire.read(body, request.headers), came=came)

    async def _stream(self, wire: WireFormat, asked: GatewayRequest, request: Request, began: float) -> None:
        writer = wire.writer(asked, "")

        def broken_off(why: str) -> bytes:
            return writer.feed(StreamError(ErrorInfo("server", why)))

        async with request.stream(ping=wire.ping, on_failure=broken_off) as stream:
            try:
                answer = await self._gateway.answer(asked, request.user, request.headers_out)
            except Refusal as refusal:
                # A ping has sent the head: the status is said, so the stream has to tell.
                if not stream.has_begun:
                    raise
                await stream.write(writer.start() + writer.feed(StreamError(_told(refusal))))
                return
            self._metrics.first_byte(request.path, time.monotonic() - began)
            await self._write(answer, writer, stream, request, asked)

    async def _write(
        self,
        answer: AsyncGenerator[OutputEvent, None],
        writer: AnswerWriter,
        stream: ReplyStream,
        request: Request,
        asked: GatewayRequest,
    ) -> None:
        encoder = AnswerEncoder(writer, request.headers_out)
        responses = writer if isinstance(writer, openai_responses_response.ResponseWriter) else None
        async with aclosing(answer) as outs:
            async for out in outs:
                data = encoder.feed(out)
                if responses is not None and isinstance(out, Done | Relayed):
                    await self._responses.keep(out, responses, asked, request.user.name, request.headers_out)
                if data:
                    stream.add(data)
                    if stream.is_full:
                        await stream.drain()
                if isinstance(out, Done | StreamError):
                    self._count_tokens([out], request)
                    break

    def _count_tokens(self, told: Sequence[OutputEvent], request: Request) -> None:
        # A kept answer takes no tokens again.
        if told and isinstance(done := told[-1], Done) and request.headers_out.get(CACHE_HEADER) != "hit":
            self._metrics.spent(done.model, done.usage.input, done.usage.output)

    async def _count(self, request: Request) -> None:
        asked, targets = await self._read(ANTHROPIC, _body(request), request), self._gateway.targets
        model = targets.single(targets.choose(asked, request.user).models[0])
        tokens = await counted(asked, model) or msgspec.json.encode({"input_tokens": max(tokens_of(asked), 1)})
        await request.reply(tokens)

    async def _models(self, request: Request) -> None:
        listed = await self._gateway.targets.listed(request.user)
        if "anthropic-version" in request.headers:
            await request.reply(model_lists.anthropic_page(listed, request.query))
            return
        await request.reply(model_lists.openai_list(listed))

    async def _model(self, request: Request) -> None:
        found = await self._gateway.targets.find(request.params["id"], request.user)
        if "anthropic-version" in request.headers:
            await request.reply(model_lists.anthropic_model(found))
            return
        await request.reply(model_lists.openai_model(found))


def _no_threads(request_id: str) -> bytes:
    """The error that makes a client send the whole conversation from then on. Without it the client would send only the
    end."""
    message = "thread: conversations are not stored here: send all messages, without thread"
    details = {"error_code": "thread_unsupported_request"}
    error = {"type": "invalid_request_error", "message": message, "details": details}
    return msgspec.json.encode({"type": "error", "error": error, "request_id": request_id})


def _told(refusal: Refusal) -> ErrorInfo:
    return ErrorInfo(refusal.code or _CODES.get(refusal.kind, "server"), refusal.message, refusal.status)


def _body(request: Request) -> dict[str, Any]:
    try:
        body = msgspec.json.decode(request.body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"the request body is not valid JSON: {explain_decode_error(error)}") from None
    if not isinstance(body, dict):
        raise BadRequest("the request body must be a JSON object")
    return body  # pyright: ignore[reportUnknownVariableType]
