"""What the tests of MCP share: contexts that record, servers that are ended, and the places of foreign servers."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

from toolpost.mcp.config import McpServer
from toolpost.mcp.server_set import McpServers
from toolpost.tools.define import ToolContext
from toolpost.tools.host import NOBODY
from toolpost.types.errors import PermissionDenied
from toolpost.types.messages import TextPart

HERE = Path(__file__).parent
NODE = HERE / "servers" / "node_modules" / ".bin"
PYTHON = Path(sys.executable).parent
PATIENCE = 60.0
ENVIRON = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"}


class Caller:
    """The contexts of one session's calls, and what happened to them."""

    def __init__(self, folder: Path, session: str = "ses_1", denied: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.session = session
        self.denied = denied
        self.updates = []
        self.asked = []
        self.host = NOBODY

    def context(self) -> ToolContext:
        return ToolContext(
            self.session,
            "msg",
            "call",
            self.folder,
            lambda text, details: self.updates.append((text, details)),
            self._ask,
            self._environment,
            host=self.host,
        )

    async def _ask(self, permission, patterns, always, title, details, fingerprint=None):
        self.asked.append((permission, list(patterns)))
        if permission in self.denied:
            raise PermissionDenied(f"{permission} is denied")

    async def _environment(self):
        return {}


class Person:
    """Answers the questions of a call: a list each time, or what makes one of them; None dismisses them."""

    def __init__(self, *rounds):
        self.rounds = list(rounds)
        self.asked = []

    async def ask_person(self, questions):
        self.asked.append(list(questions))
        answers = self.rounds.pop(0)
        if callable(answers):
            answers = answers(questions)
        if answers is None:
            raise PermissionDenied("The user dismissed the question.")
        return tuple(answer if isinstance(answer, tuple) else (answer,) for answer in answers)


class Script:
    """The scripted server, as it is configured and as it was used."""

    def __init__(self, folder: Path, *words: str, name: str = "script", **options) -> None:
        self.log = folder / f"{name}.log"
        command = (str(HERE / "mcp_script_server.py"), str(self.log), *words)
        self.config = McpServer(name, command=sys.executable, args=command, **options)

    @property
    def seen(self):
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    @property
    def pids(self):
        return [entry["started"] for entry in self.seen if "started" in entry]

    def got(self, method):
        return [entry for entry in self.seen if entry.get("method") == method]


@asynccontextmanager
async def running(*configs: McpServer, folder: Path, ready: bool = True, **options):
    """These servers, started; and ended whatever happens."""
    changed = Changed()
    options = {"environ": ENVIRON, "trusted": True, **options}
    servers = McpServers(configs, folder, on_change=changed, **options)
    servers.changed = changed
    servers.start()
    try:
        if ready:
            assert await servers.ready(PATIENCE)
        yield servers
    finally:
        await servers.close()


class Changed:
    """Wakes whoever waits for something to become so."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def __call__(self) -> None:
        self._event.set()

    async def until(self, condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._event.clear()
                await self._event.wait()


async def until(condition):
    """For what nobody tells: files, and processes that are not ours."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def tools_of(servers):
    return {tool.name: tool for tool in servers.all_tools()}


def state_of(servers, name="script"):
    return next(status for status in servers.status() if status.name == name)


def text_of(result):
    return "\n".join(part.text for part in result.content if isinstance(part, TextPart))


def inside(text):
    """What stands between the marks of data from outside."""
    first, *lines, last = text.splitlines()
    assert first.startswith("<untrusted ")
    assert last == "</untrusted>"
    return "\n".join(lines)


def is_alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@asynccontextmanager
async def serving(app, port):
    """A web server on loopback; going away, it waits for nobody."""
    config = uvicorn.Config(app, port=port, log_config=None, timeout_graceful_shutdown=0, ws="none")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield
    finally:
        server.should_exit = server.force_exit = True
        await task
