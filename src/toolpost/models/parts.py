"""What every wire needs of messages and tools: arguments, results and files in plain form, JSON that can be sent."""

import base64
import binascii
import hashlib
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec

from toolpost.types.messages import CallState, Failed, FilePart, Message, Pending, Running, TextPart

from .accumulate import parse_arguments
from .contract import ToolSpec

INTERRUPTED = "This call was interrupted before it finished. Whether it had an effect is not known."
_BAD_NAME = re.compile(r"[^A-Za-z0-9_-]")
_encoder = msgspec.json.Encoder()


class ToolBytes:
    """The tools as they go over a wire, kept by the identity of the list and of what is in it: a list may be changed
    in place."""

    def __init__(self, encode_tools: Callable[[Sequence[ToolSpec]], bytes]) -> None:
        self._encode = encode_tools
        self._kept: dict[int, tuple[Sequence[ToolSpec], tuple[ToolSpec, ...], bytes]] = {}

    def of(self, tools: Sequence[ToolSpec]) -> bytes:
        if not tools:
            return b""
        kept = self._kept.get(id(tools))
        if kept is not None and len(kept[1]) == len(tools) and all(map(operator.is_, kept[1], tools)):
            return kept[2]
        if len(self._kept) >= 64:
            self._kept.clear()
        encoded = self._encode(tools)
        self._kept[id(tools)] = (tools, tuple(tools), encoded)
        return encoded


def arguments_of(state: CallState) -> dict[str, Any]:
    """Always one JSON object: servers that parse the history fail on anything else."""
    if isinstance(state, Pending):
        return parse_arguments(state.raw)[0]
    if isinstance(state, Failed):
        return state.arguments if state.arguments is not None else parse_arguments(state.raw)[0]
    return state.arguments


def result_text(state: CallState) -> str:
    if isinstance(state, Pending | Running):
        return INTERRUPTED
    if isinstance(state, Failed):
        return state.message or f"The call failed ({state.kind})."
    texts = [part.text if isinstance(part, TextPart) else note(part) for part in state.content]
    return "\n".join(filter(None, texts)) or "(no output)"


def is_image(part: FilePart) -> bool:
    return part.mime.startswith("image/") and bool(part.data or part.url)


def note(part: FilePart) -> str:
    """A file as text: its content where that is text, else what it is."""
    name = part.name or part.url or "file"
    if part.data and (part.mime.startswith("text/") or part.mime in ("application/json", "application/xml")):
        try:
            return f"{name}:\n{base64.b64decode(part.data).decode('utf-8', 'replace')}"
        except binascii.Error:
            pass
    return f"[{'image' if part.mime.startswith('image/') else 'file'} {name} ({part.mime})]"


def wire_name(name: str) -> str:
    """A tool's name in the letters that every provider takes: a model may have made one up."""
    return _BAD_NAME.sub("_", name)[:64] or "unknown"


def is_own(message: Message, provider: str) -> bool:
    """True if this provider wrote the message: only then may what it wants echoed go back to it."""
    return message.model.partition("/")[0] == provider


def digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:length]


def encode(value: Any) -> bytes:
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(without_surrogates(value))


def without_surrogates(value: Any) -> Any:
    """Join halves of characters that belong together and replace the rest, so that any text can be sent."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {without_surrogates(name): without_surrogates(item) for name, item in fields.items()}
    if isinstance(value, list | tuple):
        return [without_surrogates(item) for item in cast("list[Any]", value)]
    return value


def merge(into: dict[str, Any], other: Mapping[str, Any]) -> None:
    """Merge `other` in: objects are merged field by field, everything else is replaced."""
    for name, value in other.items():
        held = into.get(name)
        if isinstance(held, dict) and isinstance(value, Mapping):
            copy = dict(cast("dict[str, Any]", held))
            merge(copy, cast("Mapping[str, Any]", value))
            into[name] = copy
        else:
            into[name] = value
