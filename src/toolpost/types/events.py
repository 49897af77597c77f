"""Events: what a session publishes to its subscribers, in order, each with its `seq`.

Every run is `run_start` … `run_end`; after the last run of a session's queue comes `settled`, once, and nothing
more. A run that no process drives for a while has `run_parked` and `run_resumed` in between, under the same run id. New
event types and new fields may be added in any version: readers pass over what they do not know.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from .messages import CallErrorKind, Content, ErrorInfo, FinishReason, Message, Reply, Usage

DeltaKind = Literal["text", "reasoning", "tool_input", "file"]
# handed_over: calls are left to the client that brought their tools.
# tools_left_out: their descriptions do not fit into the model's context window; window_full: it cut the answer.
NoticeCode = Literal["tools_left_out", "window_full"]
# The limits of a run that cut its answer.
CUTTING_LIMITS = frozenset({"max_output", "context_window"})
# handed_over: calls were left to the client; parked: the run is still open, but this process does not drive it.
RunReason = Literal["done", "limit", "error", "aborted", "denied", "repetition", "handed_over", "parked"]
# waiting: for a person's answer. released: its process stopped, another may go on. interrupted: its process died.
ParkReason = Literal["waiting", "released", "interrupted"]


class _Event(Struct, frozen=True, tag_field="type", omit_defaults=True, gc=False):
    seq: int
    session_id: str
    time: float

    @property
    def type(self) -> str:
        return str(self.__struct_config__.tag)


class RunStart(_Event, frozen=True, tag="run_start", gc=False):
    run_id: str
    model: str


class StepStarted(_Event, frozen=True, tag="step_start", gc=False):
    step: int
    model: str
    tools: tuple[str, ...] = ()


class MessageStart(_Event, frozen=True, tag="message_start", gc=False):
    message: Message


class MessageUpdate(_Event, frozen=True, tag="message_update", gc=False):
    """One delta: `text` is appended to part `part` of the message; `call_id` and `name` belong to `tool_input`.

    `file` says that the part is a file which the model made, `text` being its type; it comes whole with `message_end`.
    """

    message_id: str
    part: int
    kind: DeltaKind
    text: str
    call_id: str = ""
    name: str = ""


class MessageEnd(_Event, frozen=True, tag="message_end", gc=False):
    message: Message


class ToolCalled(_Event, frozen=True, tag="tool_call", gc=False):
    """The arguments of a call are whole; it has not begun."""

    message_id: str
    call_id: str
    name: str
    arguments: dict[str, Any]


class ToolExecutionStart(_Event, frozen=True, tag="tool_execution_start", gc=False):
    message_id: str
    call_id: str
    name: str
    arguments: dict[str, Any]
    label: str = ""


class ToolExecutionUpdate(_Event, frozen=True, tag="tool_execution_update", gc=False):
    """Progress: `text` is new output since the last update; `details` replaces what was shown before."""

    call_id: str
    name: str
    text: str = ""
    details: dict[str, Any] | None = None


class ToolExecutionEnd(_Event, frozen=True, tag="tool_execution_end", gc=False):
    message_id: str
    call_id: str
    name: str
    content: tuple[Content, ...]
    duration: float
    is_error: bool = False
    error_kind: CallErrorKind | None = None
    title: str = ""
    details: dict[str, Any] | None = None


class PermissionAsked(_Event, frozen=True, tag="permission_asked", gc=False):
    """A person is asked. `always` are the patterns that the reply `always` would save.

    Where a sub-agent wants it, `agent` is its name and `child` its session, which the call belongs to. `fingerprint` is
    that of the tool, where it has one: an approval of another fingerprint does not answer this.
    """

    ask_id: str
    permission: str
    patterns: tuple[str, ...]
    always: tuple[str, ...]
    title: str = ""
    call_id: str = ""
    details: dict[str, Any] | None = None
    agent: str = ""
    child: str = ""
    fingerprint: str = ""


class PermissionReplied(_Event, frozen=True, tag="permission_replied", gc=False):
    ask_id: str
    reply: Reply
    message: str = ""
    by: Literal["person", "policy", "hook", "saved"] = "person"


class Question(Struct, frozen=True, omit_defaults=True, gc=False):
    """One thing that a person is asked. Any text may answer it; `multiple` lets several options be chosen."""

    question: str
    options: tuple[str, ...] = ()
    multiple: bool = False


class QuestionAsked(_Event, frozen=True, tag="question_asked", gc=False):
    """The model asks a person something. `agent` and `child` as in `permission_asked`."""

    question_id: str
    questions: tuple[Question, ...]
    call_id: str = ""
    agent: str = ""
    child: str = ""


class QuestionReplied(_Event, frozen=True, tag="question_replied", gc=False):
    """For each question what was chosen or written; nothing where the person `dismissed` them, which ends the run."""

    question_id: str
    answers: tuple[tuple[str, ...], ...] = ()
    dismissed: bool = False


class Retry(_Event, frozen=True, tag="retry", gc=False):
    """The step failed and is tried again at `next_at` (seconds since the epoch)."""

    attempt: int
    delay: float
    next_at: float
    error: ErrorInfo


class CompactionStart(_Event, frozen=True, tag="compaction_start", gc=False):
    reason: Literal["threshold", "overflow", "asked"]
    tokens: int = 0


class CompactionEnd(_Event, frozen=True, tag="compaction_end", gc=False):
    message_id: str = ""
    error: ErrorInfo | None = None


class Notice(_Event, frozen=True, tag="notice", gc=False):
    """What a person should know of a run, and the model is not told. `code` says which notice it is, for readers with
    words of their own, and `data` has its values."""

    code: NoticeCode
    text: str
    data: dict[str, Any] = {}


class StepEnd(_Event, frozen=True, tag="step_end", gc=False):
    step: int
    reason: FinishReason
    usage: Usage = Usage()
    cost: float | None = None


class RunEnd(_Event, frozen=True, tag="run_end", gc=False):
    """`limit` names the limit where the reason is `limit`; `cost` None means not known; `output` as plain data."""

    run_id: str
    reason: RunReason
    text: str = ""
    steps: int = 0
    usage: Usage = Usage()
    cost: float | None = None
    error: ErrorInfo | None = None
    limit: str = ""
    output: Any = None


class RunParked(_Event, frozen=True, tag="run_parked", gc=False):
    """No process drives the run now; it is still open. The next event of it is `run_resumed`, or `run_end`."""

    run_id: str
    reason: ParkReason


class RunResumed(_Event, frozen=True, tag="run_resumed", gc=False):
    """A process goes on with the run. `again` are running calls that begin once more, because their tool allows it or
    they had only asked a person; `interrupted` are those that do not. What was said of an unfinished step is said
    again."""

    run_id: str
    model: str
    again: tuple[str, ...] = ()
    interrupted: tuple[str, ...] = ()


class Settled(_Event, frozen=True, tag="settled", gc=False):
    pass


class CutOff(_Event, frozen=True, tag="cut_off", gc=False):
    """The last event a too slow subscriber gets: come back with `after=seq` to read on."""


Event = (
    RunStart
    | StepStarted
    | MessageStart
    | MessageUpdate
    | MessageEnd
    | ToolCalled
    | ToolExecutionStart
    | ToolExecutionUpdate
    | ToolExecutionEnd
    | PermissionAsked
    | PermissionReplied
    | QuestionAsked
    | QuestionReplied
    | Retry
    | CompactionStart
    | CompactionEnd
    | Notice
    | StepEnd
    | RunEnd
    | RunParked
    | RunResumed
    | Settled
    | CutOff
)

event_encoder = msgspec.json.Encoder()
event_decoder = msgspec.json.Decoder(Event)
