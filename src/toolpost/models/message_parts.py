"""Encode message parts for any wire: arguments, tool results and files as plain text or JSON."""

import base64
import binascii
import hashlib
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec

from toolpost.arguments.parse_json import parse_arguments
from toolpost.types.messages import (
    CallState,
    CompactionPart,
    Completed,
    Failed,
    FilePart,
    Message,
    Part,
    Pending,
    Running,
    TextPart,
)
from toolpost.types.tool_spec import ToolSpec

INTERRUPTED = "This call was interrupted before it finished. Whether it had an effect is not known."
# The images that every wire with images takes.
IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_TEXT_TYPE = re.compile(
    r"text/|application/(json|xml|yaml|x-yaml|toml|sql|javascript|x-sh)$|[\w.-]+/[\w.-]+\+(json|xml)$"
)
_BAD_NAME = re.compile(r"[^A-Za-z0-9_-]")
_encoder = msgspec.json.Encoder()


class ToolBytes:
    """The tools as they go over a wire, joined by commas, kept by the identity of the list and of what is in it: a list
    may be changed in place."""

    def __init__(self, encode_tool: Callable[[ToolSpec], bytes]) -> None:
        self._encode = encode_tool
        self._kept: dict[int, tuple[Sequence[ToolSpec], tuple[ToolSpec, ...], bytes]] = {}

    def of(self, tools: Sequence[ToolSpec]) -> bytes:
        if not tools:
            return b""
        kept = self._kept.get(id(tools))
        if kept is not None and len(kept[1]) == len(tools) and all(map(operator.is_, kept[1], tools)):
            return kept[2]
        if len(self._kept) >= 64:
            self._kept.clear()
        encoded = b",".join(map(self._encode, tools))
        self._kept[id(tools)] = (tools, tuple(tools), encoded)
        return encoded


def arguments_of(state: CallState) -> dict[str, Any]:
    """Always one JSON object: servers that parse the history fail on anything else."""
    if isinstance(state, Pending):
        return parse_arguments(state.raw)[0]
    if isinstance(state, Failed):
        return state.arguments if state.arguments is not None else parse_arguments(state.raw)[0]
    return state.arguments


def is_image(part: FilePart) -> bool:
    return mime_of(part) in IMAGES and bool(part.data or part.url)


def mime_of(part: FilePart) -> str:
    """The type in its usual spelling, without parameters."""
    mime = part.mime.partition(";")[0].strip().lower()
    return "image/jpeg" if mime == "image/jpg" else mime


def result_text(state: CallState, is_shown: Callable[[FilePart], bool] = is_image) -> str:
    """A result in words. `is_shown` says which of its files the model sees elsewhere."""
    if isinstance(state, Pending | Running):
        return INTERRUPTED
    if isinstance(state, Failed):
        return state.message or f"The call failed ({state.kind})."
    texts: list[str] = []
    for part in state.content:
        if isinstance(part, TextPart):
            texts.append(part.text)
        else:
            texts.append(described(part) if is_shown(part) else note(part))
    return "\n".join(filter(None, texts)) or "(no output)"


def result_files(state: CallState) -> list[FilePart]:
    content = state.content if isinstance(state, Completed) else ()
    return [part for part in content if isinstance(part, FilePart)]


def data_url(part: FilePart) -> str:
    """The file as a URL that holds it, or that leads to it."""
    return f"data:{mime_of(part)};base64,{part.data}" if part.data else part.url


def text_of(part: Part) -> str:
    """What a part says, for a wire that takes it in words alone; nothing for calls and what is not said."""
    if isinstance(part, TextPart):
        return part.text
    if isinstance(part, FilePart):
        return described(part)
    return part.summary if isinstance(part, CompactionPart) else ""


def note(part: FilePart) -> str:
    """A file that the wire cannot carry: its content where that is text, else that it cannot be seen."""
    if part.data and _TEXT_TYPE.match(mime_of(part)):
        try:
            return f"{_name(part)}:\n{base64.b64decode(part.data).decode('utf-8', 'replace')}"
        except binascii.Error:
            pass
    return f"{described(part)[:-1]}: you can't be shown it]"


def described(part: FilePart) -> str:
    return f"[{'image' if part.mime.startswith('image/') else 'file'} {_name(part)} ({part.mime})]"


def _name(part: FilePart) -> str:
    return part.name or part.url or "without a name"


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
