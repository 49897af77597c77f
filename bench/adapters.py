"""What an adapter costs a chunk, beside the bare client and the vendors' own: `python -m bench.adapters`."""

import argparse
import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec

from toolpost.models import http
from toolpost.models.anthropic.model import Anthropic
from toolpost.models.contract import Model, ModelRequest
from toolpost.models.gemini.model import Gemini
from toolpost.models.ollama.model import Ollama
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.models.openai_responses.model import OpenAIResponses
from toolpost.models.prompted.adapter import Prompted
from toolpost.models.sse import SSEParser
from toolpost.types.messages import Message, TextPart
from toolpost.types.stream import TextDelta
from toolpost.types.tool_spec import ToolSpec

from .report import Table, as_markdown, as_text
from .sample import upstream

ALL, APART = 20_000, 500
FIRST_TOKENS, FIRST_CHUNKS = 100, 50
HI = Message("u", "user", (TextPart("hi"),))
TOOL = ToolSpec("add", "Add two integers.", {"type": "object", "properties": {"a": {"type": "integer"}}})
PATHS = {
    "openai_chat": "/v1/chat/completions",
    "anthropic": "/v1/messages",
    "ollama": "/api/chat",
    "openai_responses": "/v1/responses",
    "gemini": "/v1beta/models/{script}:streamGenerateContent",
}

# Asks for an answer by its script, reads it to its end, and gives the number of its chunks.
Client = Callable[[str, str], Awaitable[int]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.adapters", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each figure is taken (default 5)")
    parser.add_argument("--markdown", action="store_true", help="tables as they stand in the README")
    options = parser.parse_args()
    with upstream("bench.wire_server") as base:
        chunks, first = asyncio.run(_measure(base.removesuffix("/v1"), options.rounds))
    show = as_markdown if options.markdown else as_text
    print(f"{show(chunks)}\n\n{show(first)}")


async def _measure(base: str, rounds: int) -> tuple[Table, Table]:
    costs: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for number in range(rounds + 1):
        # Interleaved, so that a slow minute hits all alike; the first round warms up and does not count.
        for wire in PATHS:
            for name, client in clients(wire).items():
                for script in (f"all-{ALL}", f"apart-{APART}"):
                    cost = await _cost(client, base, script)
                    if number:
                        costs.setdefault((wire, name, script), []).append(cost)
    table = _chunks_table(costs)
    first = await _first_tokens(base)
    await http.close()
    return table, first


async def _cost(client: Client, base: str, script: str) -> tuple[float, float]:
    """Microseconds of CPU a chunk, and chunks a second."""
    cpu, wall = time.process_time(), time.perf_counter()
    count = await client(base, script)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    assert count == int(script.partition("-")[2]), (script, count)
    return cpu / count * 1e6, count / wall


def clients(wire: str) -> dict[str, Client]:
    """Who reads this wire: the bytes split into events, the same decoded, our adapter, the vendor's client."""
    found: dict[str, Client] = {
        "split": lambda base, script: _bare(wire, base, script, decode=False),
        "decoded": lambda base, script: _bare(wire, base, script, decode=True),
        "adapter": lambda base, script: _count(model_on(wire, base, script)),
    }
    if wire in _VENDORS:
        found["vendor"] = _VENDORS[wire]
    return found


def model_on(wire: str, base: str, script: str) -> Model:
    match wire:
        case "anthropic":
            return Anthropic(script, base_url=base)
        case "ollama":
            return Ollama(script, base_url=base)
        case "gemini":
            return Gemini(script, base_url=base)
        case "openai_responses":
            return OpenAIResponses(script, base_url=f"{base}/v1")
        case _:
            return OpenAIChat(script, base_url=f"{base}/v1")


async def _bare(wire: str, base: str, script: str, *, decode: bool) -> int:
    """Our HTTP and the events as bytes, or decoded, each a dict."""
    body = msgspec.json.encode({"model": script, "stream": True})
    response = await http.post(base + PATHS[wire].format(script=script), body, {})
    feed = _Lines().feed if wire == "ollama" else SSEParser().feed
    count = 0
    while data := await response.chunk():
        for event in feed(data):
            if decode and event != b"[DONE]":
                msgspec.json.decode(event)
            count += 1
    response.close()
    return min(count, int(script.partition("-")[2]))


class _Lines:
    rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        *lines, self.rest = (self.rest + data).split(b"\n")
        return lines


async def _count(model: Model) -> int:
    return len([event async for event in model.stream(ModelRequest([HI])) if isinstance(event, TextDelta)])


async def _anthropic(base: str, script: str) -> int:
    # Imported here: the others are measured without it.
    from anthropic import AsyncAnthropic

    async with AsyncAnthropic(base_url=base, api_key="x") as client:
        asked: Any = {"model": script, "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}], "stream": True}
        return await _texts(await client.messages.create(**asked), "content_block_delta")


async def _openai_chat(base: str, script: str) -> int:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=f"{base}/v1", api_key="x") as client:
        asked: Any = {"model": script, "messages": [{"role": "user", "content": "hi"}], "stream": True}
        stream = await client.chat.completions.create(**asked)
        return len([chunk async for chunk in stream if chunk.choices and chunk.choices[0].delta.content])


async def _openai_responses(base: str, script: str) -> int:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=f"{base}/v1", api_key="x") as client:
        stream: Any = await client.responses.create(model=script, input="hi", stream=True)
        return await _texts(stream, "response.output_text.delta")


async def _texts(stream: AsyncIterator[Any], kind: str) -> int:
    return len([event async for event in stream if event.type == kind])


_VENDORS: dict[str, Client] = {
    "openai_chat": _openai_chat,
    "anthropic": _anthropic,
    "openai_responses": _openai_responses,
}


def _chunks_table(costs: dict[tuple[str, str, str], list[tuple[float, float]]]) -> Table:
    together_titles = ("CPU µs, all at once", "to split", "to decoded", "chunks/s")
    table = [["", "CPU µs, chunks apart", "to split", *together_titles]]
    for wire in PATHS:
        rows = {name: _medians(costs, wire, name) for name in clients(wire)}
        split, decoded = rows["split"], rows["decoded"]
        for name, (apart, together, speed) in rows.items():
            label = f"**{wire}**" if name == "adapter" else f"{wire}, {name}"
            ratios = [apart / split[0], together / split[1], together / decoded[1]]
            first, second, third = (f"{ratio:.1f}×" if ratio < 10 else f"{ratio:.0f}×" for ratio in ratios)
            table.append([label, f"{apart:.0f}", first, f"{together:.2f}", second, third, f"{speed:,.0f}"])
    return table


def _medians(
    costs: dict[tuple[str, str, str], list[tuple[float, float]]], wire: str, name: str
) -> tuple[float, float, float]:
    apart, together = (costs[wire, name, script] for script in (f"apart-{APART}", f"all-{ALL}"))
    cpu = [statistics.median(cost for cost, _ in samples) for samples in (apart, together)]
    return cpu[0], cpu[1], statistics.median(speed for _, speed in together)


async def _first_tokens(base: str) -> Table:
    """Time to the first word and CPU per chunk for the same text, with native calls and in prompted mode."""
    native = OpenAIChat(f"apart-{FIRST_CHUNKS}", base_url=f"{base}/v1")
    asked = {"native": native, "prompted": Prompted(native)}
    times: dict[str, list[float]] = {name: [] for name in asked}
    costs: dict[str, list[float]] = {name: [] for name in asked}
    for _ in range(FIRST_TOKENS):
        for name, model in asked.items():
            began, cpu = time.perf_counter(), time.process_time()
            count = 0
            async for event in model.stream(ModelRequest([HI], tools=[TOOL])):
                if isinstance(event, TextDelta):
                    if not count:
                        times[name].append(time.perf_counter() - began)
                    count += 1
            costs[name].append((time.process_time() - cpu) / FIRST_CHUNKS)
    table = [["openai_chat", "first word after, ms", "CPU µs a chunk"]]
    for name in asked:
        first, cost = statistics.median(times[name]) * 1e3, statistics.median(costs[name]) * 1e6
        table.append([name, f"{first:.2f}", f"{cost:.1f}"])
    return table


if __name__ == "__main__":
    main()
