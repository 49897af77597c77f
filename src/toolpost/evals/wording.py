"""Put results into words for reports: what was expected, what came, what was wrong."""

import json
from collections.abc import Sequence
from typing import Any

from .cases import Expected, ExpectedCall
from .figures import Share
from .results import CaseResult, JudgedCall

LABELS = {
    "passed": "passed",
    "tool": "right tool",
    "arguments": "right arguments",
    "well_formed": "well-formed",
    "no_call": "no call",
    "asked": "asked back",
    "answered": "answered",
}


MISSED = {
    "tool": "wrong tools",
    "arguments": "wrong arguments",
    "well_formed": "malformed call",
    "no_call": "called a tool",
    "asked": "did not ask",
    "answered": "wrong answer",
}


def label(name: str) -> str:
    """A metric or a category as people read it."""
    return LABELS.get(name, name.replace("_", " "))


def percent(rate: float) -> str:
    return f"{rate * 100:.0f} %"


def interval(share: Share) -> str:
    """In percent."""
    return f"{share.low * 100:.0f}–{share.high * 100:.0f}"


def seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def wrong(outcome: CaseResult) -> str:
    """What was not met: `wrong tools, wrong arguments`."""
    return ", ".join(said for name, said in MISSED.items() if outcome.scores.get(name) is False)


def expected_lines(expected: Expected) -> list[str]:
    """One line an alternative, then the words that the answer or the question back needs."""
    lines = [" and ".join(map(_expected_call, alternative)) or "no call" for alternative in expected.calls]
    if expected.asks_for:
        lines.append("a question for " + _either(expected.asks_for))
    if expected.answer:
        lines.append("an answer with " + " and ".join(map(_either, expected.answer)))
    return lines


def got_lines(outcome: CaseResult) -> list[str]:
    """The calls, then what was said."""
    lines = list(map(_got_call, outcome.calls)) or ["no call"]
    if outcome.text.strip():
        lines.append(f"text: {outcome.text.strip()}")
    if outcome.answer is not None:
        lines.append(f"answer: {outcome.answer.strip() or 'nothing'}")
    lines += [f"called again: {_got_call(call)}" for call in outcome.calls_again]
    return lines


def _expected_call(call: ExpectedCall) -> str:
    fields = (f"{name}={_accepted(values)}" for name, values in call.arguments.items())
    return f"{call.name}({', '.join(fields)})"


def _accepted(values: Sequence[Any]) -> str:
    return " | ".join("left out" if value is None else _json(value) for value in values)


def _got_call(call: JudgedCall) -> str:
    arguments = call.raw or ", ".join(f"{name}={_json(value)}" for name, value in call.arguments.items())
    asked = f" (as {call.asked})" if call.asked else ""
    problem = f": {call.problem}" if call.problem else ""
    return f"{call.name}({arguments}){asked}{problem}"


def _either(words: Sequence[str]) -> str:
    return " or ".join(map(_json, words))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
