"""What is to be seen of a session beside its transcript: state, tasks, files, jobs, what waits, context, cost."""

from typing import Literal, TypedDict

from msgspec import Struct

from toolpost.types.messages import Usage

SessionState = Literal["idle", "busy", "retrying", "waiting", "queued", "interrupted"]
TodoState = Literal["pending", "in_progress", "completed", "cancelled"]


class TodoEntry(Struct, frozen=True):
    text: str
    state: TodoState = "pending"
    priority: str = "medium"


class Job(Struct, frozen=True):
    """A background job, as a call told of it last. `call` is the item of that call."""

    id: str
    title: str = ""
    is_running: bool = True
    exit_code: int | None = None
    bytes: int = 0
    call: str = ""


class EditedFile(Struct, frozen=True):
    """A file that calls of this transcript have changed. Lines are counted over all of them, so that a line that was
    written twice counts twice."""

    path: str
    change: Literal["added", "changed", "deleted"] = "changed"
    added: int = 0
    removed: int = 0


class WaitingPrompt(Struct, frozen=True):
    """A message that waits: for the next step of the run where `is_steer`, else for the end of the run."""

    id: str
    text: str
    is_steer: bool = False


class SessionFacts(Struct, frozen=True):
    """`used` and `window` are tokens: what the next request holds, and how much a model takes. `retry_at` is the time
    of the next attempt while the state is `retrying`, and `busy_since` when the run that works now began; else 0.

    `usage` and `cost` are those of the session as far as it was told; a cost of None is not known. Events tell nothing
    of `title`, `window`, `mode` (which permissions are asked for), `queue`, and whether the run `is_elsewhere`, in a
    process that takes no prompts from here: who knows them says so with `know`.
    """

    state: SessionState = "idle"
    retry_at: float = 0.0
    busy_since: float = 0.0
    title: str = ""
    model: str = ""
    agent: str = ""
    mode: str = ""
    step: int = 0
    used: int = 0
    window: int | None = None
    usage: Usage = Usage()
    cost: float | None = 0.0
    asks: tuple[str, ...] = ()
    todos: tuple[TodoEntry, ...] = ()
    files: tuple[EditedFile, ...] = ()
    jobs: tuple[Job, ...] = ()
    queue: tuple[WaitingPrompt, ...] = ()
    is_elsewhere: bool = False


class KnownFacts(TypedDict, total=False):
    """The facts that a face may know better than the events tell."""

    state: SessionState
    title: str
    model: str
    agent: str
    mode: str
    used: int
    window: int | None
    usage: Usage
    cost: float | None
    todos: tuple[TodoEntry, ...]
    files: tuple[EditedFile, ...]
    jobs: tuple[Job, ...]
    queue: tuple[WaitingPrompt, ...]
    is_elsewhere: bool
