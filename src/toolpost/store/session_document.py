"""A session as one JSON document, written and read piece by piece.

The document is `{"format": "toolpost-session", "version": 1, "info": …, "messages": […], "events": […]}`. Its first
line ends where the messages begin, then each message and each event has a line of its own. The reader relies on these
lines, so that a session of any size passes through a small memory: a document that was laid out anew is refused, not
guessed at.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec
from msgspec import Struct

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.errors import StoreError
from toolpost.types.events import Event, event_decoder, event_encoder
from toolpost.types.messages import (
    CompactionPart,
    ContextPart,
    Message,
    Part,
    ReasoningPart,
    RetryPart,
    StepFinish,
    StepStart,
    ToolPart,
    message_decoder,
    message_encoder,
)

from .contract import SessionInfo

T = TypeVar("T")

FORMAT = "toolpost-session"
VERSION = 1
PIECE_BYTES = 64 * 1024
SPOOL_BYTES = 1024 * 1024
MAX_BYTES_A_LINE = 256 * 1024 * 1024
# Numbers of events fit into every database and every client with room for what comes after them.
MAX_EVENTS = 2**53
# What only the other one's messages hold.
_NOT_THE_USERS = (ToolPart, ReasoningPart, StepStart, StepFinish, RetryPart)
_NOT_THE_ASSISTANTS = (CompactionPart, ContextPart)


async def write_document(
    info: SessionInfo, messages: AsyncIterator[Message], events: AsyncIterator[Event]
) -> AsyncIterator[bytes]:
    head = msgspec.json.encode({"format": FORMAT, "version": VERSION, "info": info})
    piece = bytearray(head[:-1] + b',"messages":[')
    separator = b"\n"
    async for message in messages:
        piece += separator + message_encoder.encode(message)
        separator = b",\n"
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    piece += b"\n" + _EVENTS_LINE
    separator = b"\n"
    async for event in events:
        piece += separator + event_encoder.encode(event)
        separator = b",\n"
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece + b"\n" + _LAST_LINE + b"\n")


class DocumentReader:
    """Read a document in order: `info`, then all `messages()`, then all `events()`, which check its end too.

    `owner` takes the place of the one that is written there.
    """

    def __init__(self, source: BinaryIO, owner: str | None = None) -> None:
        self._source = source
        self._line_number = 0
        info = self._read_head()
        self.info = info if owner is None else msgspec.structs.replace(info, owner=owner)

    def messages(self) -> Iterator[Message]:
        seen: set[str] = set()
        for message in self._items(message_decoder, _EVENTS_LINE):
            if message.id in seen:
                raise self._bad(f"message {message.id} appears twice")
            if message.parent_id is not None and message.parent_id not in seen:
                raise self._bad(f"message {message.id} follows {message.parent_id}, which does not come before it")
            if odd := _misplaced(message):
                whose = "a user's" if message.role == "user" else "an assistant's"
                raise self._bad(f"message {message.id} is {whose} and has a part of type {odd.type}")
            seen.add(message.id)
            yield message
        if self.info.head is not None and self.info.head not in seen:
            raise self._bad(f"its head is {self.info.head}, which is not one of its messages")

    def events(self) -> Iterator[Event]:
        """Those that the session knows: a run may have gone on while it was written out."""
        last_seq = 0
        for event in self._items(event_decoder, _LAST_LINE):
            if event.seq <= last_seq:
                raise self._bad(f"event {event.seq} comes after event {last_seq}")
            last_seq = event.seq
            if event.seq <= self.info.seq:
                yield event
        if self._source.read(1):
            raise self._bad("there is more data after the end of the session")

    def _read_head(self) -> SessionInfo:
        line = self._next_line()
        if not line.endswith(b"["):
            raise self._bad("it does not begin like an exported session")
        try:
            head = _head_decoder.decode(line + b"]}")
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise self._bad(f"it does not begin like an exported session ({explain_decode_error(error)})") from error
        if head.format != FORMAT:
            raise self._bad(f"its format is {head.format!r}, not {FORMAT!r}")
        if head.version > VERSION:
            raise StoreError(f"this session comes from a newer Toolpost (version {head.version}): upgrade Toolpost")
        if not 0 <= head.info.seq <= MAX_EVENTS:
            raise self._bad(f"its seq is {head.info.seq}, which is not the number of an event")
        return head.info

    def _items(self, decoder: msgspec.json.Decoder[T], end: bytes) -> Iterator[T]:
        while (line := self._next_line()) != end:
            try:
                item = decoder.decode(line.removesuffix(b","))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise self._bad(explain_decode_error(error)) from error
            yield item

    def _next_line(self) -> bytes:
        line = self._source.readline(MAX_BYTES_A_LINE)
        self._line_number += 1
        if not line:
            raise self._bad("it ends too early")
        return line.strip()

    def _bad(self, reason: str) -> StoreError:
        return StoreError(
            f"this is not a whole exported session, see line {self._line_number}: {reason}. "
            "Nothing was imported; export it again and keep the file as it is"
        )


@contextlib.asynccontextmanager
async def spooled(source: AsyncIterator[bytes], folder: Path | None = None) -> AsyncGenerator[BinaryIO]:
    """Copy `source` into a temporary file, which can be read more than once."""
    import tempfile  # slow to import, and seldom needed

    with tempfile.TemporaryFile(dir=folder) as file:
        waiting = bytearray()
        async for piece in source:
            waiting += piece
            if len(waiting) >= SPOOL_BYTES:
                await asyncio.to_thread(file.write, bytes(waiting))
                waiting.clear()
        await asyncio.to_thread(file.write, bytes(waiting))
        yield file


def _misplaced(message: Message) -> Part | None:
    """Find a part that a message of this role can't have."""
    never = _NOT_THE_USERS if message.role == "user" else _NOT_THE_ASSISTANTS
    return next((part for part in message.parts if isinstance(part, never)), None)


_EVENTS_LINE = b'],"events":['
_LAST_LINE = b"]}"


class _Head(Struct):
    format: str
    version: int
    info: SessionInfo
    messages: list[Any]


_head_decoder = msgspec.json.Decoder(_Head)
