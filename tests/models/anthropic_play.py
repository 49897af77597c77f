"""Anthropic streams for tests: played by a scripted server to the adapter, event by event or as raw bytes."""

from typing import Any

import msgspec
from wire_play import answer

from toolpost.models.anthropic.model import Anthropic
from toolpost.models.contract import ModelRequest
from toolpost.testing import Turn, Upstream, raw
from toolpost.testing.wires import AnthropicWire
from toolpost.types.stream import StreamEvent


async def ask(up: Upstream, wanted: ModelRequest | None = None, **options: Any) -> list[StreamEvent]:
    return await answer(Anthropic("claude-x", base_url=up.url, **options), wanted)


async def play(*turns: Turn, **options: Any) -> list[StreamEvent]:
    async with Upstream(*turns, wire=AnthropicWire(), **options) as up:
        return await ask(up)


def wire(kind: str, **fields: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), msgspec.json.encode({"type": kind, **fields}))


def begin(**usage: int) -> bytes:
    return wire("message_start", message={"id": "m", "role": "assistant", "content": [], "usage": usage})


def opened(index: int, **block: Any) -> bytes:
    return wire("content_block_start", index=index, content_block=block)


def piece(index: int, kind: str, **delta: Any) -> bytes:
    return wire("content_block_delta", index=index, delta={"type": kind, **delta})


def closed(index: int) -> bytes:
    return wire("content_block_stop", index=index)


def over(reason: str | None = "end_turn", usage: dict[str, Any] | None = None, **delta: Any) -> bytes:
    ending = wire("message_delta", delta={"stop_reason": reason, "stop_sequence": None, **delta}, usage=usage or {})
    return ending + wire("message_stop")


def told(index: int, words: str) -> bytes:
    start = opened(index, type="text", text="")
    return start + piece(index, "text_delta", text=words) + closed(index)


async def play_wire(*parts: bytes) -> list[StreamEvent]:
    return await play(raw(b"".join(parts)))
