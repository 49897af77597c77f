"""The contract between a face and the sessions that it shows: open one, prompt it, answer it, undo, fork, look around.

One session is open at a time. Whatever happens in it reaches the face through `view`. Every method that can fail raises
a `ToolpostError` whose text is for the person.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from toolpost.types.messages import FilePart, Reply
from toolpost.view.changes import Changes
from toolpost.view.transcript import TranscriptView

# ask: a person is asked, as the rules say. edits: changes of files that the rules ask about are allowed. plan: the
# read-only agent works.
PermissionMode = Literal["ask", "edits", "plan"]
NoteKind = Literal["info", "warning", "error"]
# What not every control can do. A face leaves out what is missing.
Feature = Literal["shell", "files", "undo_files", "servers", "jobs", "everywhere", "variants", "rename", "stored"]


class Face(Protocol):
    """What a control tells its face, always in the event loop of the face."""

    def session_opened(self) -> None:
        """Another session is open: draw `control.view` from its beginning."""
        ...

    def session_changed(self, changes: Changes) -> None:
        """The view of the open session has changed."""
        ...

    def note(self, text: str, kind: NoteKind = "info") -> None:
        """Something that the person should know, which is no part of the session."""
        ...


class SessionRow(Struct, frozen=True):
    """A session in a list. `state` is that of its run."""

    id: str
    title: str = ""
    folder: str = ""
    updated: float = 0.0
    state: str = "idle"
    model: str = ""
    cost: float | None = None


class ModelRow(Struct, frozen=True):
    """A model that can be chosen. Prices are US dollars for a million tokens; `missing` is what it lacks, such as a
    key."""

    id: str
    provider: str = ""
    window: int | None = None
    price_in: float | None = None
    price_out: float | None = None
    missing: str = ""
    is_current: bool = False


class AgentRow(Struct, frozen=True):
    name: str
    description: str = ""
    is_read_only: bool = False
    is_current: bool = False


class ServerRow(Struct, frozen=True):
    """An MCP server and how it is."""

    name: str
    state: str
    detail: str = ""
    tools: int = 0


class ChangedFileDiff(Struct, frozen=True):
    """What the session changed in a file; `diff` in the unified form, without names."""

    path: str
    change: str = "changed"
    diff: str = ""
    note: str = ""


class UndonePrompt(Struct, frozen=True):
    """A prompt that was taken back, and what it would undo in files: `files` can be undone, `problems` say why not."""

    message_id: str
    text: str
    files: tuple[ChangedFileDiff, ...] = ()
    problems: tuple[str, ...] = ()


class Control(Protocol):
    """The sessions of this folder, or of a server."""

    @property
    def view(self) -> TranscriptView:
        """The transcript of the open session; another object once another session is open."""
        ...

    @property
    def features(self) -> frozenset[Feature]: ...

    @property
    def place(self) -> str:
        """Where the sessions are: the folder, or the address of the server."""
        ...

    @property
    def folder(self) -> str:
        """The folder of the open session, to show paths in it shortly."""
        ...

    @property
    def session_id(self) -> str: ...

    @property
    def has_begun(self) -> bool:
        """False until the first prompt: until then the session is not stored."""
        ...

    @property
    def mode(self) -> PermissionMode: ...

    async def start(self, face: Face) -> None:
        """Open the session that was asked for, and go on with its run as the settings say. Tells `session_opened`."""
        ...

    async def close(self, *, leaves_runs: bool = False) -> None:
        """Stop what runs here, and store everything. With `leaves_runs` a run stays open for whoever opens its session
        next, as the settings allow. What runs on a server runs on."""
        ...

    # The run.

    async def prompt(self, text: str, files: Sequence[FilePart] = ()) -> None:
        """Start a run; returns once it has begun. `@server:uri` mentions are expanded."""
        ...

    async def put(self, text: str, *, steer: bool) -> None:
        """Give a prompt to the run (`steer`), or let it wait for the end of that. It shows in `facts.queue`."""
        ...

    async def unqueue(self, prompt_id: str) -> str:
        """Take a waiting prompt back; gives its text, or nothing where it was read already."""
        ...

    async def stop(self) -> None: ...

    async def resume(self) -> None:
        """Go on with a run that was interrupted."""
        ...

    async def retry(self) -> None:
        """Let the model answer the last prompt again."""
        ...

    async def reply(self, ask_id: str, reply: Reply, message: str = "") -> None: ...

    async def answer(self, question_id: str, answers: Sequence[tuple[str, ...]] | None) -> None:
        """One tuple for each field of the form; None dismisses it."""
        ...

    async def command(self, name: str, argument: str) -> None:
        """Run a command of `commands`: of a Markdown file, a plugin, or an MCP server."""
        ...

    async def shell(self, command: str) -> None:
        """Run a command of the person's as a call of the tool `bash`, with its rules and its sandbox."""
        ...

    # The conversation.

    @property
    def is_at_beginning(self) -> bool: ...

    async def earlier(self) -> None:
        """Read the page of messages before those that the view has."""
        ...

    async def undo(self, message_id: str = "") -> UndonePrompt | None:
        """Go back to before this prompt (by default the last); None where there is none. Files stay as they are."""
        ...

    async def undo_files(self, message_id: str) -> str:
        """Undo what followed from a prompt in files; gives a text that says what was done."""
        ...

    async def redo_files(self) -> str: ...

    async def fork(self, at: str = "") -> None:
        """Go on in a copy, of everything or up to this message."""
        ...

    async def compact(self) -> bool: ...

    async def rename(self, title: str) -> None: ...

    async def changed_files(self) -> Sequence[ChangedFileDiff]: ...

    async def export(self) -> str:
        """The session as Markdown."""
        ...

    async def watch(self, session_id: str) -> TranscriptView:
        """The transcript of a sub-agent's session, followed from now on: `Changes.sub_agents` has what changes."""
        ...

    # Choices.

    async def new(self) -> None: ...

    async def open(self, session_id: str) -> None: ...

    async def sessions(self, *, everywhere: bool = False) -> Sequence[SessionRow]:
        """Those of the folder, or all, newest first."""
        ...

    async def peek(self, session_id: str) -> TranscriptView:
        """The end of a session's transcript, for a preview."""
        ...

    async def delete(self, session_id: str) -> None: ...

    async def models(self) -> Sequence[ModelRow]: ...

    async def use_model(self, model_id: str) -> None: ...

    async def variants(self) -> Sequence[str]: ...

    async def use_variant(self, name: str) -> None: ...

    async def agents(self) -> Sequence[AgentRow]: ...

    async def use_agent(self, name: str) -> None: ...

    async def use_mode(self, mode: PermissionMode) -> None: ...

    def commands(self) -> Mapping[str, str]:
        """Commands by name with what they do, besides those of the face itself."""
        ...

    async def find_files(self, query: str, limit: int = 20) -> Sequence[str]:
        """Files and folders (these end in `/`) of the project whose paths have the letters of the query, and resources
        of MCP servers as `server:uri`; the best match first."""
        ...

    async def servers(self) -> Sequence[ServerRow]: ...
