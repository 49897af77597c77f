"""A conversation as the text that the model reads and writes, made by the runtime's own writer."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from toolpost.models.embedded.prompt import ASSISTANT, END, turns
from toolpost.types.messages import CallState, Completed, Failed, Message, TextPart, ToolPart
from toolpost.types.tools import ToolSpec

Record = dict[str, Any]
# Text, and whether the model is to learn it.
Piece = tuple[str, bool]


def pieces(record: Record, *, learn_all: bool) -> list[Piece]:
    """The whole conversation. Learnt are the assistant's turns, or the last one alone."""
    spoken = list(turns(tools_of(record), messages_of(record), date.fromisoformat(record["today"])))
    last = max(number for number, turn in enumerate(spoken) if turn.role == "assistant")
    found: list[Piece] = []
    unlearnt = ""
    for number, turn in enumerate(spoken[: last + 1]):
        if turn.role == "assistant" and (learn_all or number == last):
            found += [(unlearnt + ASSISTANT, False), (f"{turn.text}{END}", True)]
            unlearnt = "\n"
        else:
            unlearnt += str(turn)
    return found


def tools_of(record: Record) -> list[ToolSpec]:
    return [ToolSpec(tool["name"], tool["description"], tool["parameters"]) for tool in record["tools"]]


def messages_of(record: Record) -> Iterator[Message]:
    """The record's messages as a session holds them: a call and its result are one part."""
    said: list[Record] = record["messages"]
    for number, message in enumerate(said):
        if message["role"] == "tool":
            continue
        parts: list[TextPart | ToolPart] = [TextPart(message["content"])] if message.get("content") else []
        results = _results_after(said, number)
        for call in message.get("calls") or ():
            result = next(results, {"content": ""})
            parts.append(ToolPart("", call["name"], _state(call["arguments"], result)))
        yield Message(str(number), message["role"], tuple(parts))


def _results_after(said: list[Record], number: int) -> Iterator[Record]:
    for message in said[number + 1 :]:
        if message["role"] != "tool":
            return
        yield message


def _state(arguments: dict[str, Any], result: Record) -> CallState:
    if result.get("failed"):
        return Failed("failed", result["content"], arguments)
    return Completed(arguments, (TextPart(str(result["content"])),), 0.0, 0.0)
