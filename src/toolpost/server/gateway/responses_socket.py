"""The Responses API over a WebSocket: the client sends `response.create` and gets the events as messages.

One response is made at a time; what comes meanwhile waits for its turn. A response can go on from any of the last ones
of its connection, also where they are not kept in the store.
"""

import asyncio
import re
import time
from collections import Counter
from contextlib import aclosing, suppress
from typing import Any

import msgspec
from msgspec import structs
from starlette.requests import ClientDisconnect

from toolpost.models.message_parts import encode
from toolpost.models.sse import SSEParser
from toolpost.server.metrics import Metrics
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.websocket import GOING_AWAY, NORMAL, Socket
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamError

from .cache import HEADER as CACHE_HEADER
from .gateway import Gateway
from .output import AnswerEncoder, Done, Relayed
from .request import GatewayRequest, RawRequest
from .stored_responses import KeptResponses, RecentResponses
from .wires.openai.errors import refusal_fields, status_of
from .wires.openai_responses.response import ResponseWriter

PATH = "/v1/responses"
# Messages that wait for their turn; of a client that sends more no more is read.
MAX_WAITING = 16
_STREAM_ID = re.compile(r"[A-Za-z0-9_.-]{1,256}")
# What is about the connection, and not about the response.
_OF_THE_CONNECTION = ("type", "stream_id", "stream", "background", "generate")


class ResponsesSocket:
    """`most` connections are open at the same time for each user: each one keeps its last responses in memory."""

    def __init__(self, gateway: Gateway, responses: KeptResponses, metrics: Metrics, most: int) -> None:
        self._gateway = gateway
        self._responses = responses
        self._metrics = metrics
        self._most = most
        self._open: Counter[str] = Counter()

    async def serve(self, socket: Socket) -> None:
        """Answer messages until the client leaves, is silent for too long, or the connection reaches its time limit."""
        user = socket.request.user.name
        if self._open[user] >= self._most:
            raise _too_many(self._most)
        self._open[user] += 1
        try:
            await self._serve(socket)
        finally:
            self._open[user] -= 1

    async def _serve(self, socket: Socket) -> None:
        await socket.accept()
        waiting: asyncio.Queue[str | bytes | None] = asyncio.Queue(MAX_WAITING)
        reading = asyncio.create_task(_read(socket, waiting))
        try:
            await _Turns(self._gateway, self._responses, self._metrics, socket).answer_all(waiting, reading)
        finally:
            reading.cancel()
            await asyncio.wait({reading})


def _too_many(most: int) -> Refusal:
    why = f"you have {most} WebSockets open, and [server.responses] most_sockets allows no more"
    return Refusal("rate_limit", f"{why}: close one, or send this as a plain request")


async def _read(socket: Socket, waiting: "asyncio.Queue[str | bytes | None]") -> None:
    """Read messages into the queue until the client leaves; then put None."""
    try:
        while True:
            await waiting.put(await socket.receive())
    except ClientDisconnect:
        with suppress(asyncio.QueueFull):
            waiting.put_nowait(None)


class _Turns:
    """The responses of one connection, one after the other."""

    def __init__(self, gateway: Gateway, responses: KeptResponses, metrics: Metrics, socket: Socket) -> None:
        self._gateway = gateway
        self._responses = responses
        self._metrics = metrics
        self._socket = socket
        self._user = socket.request.user
        self._recent = RecentResponses()

    async def answer_all(self, waiting: "asyncio.Queue[str | bytes | None]", reading: asyncio.Task[None]) -> None:
        socket, settings = self._socket, self._socket.settings
        ends_at = asyncio.get_running_loop().time() + settings.socket_seconds
        while not socket.is_ending:
            socket.request.is_endless = True
            idle_until = asyncio.get_running_loop().time() + settings.socket_idle
            try:
                async with asyncio.timeout_at(min(idle_until, ends_at)):
                    message = await waiting.get()
            except TimeoutError:
                if idle_until < ends_at:
                    await socket.close(NORMAL, f"nothing came for {settings.socket_idle:g} s")
                    return
                break
            socket.request.is_endless = False
            if message is None or not await self._take(message, reading):
                return
        if not socket.is_ending:
            text = f"the connection has reached its limit of {settings.socket_seconds:g} s: open a new one"
            await self._tell_refusal(BadRequest(text, code="websocket_connection_limit_reached"), "")
        await socket.close(GOING_AWAY, "the server is stopping" if socket.is_ending else "its time is over")

    async def _take(self, message: str | bytes, reading: asyncio.Task[None]) -> bool:
        """Answer a message within its time limit. Return False if the client has left meanwhile."""
        seconds = self._socket.settings.request_seconds
        turn = asyncio.create_task(self._turn(message))
        try:
            await asyncio.wait({turn, reading}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if turn.done():
                await turn
                return True
        finally:
            if not turn.done():
                turn.cancel()
                await asyncio.wait({turn})
        if reading.done():
            return False
        await self._tell_refusal(Refusal("timeout", f"the response was not complete after {seconds:g} s"), "")
        return True

    async def _turn(self, message: str | bytes) -> None:
        began, status, stream_id = time.monotonic(), 200, ""
        try:
            event = _event(message)
            stream_id = _stream_id(event)
            if event.get("type") == "response.steer":
                await self._socket.send(encode(_unsteered(event)).decode())
            elif event.get("type") == "response.create":
                with self._metrics.in_flight(PATH):
                    await self._create(event, stream_id, began)
            else:
                raise BadRequest("type must be response.create", param="type")
        except Refusal as refusal:
            status = status_of(refusal)
            await self._tell_refusal(refusal, stream_id)
        finally:
            self._metrics.answered(PATH, status, time.monotonic() - began)

    async def _create(self, event: dict[str, Any], stream_id: str, began: float) -> None:
        headers = self._socket.request.headers
        body = {name: value for name, value in event.items() if name not in _OF_THE_CONNECTION}
        body["stream"] = True
        is_made = event.get("generate") is not False
        # A connection that is warmed up may not say anything yet.
        read_as = body if is_made or body.get("input") else {**body, "input": "…"}
        came = RawRequest(encode(body), headers)
        asked = await self._responses.read_request(read_as, came, self._user.name, self._recent)
        if is_made:
            await self._answer(asked, stream_id, began)
            return
        asked = structs.replace(asked, body=body)
        writer = ResponseWriter(asked)
        data, done = writer.start(), Done("stop")
        data += writer.feed(done)
        await self._responses.keep(done, writer, asked, self._user.name, {}, self._recent)
        await self._send(SSEParser(), data, stream_id)

    async def _answer(self, asked: GatewayRequest, stream_id: str, began: float) -> None:
        told: dict[str, str] = {}
        writer, parser = ResponseWriter(asked), SSEParser()
        answer = await self._gateway.answer(asked, self._user, told)
        self._metrics.first_byte(PATH, time.monotonic() - began)
        encoder = AnswerEncoder(writer, told)
        try:
            async with aclosing(answer) as outs:
                async for out in outs:
                    data = encoder.feed(out)
                    if isinstance(out, Done | Relayed):
                        await self._responses.keep(out, writer, asked, self._user.name, told, self._recent)
                    await self._send(parser, data, stream_id)
                    if isinstance(out, Done) and told.get(CACHE_HEADER) != "hit":
                        self._metrics.spent(out.model, out.usage.input, out.usage.output)
                    if isinstance(out, Done | StreamError):
                        break
        except Refusal as refusal:
            # It has begun, so the stream has to tell.
            failed = StreamError(ErrorInfo(refusal.code or "server", refusal.message))
            await self._send(parser, encoder.feed(failed), stream_id)

    async def _send(self, parser: SSEParser, data: bytes, stream_id: str) -> None:
        """Send each event as a message."""
        for payload in parser.feed(data) if data else ():
            if payload[:1] == b"{":
                named = payload.rstrip()[:-1] + b',"stream_id":' + encode(stream_id) + b"}" if stream_id else payload
                await self._socket.send(named.decode("utf-8", "replace"))

    async def _tell_refusal(self, refusal: Refusal, stream_id: str) -> None:
        error = _in_its_words(refusal) or refusal_fields(refusal)
        if refusal.retry_after is not None:
            error["headers"] = {"retry-after": str(max(1, round(refusal.retry_after)))}
        event: dict[str, Any] = {"type": "error", "status": status_of(refusal), "error": error}
        if stream_id:
            event["stream_id"] = stream_id
        await self._socket.send(encode(event).decode())


def _event(message: str | bytes) -> dict[str, Any]:
    if isinstance(message, bytes):
        raise BadRequest("the message must be text, not binary")
    try:
        event = msgspec.json.decode(message)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadRequest(f"the message is not valid JSON: {error}") from None
    if not isinstance(event, dict):
        raise BadRequest("the message must be a JSON object")
    return event  # pyright: ignore[reportUnknownVariableType]


def _stream_id(event: dict[str, Any]) -> str:
    given = event.get("stream_id")
    if given is None:
        return ""
    if not isinstance(given, str) or not _STREAM_ID.fullmatch(given):
        text = "stream_id must be 1 to 256 ASCII letters, digits, dots, hyphens and underscores"
        raise BadRequest(text, param="stream_id", code="invalid_stream_id")
    return given


def _unsteered(event: dict[str, Any]) -> dict[str, Any]:
    why = "responses cannot be steered here: send your input with the next response.create"
    return {
        "type": "response.steer.failed",
        "sequence_number": 0,
        "error": {"code": "steering_not_supported", "message": why, "type": "invalid_request_error"},
        "steer": {
            "input": event.get("input") or "",
            "previous_response_id": str(event.get("previous_response_id") or ""),
        },
    }


def _in_its_words(refusal: Refusal) -> dict[str, Any] | None:
    """The model server's own error, if it is passed on unchanged."""
    if not refusal.body:
        return None
    fields = msgspec.json.decode(refusal.body, type=dict[str, Any])
    error = fields.get("error")
    return error if isinstance(error, dict) else None  # pyright: ignore[reportUnknownVariableType]
