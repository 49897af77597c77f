"""The records that the embedded model learns from: nothing measured is among them, every call fits its tool."""

import json
import lzma
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest

from toolpost.arguments.validate import Validator
from training import told
from training.apart import EVERYDAY, is_measured_text, is_measured_tool
from training.rows import DATA

Record = dict[str, Any]

FILES = ("told", "generated", "public", "held-out")
# Of a date in a result: an answer names the month by its name, and no year.
MONTHS_AND_YEARS = {str(number) for number in (*range(1, 13), *range(2024, 2030))}
LICENCES = {"MIT", "Apache-2.0", "CC-BY-4.0", "CC-BY-3.0", "CC0-1.0"}
FIELDS = {"source", "license", "category", "language", "today", "tools", "messages"}


def records(name: str, every: int = 1) -> Iterator[Record]:
    if name == "told":
        yield from islice(told.records(12_500), 0, None, every)
        return
    with lzma.open(DATA / f"{name}.jsonl.xz") as lines:
        yield from map(msgspec.json.decode, islice(lines, 0, None, every))


def calls(record: Record) -> list[Record]:
    return [call for message in record["messages"] for call in message.get("calls") or ()]


def surfaces(record: Record) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name and parameters of each tool."""
    for tool in record["tools"]:
        yield tool["name"], tuple(sorted(tool["parameters"].get("properties") or ()))


@pytest.mark.parametrize("name", FILES)
def test_nothing_that_is_trained_on_is_measured(name):
    seen: set[str] = set()
    for record in records(name):
        for tool in record["tools"]:
            assert not is_measured_tool(tool), tool
        # Greetings and the like come thousands of times.
        texts = {message["content"] for message in record["messages"] if message["role"] == "user"} - seen
        assert not any(map(is_measured_text, texts)), texts
        seen |= texts


@pytest.mark.parametrize("name", FILES)
def test_every_record_is_whole_and_has_a_permissive_licence(name):
    sources = (DATA / "LICENCES.md").read_text(encoding="utf-8")
    for record in records(name, every=3):
        assert record.keys() == FIELDS
        assert record["license"] in LICENCES
        assert f"`{record['source']}`" in sources
        assert record["language"] in ("en", "zh")
        assert record["messages"][-1]["role"] == "assistant"


@pytest.mark.parametrize(("name", "every"), [("told", 10), ("generated", 26), ("public", 26), ("held-out", 10)])
def test_every_call_fits_the_schema_of_a_tool_on_offer(name, every):
    """3,000 records or so, in all."""
    for record in records(name, every):
        checks = {tool["name"]: Validator(tool["name"], tool["parameters"]) for tool in record["tools"]}
        assert len(checks) == len(record["tools"])
        assert all(checks[call["name"]].valid(call["arguments"]) for call in calls(record)), record


def test_a_held_out_tool_is_never_trained_on():
    """Told apart by name and parameters; looked for in every third record, to save time."""
    held_out = {surface for record in records("held-out") for surface in surfaces(record)}
    assert len(held_out) > 3_000
    assert not held_out & {surface for record in records("generated", every=3) for surface in surfaces(record)}


def test_what_is_measured_is_recognised():
    tools = json.loads((EVERYDAY / "tools.json").read_text(encoding="utf-8"))
    assert all(map(is_measured_tool, tools))
    assert not is_measured_tool({"name": tools[0]["name"], "parameters": {"properties": {"quite_another": {}}}})
    lines = (EVERYDAY / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    long = [question for question in questions if question.isascii() and len(question.split()) > 12]
    assert all(map(is_measured_text, long))
    assert is_measured_text("Hello! " + long[0] + " Thanks.")
    assert not is_measured_text("How many pelicans does it take to carry a piano over the river?")


def test_a_told_answer_names_every_figure_of_its_results_and_no_other():
    for record in records("told", every=4):
        question, calls, *results = record["messages"]
        if not results or any(result.get("failed") for result in results):
            continue
        answer = results.pop()
        told_values = digits(answer["content"])
        asked = digits(question["content"]) | digits(json.dumps(calls["calls"]))
        given = set[str]().union(*(digits(told_text(result["content"])) for result in results))
        assert given <= told_values | MONTHS_AND_YEARS, record
        assert told_values <= given | asked, record


def told_text(result: str) -> str:
    """The result without what nobody asks for."""
    for name, value in told.NOISE:
        result = result.replace(f'"{name}": {json.dumps(value)}', "")
    # The length of a list.
    return re.sub(r'"total": \d+(?=[,}])', "", result)


def digits(text: str) -> set[str]:
    """The runs of digits, without the figure in the name of a dust."""
    found = re.findall(r"\d+", re.sub(r"(?i)pm2[._]?5", "", text))
    return {number.lstrip("0") or "0" for number in found}
