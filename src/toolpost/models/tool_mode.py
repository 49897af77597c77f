"""Choose how a model is asked for tool calls: natively, as text (prompted), or automatically."""

import logging
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Literal

import msgspec

from toolpost.types.errors import ModelError
from toolpost.types.stream import StreamEvent

from .contract import Model, ModelInfo, ModelRequest, close_stream, get_ready
from .prompted.model_families import calls_natively
from .prompted.text_calls import StrayCalls

log = logging.getLogger("toolpost.models")

Mode = Literal["native", "prompted", "auto"]

# A native model that wrote its calls as text in so many of its last turns is better asked in words.
MAX_SLIPS = 2
TURNS_WATCHED = 5

# `parallel_tool_calls` or `tool_choice` refused, or a tool whose schema is wrong, is another matter.
_TOOLS = r"(?<!parallel[ _])(tools?\b(?![ _-]?choice|\[|\.)|(tool|function)[ _-]?(use|call(s|ing)?)\b|functions\b)"
_REFUSES_TOOLS = (
    rf"(not|n't) (currently )?(support|allow|accept|take)[^.:]{{0,30}}{_TOOLS}"
    rf"|{_TOOLS}[^.:]{{0,40}}(not|n't) (currently |yet )?(supported|allowed|available|enabled|permitted)"
    r"|(unknown|unrecogni[sz]ed|extra|unsupported) (\w+ )?(field|param|arg|key|input)[^.]{0,40}\btools\b(?![\[.])"
    r"|--enable-auto-tool-choice|--tool-call-parser|tools? param(eter)? requires|requires? (the )?--jinja"
    r"|found that supports? tool use"
    r"|不支持.{0,12}(工具|函数|tools?|function)|(工具|函数|tools?|function).{0,12}(不支持|不可用|未开启)"
)


def refuses_tools(error: ModelError) -> bool:
    """Whether a server answered that this model, or the server itself, takes no tools."""
    if error.code not in ("bad_request", "server", "not_found"):
        return False
    # Compiled only here: few runs ever come to it.
    return re.search(_REFUSES_TOOLS, error.info.message, re.IGNORECASE) is not None


class Asking(msgspec.Struct, frozen=True, omit_defaults=True):
    """How to ask a model for calls; "" is not said. `dialect` and `grammar`, the server that constrains what is written
    (or "off"), matter where it is asked in words."""

    mode: Mode | Literal[""] = ""
    dialect: str = ""
    grammar: str = ""

    def under(self, other: "Asking") -> "Asking":
        """This, with what `other` says laid over it."""
        return Asking(other.mode or self.mode, other.dialect or self.dialect, other.grammar or self.grammar)


class ModeFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was found out about a model: how to ask it for calls, and why."""

    mode: Literal["native", "prompted"]
    why: str = ""
    time: float = 0.0


class ModeFindings:
    """What was found out about models, by the server's address and the model's name. Kept in a file, because a new
    process would else ask the wrong way again; a file that cannot be read or written costs no more than that."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, ModeFinding] | None = None

    def of(self, key: str) -> ModeFinding | None:
        return self._all().get(key)

    def keep(self, key: str, mode: Literal["native", "prompted"], why: str) -> None:
        # Another process may have found out something since.
        self._known = {**self._all(), **self._read(), key: ModeFinding(mode, why, time.time())}
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft = self._path.with_name(f"{self._path.name}.{time.time_ns()}")
            draft.write_bytes(msgspec.json.format(msgspec.json.encode(self._known)))
            draft.replace(self._path)
        except OSError as error:
            log.info("cannot keep what was found out about %s: %s", key, error)

    def _all(self) -> dict[str, ModeFinding]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def _read(self) -> dict[str, ModeFinding]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, ModeFinding]) if self._path else {}
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}


class AutoMode:
    """A model that is asked natively, until its server refuses tools or it writes its calls as text. Then it is asked
    in words, beginning with the very turn that failed. What was found out is remembered under `key`."""

    def __init__(self, native: Model, prompted: Callable[[], Model], findings: ModeFindings, key: str) -> None:
        self._native = native
        self._make_prompted = prompted
        self._made: Model | None = None
        self._findings = findings
        self._key = key
        self._slips: list[bool] = []

    @property
    def info(self) -> ModelInfo:
        return self._native.info

    async def get_ready(self) -> None:
        await get_ready(self._native)

    @property
    def native(self) -> Model:
        return self._native

    @property
    def mode(self) -> Literal["native", "prompted"]:
        """How the model is asked now."""
        found = self._findings.of(self._key)
        if found is None:
            return "native" if calls_natively(self.info.name) else "prompted"
        return found.mode

    def __repr__(self) -> str:
        return f"AutoMode({self._native!r}, mode={self.mode!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        if self.mode == "native":
            try:
                async with aclosing(self._ask_natively(request)) as events:
                    async for event in events:
                        yield event
                return
            except ModelError as error:
                if not request.tools or not refuses_tools(error):
                    raise
                self._switch(f"the server refuses tools: {error.info.message}")
        events = self._prompted.stream(request)
        try:
            async for event in events:
                yield event
        finally:
            await close_stream(events)

    @property
    def _prompted(self) -> Model:
        if self._made is None:
            self._made = self._make_prompted()
        return self._made

    async def _ask_natively(self, request: ModelRequest) -> AsyncGenerator[StreamEvent, None]:
        events = self._native.stream(request)
        slips = StrayCalls(request)
        try:
            async for event in events:
                for one in slips.pass_on(event) if request.tools else (event,):
                    yield one
        finally:
            await close_stream(events)
        self._note(slips.found)

    def _note(self, slipped: bool) -> None:
        self._slips = [*self._slips[1 - TURNS_WATCHED :], slipped]
        if sum(self._slips) >= MAX_SLIPS:
            self._switch("it writes its calls as text")

    def _switch(self, why: str) -> None:
        log.info("%s is asked for calls as text from now on: %s", self.info.id, why)
        self._findings.keep(self._key, "prompted", why)


def with_mode(native: Model, asking: Asking, findings: ModeFindings, key: str) -> Model:
    """The model, asked in the way that `asking` says. `key` is what findings about it are kept under."""
    if asking.dialect:
        from .prompted.dialects.table import find_dialect

        find_dialect(asking.dialect)
    if asking.mode == "native":
        return native

    def prompted() -> Model:
        # Imported when it is needed: most models are asked natively.
        from .prompted.adapter import Prompted

        backend = "" if asking.grammar == "off" else asking.grammar
        return Prompted(native, dialect=asking.dialect or None, backend=backend)

    return prompted() if asking.mode == "prompted" else AutoMode(native, prompted, findings, key)
