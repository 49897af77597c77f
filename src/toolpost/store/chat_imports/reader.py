"""Find out which chat has written each document of some files, and read them all."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from .chat import READ_ERRORS, ImportedChat, UnreadEntry
from .chatgpt import is_chatgpt, read_chatgpt
from .collections import Collections
from .export_file import ExportFile, decoded
from .field_names import FieldNames
from .open_webui import is_open_webui, read_open_webui

# So much of so much: bytes of the files, then conversations of collections, whose messages come from elsewhere in them.
Progress = Callable[[int, int], None]


def read_chats(
    files: Sequence[tuple[ExportFile, int]], names: FieldNames, progress: Progress
) -> Iterator[ImportedChat | UnreadEntry]:
    """The chats of these files, each with its size. A document that cannot be read is told, and the others are read."""
    total, before = sum(size for _, size in files), 0
    collections = Collections(names)
    for file, size in files:
        start = before

        def read(done: int, start: int = start) -> None:
            progress(start + done, total)

        for entry in file.entries(read):
            if isinstance(entry, UnreadEntry):
                yield entry
                continue
            try:
                document = decoded(entry.data)
                if not isinstance(document, Mapping):
                    yield UnreadEntry(entry.place, "it is not a JSON object")
                    continue
                table = cast("Mapping[str, Any]", document)
                if is_chatgpt(table):
                    yield read_chatgpt(table, entry.place)
                elif is_open_webui(table):
                    yield read_open_webui(table, entry.place)
                elif unread := collections.add(table, (file, entry.key, entry.place)):
                    yield unread
            except READ_ERRORS as error:
                yield UnreadEntry(entry.place, str(error))
        before += size
    count = len(collections)
    for number, chat in enumerate(collections.chats(), 1):
        progress(min(number, count), count)
        yield chat
