"""The real server with a scripted model behind it and the AI SDK's own chat, in a process of Node, in front."""

import asyncio
import json
import subprocess
import threading
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Self

import httpx
from gateway_play import listening, sse, write

from toolpost.engine.drive import RunEngine, RunTicket
from toolpost.server.app import App
from toolpost.server.serve import opened
from toolpost.server.settings import ServerSettings
from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore
from toolpost.testing import ScriptedModel
from toolpost.workspace import Workspace

HERE = Path(__file__).parent
TOKEN, OTHER_TOKEN = "the-token-of-the-start", "the-token-of-somebody-else"
PATIENCE = 20.0
USERS = '[server.users.bob]\ntoken_env = "BOBS_TOKEN"\n'
ALLOW = '[permissions]\n"*" = "allow"\n'
ASK = '[permissions]\n"*" = "allow"\necho = "ask"\nlone = "ask"\n'


class Failed(Exception):
    """What the client threw."""


class Driver:
    """The process of Node. It is asked in lines of JSON and may work on several at once."""

    def __init__(self) -> None:
        self._numbers = count()
        self._waiting: dict[int, Future[Any]] = {}
        self._process = subprocess.Popen(
            ["node", "driver.mjs"], cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self._process.stdin.close()
        self._process.stdout.close()

    async def do(self, op: str, **given: Any) -> Any:
        number = next(self._numbers)
        future = self._waiting[number] = Future()
        self._process.stdin.write(json.dumps({"number": number, "op": op, **given}) + "\n")
        self._process.stdin.flush()
        async with asyncio.timeout(PATIENCE):
            return await asyncio.wrap_future(future)

    def _read(self) -> None:
        for line in self._process.stdout:
            answer = json.loads(line)
            future = self._waiting.pop(answer["number"])
            if "error" in answer:
                future.set_exception(Failed(answer["error"]))
            else:
                future.set_result(answer["told"])


class Client:
    """One chat of the SDK's. What each call returns is its state after it: messages, chunks, data, errors, status."""

    def __init__(self, driver: Driver, name: str) -> None:
        self._driver = driver
        self.name = name

    async def send(self, text: str = "", **message: Any) -> dict[str, Any]:
        given = {"text": text, **message} if text or message else None
        return await self._driver.do("send", name=self.name, message=given)

    async def regenerate(self, message_id: str | None = None) -> dict[str, Any]:
        return await self._driver.do("regenerate", name=self.name, messageId=message_id)

    async def approve(self, *answers: dict[str, Any]) -> dict[str, Any]:
        return await self._driver.do("approve", name=self.name, answers=answers)

    async def resume(self) -> dict[str, Any]:
        return await self._driver.do("resume", name=self.name)

    async def stop(self) -> dict[str, Any]:
        return await self._driver.do("stop", name=self.name)

    async def state(self) -> dict[str, Any]:
        return await self._driver.do("state", name=self.name)


class HeldEngine:
    """An engine in which runs stay queued until the test drives them."""

    def __init__(self) -> None:
        self.tickets: list[RunTicket] = []

    async def submit(self, ticket: RunTicket, *, delay: float = 0.0) -> None:
        self.tickets.append(ticket)

    async def wake(self, ticket: RunTicket) -> None:
        pass

    async def cancel(self, ticket: RunTicket) -> None:
        pass

    async def close(self) -> None:
        pass


class Play:
    def __init__(self, url: str, workspace: Workspace, model: ScriptedModel, driver: Driver) -> None:
        self.url = url
        self.workspace = workspace
        self.store: Store = workspace.store
        self.model = model
        self.driver = driver
        self.app: App | None = None
        self.http = httpx.AsyncClient(base_url=url, headers=_bearer(TOKEN), timeout=PATIENCE)
        self.other = httpx.AsyncClient(base_url=url, headers=_bearer(OTHER_TOKEN), timeout=PATIENCE)
        self._names = count()

    async def chat(self, chat_id: str, *, auto: bool = False, driver: Driver | None = None, **given: Any) -> Client:
        name = f"{chat_id} {next(self._names)}"
        options = {"url": self.url, "token": TOKEN, **given}
        used = driver or self.driver
        await used.do("open", name=name, id=chat_id, auto=auto, **options)
        return Client(used, name)

    async def read(self, **given: Any) -> dict[str, Any]:
        """One request, read with the SDK's own reader."""
        return await self.driver.do("read", url=self.url, token=TOKEN, **given)

    async def post(self, body: dict[str, Any], *, other: bool = False) -> list[dict[str, Any]]:
        answer = await (self.other if other else self.http).post("/api/chat", json=body)
        assert answer.status_code == 200, answer.text
        return sse(answer.text)

    async def history(self, session_id: str) -> list[dict[str, Any]]:
        """The current branch, as a page that is loaded gets it."""
        answer = await self.http.get(f"/api/sessions/{session_id}/messages")
        assert answer.status_code == 200, answer.text
        return answer.json()["messages"]

    async def close(self) -> None:
        await self.http.aclose()
        await self.other.aclose()


@asynccontextmanager
async def chatting(
    folder: Path,
    driver: Driver,
    *turns: Any,
    config: str = ALLOW,
    store: Store | None = None,
    engine: RunEngine | None = None,
    **settings: Any,
) -> AsyncGenerator[Play]:
    """A server over `folder` with the tools of `chat_tools.py`. Leaving it checks that the model was asked for all."""
    write(folder / ".git" / "HEAD", "")
    write(folder / ".toolpost" / "config.toml", config)
    workspace = Workspace(folder, trusted=True, tool_files=[HERE / "chat_tools.py"])
    workspace.store = store or MemoryStore()
    with ScriptedModel(*turns, context_window=100_000) as model:
        async with (
            opened(workspace, model, ServerSettings(stop_timeout=0.5, **settings), TOKEN, engine=engine) as app,
            listening(app) as url,
        ):
            play = Play(url, workspace, model, driver)
            play.app = app
            try:
                yield play
            finally:
                await play.close()


def tool_parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [part for part in message["parts"] if part["type"] == "dynamic-tool" or part["type"].startswith("tool-")]


def texts(message: dict[str, Any]) -> list[str]:
    return [part["text"] for part in message["parts"] if part["type"] == "text"]


def kinds(chunks: Sequence[dict[str, Any]]) -> list[str]:
    """The types of chunks, each run of the same one told once, without what is not kept."""
    names = [chunk["type"] for chunk in chunks if not chunk.get("transient")]
    return [name for place, name in enumerate(names) if not place or names[place - 1] != name]


def answers(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [message for message in messages if message["role"] == "assistant"]


def asked(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The approvals that a message waits for."""
    return [part["approval"] for part in tool_parts(message) if part["state"] == "approval-requested"]


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}
