"""A model server with random faults, as real ones have them: before, in and after an answer."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from .script import Turn
from .upstream import Received, TurnFrom, Upstream
from .wires import ScriptedWire

# broken: the answer did not come whole. either: all of it came, but not as the wire wants it.
FaultOutcome = Literal["whole", "broken", "either"]


class ClientConnection(Protocol):
    """The connection that a request came on."""

    gone: asyncio.Event

    def write(self, data: bytes) -> None: ...
    def send_whole(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None: ...
    def drop(self) -> None: ...
    def reset(self) -> None: ...


class PlannedReply(Struct, frozen=True):
    """What would be sent if nothing went wrong: `said` up to the last word of the answer, then `closing`.
    An answer that is not streamed is one document in pieces."""

    wire: ScriptedWire
    said: list[bytes]
    closing: list[bytes]
    content_type: str
    chance: random.Random

    @property
    def beginning(self) -> bytes:
        """Some of what is said, up to the end of an event, but not all."""
        return b"".join(self.said[: self.chance.randrange(len(self.said))])

    @property
    def everything(self) -> bytes:
        return b"".join((*self.said, *self.closing))


class Played(Struct, frozen=True):
    """A request, the turn that it was meant to get, and what happened instead."""

    request: Received
    turn: Turn
    fault: str
    outcome: FaultOutcome


class FlakyUpstream(Upstream):
    """`turn` says what the answer to a request would be; chance, by `seed`, how it fares. `weights` say how often each
    fault happens; those that are not named do not. `played` holds what happened."""

    def __init__(self, turn: TurnFrom, *, seed: int = 0, weights: Mapping[str, float] | None = None) -> None:
        super().__init__(strict=False)
        self.played: list[Played] = []
        self._turn = turn
        self._chance = random.Random(seed)
        self.weights = dict(USUAL if weights is None else weights)

    async def answer(self, connection: ClientConnection, request: Received) -> None:
        wire = self._wire_for(request, request.path.split("?")[0])
        if wire is None or request.method != "POST":
            return connection.send_whole(404, b"{}")
        fault = self._chance.choices(list(self.weights), list(self.weights.values()))[0]
        turn = self._turn(request)
        outcome, play = FAULTS[fault]
        self.played.append(Played(request, turn, fault, outcome))
        return await play(connection, self._reply(wire, turn, request))

    def _reply(self, wire: ScriptedWire, turn: Turn, request: Received) -> PlannedReply:
        if wire.wants_stream(request.path.split("?")[0], request.body):
            said = [*wire.opening(turn), *(event for step in turn.steps for event in wire.step(step))]
            return PlannedReply(wire, said, wire.closing(turn, request.body), wire.content_type, self._chance)
        document = wire.document(turn)
        size = len(document) // 4
        said, closing = [document[:size], document[size : 3 * size]], [document[3 * size :]]
        return PlannedReply(wire, said, closing, "application/json", self._chance)


async def _whole(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    for event in (*reply.said, *reply.closing):
        line.write(_chunk(event))
        await asyncio.sleep(0)
    line.write(LAST)


async def _shredded(line: ClientConnection, reply: PlannedReply) -> None:
    """In pieces that know nothing of events and characters."""
    _send_head(line, reply.content_type)
    body = reply.everything
    while body:
        size = reply.chance.choice((1, 2, 3, 7, 50, 1 + len(reply.everything) // 10))
        line.write(_chunk(body[:size]))
        body = body[size:]
        await asyncio.sleep(0)
    line.write(LAST)


async def _slow(line: ClientConnection, reply: PlannedReply) -> None:
    await asyncio.sleep(reply.chance.uniform(0.05, 0.4))
    await _whole(line, reply)


async def _finished_twice(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    again = b"" if reply.content_type == "application/json" else b"".join(reply.closing)
    line.write(_chunk(reply.everything + again) + LAST)


async def _closed_by_length(line: ClientConnection, reply: PlannedReply) -> None:
    body = reply.everything
    line.write(_head(200, {"content-type": reply.content_type, "content-length": str(len(body))}) + body)


async def _reset_before_head(line: ClientConnection, reply: PlannedReply) -> None:
    line.reset()


async def _closed_before_head(line: ClientConnection, reply: PlannedReply) -> None:
    line.drop()


async def _reset_after_head(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    await asyncio.sleep(0.005)
    line.reset()


async def _reset_in_the_middle(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    line.write(_chunk(reply.beginning or b"\n"))
    await asyncio.sleep(0.005)
    line.reset()


async def _cut_in_a_chunk(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    sent = reply.beginning + reply.said[-1][: len(reply.said[-1]) // 2]
    line.write(b"%x\r\n%s" % (len(sent) + 1000, sent))
    line.drop()


async def _cut_in_a_character(line: ClientConnection, reply: PlannedReply) -> None:
    said = b"".join(reply.said)
    inside = [place for place, byte in enumerate(said) if byte & 0xC0 == 0x80]
    _send_head(line, reply.content_type)
    line.write(_chunk(said[: reply.chance.choice(inside)] if inside else said[:-1]))
    line.drop()


async def _ended_without_a_last_word(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    line.write(_chunk(b"".join(reply.said)) + LAST)


async def _stalled(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    line.write(_chunk(reply.beginning or b"\n"))
    await line.gone.wait()


async def _stalled_before_head(line: ClientConnection, reply: PlannedReply) -> None:
    await line.gone.wait()


async def _garbage(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    line.write(_chunk((reply.beginning or b"\n") + reply.chance.randbytes(300)) + LAST)


async def _garbage_between(line: ClientConnection, reply: PlannedReply) -> None:
    half = len(reply.said) // 2
    _send_head(line, reply.content_type)
    line.write(_chunk(b"".join(reply.said[:half]) + b"data: \xff{no json\n\n"))
    line.write(_chunk(b"".join((*reply.said[half:], *reply.closing))) + LAST)


async def _no_http(line: ClientConnection, reply: PlannedReply) -> None:
    noise = reply.chance.randbytes(99)
    line.write(reply.chance.choice((b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 banana\r\n\r\n", noise)))
    line.drop()


async def _error_in_a_good_answer(line: ClientConnection, reply: PlannedReply) -> None:
    line.send_whole(200, reply.wire.error_body(500, "the backend is away", "server_error"))


async def _error_in_the_stream(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    line.write(_chunk((reply.beginning or b"\n") + reply.wire.error_event({"message": "it broke", "code": 500})) + LAST)


async def _web_page(line: ClientConnection, reply: PlannedReply) -> None:
    line.send_whole(200, b"<html>Sign in</html>", {"content-type": "text/html; charset=utf-8"})


async def _wrong_type(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.chance.choice(("application/json", "text/plain", "application/octet-stream")))
    line.write(_chunk(reply.everything) + LAST)


async def _endless(line: ClientConnection, reply: PlannedReply) -> None:
    """The same piece of text, again and again."""
    _send_head(line, reply.content_type)
    more = b"".join(event for event in reply.said if b"delta" in event and b"_stop" not in event)
    line.write(_chunk(b"".join(reply.said)))
    while not line.gone.is_set():
        line.write(_chunk(more or b": more\n\n"))
        await asyncio.sleep(0.02)


async def _empty(line: ClientConnection, reply: PlannedReply) -> None:
    _send_head(line, reply.content_type)
    line.write(LAST)


async def _empty_document(line: ClientConnection, reply: PlannedReply) -> None:
    line.send_whole(200, b"")


async def _shorter_than_said(line: ClientConnection, reply: PlannedReply) -> None:
    said = b"".join(reply.said)
    line.write(_head(200, {"content-type": reply.content_type, "content-length": str(len(said) + 999)}) + said)
    line.drop()


async def _longer_than_said(line: ClientConnection, reply: PlannedReply) -> None:
    """The rest stays in the connection, where the next answer is looked for."""
    size = len(reply.beginning)
    given = {"content-type": reply.content_type, "content-length": str(size)}
    line.write(_head(200, given) + reply.everything)


def _status(status: int, retry_after: float | None = None) -> "Play":
    async def play(line: ClientConnection, reply: PlannedReply) -> None:
        headers = {} if retry_after is None else {"retry-after": f"{retry_after:g}"}
        line.send_whole(status, reply.wire.error_body(status, f"refused with {status}"), headers)

    return play


Play = Callable[[ClientConnection, PlannedReply], Awaitable[None]]
LAST = b"0\r\n\r\n"
FAULTS: dict[str, tuple[FaultOutcome, Play]] = {
    "none": ("whole", _whole),
    "shredded": ("whole", _shredded),
    "slow": ("whole", _slow),
    "finished_twice": ("whole", _finished_twice),
    "closed_by_length": ("whole", _closed_by_length),
    "reset_before_head": ("broken", _reset_before_head),
    "closed_before_head": ("broken", _closed_before_head),
    "reset_after_head": ("broken", _reset_after_head),
    "reset_in_the_middle": ("broken", _reset_in_the_middle),
    "cut_in_a_chunk": ("broken", _cut_in_a_chunk),
    "cut_in_a_character": ("broken", _cut_in_a_character),
    "ended_without_a_last_word": ("broken", _ended_without_a_last_word),
    "stalled": ("broken", _stalled),
    "stalled_before_head": ("broken", _stalled_before_head),
    "garbage": ("broken", _garbage),
    "garbage_between": ("either", _garbage_between),
    "no_http": ("broken", _no_http),
    "error_in_a_good_answer": ("broken", _error_in_a_good_answer),
    "error_in_the_stream": ("broken", _error_in_the_stream),
    "web_page": ("broken", _web_page),
    "wrong_type": ("either", _wrong_type),
    "endless": ("broken", _endless),
    "empty": ("broken", _empty),
    "empty_document": ("broken", _empty_document),
    "shorter_than_said": ("broken", _shorter_than_said),
    "longer_than_said": ("broken", _longer_than_said),
    "429": ("broken", _status(429)),
    "429_with_retry_after": ("broken", _status(429, 60)),
    "500": ("broken", _status(500)),
    "503": ("broken", _status(503)),
    "503_with_retry_after": ("broken", _status(503, 60)),
    "529": ("broken", _status(529)),
}
# Half of the answers are good. What waits for a limit is rare, as it takes the longest.
USUAL: dict[str, float] = {
    name: {"none": 22.0, "shredded": 3.0, "endless": 0.4, "stalled": 0.4, "stalled_before_head": 0.4}.get(name, 1.0)
    for name in FAULTS
}


def _send_head(line: ClientConnection, content_type: str) -> None:
    line.write(_head(200, {"content-type": content_type, "transfer-encoding": "chunked"}))


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} Flaky", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data) if data else b""
