"""Bound what a tool gives back to the model: head and tail, the rest in a file it can read."""

import base64
import inspect
import math
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any, cast

import msgspec
from msgspec import structs

from toolpost.guard.secret_replacer import KnownSecrets
from toolpost.types.errors import WiringError
from toolpost.types.messages import Content, FilePart, TextPart
from toolpost.types.text import clean

from .define import ToolResult
from .file_kind import describe_bytes, kind_of
from .output_collector import MAX_BYTES, MAX_LINES, NO_OUTPUT, Bounded, OutputCollector, is_binary_output

MAX_FILE_BYTES = 5_000_000  # of base64, each; all files of one result together get four times that
ONE_LINE_JSON = 400
# Where this is in what msgspec wrote, there may have been a number that JSON has no word for.
_NULL = b"null"
# As our own parts, MCP and the AI SDK name it.
_MIME_KEYS = ("mime", "mime_type", "mimeType", "media_type", "mediaType")


def bound(
    result: ToolResult,
    max_lines: int = MAX_LINES,
    max_bytes: int = MAX_BYTES,
    folder: Path | None = None,
    name: str = "",
) -> Bounded:
    """Return the content whole if it fits, else with the head and tail of its text; files follow the text then.

    The whole text is written to a file of this name in `folder`. Files over their size become a line of text.
    """
    parts = _without_large_files([part if isinstance(part, FilePart) else _text(part) for part in result.content])
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    if _fits(texts, max_lines, max_bytes):
        return Bounded(tuple(parts) or (TextPart(NO_OUTPUT),))
    collector = OutputCollector(max_lines, max_bytes, folder, name)
    collector.feed("\n".join(texts))
    bounded = collector.finish()
    files = [part for part in parts if isinstance(part, FilePart)]
    return Bounded((*bounded.content, *files), bounded.truncated, bounded.spilled)


def to_result(value: Any, owner: str = "a tool") -> ToolResult:
    """Make a `ToolResult` of whatever a tool returned: text, bytes, data, parts, a result, or a dict that is one.

    Raises `WiringError` for what no tool means to return: a coroutine that was never awaited, say.
    """
    _refuse_unawaited(value, owner)
    result = _read_result(cast("dict[Any, Any]", value)) if isinstance(value, dict) else value
    if isinstance(result, ToolResult):
        return _checked_result(result, owner)
    if (
        isinstance(value, list | tuple)
        and value
        and all(type(item) in (TextPart, FilePart) for item in cast("list[Any]", value))
    ):
        return ToolResult([_part(item) for item in cast("list[Any]", value)])
    return ToolResult([_part(value)])


def _refuse_unawaited(value: Any, owner: str) -> None:
    if inspect.isawaitable(value):
        if inspect.iscoroutine(value):
            value.close()
        raise WiringError(f"{owner} returned {_a(value)} that was never awaited: write `return await …`")
    if inspect.isgenerator(value) or inspect.isasyncgen(value):
        raise WiringError(f"{owner} returned {_a(value)}: return the whole result, and show progress by ctx.update")


def _a(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _checked_result(result: ToolResult, owner: str) -> ToolResult:
    content: Any = result.content
    if isinstance(content, str | TextPart | FilePart):
        content = [content]
    if not isinstance(content, list | tuple):
        raise WiringError(
            f"{owner} returned a ToolResult whose content is {_a(content)}: give a list of texts and parts"
        )
    if not isinstance(result.title, str):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
        raise WiringError(f"{owner} returned a ToolResult whose title is {_a(result.title)}: give a text")
    for item in cast("Sequence[Any]", content):
        _refuse_unawaited(item, owner)
    parts = [_part(item) for item in cast("Sequence[Any]", content)]
    return ToolResult(parts, plain(result.details), clean(result.title))


def _read_result(value: dict[Any, Any]) -> ToolResult | None:
    """The result that a dict of exactly `content`, `details` and maybe `title` stands for; None for any other data."""
    if value.keys() | {"title"} != {"content", "details", "title"} or not isinstance(value.get("title", ""), str):
        return None
    content = value["content"]
    if isinstance(content, str):
        return ToolResult([content], value["details"], value.get("title", ""))
    if not isinstance(content, list | tuple):
        return None
    parts = [_read_part(item) for item in cast("Sequence[Any]", content)]
    if any(part is None for part in parts):
        return None
    return ToolResult(cast("list[str | Content]", parts), value["details"], value.get("title", ""))


def _read_part(value: Any) -> str | Content | None:
    if isinstance(value, str | TextPart | FilePart):
        return value
    if not isinstance(value, dict):
        return None
    part = cast("dict[Any, Any]", value)
    if part.get("type") == "text":
        return TextPart(part["text"]) if isinstance(part.get("text"), str) else None
    if part.get("type") not in ("image", "file"):
        return None
    mime = next((part[key] for key in _MIME_KEYS if isinstance(part.get(key), str)), None)
    data, url, name = (part.get(key) or "" for key in ("data", "url", "name"))
    if isinstance(data, bytes | bytearray):
        data = base64.b64encode(data).decode()
    if mime is None or not all(isinstance(text, str) for text in (data, url, name)) or not (data or url):
        return None
    return FilePart(mime, data, url, name)


def plain(details: Any) -> dict[str, Any] | None:
    """A copy of `details` as it can be stored, whatever is in it: a value that JSON can't hold becomes its text."""
    if details is None:
        return None
    table = cast("dict[Any, Any]", details) if isinstance(details, dict) else {"value": details}
    try:
        data = msgspec.json.encode(table, enc_hook=_encode_any)
        if _NULL not in data:
            return msgspec.json.decode(data)
    except (TypeError, UnicodeEncodeError):
        pass
    named = {str(key): msgspec.to_builtins(item, enc_hook=_encode_any) for key, item in table.items()}
    return msgspec.json.decode(msgspec.json.encode(_encodable(named)))


def json_text(value: Any) -> str:
    """JSON for a model to read: on one line where it is short, else with an indent of one."""
    try:
        data = msgspec.json.encode(value, enc_hook=_encode)
    except UnicodeEncodeError:
        data = _NULL
    if _NULL in data:
        data = msgspec.json.encode(_encodable(msgspec.to_builtins(value, enc_hook=_encode)))
    return msgspec.json.format(data, indent=0 if len(data) <= ONE_LINE_JSON else 1).decode()


def _fits(texts: Sequence[str], max_lines: int, max_bytes: int) -> bool:
    encoded = sum(len(text) if text.isascii() else len(text.encode()) for text in texts) + max(0, len(texts) - 1)
    lines = sum(text.count("\n") + (not text.endswith("\n")) for text in texts if text)
    return encoded <= max_bytes and lines <= max_lines


def _text(part: str | TextPart) -> TextPart:
    text = part if isinstance(part, str) else part.text
    return TextPart(clean(text), None if isinstance(part, str) else part.metadata)


def _without_large_files(parts: Sequence[Content]) -> list[Content]:
    kept: list[Content] = []
    room = 4 * MAX_FILE_BYTES
    for part in parts:
        if isinstance(part, FilePart) and len(part.data) > min(MAX_FILE_BYTES, room):
            name = f" {part.name}" if part.name else ""
            kept.append(TextPart(f"(file{name} left out: {part.mime}, {len(part.data) * 3 // 4:,} bytes, too large)"))
            continue
        room -= len(part.data) if isinstance(part, FilePart) else 0
        kept.append(part)
    return kept


def _part(value: Any) -> Content:
    if isinstance(value, TextPart | FilePart):
        return value if isinstance(value, FilePart) else _text(value)
    if value is None:
        return TextPart(NO_OUTPUT)
    if isinstance(value, str):
        return TextPart(clean(value) or NO_OUTPUT)
    if isinstance(value, bytes | bytearray | memoryview):
        return _bytes_part(bytes(cast("bytes", value)))
    return TextPart(json_text(value))


def _bytes_part(data: bytes) -> Content:
    name, mime = kind_of(data)
    if mime.startswith("image/"):
        encoded = base64.b64encode(data).decode() if len(data) * 4 // 3 <= MAX_FILE_BYTES else ""
        return FilePart(mime, encoded) if encoded else TextPart(f"({name} left out: {len(data):,} bytes, too large)")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return TextPart(clean(data.decode("utf-16", errors="replace")) or NO_OUTPUT)
    if is_binary_output(data):
        return TextPart(f"(binary data: {describe_bytes(data, len(data))})")
    return TextPart(data.decode(errors="replace") or NO_OUTPUT)


def _encode(value: Any) -> Any:
    """What msgspec does not know: paths, pydantic's models, numpy's values, and whatever has a text of its own."""
    if inspect.iscoroutine(value):
        value.close()
        raise WiringError("a tool returned a coroutine inside of its result: await it")
    pydantic = sys.modules.get("pydantic")
    if pydantic is not None and isinstance(value, pydantic.BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, PurePath | BaseException):
        return str(value)
    for method in ("tolist", "item"):
        if callable(found := getattr(value, method, None)):
            return found()
    if type(value).__str__ is not object.__str__ or type(value).__repr__ is not object.__repr__:
        return str(value)
    raise TypeError(
        f"a tool returned {_a(value)}, which JSON can't hold: return text, plain data, a dataclass or a ToolResult"
    )


def _encode_any(value: Any) -> Any:
    try:
        return _encode(value)
    except TypeError:
        return repr(value)


def _encodable(value: Any) -> Any:
    """Plain data without lone surrogates, and with a text for each number that JSON has no word for."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_encodable(item) for item in cast("list[Any]", value)]
    return value


def hide_secrets(result: ToolResult, secrets: KnownSecrets) -> ToolResult:
    """The same result with every known secret in its texts, title and details hidden."""
    if not secrets:
        return result
    content = hide_secrets_in(result.content, secrets)
    return ToolResult(content, secrets.hide_in(result.details), secrets.hide(result.title))


def hide_secrets_in(content: Sequence[Content | str], secrets: KnownSecrets) -> tuple[Content, ...]:
    return tuple(_hidden_part(TextPart(part) if isinstance(part, str) else part, secrets) for part in content)


def _hidden_part(part: Content, secrets: KnownSecrets) -> Content:
    if isinstance(part, TextPart):
        return structs.replace(part, text=secrets.hide(part.text), metadata=secrets.hide_in(part.metadata))
    return structs.replace(part, name=secrets.hide(part.name), url=secrets.hide(part.url))
