"""A little collector of OpenTelemetry's: an HTTP server that decodes what is sent to it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from gateway_play import listening
from msgspec import Struct
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from server_play import until


class Span(Struct):
    name: str
    kind: int
    trace: str
    id: str
    parent: str
    attributes: dict[str, Any]
    error: str


class Collector:
    """`held` keeps it from answering until it is set."""

    def __init__(self, status: int = 200) -> None:
        self.url = ""
        self.spans: list[Span] = []
        self.services: set[str] = set()
        self.posts = 0
        self.held = asyncio.Event()
        self.held.set()
        self._status = status

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        assert scope["path"] == "/v1/traces"
        self.posts += 1
        await self.held.wait()
        self._take(ExportTraceServiceRequest.FromString(body))
        await send({"type": "http.response.start", "status": self._status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def named(self, name: str) -> Span:
        """The one span with this name, once it has come."""
        await until(lambda: any(span.name == name for span in self.spans))
        (span,) = [span for span in self.spans if span.name == name]
        return span

    def below(self, span: Span) -> set[str]:
        return {child.name for child in self.spans if child.parent == span.id}

    def _take(self, sent: Any) -> None:
        for part in sent.resource_spans:
            self.services |= {_value(pair.value) for pair in part.resource.attributes if pair.key == "service.name"}
            for span in (span for scope in part.scope_spans for span in scope.spans):
                attributes = {pair.key: _value(pair.value) for pair in span.attributes}
                ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
                error = span.status.message if span.status.code == 2 else ""
                self.spans.append(Span(span.name, span.kind, *ids, attributes, error))


@asynccontextmanager
async def collecting(status: int = 200) -> AsyncGenerator[Collector]:
    collector = Collector(status)
    async with listening(collector) as url:
        collector.url = url
        yield collector
        collector.held.set()


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(one) for one in value.array_value.values]
    return getattr(value, kind) if kind else None
