"""Measure an adapter as `toolpost eval` does: `python -m training.measure --weights W --adapter A --out FOLDER`.

The runtime asks llama.cpp in its own process, on the CPU. `--server` names a llama-server instead, which may run on a
GPU: it is started with these weights and ended again. `toolpost eval --report FOLDER` makes a page of the results.
"""

import argparse
import asyncio
import json
import secrets
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolpost import __version__
from toolpost.evals.cases import load_set
from toolpost.evals.figures import summarise
from toolpost.evals.results import Results, header_of
from toolpost.evals.trial import Subject, run_cases
from toolpost.evals.variants import Variant
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.embedded import model as embedded
from toolpost.models.embedded.qwen import Qwen

SECONDS_TO_LOAD = 120


@dataclass(frozen=True)
class LlamaServer:
    """A llama-server that answers, as the runtime knows the one in its own process."""

    url: str
    key: str
    window: int


def main() -> None:
    given = _arguments()
    if not given.server:
        asyncio.run(measure(given))
        return
    with llama_server(given) as server:
        # The model asks this one instead of loading the file into our process.
        embedded.server_for = lambda *_, **__: server  # type: ignore[assignment]
        asyncio.run(measure(given))


async def measure(given: argparse.Namespace) -> None:
    """Put every case of every set to the model. What the folder has already is not asked again."""
    variant = Variant(given.name, "prompted", grammar=given.grammar)
    plain = {"lora": [{"id": 0, "scale": 0.0}]} if given.plain else {}
    settings = AdapterSettings(given.name, extra_body=plain)
    model = Qwen(settings, given.weights, adapter=given.adapter, grammar=given.grammar)
    subject = Subject(variant, model)
    for path in given.set or [None]:
        cases = load_set(path)
        with Results(given.out / cases.name, header_of(cases, __version__)) as results:
            left = [case for case in cases.cases if not results.is_finished(variant, case.id)]
            began = time.monotonic()
            error = await run_cases(subject, left, results.add, concurrency=given.concurrency)
            (summary,) = summarise([outcome for outcome in results.outcomes if outcome.variant == variant])
        if error:
            raise SystemExit(error.message)
        rates = {name: f"{share.hits}/{share.count}" for name, share in summary.shares.items()}
        rates |= {name: _right(shares) for name, shares in (summary.categories | summary.languages).items()}
        print(json.dumps({"set": cases.name, "s": round(time.monotonic() - began), **rates}), flush=True)


def _right(shares: dict[str, Any]) -> str:
    found = shares.get("arguments") or shares["passed"]
    return f"{found.hits}/{found.count}"


@contextmanager
def llama_server(given: argparse.Namespace) -> Iterator[LlamaServer]:
    """A llama-server with the weights and the adapter, each of its slots with the runtime's own window."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = LlamaServer(f"http://127.0.0.1:{port}", secrets.token_urlsafe(16), embedded.WINDOW)
    slots = given.concurrency
    command: list[Any] = [given.server, "-m", given.weights, "--port", port, "--api-key", server.key, "-ngl", 99]
    command += ["-np", slots, "-c", slots * server.window, "--lora", given.adapter]
    with (given.out / "llama-server.log").open("wb") as log:
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_until_loaded(server, process)
        yield server
    finally:
        process.terminate()
        process.wait(20)


def _wait_until_loaded(server: LlamaServer, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + SECONDS_TO_LOAD
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{server.url}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the llama-server did not come up; its log stands beside the results")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, required=True, help="a GGUF file, such as `train` writes")
    parser.add_argument("--plain", action="store_true", help="leave the adapter out, to see what it brings")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="measured", help="what the results are called")
    parser.add_argument("--set", type=Path, action="append", help="a set of cases; again for more (default: everyday)")
    parser.add_argument("--grammar", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--server", type=Path, help="a llama-server to be started, such as one built for a GPU")
    parser.add_argument("--concurrency", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    return given


if __name__ == "__main__":
    main()
