"""Read the collections `conversations` and `messages` of a chat, as `mongoexport` writes them.

They may be in one file or in several, in any order. Only where each document stands is kept in memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from toolpost.types.messages import Part, ReasoningPart, Role

from .chat import READ_ERRORS, ImportedChat, ImportedMessage, UnreadEntry
from .export_file import ExportFile, decoded
from .field_names import ROLES, FieldNames, value_at
from .values import parts_of, plain, seconds, text_of

SOURCE = "mongodb"

# The file, where in it, and what a person calls that place.
Where = tuple[ExportFile, int, str]


class Collections:
    """Documents are given to `add` one by one; `chats` then gives the conversations with their messages."""

    def __init__(self, names: FieldNames) -> None:
        self._names = names
        self._conversations: list[Where] = []
        self._by_conversation: dict[str, list[Where]] = {}
        self._by_id: dict[str, Where] = {}

    def add(self, document: Mapping[str, Any], where: Where) -> UnreadEntry | None:
        table, fields = cast("dict[str, Any]", plain(document)), self._names.message
        has_text = value_at(table, fields.text) is not None
        has_list = isinstance(value_at(table, self._names.conversation.messages), list)
        conversation = text_of(value_at(table, fields.conversation))
        if has_text and not has_list and conversation:
            self._by_conversation.setdefault(conversation, []).append(where)
        elif has_text and not has_list and value_at(table, fields.role) is not None:
            self._by_id[text_of(value_at(table, fields.id))] = where
        elif self._ids(table):
            self._conversations.append(where)
        else:
            return UnreadEntry(where[2], "it is neither an exported session, nor a conversation or message with an id")
        return None

    def chats(self) -> Iterator[ImportedChat | UnreadEntry]:
        """All conversations, then those of which there are only messages."""
        for file, key, place in self._conversations:
            try:
                chat = self._chat(cast("dict[str, Any]", plain(decoded(file.fetch(key)))), place)
            except READ_ERRORS as error:
                yield UnreadEntry(place, str(error))
            else:
                yield chat
        for conversation, places in self._by_conversation.items():
            try:
                messages = [self._message(self._read(one), number) for number, one in enumerate(places)]
            except READ_ERRORS as error:
                yield UnreadEntry(places[0][2], str(error))
            else:
                yield ImportedChat(SOURCE, conversation, places[0][2], _chained(messages))
        for where in self._by_id.values():
            yield UnreadEntry(where[2], "it is a message that belongs to no conversation")

    def __len__(self) -> int:
        return len(self._conversations) + len(self._by_conversation)

    def _chat(self, table: Mapping[str, Any], place: str) -> ImportedChat:
        fields, ids = self._names.conversation, self._ids(table)
        documents = list(self._embedded(table))
        for one in ids:
            documents += map(self._read, self._by_conversation.pop(one, ()))
        messages = [self._message(document, number) for number, document in enumerate(documents)]
        return ImportedChat(
            SOURCE,
            ids[0],
            place,
            _chained(messages),
            title=text_of(value_at(table, fields.title)),
            created=seconds(value_at(table, fields.created)),
            updated=seconds(value_at(table, fields.updated)),
            user=text_of(value_at(table, fields.user)),
        )

    def _ids(self, table: Mapping[str, Any]) -> list[str]:
        """Messages may name any of its ids."""
        ids = (text_of(value_at(table, (name,))) for name in self._names.conversation.id)
        return list(dict.fromkeys(filter(None, ids)))

    def _embedded(self, table: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """Messages inside the conversation, or those whose ids it lists."""
        found: Any = value_at(table, self._names.conversation.messages)
        for one in cast("list[Any]", found) if isinstance(found, list) else ():
            if isinstance(one, Mapping):
                yield cast("Mapping[str, Any]", one)
            elif (where := self._by_id.pop(text_of(one), None)) is not None:
                yield self._read(where)

    def _read(self, where: Where) -> Mapping[str, Any]:
        return cast("Mapping[str, Any]", plain(decoded(where[0].fetch(where[1]))))

    def _message(self, table: Mapping[str, Any], number: int) -> ImportedMessage:
        fields = self._names.message
        return ImportedMessage(
            text_of(value_at(table, fields.id)) or str(number),
            self._role(table),
            tuple(self._parts(table)),
            text_of(value_at(table, fields.parent)) or None,
            seconds(value_at(table, fields.created)),
            text_of(value_at(table, fields.model)),
        )

    def _role(self, table: Mapping[str, Any]) -> Role | None:
        """The first field whose word is known; a name, such as that of a model, is an assistant's."""
        named = False
        for name in self._names.message.role:
            word = value_at(table, (name,))
            if word is None or isinstance(word, Mapping | list):
                continue
            named, word = True, str(word).lower()
            match self._names.roles.get(word, ROLES.get(word)):
                case "user":
                    return "user"
                case "assistant":
                    return "assistant"
                case "skip":
                    return None
                case _:
                    continue
        return "assistant" if named else None

    def _parts(self, table: Mapping[str, Any]) -> Iterator[Part]:
        for name in self._names.message.reasoning:
            if thought := text_of(value_at(table, (name,))).strip():
                yield ReasoningPart(thought)
                break
        for name in self._names.message.text:
            if parts := list(parts_of(value_at(table, (name,)))):
                yield from parts
                return


def _chained(messages: Sequence[ImportedMessage]) -> list[ImportedMessage]:
    """By time, each after the one before; where they say which they follow, that holds."""
    ids = {one.id for one in messages}
    if any(one.parent in ids for one in messages):
        return sorted(messages, key=lambda one: one.time)
    ordered = sorted(messages, key=lambda one: one.time) if all(one.time for one in messages) else list(messages)
    before: str | None = None
    chained: list[ImportedMessage] = []
    for one in ordered:
        chained.append(ImportedMessage(one.id, one.role, one.parts, before, one.time, one.model))
        before = one.id
    return chained
