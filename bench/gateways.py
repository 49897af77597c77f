"""The gateways that are compared, and how each is started in front of the scripted upstream."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from .environments import PEERS, python_of
from .sample import ROOT, plain_environment

# LiteLLM takes no other kind.
TOKEN = "sk-" + secrets.token_hex(32)
START_SECONDS = 120.0
STOP_SECONDS = 12.0
LLMS = PEERS / "llms"


class Gateway(msgspec.Struct, frozen=True):
    """`command` takes the port, the upstream's base URL and a folder of its own. `share` is how much of the work it
    gets: one that is a hundred times slower would else take the whole day."""

    name: str
    command: Callable[[int, str, Path], list[str]]
    path: str = "/v1/messages"
    model: str = "any"
    share: float = 1.0


class Started(msgspec.Struct):
    """A gateway that runs; `began` is when it was started."""

    gateway: Gateway
    process: subprocess.Popen[bytes]
    port: int
    began: float


def _toolpost(port: int, base: str, folder: Path) -> list[str]:
    return [sys.executable, "-m", "toolpost", "serve", "--port", str(port), "-m", "openai/bench"]


def _passthrough(port: int, base: str, folder: Path) -> list[str]:
    return [sys.executable, "-m", "bench.passthrough", str(port), base]


def _llms(port: int, base: str, folder: Path) -> list[str]:
    return ["node", str(LLMS / "serve.cjs"), str(port), base]


def _litellm(port: int, base: str, folder: Path) -> list[str]:
    # "openai/" would ask on another wire than the upstream speaks.
    parameters = {"model": "hosted_vllm/any", "api_base": base, "api_key": "sk-x"}
    config = folder / "litellm.json"
    config.write_text(json.dumps({"model_list": [{"model_name": "any", "litellm_params": parameters}]}))
    program = python_of("litellm").with_name("litellm")
    return [str(program), "--config", str(config), "--host", "127.0.0.1", "--port", str(port)]


OURS = Gateway("**toolpost serve**", _toolpost)
LIMIT = Gateway("limit: ASGI, nothing looked at", _passthrough, path="/v1/chat/completions")
GATEWAYS = (
    LIMIT,
    OURS,
    Gateway("@musistudio/llms", _llms, model="bench,any"),
    Gateway("LiteLLM's proxy", _litellm, share=0.03),
)


def install(gateways: tuple[Gateway, ...]) -> None:
    """What the peers need, where it is missing."""
    names = {gateway.name for gateway in gateways}
    if "LiteLLM's proxy" in names:
        python_of("litellm")
    if "@musistudio/llms" in names and not (LLMS / "node_modules").is_dir():
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("@musistudio/llms needs Node 20 with npm: install it, or leave the peers out (--no-peers)")
        command = [npm, "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(command, cwd=LLMS, check=True, timeout=600)


@contextlib.contextmanager
def started(gateway: Gateway, base: str) -> Iterator[Started]:
    """It runs in an empty folder, and listens when this is entered."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = plain_environment(base) | {
            "HOME": name,
            "TOOLPOST_DATA_DIR": name,
            "TOOLPOST_TOKEN": TOKEN,
            "PYTHONPATH": str(ROOT),
            "LITELLM_MASTER_KEY": TOKEN,
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }
        port = _free_port()
        command = gateway.command(port, base, folder)
        with (folder / "log").open("wb") as log:
            began = time.perf_counter()
            process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        try:
            _wait(process, port, folder / "log")
            yield Started(gateway, process, port, began)
        finally:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def megabytes(process: int) -> float:
    """The memory of a process and of those that it started."""
    found = 0.0
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if entry.name.isdigit() and process in (int(entry.name), _parent(entry)):
                pages = int((entry / "statm").read_text().split()[1])
                found += pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return found


def _parent(entry: Path) -> int:
    return int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.perf_counter() + START_SECONDS
    while time.perf_counter() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.005)
    raise SystemExit(f"{process.args} did not start: {log.read_text(errors='replace')[-600:]}")
