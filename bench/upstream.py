"""The scripted upstream: an OpenAI chat wire on loopback, raw asyncio, quick enough not to be what is measured.

The prompt carries the script, `@@run=ID;t=50;m=20@@`: `t` turns with tool calls and then a text of `m` chunks;
`p` calls a turn, `n` the tool, `s` the seconds it sleeps. With `h` the text has no end: the stream stays open, until
its reader leaves. Turns are counted by `run`, or by the tool results in the
request.
Every server-sent event is an HTTP chunk of its own, and a whole turn is one write.
"""

import asyncio
import json
import re
import sys
from typing import Any, ClassVar

import uvloop

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
DONE = b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
REFUSED = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"
BASE = {"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1700000000, "model": "fake"}
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
# Not all alike: one peer takes a hundred equal chunks for a broken server.
DIFFERENT_CHUNKS = 97

SCRIPT = re.compile(rb"@@([a-zA-Z0-9=;_.]+)@@")
STREAMED = re.compile(rb'"stream": ?true')


class Upstream(asyncio.Protocol):
    """One connection; requests on it are answered one after another."""

    turns: ClassVar[dict[str, int]] = {}
    texts: ClassVar[dict[int, bytes]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.buffer = bytearray()

    def data_received(self, data: bytes) -> None:
        buffer = self.buffer
        buffer += data
        while (end := buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(buffer[:end]).lower()
            _, _, rest = head.partition(b"content-length:")
            size = int(rest.split(b"\r\n", 1)[0]) if rest else 0
            if len(buffer) < end + 4 + size:
                return
            body = bytes(buffer[end + 4 : end + 4 + size])
            del buffer[: end + 4 + size]
            self.transport.write(self.answer(body))

    def answer(self, body: bytes) -> bytes:
        found = SCRIPT.search(body)
        if found is None or not STREAMED.search(body):
            return REFUSED
        script = dict(pair.split("=", 1) for pair in found[1].decode().split(";"))
        turn = self.count(script, body)
        parts = [HEAD, event({"role": "assistant", "content": ""})]
        if turn < int(script["t"]):
            parts += calls(script, turn)
        else:
            parts.append(self.text(int(script.get("m", 20))))
            if "h" in script:
                return b"".join(parts)
            parts.append(event({}, "stop"))
        if b"include_usage" in body:
            parts.append(chunk({**BASE, "choices": [], "usage": USAGE}))
        return b"".join((*parts, DONE))

    def count(self, script: dict[str, str], body: bytes) -> int:
        run = script.get("run")
        if run is None:
            return body.count(b'"tool_call_id"') // int(script.get("p", 1))
        turn = self.turns.get(run, 0)
        self.turns[run] = turn + 1
        return turn

    def text(self, size: int) -> bytes:
        if size not in self.texts:
            few = [event({"content": f"tok{number} "}) for number in range(DIFFERENT_CHUNKS)]
            self.texts[size] = b"".join(few[number % DIFFERENT_CHUNKS] for number in range(size))
        return self.texts[size]


def calls(script: dict[str, str], turn: int) -> list[bytes]:
    """The calls of one turn, the arguments of each in about three pieces, as real servers send them."""
    name, events = script.get("n", "add"), []
    for index in range(int(script.get("p", 1))):
        arguments = json.dumps({"a": turn, "b": index} if name == "add" else {"seconds": float(script["s"])})
        call_id = f"call_{script.get('run', 'x')}_{turn}_{index}"
        opening = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
        events.append(event({"tool_calls": [opening]}))
        size = (len(arguments) + 2) // 3
        for start in range(0, len(arguments), size):
            piece = {"index": index, "function": {"arguments": arguments[start : start + size]}}
            events.append(event({"tool_calls": [piece]}))
    return [*events, event({}, "tool_calls")]


def event(delta: dict[str, Any], finish: str | None = None) -> bytes:
    return chunk({**BASE, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def chunk(value: dict[str, Any]) -> bytes:
    data = b"data: " + json.dumps(value, separators=(",", ":")).encode() + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(data), data)


async def serve() -> None:
    """Listen on a free port, say which on the first line, and serve until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Upstream, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        # Whoever started this process holds the other end: it goes when they go.
        await loop.run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    uvloop.run(serve())
