"""The embedded models on this machine: how long they load, answer the first question and the next, and in what memory.

python -m bench.embedded [--rounds N] [--models NAME …]

Each round starts a new process for every model. A question is answered with a call of one of five tools; for the next
one only its own words are new. What is not here is fetched first: `toolpost models pull NAME`.
"""

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from toolpost.models.contract import ModelRequest
from toolpost.models.resolve import resolve
from toolpost.types.messages import Message, TextPart
from toolpost.types.stream import Finish
from toolpost.types.tool_spec import ToolSpec

MODELS = ("smollm2", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b")
MEASURES = ("load s", "memory MB", "first s", "next s", "read tokens/s", "written tokens/s")
QUESTIONS = ("What's the weather in Lisbon?", "Is it raining in Bergen right now?")
# A model that does not call may well write on for ever.
MAX_TOKENS = 64
SYSTEM = "You are a helpful assistant.\n\nToday's date: 2026-11-19"
TOOLS = [
    ToolSpec(name, text, {"type": "object", "properties": fields, "required": list(fields)})
    for name, text, fields in (
        ("get_weather", "Get the weather of a city.", {"city": {"type": "string", "description": "Name of the city"}}),
        ("calculate", "Work out an expression.", {"expression": {"type": "string", "description": "E.g. 2 * (3 + 4)"}}),
        ("start_timer", "Start a timer.", {"minutes": {"type": "integer", "description": "How long it runs"}}),
        ("add_note", "Write a note down.", {"title": {"type": "string"}, "text": {"type": "string"}}),
        ("find_files", "Find files by their names.", {"pattern": {"type": "string", "description": "E.g. *.py"}}),
    )
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--models", nargs="+", default=MODELS)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(asyncio.run(_measure(given.measure))))
        return
    taken = {name: [_in_a_process(name) for _ in range(given.rounds)] for name in given.models}
    print(f"{'medians of ' + str(given.rounds):20}" + "".join(f"{title:>18}" for title in MEASURES))
    for name, rounds in taken.items():
        medians = [statistics.median(figures[title] for figures in rounds) for title in MEASURES]
        print(f"{name:20}" + "".join(f"{median:>18.{0 if median >= 100 else 1}f}" for median in medians))


def _in_a_process(name: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.embedded", "--measure", name]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout)


async def _measure(name: str) -> dict[str, float]:
    model = resolve(f"embedded/{name}")
    loading, _ = await _ask(model, "Hi", (), limit=1)
    first, read = await _ask(model, QUESTIONS[0], TOOLS)
    following, _ = await _ask(model, QUESTIONS[1], TOOLS)
    # The same prompt again is read already: its time is what writing takes, and the rest of the first one is reading.
    again, finish = await _ask(model, QUESTIONS[0], TOOLS)
    return {
        "load s": loading,
        "memory MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
        "first s": first,
        "next s": following,
        "read tokens/s": read.usage.input / max(first - again, 0.001),
        "written tokens/s": finish.usage.output / again,
    }


async def _ask(model: Any, question: str, tools: Sequence[ToolSpec], limit: int = MAX_TOKENS) -> tuple[float, Finish]:
    """The seconds that one turn of the model takes, and how it ended."""
    messages = [Message("1", "user", (TextPart(question),))]
    request = ModelRequest(messages, system=(SYSTEM,), tools=tools, options={"max_tokens": limit})
    began = time.perf_counter()
    events = [event async for event in model.stream(request)]
    finish = events[-1]
    assert isinstance(finish, Finish), finish
    return time.perf_counter() - began, finish


if __name__ == "__main__":
    main()
