"""The scripted model of `bench.tui`: OpenAI's chat wire on loopback, with answers of any length and pace.

The prompt carries the script, `bench size=50000 piece=500 pause=0 first=937 end=966`: Markdown of `size` characters in
pieces of `piece`, `pause` milliseconds apart. `first` and `end` are characters, written four times before and after it:
whoever watches the screen knows by them what has been shown. A request without tools is for a title.
"""

import asyncio
import json
import re
import sys

BASE = {"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1700000000, "model": "benchmodel"}
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\nconnection: close\r\n\r\n"
SCRIPT = re.compile(rb"bench((?: [a-z]+=\d+)+)")
MARKS = 4
MARKDOWN = """
## What was found

The parser reads *every* line of the file, and keeps **two** of them; see `read_lines()` and the notes below it.

- the first item, which is long enough that it has to be wrapped when the screen is narrow, as it often is
- the second item with `code` in it
  - and one that is nested

1. open the file
2. read what it says

```python
def read_lines(path: str) -> list[str]:
    # The last line may have no end.
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\\n") for line in file if line.strip()]
```

> It was said that nothing is as good as a short answer.

Then some prose again, without anything special in it, which goes on for a while so that lines are broken by whoever
draws it, and after that comes the next part of the answer.
"""


def markdown(size: int) -> str:
    return (MARKDOWN * (size // len(MARKDOWN) + 1))[:size]


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(re.search(rb"(?i)content-length: *(\d+)", head)[1]) if head.startswith(b"POST") else 0  # pyright: ignore
        body = await reader.readexactly(size)
        if head.startswith(b"GET"):
            models = {"object": "list", "data": [{"id": "benchmodel", "object": "model"}]}
            writer.write(HEAD % b"application/json" + json.dumps(models).encode())
        else:
            writer.write(HEAD % b"text/event-stream")
            await _stream(writer, body)
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass  # The program has ended, or has had enough.
    finally:
        writer.close()


async def _stream(writer: asyncio.StreamWriter, body: bytes) -> None:
    found = SCRIPT.findall(body)
    script: dict[str, int] = {}
    if found and b'"tools"' in body:
        script = {name: int(value) for name, value in (pair.split("=") for pair in found[-1].decode().split())}
    _send(writer, {"role": "assistant", "content": ""})
    if "first" in script:
        _send(writer, {"content": chr(script["first"]) * MARKS + "\n"})
    text, piece = markdown(script.get("size", 20)) if script else "A title", script.get("piece", 500)
    for start in range(0, len(text), piece):
        _send(writer, {"content": text[start : start + piece]})
        await writer.drain()
        await asyncio.sleep(script.get("pause", 0) / 1e3)
    if "end" in script:
        # Out of any block of code that the text was cut in.
        _send(writer, {"content": ("\n```" if text.count("```") % 2 else "") + "\n\n" + chr(script["end"]) * MARKS})
    _send(writer, {}, "stop")
    writer.write(b"data: " + json.dumps({**BASE, "choices": [], "usage": USAGE}).encode() + b"\n\ndata: [DONE]\n\n")


def _send(writer: asyncio.StreamWriter, delta: dict[str, str], finish: str | None = None) -> None:
    event = {**BASE, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    writer.write(b"data: " + json.dumps(event).encode() + b"\n\n")


async def serve() -> None:
    """Listen on a free port, say which on the first line, and serve until standard input ends."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve())
