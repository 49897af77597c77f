"""What it costs in the gateway that tools run here: an answer with none of our tools, and with one on offer.

python -m bench.tool_runs [--rounds N]

In one process, with a model in memory and Anthropic's wire in front, without HTTP. CPU time, the best of all rounds.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

from toolpost.models.contract import ModelInfo, ModelRequest
from toolpost.server.gateway.gateway import Gateway, SharedState
from toolpost.server.gateway.targets import Targets
from toolpost.server.gateway.tool_runs import ToolRuns
from toolpost.server.gateway.wires.anthropic.request import read
from toolpost.server.gateway.wires.anthropic.response import AnthropicWriter
from toolpost.server.users import User
from toolpost.store.memory import MemoryStore
from toolpost.types.messages import Usage
from toolpost.types.stream import Finish, StreamEvent, TextDelta, TextEnd, TextStart
from toolpost.workspace import Workspace

from .report import as_text

SHORT, LONG = 20, 5000
TIMES = {SHORT: 500, LONG: 5}
TOOL = '''
from toolpost import tool

@tool
def echo(text: str) -> str:
    """Echo a text."""
    return text
'''


class Model:
    """Says as many pieces as it is told to."""

    info = ModelInfo("bench", "model")

    def __init__(self) -> None:
        self.deltas = SHORT

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        yield TextStart("0")
        for _ in range(self.deltas):
            yield TextDelta("token ", "0")
        yield TextEnd("0")
        yield Finish("stop", Usage(10, self.deltas))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure(Path(folder), parser.parse_args().rounds))


async def _measure(folder: Path, rounds: int) -> None:
    for path, text in ((".git/HEAD", ""), (".toolpost/tools/echo.py", TOOL)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    workspace, model = Workspace(folder, trusted=True), Model()
    workspace.store = MemoryStore()
    shared = SharedState(workspace.config.server)
    rows = [["", f"answer of {SHORT} deltas, µs", f"a delta of {LONG:,}, µs"]]
    for name, offered in (("no tool of ours", ()), ("one on offer", ("echo",))):
        runs = ToolRuns(workspace, offered, max_steps=20, max_seconds=600)
        gateway = Gateway(Targets(workspace, model, shared.budgets), runs, shared)
        best = {deltas: min([await _seconds(gateway, model, deltas) for _ in range(rounds)]) for deltas in TIMES}
        rows.append([name, f"{best[SHORT] * 1e6:.0f}", f"{best[LONG] * 1e6 / LONG:.2f}"])
    print(as_text(rows))
    await workspace.close()
    await shared.close()


async def _seconds(gateway: Gateway, model: Model, deltas: int) -> float:
    model.deltas = deltas
    began = time.process_time()
    for _ in range(TIMES[deltas]):
        await _answer(gateway)
    return (time.process_time() - began) / TIMES[deltas]


async def _answer(gateway: Gateway) -> None:
    asked = read({"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}, {})
    writer = AnthropicWriter(asked)
    writer.start()
    async for out in await gateway.answer(asked, User("")):
        writer.feed(out)


if __name__ == "__main__":
    main()
