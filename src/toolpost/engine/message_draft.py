"""An assistant message in the making: stream events in, parts and deltas out."""

import time
from typing import Any

from msgspec import structs

from toolpost.guard.known_secrets import TextStreamRedactor
from toolpost.guard.redact import known_secrets
from toolpost.tools.output_collector import clean
from toolpost.types.events import MessageEnd, MessageStart, MessageUpdate, ToolCalled
from toolpost.types.ids import new_id
from toolpost.types.messages import (
    ErrorInfo,
    FilePart,
    FinishReason,
    Message,
    Part,
    Pending,
    ReasoningPart,
    RetryPart,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
)
from toolpost.types.stream import (
    Finish,
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    StreamEvent,
    TextDelta,
    TextEnd,
    ToolCall,
    ToolInputDelta,
    ToolInputStart,
)

from .state import Core, Offer


class Draft:
    """Deltas are published as they come and joined once, at the end. `calls` are the whole calls by part."""

    def __init__(self, core: Core, step: int, offer: Offer) -> None:
        self.id = new_id("msg")
        self.offer = offer
        self.error: ErrorInfo | None = None
        self.calls: dict[int, ToolCall] = {}
        self.parts: list[Part] = [StepStart(step, core.setup.model.info.id, offer.names)]
        self._journal = core.journal
        self._parent = core.journal.info.head
        self._agent = core.setup.agent
        self._model = core.setup.model.info.id
        self._time = time.time()
        self._pieces: dict[int, list[str]] = {}
        self._places: dict[str, int] = {}
        self._inputs: dict[int, TextStreamRedactor] = {}
        self._text_place = -1
        self._text_id = ""

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
        """The same while deltas still come: with what they have brought, which is joined here for whoever looks."""
        if self.sealed:
            return self.message()
        parts = tuple(self._joined(place, part) for place, part in enumerate(self.parts))
        return structs.replace(self.message(), parts=parts)

    def add_text(self, event: TextDelta) -> None:
        place = self._text_place
        if place < 0 or event.id != self._text_id:
            place = self._open(f"text {event.id}", TextPart(""))
            self._text_place, self._text_id = place, event.id
        text = clean(event.text)
        self._pieces[place].append(text)
        journal = self._journal
        journal.publish(MessageUpdate(*journal.stamp(), self.id, place, "text", text))

    def add(self, event: StreamEvent) -> None:
        match event:
            case ToolInputDelta(id, text):
                self._add_input(self._places[f"call {id}"], clean(text), id)
            case ReasoningDelta(text, id):
                place, text = self._open(f"reasoning {id}", ReasoningPart("", started=time.time())), clean(text)
                self._pieces[place].append(text)
                self._journal.publish(MessageUpdate(*self._journal.stamp(), self.id, place, "reasoning", text))
            case ReasoningEnd(id, metadata):
                self._end(f"reasoning {id}", metadata)
            case TextEnd(id, metadata):
                self._end(f"text {id}", metadata)
                self._text_place = -1
            case ToolInputStart(id, name):
                place = self._open(f"call {id}", ToolPart(id, name, Pending()))
                self._journal.publish(MessageUpdate(*self._journal.stamp(), self.id, place, "tool_input", "", id, name))
            case ToolCall():
                self._add_call(event)
            case GeneratedFile():
                self._add_file(event)
            case _:
                pass

    def finish(self, outcome: Finish, cost: float | None) -> None:
        """Close a turn that ended as it should. A call seen means `tool-calls`, unless the turn was cut."""
        reason: FinishReason = outcome.reason
        if reason == "stop" and any(isinstance(part, ToolPart) for part in self.parts):
            reason = "tool-calls"
        self._seal(StepFinish(reason, outcome.usage, cost, outcome.metadata))

    def close(self, reason: FinishReason, error: ErrorInfo | None = None) -> None:
        """Close a turn that failed or was aborted, if it is still open: what came stays, but its calls are not run, for
        nobody knows what the model would have said after them."""
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

    def replace(self, place: int, part: Part) -> None:
        self.parts[place] = part

    @property
    def has_begun(self) -> bool:
        """Whether the model has said anything yet."""
        return len(self.parts) > 1

    @property
    def reason(self) -> FinishReason | None:
        """Why the turn ended, once it has."""
        last = self.parts[-1]
        return last.reason if isinstance(last, StepFinish) else None

    def save(self) -> None:
        """Store how far it is; a store that does not outlive the process gets only the end."""
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
            self.parts[place] = self._joined(place, self.parts[place])
        self.parts.append(last)
        message = self.message()
        self._journal.save(message)
        self._journal.publish(MessageEnd(*self._journal.stamp(), message))

    def _joined(self, place: int, part: Part) -> Part:
        """A part with the deltas that came for it."""
        pieces = self._pieces.get(place)
        if pieces is None:
            return part
        if isinstance(part, TextPart | ReasoningPart):
            return structs.replace(part, text="".join(pieces))
        if isinstance(part, ToolPart) and isinstance(part.state, Pending) and not part.state.raw:
            return structs.replace(part, state=Pending("".join(pieces)))
        return part

    def _end_reasoning(self, place: int) -> None:
        part = self.parts[place]
        if isinstance(part, ReasoningPart) and not part.ended:
            self.parts[place] = structs.replace(part, ended=time.time())

    def _open(self, key: str, part: Part) -> int:
        place = self._places.get(key)
        if place is None:
            place = len(self.parts)
            self._places[key] = place
            self._pieces[place] = []
            self.parts.append(part)
        return place

    def _end(self, key: str, metadata: dict[str, Any] | None) -> None:
        """Forget the key, so that a later part may use the same id."""
        place = self._places.pop(key, None)
        if place is None:
            return
        self._end_reasoning(place)
        if metadata:
            self.parts[place] = structs.replace(self.parts[place], metadata=metadata)

    def _add_file(self, event: GeneratedFile) -> None:
        mime, name = clean(event.mime), clean(event.name)
        self.parts.append(FilePart(mime, event.data, event.url, name, event.metadata))
        update = MessageUpdate(*self._journal.stamp(), self.id, len(self.parts) - 1, "file", mime, name=name)
        self._journal.publish(update)

    def _add_input(self, place: int, text: str, call_id: str) -> None:
        """A secret that the user told the model is the user's own in the prompt, but not in a call."""
        flow = self._inputs.get(place)
        if flow is None:
            flow = self._inputs[place] = TextStreamRedactor(known_secrets())
        self._show_input(place, flow.feed(text), call_id)

    def _show_input(self, place: int, text: str, call_id: str) -> None:
        if text:
            self._pieces[place].append(text)
            self._journal.publish(MessageUpdate(*self._journal.stamp(), self.id, place, "tool_input", text, call_id))

    def _end_inputs(self) -> None:
        """Of a call that never became whole, what was held back."""
        for place, flow in self._inputs.items():
            part = self.parts[place]
            assert isinstance(part, ToolPart)
            self._show_input(place, flow.end(), part.call_id)
        self._inputs.clear()

    def _add_call(self, event: ToolCall) -> None:
        place = self._open(f"call {event.id}", ToolPart(event.id, event.name, Pending()))
        secrets = known_secrets()
        if place in self._inputs:
            self._show_input(place, self._inputs.pop(place).end(), event.id)
        raw = secrets.hide(event.raw) or "".join(self._pieces[place])
        self.parts[place] = ToolPart(event.id, event.name, Pending(raw), metadata=event.metadata)
        self.calls[place] = event
        arguments = secrets.hide_in(event.arguments)
        self._journal.publish(ToolCalled(*self._journal.stamp(), self.id, event.id, event.name, arguments))
