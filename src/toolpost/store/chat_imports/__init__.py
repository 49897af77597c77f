"""Read conversations that other chats have exported: MongoDB collections, Open WebUI, ChatGPT.

`read_chats` finds out what a file is. Each reader gives `ImportedChat`s, and `UnreadEntry`s for what it cannot read;
`session_of` makes a session of a chat.
"""

from .chat import ImportedChat, ImportedMessage, UnreadEntry, session_of
from .field_names import FieldNames, load_field_names
from .reader import read_chats

__all__ = [
    "FieldNames",
    "ImportedChat",
    "ImportedMessage",
    "UnreadEntry",
    "load_field_names",
    "read_chats",
    "session_of",
]
