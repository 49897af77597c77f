"""Read ChatGPT's export: `conversations.json`, where each conversation is a tree of nodes."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from toolpost.types.messages import Part, ReasoningPart, Role, TextPart

from .chat import ImportedChat, ImportedMessage
from .values import seconds, text_of

SOURCE = "chatgpt"


def is_chatgpt(document: Mapping[str, Any]) -> bool:
    return isinstance(document.get("mapping"), Mapping)


def read_chatgpt(document: Mapping[str, Any], place: str) -> ImportedChat:
    """Calls of tools and hidden notes are left out: what was said is kept, on every branch."""
    nodes = cast("Mapping[str, Any]", document["mapping"])
    return ImportedChat(
        SOURCE,
        text_of(document.get("conversation_id") or document.get("id")) or text_of(document.get("current_node")),
        place,
        [_message(name, cast("Mapping[str, Any]", node)) for name, node in nodes.items() if isinstance(node, Mapping)],
        title=text_of(document.get("title")),
        created=seconds(document.get("create_time")),
        updated=seconds(document.get("update_time")),
        head=text_of(document.get("current_node")) or None,
    )


def _message(name: str, node: Mapping[str, Any]) -> ImportedMessage:
    parent = text_of(node.get("parent")) or None
    message: Any = node.get("message")
    if not isinstance(message, Mapping):
        return ImportedMessage(name, None, (), parent)
    table = cast("Mapping[str, Any]", message)
    about = _table(table.get("metadata"))
    return ImportedMessage(
        name,
        _role(table, about),
        tuple(_parts(_table(table.get("content")), about)),
        parent,
        seconds(table.get("create_time")),
        text_of(about.get("model_slug")),
    )


def _role(message: Mapping[str, Any], about: Mapping[str, Any]) -> Role | None:
    role = _table(message.get("author")).get("role")
    is_for_a_tool = message.get("recipient", "all") != "all"
    if about.get("is_visually_hidden_from_conversation") or is_for_a_tool:
        return None
    return "user" if role == "user" else "assistant" if role == "assistant" else None


def _parts(content: Mapping[str, Any], about: Mapping[str, Any]) -> Iterator[Part]:
    match content.get("content_type"):
        case "text" | "multimodal_text":
            pieces = [_piece(piece) for piece in _list(content.get("parts"))]
            names = [f"[{text_of(_table(file).get('name')) or 'file'}]" for file in _list(about.get("attachments"))]
            if text := "\n".join(filter(None, (*pieces, *names))).strip():
                yield TextPart(text)
        case "thoughts":
            thoughts = (text_of(_table(one).get("content")) for one in _list(content.get("thoughts")))
            if text := "\n\n".join(filter(None, thoughts)):
                yield ReasoningPart(text)
        case _:
            return


def _piece(piece: Any) -> str:
    """Images are in other files of the export: only that there was one is said. Speech has its words beside it."""
    if isinstance(piece, str):
        return piece
    table = _table(piece)
    kind = text_of(table.get("content_type"))
    if kind == "audio_transcription":
        return text_of(table.get("text"))
    return "[image]" if kind == "image_asset_pointer" else ""


def _table(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
