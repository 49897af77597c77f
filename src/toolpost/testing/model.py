"""A scripted model in this process: for tests of agents, tools and faces, without any network."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from inspect import isawaitable
from types import TracebackType
from typing import Self

from toolpost.arguments.parse_json import parse_arguments
from toolpost.models.contract import EFFORTS, ModelInfo, ModelRequest
from toolpost.types.errors import ModelError
from toolpost.types.messages import Usage
from toolpost.types.stream import (
    Finish,
    GeneratedFile,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamError,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)
from toolpost.types.text import counted

from .script import CallTool, Fail, MakeFile, Pause, Say, ScriptError, Step, Think, Turn, Wait, arguments_text, pieces

TurnFrom = Callable[[ModelRequest], Turn | Awaitable[Turn]]


class ScriptedModel:
    """Plays one turn a request, in order; a callable turn is made from the request.

    `requests` are the requests it got. A request beyond the script raises `ScriptError`; `assert_done()`, or leaving
    it as a context manager, fails if turns are left.
    """

    def __init__(
        self,
        *turns: Turn | TurnFrom,
        name: str = "model",
        provider: str = "scripted",
        context_window: int | None = None,
        max_output: int | None = None,
    ) -> None:
        self.requests: list[ModelRequest] = []
        self._turns = list(turns)
        self._info = ModelInfo(provider, name, context_window, max_output, EFFORTS)
        self._calls = 0

    @property
    def info(self) -> ModelInfo:
        return self._info

    def add(self, *turns: Turn | TurnFrom) -> None:
        self._turns += turns

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        turn = await self._next(request)
        for position, step in enumerate(turn.steps):
            if isinstance(step, Fail):
                if not position:
                    raise ModelError(step.error)
                yield StreamError(step.error)
                return
            if isinstance(step, Pause):
                await step.wait()
            elif isinstance(step, Wait):
                await asyncio.sleep(step.seconds)
            for event in self._events(step, str(position)):
                yield event
        yield Finish(turn.reason, turn.usage or Usage())

    def assert_done(self) -> None:
        if self._turns:
            raise ScriptError(f"never asked for: {counted(len(self._turns), 'turn')} of the script")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.assert_done()

    async def _next(self, request: ModelRequest) -> Turn:
        self.requests.append(request)
        if not self._turns:
            raise ScriptError(f"request {len(self.requests)} came, but the script has no turn left for it")
        turn = self._turns.pop(0)
        if isinstance(turn, Turn):
            return turn
        made = turn(request)
        return await made if isawaitable(made) else made

    def _events(self, step: Step, block: str) -> list[StreamEvent]:
        match step:
            case Say(text, chunk):
                deltas: list[StreamEvent] = [TextDelta(piece, block) for piece in pieces(text, chunk)]
                return [TextStart(block), *deltas, TextEnd(block)]
            case Think(text, chunk):
                deltas = [ReasoningDelta(piece, block) for piece in pieces(text, chunk)]
                return [ReasoningStart(block), *deltas, ReasoningEnd(block)]
            case CallTool():
                return self._call_events(step)
            case MakeFile(mime, data):
                return [GeneratedFile(mime, data)]
            case Pause() | Wait():
                return []
            case _:
                raise ScriptError(f"{type(step).__name__} happens on a wire: use toolpost.testing.Upstream for it")

    def _call_events(self, step: CallTool) -> list[StreamEvent]:
        self._calls += 1
        call_id = step.id or f"call_{self._calls}"
        text = arguments_text(step)
        arguments, raw = parse_arguments(text)
        deltas: list[StreamEvent] = [ToolInputDelta(call_id, piece) for piece in pieces(text, step.chunk)]
        end: list[StreamEvent] = [ToolInputEnd(call_id), ToolCall(call_id, step.name, arguments, raw)]
        return [ToolInputStart(call_id, step.name), *deltas, *end]
