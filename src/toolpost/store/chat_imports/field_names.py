"""The names of fields in exported collections, those of the usual chats and those of a mapping file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec import Struct, structs

from toolpost.arguments.suggestions import did_you_mean
from toolpost.types.errors import ConfigError

MAX_BYTES = 1_000_000

Names = tuple[str, ...]
T = TypeVar("T", "ConversationFields", "MessageFields")


class ConversationFields(Struct, frozen=True):
    """Where each value of a conversation may stand: the first that is there counts. A dot leads into a table."""

    id: Names = ("conversationId", "conversation_id", "id", "_id", "uuid")
    title: Names = ("title", "name", "subject", "topic")
    created: Names = ("createdAt", "created_at", "createTime", "create_time", "created", "timestamp", "date")
    updated: Names = ("updatedAt", "updated_at", "updateTime", "update_time", "updated", "lastMessageAt")
    user: Names = ("user", "userId", "user_id", "owner", "username", "sessionId")
    messages: Names = ("messages", "history", "chat_messages")


class MessageFields(Struct, frozen=True):
    """The same for a message. `conversation` is the id of its conversation, where it does not stand inside it."""

    id: Names = ("messageId", "message_id", "id", "_id", "uuid")
    conversation: Names = (
        *("conversationId", "conversation_id", "conversation", "chatId", "chat_id", "chat"),
        *("sessionId", "session_id", "threadId", "thread_id"),
    )
    parent: Names = ("parentMessageId", "parentId", "parent_id", "parent")
    role: Names = ("isCreatedByUser", "role", "from", "sender", "author.role", "author", "type")
    text: Names = ("content", "text", "message", "body")
    reasoning: Names = ("reasoning_content", "reasoning", "thinking")
    created: Names = ("createdAt", "created_at", "createTime", "create_time", "created", "timestamp", "date")
    model: Names = ("model", "modelName", "model_name", "model_id")


class FieldNames(Struct, frozen=True):
    """`roles` says what the words for who wrote a message mean: user, assistant, or skip."""

    conversation: ConversationFields = ConversationFields()
    message: MessageFields = MessageFields()
    roles: Mapping[str, str] = {}


ROLES: Mapping[str, str] = {
    **dict.fromkeys(("user", "human", "you", "me", "customer", "prompter", "question", "用户", "true"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "model", "gpt", "answer", "助手", "false"), "assistant"),
    **dict.fromkeys(("system", "developer", "tool", "function", "critic"), "skip"),
}


def load_field_names(path: Path) -> FieldNames:
    """Read a mapping file: tables `[conversation]`, `[message]` and `[roles]` in TOML. Raises `ConfigError`."""
    import tomllib  # here: few imports have such a file

    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ConfigError(f"--mapping {path} is too large: the limit is {MAX_BYTES:,} bytes")
        table: dict[str, Any] = tomllib.loads(data.decode())
    except OSError as error:
        raise ConfigError(f"--mapping {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"--mapping {path} is not TOML: {error}") from error
    known = ("conversation", "message", "roles")
    for name in table:
        if name not in known:
            raise ConfigError(f"--mapping {path}: unknown table [{name}]: {did_you_mean(name, known, 'use [message]')}")
    return FieldNames(
        _fields(ConversationFields(), table.get("conversation", {}), f"--mapping {path}: [conversation]"),
        _fields(MessageFields(), table.get("message", {}), f"--mapping {path}: [message]"),
        _roles(table.get("roles", {}), f"--mapping {path}: [roles]"),
    )


def value_at(document: Mapping[str, Any], names: Names) -> Any:
    """The first value that is there and not null."""
    for name in names:
        found: Any = document
        for key in (name,) if name in document else name.split("."):
            found = cast("Mapping[str, Any]", found).get(key) if isinstance(found, Mapping) else None
        if found is not None:
            return found
    return None


def _fields(usual: T, given: Any, place: str) -> T:
    if not isinstance(given, dict):
        raise ConfigError(f"{place} must be a table of names")
    table, known = cast("dict[str, Any]", given), usual.__struct_fields__
    for name, value in table.items():
        if name not in known:
            hint = did_you_mean(name, known, f"known are {', '.join(known)}")
            raise ConfigError(f"{place}: unknown field {name!r}: {hint}")
        if not isinstance(value, str) or not value:
            raise ConfigError(f'{place}: {name} must be the name of a field, such as {name} = "{name}_of_yours"')
    return structs.replace(usual, **{name: (value,) for name, value in table.items()})


def _roles(given: Any, place: str) -> dict[str, str]:
    if not isinstance(given, dict):
        raise ConfigError(f"{place} must be a table of words")
    table = cast("dict[str, Any]", given)
    for word, role in table.items():
        if role not in ("user", "assistant", "skip"):
            raise ConfigError(f'{place}: {word} must be "user", "assistant" or "skip"')
    return {word.lower(): str(role) for word, role in table.items()}
