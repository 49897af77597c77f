"""The least that a tool loop can do: send what was said, read the chunks, call the functions. The raw rows share it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from .tools import FUNCTIONS

Exchange = Callable[[bytes], AsyncIterator[Sequence[bytes]]]


class Function(Struct):
    name: str = ""
    arguments: str = ""


class CallDelta(Struct):
    index: int
    function: Function
    id: str = ""


class Delta(Struct):
    content: str = ""
    tool_calls: list[CallDelta] = []


class Choice(Struct):
    delta: Delta


class Chunk(Struct):
    choices: list[Choice]


def _spec(name: str, text: str, **types: str) -> dict[str, Any]:
    properties = {key: {"type": value} for key, value in types.items()}
    parameters = {"type": "object", "properties": properties, "required": list(types)}
    return {"type": "function", "function": {"name": name, "description": text, "parameters": parameters}}


encode = msgspec.json.encode
decode = msgspec.json.Decoder(Chunk).decode
TOOLS = encode(
    [_spec("add", "Add two integers.", a="integer", b="integer"), _spec("sleepy", "Sleep.", seconds="number")]
)
OPENING = b'{"model":"fake","stream":true,"tools":%s,"messages":[' % TOOLS


async def converse(exchange: Exchange, prompt: str, max_steps: int) -> int:
    """Run a prompt over `exchange`, which gives the events of an answer, some at a time."""
    said, chunks = [encode({"role": "user", "content": prompt})], 0
    for _ in range(max_steps):
        calls: dict[int, CallDelta] = {}
        text: list[str] = []
        async for events in exchange(OPENING + b",".join(said) + b"]}"):
            for event in events:
                if event == b"data: [DONE]":
                    continue
                for choice in decode(event[6:]).choices:
                    if choice.delta.content:
                        text.append(choice.delta.content)
                    for delta in choice.delta.tool_calls:
                        if delta.index in calls:
                            calls[delta.index].function.arguments += delta.function.arguments
                        else:
                            calls[delta.index] = delta
        chunks += len(text)
        if not calls:
            return chunks
        asked = [{"id": call.id, "type": "function", "function": call.function} for call in calls.values()]
        said.append(encode({"role": "assistant", "content": None, "tool_calls": asked}))
        said += await asyncio.gather(*map(_answer, calls.values()))
    raise RuntimeError("the script was longer than the limit of steps")


async def _answer(call: CallDelta) -> bytes:
    value = await FUNCTIONS[call.function.name](**msgspec.json.decode(call.function.arguments))
    return encode({"role": "tool", "tool_call_id": call.id, "content": str(value)})
