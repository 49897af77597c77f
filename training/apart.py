"""Recognise what `toolpost eval` measures, so that nothing of it is trained on."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

EVERYDAY = Path(__file__).parents[1] / "src" / "toolpost" / "evals" / "everyday"
WORDS_IN_A_ROW, SIGNS_IN_A_ROW = 8, 12

_WORD = re.compile(r"[a-z0-9']+")
_CHINESE = re.compile(r"[\u4e00-\u9fff]+")


def is_measured_tool(spec: dict[str, Any]) -> bool:
    """True for a tool with the name of a measured one and at least half of its parameters."""
    measured = _measured_tools().get(spec["name"].lower())
    if measured is None:
        return False
    own = set(spec["parameters"].get("properties") or {})
    return not measured or len(own & measured) * 2 >= len(measured)


def is_measured_text(text: str) -> bool:
    """True for a text that shares eight words in a row, or twelve Chinese signs, with a measured question."""
    return not _runs(text).isdisjoint(_measured_runs())


@cache
def _measured_tools() -> dict[str, set[str]]:
    tools = json.loads((EVERYDAY / "tools.json").read_text(encoding="utf-8"))
    return {tool["name"].lower(): set(tool["parameters"].get("properties") or {}) for tool in tools}


@cache
def _measured_runs() -> frozenset[str]:
    lines = (EVERYDAY / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return frozenset(run for line in lines if line for run in _runs(json.loads(line)["question"]))


def _runs(text: str) -> set[str]:
    words = _WORD.findall(text.lower())
    runs = {" ".join(words[at : at + WORDS_IN_A_ROW]) for at in range(len(words) - WORDS_IN_A_ROW + 1)}
    for signs in _CHINESE.findall(text):
        runs |= {signs[at : at + SIGNS_IN_A_ROW] for at in range(len(signs) - SIGNS_IN_A_ROW + 1)}
    return runs
