"""The client of a request to our MCP server: send it progress and log lines, ask it questions."""

import asyncio
import contextlib
import logging
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from toolpost.guard.redact import known_redactor
from toolpost.types.errors import ToolError
from toolpost.types.events import Question
from toolpost.types.messages import FilePart, Message, TextPart

if TYPE_CHECKING:
    from mcp import types
    from mcp.server.context import ServerRequestContext
    from mcp.types import LoggingLevel

log = logging.getLogger("toolpost.mcp")

MAX_PROGRESS = 500
MAX_LOGGED = 2_000
MAX_WAITING = 100  # messages that a client has not taken yet
FLUSH_SECONDS = 1.0  # for those at the end of a call
SAMPLE_TOKENS = 4_096
ANSWER = "answer"
# Those carry the messages: what they log of it would have to be carried as well.
CARRIERS = ("mcp", "uvicorn", "starlette", "sse_starlette", "anyio", "asyncio")

CURRENT: ContextVar["ServedClient | None"] = ContextVar("toolpost_mcp_served_client", default=None)


class ServedClient:
    """Lives as long as its request. What it does not take in time is left out: the result says what matters."""

    def __init__(self, ctx: "ServerRequestContext[Any]", level: int) -> None:
        self._session = ctx.session
        self._request = ctx.request_id
        self._level = level
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[Callable[[], Awaitable[None]] | None] = asyncio.Queue(MAX_WAITING)
        self._told = 0

    @asynccontextmanager
    async def served(self) -> AsyncGenerator["ServedClient"]:
        """While this is open, what is logged goes to the client as well."""
        sending = asyncio.create_task(self._send())
        token = CURRENT.set(self)
        try:
            yield self
        finally:
            CURRENT.reset(token)
            self._put(None)
            try:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(FLUSH_SECONDS):
                        await asyncio.shield(sending)
            finally:
                sending.cancel()

    @property
    def can_answer(self) -> bool:
        """True if the client can show a form to its user."""
        able = self._session.client_capabilities
        return self._session.can_send_request and able is not None and able.elicitation is not None

    def progress(self, text: str) -> None:
        """Show what a tool says while it works, to clients that asked for it."""
        self._told += 1
        told = self._told
        self._put(lambda: self._session.report_progress(told, message=text[-MAX_PROGRESS:]))

    def note(self, record: logging.LogRecord) -> None:
        """Send a line of the log, from whichever thread it comes."""
        if record.levelno < self._level or record.name.partition(".")[0] in CARRIERS:
            return
        text = known_redactor().text(record.getMessage())[:MAX_LOGGED]
        level, name = _level_name(record.levelno), record.name
        self._loop.call_soon_threadsafe(self._put, lambda: self._log(level, text, name))

    async def ask(self, questions: Sequence[Question]) -> list[tuple[str, ...]] | None:
        """Ask the client's user; None if they decline."""
        names = [f"{ANSWER}{number}" if len(questions) > 1 else ANSWER for number in range(1, len(questions) + 1)]
        fields = {name: _field(question) for name, question in zip(names, questions, strict=True)}
        schema = {"type": "object", "properties": fields, "required": names}
        message = questions[0].question if len(questions) == 1 else "Some questions:"
        answer = await self._session.elicit_form(message, schema, related_request_id=self._request)
        if answer.action != "accept":
            return None
        given = answer.content or {}
        return [_texts(given.get(name)) for name in names]

    async def sample(
        self, messages: Sequence[Message], system: str, options: Mapping[str, Any]
    ) -> "types.CreateMessageResult":
        """Ask the client's model (sampling), if the client allows it."""
        able = self._session.client_capabilities
        if not self._session.can_send_request or able is None or able.sampling is None:
            raise ToolError("No model is available: the MCP client does not support sampling.")
        with _undeprecated():
            # Deprecated by the newest protocol, and all that the older ones have.
            asking = self._session.create_message(  # pyright: ignore[reportDeprecated]
                [message for one in messages for message in _sampling(one)],
                max_tokens=int(options.get("max_tokens") or SAMPLE_TOKENS),
                system_prompt=system or None,
                temperature=options.get("temperature"),
                stop_sequences=options.get("stop"),
                related_request_id=self._request,
            )
        return await asking

    def _put(self, sending: Callable[[], Awaitable[None]] | None) -> None:
        if sending is None and self._waiting.full():
            self._waiting.get_nowait()
        with contextlib.suppress(asyncio.QueueFull):
            self._waiting.put_nowait(sending)

    async def _send(self) -> None:
        while (sending := await self._waiting.get()) is not None:
            try:
                await sending()
            except Exception:  # a client that went away is no failure of the call
                log.debug("an MCP client was not told", exc_info=True)
                return

    async def _log(self, level: "LoggingLevel", text: str, name: str) -> None:
        with _undeprecated():
            send = self._session.send_log_message  # pyright: ignore[reportDeprecated]
            sending = send(level, text, name, related_request_id=self._request)
        await sending


def _level_name(level: int) -> "LoggingLevel":
    if level >= logging.CRITICAL:
        return "critical"
    if level >= logging.ERROR:
        return "error"
    if level >= logging.WARNING:
        return "warning"
    return "info" if level >= logging.INFO else "debug"


@contextmanager
def _undeprecated() -> Generator[None]:
    from mcp.shared.exceptions import MCPDeprecationWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        yield


def _field(question: Question) -> dict[str, Any]:
    told = {"description": question.question}
    choice: dict[str, Any] = {"type": "string", **({"enum": list(question.options)} if question.options else {})}
    return {**told, "type": "array", "items": choice} if question.multiple else {**told, **choice}


def _texts(given: Any) -> tuple[str, ...]:
    return tuple(map(str, given)) if isinstance(given, list) else (str(given),)  # pyright: ignore[reportUnknownArgumentType]


def _sampling(message: Message) -> "list[types.SamplingMessage]":
    from mcp import types

    blocks: list[Any] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            blocks.append(types.TextContent(type="text", text=part.text))
        elif isinstance(part, FilePart) and part.mime.startswith("image/"):
            blocks.append(types.ImageContent(type="image", data=part.data, mime_type=part.mime))
    return [types.SamplingMessage(role=message.role, content=block) for block in blocks]
