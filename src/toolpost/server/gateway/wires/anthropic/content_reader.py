"""Read content blocks of Anthropic's wire into parts of messages.

What a part has no field for is kept under `metadata["anthropic"]`, for an upstream of the same wire: `fields` are added
to the block that is written from the part, `block` is the whole block as it came.
"""

import base64
from collections.abc import Iterator
from typing import Any, cast

from toolpost.models.message_parts import described, encode, without_surrogates
from toolpost.server.gateway.wires import checked_values
from toolpost.server.gateway.wires.sealed_reasoning import unseal
from toolpost.server.refusals import BadRequest
from toolpost.types.messages import Content, FilePart, ReasoningPart, TextPart

Block = dict[str, Any]

# Thinking that nobody signed is another wire's; the chat wire's servers want it back under this name.
_UNSIGNED = {"openai_chat": {"field": "reasoning_content"}}
_PLAIN_PDF = frozenset({"type", "source", "title"})
_IMAGE_ENDINGS = frozenset({"png", "gif", "webp"})


def blocks_of(content: Any, path: str) -> Iterator[tuple[Block, str]]:
    """Yield the blocks of a message or a result, each with its path. A plain string is one text block."""
    if isinstance(content, str):
        yield {"type": "text", "text": content}, path
        return
    for index, item in enumerate(checked_values.rows(content, path)):
        where = f"{path}[{index}]"
        block = checked_values.table(item, where)
        checked_values.name(block.get("type"), f"{where}.type")
        yield block, where


def spoken(block: Block, path: str) -> Content | None:
    """Read a text, an image or a document. None for a text without any words."""
    kind = block["type"]
    if kind == "text":
        text = checked_values.text(block.get("text"), f"{path}.text")
        return TextPart(text, kept_fields(block, "type", "text")) if text.strip() else None
    if kind == "image":
        return _image(block, path)
    if kind == "document":
        return _document(block, path)
    return unknown(block)


def thought(block: Block, path: str) -> ReasoningPart:
    if block["type"] == "redacted_thinking":
        return ReasoningPart("", {"anthropic": {"redacted": checked_values.text(block.get("data"), f"{path}.data")}})
    text = checked_values.text(block.get("thinking"), f"{path}.thinking")
    if block.get("signature") is None:
        return ReasoningPart(text, _UNSIGNED)
    signature = checked_values.text(block["signature"], f"{path}.signature")
    sealed = unseal(signature) if signature else {}
    if sealed is not None:
        return ReasoningPart(text, sealed or _UNSIGNED)
    return ReasoningPart(text, {"anthropic": {"signature": signature}})


def result_content(content: Any, path: str) -> tuple[Content, ...]:
    """Read the content of a result, which may be empty."""
    if content is None:
        return ()
    return tuple(part for block, where in blocks_of(content, path) if (part := spoken(block, where)) is not None)


def words_of(content: tuple[Content, ...]) -> str:
    return "\n".join(part.text if isinstance(part, TextPart) else described(part) for part in content)


def unknown(block: Block) -> TextPart:
    """Read a block of an unknown type: unchanged for the same wire, as text for every other."""
    return TextPart(_in_words(block), {"anthropic": {"block": block}})


def kept_fields(block: Block, *known: str) -> dict[str, Any] | None:
    """Return the fields of a block that its part has no place for; SDKs send null for absent fields."""
    rest = {name: value for name, value in block.items() if name not in known and value is not None}
    return {"anthropic": {"fields": rest}} if rest else None


def in_words(value: Any) -> str:
    """Return any content as text, without encrypted fields."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return "\n".join(filter(None, map(in_words, items)))
    if isinstance(value, dict):
        return _in_words(cast("Block", value))
    return ""


def _image(block: Block, path: str) -> Content:
    source, where = checked_values.table(block.get("source"), f"{path}.source"), f"{path}.source"
    kept = {"anthropic": {"block": block}} if len(block) > 2 else None
    kind = source.get("type")
    if kind == "base64":
        mime = checked_values.name(source.get("media_type"), f"{where}.media_type")
        return FilePart(mime, checked_values.name(source.get("data"), f"{where}.data"), metadata=kept)
    if kind == "url":
        url = checked_values.name(source.get("url"), f"{where}.url")
        return FilePart(_image_type(url), url=url, metadata=kept)
    if kind == "file":
        file_id = checked_values.name(source.get("file_id"), f"{where}.file_id")
        return FilePart("image/*", name=file_id, metadata={"anthropic": {"block": block}})
    raise BadRequest(f"{where}.type must be base64, url or file")


def _document(block: Block, path: str) -> Content:
    source, where = checked_values.table(block.get("source"), f"{path}.source"), f"{path}.source"
    title = block.get("title")
    name = "" if title is None else checked_values.text(title, f"{path}.title")
    whole = {"anthropic": {"block": block}}
    kind = source.get("type")
    if kind == "base64":
        mime = checked_values.name(source.get("media_type"), f"{where}.media_type")
        data = checked_values.name(source.get("data"), f"{where}.data")
        is_plain = mime == "application/pdf" and block.keys() <= _PLAIN_PDF
        return FilePart(mime, data, name=name, metadata=None if is_plain else whole)
    if kind == "url":
        url = checked_values.name(source.get("url"), f"{where}.url")
        return FilePart("application/pdf", url=url, name=name, metadata=whole)
    if kind == "text":
        return _text_file(checked_values.text(source.get("data"), f"{where}.data"), name, whole)
    if kind == "content":
        inner = result_content(source.get("content"), f"{where}.content")
        return _text_file(words_of(inner), name, whole)
    if kind == "file":
        file_id = checked_values.name(source.get("file_id"), f"{where}.file_id")
        return FilePart("application/octet-stream", name=name or file_id, metadata=whole)
    raise BadRequest(f"{where}.type must be base64, url, text, content or file")


def _text_file(text: str, name: str, kept: dict[str, Any]) -> FilePart:
    data = base64.b64encode(without_surrogates(text).encode()).decode()
    return FilePart("text/plain", data, name=name or "document", metadata=kept)


def _image_type(url: str) -> str:
    """Guess the type of an image from its URL."""
    ending = url.partition("?")[0].rpartition(".")[2].lower()
    return f"image/{ending}" if ending in _IMAGE_ENDINGS else "image/jpeg"


def _in_words(block: Block) -> str:
    named = [block[name] for name in ("title", "source", "url", "text", "stdout", "stderr") if name in block]
    words = [word for word in named if isinstance(word, str) and word]
    if "content" in block:
        words.append(in_words(block["content"]))
    if any(words):
        return "\n".join(filter(None, words))
    return encode({name: value for name, value in block.items() if not name.startswith("encrypted")}).decode()
