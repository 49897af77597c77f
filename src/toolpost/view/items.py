"""The items of a transcript: what a person sees of a session, in order. Frozen values, without any drawing.

An item is `is_finished` once it does not change any more: a face may write it out and forget it. It is taken back only
if the conversation itself goes back, to edit a prompt or to answer it again. Texts of models, tools and people stay as
they came; `escape_codes` makes them harmless, and they are never markup.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, cast

from msgspec import Struct

from toolpost.types.events import Question, RunReason
from toolpost.types.messages import CallErrorKind, Consent, Content, ErrorInfo, FilePart, Reply, SourceLink, Usage

from .growing_text import GrowingText
from .live_output import LiveOutput

ItemKind = Literal[
    "prompt", "text", "reasoning", "file", "call", "approval", "question", "notice", "compaction", "run_end"
]
# preparing: its arguments arrive. ready: they are whole. asking: a person is asked. answered: a person has allowed it.
# stopped: it ended because its run was stopped.
CallPhase = Literal[
    "preparing", "ready", "asking", "answered", "running", "done", "failed", "denied", "stopped", "handed_over"
]
ENDED: frozenset[CallPhase] = frozenset({"done", "failed", "denied", "stopped"})
# retry, compacting, parked: taken out of the transcript once that is over.
NoticeKind = Literal[
    "retry", "compacting", "compaction_failed", "tools_left_out", "window_full", "parked", "resumed", "other"
]
AskState = Literal["open", "once", "always", "reject", "answered", "dismissed", "closed"]


class _Item(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    kind: ClassVar[ItemKind]
    id: str
    is_finished: bool = False


class PromptItem(_Item, frozen=True, gc=False):
    """What a person said. `is_steered` where it came while the run was working; `sources` were found for it."""

    kind: ClassVar[ItemKind] = "prompt"
    text: str
    message_id: str
    files: tuple[FilePart, ...] = ()
    sources: tuple[SourceLink, ...] = ()
    is_steered: bool = False
    time: float = 0.0


class TextItem(_Item, frozen=True, gc=False):
    """What the model says, as Markdown. `source` grows with each delta while the item stays the same. It may begin with
    blank lines; a part of a message that has nothing else is no item."""

    kind: ClassVar[ItemKind] = "text"
    message_id: str
    source: GrowingText

    @property
    def text(self) -> str:
        return str(self.source)


class ReasoningItem(_Item, frozen=True, gc=False):
    """What the model thinks. `ended` is 0 while it does; both times are 0 where they are not known."""

    kind: ClassVar[ItemKind] = "reasoning"
    message_id: str
    source: GrowingText
    started: float = 0.0
    ended: float = 0.0

    @property
    def text(self) -> str:
        return str(self.source)

    @property
    def seconds(self) -> float | None:
        return self.ended - self.started if self.started and self.ended else None


class FileItem(_Item, frozen=True, gc=False):
    """A file that the model made; `file` is None until it is whole."""

    kind: ClassVar[ItemKind] = "file"
    message_id: str
    mime: str
    name: str = ""
    file: FilePart | None = None


class CallError(Struct, frozen=True, gc=False):
    """Why a call gave no result. `text` is what the model reads of it."""

    kind: CallErrorKind
    text: str = ""


class FileEdit(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a call changed in a file. `diff` is in the unified form without names, and may be cut; `note` says what no
    diff shows. `added` and `removed` count lines; None where there is no text to compare."""

    path: str
    change: Literal["added", "changed", "deleted"] = "changed"
    diff: str = ""
    added: int | None = None
    removed: int | None = None
    note: str = ""


class SentAgent(Struct, frozen=True, omit_defaults=True, gc=False):
    """A sub-agent that a call has sent. Its own transcript is `TranscriptView.sub_agent(session_id)`.

    `ending` is how it ended, once it has: done, limit, or why it did not finish.
    """

    session_id: str
    agent: str = ""
    calls: int = 0
    tokens: int = 0
    cost: float | None = None
    ending: str = ""
    is_asking: bool = False


class CallItem(_Item, frozen=True, gc=False):
    """One call, from the first letter of its arguments to its result.

    - `arguments` is None until they are whole; `raw` is what has come of them, which `ArgumentReader` reads, and at the
      end what could not be read.
    - `label` is the name for people that its tool brings along, if it does; `title` is the tool's, for its result.
    - `content` is what the model reads of the result, `details` what the tool tells faces beside it.
    - `parent` is the call whose code made this one. Calls with the same `message_id` are those of one step.
    - `asks` are the open asks and questions that it waits for, `consent` what a person said to the last.
    """

    kind: ClassVar[ItemKind] = "call"
    message_id: str
    call_id: str
    name: str
    phase: CallPhase = "preparing"
    label: str = ""
    title: str = ""
    arguments: dict[str, Any] | None = None
    raw: GrowingText | None = None
    output: LiveOutput | None = None
    content: tuple[Content, ...] = ()
    details: dict[str, Any] | None = None
    error: CallError | None = None
    started: float = 0.0
    duration: float = 0.0
    parent: str = ""
    asks: tuple[str, ...] = ()
    consent: Consent | None = None
    sub_agent: SentAgent | None = None

    @property
    def has_begun(self) -> bool:
        return self.output is not None or self.started > 0

    @property
    def has_ended(self) -> bool:
        return self.phase in ENDED

    @property
    def edits(self) -> tuple[FileEdit, ...]:
        """The files that it changed."""
        files = (self.details or {}).get("files")
        if not isinstance(files, list):
            return ()
        found = cast("list[Any]", files)
        return tuple(_file_edit(cast("Mapping[str, Any]", one)) for one in found if isinstance(one, dict))

    @property
    def notices(self) -> tuple[str, ...]:
        """What its tool wants a person to know."""
        found = (self.details or {}).get("notices")
        return tuple(map(str, cast("list[Any]", found))) if isinstance(found, list) else ()

    @property
    def job(self) -> str:
        """The background job that it started, read or ended."""
        job = (self.details or {}).get("job")
        return job if isinstance(job, str) else ""


class ApprovalItem(_Item, frozen=True, gc=False):
    """A person is asked whether a call may do something. It leaves the transcript when it is answered: `state`
    says how.

    `patterns` are what it wants, `always` what the reply "always" would save, both for `permission`. `arguments` are
    those of the call, whole; `preview` shows them. `agent` and `session_id` name the sub-agent that wants it.
    """

    kind: ClassVar[ItemKind] = "approval"
    permission: str
    patterns: tuple[str, ...]
    always: tuple[str, ...] = ()
    title: str = ""
    call: str = ""
    arguments: dict[str, Any] | None = None
    details: dict[str, Any] | None = None
    agent: str = ""
    session_id: str = ""
    state: AskState = "open"
    reply: Reply | None = None
    message: str = ""
    time: float = 0.0


class QuestionItem(_Item, frozen=True, gc=False):
    """The model asks a person something: a form with a field for each question. It leaves the transcript when it is
    answered."""

    kind: ClassVar[ItemKind] = "question"
    fields: tuple[Question, ...]
    call: str = ""
    agent: str = ""
    session_id: str = ""
    state: AskState = "open"
    answers: tuple[tuple[str, ...], ...] = ()
    time: float = 0.0


class NoticeItem(_Item, frozen=True, gc=False):
    """What is to be known of a run besides what it says. `text` is English; `data` has its values, for faces with words
    of their own. `until` is the time of the next attempt, for a countdown."""

    kind: ClassVar[ItemKind] = "notice"
    code: NoticeKind
    text: str
    data: Mapping[str, Any] = {}
    error: ErrorInfo | None = None
    until: float = 0.0
    time: float = 0.0


class CompactionItem(_Item, frozen=True, gc=False):
    """What came before was summarised for the model; here it stays. `summary` is known where it was stored."""

    kind: ClassVar[ItemKind] = "compaction"
    tokens: int = 0
    summary: str = ""


class RunEndItem(_Item, frozen=True, gc=False):
    """How a run ended and what it took. `seconds` is None where nobody counted them: in stored messages.

    `limit` names the limit that it reached. `error` is why it failed.
    """

    kind: ClassVar[ItemKind] = "run_end"
    reason: RunReason
    limit: str = ""
    error: ErrorInfo | None = None
    steps: int = 0
    usage: Usage = Usage()
    cost: float | None = None
    seconds: float | None = None


Item = (
    PromptItem
    | TextItem
    | ReasoningItem
    | FileItem
    | CallItem
    | ApprovalItem
    | QuestionItem
    | NoticeItem
    | CompactionItem
    | RunEndItem
)


def message_of(item: Item) -> str:
    """The id of the message that an item belongs to; nothing for asks and notices. The end of a run belongs to the last
    message of that."""
    match item:
        case ApprovalItem() | QuestionItem() | NoticeItem():
            return ""
        case CompactionItem():
            return item.id
        case RunEndItem():
            return item.id.rpartition("/")[0]
        case _:
            return item.message_id


def text_of(content: Sequence[Content]) -> str:
    """The text in the content of a result, without its files."""
    return "\n".join(part.text for part in content if not isinstance(part, FilePart))


def _file_edit(told: Mapping[str, Any]) -> FileEdit:
    change = told.get("kind")
    return FileEdit(
        str(told.get("path", "")),
        change if change in ("added", "changed", "deleted") else "changed",
        str(told.get("diff") or ""),
        _count(told.get("added")),
        _count(told.get("removed")),
        str(told.get("note") or ""),
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None
