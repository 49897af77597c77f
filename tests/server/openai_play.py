"""A local server that reads requests and answers them with the OpenAI wires' own readers and writers, byte by byte."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import openai
from hypothesis import strategies as st
from strategies import json_objects, json_values, names, texts, usages

from toolpost.server.gateway.output import Done, OutputEvent, ServerCall, ServerProgress, ServerResult
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.gateway.wires import model_lists
from toolpost.server.gateway.wires.openai import errors as openai_errors
from toolpost.server.gateway.wires.openai_chat import request as openai_chat_request
from toolpost.server.gateway.wires.openai_chat import response as openai_chat_response
from toolpost.server.gateway.wires.openai_responses import (
    request as openai_responses_request,
)
from toolpost.server.gateway.wires.openai_responses import (
    response as openai_responses_response,
)
from toolpost.server.refusals import Refusal
from toolpost.types.messages import TextPart
from toolpost.types.stream import (
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

WIRES = {
    "/v1/chat/completions": (openai_chat_request.read, openai_chat_response.ChatWriter, openai_chat_response.whole),
    "/v1/responses": (
        openai_responses_request.read,
        openai_responses_response.ResponseWriter,
        openai_responses_response.whole,
    ),
}
MODELS = (model_lists.ListedModel("openai/gpt"), model_lists.ListedModel("default"))


class Gateway:
    """What it answers with: `outs`, or `refusal`. `piece` is how many bytes go out at a time."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.outs: Sequence[OutputEvent] = ()
        self.refusal: Refusal | None = None
        self.piece = 1 << 20
        self.asked: list[GatewayRequest] = []
        self.client = openai.OpenAI(base_url=f"{url}/v1", api_key="key", max_retries=0)

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, str, bytes]:
        read, new_writer, whole = WIRES[path]
        try:
            asked = read(body, {})
            self.asked.append(asked)
            if self.refusal is not None:
                raise self.refusal
            if not asked.is_streamed:
                return 200, "application/json", whole(asked, self.outs)
        except Refusal as refusal:
            return openai_errors.status_of(refusal), "application/json", openai_errors.error(refusal)
        writer = new_writer(asked, "resp_1")
        stream = writer.start() + b"".join(writer.feed(out) for out in self.outs)
        return 200, "text/event-stream", stream


@contextmanager
def gateway() -> Iterator[Gateway]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.reply(*served.answer(self.path, body))

        def do_GET(self) -> None:
            wanted = self.path.removeprefix("/v1/models").lstrip("/").replace("%2F", "/")
            found = next((model for model in MODELS if model.id == wanted), None)
            if not wanted:
                self.reply(200, "application/json", model_lists.openai_list(MODELS))
            elif found:
                self.reply(200, "application/json", model_lists.openai_model(found))
            else:
                self.reply(404, "application/json", openai_errors.error(Refusal("not_found", wanted)))

        def handle(self) -> None:
            # A client that has read an error goes away before the end.
            with suppress(ConnectionError):
                super().handle()

        def reply(self, status: int, content_type: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", content_type)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for start in range(0, len(body), served.piece):
                piece = body[start : start + served.piece]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Gateway(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        with served.client:
            yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def said(text: str, block: str = "0", size: int = 3) -> list[OutputEvent]:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return [TextStart(block), *(TextDelta(piece, block) for piece in pieces), TextEnd(block)]


def thought(text: str, metadata: dict[str, Any] | None = None, block: str = "r") -> list[OutputEvent]:
    return [ReasoningStart(block), ReasoningDelta(text, block), ReasoningEnd(block, metadata)]


def called(call_id: str, name: str, arguments: dict[str, Any], size: int = 4) -> list[OutputEvent]:
    text = json.dumps(arguments) if arguments else ""
    pieces = [ToolInputDelta(call_id, text[start : start + size]) for start in range(0, len(text), size)]
    return [ToolInputStart(call_id, name), *pieces, ToolInputEnd(call_id), ToolCall(call_id, name, arguments)]


def ran(
    call_id: str, name: str, arguments: dict[str, Any], result: str, *, is_error: bool = False
) -> list[OutputEvent]:
    """A call that ran at the server."""
    return [
        ServerProgress(call_id, name, '{"a":', is_input=True),
        ServerCall(call_id, "files", name, arguments),
        ServerProgress(call_id, name, "half way"),
        ServerResult(call_id, (TextPart(result),), is_error),
    ]


class Told:
    """One thing that an answer is made of, for a property: what it is, and the stream of it."""

    def __init__(self, kind: str, value: Any, outs: list[OutputEvent]) -> None:
        self.kind = kind
        self.value = value
        self.outs = outs

    def __repr__(self) -> str:
        return f"Told({self.kind!r}, {self.value!r})"


def _numbered(things: list[tuple[str, Any]]) -> list[Told]:
    told: list[Told] = []
    for number, (kind, value) in enumerate(things):
        if kind == "text":
            told.append(Told(kind, value, said(value)))
        elif kind == "reasoning":
            told.append(Told(kind, value, thought(value)))
        elif kind == "call":
            told.append(Told(kind, (f"call_{number}", *value), called(f"call_{number}", *value)))
        else:
            told.append(Told(kind, (f"run_{number}", *value), ran(f"run_{number}", *value)))
    return told


answers = st.lists(
    st.one_of(
        st.tuples(st.just("text"), texts),
        st.tuples(st.just("reasoning"), texts),
        st.tuples(st.just("call"), st.tuples(names, json_objects)),
        st.tuples(st.just("ran"), st.tuples(names, json_objects, texts)),
    ),
    max_size=8,
).map(_numbered)


def changed(value: Any, draw: st.DrawFn) -> Any:
    """The value with something in it replaced by any other JSON."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not keys or draw(st.integers(0, 4)) == 0:
        return draw(json_values)
    key = draw(st.sampled_from(keys))
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[key] = changed(value[key], draw)
    return copy


def outs_of(told: Sequence[Told], usage: Any) -> list[OutputEvent]:
    reason = "tool-calls" if any(thing.kind == "call" for thing in told) else "stop"
    return [*(out for thing in told for out in thing.outs), Done(reason, usage)]


__all__ = ["Gateway", "Told", "answers", "called", "changed", "gateway", "outs_of", "ran", "said", "thought", "usages"]
