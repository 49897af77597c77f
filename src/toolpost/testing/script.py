"""Scripts for scripted models and servers: what happens in one turn.

A turn is a row of steps: `text("…") + call("search", {"q": "x"})`. The first group below works everywhere; the second
(cut, reset, stall, …) is about the wire and needs an `Upstream`.
"""

import asyncio
import base64
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from toolpost.types.errors import RETRYABLE_CODES
from toolpost.types.messages import ErrorInfo, FinishReason, Usage

# What a turn costs where the script does not say.
USUAL_USAGE = Usage(input=10, output=5)


class ScriptError(AssertionError):
    """The script and what happened do not fit: too many requests, too few, or a step that cannot be played."""


class Say(Struct, frozen=True):
    text: str
    chunk: int | None = None


class Think(Struct, frozen=True):
    text: str
    chunk: int | None = None


class CallTool(Struct, frozen=True):
    """A tool call; `arguments` as text are sent as they stand."""

    name: str
    arguments: dict[str, Any] | str
    id: str = ""
    chunk: int | None = None


class MakeFile(Struct, frozen=True):
    """A file that the model makes; `data` is base64. Anthropic's wire and Ollama's have none."""

    mime: str
    data: str


class Gate:
    """Holds a turn in the middle: wait for `reached`, look around, then `open()` it."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()

    def open(self) -> None:
        self.opened.set()

    async def passed(self) -> None:
        self.reached.set()
        await self.opened.wait()


class Pause(Struct, frozen=True):
    gate: Gate | asyncio.Event

    async def wait(self) -> None:
        await (self.gate.passed() if isinstance(self.gate, Gate) else self.gate.wait())


class Wait(Struct, frozen=True):
    seconds: float


class Fail(Struct, frozen=True):
    """A provider's failure: instead of an answer where it is the first step, in the middle of one elsewhere."""

    error: ErrorInfo


class HttpError(Struct, frozen=True):
    status: int
    body: Any
    headers: dict[str, str]


class ErrorObject(Struct, frozen=True):
    error: Any


class Raw(Struct, frozen=True):
    data: bytes


class Cut(Struct, frozen=True):
    """Close the connection in the middle of a chunk."""


class Reset(Struct, frozen=True):
    """Reset the connection (RST)."""


class Stall(Struct, frozen=True):
    """Say nothing more until the client goes away. As the first step not even a head is sent."""


class End(Struct, frozen=True):
    """End the body cleanly, without the wire's terminal event."""


Step = (
    Say | Think | CallTool | MakeFile | Pause | Wait | Fail | HttpError | ErrorObject | Raw | Cut | Reset | Stall | End
)


class Turn(Struct, frozen=True):
    """What happens in answer to one request. `+` puts turns one after the other into one."""

    steps: tuple[Step, ...] = ()
    usage: Usage | None = None
    finish: FinishReason | None = None

    def __add__(self, other: "Turn") -> "Turn":
        return Turn(self.steps + other.steps, other.usage or self.usage, other.finish or self.finish)

    @property
    def calls(self) -> tuple[CallTool, ...]:
        return tuple(step for step in self.steps if isinstance(step, CallTool))

    @property
    def reason(self) -> FinishReason:
        return self.finish or ("tool-calls" if self.calls else "stop")


def text(text: str, *, chunk: int | None = None) -> Turn:
    """Say something, in deltas of `chunk` characters."""
    return Turn((Say(text, chunk),))


def reasoning(text: str, *, chunk: int | None = None) -> Turn:
    return Turn((Think(text, chunk),))


def call(name: str, arguments: dict[str, Any] | str | None = None, *, id: str = "", chunk: int | None = None) -> Turn:
    """Call a tool. Arguments given as text are sent as they stand, so that broken JSON can be tried."""
    return Turn((CallTool(name, {} if arguments is None else arguments, id, chunk),))


def file(data: bytes, mime: str = "image/png") -> Turn:
    """Make a file, on a wire that has them."""
    return Turn((MakeFile(mime, base64.b64encode(data).decode()),))


def calls(*turns: Turn) -> Turn:
    """Several calls in one turn."""
    return sum(turns, Turn())


def turn(*turns: Turn, usage: Usage | None = None, finish: FinishReason | None = None) -> Turn:
    """Put turns together and say what they cost and why they end."""
    return sum(turns, Turn()) + Turn((), usage, finish)


def error(
    code: str = "server",
    message: str = "scripted failure",
    *,
    status: int | None = None,
    retry_after: float | None = None,
) -> Turn:
    """Fail with a `ModelError` code such as rate_limit, overloaded or context_overflow."""
    return Turn((Fail(ErrorInfo(code, message, status, code in RETRYABLE_CODES, retry_after)),))


def pause(gate: Gate | asyncio.Event) -> Turn:
    return Turn((Pause(gate),))


def wait(seconds: float) -> Turn:
    return Turn((Wait(seconds),))


def http_error(status: int, message: Any = "scripted failure", headers: Mapping[str, str] | None = None) -> Turn:
    """Answer with an HTTP status. A message that is not a string is the body as it stands."""
    return Turn((HttpError(status, message, dict(headers or {})),))


def error_object(error: Any) -> Turn:
    """Send an error inside a stream that began well."""
    return Turn((ErrorObject(error),))


def raw(data: bytes) -> Turn:
    """Send these bytes as part of the body; nothing is added after them unless other steps follow."""
    return Turn((Raw(data),))


def cut() -> Turn:
    return Turn((Cut(),))


def reset() -> Turn:
    return Turn((Reset(),))


def stall() -> Turn:
    return Turn((Stall(),))


def end() -> Turn:
    return Turn((End(),))


def parse_script(value: Any) -> list[Turn]:
    """Read turns from JSON: a list of turns, each a step or a list of steps, each step an object with one verb.

    `{"text": "hi"}`, `{"reasoning": "hm"}`, `{"call": {"name": "add", "arguments": {"a": 1}}}`, `{"wait": 0.1}`,
    `{"file": {"mime": "image/png", "data": "…base64…"}}`,
    `{"http_error": 429, "message": "slow down", "headers": {"retry-after": "1"}}`, `{"error_object": {…}}`,
    `{"raw": "data: …"}`, `{"cut": true}`, `{"reset": true}`, `{"stall": true}`, `{"end": true}`,
    `{"finish": "length"}`, `{"usage": {"input": 10, "output": 2}}`.
    """
    if not isinstance(value, list):
        raise ScriptError("a script is a JSON list of turns")
    return [_parse_turn(item) for item in cast("list[Any]", value)]


def _parse_turn(value: Any) -> Turn:
    steps = cast("list[Any]", value) if isinstance(value, list) else [value]
    return sum((_parse_step(step) for step in steps), Turn())


def _parse_step(value: Any) -> Turn:
    if not isinstance(value, dict):
        raise ScriptError(f"a step is a JSON object with one verb, not {value!r}")
    fields = cast("dict[str, Any]", value)
    chunk: int | None = fields.get("chunk")
    match fields:
        case {"text": str(said)}:
            return text(said, chunk=chunk)
        case {"reasoning": str(said)}:
            return reasoning(said, chunk=chunk)
        case {"call": {"name": str(name), **rest}}:
            return call(name, rest.get("arguments"), id=rest.get("id", ""), chunk=chunk)
        case {"file": {"mime": str(mime), "data": str(data)}}:
            return Turn((MakeFile(mime, data),))
        case {"wait": float() | int() as seconds}:
            return wait(seconds)
        case {"http_error": int(status)}:
            return http_error(status, fields.get("message", "scripted failure"), fields.get("headers"))
        case {"error_object": problem}:
            return error_object(problem)
        case {"raw": str(data)}:
            return raw(data.encode())
        case {"finish": reason}:
            return Turn(finish=reason)
        case {"usage": counts}:
            return Turn(usage=msgspec.convert(counts, Usage))
        case _:
            plain = {"cut": cut, "reset": reset, "stall": stall, "end": end}
            verbs = [verb for verb in plain if fields.get(verb)]
            if len(verbs) == 1:
                return plain[verbs[0]]()
            raise ScriptError(f"not a step: {value!r}; see toolpost.testing.script.parse_script")


def pieces(text: str, chunk: int | None) -> Sequence[str]:
    if not chunk:
        return [text] if text else []
    return [text[start : start + chunk] for start in range(0, len(text), chunk)]


def fields_of(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def arguments_text(ask: CallTool) -> str:
    return ask.arguments if isinstance(ask.arguments, str) else msgspec.json.encode(ask.arguments).decode()


def arguments_value(ask: CallTool) -> Any:
    """The arguments as JSON, for wires that send no text; broken text stays a text."""
    if not isinstance(ask.arguments, str):
        return ask.arguments
    try:
        return msgspec.json.decode(ask.arguments) if ask.arguments.strip() else {}
    except msgspec.DecodeError:
        return ask.arguments


def argument_pieces(ask: CallTool) -> Sequence[str]:
    """In pieces of the script's size, else in three."""
    text = arguments_text(ask)
    return pieces(text, ask.chunk or max(1, -(-len(text) // 3)))
