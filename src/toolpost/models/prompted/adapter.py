"""Prompted mode for any model: tools in the system prompt, calls read from the text, the events of a native model."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from functools import cache
from typing import Any

from msgspec import structs

from toolpost.models.contract import Model, ModelInfo, ModelRequest, close_stream, get_ready
from toolpost.models.message_parts import merge
from toolpost.types.errors import ModelError
from toolpost.types.messages import Failed, Message, TextPart, language_of_conversation
from toolpost.types.stream import StreamEvent
from toolpost.types.text import Language
from toolpost.types.tool_spec import ToolSpec

from .dialects.table import find_dialect
from .grammar.request_fields import ENVELOPED, constrained_reader, constraint, refuses_constraint
from .model_families import asked_for, family_of
from .prompt_writer import PromptWriter
from .scanner import CallScanner
from .text_calls import CallReader, TextCalls

MAX_UNREADABLE = 2
# Servers that send special tokens as text where they are asked to.
_KEEPS_TOKENS = frozenset({"vllm", "sglang"})
_NO_SYSTEM = re.compile(r"system (role|message|prompt)s?.{0,30}not (be )?(supported|allowed)", re.IGNORECASE)


class Prompted:
    """`model` as it is, but with its tools in the system prompt and its calls read from its text.

    `dialect` is how it should write them; without one, what its family was trained on, else the most common one.
    Whatever it writes, every dialect is understood. `backend` names the server where it can constrain what the model
    writes (`llamacpp`, `vllm`, `sglang`, `ollama`, `json_schema`); `grammar` False leaves the model free. `brief`: it
    was taught to call tools by their signatures alone, and is told no more.
    """

    def __init__(
        self,
        model: Model,
        *,
        dialect: str | None = None,
        backend: str = "",
        grammar: bool = True,
        brief: bool = False,
    ) -> None:
        find_dialect(dialect)
        family = asked_for(family_of(model.info.name), keeps_tokens=backend in _KEEPS_TOKENS)
        self._model = model
        self._dialect = dialect or family.dialect
        self._trained = family.trained and self._dialect == family.dialect
        self._brief = brief
        self._backend = backend
        # What a server refuses is noticed once and remembered.
        self._constrains = grammar and bool(backend)
        self._takes_system = True
        self._writer = cache(self._new_writer)

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    async def get_ready(self) -> None:
        await get_ready(self._model)

    @property
    def dialect(self) -> str:
        """The dialect that the model is asked for."""
        return self._dialect

    def __repr__(self) -> str:
        return f"Prompted({self._model!r}, dialect={self._dialect!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        while True:
            # As it is sent: a run beside this one may find out the same in the meantime.
            constrained, with_system = self._constrains, self._takes_system
            try:
                async with aclosing(self._attempt(request)) as events:
                    async for event in events:
                        yield event
                return
            except ModelError as error:
                if not self._gives_way(error, constrained, with_system):
                    raise

    async def _attempt(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        given_up = _unreadable_in_a_row(request.messages) >= MAX_UNREADABLE
        tools = () if given_up or request.tool_choice == "none" else request.tools
        writer = self._writer(language_of_conversation(request.messages), self._enveloped)
        system = writer.tools(tools, required=request.tool_choice == "required") if tools else ""
        if given_up:
            system = writer.given_up
        events = self._model.stream(self._asked(request, tools, writer, system))
        calls = TextCalls(request, self._reader(tools), CallScanner(tools))
        try:
            async for event in events:
                for one in calls.pass_on(event) if tools else (event,):
                    yield one
        finally:
            await close_stream(events)

    def _asked(self, request: ModelRequest, tools: Sequence[ToolSpec], writer: PromptWriter, said: str) -> ModelRequest:
        """The request as it goes to the model: without tools, and with everything about them in words."""
        # The tools stand before what changes from turn to turn, so that a server can keep them in its cache.
        head, *body = request.system or ("",)
        system = tuple(filter(None, (f"{head}\n\n{said}".strip() if said else head, *body)))
        messages: Sequence[Message] = request.memo.rewrite(request.messages, writer.message)
        if not self._takes_system and system and messages:
            first = messages[0]
            whole = (TextPart("\n\n".join(system)), *first.parts)
            messages, system = [structs.replace(first, parts=whole), *messages[1:]], ()
        return ModelRequest(
            messages,
            system=system,
            options=self._options(request, tools),
            memo=request.memo,
            tape=request.tape,
            idle_timeout=request.idle_timeout,
        )

    def _options(self, request: ModelRequest, tools: Sequence[ToolSpec]) -> dict[str, Any]:
        options = {name: value for name, value in request.options.items() if name != "parallel_tool_calls"}
        extra: dict[str, Any] = {}
        if tools and self._backend in _KEEPS_TOKENS:
            extra["skip_special_tokens"] = False
        if tools and self._constrains:
            required = request.tool_choice == "required"
            merge(extra, constraint(self._backend, tools, self._dialect, required=required) or {})
        if extra:
            merge(extra, options.get("extra") or {})
            options["extra"] = extra
        return options

    def _reader(self, tools: Sequence[ToolSpec]) -> CallReader:
        # Any dialect is read, whichever was asked for: a model does as it was trained to.
        return constrained_reader(self._backend, tools, self._dialect) if self._constrains else CallScanner(tools)

    @property
    def _enveloped(self) -> bool:
        return self._constrains and self._backend in ENVELOPED

    def _new_writer(self, language: Language, enveloped: bool) -> PromptWriter:
        return PromptWriter(self._dialect, language, trained=self._trained, enveloped=enveloped, brief=self._brief)

    def _gives_way(self, error: ModelError, constrained: bool, with_system: bool) -> bool:
        """Leave out what the server refused. False if it was nothing of ours."""
        if error.code not in ("bad_request", "server"):
            return False
        if constrained and refuses_constraint(error.info.message):
            self._constrains = False
        elif with_system and _NO_SYSTEM.search(error.info.message):
            self._takes_system = False
        else:
            return False
        return True


def _unreadable_in_a_row(messages: Sequence[Message]) -> int:
    """How many turns at the end of a conversation made only calls that could not be read."""
    count = 0
    for message in reversed(messages):
        if message.role == "user" or not message.calls:
            break
        states = [call.state for call in message.calls]
        if not all(isinstance(state, Failed) and state.kind == "invalid" and state.raw for state in states):
            break
        count += 1
    return count
