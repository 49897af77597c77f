"""Encode and decode database rows: pages of results, JSON bodies, batches of events, approvals, objects.

The first columns of a page's rows are the key where the next page begins, all numbers; the last column is the body, by
whose size a page is bounded.
"""

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, LiteralString, TypeVar

import msgspec
from msgspec import structs

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.errors import StoreError
from toolpost.types.events import Event, event_decoder, event_encoder
from toolpost.types.messages import FilePart, Message

from .account_records import AccountRecord, ModelUse
from .contract import Approval, Exchange, SessionInfo, StoredObject, keeps_from, no_message
from .run_records import Holder, OpenRun, RunRecord, without_files

T = TypeVar("T")
_log = logging.getLogger("toolpost.store")

Row = tuple[Any, ...]
Key = tuple[float, ...]
Page = tuple[list[T], Key | None]
# The owner, kind and id of an object.
ObjectKey = tuple[str, str, str]

APPROVAL_COLUMNS: LiteralString = "id, project, permission, pattern, owner, fingerprint, described, time"
PAGE_ROWS = 256
PAGE_BYTES = 1024 * 1024
# A restored session's events are put together in rows of about this size.
EVENT_BATCH_BYTES = 64 * 1024

FIRST: Key = (-1,)
EARLIEST: Key = (-1, -1)
LATEST: Key = (math.inf, 2**63 - 1)

info_decoder = msgspec.json.Decoder(SessionInfo)
exchange_decoder = msgspec.json.Decoder(Exchange)
run_decoder = msgspec.json.Decoder(RunRecord)
_files_decoder = msgspec.json.Decoder(list[tuple[FilePart, ...]])
_run_encoder = msgspec.json.Encoder()


def page(rows: Iterable[Row], key_length: int, items_of: Callable[[Row], list[T]]) -> Page[T]:
    items: list[T] = []
    size = 0
    for count, row in enumerate(rows, start=1):
        items += items_of(row)
        size += len(row[-1])
        if size >= PAGE_BYTES or count >= PAGE_ROWS:
            return items, row[:key_length]
    return items, None


def decode(decoder: msgspec.json.Decoder[T], body: bytes, what: str) -> T:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(
            f"{what} cannot be read, it may come from a newer Toolpost: {explain_decode_error(error)}"
        ) from error


def decode_events(lines: bytes) -> list[Event]:
    try:
        return event_decoder.decode_lines(lines)
    except msgspec.ValidationError:
        # Newer versions may add types of events: pass over those, and only those.
        known = [line for line in lines.splitlines() if decode(_tag_decoder, line, "an event").type in _EVENT_TYPES]
        return [decode(event_decoder, line, "an event") for line in known]
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"events cannot be read, their rows are damaged: {explain_decode_error(error)}") from error


def approval_of(row: Row) -> Approval:
    """Decode an approval from the columns in `APPROVAL_COLUMNS`."""
    approval_id, project, permission, pattern, owner, fingerprint, described = (text.decode() for text in row[:7])
    return Approval(approval_id, project, permission, pattern, row[7], owner, fingerprint, described)


def object_of(row: Row) -> StoredObject:
    """An object from the columns of its row, whose texts come as bytes."""
    object_id, owner, kind, time, body, previous = row
    follows = None if previous is None else previous.decode()
    return StoredObject(object_id.decode(), owner.decode(), kind.decode(), time, bytes(body), follows)


def record_of(row: Row) -> AccountRecord:
    """A record of an account from its kind, id, owner, time, expires and body."""
    kind, record_id, owner, time, expires, body = row
    return AccountRecord(kind.decode(), record_id.decode(), bytes(body), owner.decode(), time, expires)


def use_of(row: Row) -> ModelUse:
    day, user, model = (text.decode() for text in row[:3])
    return ModelUse(day, user, model, *row[3:])


def run_columns(run: RunRecord) -> tuple[bytes, bytes]:
    """The body of an open run, and the files of its prompts, which only who begins it reads."""
    files = [prompt.files for prompt in run.prompts]
    return _run_encoder.encode(without_files(run)), _run_encoder.encode(files) if any(files) else b""


def run_of(session_id: str, body: bytes, files: bytes) -> RunRecord:
    run = decode(run_decoder, body, f"the open run of session {session_id}")
    if not files:
        return run
    each = decode(_files_decoder, files, f"the files of the open run of session {session_id}")
    prompts = (structs.replace(prompt, files=own) for prompt, own in zip(run.prompts, each, strict=False))
    return structs.replace(run, prompts=tuple(prompts))


def open_runs_of(info: bytes, body: bytes, holder: Holder | None) -> list[OpenRun]:
    """The open run of a row; nothing where it can't be read, so that the others can."""
    try:
        place, record = decode(_place_decoder, info, "a session"), decode(run_decoder, body, "an open run")
    except StoreError as error:
        _log.warning("%s", error)
        return []
    return [OpenRun(without_files(record), place.folder, place.owner, place.parent, holder)]


def check_branch(session_id: str, head: str | None, found: Sequence[Message]) -> None:
    """Raise if a walk from `head` ended before the root, where no compaction told it to end."""
    missing = found[0].parent_id if found else head
    stop = next((stop for message in reversed(found) if (stop := keeps_from(message))), None)
    if missing is not None and (not found or found[0].id != stop):
        raise no_message(session_id, missing)


def check_last_messages(session_id: str, head: str | None, found: Sequence[Message], limit: int) -> None:
    """Raise if a walk from `head` ended before the root and before its limit."""
    missing = found[0].parent_id if found else head
    if missing is not None and len(found) < limit:
        raise no_message(session_id, missing)


def unbroken_runs(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """Split events where a `seq` is missing: it may come later, after a commit that failed."""
    start = 0
    for index in range(1, len(events) + 1):
        if index == len(events) or events[index].seq != events[index - 1].seq + 1:
            yield events[start:index]
            start = index


def packed(events: Iterable[Event], session_id: str) -> Iterator[tuple[int, int, bytes]]:
    """Pack the events of a restored session into rows: first `seq`, last `seq`, lines."""
    lines = bytearray()
    first = last = 0
    for event in events:
        first = event.seq if not lines else first
        last = event.seq
        lines += event_encoder.encode(msgspec.structs.replace(event, session_id=session_id)) + b"\n"
        if len(lines) >= EVENT_BATCH_BYTES:
            yield first, last, bytes(lines)
            lines.clear()
    if lines:
        yield first, last, bytes(lines)


class _Place(msgspec.Struct):
    """Of a session's info, what an open run is told by."""

    folder: str = ""
    owner: str = ""
    parent: str | None = None


class _Tag(msgspec.Struct):
    """Of an event, what it is. Anything else than an object with such a tag is no event of any version."""

    type: str


_place_decoder = msgspec.json.Decoder(_Place)
_tag_decoder = msgspec.json.Decoder(_Tag)
_EVENT_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in Event.__args__)
