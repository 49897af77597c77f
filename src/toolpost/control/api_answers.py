"""What the HTTP API of a server answers, as far as a control reads it. Fields of newer servers are passed over, and
those that an older one lacks have their defaults."""

from typing import Any

from msgspec import Struct

from toolpost.types.events import PermissionAsked, QuestionAsked
from toolpost.types.messages import Message, Usage
from toolpost.view.session_facts import SessionState, WaitingPrompt

from .contract import AgentRow, ChangedFileDiff, ModelRow, ServerRow, SessionRow


class ApiMe(Struct, frozen=True):
    version: str
    folder: str = ""
    store: str = ""
    model: str = ""
    agent: str = ""


class ApiSession(Struct, frozen=True):
    id: str
    title: str = ""
    updated: float = 0.0
    model: str = ""
    agent: str = ""
    variant: str = ""
    last_model: str = ""
    state: SessionState = "idle"
    waiting: int = 0
    head: str | None = None
    seq: int = 0
    usage: Usage = Usage()
    cost: float | None = None

    def row(self, folder: str) -> SessionRow:
        model = self.last_model or self.model
        return SessionRow(self.id, self.title, folder, self.updated, self.state, model, self.cost)


class ApiSessions(Struct, frozen=True):
    sessions: list[ApiSession]
    next: str | None = None


class _Prompt(Struct, frozen=True):
    id: str
    text: str
    steer: bool = False


class ApiPrompts(Struct, frozen=True):
    prompts: tuple[_Prompt, ...] = ()

    @property
    def queue(self) -> tuple[WaitingPrompt, ...]:
        return tuple(WaitingPrompt(one.id, one.text, one.steer) for one in self.prompts)


class ApiTakenBack(Struct, frozen=True):
    text: str | None


class ApiHistory(ApiPrompts, frozen=True, kw_only=True):
    session: ApiSession
    messages: list[Message]
    after: int
    asks: tuple[PermissionAsked, ...] = ()
    questions: tuple[QuestionAsked, ...] = ()
    model: str = ""
    window: int | None = None
    agent: str = ""


class ApiEvents(Struct, frozen=True):
    """The events as they came: one of a type that is not known here is passed over alone."""

    events: list[Any]
    next: int | None = None


class ApiCompacted(Struct, frozen=True):
    is_compacted: bool


class _Rates(Struct, frozen=True):
    input: float
    output: float


class _Model(Struct, frozen=True):
    id: str
    model: str = ""
    source: str = ""
    is_default: bool = False
    context_window: int | None = None
    price: _Rates | None = None
    problem: str = ""
    variants: tuple[str, ...] = ()

    def row(self, current: str) -> ModelRow:
        # The name of a route says nothing of its provider.
        provider = (self.model or self.id).partition("/")[0]
        rates = (self.price.input, self.price.output) if self.price is not None else (None, None)
        is_current = self.id == current if current else self.is_default
        return ModelRow(self.id, provider, self.context_window, *rates, self.problem, is_current)


class ApiModels(Struct, frozen=True):
    models: tuple[_Model, ...]

    def variants(self, current: str) -> tuple[str, ...]:
        found = (
            one.variants for one in self.models if current in (one.id, one.model) or (one.is_default and not current)
        )
        return next(found, ())


class _Agent(Struct, frozen=True):
    name: str
    description: str = ""
    mode: str = "all"
    is_read_only: bool = False


class ApiAgents(Struct, frozen=True):
    agents: tuple[_Agent, ...]

    def rows(self, current: str) -> list[AgentRow]:
        return [
            AgentRow(one.name, one.description, one.is_read_only, one.name == current)
            for one in self.agents
            if one.mode != "subagent"
        ]


class _Command(Struct, frozen=True):
    name: str
    description: str = ""


class ApiCommands(Struct, frozen=True):
    commands: tuple[_Command, ...]


class ApiCommandPrompt(Struct, frozen=True):
    prompt: str
    agent: str = ""
    model: str = ""


class ApiFiles(Struct, frozen=True):
    files: list[str]


class _Server(Struct, frozen=True):
    name: str
    state: str
    error: str = ""
    tools: int = 0


class ApiServers(Struct, frozen=True):
    servers: tuple[_Server, ...]

    @property
    def rows(self) -> list[ServerRow]:
        return [ServerRow(one.name, one.state, one.error, one.tools) for one in self.servers]


class _FileDiff(Struct, frozen=True):
    path: str
    kind: str = "changed"
    diff: str | None = None
    note: str = ""


class _NotKept(Struct, frozen=True):
    path: str
    why: str


class ApiDiffs(Struct, frozen=True):
    """The changes of files, made or undone."""

    files: list[_FileDiff]
    is_done: bool = False
    not_taken_back: list[_NotKept] = []

    @property
    def changes(self) -> tuple[ChangedFileDiff, ...]:
        return tuple(ChangedFileDiff(one.path, one.kind, one.diff or "", one.note) for one in self.files)

    @property
    def left(self) -> tuple[str, ...]:
        return tuple(f"{one.path}: {one.why}" for one in self.not_taken_back)
