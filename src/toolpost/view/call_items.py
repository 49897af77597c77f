"""Follow the calls of a transcript through their events."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from toolpost.types.events import (
    MessageUpdate,
    PermissionReplied,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from toolpost.types.messages import CallErrorKind, Consent, ToolPart

from .growing_text import GrowingText
from .item_list import ItemList
from .items import CallError, CallItem, CallPhase, text_of
from .live_output import LiveOutput
from .message_items import call_of, item_id, phase_of, read_arguments, sub_agent_of


class CallItems:
    """The calls that have not ended, by their ids: a provider may use an id again in a later message."""

    def __init__(self, items: ItemList) -> None:
        self._items = items
        self._open: dict[str, str] = {}

    @property
    def open(self) -> Sequence[CallItem]:
        return [call for id in self._open.values() if (call := self._item(id)) is not None]

    def find(self, call_id: str) -> CallItem | None:
        """The open call with this id."""
        return self._item(self._open.get(call_id, ""))

    def find_sender(self, session_id: str) -> CallItem | None:
        """The open call that has sent the sub-agent of this session."""
        return next((call for call in self.open if call.sub_agent and call.sub_agent.session_id == session_id), None)

    def adopt(self, item: CallItem) -> None:
        """Follow a call that was stored before it had ended."""
        if not item.has_ended:
            self._open[item.call_id] = item.id

    def write(self, event: MessageUpdate, before: str) -> GrowingText | None:
        """A piece of its arguments; returns what they have grown to."""
        call = self.find(event.call_id)
        if call is None or call.message_id != event.message_id:
            id = item_id(event.message_id, event.call_id)
            call = CallItem(
                id=id, message_id=event.message_id, call_id=event.call_id, name=event.name, raw=GrowingText(event.text)
            )
            self._add(call, before)
        elif event.text and call.raw is not None:
            call.raw.add(event.text)
            self._items.touch(call.id)
        return call.raw

    def whole(self, event: ToolCalled, *, is_made_by_code: bool) -> None:
        """Its arguments are whole."""
        id = item_id(event.message_id, event.call_id)
        call = self._item(id)
        if call is None:
            parent = id.rpartition("/")[0] if is_made_by_code else ""
            call = CallItem(
                id=id,
                message_id=event.message_id,
                call_id=event.call_id,
                name=event.name,
                phase="ready",
                arguments=event.arguments,
                parent=parent if parent in self._items else "",
            )
            self._add(call)
        elif call.phase == "preparing":
            self._items.put(structs.replace(call, phase="ready", name=event.name, arguments=event.arguments))

    def settle(self, message_id: str, part: ToolPart, before: str) -> None:
        """The message of the call is whole, or was closed: what is stored of it is what counts."""
        stored = call_of(message_id, part)
        call = self._item(stored.id)
        if call is None:
            self._add(stored, before)
        elif stored.is_finished:
            self._end(structs.replace(stored, label=call.label, output=call.output, sub_agent=call.sub_agent))
        elif call.phase == "preparing":
            self._items.put(structs.replace(call, phase="ready"))

    def start(self, event: ToolExecutionStart) -> None:
        call = self._known(event)
        if call is None:
            return
        usual = event.name.replace("_", " ")
        label = "" if event.label in (event.name, usual[:1].upper() + usual[1:]) else event.label
        self._items.put(
            structs.replace(
                call,
                phase=_phase(call, "running"),
                name=event.name,
                label=label,
                arguments=event.arguments,
                started=event.time,
                output=LiveOutput(),
            )
        )

    def update(self, event: ToolExecutionUpdate) -> None:
        call = self.find(event.call_id) or self._begun_before(event, "")
        if call.output is None:
            call = structs.replace(call, output=LiveOutput())
            self._items.put(call)
        if event.text and call.output is not None:
            call.output.add(event.text)
            self._items.touch(call.id)
        if event.details is not None:
            sub_agent = sub_agent_of(event.details, call.sub_agent)
            self._items.put(structs.replace(call, details=event.details, sub_agent=sub_agent))

    def end(self, event: ToolExecutionEnd) -> CallItem | None:
        """The call as it is at its end; None if that was known."""
        call = self._known(event)
        if call is None:
            return None
        text = text_of(event.content)
        arguments, unread = read_arguments(call.arguments, str(call.raw or "")) if event.is_error else ({}, None)
        kind = event.error_kind or "failed"
        ended = structs.replace(
            call,
            phase=phase_of(kind) if event.is_error else "done",
            name=event.name,
            title=event.title,
            arguments=call.arguments or arguments,
            raw=unread,
            content=() if event.is_error else event.content,
            details=event.details,
            error=CallError(kind, text) if event.is_error else None,
            duration=event.duration,
            sub_agent=sub_agent_of(event.details, call.sub_agent, text if event.is_error else ""),
        )
        self._end(ended)
        return ended

    def close(self, kind: CallErrorKind, phases: Sequence[CallPhase], message_id: str = "") -> None:
        """End the calls that are in one of these phases, of a message or of all: nothing more comes of them."""
        for call in self.open:
            if call.phase in phases and message_id in ("", call.message_id):
                arguments, unread = read_arguments(call.arguments, str(call.raw or ""))
                self._end(
                    structs.replace(call, phase=phase_of(kind), error=CallError(kind), arguments=arguments, raw=unread)
                )

    def begin_again(self, call_ids: Sequence[str]) -> None:
        """They run once more, in another process: what they had shown comes again."""
        for call in filter(None, map(self.find, call_ids)):
            self._items.put(structs.replace(call, output=LiveOutput()))

    def hand_over(self) -> None:
        """The run has ended, and whoever brought the tools runs them."""
        for call in self.open:
            self._items.put(structs.replace(call, phase="handed_over", output=None))

    def ask(self, call: CallItem, ask_id: str) -> None:
        self._items.put(_with_asks(structs.replace(call, phase="asking"), (*call.asks, ask_id)))

    def answered(self, call: CallItem, ask_id: str, reply: PermissionReplied | None = None) -> None:
        """An ask that it waited for is closed. A person's answer stays with it."""
        asks = tuple(known for known in call.asks if known != ask_id)
        consent = call.consent
        if reply is not None and reply.by == "person":
            consent = Consent(ask_id, reply.reply, reply.message)
        is_allowed = consent is not None and consent.ask_id == ask_id and consent.reply != "reject"
        after: CallPhase = "running" if call.has_begun else "answered" if is_allowed else "ready"
        call = structs.replace(call, consent=consent, phase="asking" if asks else after)
        self._items.put(_with_asks(call, asks))

    def forget(self, message_id: str) -> None:
        """The message was taken back."""
        self._open = {
            call_id: id
            for call_id, id in self._open.items()
            if (item := self._item(id)) and item.message_id != message_id
        }

    def _known(self, event: ToolExecutionStart | ToolExecutionEnd) -> CallItem | None:
        """The open call of an event, or one that began before the view did; None for one that has ended."""
        call = self.find(event.call_id)
        if call is None and item_id(event.message_id, event.call_id) not in self._items:
            return self._begun_before(event, event.message_id)
        return call

    def _begun_before(
        self, event: ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd, message_id: str
    ) -> CallItem:
        id = item_id(message_id, event.call_id)
        call = CallItem(id=id, message_id=message_id, call_id=event.call_id, name=event.name, phase="running")
        self._add(call)
        return call

    def _add(self, call: CallItem, before: str = "") -> None:
        self._items.put(call, before=before, after=_last_inside(self._items, call.parent))
        self.adopt(call)

    def _end(self, call: CallItem) -> None:
        if call.output is not None:
            call.output.end()
        if self._open.get(call.call_id) == call.id:
            del self._open[call.call_id]
        self._items.put(structs.replace(call, asks=(), is_finished=True))

    def _item(self, id: str) -> CallItem | None:
        item = self._items.get(id)
        return item if isinstance(item, CallItem) else None


def _with_asks(call: CallItem, asks: tuple[str, ...]) -> CallItem:
    sub_agent = call.sub_agent
    if sub_agent is not None:
        sub_agent = structs.replace(sub_agent, is_asking=bool(asks))
    return structs.replace(call, asks=asks, sub_agent=sub_agent)


def _phase(call: CallItem, phase: CallPhase) -> CallPhase:
    return "asking" if call.asks else phase


def _last_inside(items: ItemList, parent: str) -> str:
    """The item behind which another call of the same parent stands."""
    if not parent:
        return ""
    last = parent
    for id in items.ids[items.position(parent) :]:
        item: Any = items.get(id)
        if isinstance(item, CallItem) and item.parent == parent:
            last = id
    return last
