"""The contract between the engine and a model adapter. Adapters implement `Model`; the engine knows nothing else."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Literal, Protocol

from msgspec import Struct

from toolpost.types.messages import Message
from toolpost.types.stream import StreamEvent
from toolpost.types.tool_spec import ToolSpec

ToolChoice = Literal["auto", "none", "required"]
# The options that every wire knows; `extra` is a dict that is merged into the request body as it stands.
OPTIONS = (
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "stop",
    "seed",
    "reasoning_effort",
    "parallel_tool_calls",
    "extra",
)
# The reasoning efforts that every wire knows.
EFFORTS = ("low", "medium", "high")


class ModelInfo(Struct, frozen=True, omit_defaults=True):
    """What is known about a model; None means not known. Prices are asked from `models.prices`. `efforts` are what its
    adapter knows as `reasoning_effort`."""

    provider: str
    name: str
    context_window: int | None = None
    max_output: int | None = None
    efforts: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.provider}/{self.name}"


class WireMemo:
    """A conversation as it goes over the wire. A finished message never changes, so neither do its bytes: a step
    encodes only what is new and appends it, and the four hundredth costs no more than the first.

    Another encoder (another model took the session over) or another beginning (a branch) starts afresh.
    """

    def __init__(self) -> None:
        self._messages: tuple[Message, ...] = ()
        self._encoder: Callable[[Message], bytes] | None = None
        self._joined = bytearray()
        self._plain: tuple[Message, ...] = ()
        self._rewriter: Callable[[Message], Sequence[Message]] | None = None
        self._rewritten: list[Message] = []

    def rewrite(self, messages: Sequence[Message], rewriter: Callable[[Message], Sequence[Message]]) -> list[Message]:
        """The messages in another form, each written once, for an adapter that goes before another one."""
        known = len(self._plain)
        if rewriter != self._rewriter or tuple(messages[:known]) != self._plain:
            known = 0
            self._rewriter = rewriter
            self._rewritten = []
        for message in messages[known:]:
            self._rewritten += rewriter(message)
        self._plain = tuple(messages)
        return self._rewritten

    def join(self, messages: Sequence[Message], encoder: Callable[[Message], bytes]) -> bytearray:
        """The encoded messages with commas between them, without those that encode to nothing. Not to be changed."""
        known = len(self._messages)
        if encoder != self._encoder or tuple(messages[:known]) != self._messages:
            known = 0
            self._encoder = encoder
            self._joined = bytearray()
        for message in messages[known:]:
            encoded = encoder(message)
            if encoded:
                self._joined += b"," + encoded if self._joined else encoded
        self._messages = tuple(messages)
        return self._joined


class Tape:
    """A bounded recording of one exchange with a model, for `toolpost trace`."""

    LIMIT = 16_384

    def __init__(self) -> None:
        self.url = ""
        self.status = 0
        self.sent = b""
        self.sent_bytes = 0
        self.sent_at = 0.0
        self.first_byte_at = 0.0
        self.received = bytearray()
        self.received_bytes = 0

    def send(self, url: str, body: bytes, at: float) -> None:
        """Keep the end of the body: that is where a step's new messages are."""
        self.url, self.sent_bytes, self.sent_at = url, len(body), at
        self.sent = body if len(body) <= self.LIMIT else body[-self.LIMIT :]
        self.received.clear()
        self.received_bytes = 0
        self.first_byte_at = 0.0

    def receive(self, data: bytes, at: float) -> None:
        if not self.received_bytes:
            self.first_byte_at = at
        self.received_bytes += len(data)
        if len(self.received) < self.LIMIT:
            self.received += data[: self.LIMIT - len(self.received)]


class ModelRequest:
    """One turn's request. `system` is in two parts so that a provider can cache the head."""

    __slots__ = ("idle_timeout", "memo", "messages", "options", "system", "tape", "tool_choice", "tools")

    def __init__(
        self,
        messages: Sequence[Message],
        *,
        system: Sequence[str] = (),
        tools: Sequence[ToolSpec] = (),
        tool_choice: ToolChoice = "auto",
        options: dict[str, Any] | None = None,
        memo: WireMemo | None = None,
        tape: Tape | None = None,
        idle_timeout: float = 90.0,
    ) -> None:
        self.messages = messages
        self.system = system
        self.tools = tools
        self.tool_choice: ToolChoice = tool_choice
        self.options = options or {}
        self.memo = memo or WireMemo()
        self.tape = tape
        self.idle_timeout = idle_timeout


class Model(Protocol):
    """A model behind one wire protocol.

    `stream` may not raise once it has yielded; before that it may raise only `ModelError`. It ends with exactly
    one `Finish` or `StreamError`. Closing the iterator, or cancelling the task that reads it, closes the connection.
    The options that it knows are `OPTIONS`.
    """

    @property
    def info(self) -> ModelInfo: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]: ...


class WrappedModel:
    """Around another model: the same to whoever asks what it is. A subclass brings `stream`."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    async def get_ready(self) -> None:
        await get_ready(self._model)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._model!r})"


async def get_ready(model: Model) -> None:
    """Let a model find out what it has to know before its `info` counts, such as how large its window is. It never
    fails, and asks only once where it is answered. A model without `get_ready` is ready."""
    ready: Callable[[], Awaitable[None]] | None = getattr(model, "get_ready", None)
    if ready is not None:
        await ready()


async def close_stream(stream: AsyncIterator[object]) -> None:
    """End a stream that may not have been read to its end. An iterator without `aclose` has nothing to close."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        await close()
