"""A conversation of another chat, and the session that it becomes."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from toolpost.store.contract import SessionInfo
from toolpost.types.messages import Message, Part, Role, StepFinish, StepStart, TextPart

TITLE_CHARACTERS = 80
# What reading a document of others can raise, whatever it holds: numbers without end, and depths, too.
READ_ERRORS = (ValueError, TypeError, AttributeError, KeyError, OverflowError, RecursionError)


class ImportedMessage(Struct, frozen=True):
    """`parent` is the id of the message before it, and None for a first one. Without a role it is left out, and those
    after it follow the one before."""

    id: str
    role: Role | None
    parts: tuple[Part, ...]
    parent: str | None = None
    time: float = 0.0
    model: str = ""

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))


class ImportedChat(Struct, frozen=True):
    """`place` says where it was read, and `user` whose it was there; `head` is the last message of the branch that was
    shown."""

    source: str
    id: str
    place: str
    messages: Sequence[ImportedMessage]
    title: str = ""
    created: float = 0.0
    updated: float = 0.0
    head: str | None = None
    user: str = ""


class UnreadEntry(Struct, frozen=True):
    """What cannot be read: where it is, and why."""

    place: str
    reason: str


def session_of(chat: ImportedChat, folder: str, owner: str = "") -> tuple[SessionInfo, list[Message]]:
    """The session of a chat. It has the same id each time, so that nothing is imported twice."""
    nodes = {one.id: one for one in chat.messages}
    kept = [one for one in _parents_first(chat.messages) if one.role is not None and one.parts]
    times = [one.time for one in kept if one.time]
    created = chat.created or min(times, default=0.0)
    updated = chat.updated or max(times, default=created)
    session_id = _id("ses", created, chat.source, chat.id, folder, owner)
    ids: dict[str, str] = {}
    messages: list[Message] = []
    for one in kept:
        # Only what is written before it can be its parent: of a circle, the first message has none.
        parent = _kept_parent(one, nodes, ids)
        ids[one.id] = _id("msg", one.time or created, session_id, one.id)
        time = one.time or created
        messages.append(Message(ids[one.id], one.role or "user", _as_step(one), parent, time, one.model))
    info = SessionInfo(
        session_id,
        title=chat.title.strip() or _title(kept),
        folder=folder,
        owner=owner,
        created=created,
        updated=updated,
        head=_head(chat, nodes, ids, kept),
        metadata={"imported": {"source": chat.source, "id": chat.id}},
    )
    return info, messages


def _id(prefix: str, time: float, *parts: str) -> str:
    """In the form of all ids: it sorts by time."""
    digest = hashlib.sha256(msgspec.json.encode(parts)).hexdigest()
    return f"{prefix}_{max(0, int(time * 1000)) & 0xFFFFFFFFFFFF:012x}{digest[:32]}"


def _as_step(message: ImportedMessage) -> tuple[Part, ...]:
    if message.role == "user":
        return message.parts
    return (StepStart(1, message.model), *message.parts, StepFinish("stop"))


def _parents_first(messages: Sequence[ImportedMessage]) -> Iterator[ImportedMessage]:
    """Each message after its parent, else in the order given. A message whose parent is not there is a first one, and
    of those that follow each other in a circle none is left out."""
    known = {one.id for one in messages}
    children: dict[str, list[ImportedMessage]] = {}
    roots: list[ImportedMessage] = []
    for one in messages:
        is_root = one.parent is None or one.parent not in known
        (roots if is_root else children.setdefault(str(one.parent), [])).append(one)
    seen: set[str] = set()
    for start in (*roots, *messages):
        waiting = [start]
        while waiting:
            one = waiting.pop()
            if one.id not in seen:
                seen.add(one.id)
                yield one
                waiting += reversed(children.get(one.id, ()))


def _kept_parent(message: ImportedMessage, nodes: Mapping[str, ImportedMessage], ids: Mapping[str, str]) -> str | None:
    """The nearest message before it that is among `ids`."""
    seen, parent = {message.id}, message.parent
    while parent is not None and parent in nodes and parent not in seen:
        if parent in ids:
            return ids[parent]
        seen.add(parent)
        parent = nodes[parent].parent
    return None


def _head(
    chat: ImportedChat,
    nodes: Mapping[str, ImportedMessage],
    ids: Mapping[str, str],
    kept: Sequence[ImportedMessage],
) -> str | None:
    if chat.head is not None and chat.head in ids:
        return ids[chat.head]
    if chat.head is not None and chat.head in nodes:
        return _kept_parent(nodes[chat.head], nodes, ids) or _last(ids, kept)
    return _last(ids, kept)


def _last(ids: Mapping[str, str], kept: Sequence[ImportedMessage]) -> str | None:
    """The newest message; of several from the same time the last one."""
    newest = max(enumerate(kept), key=lambda one: (one[1].time, one[0]), default=None)
    return None if newest is None else ids[newest[1].id]


def _title(kept: Sequence[ImportedMessage]) -> str:
    text = next((one.text.strip() for one in kept if one.role == "user" and one.text.strip()), "")
    line = text.splitlines()[0] if text else ""
    return line if len(line) <= TITLE_CHARACTERS else f"{line[: TITLE_CHARACTERS - 1]}…"
