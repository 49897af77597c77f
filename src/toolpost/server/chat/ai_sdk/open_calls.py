"""Track a step's open calls and pending approvals, to know when the stream has to wait for a person."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from toolpost.arguments.tool_names import repair
from toolpost.types.events import PermissionAsked, QuestionAsked


class UiCall(Struct):
    """A call that has not ended. `raw` are its arguments as text, `child` is the session of the sub-agent that it
    started."""

    id: str
    name: str
    input: Any = None
    raw: str = ""
    child: str = ""


class ApprovalRequest(Struct, frozen=True):
    """A call that cannot continue before a person answers."""

    ask_id: str
    call: UiCall


class StepCalls:
    """The calls of one step. `is_serial` says whether a tool never runs beside another call of its turn."""

    def __init__(self, is_serial: Callable[[str], bool]) -> None:
        self._is_serial = is_serial
        self._tools: Sequence[str] = ()
        self._all: dict[str, UiCall] = {}
        self._open: dict[str, UiCall] = {}
        self._asks: dict[str, PermissionAsked] = {}
        self._questions: dict[str, QuestionAsked] = {}

    def begin(self, tools: Sequence[str]) -> None:
        """Begin a step with these tools."""
        self._tools = tools
        self.forget()

    def forget(self) -> None:
        self._all, self._open = {}, {}

    @property
    def open(self) -> list[UiCall]:
        return list(self._open.values())

    def get(self, call_id: str) -> UiCall | None:
        """Return an open call; None for a call that a tool has made, which is not a part of the message."""
        return self._open.get(call_id)

    def add(self, call: UiCall) -> None:
        self._all[call.id] = self._open[call.id] = call

    def end(self, call_id: str) -> UiCall | None:
        return self._open.pop(call_id, None)

    def ask(self, asked: PermissionAsked | QuestionAsked) -> None:
        if isinstance(asked, PermissionAsked):
            self._asks[asked.ask_id] = asked
        else:
            self._questions[asked.question_id] = asked

    def answered(self, asked_id: str) -> None:
        self._asks.pop(asked_id, None)
        self._questions.pop(asked_id, None)

    def asked_for(self, asked: PermissionAsked | QuestionAsked) -> UiCall | None:
        """Return the open call that an ask belongs to: its own, the one that made it, or the one that started the
        sub-agent."""
        call_id = asked.call_id
        if asked.child:
            senders = [call for call in self._open.values() if call.child]
            return next((call for call in senders if call.child == asked.child), senders[0] if senders else None)
        while call_id not in self._open and "/" in call_id:
            call_id = call_id.rpartition("/")[0]
        return self._open.get(call_id)

    def call_of(self, ask_id: str) -> UiCall | None:
        asked = self._asks.get(ask_id)
        return asked and self.asked_for(asked)

    def requests(self, but: Collection[str] = ()) -> list[ApprovalRequest]:
        """If nothing can continue before a person answers, return what is asked: one ask for each call, except those in
        `but`."""
        if not self._asks:
            return []
        waiting = {call.id for asked in self._questions.values() if (call := self.asked_for(asked)) is not None}
        wanted: dict[str, ApprovalRequest] = {}
        for asked in self._asks.values():
            call = self.asked_for(asked) if asked.ask_id not in but else None
            if call is not None:
                wanted.setdefault(call.id, ApprovalRequest(asked.ask_id, call))
        is_stuck = all(call.id in waiting or call.id in wanted for call in self._going_on())
        return list(wanted.values()) if is_stuck else []

    def _going_on(self) -> list[UiCall]:
        """Return the open calls whose turn has come; those after a call that runs alone wait for it."""
        group: list[UiCall] = []
        for call in self._all.values():
            alone = self._is_serial(repair(call.name, self._tools) or call.name)
            if alone and any(one.id in self._open for one in group):
                break
            group = [call] if alone else [*group, call]
            if alone and call.id in self._open:
                break
        return [call for call in group if call.id in self._open]
