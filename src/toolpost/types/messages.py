"""Messages and their parts: what a session remembers, in one stable JSON form.

A message is a frozen value. One user message holds what a person said; one assistant message holds one
step: the model's text and reasoning and the calls it made, each with its result inside its `ToolPart`.
Messages form a tree through `parent_id`, so an edit or a retry is a new branch and nothing is overwritten.
"""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from .text import Language, language_of

Role = Literal["user", "assistant"]
FinishReason = Literal["stop", "tool-calls", "length", "content-filter", "error", "aborted", "interrupted"]
Reply = Literal["once", "always", "reject"]
CallErrorKind = Literal["invalid", "unknown_tool", "denied", "failed", "timeout", "aborted", "interrupted", "truncated"]


class Usage(Struct, frozen=True, omit_defaults=True, gc=False):
    """Tokens of one or more model turns. `input` counts all prompt tokens, cached ones included."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    def __sub__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input - other.input,
            self.output - other.output,
            self.reasoning - other.reasoning,
            self.cache_read - other.cache_read,
            self.cache_write - other.cache_write,
        )

    @property
    def total(self) -> int:
        return self.input + self.output


class ErrorInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """A failure as a value: stored in messages, carried by events. `code` is for programs."""

    code: str
    message: str
    status: int | None = None
    retryable: bool = False
    retry_after: float | None = None


class _Tagged(Struct, frozen=True, tag_field="type", omit_defaults=True, gc=False):
    @property
    def type(self) -> str:
        return str(self.__struct_config__.tag)


class TextPart(_Tagged, frozen=True, tag="text", gc=False):
    text: str
    metadata: dict[str, Any] | None = None


class ReasoningPart(_Tagged, frozen=True, tag="reasoning", gc=False):
    """The model's thinking. `metadata` is what its provider wants echoed (field name, signature). `started` and `ended`
    are the times of its first and last piece; 0 where they are not known."""

    text: str
    metadata: dict[str, Any] | None = None
    started: float = 0.0
    ended: float = 0.0


class FilePart(_Tagged, frozen=True, tag="file", gc=False):
    """An image or another file: `data` is base64, or `url` says where it is.

    `metadata` is what the provider of a model that made it wants echoed.
    """

    mime: str
    data: str = ""
    url: str = ""
    name: str = ""
    metadata: dict[str, Any] | None = None


Content = TextPart | FilePart


class _State(Struct, frozen=True, tag_field="status", omit_defaults=True, gc=False):
    @property
    def status(self) -> str:
        return str(self.__struct_config__.tag)


class Pending(_State, frozen=True, tag="pending", gc=False):
    """Arguments are arriving, or have arrived and the call has not begun."""

    raw: str = ""


class Running(_State, frozen=True, tag="running", gc=False):
    arguments: dict[str, Any]
    started: float


class Completed(_State, frozen=True, tag="completed", gc=False):
    """`content` is what the model reads; `details` is for faces and never goes to a model."""

    arguments: dict[str, Any]
    content: tuple[Content, ...]
    started: float
    ended: float
    title: str = ""
    details: dict[str, Any] | None = None


class Failed(_State, frozen=True, tag="error", gc=False):
    """`message` is what the model reads."""

    kind: CallErrorKind
    message: str
    arguments: dict[str, Any] | None = None
    raw: str = ""
    started: float = 0.0
    ended: float = 0.0
    details: dict[str, Any] | None = None


CallState = Pending | Running | Completed | Failed


class Consent(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a person said to the last ask of a call."""

    ask_id: str
    reply: Reply
    message: str = ""


class ToolPart(_Tagged, frozen=True, tag="tool", gc=False):
    """One call: `name` is the tool that runs; `asked` is the model's spelling where it was repaired."""

    call_id: str
    name: str
    state: CallState
    asked: str = ""
    metadata: dict[str, Any] | None = None
    consent: Consent | None = None


class StepStart(_Tagged, frozen=True, tag="step-start", gc=False):
    step: int
    model: str
    tools: tuple[str, ...] = ()


class StepFinish(_Tagged, frozen=True, tag="step-finish", gc=False):
    """`cost` is in US dollars; None means that the price is not known."""

    reason: FinishReason
    usage: Usage = Usage()
    cost: float | None = None
    metadata: dict[str, Any] | None = None


class CompactionPart(_Tagged, frozen=True, tag="compaction", gc=False):
    """Stands for everything on its branch before `kept_from`; the originals stay in the store."""

    summary: str
    kept_from: str | None = None
    tokens_before: int = 0


class SourceLink(Struct, frozen=True, omit_defaults=True, gc=False):
    url: str
    title: str = ""


class ContextPart(_Tagged, frozen=True, tag="context", gc=False):
    """What was found for a prompt before the model was asked: it reads `text` beside what the person wrote.

    `source` is the tool that found it, `links` are where it comes from.
    """

    text: str
    source: str = ""
    links: tuple[SourceLink, ...] = ()


class RetryPart(_Tagged, frozen=True, tag="retry", gc=False):
    """Closes a failed attempt at a step; the next attempt is its sibling in the tree."""

    attempt: int
    error: ErrorInfo
    delay: float


Part = (
    TextPart | ReasoningPart | ToolPart | FilePart | ContextPart | StepStart | StepFinish | CompactionPart | RetryPart
)


class Message(Struct, frozen=True, omit_defaults=True, gc=False):
    id: str
    role: Role
    parts: tuple[Part, ...]
    parent_id: str | None = None
    time: float = 0.0
    model: str = ""
    agent: str = ""
    error: ErrorInfo | None = None

    @property
    def text(self) -> str:
        """All the text of this message, without reasoning and calls."""
        return "".join(part.text for part in self.parts if type(part) is TextPart)

    @property
    def calls(self) -> tuple[ToolPart, ...]:
        return tuple(part for part in self.parts if type(part) is ToolPart)

    @property
    def finish(self) -> StepFinish | None:
        last = self.parts[-1] if self.parts else None
        return last if type(last) is StepFinish else None


message_encoder = msgspec.json.Encoder()
message_decoder = msgspec.json.Decoder(Message)


def language_of_conversation(messages: Sequence[Message]) -> Language:
    """The language of the first thing that the user said: it stays the same while the conversation goes on."""
    return language_of(next((message.text for message in messages if message.role == "user" and message.text), ""))
