"""What the tests of all wires share: a question, its five adapters, and what was made of an answer."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from toolpost.models.anthropic.model import Anthropic
from toolpost.models.contract import ModelRequest
from toolpost.models.gemini.model import Gemini
from toolpost.models.http_model import HttpModel
from toolpost.models.ollama.model import Ollama
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.models.openai_responses.model import OpenAIResponses
from toolpost.models.stream_reader import StreamReader
from toolpost.testing import Upstream
from toolpost.types.messages import Completed, FilePart, Message, Part, TextPart
from toolpost.types.stream import Finish, ReasoningDelta, StreamError, StreamEvent, TextDelta, ToolCall
from toolpost.types.tool_spec import ToolSpec

KEY = "sk-secret-1"
ADD = ToolSpec("add", "Add.", {"type": "object", "properties": {"a": {"type": "integer"}}})
PNG = FilePart("image/png", data="iVBORw==", name="a.png")
DONE = Completed({"a": 1}, (TextPart("2"),), 0, 1)

WIRES: dict[str, Callable[..., HttpModel[Any]]] = {
    "openai_chat": lambda up, **options: OpenAIChat("m", base_url=up.base_url, **options),
    "anthropic": lambda up, **options: Anthropic("m", base_url=up.url, **options),
    "ollama": lambda up, **options: Ollama("m", base_url=up.url, **options),
    "openai_responses": lambda up, **options: OpenAIResponses("m", base_url=up.base_url, **options),
    "gemini": lambda up, **options: Gemini("m", base_url=up.url, **options),
}


def model_on(wire: str, up: Upstream, **options: Any) -> HttpModel[Any]:
    return WIRES[wire](up, **{"api_key": KEY, **options})


def user(*parts: Part) -> Message:
    return Message("u", "user", parts)


HI = user(TextPart("hi"))


def request(**options: Any) -> ModelRequest:
    return ModelRequest([HI], tools=options.pop("tools", [ADD]), **options)


async def answer(model: HttpModel[Any], wanted: ModelRequest | None = None) -> list[StreamEvent]:
    return [event async for event in model.stream(wanted or request())]


def said(events: list[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def thought(events: list[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, ReasoningDelta))


def made(events: list[StreamEvent]) -> list[ToolCall]:
    return [event for event in events if isinstance(event, ToolCall)]


def called(events: list[StreamEvent]) -> list[tuple[str, dict[str, Any]]]:
    return [(event.name, event.arguments) for event in made(events)]


def only_error(events: list[StreamEvent]) -> StreamError:
    assert sum(isinstance(event, Finish | StreamError) for event in events) == 1
    assert isinstance(events[-1], StreamError)
    return events[-1]


def read(reader: StreamReader, pieces: Iterable[bytes]) -> list[StreamEvent]:
    """Everything that a reader makes of a body in these pieces."""
    events = [event for piece in pieces for event in reader.feed(piece)]
    return events if reader.ended else events + reader.close()


def cut_at(body: bytes, places: Iterable[int]) -> list[bytes]:
    """The body in pieces, cut at these places."""
    edges = [0, *sorted(min(place, len(body)) for place in places), len(body)]
    return [body[start:stop] for start, stop in pairwise(edges)]
