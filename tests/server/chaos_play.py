"""Thousands of clients of the gateway, each with one question, and what they may be told when everything breaks."""

import asyncio
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec
from gateway_play import ADD, ADD_CHAT, NUMBER, TOKEN, listening, with_server, write
from mcp.server import MCPServer
from server_play import Client, Played, until

from toolpost.models import http
from toolpost.server.serve import bound_socket, make_server, opened
from toolpost.server.settings import ServerSettings
from toolpost.store.memory import MemoryStore
from toolpost.testing import Turn, call, text
from toolpost.testing.flaky import FlakyUpstream
from toolpost.testing.flaky import Played as Sent
from toolpost.testing.upstream import Received
from toolpost.workspace import Workspace

# Longer than a busy machine is ever silent by itself.
IDLE = 10.0
ENDLESS = 16.0
# All models of a route are asked, and each may be silent for the idle limit; the rest is for a slow machine.
HANG = ENDLESS + 2 * IDLE + 20.0
KEEP_ALIVE = 0.1
WIRES = ("openai_chat", "anthropic", "openai_responses", "gemini", "ollama")
BASES = {"openai_chat": "/v1", "openai_responses": "/v1", "anthropic": "", "gemini": "", "ollama": ""}
PATHS = ("/v1/messages", "/v1/chat/completions", "/v1/responses")
KINDS = ("alone", "plain", "client", "ours")
MARK = "mcp__play__mark"
DONE = {"type": "done"}
FILLER = ("one ", "zwei — ", "três ", "四 ", "пять ", "🙂 ", "naïve ", "\n")

Kind = Literal["alone", "plain", "client", "ours"]
End = Literal["whole", "refused", "failed", "cut", "left", "misshaped"]


class Question(msgspec.Struct, frozen=True):
    """`kind`: without tools of ours, with them but not calling, calling the client's tool, or calling ours. `leaves_at`
    is after how many bytes of the answer the client goes away."""

    number: int
    path: str
    route: str
    kind: Kind
    is_streamed: bool
    leaves_at: int | None

    @property
    def body(self) -> dict[str, Any]:
        prompt, body = f"#{self.number} {self.kind}", {"model": self.route, "stream": self.is_streamed}
        if self.path == "/v1/responses":
            body["input"] = prompt
            tools = [{"type": "function", "name": "add", "parameters": NUMBER}]
        else:
            body |= {"messages": [{"role": "user", "content": prompt}], "max_tokens": 1000}
            tools = [ADD] if self.path == "/v1/messages" else [ADD_CHAT]
        if self.kind == "client":
            body["tools"] = tools
        if self.kind == "alone":
            body |= {"tools": tools, "tool_choice": {"type": "none"} if self.path == "/v1/messages" else "none"}
        return body


class Told(msgspec.Struct, frozen=True):
    """What a client was told, in the end; `text` is the error's where there was one."""

    end: End
    status: int = 0
    text: str = ""
    calls: tuple[Any, ...] = ()
    kind: str = ""
    retry_after: str = ""


class Chaos:
    """The server, its upstream, and the tool that counts how often each of its calls was run."""

    def __init__(self, up: FlakyUpstream, marks: Counter[str], served: Played) -> None:
        self.up = up
        self.marks = marks
        self.served = served

    def attempts(self) -> dict[int, list[Sent]]:
        """What the upstream was asked, by the number of the question."""
        found = defaultdict[int, list[Sent]](list)
        for sent in self.up.played:
            found[_asked(sent.request)[0]].append(sent)
        return found

    async def ask(self, question: Question) -> Told:
        """Fails where no end comes in time."""
        async with asyncio.timeout(HANG), self.served.client() as client:
            sent = json.dumps(question.body).encode()
            await client.ask("POST", question.path, "content-type: application/json", body=sent, token=TOKEN)
            return await _answer(client, question)

    async def at_rest(self, before: set[asyncio.Task[Any]]) -> None:
        """Wait until nothing of what was asked since is left: no request, no task, no connection to the upstream."""
        app = self.served.app
        await until(lambda: not app._running, HANG)
        await http.close()
        await until(lambda: self.up.open == 0, HANG)
        await until(lambda: not asyncio.all_tasks() - before, HANG)


@asynccontextmanager
async def chaos(folder: Path, *, seed: int, weights: dict[str, float] | None = None) -> AsyncGenerator[Chaos]:
    """The real server over a folder with an MCP server, in front of one flaky upstream on all wires."""
    script, marks, server = Script(seed), Counter[str](), MCPServer("play")

    @server.tool()
    async def mark(id: str) -> str:
        """Count a call."""
        marks[id] += 1
        await asyncio.sleep(0)
        return f"marked {id}"

    async with (
        FlakyUpstream(script.turn, seed=seed, weights=weights) as up,
        listening(server.streamable_http_app()) as url,
        _served(folder, up.url, f"{url}/mcp") as served,
    ):
        yield Chaos(up, marks, served)


class Script:
    """The turn for a request: each attempt says something of its own, so that an answer tells where it comes from."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._made = 0

    def turn(self, request: Received) -> Turn:
        self._made += 1
        number, kind = _asked(request)
        if kind == "client":
            return call("add", {"a": self._made, "why": self._words(number)}, id=f"call_{self._made}")
        if kind == "ours" and b"marked" not in request.raw:
            return call(MARK, {"id": f"{number}.{self._made}"}, id=f"call_{self._made}")
        return text(self._words(number), chunk=self._chance.choice((1, 5, 40)))

    def _words(self, number: int) -> str:
        return (
            f"é {number}.{self._made} " + "".join(self._chance.choices(FILLER, k=self._chance.randrange(2, 30))) + "ü"
        )


def questions(count: int, seed: int) -> list[Question]:
    chance = random.Random(seed)
    routes = [f"{way}-{wire}" for way in ("only", "falls") for wire in WIRES]
    return [
        Question(
            number,
            chance.choice(PATHS),
            chance.choice(routes),
            chance.choice(KINDS),
            chance.random() < 0.7,
            chance.randrange(0, 3000) if chance.random() < 0.12 else None,
        )
        for number in range(count)
    ]


@asynccontextmanager
async def _served(folder: Path, up: str, mcp: str) -> AsyncGenerator[Played]:
    write(folder / ".git" / "HEAD", "")
    providers = "".join(
        f'[providers.{wire}]\nwire = "{wire}"\nbase_url = "{up}{BASES[wire]}"\ntool_calls = "native"\n'
        for wire in WIRES
    )
    following = dict(zip(WIRES, (*WIRES[1:], WIRES[0]), strict=True))
    routes = "".join(
        f'[server.routes.only-{wire}]\nmodel = "{wire}/m"\n'
        f'[server.routes.falls-{wire}]\nmodel = "{wire}/m"\nfallbacks = ["{following[wire]}/m"]\n'
        for wire in WIRES
    )
    limits = f"[limits]\nstream_idle = {IDLE}\n"
    write(folder / ".toolpost" / "config.toml", with_server(folder, mcp) + providers + routes + limits)
    workspace = Workspace(folder, trusted=True)
    workspace.store = MemoryStore()
    settings = ServerSettings(port=0, keep_alive=KEEP_ALIVE, request_seconds=ENDLESS, stop_timeout=1.0)
    async with opened(workspace, workspace.model("openai_chat/m"), settings, TOKEN) as app:
        server: Any = make_server(app, settings)
        with bound_socket(settings) as door:
            serving = asyncio.create_task(server.serve(sockets=[door]))
            try:
                yield Played(app, server, door.getsockname()[1])
            finally:
                await server.stop()
                await serving


def _asked(request: Received) -> tuple[int, str]:
    found = re.search(rb"#(\d+) (\w+)", request.raw)
    assert found is not None, request.raw
    return int(found[1]), found[2].decode()


async def _answer(client: Client, question: Question) -> Told:
    try:
        status, headers = await client.head()
        pieces, size = bytearray(), 0
        if headers.get("transfer-encoding") != "chunked":
            pieces += await client.reader.readexactly(int(headers["content-length"]))
        else:
            async for chunk in client.chunks():
                pieces += chunk
                size += len(chunk)
                if question.leaves_at is not None and size > question.leaves_at:
                    client.leave()
                    return Told("left")
    except (asyncio.IncompleteReadError, ConnectionError, ValueError):
        return Told("cut")
    try:
        return _read(question, status, headers.get("retry-after", ""), bytes(pieces))
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        return Told("misshaped", status, f"{error!r} in …{bytes(pieces[-500:])!r}")


def _read(question: Question, status: int, retry_after: str, body: bytes) -> Told:
    """Fails where the answer has not the shape that its wire knows."""
    if status != 200:
        return _failed("refused", status, question.path, json.loads(body), retry_after)
    if not question.is_streamed:
        return READ[question.path](json.loads(body))
    return STREAMED[question.path](body.decode())


def _failed(end: End, status: int, path: str, body: dict[str, Any], retry_after: str = "") -> Told:
    """What an error tells; fails where it has not the shape of the wire."""
    error = body["error"]
    assert error["type"]
    assert error["message"]
    assert body["type"] == "error" if path == "/v1/messages" else {"code"} <= set(error)
    return Told(end, status, error["message"], kind=error["type"], retry_after=retry_after)


def _message(body: dict[str, Any]) -> Told:
    assert (body["type"], body["stop_reason"] in ("end_turn", "tool_use")) == ("message", True)
    said = "".join(block["text"] for block in body["content"] if block["type"] == "text")
    return Told("whole", 200, said, tuple(block["input"] for block in body["content"] if block["type"] == "tool_use"))


def _completion(body: dict[str, Any]) -> Told:
    choice = body["choices"][0]
    assert choice["finish_reason"] in ("stop", "tool_calls")
    calls = choice["message"].get("tool_calls") or ()
    arguments = tuple(json.loads(call["function"]["arguments"]) for call in calls)
    return Told("whole", 200, choice["message"]["content"] or "", arguments)


def _response(body: dict[str, Any]) -> Told:
    assert (body["object"], body["status"]) == ("response", "completed")
    items = body["output"]
    said = "".join(part["text"] for item in items if item["type"] == "message" for part in item["content"])
    calls = tuple(json.loads(item["arguments"]) for item in items if item["type"] == "function_call")
    return Told("whole", 200, said, calls)


def _events(streamed: str) -> list[Any]:
    """The data of all events; fails where something else stands between them."""
    lines = [line for line in streamed.split("\n") if line and not line.startswith((":", "event: "))]
    assert all(line.startswith("data: ") for line in lines)
    return [DONE if line == "data: [DONE]" else json.loads(line[6:]) for line in lines]


def _until(events: list[Any], last: str) -> list[Any]:
    """Up to the event that ends an answer: nobody reads on."""
    end = next((place for place, event in enumerate(events) if event.get("type") == last), len(events))
    return events[: end + 1]


def _message_stream(streamed: str) -> Told:
    events = [event for event in _until(_events(streamed), "message_stop") if event["type"] != "ping"]
    kinds = [event["type"] for event in events]
    if kinds[-1] == "error":
        return _failed("failed", 200, "/v1/messages", events[-1])
    if kinds[-1] != "message_stop":
        return Told("cut", 200)
    assert (kinds.count("message_start"), kinds.count("message_delta"), kinds.count("error")) == (1, 1, 0)
    assert events[-2]["delta"]["stop_reason"] in ("end_turn", "tool_use")
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    said = "".join(delta["text"] for delta in deltas if delta["type"] == "text_delta")
    arguments = "".join(delta["partial_json"] for delta in deltas if delta["type"] == "input_json_delta")
    return Told("whole", 200, said, (json.loads(arguments),) if arguments else ())


def _completion_stream(streamed: str) -> Told:
    events = _until(_events(streamed), "done")
    choices = [choice for event in events for choice in event.get("choices", ())]
    reasons = [choice["finish_reason"] for choice in choices if choice["finish_reason"]]
    if "error" in events[-1]:
        assert not reasons
        return _failed("failed", 200, "/v1/chat/completions", events[-1])
    if events[-1] is not DONE:
        return Told("cut", 200)
    assert reasons in (["stop"], ["tool_calls"])
    said = "".join(choice["delta"].get("content") or "" for choice in choices)
    calls = [call for choice in choices for call in choice["delta"].get("tool_calls", ())]
    arguments = "".join(call["function"].get("arguments", "") for call in calls)
    return Told("whole", 200, said, (json.loads(arguments),) if arguments else ())


def _response_stream(streamed: str) -> Told:
    events = _until(_events(streamed), "response.completed")
    kinds = [event["type"] for event in events]
    if kinds[-1] == "response.failed":
        assert kinds[-2] == "error"
        assert events[-1]["response"]["status"] == "failed"
        return _failed("failed", 200, "/v1/responses", events[-2])
    if kinds[-1] != "response.completed":
        return Told("cut", 200)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    told = _response(events[-1]["response"])
    assert told.text == "".join(event["delta"] for event in events if event["type"] == "response.output_text.delta")
    return told


READ = dict(zip(PATHS, (_message, _completion, _response), strict=True))
STREAMED = dict(zip(PATHS, (_message_stream, _completion_stream, _response_stream), strict=True))
