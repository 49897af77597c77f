"""`toolpost serve` on `/v1/messages` in front of the scripted upstream, beside the upstream alone.

python -m bench.gateway [--requests N] [--rounds N]
"""

import argparse
import asyncio
import contextlib
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import uvloop

from .report import Table, as_text
from .sample import plain_environment, upstream

TOKEN = "a-token-for-the-bench"
AT_ONCE, CHUNKS, LONG = 32, 20, 5000
PIECE = re.compile(rb'"text_delta"|"content":"tok')


class Wire(msgspec.Struct, frozen=True):
    """Where to ask, and how."""

    name: str
    port: int
    path: str

    def request(self, chunks: int) -> bytes:
        said = {"role": "user", "content": f"@@t=0;m={chunks}@@"}
        asked = {"model": "any", "max_tokens": 100_000, "stream": True, "messages": [said]}
        body = msgspec.json.encode(asked)
        head = f"POST {self.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {TOKEN}\r\ncontent-type: application/json"
        return f"{head}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


class Load(msgspec.Struct):
    """What one round gave."""

    rate: float
    first: list[float]
    chunks: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=3000, help="a round, at concurrency 32 (default 3,000)")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with upstream() as base, gateway(base) as (process, port, ready):
        direct = Wire("direct to the upstream", int(base.split(":")[2].split("/")[0]), "/v1/chat/completions")
        ours = Wire("toolpost serve", port, "/v1/messages")
        idle = _megabytes(process.pid)
        print(as_text(uvloop.run(_compare([direct, ours], options.requests, options.rounds))))
        print(f"\nready after {ready:.2f} s; {idle:.0f} MB idle, {_megabytes(process.pid):.0f} MB afterwards", end="")
        print(f"; load {os.getloadavg()[0]:.1f}")


@contextlib.contextmanager
def gateway(base: str) -> Iterator[tuple[subprocess.Popen[bytes], int, float]]:
    """`toolpost serve` in an empty folder: its process, its port, and the seconds until it listened."""
    with tempfile.TemporaryDirectory() as folder:
        environment = plain_environment(base) | {"HOME": folder, "TOOLPOST_DATA_DIR": folder, "TOOLPOST_TOKEN": TOKEN}
        command = [sys.executable, "-m", "toolpost", "serve", "--port", "0", "-m", "openai/bench"]
        began = time.perf_counter()
        with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            try:
                while not (found := re.search(rb"http://\S+:(\d+)", line := process.stderr.readline())):
                    if not line:
                        raise SystemExit("toolpost serve did not start")
                yield process, int(found[1]), time.perf_counter() - began
            finally:
                process.terminate()


async def _compare(wires: list[Wire], requests: int, rounds: int) -> Table:
    loads: dict[str, list[Load]] = {wire.name: [] for wire in wires}
    for number in range(rounds + 1):
        # Interleaved, so that a slow minute hits all alike; the first round warms up and does not count.
        for wire in wires:
            load = await _load(wire, requests)
            if number:
                loads[wire.name].append(load)
    columns = [f"req/s, concurrency {AT_ONCE}", "first token p50 ms", "p99 ms", f"one stream of {LONG:,}, chunks/s"]
    rows = [["", *columns]]
    for name, taken in loads.items():
        first = sorted(seconds * 1000 for load in taken for seconds in load.first)
        rate, chunks = (statistics.median(getattr(load, field) for load in taken) for field in ("rate", "chunks"))
        p50, p99 = first[len(first) // 2], first[len(first) * 99 // 100]
        rows.append([name, f"{rate:,.0f}", f"{p50:.1f}", f"{p99:.1f}", f"{chunks:,.0f}"])
    return rows


async def _load(wire: Wire, requests: int) -> Load:
    first: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(_ask_often(wire, requests // AT_ONCE, first) for _ in range(AT_ONCE)))
    rate = requests // AT_ONCE * AT_ONCE / (time.perf_counter() - began)
    reader, writer = await asyncio.open_connection("127.0.0.1", wire.port, limit=2**24)
    began = time.perf_counter()
    writer.write(wire.request(LONG))
    await _answer(reader, LONG)
    took = time.perf_counter() - began
    writer.close()
    return Load(rate, first, LONG / took)


async def _ask_often(wire: Wire, count: int, first: list[float]) -> None:
    """One connection, one request after the other."""
    reader, writer = await asyncio.open_connection("127.0.0.1", wire.port, limit=2**24)
    request = wire.request(CHUNKS)
    for _ in range(count):
        began = time.perf_counter()
        writer.write(request)
        first.append(await _answer(reader, CHUNKS) - began)
    writer.close()


async def _answer(reader: asyncio.StreamReader, chunks: int) -> float:
    """Read one answer to its end; the time at which its first piece of text was there."""
    first, got = 0.0, bytearray()
    async for data in _pieces(reader):
        got += data
        if not first and PIECE.search(got):
            first = time.perf_counter()
    assert len(PIECE.findall(got)) == chunks, bytes(got[:400])
    return first


async def _pieces(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """What comes until the end of the body; answers are read one at a time, so nothing follows it."""
    end = b""
    while not end.endswith(b"\r\n0\r\n\r\n"):
        data = await reader.read(2**18)
        if not data:
            raise SystemExit("the connection was cut")
        end = (end + data)[-16:]
        yield data


def _megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


if __name__ == "__main__":
    main()
