"""The interface between a built-in tool and its session: keep data, ask a person, call tools, start a sub-agent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from msgspec import Struct

from toolpost.types.errors import ToolError
from toolpost.types.events import Question
from toolpost.types.messages import CallErrorKind, Content, FinishReason, Message, TextPart, Usage

Answers = tuple[tuple[str, ...], ...]
Progress = Callable[[str, dict[str, Any] | None], None]

# How rules name a sub-agent that is one like its sender.
SELF = "self"


class CallOutcome(Struct, frozen=True):
    """The outcome of a call that another tool made: `error_kind` is None where it was completed. `missing` is the
    permission that no person was there to give."""

    name: str
    content: tuple[Content, ...]
    error_kind: CallErrorKind | None = None
    missing: str = ""

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.content if isinstance(part, TextPart))


class SubAgentTask(Struct, frozen=True):
    """A task for a sub-agent. Without `agent` it is one like its sender; `session_id` goes on with an old one.

    `seconds` and `steps` bound it; `depth` is how many sub-agents may stand below each other.
    """

    prompt: str
    title: str
    seconds: float
    steps: int
    depth: int
    agent: str = ""
    session_id: str = ""


class SubAgentReport(Struct, frozen=True):
    """The report of a sub-agent. `ending` is a run's reason, or "timeout"; `text` is then what it had so far.

    `calls` are the calls that it made, a line each.
    """

    session_id: str
    agent: str
    ending: str
    text: str
    error: str = ""
    calls: tuple[str, ...] = ()
    usage: Usage = Usage()
    cost: float | None = 0.0


class ModelAnswer(Struct, frozen=True):
    """The answer of a model, and which model it was."""

    text: str
    model: str
    reason: FinishReason = "stop"


class Host(Protocol):
    """Bound to one call. What it raises is for the model to read, or ends the run."""

    def kept(self, name: str) -> Any:
        """The value kept with the session under this name, or None."""
        ...

    def keep(self, name: str, value: Any) -> None:
        """Keep plain data with the session, over restarts too."""
        ...

    def offers(self, name: str) -> bool:
        """True if the agent may have the tool of this name, where one tool finds and calls others."""
        ...

    async def ask_person(self, questions: Sequence[Question]) -> Answers | None:
        """Ask a person; returns what was chosen or written for each question, or None where no person is there to
        answer."""
        ...

    async def call_tools(self, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[CallOutcome]:
        """Call other tools that are on offer as the model would; the outcomes in the order of the calls."""
        ...

    async def ask_model(
        self, messages: Sequence[Message], *, system: str = "", options: Mapping[str, Any] | None = None
    ) -> ModelAnswer:
        """An answer of the session's model beside the conversation, without tools."""
        ...

    async def send(self, errand: SubAgentTask, progress: Progress) -> SubAgentReport:
        """Let a sub-agent work in a child session, and wait for it."""
        ...


class NoHost:
    """The host of a tool that is called outside of any session."""

    def kept(self, name: str) -> Any:
        _refuse()

    def keep(self, name: str, value: Any) -> None:
        _refuse()

    def offers(self, name: str) -> bool:
        return True

    async def ask_person(self, questions: Sequence[Question]) -> Answers | None:
        return None

    async def call_tools(self, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[CallOutcome]:
        _refuse()

    async def ask_model(
        self, messages: Sequence[Message], *, system: str = "", options: Mapping[str, Any] | None = None
    ) -> ModelAnswer:
        _refuse()

    async def send(self, errand: SubAgentTask, progress: Progress) -> SubAgentReport:
        _refuse()


NOBODY = NoHost()


def _refuse() -> NoReturn:
    raise ToolError("This tool works only inside a Toolpost session.")
