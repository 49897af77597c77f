"""Score completions of validation prompts: `python -m training.score PROMPTS.jsonl COMPLETIONS.jsonl [--failures N]`.

A call is right if its tool and all of its arguments are; letters' case and white space in values do not count.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

_CALL = re.compile(r"<function=([^>\s]+)>\s*(\{.*?\})\s*</function>", re.DOTALL)

Record = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prompts", type=Path)
    parser.add_argument("completions", type=Path)
    parser.add_argument("--failures", type=int, default=0, help="show this many of what went wrong")
    asked = parser.parse_args()
    prompts = _read(asked.prompts)
    texts = {one["id"]: one["text"] for one in _read(asked.completions)}
    judged = [(prompt, judge(prompt, texts[prompt["id"]])) for prompt in prompts if prompt["id"] in texts]
    for name, hits, count in shares(judged):
        print(f"{name:40} {100 * hits / count:5.1f} % of {count}")
    for prompt, verdict in [one for one in judged if one[1] != "right"][: asked.failures]:
        print(f"\n{verdict}: {prompt['prompt'][-400:]}\n  wanted {prompt['expected']}\n  got    {texts[prompt['id']]}")


def judge(prompt: Record, text: str) -> str:
    """ "right", or what is wrong: "kind" (text for calls or calls for text), "tool", "count", "arguments", "broken"."""
    expected: list[Record] = prompt["calls"] or []
    calls = calls_in(text)
    if calls is None:
        return "broken"
    if not expected or not calls:
        return "right" if bool(expected) == bool(calls) else "kind"
    if Counter(call["name"] for call in calls) != Counter(call["name"] for call in expected):
        return "count" if {call["name"] for call in calls} == {call["name"] for call in expected} else "tool"
    return "right" if Counter(map(_key, calls)) == Counter(map(_key, expected)) else "arguments"


def calls_in(text: str) -> list[Record] | None:
    """The calls of a completion; None where one can't be read."""
    found = _CALL.findall(text)
    if text.count("<function=") != len(found):
        return None
    try:
        return [{"name": name, "arguments": json.loads(written)} for name, written in found]
    except ValueError:
        return None


def shares(judged: list[tuple[Record, str]]) -> list[tuple[str, int, int]]:
    """Name, hits and count: of all, of calls and texts, of each category and language, and what went wrong."""
    groups: dict[str, list[str]] = defaultdict(list)
    for prompt, verdict in judged:
        kind = "calls" if prompt["calls"] else "texts"
        groups["all"].append(verdict)
        groups[f"{kind}"].append(verdict)
        groups[f"{kind}: {prompt['category'].rpartition('+')[2]}"].append(verdict)
        if prompt["calls"] and len(prompt["calls"]) > 1:
            groups[f"calls: {min(len(prompt['calls']), 5)} at once"].append(verdict)
        if prompt["language"]:
            groups[f"{kind}: {prompt['language']}"].append(verdict)
    found = [(name, verdicts.count("right"), len(verdicts)) for name, verdicts in sorted(groups.items())]
    wrong = Counter(verdict for prompt, verdict in judged if prompt["calls"] and verdict != "right")
    return found + [(f"wrong: {name}", count, len(groups["calls"])) for name, count in wrong.most_common()]


def _key(call: Record) -> str:
    return json.dumps([call["name"], _plain(call["arguments"])], sort_keys=True)


def _plain(value: Any) -> Any:
    match value:
        case str():
            return " ".join(value.casefold().split())
        case bool():
            return value
        case int() | float():
            return float(value)
        case list():
            return [_plain(one) for one in value]
        case dict():
            return {name: _plain(one) for name, one in value.items()}
        case _:
            return value


def _read(file: Path) -> list[Record]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
