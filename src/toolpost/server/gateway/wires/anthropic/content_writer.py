"""Write the content blocks of Anthropic's wire: one open at a time, in order, none of them empty.

Models may write several calls side by side, or speak while they write one; the wire has one thing after another. What
comes for another block while a call of the client is being written waits until that is whole.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Any, ClassVar, cast

from msgspec import Struct

from toolpost.models.message_parts import described, digest, encode
from toolpost.server.gateway.output import OutputEvent, ServerCall, ServerProgress, ServerResult
from toolpost.server.gateway.request import GatewayRequest
from toolpost.server.gateway.wires.sealed_reasoning import seal
from toolpost.types.messages import Content, FilePart, TextPart
from toolpost.types.stream import (
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    TextDelta,
    TextEnd,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

from .call_ids import to_run_here, to_shown, to_wire

# Claude Code takes an answer for a failure that ends with anything but text or a call; and a text may not be empty.
NOTHING_SAID = "(no text)"

_GROWS_BY: dict[str, type] = {"text": TextDelta, "thinking": ReasoningDelta}


class BlockWriter(ABC):
    """Feed it all output except the end, then call `close`. Each call returns the bytes to send, if any."""

    def __init__(self, asked: GatewayRequest, message_id: str) -> None:
        self._asked = asked
        self._message_id = message_id
        self._is_shown = asked.mcp.is_shown
        self._is_live = asked.mcp.is_live
        self._as_tool_use = asked.mcp.as_tool_use
        # Calls that run here and are shown as the client's own would be.
        self._run_here: set[str] = set()
        # The kind of the block that is open, the model's id for it, and of which type the pieces are that it grows by.
        self._open = ""
        self._open_id = ""
        self._grows_by: type | None = None
        self._last = ""
        self._white: list[str] = []
        self._cut: set[str] = set()
        self._call: _Call | None = None
        self._written: set[str] = set()
        self._taken: set[str] | None = None
        self._served: dict[str, str] = {}
        self._held: deque[_Lane] = deque()
        self._lanes: dict[str, _Lane] = {}

    def feed(self, out: OutputEvent) -> bytes:
        if self._as_tool_use and isinstance(out, ServerProgress | ServerCall):
            return b"".join(map(self._feed, self._as_clients(out)))
        return self._feed(out)

    def _as_clients(self, out: ServerProgress | ServerCall) -> list[OutputEvent]:
        """Translate a call that runs here into the events of a client's call: first its pieces, then the whole call."""
        is_known = out.id in self._run_here
        self._run_here.add(out.id)
        if isinstance(out, ServerCall):
            whole = ToolCall(out.id, out.tool or out.name, out.arguments)
            return [ToolInputEnd(out.id), whole] if is_known else [whole]
        if not out.is_input:
            return []
        piece = ToolInputDelta(out.id, out.text)
        return [piece] if is_known else [ToolInputStart(out.id, out.name), piece]

    def _feed(self, out: OutputEvent) -> bytes:
        take = self._takes.get(type(out))
        if take is None:
            return b""
        pieces: list[bytes] = []
        while self._call is not None and type(out) is not ServerProgress and _call_of(out) != self._call.id:
            if not self._call.is_ended:
                self._hold(out)
                return b"".join(pieces)
            pieces += [self._close(), self._release()]
        return b"".join((*pieces, take(self, out)))

    def close(self, *, has_calls: bool) -> bytes:
        """Close everything, and end with a text block unless calls are left for the client."""
        pieces = [self._close()]
        while self._held:
            pieces += [self._release(), self._close()]
        if not has_calls and self._last not in ("text", "tool_use"):
            pieces.append(self._whole_text(NOTHING_SAID))
        return b"".join(pieces)

    @abstractmethod
    def _begin(self, block: dict[str, Any]) -> bytes:
        """Begin a block; its content follows, or is already in it."""

    @abstractmethod
    def _add(self, text: str) -> bytes:
        """Add a piece of content to the open block."""

    @abstractmethod
    def _attach(self, kind: str, field: str, value: Any) -> bytes:
        """Add a field, such as a signature, to the open block."""

    @abstractmethod
    def _end(self) -> bytes:
        """End the open block."""

    @abstractmethod
    def _progress(self, out: ServerProgress) -> bytes:
        """Show what a call that runs here is doing. Not a part of any block."""

    def _text(self, out: TextDelta) -> bytes:
        text = out.text
        if not text:
            return b""
        if self._is_open("text", out.id):
            return self._add(text)
        if text.isspace():
            # Held back: a block of white space alone is refused when it comes back.
            self._white.append(text)
            return b""
        text = "".join((*self._white, text))
        return self._start("text", out.id, {"type": "text", "text": ""}) + self._add(text)

    def _text_end(self, out: TextEnd) -> bytes:
        self._white.clear()
        if not self._is_open("text", out.id):
            return b""
        cited: Any = _kept(out.metadata).get("citations") or ()
        return b"".join([self._attach("citations_delta", "citation", citation) for citation in cited]) + self._close()

    def _reasoning(self, out: ReasoningDelta) -> bytes:
        if not out.text:
            return b""
        if self._is_open("thinking", out.id):
            return self._add(out.text)
        return self._think(out.id) + self._add(out.text)

    def _reasoning_start(self, out: ReasoningStart) -> bytes:
        self._cut.discard(out.id)
        return b""

    def _reasoning_end(self, out: ReasoningEnd) -> bytes:
        kept, is_open = _kept(out.metadata), self._is_open("thinking", out.id)
        if data := kept.get("redacted"):
            return self._close() + self._whole({"type": "redacted_thinking", "data": data})
        # Where something came in between, the thought is in several blocks, and what was signed was the whole.
        signature = "" if out.id in self._cut else kept.get("signature")
        if not signature and out.id not in self._cut and (out.metadata or is_open):
            # Another wire's thought. Some clients give back only what is signed, and some models refuse to go on then.
            signature = seal(out.metadata or {})
        pieces: list[bytes] = []
        if signature:
            pieces += [] if is_open else [self._think(out.id)]
            pieces.append(self._attach("signature_delta", "signature", signature))
        if signature or is_open:
            pieces.append(self._close())
        self._cut.discard(out.id)
        return b"".join(pieces)

    def _think(self, block_id: str) -> bytes:
        return self._start("thinking", block_id, {"type": "thinking", "thinking": "", "signature": ""})

    def _input_start(self, out: ToolInputStart) -> bytes:
        self._written.add(out.id)
        begun = self._start("tool_use", out.id, self._tool_use(out.id, out.name))
        self._call = _Call(out.id)
        return begun

    def _input_delta(self, out: ToolInputDelta) -> bytes:
        call = self._call
        if call is None or call.id != out.id or not out.text:
            return b""
        if not call.is_object:
            # What does not begin as an object is never one; the whole call says what is meant.
            if call.is_odd or not (begun := out.text.lstrip()):
                return b""
            call.is_object, call.is_odd = begun[0] == "{", begun[0] != "{"
            if call.is_odd:
                return b""
            self._grows_by = ToolInputDelta
            return self._add(begun)
        return self._add(out.text)

    def _input_end(self, out: ToolInputEnd) -> bytes:
        call = self._call
        if call is None or call.id != out.id:
            return b""
        if call.is_object:
            return self._close() + self._release()
        call.is_ended = True
        return b""

    def _tool_call(self, out: ToolCall) -> bytes:
        call = self._call
        if call is not None and call.id == out.id:
            self._written.discard(out.id)
            written = "" if call.is_object else _written(out)
            return (self._add(written) if written else b"") + self._close() + self._release()
        if out.id in self._written:
            self._written.discard(out.id)
            return b""
        begun, written = self._start("tool_use", out.id, self._tool_use(out.id, out.name)), _written(out)
        return begun + (self._add(written) if written else b"") + self._close()

    def _tool_use(self, call_id: str, name: str) -> dict[str, Any]:
        if call_id in self._run_here:
            wire_id = self._served[call_id] = self._unused(call_id, to_run_here)
        else:
            wire_id = self._unused(call_id, to_wire)
        return {"type": "tool_use", "id": wire_id, "name": name, "input": {}}

    def _unused(self, call_id: str, spelled: Callable[[str], str]) -> str:
        """Return an id that no other call of the conversation has: some models start counting calls again in each
        turn."""
        if self._taken is None:
            self._taken = {to_wire(call.call_id) for message in self._asked.messages for call in message.calls}
        wire_id = spelled(call_id)
        if wire_id in self._taken:
            another = digest(f"{self._message_id} {len(self._taken)} {call_id}", 24)
            wire_id = spelled(another) if spelled is to_run_here else "toolu_" + another
        self._taken.add(wire_id)
        return wire_id

    def _server_call(self, out: ServerCall) -> bytes:
        if not self._is_shown:
            # What the model says after it is another text all the same.
            return self._close()
        shown = self._served[out.id] = to_shown(out.id)
        use = {"type": "mcp_tool_use", "id": shown, "name": out.name, "server_name": out.server}
        return self._close() + self._whole({**use, "input": out.arguments})

    def _server_result(self, out: ServerResult) -> bytes:
        shown = self._served.pop(out.id, None)
        if shown is None:
            return b""
        content = [{"type": "text", "text": _words(part)} for part in out.content]
        kind = "tool_result" if self._as_tool_use else "mcp_tool_result"
        block = {"type": kind, "tool_use_id": shown, "is_error": out.is_error, "content": content}
        return self._close() + self._whole(block)

    def _server_progress(self, out: ServerProgress) -> bytes:
        return self._progress(out) if self._is_live else b""

    def _file(self, out: GeneratedFile) -> bytes:
        """Write a generated file as text: a link if it has a URL, else a description. This wire has no files in
        answers."""
        part = FilePart(out.mime, url=out.url, name=out.name)
        text = f"![{out.name}]({out.url})" if out.url else described(part)
        return self._close() + self._whole_text(text)

    def _is_open(self, kind: str, block_id: str) -> bool:
        return self._open == kind and self._open_id == block_id

    def _start(self, kind: str, block_id: str, block: dict[str, Any]) -> bytes:
        closed = self._close()
        self._open = self._last = kind
        self._open_id = block_id
        self._grows_by = _GROWS_BY.get(kind)
        return closed + self._begin(block)

    def _whole(self, block: dict[str, Any]) -> bytes:
        """Write a block that is complete from its start."""
        self._last = block["type"]
        return self._begin(block) + self._end()

    def _whole_text(self, text: str) -> bytes:
        return self._start("text", "", {"type": "text", "text": ""}) + self._add(text) + self._close()

    def _close(self) -> bytes:
        self._white.clear()
        if not self._open:
            return b""
        if self._open == "thinking":
            self._cut.add(self._open_id)
        self._open, self._open_id, self._grows_by, self._call = "", "", None, None
        return self._end()

    def _hold(self, out: OutputEvent) -> None:
        key = _call_of(out)
        lane = self._lanes.get(key) if key else None
        if lane is None and not key and self._held and not self._held[-1].key:
            lane = self._held[-1]
        if lane is None:
            lane = _Lane(key)
            self._held.append(lane)
            if key:
                self._lanes[key] = lane
        lane.outs.append(out)

    def _release(self) -> bytes:
        """Write what waited, up to the next call that is still being written."""
        pieces: list[bytes] = []
        while self._held and self._call is None:
            lane = self._held.popleft()
            self._lanes.pop(lane.key, None)
            pieces += [self._takes[type(out)](self, out) for out in lane.outs]
        return b"".join(pieces)

    _takes: ClassVar[dict[type, Callable[[Any, Any], bytes]]] = {
        TextDelta: _text,
        TextEnd: _text_end,
        ReasoningStart: _reasoning_start,
        ReasoningDelta: _reasoning,
        ReasoningEnd: _reasoning_end,
        ToolInputStart: _input_start,
        ToolInputDelta: _input_delta,
        ToolInputEnd: _input_end,
        ToolCall: _tool_call,
        GeneratedFile: _file,
        ServerCall: _server_call,
        ServerProgress: _server_progress,
        ServerResult: _server_result,
    }


class _Call(Struct):
    """The client's call that is being written. Its arguments are an object so far, or odd, or have not begun."""

    id: str
    is_object: bool = False
    is_odd: bool = False
    is_ended: bool = False


class _Lane(Struct):
    """Output that waits for its turn: everything of one call, or everything between two calls."""

    key: str
    outs: list[OutputEvent] = []


def _call_of(out: OutputEvent) -> str:
    return out.id if isinstance(out, ToolInputDelta | ToolInputStart | ToolInputEnd | ToolCall) else ""


def _kept(metadata: dict[str, Any] | None) -> dict[str, Any]:
    kept: Any = (metadata or {}).get("anthropic")
    return cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}


def _words(part: Content) -> str:
    return part.text if isinstance(part, TextPart) else described(part)


def _written(call: ToolCall) -> str:
    """Return the arguments of a call as JSON, or as the model wrote them if they are not valid; "" if there are
    none."""
    return call.raw or (encode(call.arguments).decode() if call.arguments else "")
