"""Unique ids for the calls of one answer, and removal of calls that a stream repeats.

Servers, proxies and reconnecting streams send events twice. Two calls under one id with the same arguments are one
call. With other arguments they are two, for some servers give every call the same id; the second then gets another.
Calls without an id are never taken for each other.
"""

from collections.abc import Sequence
from typing import Any

from toolpost.arguments.parse_json import canonical
from toolpost.types.ids import new_id
from toolpost.types.stream import (
    Finish,
    StreamError,
    StreamEvent,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)

_INPUT = (ToolInputStart, ToolInputDelta, ToolInputEnd)


class CallIds:
    """Give ids with `unique`, pass all events through `settle`: what a call under a known id says is held back until
    the call is whole, and dropped if it was said before."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._on_wire: dict[str, str] = {}
        self._known: set[str] = set()
        # The whole calls under an id of the wire, by name.
        self._said: dict[str, dict[str, set[str]]] = {}
        self._held: dict[str, list[StreamEvent]] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def unique(self, wire_id: Any, prefix: str = "call", *, under: str = "") -> str:
        """The id that the wire gave a call, or another where it gave none or gave it before. A call that the wire gave
        none may stand `under` the id of the one before it."""
        given = wire_id if isinstance(wire_id, str) else ""
        call_id = given if given and given not in self._ids else new_id(prefix)
        self._ids.add(call_id)
        self.know(call_id, given or under)
        return call_id

    def know(self, call_id: str, wire_id: str) -> None:
        """Say which id a call has on the wire, where that comes after its beginning."""
        if not wire_id:
            return
        if wire_id in self._known:
            self._held.setdefault(call_id, [])
        self._known.add(wire_id)
        self._on_wire[call_id] = wire_id

    def settle(self, events: Sequence[StreamEvent]) -> Sequence[StreamEvent]:
        """The same events without the calls that were said before."""
        if not self._on_wire:
            return events
        passed: list[StreamEvent] = []
        for event in events:
            if isinstance(event, ToolCall):
                passed += self._whole(event)
            elif isinstance(event, _INPUT) and event.id in self._held:
                self._held[event.id].append(event)
            else:
                if isinstance(event, Finish | StreamError):
                    passed += self._unfinished()
                passed.append(event)
        return passed

    def settle_written(self, events: Sequence[StreamEvent]) -> Sequence[StreamEvent]:
        """The same for calls that were written as text, whose ids are known only at their end."""
        passed: list[StreamEvent] = []
        for event in events:
            if isinstance(event, ToolInputStart) and self._said:
                self._held.setdefault(event.id, [])
            elif isinstance(event, ToolCall):
                self.know(event.id, str((event.metadata or {}).get("prompted", {}).get("id") or ""))
            passed += self.settle((event,))
        return passed

    def _whole(self, call: ToolCall) -> list[StreamEvent]:
        held, wire_id = self._held.pop(call.id, None), self._on_wire.get(call.id)
        if wire_id is None:
            return [*(held or ()), call]
        said = self._said.setdefault(wire_id, {})
        key = f"{canonical(call.arguments)} {call.raw}"
        if held is not None and call.name in said and (key in said[call.name] or _is_bare(call, held)):
            return []
        said.setdefault(call.name, set()).add(key)
        return [*(held or ()), call]

    def _unfinished(self) -> list[StreamEvent]:
        """What was held back of calls that never became whole."""
        rest = [event for held in self._held.values() if len(held) > 1 for event in held]
        self._held.clear()
        return rest


def _is_bare(call: ToolCall, held: Sequence[StreamEvent]) -> bool:
    """True where only the beginning of a call came, with nothing of its arguments."""
    return not call.arguments and not call.raw and not any(isinstance(event, ToolInputDelta) for event in held)
