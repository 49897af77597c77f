"""Convert the events of a run into the AI SDK's UI message stream, version 1."""

from collections.abc import Callable, Collection
from typing import Any, Literal

import msgspec
from msgspec import structs

from toolpost.engine.call_pipeline import ABORTED
from toolpost.engine.turn_calls import TRUNCATED
from toolpost.server.chat.message_tree import MessageTree, is_attempt
from toolpost.types.events import (
    CUTTING_LIMITS,
    CompactionEnd,
    CompactionStart,
    Event,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    Notice,
    ParkReason,
    PermissionAsked,
    PermissionReplied,
    QuestionAsked,
    QuestionReplied,
    Retry,
    RunEnd,
    RunParked,
    RunResumed,
    RunStart,
    Settled,
    StepEnd,
    StepStarted,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from toolpost.types.messages import CallErrorKind, ErrorInfo, FilePart, Message, Pending, RetryPart, ToolPart

from .messages import compaction_part, head_metadata, steer_part
from .open_calls import ApprovalRequest, StepCalls, UiCall
from .parts import (
    block_id,
    cut_extras,
    extras_of,
    file_fields,
    is_dynamic,
    output_of,
    text_of,
    tool_data,
    totals,
    user_parts,
)

HEADERS = {"x-vercel-ai-ui-message-stream": "v1"}
PING = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"
Approvals = Literal["end", "live"]
# How what a failed attempt has shown is taken back. `reset-step` is a chunk that version 7 of the AI SDK knows; for
# version 6 it would be the end of the stream, and nothing else takes text back: there it is marked.
Retraction = Literal["mark", "reset-step"]

# What a stream ends with whose run goes on only when a person says so.
INTERRUPTED = "The process that ran this has ended. The answer is interrupted: it goes on when you resume it."
# A call that waits for others shows this as its output so far: the SDK goes on only if every call shows something.
NOT_YET = "This call waits for the others."
BROKE_OFF = "\n\n[The answer broke off here. It begins again below.]"
LOST = ErrorInfo("interrupted", "the process that wrote this has ended before it was stored")
_FINISH = {"done": "stop", "handed_over": "tool-calls"}


class UiStream:
    """Feed it the events of one run from its beginning, until the run `is_over`.

    With approvals "end" it has `requests` once nothing continues before a person answers: then `pause` ends the stream,
    and `go_on` begins the one that follows the answer. A run that `is_interrupted` goes on only when a person resumes
    it: `interrupt` ends the stream. Its state depends on the events alone, so feeding them again leads to the same
    place. `tree` has the messages before the run, and those of the run that are known already: an attempt that is known
    to have failed is not shown at all. `title` returns the session's title, and `window` the model's context window.
    """

    def __init__(
        self,
        approvals: Approvals = "end",
        retract: Retraction = "mark",
        *,
        tree: MessageTree | None = None,
        title: Callable[[], str] = str,
        is_serial: Callable[[str], bool] = lambda name: False,
        window: Callable[[], int | None] = lambda: None,
    ) -> None:
        self.is_over = False
        self.is_interrupted = False
        self.requests: list[ApprovalRequest] = []
        self._approvals = approvals
        self._retract = retract
        self._tree = tree
        self._title = title
        self._window = window
        self._calls = StepCalls(is_serial)
        self._out = bytearray()
        self._answered: frozenset[str] = frozenset()
        self._message: Message | None = None
        self._is_writing = False
        self._has_started = False
        self._has_step = False
        self._has_text = False
        self._is_step_over = False
        self._is_reset = False
        self._failed_attempt = ""
        self._held: list[dict[str, Any]] = []
        self._blocks: dict[int, str] = {}
        self._answer: list[Message] = []
        self._tokens = 0
        self._end: RunEnd | None = None

    def feed(self, event: Event) -> bytes:
        self._take(event)
        if self._approvals == "end" and not self._is_writing:
            self.requests = self._calls.requests(self._answered)
        return self._taken()

    def call_of(self, ask_id: str) -> UiCall | None:
        """Return the call that an open ask belongs to."""
        return self._calls.call_of(ask_id)

    def pause(self) -> bytes:
        """End the stream here: the client's next request brings the answers."""
        asked = {request.call.id for request in self.requests}
        for request in self.requests:
            self._put("tool-approval-request", approvalId=request.ask_id, toolCallId=request.call.id)
        for call in self._calls.open:
            if call.id not in asked:
                self._put("tool-output-available", toolCallId=call.id, output=NOT_YET, preliminary=True)
        self._put("finish-step")
        self._put("finish", finishReason="tool-calls", messageMetadata=totals(self._answer))
        self._out += DONE
        return self._taken()

    def interrupt(self) -> bytes:
        """End the stream of a run that is interrupted."""
        self._put("error", errorText=INTERRUPTED)
        self._out += DONE
        self.is_over = True
        return self._taken()

    def close(self) -> bytes:
        """End the stream where no more events come: the process that ran it may have died with its last word."""
        if self._end is not None and not self.is_over:
            self._finish(self._end)
        return self._taken()

    def go_on(self, answered: Collection[str]) -> bytes:
        """Continue the same message after these asks were answered."""
        self._answered = frozenset(answered)
        asked = {request.call.id for request in self.requests}
        self._put("start")
        for call in self._calls.open:
            if call.id not in asked:
                self._show_input(call)
        self.requests = []
        return self._taken()

    def _take(self, event: Event) -> None:
        match event:
            case MessageUpdate():
                self._update(event)
            case MessageStart():
                self._begin_message(event.message)
            case MessageEnd():
                if event.message.role == "assistant":
                    self._end_message(event.message)
            case ToolCalled() | ToolExecutionStart() | ToolExecutionUpdate() | ToolExecutionEnd():
                self._convert_call(event)
            case PermissionAsked() | PermissionReplied() | QuestionAsked() | QuestionReplied():
                self._take_ask(event)
            case RunStart() | RunEnd() | Settled():
                self._take_run(event)
            case RunParked():
                self.is_interrupted = event.reason == "interrupted"
                self._out += parked(event.reason)
            case RunResumed():
                self._resume(event)
            case StepStarted():
                self._calls.begin(event.tools)
            case StepEnd():
                self._end_step(event)
            case CompactionStart():
                self._tokens = event.tokens
                self._tell("compaction", {"reason": event.reason, "tokens": event.tokens})
            case CompactionEnd():
                self._end_compaction(event)
            case Notice():
                self._tell("notice", {"code": event.code, "text": event.text, "data": event.data})
            case Retry():
                error = {"code": event.error.code, "message": event.error.message}
                told = {"attempt": event.attempt, "delay": event.delay, "nextAt": event.next_at, "error": error}
                self._tell("retry", told)
            case _:
                pass

    def _take_run(self, event: RunStart | RunEnd | Settled) -> None:
        if self._end is not None:
            # Only now the session is free, or another run has begun: whoever hears the end may write again at once.
            self._finish(self._end)
        elif isinstance(event, RunStart):
            told = {"id": event.session_id, "title": self._title(), "run": event.run_id, "model": event.model}
            self._tell("session", told)
        elif isinstance(event, RunEnd):
            self._end = event

    def _resume(self, event: RunResumed) -> None:
        self.is_interrupted = False
        if self._is_writing and self._message is not None:
            # Of this message nothing was stored: the process that goes on does not know what was shown of it.
            self._end_message(structs.replace(self._message, parts=(RetryPart(0, LOST, 0.0),), error=LOST))
        self._tell("resumed", {"run": event.run_id, "model": event.model, "interrupted": event.interrupted})

    def _begin_message(self, message: Message) -> None:
        if self._tree is not None:
            if message.id in self._tree and self._tree[message.id].is_attempt:
                self._failed_attempt = message.id
                return
            self._tree.add(message)
        if message.role == "assistant":
            self._message, self._is_writing = message, True
            self._has_step = self._has_text = self._is_step_over = False
        elif self._message is None:
            told = {"id": message.id, "parent": message.parent_id, "parts": user_parts(message)}
            self._tell("prompt", told)
        else:
            self._put_part(steer_part(message))

    def _update(self, event: MessageUpdate) -> None:
        if event.message_id == self._failed_attempt:
            return
        self._open_step()
        if event.kind == "file":
            return
        assert self._message is not None
        if event.kind == "tool_input":
            self._update_input(event)
            return
        self._has_text |= event.kind == "text"
        if event.part not in self._blocks:
            self._close_blocks()
            self._blocks[event.part] = event.kind
            self._put(f"{event.kind}-start", id=block_id(self._message, event.part))
        self._put(f"{event.kind}-delta", id=block_id(self._message, event.part), delta=event.text)

    def _update_input(self, event: MessageUpdate) -> None:
        if self._calls.get(event.call_id) is None:
            self._close_blocks()
            self._calls.add(UiCall(event.call_id, event.name))
            self._put("tool-input-start", toolCallId=event.call_id, toolName=event.name, **_dynamic(event.name))
            self._put_part(tool_data(event.call_id, {}))
        if event.text:
            self._put("tool-input-delta", toolCallId=event.call_id, inputTextDelta=event.text)

    def _end_message(self, message: Message) -> None:
        self._is_writing = False
        if self._tree is not None:
            self._tree.add(message)
        if is_attempt(message):
            # It may have been whole here, but not yet stored.
            self._answer = [known for known in self._answer if known.id != message.id]
            if self._has_step and message.id != self._failed_attempt:
                self._take_back(message)
            self._calls.forget()
            return
        self._open_step()
        self._close_blocks()
        for part in message.parts:
            if isinstance(part, FilePart):
                fields = file_fields(part)
                self._put("file", mediaType=fields["mediaType"], url=fields["url"])
        self._keep_raw(message)
        self._answer.append(message)

    def _take_back(self, message: Message) -> None:
        """Retract what a failed attempt has shown, or mark where it broke off and let the next attempt be a new
        step."""
        if self._is_step_over:
            # It was whole, but its process died before that was stored: the client can only load it again.
            self._tell("retracted", {"messageId": message.id})
            return
        if self._retract == "reset-step":
            self._blocks.clear()
            self._put("reset-step")
            # The next attempt goes on in the same step, unless a summary stands between the two.
            self._is_reset = message.error is not None and message.error.code != "context_overflow"
        else:
            if self._has_text:
                self._mark_broken(message)
            self._close_blocks()
            self._keep_raw(message)
            self._cut_calls("failed", message.error.message if message.error else ABORTED)
        if not self._is_reset:
            self._put("finish-step")
        self._tell("retracted", {"messageId": message.id})

    def _mark_broken(self, message: Message) -> None:
        part = next((part for part, kind in self._blocks.items() if kind == "text"), None)
        if part is None:
            part = len(message.parts)
            self._blocks[part] = "text"
            self._put("text-start", id=block_id(message, part))
        self._put("text-delta", id=block_id(message, part), delta=BROKE_OFF)

    def _keep_raw(self, message: Message) -> None:
        for part in message.parts:
            call = self._calls.get(part.call_id) if isinstance(part, ToolPart) else None
            if call is not None and isinstance(part, ToolPart) and isinstance(part.state, Pending):
                call.raw = part.state.raw

    def _convert_call(self, event: ToolCalled | ToolExecutionStart | ToolExecutionUpdate | ToolExecutionEnd) -> None:
        if isinstance(event, ToolCalled):
            self._call(event)
            return
        call = self._calls.get(event.call_id)
        if call is None:
            return
        match event:
            case ToolExecutionStart():
                if event.arguments != call.input or self._approvals == "live":
                    call.input = event.arguments
                    self._show_input(call)
            case ToolExecutionUpdate():
                call.child = (event.details or {}).get("session_id") or call.child
                self._tell("progress", {"callId": call.id, "text": event.text, "details": event.details})
            case ToolExecutionEnd():
                self._calls.end(call.id)
                self._show_output(event)

    def _call(self, event: ToolCalled) -> None:
        if not self._is_writing:
            # A tool has made this call; it is no part of the message.
            return
        self._open_step()
        call = self._calls.get(event.call_id)
        if call is None:
            self._close_blocks()
            call = UiCall(event.call_id, event.name, event.arguments)
            self._calls.add(call)
            self._show_input(call)
            self._put_part(tool_data(call.id, {}))
            return
        call.input = event.arguments
        self._show_input(call)

    def _show_input(self, call: UiCall) -> None:
        self._put(
            "tool-input-available",
            toolCallId=call.id,
            toolName=call.name,
            input=call.input,
            **_dynamic(call.name),
        )

    def _show_output(self, event: ToolExecutionEnd) -> None:
        if event.error_kind == "denied":
            self._put("tool-output-denied", toolCallId=event.call_id)
        elif event.is_error:
            self._put("tool-output-error", toolCallId=event.call_id, errorText=text_of(event.content))
        else:
            self._put("tool-output-available", toolCallId=event.call_id, output=output_of(event.content))
        self._put_part(tool_data(event.call_id, extras_of(event)))

    def _take_ask(self, event: PermissionAsked | PermissionReplied | QuestionAsked | QuestionReplied) -> None:
        match event:
            case PermissionAsked():
                self._calls.ask(event)
                call = self._calls.asked_for(event)
                self._tell("permission", {**_asked(event), "toolCallId": call.id if call else ""}, event.ask_id)
                if self._approvals == "live" and call is not None:
                    self._put("tool-approval-request", approvalId=event.ask_id, toolCallId=call.id)
            case PermissionReplied():
                self._calls.answered(event.ask_id)
                self._tell("permission", {"reply": event.reply, "message": event.message}, event.ask_id)
            case QuestionAsked():
                self._calls.ask(event)
                self._tell("question", _asked(event), event.question_id)
            case QuestionReplied():
                self._calls.answered(event.question_id)
                self._tell("question", {"answers": event.answers, "dismissed": event.dismissed}, event.question_id)

    def _end_step(self, event: StepEnd) -> None:
        if event.reason == "length":
            self._cut_calls("truncated", TRUNCATED)
        else:
            self._cut_calls("aborted", ABORTED)
        self._calls.forget()
        self._is_step_over = True
        self._put("finish-step")
        usage = msgspec.to_builtins(event.usage)
        used = {"used": event.usage.total, "window": self._window()}
        self._tell("usage", {"step": event.step, "usage": usage, "cost": event.cost, "context": used})

    def _cut_calls(self, kind: CallErrorKind, text: str) -> None:
        """End the calls that never began: there is no event for them."""
        for call in self._calls.open:
            fields = {"toolCallId": call.id, "toolName": call.name, "input": call.raw, "errorText": text}
            self._put("tool-input-error", **fields, **_dynamic(call.name))
            self._put_part(tool_data(call.id, cut_extras(kind)))

    def _end_compaction(self, event: CompactionEnd) -> None:
        if event.error is not None:
            self._tell("compaction", {"error": event.error.message})
        else:
            self._put_part(compaction_part(event.message_id, self._tokens))

    def _finish(self, end: RunEnd) -> None:
        self.is_over = True
        is_stopped = end.reason == "aborted"
        if is_stopped and self._message is not None:
            # Also an answer without a word is there to be marked.
            self._open_step()
        if self._has_started:
            # The last message may have been whole before the calls that it made were stopped.
            stopped = {"finish": "aborted"} if is_stopped else {}
            self._put("message-metadata", messageMetadata=totals(self._answer) | stopped)
        if is_stopped:
            self._put("abort")
        elif end.reason == "error":
            self._put("error", errorText=end.error.message if end.error else "the run failed")
        else:
            reason = "length" if end.limit in CUTTING_LIMITS else _FINISH.get(end.reason, "other")
            self._put("finish", finishReason=reason)
        self._out += DONE

    def _open_step(self) -> None:
        """Begin a step with its first piece: an attempt that fails before leaves no trace."""
        if self._has_step:
            return
        assert self._message is not None
        self._has_step = True
        if not self._has_started:
            self._has_started = True
            self._put("start", messageId=self._message.id, messageMetadata=head_metadata(self._message, self._tree))
            for part in self._held:
                self._out += frame(part)
            self._held.clear()
        if not self._is_reset:
            self._put("start-step")
        self._is_reset = False

    def _close_blocks(self) -> None:
        for part, kind in self._blocks.items():
            assert self._message is not None
            self._put(f"{kind}-end", id=block_id(self._message, part))
        self._blocks.clear()

    def _taken(self) -> bytes:
        data, self._out = bytes(self._out), bytearray()
        return data

    def _put(self, kind: str, **fields: Any) -> None:
        self._out += frame({"type": kind, **fields})

    def _put_part(self, part: dict[str, Any]) -> None:
        """Add a data part to the message; before the message begins, parts wait."""
        if self._has_started:
            self._out += frame(part)
        else:
            self._held.append(part)

    def _tell(self, kind: str, data: dict[str, Any], part_id: str = "") -> None:
        """Send data that the message does not store."""
        named = {"id": part_id} if part_id else {}
        self._out += frame({"type": f"data-{kind}", **named, "data": data, "transient": True})


def _dynamic(name: str) -> dict[str, bool]:
    return {"dynamic": True} if is_dynamic(name) else {}


def _asked(event: PermissionAsked | QuestionAsked) -> dict[str, Any]:
    """Return the fields of an ask without those that every event has."""
    told = msgspec.to_builtins(event)
    left_out = ("type", "seq", "session_id", "time", "ask_id", "question_id", "call_id")
    return {name: value for name, value in told.items() if name not in left_out}


def frame(chunk: dict[str, Any]) -> bytes:
    return b"data: " + msgspec.json.encode(chunk) + b"\n\n"


def parked(reason: ParkReason) -> bytes:
    """Return the part which says that no process works on the run now, and why."""
    return frame({"type": "data-parked", "data": {"reason": reason}, "transient": True})


def failure(text: str) -> bytes:
    """Return the end of a stream that breaks off."""
    return frame({"type": "error", "errorText": text}) + DONE
