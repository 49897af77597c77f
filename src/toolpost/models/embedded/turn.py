"""One turn of SmolLM2: a call for each request of the question that a tool is for, else, or once the results are
there, an answer in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from toolpost.models.contract import ModelRequest
from toolpost.models.parts import arguments_of
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

from .answer import answer, conversation, say_result
from .arguments import write_arguments
from .choice import choose_tool
from .decoder import Decoder
from .words import is_detail, is_more_of_the_same, plain_name, requests_in

# A question of this length is read for what it asks; more of it is pasted text.
MOST_QUESTION_CHARS = 4_000

Emit = Callable[[StreamEvent], None]


class Wanted(Struct, frozen=True):
    """A call that a question needs. With something `missing` it can't be made."""

    tool: ToolSpec
    arguments: str
    missing: tuple[str, ...] = ()


def take_turn(decoder: Decoder, request: ModelRequest, options: Mapping[str, Any], emit: Emit) -> None:
    """Gives every event of the turn, the `Finish` too. Raises `ModelError` and `Stopped`."""
    question, made = _asked(request.messages)
    question = question[:MOST_QUESTION_CHARS]
    wanted: list[Wanted] = []
    insist = request.tool_choice == "required"
    # One round of calls a question: a model of this size does not know when to stop.
    if request.tools and request.tool_choice != "none" and (insist or not made):
        for call in calls_for(decoder, question, request.tools, made, insist=insist):
            wanted.append(call)
            if insist or not call.missing:
                _give(call, emit)
    if any(insist or not call.missing for call in wanted):
        return emit(Finish("tool-calls", decoder.usage))
    emit(TextStart())
    reason: FinishReason = "stop"
    if made:
        _tell(decoder, request, question, made, emit)
    elif wanted:
        emit(TextDelta(_ask_for(wanted)))
    else:
        reason = answer(decoder, conversation(request.messages, "\n\n".join(request.system)), options, emit)
    emit(TextEnd())
    return emit(Finish(reason, decoder.usage))


def calls_for(
    decoder: Decoder,
    question: str,
    tools: Sequence[ToolSpec],
    made: Sequence[ToolPart] = (),
    *,
    insist: bool = False,
) -> Iterator[Wanted]:
    """Every call that the question needs, in its order, none twice and none that was `made`."""
    known = {(call.name, _canonical(arguments_of(call.state))) for call in made}
    for tool, request in _requests(decoder, question, tools, insist):
        arguments = write_arguments(decoder, tool, request, question)
        key = tool.name, _canonical(msgspec.json.decode(arguments.text))
        if key not in known:
            known.add(key)
            yield Wanted(tool, arguments.text, arguments.missing)


def _asked(messages: Sequence[Message]) -> tuple[str, list[ToolPart]]:
    """What was asked last, and the calls that were made for it. A message without an id is the engine's own."""
    asked = [message for message in messages if message.role == "user" and message.id] or messages[-1:]
    if not asked:
        return "", []
    since = messages[messages.index(asked[-1]) :]
    return asked[-1].text.strip(), [call for message in since for call in message.calls]


def _requests(decoder: Decoder, question: str, tools: Sequence[ToolSpec], insist: bool) -> list[tuple[ToolSpec, str]]:
    """The question's requests that a tool is for, each with the sentences that only say more about it."""
    found: list[tuple[ToolSpec, str]] = []
    for part in [question] if insist else requests_in(question, tools):
        if found and is_more_of_the_same(part):
            found.append((found[-1][0], part))
        elif found and is_detail(part, tools):
            tool, before = found[-1]
            found[-1] = tool, f"{before} {part}"
        elif (tool := choose_tool(decoder, part, tools, insist=insist)) is not None:
            found.append((tool, part))
    return found


def _give(call: Wanted, emit: Emit) -> None:
    call_id, name = new_id("call"), call.tool.name
    emit(ToolInputStart(call_id, name))
    emit(ToolInputDelta(call_id, call.arguments))
    emit(ToolInputEnd(call_id))
    emit(ToolCall(call_id, name, msgspec.json.decode(call.arguments)))


def _tell(decoder: Decoder, request: ModelRequest, question: str, made: Sequence[ToolPart], emit: Emit) -> None:
    """A sentence about each result, in the order of the calls."""
    parts = requests_in(question, request.tools)
    asked = parts if len(parts) == len(made) else [question] * len(made)
    for number, (call, part) in enumerate(zip(made, asked, strict=True)):
        emit(TextDelta(("\n" if number else "") + say_result(decoder, call, part)))


def _canonical(arguments: dict[str, Any]) -> bytes:
    return msgspec.json.encode(arguments, order="sorted")


def _ask_for(wanted: Sequence[Wanted]) -> str:
    names = dict.fromkeys(plain_name(name) for call in wanted for name in call.missing)
    return f"Please tell me the {' and the '.join(names)}."
