"""`toolpost serve` as a process of its own, and a person who talks to it."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
from console import Console

TOKEN = "a-token-of-a-person"
PATIENCE = 30.0


class Serving(msgspec.Struct):
    process: asyncio.subprocess.Process
    greeting: str
    url: str

    async def ask(self, method: str, path: str, token: str = TOKEN, **more) -> httpx.Response:
        """Over a connection of its own, which any worker may take."""
        async with httpx.AsyncClient(base_url=self.url, timeout=PATIENCE, trust_env=False) as http:
            return await http.request(method, path, headers={"x-api-key": token}, **more)

    async def worker(self, token: str = TOKEN) -> tuple[str, str]:
        """The number of whichever worker answers, and when it was started."""
        answer = await self.ask("GET", "/metrics", token)
        assert answer.status_code == 200
        found = re.search(r'toolpost_start_time_seconds\{worker="(\d+)"\} (\S+)', answer.text)
        assert found is not None
        return found[1], found[2]

    async def until_answered(self, wanted: Callable[[dict[str, str]], bool], token: str = TOKEN) -> dict[str, str]:
        """Ask again and again until those who answered are `wanted`; by their numbers, when they were started."""
        answered: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE):
            while not wanted(answered):
                answered |= await asyncio.gather(*(self.worker(token) for _ in range(8)))
        return answered

    @contextlib.asynccontextmanager
    async def through(self, worker: str) -> AsyncIterator[httpx.AsyncClient]:
        """A connection that this worker has taken: it stays with it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                http = httpx.AsyncClient(
                    base_url=self.url, headers={"x-api-key": TOKEN}, timeout=PATIENCE, trust_env=False
                )
                if f'{{worker="{worker}"}}' in (await http.get("/metrics")).text:
                    break
                await http.aclose()
        try:
            yield http
        finally:
            await http.aclose()

    @property
    def workers(self) -> list[int]:
        return [
            int(child)
            for child in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        ]

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()


@contextlib.asynccontextmanager
async def serving(console: Console, *arguments: str, token: str = TOKEN) -> AsyncIterator[Serving]:
    if token:
        console.environ["TOOLPOST_TOKEN"] = token
    process = await console.start("serve", "--port", "0", *arguments)
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE):
            greeting = (await process.stderr.readuntil(b"OPENAI_API_KEY=")).decode()
            greeting += (await process.stderr.readline()).decode()
        found = re.search(r"on (http://\S+)", greeting)
        assert found is not None
        yield Serving(process, greeting, found[1])
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def found(lines: AsyncIterator[str], piece: str) -> Any:
    """The first event of a stream that has this in it."""
    async with asyncio.timeout(PATIENCE):
        async for line in lines:
            if line.startswith("data: ") and piece in line:
                return msgspec.json.decode(line.removeprefix("data: "))
    raise AssertionError(f"the stream ended without {piece}")


def is_alive(process: int) -> bool:
    """A zombie, which only the first process of the machine could bury, is not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
