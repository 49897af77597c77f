"""Read Open WebUI's export of chats."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from toolpost.types.messages import Part, Role

from .chat import ImportedChat, ImportedMessage
from .values import file_of, parts_of, seconds, text_of

SOURCE = "open-webui"


def is_open_webui(document: Mapping[str, Any]) -> bool:
    chat: Any = document.get("chat")
    return isinstance(chat, Mapping) and ("history" in chat or "messages" in chat)


def read_open_webui(document: Mapping[str, Any], place: str) -> ImportedChat:
    """The tree of its history; older exports have a list alone, where each message follows the one before."""
    chat = cast("Mapping[str, Any]", document["chat"])
    history = _table(chat.get("history"))
    nodes = _table(history.get("messages"))
    if nodes:
        messages = [_message(name, _table(node), _table(node).get("parentId")) for name, node in nodes.items()]
    else:
        messages = list(_chain(chat.get("messages")))
    return ImportedChat(
        SOURCE,
        text_of(document.get("id") or chat.get("id")),
        place,
        messages,
        title=text_of(document.get("title") or chat.get("title")),
        created=seconds(document.get("created_at") or chat.get("timestamp")),
        updated=seconds(document.get("updated_at")),
        head=text_of(history.get("currentId")) or None,
        user=text_of(document.get("user_id")),
    )


def _chain(messages: Any) -> Iterator[ImportedMessage]:
    before: str | None = None
    for number, node in enumerate(cast("list[Any]", messages) if isinstance(messages, list) else ()):
        message = _message(text_of(_table(node).get("id")) or str(number), _table(node), before)
        before = message.id
        yield message


def _message(name: str, node: Mapping[str, Any], parent: Any) -> ImportedMessage:
    said = node.get("role")
    role: Role | None = "user" if said == "user" else "assistant" if said == "assistant" else None
    return ImportedMessage(
        name,
        role,
        tuple(_parts(node)),
        text_of(parent) or None,
        seconds(node.get("timestamp")),
        text_of(node.get("model")),
    )


def _parts(node: Mapping[str, Any]) -> Iterator[Part]:
    yield from parts_of(node.get("content"))
    files: Any = node.get("files")
    for file in cast("list[Any]", files) if isinstance(files, list) else ():
        table = _table(file)
        if part := file_of(text_of(table.get("url")), text_of(table.get("name"))):
            yield part


def _table(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
