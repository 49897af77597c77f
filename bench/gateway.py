"""`toolpost serve` on `/v1/messages` beside other gateways and a bare pass-through, all before one scripted upstream.

python -m bench.gateway [--no-peers] [--only NAME …] [--requests N] [--rounds N] [--streams N]
"""

import argparse
import asyncio
import contextlib
import os
import re
import resource
import statistics
import time
from collections.abc import AsyncIterator, Sequence

import msgspec
import uvloop

from .gateways import GATEWAYS, LIMIT, OURS, TOKEN, Gateway, Started, install, megabytes, started
from .report import Table, as_text
from .sample import upstream

AT_ONCE, CHUNKS, LONG = 32, 20, 5000
LEAST_STREAMS = 200
# How many connections are opened at a time, so that no backlog overflows.
OPENED_AT_ONCE = 50
# Where one HTTP chunk ends and the next begins, which may be in the middle of a piece.
FRAME = re.compile(rb"\r\n[0-9a-f]+\r\n")
PIECE = re.compile(rb'"text_delta"|"content":"tok')


class Load(msgspec.Struct):
    """What one round gave."""

    rate: float
    first: list[float]
    chunks: float


class Figures(msgspec.Struct):
    ready: list[float] = []
    idle: list[float] = []
    loads: list[Load] = []
    stream_kb: list[float] = []


def main() -> None:
    options = _parser().parse_args()
    chosen = tuple(gateway for gateway in GATEWAYS if _is_chosen(gateway, options))
    install(chosen)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    load_before = os.getloadavg()[0]
    figures = {gateway.name: Figures() for gateway in chosen}
    with upstream() as base:
        for number in range(options.rounds):
            print(f"round {number + 1}", flush=True)
            _take_round(chosen, base, figures, options.requests, options.streams)
    print(f"\n{as_text(_table(figures))}")
    print(f"\nmedians of {options.rounds}; load average {load_before:.1f} before, {os.getloadavg()[0]:.1f} after")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=3200, help="a round, at concurrency 32 (default 3,200)")
    parser.add_argument("--streams", type=int, default=2000, help="that are open at a time (default 2,000)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-peers", action="store_true", help="Toolpost and the limit alone; installs nothing")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="parts of names")
    return parser


def _is_chosen(gateway: Gateway, options: argparse.Namespace) -> bool:
    if options.no_peers and gateway not in (LIMIT, OURS):
        return False
    return not options.only or any(part in gateway.name for part in options.only)


def _take_round(chosen: Sequence[Gateway], base: str, figures: dict[str, Figures], requests: int, streams: int) -> None:
    """All run at once and are asked in turn, so that a slow minute hits all alike."""
    with contextlib.ExitStack() as stack:
        running: list[Started] = []
        for gateway in chosen:
            one = stack.enter_context(started(gateway, base))
            uvloop.run(_ask_often(one, 1, 1, []))
            figures[gateway.name].ready.append(time.perf_counter() - one.began)
            figures[gateway.name].idle.append(megabytes(one.process.pid))
            running.append(one)
        for part in range(2):
            for one in running:
                count = max(AT_ONCE, int(requests * one.gateway.share / 2))
                load = uvloop.run(_load(one, count))
                # The first part warms up what compiles as it goes, and does not count.
                if part:
                    figures[one.gateway.name].loads.append(load)
    for gateway in chosen:
        # In a fresh process: a load leaves free memory behind, in some more than in others.
        with started(gateway, base) as one:
            uvloop.run(_ask_often(one, 1, 1, []))
            figures[gateway.name].stream_kb.append(uvloop.run(_open_streams(one, streams)))


async def _load(one: Started, requests: int) -> Load:
    first: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(_ask_often(one, requests // AT_ONCE, CHUNKS, first) for _ in range(AT_ONCE)))
    rate = requests // AT_ONCE * AT_ONCE / (time.perf_counter() - began)
    began = time.perf_counter()
    await _ask_often(one, 1, LONG, [])
    return Load(rate, first, LONG / (time.perf_counter() - began))


async def _open_streams(one: Started, streams: int) -> float:
    """Kilobytes a stream, of so many that have begun and do not end."""
    count = max(LEAST_STREAMS, int(streams * one.gateway.share))
    before, writers = megabytes(one.process.pid), list[asyncio.StreamWriter]()
    turns = asyncio.Semaphore(OPENED_AT_ONCE)

    async def begin() -> None:
        async with turns:
            reader, writer = await asyncio.open_connection("127.0.0.1", one.port)
            writers.append(writer)
            writer.write(_request(one, f"@@t=0;m={CHUNKS};h=1@@"))
            got = b""
            while not PIECE.search(got):
                got += await _read(reader)

    await asyncio.gather(*(begin() for _ in range(count)))
    taken = (megabytes(one.process.pid) - before) * 1024 / count
    for writer in writers:
        writer.transport.abort()
    return taken


async def _ask_often(one: Started, count: int, chunks: int, first: list[float]) -> None:
    """One connection, one request after the other."""
    reader, writer = await asyncio.open_connection("127.0.0.1", one.port, limit=2**24)
    request = _request(one, f"@@t=0;m={chunks}@@")
    for _ in range(count):
        began = time.perf_counter()
        writer.write(request)
        first.append(await _answer(reader, chunks) - began)
    writer.close()


def _request(one: Started, script: str) -> bytes:
    said = {"role": "user", "content": script}
    asked = {"model": one.gateway.model, "max_tokens": 100_000, "stream": True, "messages": [said]}
    body = msgspec.json.encode(asked)
    head = (
        f"POST {one.gateway.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {TOKEN}\r\ncontent-type: application/json"
    )
    return f"{head}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


async def _answer(reader: asyncio.StreamReader, chunks: int) -> float:
    """Read one answer to its end; the time at which its first piece of text was there."""
    first, got = 0.0, bytearray()
    async for data in _pieces(reader):
        got += data
        if not first and PIECE.search(got):
            first = time.perf_counter()
    assert len(PIECE.findall(FRAME.sub(b"", got))) == chunks, bytes(got[:400])
    return first


async def _pieces(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """What comes until the end of the body; answers are read one at a time, so nothing follows it."""
    end = b""
    while not end.endswith(b"0\r\n\r\n"):
        data = await _read(reader)
        end = (end + data)[-16:]
        yield data


async def _read(reader: asyncio.StreamReader) -> bytes:
    data = await reader.read(2**18)
    if not data:
        raise SystemExit("the connection was cut")
    return data


def _table(figures: dict[str, Figures]) -> Table:
    """A row a gateway, each figure with its ratio to ours."""
    ours = _row(figures[OURS.name]) if OURS.name in figures else []
    titles = [
        f"req/s at {AT_ONCE}",
        "first token p50, ms",
        "p99, ms",
        f"chunks/s, one stream of {LONG:,}",
        "KB an open stream",
        "ready, s",
        "idle, MB",
    ]
    rows = [["", *titles]]
    for name, taken in figures.items():
        cells = [f"{value:,.{digits}f}" for value, digits in zip(_row(taken), (0, 1, 1, 0, 0, 2, 0), strict=True)]
        if ours and name != OURS.name:
            cells = [
                f"{cell} ({_ratio(value, own)}×)" for cell, value, own in zip(cells, _row(taken), ours, strict=True)
            ]
        rows.append([name, *cells])
    return rows


def _row(taken: Figures) -> list[float]:
    first = sorted(seconds * 1000 for load in taken.loads for seconds in load.first)
    return [
        statistics.median(load.rate for load in taken.loads),
        first[len(first) // 2],
        first[len(first) * 99 // 100],
        statistics.median(load.chunks for load in taken.loads),
        statistics.median(taken.stream_kb),
        statistics.median(taken.ready),
        statistics.median(taken.idle),
    ]


def _ratio(value: float, own: float) -> str:
    ratio = value / own if own else 0.0
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2f}"


if __name__ == "__main__":
    main()
