"""Rows: what is trained is what the runtime asks later, and each record becomes one row."""

import gzip
import json
import lzma
import random
import subprocess
import sys
from collections.abc import AsyncIterator
from itertools import islice
from pathlib import Path

import pytest

from toolpost.models.contract import ModelInfo, ModelRequest
from toolpost.models.embedded.qwen import BACKEND, DIALECT, prepared
from toolpost.models.prompted.adapter import Prompted
from toolpost.models.prompted.scanner import CallScanner
from toolpost.types.messages import Completed, Failed, Message, TextPart, ToolPart
from toolpost.types.stream import Finish, StreamEvent, ToolCall
from toolpost.types.tool_spec import ToolSpec
from training.render import pieces
from training.rows import DATA, read

ROOT = Path(__file__).parents[2]
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
RECORD = {
    "source": "generated",
    "license": "MIT",
    "category": "parallel+single",
    "language": "en",
    "today": "2026-11-18",
    "tools": [
        {"name": "get_weather", "description": "The weather of today.", "parameters": CITY},
        {"name": "local_time", "description": "What the clock shows.", "parameters": CITY},
    ],
    "messages": [
        {"role": "user", "content": "Weather in Rome, time in Lima?"},
        {
            "role": "assistant",
            "calls": [
                {"name": "get_weather", "arguments": {"city": "Rome"}},
                {"name": "local_time", "arguments": {"city": "Lima"}},
            ],
        },
        {"role": "tool", "content": '{"sky": "clear"}'},
        {"role": "tool", "content": "no such city", "failed": True},
        {"role": "assistant", "content": "Rome is clear. I can't get the time in Lima."},
        {"role": "user", "content": "And the weather there?"},
        {"role": "assistant", "calls": [{"name": "get_weather", "arguments": {"city": "Lima"}}]},
    ],
}


class AlwaysFirst(random.Random):
    """Every variation is taken, and of each the first."""

    def random(self) -> float:
        return 0.0

    def choice(self, seq):
        return seq[0]


class Recording:
    info = ModelInfo("embedded", "qwen2.5-coder-1.5b")
    request: ModelRequest

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        self.request = request
        yield Finish("stop")


async def test_a_row_is_rendered_as_the_runtime_asks():
    recording = Recording()
    request = ModelRequest(
        [
            Message("1", "user", (TextPart("Weather in Rome, time in Lima?"),)),
            Message(
                "2",
                "assistant",
                (
                    ToolPart(
                        "a", "get_weather", Completed({"city": "Rome"}, (TextPart('{"sky": "clear"}'),), 1.0, 2.0)
                    ),
                    ToolPart("b", "local_time", Failed("failed", "no such city", {"city": "Lima"})),
                ),
            ),
            Message("3", "assistant", (TextPart("Rome is clear. I can't get the time in Lima."),)),
            Message("4", "user", (TextPart("And the weather there?"),)),
        ],
        system=(
            "You are a helpful assistant.",
            "Today's date: 2026-11-18\nWorking folder: /home/ana/notes\nOperating system: Linux",
        ),
        tools=[
            ToolSpec("get_weather", "The weather of today.", CITY),
            ToolSpec("local_time", "What the clock shows.", CITY),
        ],
    )
    async for _ in Prompted(recording, dialect=DIALECT, backend=BACKEND, brief=True).stream(prepared(request)):
        pass
    turns = [("system", "\n\n".join(recording.request.system))]
    turns += [(message.role, message.text) for message in recording.request.messages]
    asked = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in turns) + "<|im_start|>assistant\n"

    *before, (last, learnt) = await pieces(RECORD, AlwaysFirst(), last_only=True)

    assert "".join(text for text, _ in before) == asked
    assert "Working folder: /home/ana/notes" in asked
    assert learnt
    assert last == '<function=get_weather>{"city": "Lima"}</function><|im_end|>'


@pytest.mark.parametrize("name", ["generated", "public"])
async def test_what_is_learnt_is_read_back_as_the_same_calls(name):
    for record in islice(read(DATA / f"{name}.jsonl.xz"), 0, 2_000, 9):
        specs = [ToolSpec(tool["name"], tool["description"], tool["parameters"]) for tool in record["tools"]]
        said = record["messages"]
        turns = [message for message in said if message["role"] == "assistant"]
        if name == "public":
            turns = turns[-1:]
        else:
            turns = [turn for turn in turns if turn.get("calls") or said[said.index(turn) - 1]["role"] == "user"]
        learnt = [text for text, learn in await pieces(record, random.Random(0)) if learn]
        for text, turn in zip(learnt, turns, strict=True):
            scanner = CallScanner(specs)
            events = [*scanner.feed(text.removesuffix("<|im_end|>")), *scanner.close()]
            found = [{"name": one.name, "arguments": one.arguments} for one in events if isinstance(one, ToolCall)]
            assert found == (turn.get("calls") or [])


async def test_only_the_models_own_turns_are_learnt():
    assert [learn for _, learn in await pieces(RECORD, random.Random(0))] == [False, True] * 2
    assert [learn for _, learn in await pieces(RECORD | {"source": "told"}, random.Random(0))] == [False, True] * 3
    for text, learn in await pieces(RECORD, random.Random(0)):
        assert text.endswith("<|im_end|>" if learn else "<|im_start|>assistant\n")


@pytest.fixture
def data(tmp_path) -> Path:
    """A folder with records as `training/data` has them."""
    public = {**RECORD, "source": "snips"}
    long = {**RECORD, "messages": [{"role": "user", "content": "word " * 2_000}, RECORD["messages"][-1]]}
    write(tmp_path / "generated.jsonl.xz", [RECORD, long])
    write(tmp_path / "public.jsonl.xz", [public])
    write(tmp_path / "held-out.jsonl.xz", [RECORD] * 1_002)
    lacking = {key: value for key, value in public.items() if key not in ("today", "language")}
    write(tmp_path / "validation-permissive.jsonl.gz", [lacking])
    return tmp_path


def write(path: Path, records: list[dict]) -> None:
    with (lzma if path.suffix == ".xz" else gzip).open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)


def written(data: Path, name: str) -> Path:
    words = ["--data", data, "--public", data, "--out", data / name, "--processes", "2"]
    subprocess.run([sys.executable, "-m", "training.rows", *map(str, words)], cwd=ROOT, check=True, capture_output=True)
    return data / name


def learnt_turns(path: Path) -> list[int]:
    return [sum(learn for _, learn in row["pieces"]) for row in read(path)]


def test_rows_and_prompts_are_written_from_records(data):
    out = written(data, "rows")

    # Of what was generated all but answers from results, of what is public the last turn; what is too long is left out.
    assert learnt_turns(out / "generated-00.jsonl.gz") == [2]
    assert learnt_turns(out / "generated-00-quiet.jsonl.gz") == []
    assert learnt_turns(out / "public-00.jsonl.gz") == [1]
    assert learnt_turns(out / "held-out.jsonl.gz") == [2] * 1_000
    assert set(learnt_turns(out / "told-00.jsonl.gz")) == {2}
    assert set(learnt_turns(out / "told-00-quiet.jsonl.gz")) == {1}
    unseen = [json.loads(line) for line in (out / "validation-unseen.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [prompt["id"] for prompt in unseen] == [0, 1]
    for name in ("validation-unseen.jsonl", "validation-permissive.jsonl"):
        prompt = json.loads((out / name).read_text(encoding="utf-8").splitlines()[0])
        assert prompt["prompt"].endswith("And the weather there?<|im_end|>\n<|im_start|>assistant\n")
        assert prompt["expected"] == '<function=get_weather>{"city": "Lima"}</function><|im_end|>'
        assert prompt["calls"] == RECORD["messages"][-1]["calls"]
        assert (prompt["language"], prompt["category"]) == ("en", "parallel+single")


def test_the_same_seed_writes_the_same_rows(data):
    write(data / "held-out.jsonl.xz", [RECORD] * 40)
    first, again = ((written(data, name) / "held-out.jsonl.gz") for name in ("first", "again"))
    assert list(read(first)) == list(read(again))
