"""Assemble an assistant message from stream events, and publish its deltas."""

import time
from typing import Any

from msgspec import structs

from toolpost.guard.redact import known_secrets
from toolpost.guard.secret_replacer import TextStreamRedactor
from toolpost.types.events import DeltaKind, MessageEnd, MessageStart, MessageUpdate, ToolCalled
from toolpost.types.ids import new_id
from toolpost.types.messages import (
    ErrorInfo,
    FilePart,
    FinishReason,
    Message,
    Part,
    RetryPart,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
)
from toolpost.types.stream import Finish, GeneratedFile, TextDelta, ToolCall
from toolpost.types.text import clean

from .state import Core, OfferedTools
from .turn_reader import TurnParts


class Draft(TurnParts):
    """The parts of a step's message. Deltas are published as they come, and what a call holds of secrets is hidden."""

    def __init__(self, core: Core, step: int, offer: OfferedTools) -> None:
        super().__init__()
        self.id = new_id("msg")
        self.offer = offer
        self.begun: dict[str, float] = {}
        self.error: ErrorInfo | None = None
        self.parts = [StepStart(step, core.setup.model.info.id, offer.names)]
        self._journal = core.journal
        self._parent = core.journal.info.head
        self._agent = core.setup.agent
        self._model = core.setup.model.info.id
        self._time = time.time()
        self._inputs: dict[int, TextStreamRedactor] = {}
        self._text_id = ""
        self._text_place = -1

    @classmethod
    def taken_up(
        cls, core: Core, message: Message, offer: OfferedTools, calls: dict[int, ToolCall], begun: dict[str, float]
    ) -> "Draft":
        """A step whose turn is over and whose calls another process has not finished: `calls` are those that are run
        here, and `begun` says of which, by their ids, that they began there."""
        draft = cls(core, 0, offer)
        draft.id, draft.parts, draft.calls, draft.begun = message.id, list(message.parts), calls, begun
        draft._parent, draft._time, draft.error = message.parent_id, message.time, message.error
        return draft

    def begin(self) -> None:
        """Put the message at the head of the branch: a process that dies now leaves a trace of what it was doing."""
        journal = self._journal
        event = MessageStart(*journal.stamp(), self.message())
        journal.save(event.message)
        journal.change(head=self.id, open_seq=event.seq)
        journal.publish(event)

    def message(self) -> Message:
        """The message as it stands now."""
        return Message(
            self.id, "assistant", tuple(self.parts), self._parent, self._time, self._model, self._agent, self.error
        )

    def so_far(self) -> Message:
        """The same while deltas still come: with what they have brought, which is joined here."""
        return self.message() if self.sealed else structs.replace(self.message(), parts=tuple(self.joined()))

    def finish(self, outcome: Finish, cost: float | None) -> None:
        """Close a turn that ended as it should. A call seen means `tool-calls`, unless the turn was cut."""
        reason: FinishReason = outcome.reason
        if reason == "stop" and any(isinstance(part, ToolPart) for part in self.parts):
            reason = "tool-calls"
        self._seal(StepFinish(reason, outcome.usage, cost, outcome.metadata))

    def close(self, reason: FinishReason, error: ErrorInfo | None = None) -> None:
        """Close a turn that failed or was aborted, if it is still open: what came stays, but its calls are not run,
        because the model may have had more to say after them."""
        if not self.sealed:
            self.calls.clear()
            self.error = error
            self._seal(StepFinish(reason))

    def stop(self) -> None:
        """Say that a person stopped it: the turn, or the calls that it made."""
        self.close("aborted")
        last = self.parts[-1]
        if isinstance(last, StepFinish):
            self.parts[-1] = structs.replace(last, reason="aborted")

    def interrupt(self) -> None:
        """Close a turn whose time was up."""
        self.close("interrupted")

    def give_up(self, attempt: int, error: ErrorInfo, delay: float) -> None:
        """Close a failed attempt. It stays in the tree beside the next one; the branch goes on without it."""
        self.error = error
        self._seal(RetryPart(attempt, error, delay))
        self._journal.change(head=self._parent)

    @property
    def has_begun(self) -> bool:
        """Whether the model has said anything yet."""
        return len(self.parts) > 1

    @property
    def reason(self) -> FinishReason | None:
        """Why the turn ended, once it has."""
        last = self.parts[-1]
        return last.reason if isinstance(last, StepFinish) else None

    def replace(self, place: int, part: Part) -> None:
        """Put a call's new state in, and store how far the message is; a store that does not outlive the process gets
        only the end."""
        self.parts[place] = part
        if self._journal.durable:
            self._journal.save(self.message())

    @property
    def failed(self) -> bool:
        """True for an attempt that is made again: it is not on the branch."""
        return isinstance(self.parts[-1], RetryPart)

    @property
    def sealed(self) -> bool:
        return isinstance(self.parts[-1], StepFinish | RetryPart)

    def _seal(self, last: Part) -> None:
        self._end_inputs()
        for place in self._pieces:
            self._end_reasoning(place)
        self.parts = [*self.joined(), last]
        message = self.message()
        self._journal.save(message)
        self._journal.publish(MessageEnd(*self._journal.stamp(), message))

    def add_text(self, event: TextDelta) -> None:
        """The most frequent event by far, which mostly goes on with the text of the one before: the shortest way."""
        place = self._text_place
        if place < 0 or event.id != self._text_id:
            place = self._open(f"text {event.id}", TextPart(""))
            self._text_place, self._text_id = place, event.id
        text = clean(event.text)
        self._pieces[place].append(text)
        journal = self._journal
        journal.publish(MessageUpdate(*journal.stamp(), self.id, place, "text", text))

    def _grow(self, place: int, kind: DeltaKind, text: str, call_id: str = "", name: str = "") -> None:
        self._pieces[place].append(text)
        journal = self._journal
        journal.publish(MessageUpdate(*journal.stamp(), self.id, place, kind, text, call_id, name))

    def _end(self, key: str, metadata: dict[str, Any] | None) -> None:
        self._text_place = -1
        super()._end(key, metadata)

    def _add_file(self, event: GeneratedFile) -> None:
        super()._add_file(event)
        part = self.parts[-1]
        assert isinstance(part, FilePart)
        journal, place = self._journal, len(self.parts) - 1
        journal.publish(MessageUpdate(*journal.stamp(), self.id, place, "file", part.mime, name=part.name))

    def _add_input(self, place: int, text: str, call_id: str) -> None:
        """A secret that the user told the model is the user's own in the prompt, but not in a call."""
        flow = self._inputs.get(place)
        if flow is None:
            flow = self._inputs[place] = TextStreamRedactor(known_secrets())
        self._show_input(place, flow.feed(text), call_id)

    def _show_input(self, place: int, text: str, call_id: str) -> None:
        if text:
            self._grow(place, "tool_input", text, call_id)

    def _end_inputs(self) -> None:
        """Of a call that never became whole, what was held back."""
        for place, flow in self._inputs.items():
            part = self.parts[place]
            assert isinstance(part, ToolPart)
            self._show_input(place, flow.end(), part.call_id)
        self._inputs.clear()

    def _add_call(self, call: ToolCall, raw: str) -> None:
        place = self._places.get(f"call {call.id}", -1)
        if place in self._inputs:
            self._show_input(place, self._inputs.pop(place).end(), call.id)
        secrets, journal = known_secrets(), self._journal
        super()._add_call(call, secrets.hide(raw))
        journal.publish(ToolCalled(*journal.stamp(), self.id, call.id, call.name, secrets.hide_in(call.arguments)))
