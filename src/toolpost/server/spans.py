"""OpenTelemetry spans of requests, runs, model turns and calls, by the conventions for generative AI, sent as OTLP."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlsplit

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.requests import ClientDisconnect

from toolpost.engine.session import Session
from toolpost.models.contract import Model, ModelInfo, ModelRequest, close_stream
from toolpost.models.http import CARRIED
from toolpost.types.errors import ModelError
from toolpost.types.events import (
    CutOff,
    Event,
    RunEnd,
    RunParked,
    RunResumed,
    RunStart,
    Settled,
    ToolExecutionEnd,
    ToolExecutionStart,
)
from toolpost.types.messages import FinishReason, Usage
from toolpost.types.stream import Finish, StreamError, StreamEvent, TextDelta, ToolCall

from . import span_content
from .gateway.output import Done, OutputEvent
from .gateway.request import GatewayRequest
from .http import Request
from .telemetry import TracedModel

# What is left to send when the server stops is given so long.
FLUSH_SECONDS = 1.0
CANCELLED = "cancelled"
_OPERATION = "gen_ai.operation.name"
# The names that the conventions have for providers which we call otherwise.
_PROVIDERS = {
    "gemini": "gcp.gemini",
    "google": "gcp.gemini",
    "vertex": "gcp.vertex_ai",
    "azure": "azure.ai.openai",
    "bedrock": "aws.bedrock",
    "mistral": "mistral_ai",
    "xai": "x_ai",
}
_REASONS: dict[FinishReason, str] = {"tool-calls": "tool_call", "content-filter": "content_filter"}
_OPTIONS = {
    "temperature": "gen_ai.request.temperature",
    "top_p": "gen_ai.request.top_p",
    "top_k": "gen_ai.request.top_k",
    "max_tokens": "gen_ai.request.max_tokens",
    "seed": "gen_ai.request.seed",
}


class _TracePosition:
    """Where in its trace a request is: what is made for it comes below. A run moves it on, for all its tasks."""

    def __init__(self, context: Context) -> None:
        self.context = context


_place: ContextVar[_TracePosition | None] = ContextVar("toolpost_span_place", default=None)


class Spans:
    """Nothing here waits or raises: spans are sent by a thread of their own, and dropped where that falls behind.

    `endpoint` is the collector's address, else OpenTelemetry's variables say it. What was said and called is in the
    spans only with `has_content`.
    """

    def __init__(self, endpoint: str = "", *, has_content: bool = False) -> None:
        exporter = OTLPSpanExporter(_traces_url(endpoint)) if endpoint else OTLPSpanExporter()
        # It would wait for the collector once more when the process ends.
        self._provider = TracerProvider(resource=_resource(), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("toolpost")
        self._propagator = TraceContextTextMapPropagator()
        self.has_content = has_content

    @contextlib.contextmanager
    def request(self, request: Request, path: str) -> Generator[None]:
        """A span for a request to this route, in the trace that the client says it belongs to."""
        above = self._propagator.extract(request.headers)
        attributes = {
            "http.request.method": request.method,
            "http.route": path,
            "url.path": request.path,
            "url.scheme": "http",
            "client.address": request.client.host if request.client else "",
            "server.address": request.headers.get("host", ""),
            "http.response.header.request-id": [request.id],
        }
        name = f"{request.method} {path}"
        span = self._tracer.start_span(name, context=above, kind=SpanKind.SERVER, attributes=attributes)
        here = trace.set_span_in_context(span, above)
        # The current context is what other libraries look at, such as that of MCP, which passes it on to servers.
        current, place = contexts.attach(here), _place.set(_TracePosition(here))
        try:
            yield
        finally:
            contexts.detach(current)
            _place.reset(place)
            _end_request(span, request)

    def traced(self, model: Model, url: str = "") -> Model:
        """The model with a span for every turn; `url` is where it is asked."""
        return _TracedModel(model, self, _address(url))

    def watch(self, session: Session) -> Callable[[], None]:
        """Make spans of the session's runs and of the calls in them, until the function that this returns is called."""
        return session.subscribe(_Watcher(self, session.agent))

    async def close(self, seconds: float = FLUSH_SECONDS) -> None:
        """Send what is left, but only for so long."""
        loop, done = asyncio.get_running_loop(), asyncio.Event()

        def shut_down() -> None:
            self._provider.shutdown()
            # The loop does not wait for us.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done.set)

        # No thread of a pool: the process would wait for it, and so for the collector.
        threading.Thread(target=shut_down, name="spans", daemon=True).start()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await done.wait()

    def begin(
        self, name: str, attributes: dict[str, Any], *, kind: SpanKind = SpanKind.INTERNAL, below: Context | None = None
    ) -> Span:
        place = _place.get()
        context = below or (place.context if place is not None else None)
        return self._tracer.start_span(name, context=context, kind=kind, attributes=attributes)

    def headers(self, span: Span) -> dict[str, str]:
        """What tells another server of its place in the trace."""
        carried: dict[str, str] = {}
        self._propagator.inject(carried, trace.set_span_in_context(span))
        return carried


class _TracedModel(TracedModel):
    def __init__(self, model: Model, spans: Spans, address: dict[str, Any]) -> None:
        super().__init__(model)
        self._spans = spans
        self._address = address

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        events = self.model.stream(request)
        with self._turn(request) as turn:
            try:
                async for event in events:
                    turn.see(event)
                    yield event
            finally:
                await close_stream(events)

    async def relayed(
        self, asked: GatewayRequest, outs: AsyncGenerator[OutputEvent, None]
    ) -> AsyncGenerator[OutputEvent, None]:
        with self._turn(ModelRequest(asked.messages, system=asked.system, options=dict(asked.options))) as turn:
            async with contextlib.aclosing(outs):
                async for out in outs:
                    turn.see(out)
                    yield out

    @contextlib.contextmanager
    def _turn(self, request: ModelRequest) -> "Generator[_Turn]":
        turn = _Turn(self._spans, self.info, request, self._address)
        CARRIED.set(turn.headers)
        try:
            yield turn
        except ModelError as error:
            turn.fail(error.code)
            raise
        finally:
            CARRIED.set({})
            # Does nothing where the end was seen: then the reader has only stopped reading.
            turn.fail(CANCELLED)


class _Turn:
    """One turn of a model. After its end nothing more is noted."""

    def __init__(self, spans: Spans, info: ModelInfo, request: ModelRequest, address: dict[str, Any]) -> None:
        attributes = {_OPERATION: "chat", **_model_of(info), **address, **_options(request)}
        if spans.has_content:
            attributes |= span_content.request(request)
        self._span = spans.begin(f"chat {info.name}", attributes, kind=SpanKind.CLIENT)
        self._said: list[str] = []
        self._calls: list[ToolCall] = []
        self._has_content = spans.has_content
        self._began = time.monotonic()
        self._has_begun = False
        self._has_ended = False
        self.headers = spans.headers(self._span)

    def see(self, event: StreamEvent | OutputEvent) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._span.set_attribute("gen_ai.response.time_to_first_chunk", time.monotonic() - self._began)
        if isinstance(event, Finish | Done):
            self._finish(event)
        elif isinstance(event, StreamError):
            self.fail(event.error.code)
        elif self._has_content and isinstance(event, TextDelta):
            self._said.append(event.text)
        elif self._has_content and isinstance(event, ToolCall):
            self._calls.append(event)

    def fail(self, why: str) -> None:
        if not self._has_ended:
            self._has_ended = True
            _end(self._span, why)

    def _finish(self, event: Finish | Done) -> None:
        self._has_ended = True
        reason = _REASONS.get(event.reason, event.reason)
        self._span.set_attributes({"gen_ai.response.finish_reasons": [reason], **_usage(event.usage)})
        if self._said or self._calls:
            self._span.set_attributes(span_content.answer("".join(self._said), self._calls, reason))
        _end(self._span)


class _Watcher:
    """Called with the events of a session."""

    def __init__(self, spans: Spans, agent: str) -> None:
        self._spans = spans
        self._agent = agent
        self._run: Span | None = None
        self._calls: dict[str, Span] = {}
        self._place: tuple[_TracePosition, Context] | None = None

    def __call__(self, event: Event) -> None:
        match event:
            case RunStart() | RunResumed():
                self._begin_run(event)
            case ToolExecutionStart():
                self._begin_call(event)
            case ToolExecutionEnd() if span := self._calls.pop(event.call_id, None):
                if self._spans.has_content:
                    span.set_attribute("gen_ai.tool.call.result", span_content.result(event.content))
                _end(span, (event.error_kind or "failed") if event.is_error else "")
            case RunEnd():
                self._end_run(event)
            case RunParked():
                # The span of a run is the time that one process works on it.
                self._leave("")
            case Settled() | CutOff():
                self._leave("aborted")
            case _:
                return

    def _begin_run(self, event: RunStart | RunResumed) -> None:
        self._leave("aborted")
        provider, _, name = event.model.partition("/")
        attributes = {
            _OPERATION: "invoke_agent",
            **_model_of(ModelInfo(provider, name)),
            "gen_ai.agent.name": self._agent,
            "gen_ai.conversation.id": event.session_id,
        }
        self._run = self._spans.begin(f"invoke_agent {self._agent}", attributes)
        place = _place.get()
        if place is not None:
            self._place = place, place.context
            place.context = trace.set_span_in_context(self._run, place.context)

    def _begin_call(self, event: ToolExecutionStart) -> None:
        attributes = {
            _OPERATION: "execute_tool",
            "gen_ai.tool.name": event.name,
            "gen_ai.tool.call.id": event.call_id,
            "gen_ai.tool.type": "function",
        }
        if self._spans.has_content:
            attributes["gen_ai.tool.call.arguments"] = span_content.plain(event.arguments)
        below = trace.set_span_in_context(self._run) if self._run is not None else None
        self._calls[event.call_id] = self._spans.begin(f"execute_tool {event.name}", attributes, below=below)

    def _end_run(self, event: RunEnd) -> None:
        if self._run is not None:
            self._run.set_attributes(_usage(event.usage))
        is_failure = event.reason in ("error", "aborted", "denied", "repetition")
        self._leave((event.error.code if event.error else event.reason) if is_failure else "")

    def _leave(self, why: str) -> None:
        for span in self._calls.values():
            _end(span, why or "aborted")
        self._calls.clear()
        if self._run is not None:
            _end(self._run, why)
            self._run = None
        if self._place is not None:
            place, before = self._place
            place.context, self._place = before, None


def _end(span: Span, why: str = "") -> None:
    if why:
        span.set_attribute("error.type", why)
        span.set_status(StatusCode.ERROR, why)
    span.end()


def _end_request(span: Span, request: Request) -> None:
    if request.status:
        span.set_attribute("http.response.status_code", request.status)
    if isinstance(request.ending, ClientDisconnect):
        _end(span, CANCELLED)
    else:
        _end(span, str(request.status) if request.status >= 500 else "")


def _model_of(info: ModelInfo) -> dict[str, Any]:
    provider = _PROVIDERS.get(info.provider, info.provider)
    return {"gen_ai.provider.name": provider, "gen_ai.request.model": info.name}


def _options(request: ModelRequest) -> dict[str, Any]:
    options = {name: value for ours, name in _OPTIONS.items() if (value := request.options.get(ours)) is not None}
    if stop := request.options.get("stop"):
        options["gen_ai.request.stop_sequences"] = [stop] if isinstance(stop, str) else list(stop)
    return options


def _usage(usage: Usage) -> dict[str, int]:
    counts = {"gen_ai.usage.input_tokens": usage.input, "gen_ai.usage.output_tokens": usage.output}
    more = {
        "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_write,
    }
    return counts | {name: count for name, count in more.items() if count}


def _address(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    if not parts.hostname:
        return {}
    return {"server.address": parts.hostname, "server.port": parts.port or (443 if parts.scheme == "https" else 80)}


def _traces_url(endpoint: str) -> str:
    return endpoint if endpoint.endswith("/v1/traces") else f"{endpoint.rstrip('/')}/v1/traces"


def _resource() -> Resource:
    """What the environment says of this service; a name of ours where it says none."""
    found = Resource.create()
    is_named = not str(found.attributes.get("service.name", "")).startswith("unknown_service")
    return found if is_named else found.merge(Resource({"service.name": "toolpost"}))
