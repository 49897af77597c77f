"""One turn of SmolLM2: calls or words, as the adapter taught it, and words about the results once they are there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import structs

from toolpost.models.contract import ModelRequest
from toolpost.models.parts import arguments_of
from toolpost.models.prompted.constrain import constrained_reader
from toolpost.models.prompted.writer import Language, language_of
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
from .asking import question_for
from .calling import BACKEND, DIALECT, Calling, key_of
from .confidence import how_sure
from .decoder import Decoder, Written
from .mending.calls import Mended
from .today import today_in
from .words import shared_words

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
        calling = Calling(decoder, request, question, tools, options, grammar=grammar)
        return _act(decoder, request, calling, tools, made, emit)
    if made:
        return _say(emit, say_results(decoder, tools, request.messages, made, today_in(request.system)), decoder)
    emit(TextStart())
    reason = answer(decoder, conversation(request.messages, "\n\n".join(request.system)), options, emit)
    emit(TextEnd())
    return emit(Finish(reason, decoder.usage))


def _act(
    decoder: Decoder,
    request: ModelRequest,
    calling: Calling,
    tools: Sequence[ToolSpec],
    made: Sequence[ToolPart],
    emit: Emit,
) -> None:
    """Calls, or words if the model prefers them."""
    insist = request.tool_choice == "required"
    read = _Reading(tools, emit)
    written = calling.write(read.feed, required=insist)
    calls = read.close(written)
    if not calls:
        return read.finish(written.reason, decoder)
    language = language_of(request.messages)
    if not insist and how_sure(written.tokens) < LEAST_SURE:
        return _say(emit, _UNSURE[language], decoder)
    mended = calling.settled(calls, written)
    question = "" if insist else _question_back(calling, mended, language)
    return _say(emit, question, decoder) if question else _give_new([one.whole for one in mended], made, decoder, emit)


def _question_back(calling: Calling, calls: Sequence[Mended], language: Language) -> str:
    """What has to be asked before these calls can be made, or nothing."""
    if doubled := calling.doubled(calls):
        return _WHICH_ONE[language].format(**doubled._asdict())
    return next((question_for(one.tool, name, language) for one in calls for name in one.missing), "")


def _give_new(calls: Sequence[ToolCall], made: Sequence[ToolPart], decoder: Decoder, emit: Emit) -> None:
    """The calls but for those that were made before."""
    known = {key_of(ToolCall("", call.name, arguments_of(call.state))) for call in made}
    is_new = False
    for call in calls:
        if key_of(call) not in known:
            known.add(key_of(call))
            _give(call, emit)
            is_new = True
    return emit(Finish("tool-calls" if is_new else "stop", decoder.usage))


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
