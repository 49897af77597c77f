"""Write a conversation as the text that the model reads and writes, through the runtime's own prompt."""

import random
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any

from toolpost.models.contract import ModelInfo, ModelRequest
from toolpost.models.embedded.qwen import DIALECT, prepared
from toolpost.models.prompted.adapter import Prompted
from toolpost.types.messages import CallState, Completed, Failed, Message, TextPart, ToolPart
from toolpost.types.stream import Finish, StreamEvent
from toolpost.types.tool_spec import ToolSpec

Record = dict[str, Any]
# Text, and whether the model is to learn it.
Piece = tuple[str, bool]

ASSISTANT, END = "<|im_start|>assistant\n", "<|im_end|>"
# What stands in the system prompt beside tools and days, in some of the rows.
PROMPTS = (
    "You are a helpful assistant.",
    "You are a helpful assistant. Answer briefly.",
    "You are an assistant with tools. Use them where they help, and answer in the user's language.",
    "Help the user. Ask for what is missing instead of guessing.",
    "你是一个乐于助人的助手。",
    "请用用户的语言简短回答。",
)
FOLDERS = ("/home/ana/notes", "/srv/app", "/Users/li/projects/shop", "/tmp/demo")
SYSTEMS = ("Linux", "macOS", "Windows")


class Recorder:
    """A model that keeps what it was sent."""

    info = ModelInfo("training", "recorder")

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        self.request = request
        yield Finish("stop")


async def pieces(record: Record, rng: random.Random, *, last_only: bool = False) -> list[Piece]:
    """The conversation up to the last turn that is learnt: all that were checked are, or the last turn alone."""
    turns = [turn async for turn in _turns(record, rng)]
    learnt = _learnt(record)
    if last_only:
        learnt = [False] * (len(learnt) - 1) + [True]
    found: list[Piece] = []
    unlearnt = ""
    for role, text in turns:
        if role == "assistant" and learnt.pop(0):
            found += [(unlearnt + ASSISTANT, False), (f"{text}{END}", True)]
            unlearnt = "\n"
        else:
            unlearnt += f"<|im_start|>{role}\n{text}{END}\n"
    return found


def _learnt(record: Record) -> list[bool]:
    """Tell which turns of the assistant are worth learning.

    All of a told one; of a generated one all but its answers from results, which leave figures out or tell results
    that do not belong to the call; of a public one the last, which alone was checked.
    """
    messages: list[Record] = record["messages"]
    turns = [number for number, message in enumerate(messages) if message["role"] == "assistant"]
    match record["source"]:
        case "told":
            return [True for _ in turns]
        case "generated":
            return [messages[number - 1]["role"] != "tool" or bool(messages[number].get("calls")) for number in turns]
        case _:
            return [number == turns[-1] for number in turns]


async def _turns(record: Record, rng: random.Random) -> AsyncIterator[tuple[str, str]]:
    """Role and text of each turn, as llama.cpp gets them."""
    recorder = Recorder()
    tools = [ToolSpec(tool["name"], tool["description"], tool["parameters"]) for tool in record["tools"]]
    request = ModelRequest(list(_messages(record)), system=_system(record, rng), tools=tools)
    async for _ in Prompted(recorder, dialect=DIALECT, brief=True).stream(prepared(request)):
        pass
    yield "system", "\n\n".join(filter(None, recorder.request.system))
    for message in recorder.request.messages:
        yield message.role, message.text


def _system(record: Record, rng: random.Random) -> tuple[str, ...]:
    prompt = rng.choice(PROMPTS) if rng.random() < 0.4 else ""
    where = f"\nWorking folder: {rng.choice(FOLDERS)}\nOperating system: {rng.choice(SYSTEMS)}"
    today = date.fromisoformat(record["today"])
    # The day has to be named; `prepared` reads it there. A text that is too long is dropped, and its day is still read.
    plain = f"Today's date: {today}" + "." * 600
    return (prompt, f"Today's date: {today}{where}" if rng.random() < 0.3 else plain)


def _messages(record: Record) -> Iterator[Message]:
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
