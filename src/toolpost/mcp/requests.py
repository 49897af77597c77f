"""Answer the requests of an MCP server during a call: sampling, elicitation, roots, logs.

Requests outside of a call are refused, so no server can spend money or bother a person by itself.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from toolpost.arguments.validate import compile_schema
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied
from toolpost.types.ids import new_id
from toolpost.types.messages import Content, FinishReason, Message

from .call_timeout import SilenceTimeout
from .content import to_content

if TYPE_CHECKING:
    from mcp import types
    from mcp.client.session import ClientRequestContext

log = logging.getLogger("toolpost.mcp")

SAMPLING = "mcp_sampling"
REJECTED = -1
MAX_LOGGED = 2_000
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "notice": logging.INFO, "warning": logging.WARNING}


class SamplingMessage(Struct, frozen=True):
    role: Literal["user", "assistant"]
    content: tuple[Content, ...]


class SamplingRequest(Struct, frozen=True):
    """A server wants the session's model to answer this. `hints` are names of models that it would like."""

    server: str
    session_id: str
    messages: tuple[SamplingMessage, ...]
    max_tokens: int
    system: str = ""
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


class SamplingAnswer(Struct, frozen=True):
    text: str
    model: str
    reason: Literal["endTurn", "stopSequence", "maxTokens"] = "endTurn"


class Elicitation(Struct, frozen=True):
    """A server asks the person: to fill in `schema`, an object of plain values, or to open `url` (never by itself)."""

    server: str
    session_id: str
    message: str
    schema: dict[str, Any] | None = None
    url: str = ""


class ElicitationAnswer(Struct, frozen=True):
    action: Literal["accept", "decline", "cancel"]
    content: dict[str, Any] | None = None


# Both get the context of the call during which the server asks.
Sample = Callable[[SamplingRequest, ToolContext], Awaitable[SamplingAnswer]]
Elicit = Callable[[Elicitation, ToolContext], Awaitable[ElicitationAnswer]]


class ServerRequests:
    """Answer the requests of one server. `sample` and `elicit` are used only during a call of one session."""

    def __init__(self, server: str, folder: Path, sample: Sample | None, elicit: Elicit | None) -> None:
        self._server = server
        self._folder = folder
        self._sample = sample
        self._elicit = elicit
        self._calls: list[tuple[ToolContext, SilenceTimeout]] = []

    @contextmanager
    def during(self, ctx: ToolContext, patience: SilenceTimeout) -> Generator[None]:
        """Allow requests of the server during a call; its timeout is paused while one is answered."""
        self._calls.append((ctx, patience))
        try:
            yield
        finally:
            self._calls.remove((ctx, patience))

    def callbacks(self) -> dict[str, Any]:
        """The callbacks for the SDK's client; a missing callback is not announced to the server."""
        given: dict[str, Any] = {"list_roots_callback": self._on_roots, "logging_callback": self._on_log}
        if self._sample is not None:
            given["sampling_callback"] = self._patiently(self._on_sample)
        if self._elicit is not None:
            given["elicitation_callback"] = self._patiently(self._on_elicit)
        return given

    async def _on_roots(self, context: "ClientRequestContext") -> "types.ListRootsResult":
        from mcp import types
        from pydantic import FileUrl

        return types.ListRootsResult(roots=[types.Root(uri=FileUrl(self._folder.as_uri()), name=self._folder.name)])

    async def _on_log(self, params: "types.LoggingMessageNotificationParams") -> None:
        # As it would stand in code, so that no server can write lines of ours.
        said = repr(params.data)[:MAX_LOGGED]
        log.log(_LEVELS.get(params.level, logging.ERROR), "MCP server %s says: %s", self._server, said)

    async def _on_sample(
        self, context: "ClientRequestContext", params: "types.CreateMessageRequestParams"
    ) -> "types.CreateMessageResult | types.ErrorData":
        from mcp import types

        ctx = self._caller()
        if ctx is None or self._sample is None:
            return types.ErrorData(code=types.INVALID_REQUEST, message="no call of a single session is active")
        request = _sampling(self._server, ctx.session_id, params)
        try:
            await ctx.ask(
                SAMPLING,
                [self._server],
                title=f"The MCP server {self._server} asks the model to answer a prompt",
                details={"system": request.system, "messages": [_shown(message) for message in request.messages]},
            )
            answer = await self._sample(request, ctx)
        except PermissionDenied as error:
            return types.ErrorData(code=REJECTED, message=str(error))
        except Exception as error:  # whatever fails here must not end the server's connection
            log.exception("MCP server %s: sampling failed", self._server)
            return types.ErrorData(code=types.INTERNAL_ERROR, message=f"the model did not answer: {error}")
        content = types.TextContent(type="text", text=answer.text)
        return types.CreateMessageResult(
            role="assistant", content=content, model=answer.model, stop_reason=answer.reason
        )

    async def _on_elicit(
        self, context: "ClientRequestContext", params: "types.ElicitRequestParams"
    ) -> "types.ElicitResult | types.ErrorData":
        from mcp import types

        ctx = self._caller()
        if ctx is None or self._elicit is None:
            return types.ErrorData(code=types.INVALID_REQUEST, message="no call of a single session is active")
        schema: dict[str, Any] | None = getattr(params, "requested_schema", None)
        try:
            form = None if schema is None else compile_schema(schema)
        except ValueError:
            return types.ErrorData(code=types.INVALID_PARAMS, message="the requested schema is not valid")
        request = Elicitation(self._server, ctx.session_id, params.message, schema, getattr(params, "url", ""))
        try:
            answer = await self._elicit(request, ctx)
        except Exception:  # whatever fails here must not end the server's connection
            log.exception("MCP server %s: elicitation failed", self._server)
            return types.ElicitResult(action="cancel")
        if answer.action != "accept" or form is None:
            return types.ElicitResult(action=answer.action)
        content = answer.content or {}
        if not form.is_valid(content):
            return types.ErrorData(code=types.INVALID_PARAMS, message="the answer does not match the requested schema")
        return types.ElicitResult(action="accept", content=content)

    def _caller(self) -> ToolContext | None:
        """Whose call this must be about. Calls of two sessions at once could not be told apart, so neither is meant."""
        sessions = {ctx.session_id for ctx, _ in self._calls}
        return self._calls[-1][0] if len(sessions) == 1 else None

    def _patiently(self, answer: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Awaitable[Any]]:
        async def answered(context: Any, params: Any) -> Any:
            with ExitStack() as held:
                for _, patience in self._calls:
                    held.enter_context(patience.held())
                return await answer(context, params)

        return answered


def _sampling(server: str, session_id: str, params: "types.CreateMessageRequestParams") -> SamplingRequest:
    hints = params.model_preferences.hints if params.model_preferences else None
    return SamplingRequest(
        server,
        session_id,
        tuple(SamplingMessage(message.role, _content(message.content_as_list)) for message in params.messages),
        params.max_tokens,
        params.system_prompt or "",
        params.temperature,
        tuple(params.stop_sequences or ()),
        tuple(hint.name for hint in hints or () if hint.name),
    )


def _content(blocks: Sequence[Any]) -> tuple[Content, ...]:
    return tuple(part for block in blocks for part in to_content(block))


def _shown(message: SamplingMessage) -> dict[str, Any]:
    texts = [getattr(part, "text", "") or f"[{getattr(part, 'mime', 'file')}]" for part in message.content]
    return {"role": message.role, "text": "\n".join(texts)}


async def sample_from_model(request: SamplingRequest, ctx: ToolContext) -> SamplingAnswer:
    """Answer with the model of the session, after the person allowed it. The session pays for it."""
    options = {"max_tokens": request.max_tokens, "temperature": request.temperature, "stop": list(request.stop) or None}
    given = {name: value for name, value in options.items() if value is not None}
    messages = [_session_message(message) for message in request.messages]
    said = await ctx.host.ask_model(messages, system=request.system, options=given)
    return SamplingAnswer(said.text, said.model, _reason(said.reason))


def _session_message(message: SamplingMessage) -> Message:
    return Message(new_id("msg"), message.role, message.content, time=time.time())


def _reason(reason: FinishReason) -> Literal["endTurn", "maxTokens"]:
    return "maxTokens" if reason == "length" else "endTurn"
