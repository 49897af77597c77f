"""Convert content of MCP servers (text, images, sound, files) to ours; text is marked as untrusted."""

import base64
import binascii
import contextlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from toolpost.tools.define import ToolResult
from toolpost.tools.file_kind import describe_bytes
from toolpost.tools.output import json_text
from toolpost.tools.untrusted import untrusted
from toolpost.types.errors import ToolError
from toolpost.types.messages import Content, FilePart, TextPart
from toolpost.types.text import clean

if TYPE_CHECKING:
    from mcp.types import CallToolResult

# Models can look at these; of other binary data they are told only that it is there.
SHOWN = ("image/", "audio/", "application/pdf")


def to_result(result: "CallToolResult", source: str) -> ToolResult:
    """Convert the result of a call for a model; raise `ToolError` if the server reports a failure."""
    parts = contents(result)
    if result.is_error:
        raise ToolError(untrusted(text_of(parts), source))
    return ToolResult(mark(parts, source))


def contents(result: "CallToolResult") -> list[Content]:
    """Convert all content of a result, without marks."""
    parts = [part for block in result.content for part in to_content(block)]
    structured: Any = result.structured_content
    if structured is not None and not _says_the_same(parts, structured):
        parts.append(TextPart(json_text(structured)))
    return parts


def text_of(parts: Iterable[Content]) -> str:
    """Join the text content, for an error message."""
    said = "\n".join(part.text for part in parts if isinstance(part, TextPart))
    return said or "it failed without a message"


def mark(parts: Iterable[Content], source: str) -> list[Content]:
    """Mark the text as untrusted; neighbouring texts are joined, so that there are few marks."""
    marked: list[Content] = []
    texts: list[str] = []
    for part in (*parts, None):
        if isinstance(part, TextPart):
            texts.append(part.text)
            continue
        if texts:
            marked.append(TextPart(untrusted("\n".join(texts), source)))
            texts = []
        if part is not None:
            marked.append(part)
    return marked


def to_content(block: Any) -> list[Content]:
    """Convert one content block of a result, a prompt or a message, without marks."""
    match block.type:
        case "text":
            return [TextPart(clean(block.text))]
        case "image" | "audio":
            return [_file(block.mime_type, block.data)]
        case "resource":
            return [resource(block.resource)]
        case "resource_link":
            about = f": {block.description}" if block.description else ""
            kind = f" ({block.mime_type})" if block.mime_type else ""
            return [TextPart(f"[resource {block.title or block.name}{kind} at {block.uri}{about}]")]
        case other:
            return [TextPart(f"[{other}, which cannot be shown]")]


def resource(contents: Any) -> Content:
    """Convert the content of a resource: text, or a file."""
    text = getattr(contents, "text", None)
    if isinstance(text, str):
        return TextPart(clean(text))
    name = str(contents.uri).rpartition("/")[2]
    return _file(contents.mime_type or "application/octet-stream", contents.blob, name)


def _file(mime: str, data: str, name: str = "") -> Content:
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        # A provider would refuse the whole request for it.
        return TextPart(f"[{name or mime}: invalid base64 data]")
    if mime.startswith(SHOWN):
        return FilePart(mime, data, name=name)
    return TextPart(f"[{name or 'data'}, {mime}: {describe_bytes(raw, len(raw))}]")


def _says_the_same(parts: Sequence[Content], structured: Any) -> bool:
    """Most servers repeat their structured content as text, for clients that know no other."""
    for part in parts:
        if isinstance(part, TextPart):
            said: Any = part.text
            with contextlib.suppress(msgspec.DecodeError):
                said = msgspec.json.decode(part.text)
            if structured in (said, {"result": said}, {"result": part.text}):
                return True
    return False
