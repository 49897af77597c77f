"""Follow what a person is asked: approvals and questions, until they are answered."""

from collections.abc import Sequence
from typing import Any, cast

from msgspec import structs

from toolpost.types.events import PermissionAsked, PermissionReplied, QuestionAsked, QuestionReplied

from .call_items import CallItems
from .item_list import ItemList
from .items import ApprovalItem, AskState, CallItem, QuestionItem

AskEvent = PermissionAsked | PermissionReplied | QuestionAsked | QuestionReplied


class AskItems:
    def __init__(self, items: ItemList, calls: CallItems) -> None:
        self._items = items
        self._calls = calls
        # Of each open ask the call that it is for, as the engine names it.
        self._open: dict[str, str] = {}

    @property
    def open(self) -> Sequence[ApprovalItem | QuestionItem]:
        return [item for id in self._open if isinstance(item := self._items.get(id), ApprovalItem | QuestionItem)]

    def session_of(self, event: AskEvent) -> str:
        """The sub-agent's session that it is about, or nothing."""
        if isinstance(event, PermissionAsked | QuestionAsked):
            return event.child
        item = self._items.get(event.ask_id if isinstance(event, PermissionReplied) else event.question_id)
        return item.session_id if isinstance(item, ApprovalItem | QuestionItem) else ""

    def take(self, event: AskEvent, *, is_own: bool) -> None:
        """`is_own` if the call that asks is one of this transcript, and not of a sub-agent."""
        match event:
            case PermissionAsked():
                call = self._call(event, is_own)
                self._add(_approval(event, call), call, event.call_id)
            case QuestionAsked():
                call = self._call(event, is_own)
                self._add(_question(event, call), call, event.call_id)
            case PermissionReplied():
                self._reply(event, is_own)
            case QuestionReplied():
                item = self._items.get(event.question_id)
                if isinstance(item, QuestionItem):
                    state: AskState = "dismissed" if event.dismissed else "answered"
                    self._close(structs.replace(item, state=state, answers=event.answers))

    def link(self, call_id: str) -> None:
        """A call is known now: what is asked for it may have been told before."""
        call = self._calls.find(call_id)
        for item in self.open:
            if call is not None and not item.call and self._open[item.id] == call_id:
                self._items.put(structs.replace(item, call=call.id))
                self._calls.ask(call, item.id)

    def close(self) -> None:
        """The run has ended: nothing can be answered any more."""
        for item in self.open:
            self._close(structs.replace(item, state="closed"))

    def _call(self, event: PermissionAsked | QuestionAsked, is_own: bool) -> CallItem | None:
        return self._calls.find(event.call_id) if is_own else self._calls.find_sender(event.child)

    def _add(self, item: ApprovalItem | QuestionItem, call: CallItem | None, call_id: str) -> None:
        if item.id in self._items:
            return
        self._open[item.id] = call_id
        self._items.put(item)
        if call is not None:
            self._calls.ask(call, item.id)

    def _reply(self, event: PermissionReplied, is_own: bool) -> None:
        item = self._items.get(event.ask_id)
        if not isinstance(item, ApprovalItem):
            return
        state: AskState = event.reply if event.by == "person" else "closed"
        self._close(structs.replace(item, state=state, reply=event.reply, message=event.message), event, is_own=is_own)

    def _close(
        self, item: ApprovalItem | QuestionItem, reply: PermissionReplied | None = None, *, is_own: bool = True
    ) -> None:
        """Take it out of the transcript, as it is at its end."""
        self._open.pop(item.id, None)
        self._items.put(item)
        self._items.remove(item.id)
        call = self._items.get(item.call)
        if isinstance(call, CallItem) and not call.is_finished:
            self._calls.answered(call, item.id, reply if is_own else None)


def _approval(event: PermissionAsked, call: CallItem | None) -> ApprovalItem:
    told = (event.details or {}).get("arguments")
    arguments = cast("dict[str, Any]", told) if isinstance(told, dict) else None
    if arguments is None and call is not None and not event.child:
        arguments = call.arguments
    return ApprovalItem(
        id=event.ask_id,
        permission=event.permission,
        patterns=event.patterns,
        always=event.always,
        title=event.title,
        call=call.id if call is not None else "",
        arguments=arguments,
        details=event.details,
        agent=event.agent,
        session_id=event.child,
        time=event.time,
    )


def _question(event: QuestionAsked, call: CallItem | None) -> QuestionItem:
    return QuestionItem(
        id=event.question_id,
        fields=event.questions,
        call=call.id if call is not None else "",
        agent=event.agent,
        session_id=event.child,
        time=event.time,
    )
