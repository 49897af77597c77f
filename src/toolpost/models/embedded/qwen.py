"""The embedded model Qwen2.5-Coder: weights in this process, with the adapter (LoRA) that taught them to call tools.

The prompt format is the one that the adapters were trained on: short texts, and the dates around today. `training/`
makes its rows through it, so a change of it needs new adapters.
"""

import hashlib
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import structs

from toolpost.extras import missing_text
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelInfo, ModelRequest, close_stream
from toolpost.models.message_parts import merge
from toolpost.models.prompted.adapter import Prompted
from toolpost.types.errors import ConfigError
from toolpost.types.messages import CompactionPart, Completed, Part, TextPart, ToolPart, language_of_conversation
from toolpost.types.stream import StreamEvent
from toolpost.types.text import Language

from .model import Gguf
from .server import SLOTS, without_adapter

# Greedy: it calls better so. A small model may repeat itself for ever: a longer answer can be asked for, and what was
# written or read once is made unlikely from its 24th token in a row on, which no value of a call is long enough for.
DEFAULTS: Mapping[str, Any] = {"temperature": 0.0, "max_tokens": 512}
AGAINST_LOOPS: Mapping[str, Any] = {"dry_multiplier": 0.8, "dry_base": 1.75, "dry_allowed_length": 24}

# The adapters are files of this package. Their hashes are those of the files that this version was made with: a wrong
# one may take down the process that loads it.
PACKAGE = "toolpost_adapters"
ADAPTER_SHA256 = {
    "qwen2.5-coder-1.5b": "c86d2a36ada528cb624eaedd29a2e9897f1d3b0613f59174a8313bcdb6cbe078",
    "qwen2.5-coder-0.5b": "94f3e86994c74dc8ed770bc419d17cd5f6fe8f1890d00de88e2ffe40a666330b",
}
# The dialect is made of plain tokens: these weights never learnt to write `<tool_call>`, which is a token of its own.
DIALECT, BACKEND = "functionary_v31", "llamacpp"
# Two cores read about 60 tokens a second, so what is longer costs more time than it brings.
_MAX_SYSTEM_CHARS = 600
_MAX_RESULT_CHARS = 3_000

_TODAY = re.compile(r"(?:today|date|今天|日期)[^\d]{0,40}(\d{4}-\d{2}-\d{2})", re.IGNORECASE)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAYS_ZH = "一二三四五六日"
_WEEKS: Mapping[Language, tuple[str, str, str]] = {
    "en": ("Last week", "This week", "Next week"),
    "zh": ("上周", "本周", "下周"),
}


class Qwen:
    """Qwen2.5-Coder with an adapter: asked for calls in the form that this was trained on, `prepared`.

    Without tools the adapter is left out, and it is the model that it was. `adapter` is a file to be tried instead of
    the one that belongs to the weights.
    """

    def __init__(
        self, settings: AdapterSettings, path: Path, *, adapter: Path | None = None, grammar: bool = True
    ) -> None:
        options, extra_body = settings.options or {}, settings.extra_body or {}
        settings = structs.replace(
            settings, options={**DEFAULTS, **options}, extra_body={**AGAINST_LOOPS, **extra_body}
        )
        self._llama = Gguf(settings, path, adapter=adapter or adapter_of(settings.name), slots=SLOTS)
        self._prompted = Prompted(_Unmarked(self._llama), dialect=DIALECT, backend=BACKEND, grammar=grammar, brief=True)

    @property
    def info(self) -> ModelInfo:
        return self._llama.info

    def __repr__(self) -> str:
        return f"Qwen({self._llama!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        asked = prepared(request)
        if not asked.tools:
            extra = without_adapter()
            merge(extra, request.options.get("extra") or {})
            asked.options = {**request.options, "extra": extra}
        events = self._prompted.stream(asked)
        try:
            async for event in events:
                yield event
        finally:
            await close_stream(events)


@cache
def adapter_of(name: str) -> Path:
    """The adapter's file of `embedded/<name>`, checked once. Raises `ConfigError` where it is missing or wrong."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ConfigError(missing_text("local", f"the adapter of embedded/{name}"))
    file = Path(found.origin).parent / f"{name}.gguf"
    try:
        with file.open("rb") as adapter:
            sha256 = hashlib.file_digest(adapter, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"can't read {file}: {error.strerror}. Install toolpost-adapters again.") from error
    if sha256 != ADAPTER_SHA256[name]:
        raise ConfigError(f"{file} is not the adapter of this version of Toolpost: install toolpost-adapters again")
    return file


class _Unmarked:
    """The model behind `Prompted`, where all that it is told is text."""

    def __init__(self, model: Gguf) -> None:
        self._model = model

    @property
    def info(self) -> ModelInfo:
        return self._model.info

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        return self._model.stream(without_marks(request))


def prepared(request: ModelRequest) -> ModelRequest:
    """The request in the trained form: system texts that are short, and beside tools the days around today."""
    tools = request.tools if request.tool_choice != "none" else ()
    system = [text if len(text) <= _MAX_SYSTEM_CHARS else "" for text in request.system]
    if tools:
        head, *body = system or [""]
        system = [head, *body, days_around(today_in(request.system), language_of_conversation(request.messages))]
    return ModelRequest(
        [structs.replace(message, parts=tuple(map(_shortened, message.parts))) for message in request.messages],
        system=system,
        tools=tools,
        tool_choice=request.tool_choice,
        options=request.options,
        tape=request.tape,
        idle_timeout=request.idle_timeout,
    )


def today_in(system: Iterable[str]) -> date:
    """The day that the system prompt names, else that of the clock."""
    found = _TODAY.search("\n".join(system))
    try:
        return date.fromisoformat(found[1]) if found else date.today()
    except ValueError:
        return date.today()


def days_around(today: date, language: Language) -> str:
    """Last week, this week and next week with their dates: a small model finds a day there, and counts badly."""
    monday = today - timedelta(days=today.weekday())
    weeks = zip(_WEEKS[language], (monday + timedelta(weeks=number) for number in (-1, 0, 1)), strict=True)
    if language == "zh":
        first = f"今天是{today}，星期{_WEEKDAYS_ZH[today.weekday()]}。"
        return "\n".join(
            [first, *(f"{week}：{_week(start, [f'周{day}' for day in _WEEKDAYS_ZH])}" for week, start in weeks)]
        )
    first = f"Today is {_WEEKDAYS[today.weekday()]} {today}."
    names = [day[:3] for day in _WEEKDAYS]
    return "\n".join([first, *(f"{week}: {_week(start, names)}" for week, start in weeks)])


def _week(start: date, names: Sequence[str]) -> str:
    """The year stands at the first day alone: digits are a token each."""
    first, *others = names
    days = (f"{name} {start + timedelta(days=number):%m-%d}" for number, name in enumerate(others, 1))
    return ", ".join([f"{first} {start}", *days])


def _shortened(part: Part) -> Part:
    if not isinstance(part, ToolPart) or not isinstance(part.state, Completed):
        return part
    texts = [content.text for content in part.state.content if isinstance(content, TextPart)]
    text = "\n".join(texts)
    if len(text) > _MAX_RESULT_CHARS:
        text = f"{text[:_MAX_RESULT_CHARS]} … ({len(text) - _MAX_RESULT_CHARS:,} more characters)"
    files = tuple(content for content in part.state.content if not isinstance(content, TextPart))
    return structs.replace(part, state=structs.replace(part.state, content=(TextPart(text), *files)))


def without_marks(request: ModelRequest) -> ModelRequest:
    """The request as it goes to llama.cpp, with nothing in it that could end a turn as the template's own marks do: not
    what a user wrote, a tool gave back or failed with, nor what a server says of its tools."""
    request.system = [_unmarked(text) for text in request.system]
    request.messages = [
        structs.replace(message, parts=tuple(map(_without_marks, message.parts))) for message in request.messages
    ]
    return request


def _without_marks(part: Part) -> Part:
    if isinstance(part, CompactionPart):
        return structs.replace(part, summary=_unmarked(part.summary))
    return structs.replace(part, text=_unmarked(part.text)) if isinstance(part, TextPart) else part


def _unmarked(text: str) -> str:
    return text.replace("<|", "< |")
