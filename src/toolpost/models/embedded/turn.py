"""One turn of SmolLM2: calls or words, as the adapter taught it, and words about the results once they are there."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import msgspec
from msgspec import structs

from toolpost.models.contract import ModelRequest
from toolpost.models.parts import arguments_of, encode, result_text
from toolpost.models.prompted.constrain import constrained_reader, constraint
from toolpost.models.prompted.writer import language_of
from toolpost.types.ids import new_id
from toolpost.types.messages import FinishReason, Message, ToolPart
from toolpost.types.stream import (
    Finish,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)
from toolpost.types.tools import ToolSpec

from .answer import answer, conversation, say_results
from .confidence import how_sure
from .copying import Said
from .decoder import Decoder, Written
from .measures import in_wanted_units
from .notes import notes
from .prompt import prompt
from .words import shared_words

DIALECT, BACKEND = "hermes", "llamacpp"
MOST_TOKENS = 512
# More would not be read well, and reading them takes the time of an answer.
MOST_TOOLS = 12
# A choice that the model itself finds less likely than this is not made: it asks instead. Found on the development set.
LEAST_SURE = 0.3
_UNSURE = {
    "en": "I'm not sure what I should do here. Could you say it in other words?",
    "zh": "我不太确定该怎么做，可以换个说法再说一遍吗？",
}
_WHICH_ONE = {
    "en": "Is {value} the {one} or the {other}? Please tell me both.",
    "zh": "“{value}”是{one}还是{other}？请把两个都告诉我。",
}
_TODAY = re.compile(r"(?:today|date|今天|日期)[^\d]{0,40}(\d{4}-\d{2}-\d{2})", re.IGNORECASE)

Emit = Callable[[StreamEvent], None]


def take_turn(
    decoder: Decoder, request: ModelRequest, options: Mapping[str, Any], emit: Emit, *, grammar: bool = True
) -> None:
    """Gives every event of the turn, the `Finish` too. Raises `ModelError` and `Stopped`. `grammar`: calls are held to
    the schemas of their tools."""
    question, made = _asked(request.messages)
    tools = _offered(request, question)
    insist = request.tool_choice == "required"
    # One round of calls a question: a model of this size does not know when to stop.
    if tools and (insist or not made):
        limits = (constraint(BACKEND, tools, DIALECT, required=insist) or {}) if grammar else {}
        own: dict[str, Any] = options.get("extra") or {}
        settings = {"max_tokens": MOST_TOKENS, **options, "extra": {**limits, **own}}
        return _act(decoder, request, tools, made, settings, emit)
    if made:
        return _say(emit, say_results(decoder, tools, request.messages, made, today_in(request.system)), decoder)
    emit(TextStart())
    reason = answer(decoder, conversation(request.messages, "\n\n".join(request.system)), options, emit)
    emit(TextEnd())
    return emit(Finish(reason, decoder.usage))


def today_in(system: Sequence[str]) -> date:
    """The day that the system prompt names, else that of the clock."""
    found = _TODAY.search("\n".join(system))
    try:
        return date.fromisoformat(found[1]) if found else date.today()
    except ValueError:
        return date.today()


def _act(
    decoder: Decoder,
    request: ModelRequest,
    tools: Sequence[ToolSpec],
    made: Sequence[ToolPart],
    options: Mapping[str, Any],
    emit: Emit,
) -> None:
    """Calls, or words if the model prefers them."""
    insist = request.tool_choice == "required"
    read = _Reading(tools, emit)
    asked = prompt(tools, request.messages, today_in(request.system))
    written = decoder.write(asked, options=options, on_text=read.feed)
    calls = read.close(written)
    if not calls:
        return read.finish(written.reason, decoder)
    if not insist and how_sure(written.tokens) < LEAST_SURE:
        return _say(emit, _UNSURE[language_of(request.messages)], decoder)
    said = Said([text for message in request.messages for text in _texts(message)])
    mended = list(_mended(decoder, request, tools, calls, said, asked + written.text))
    doubled = next((found for call, schema in mended if (found := said.said_once(call.arguments, schema))), None)
    if doubled and not insist:
        return _say(emit, _WHICH_ONE[language_of(request.messages)].format(**doubled._asdict()), decoder)
    known = {_key(call.name, arguments_of(call.state)) for call in made}
    is_new = False
    for call, _ in mended:
        if _key(call.name, call.arguments) not in known:
            known.add(_key(call.name, call.arguments))
            _give(call, emit)
            is_new = True
    return emit(Finish("tool-calls" if is_new else "stop", decoder.usage))


def _mended(
    decoder: Decoder,
    request: ModelRequest,
    tools: Sequence[ToolSpec],
    calls: Sequence[ToolCall],
    said: Said,
    written: str,
) -> Iterator[tuple[ToolCall, Mapping[str, Any]]]:
    """The calls with texts as they were said and amounts in the units that are wanted, each with its schema."""
    question = _asked(request.messages)[0]
    noted = notes(question, today_in(request.system))
    for call in calls:
        schema = next(tool.parameters for tool in tools if tool.name == call.name)
        arguments: dict[str, Any] = {}
        if not call.raw:
            arguments = said.arguments(call.arguments, schema, partial(_choose_value, decoder, written, call))
            arguments = in_wanted_units(arguments, schema, question, noted)
        yield structs.replace(call, arguments=arguments), schema


def _choose_value(decoder: Decoder, written: str, call: ToolCall, name: str, spans: Sequence[str]) -> str:
    """The part of the question that the model would write there, if it may write nothing else."""
    value = str(call.arguments[name])
    before, found, _ = written.rpartition(f'"{name}": {encode(value).decode()}')
    return decoder.choose(f'{before}"{name}": "', spans) if found else value


def _texts(message: Message) -> Iterator[str]:
    """What was said in a message: its words, and what tools gave back."""
    yield from (result_text(call.state) for call in message.calls)
    yield message.text


class _Reading:
    """What is written, read as it comes: words are given on at once, calls when the turn has ended."""

    def __init__(self, tools: Sequence[ToolSpec], emit: Emit) -> None:
        self._reader = constrained_reader(BACKEND, tools, DIALECT)
        self._emit = emit
        self._spoke = False
        self._calls: list[ToolCall] = []

    def feed(self, text: str) -> None:
        self._take(self._reader.feed(text))

    def close(self, written: Written) -> list[ToolCall]:
        self._take(self._reader.close(cut=written.reason == "length"))
        if self._spoke:
            self._emit(TextEnd())
        return self._calls

    def finish(self, reason: FinishReason, decoder: Decoder) -> None:
        if not self._spoke:
            self._emit(TextStart())
            self._emit(TextEnd())
        self._emit(Finish(reason, decoder.usage))

    def _take(self, events: Sequence[StreamEvent]) -> None:
        for event in events:
            if isinstance(event, ToolCall):
                self._calls.append(event)
            elif isinstance(event, TextDelta) and not self._calls and (self._spoke or event.text.strip()):
                if not self._spoke:
                    self._spoke = True
                    self._emit(TextStart())
                self._emit(TextDelta(event.text))


def _asked(messages: Sequence[Message]) -> tuple[str, list[ToolPart]]:
    """What was asked last, and the calls that were made for it. A message without an id is the engine's own."""
    asked = [message for message in messages if message.role == "user" and message.id] or messages[-1:]
    if not asked:
        return "", []
    since = messages[messages.index(asked[-1]) :]
    return asked[-1].text.strip(), [call for message in since for call in message.calls]


def _offered(request: ModelRequest, question: str) -> Sequence[ToolSpec]:
    """The tools that the model is shown; of very many, those that have most in common with the question."""
    if request.tool_choice == "none" or len(request.tools) <= MOST_TOOLS:
        return () if request.tool_choice == "none" else request.tools
    used = {call.name for message in request.messages for call in message.calls}
    weights = shared_words(question, request.tools)
    ranked = sorted(zip(request.tools, weights, strict=True), key=lambda one: (one[0].name not in used, -one[1]))
    kept = {tool.name for tool, _ in ranked[:MOST_TOOLS]}
    return [tool for tool in request.tools if tool.name in kept]


def _say(emit: Emit, text: str, decoder: Decoder) -> None:
    for event in (TextStart(), TextDelta(text), TextEnd(), Finish("stop", decoder.usage)):
        emit(event)


def _give(call: ToolCall, emit: Emit) -> None:
    call_id = new_id("call")
    emit(ToolInputStart(call_id, call.name))
    emit(ToolInputDelta(call_id, call.raw or msgspec.json.encode(call.arguments).decode()))
    emit(ToolInputEnd(call_id))
    emit(structs.replace(call, id=call_id))


def _key(name: str, arguments: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode([name, arguments], order="sorted")
