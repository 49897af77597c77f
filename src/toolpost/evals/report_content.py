"""Collect what a report shows: the figures of each variant, times, the slowest cases, what went wrong and why."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolpost.types.text import counted

from .cases import CATEGORIES, Expected, ExpectedCall
from .figures import Share, Shares, Summary, summarise
from .results import METRICS, CaseResult, Header, JudgedCall, read_results

MAX_SLOW = 10
_LABELS = {
    "passed": "passed",
    "tool": "right tool",
    "arguments": "right arguments",
    "well_formed": "well-formed",
    "no_call": "no call",
    "asked": "asked back",
    "answered": "answered",
}


_MISSED = {
    "tool": "wrong tools",
    "arguments": "wrong arguments",
    "well_formed": "malformed call",
    "no_call": "called a tool",
    "asked": "did not ask",
    "answered": "wrong answer",
}


class ReportTable(Struct, frozen=True):
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class EvalReport(Struct, frozen=True):
    """Everything that both forms show."""

    header: Header
    summaries: tuple[Summary, ...]
    outcomes: tuple[CaseResult, ...]

    @property
    def title(self) -> str:
        return f"Tool calling: {self.header.set}"

    @property
    def opening(self) -> str:
        tried = len({outcome.case for outcome in self.outcomes})
        cases = counted(self.header.cases, "case")
        return f"{tried} of {cases}, Toolpost {self.header.toolpost}. Intervals are 95 % (Wilson)."

    def of(self, summary: Summary) -> list[CaseResult]:
        return [outcome for outcome in self.outcomes if outcome.variant == summary.variant]

    def failures(self, summary: Summary) -> list[CaseResult]:
        """What was judged wrong; errors of the provider don't count as failures."""
        return [outcome for outcome in self.of(summary) if outcome.error is None and not outcome.scores["passed"]]

    def errors(self, summary: Summary) -> list[CaseResult]:
        return [outcome for outcome in self.of(summary) if outcome.error is not None]


def read_report(folder: Path) -> EvalReport:
    header, outcomes = read_results(folder)
    outcomes.sort(key=lambda outcome: (CATEGORIES.index(outcome.category), outcome.case))
    return EvalReport(header, tuple(summarise(outcomes)), tuple(outcomes))


def tables(report: EvalReport) -> list[ReportTable]:
    return [
        *map(_figures, report.summaries),
        _times(report.summaries),
        _slowest(report.outcomes),
    ]


def names(parts: Iterable[Mapping[str, Shares]]) -> list[str]:
    """The categories, or languages, of all variants."""
    return list(dict.fromkeys(name for part in parts for name in part))


def _figures(summary: Summary) -> ReportTable:
    parts = {"all": summary.shares, **summary.categories, **summary.languages}
    rows = tuple(
        (label(metric), *(_cell(shares.get(metric)) for shares in parts.values()))
        for metric in METRICS
        if metric in summary.shares
    )
    return ReportTable(f"Figures: {summary.variant.name}", ("", *map(label, parts)), rows)


def _cell(share: Share | None) -> str:
    if share is None:
        return ""
    # Spaces that do not break keep a share and its interval on one line.
    rate = f"{percent(share.rate)} ({interval(share)})".replace(" ", "\u00a0")
    return f"{rate}, {share.hits}/{share.count}"


def _times(summaries: Sequence[Summary]) -> ReportTable:
    columns = ("variant", "cases", "errors", "first event", "turn", "turn, 95 %", "tokens read", "tokens written")
    rows = tuple(
        (
            one.variant.name,
            f"{one.cases:,}",
            f"{one.errors:,}",
            seconds(one.first_median),
            seconds(one.turn_median),
            seconds(one.turn_p95),
            f"{one.input_tokens:,}",
            f"{one.output_tokens:,}",
        )
        for one in summaries
    )
    return ReportTable("Times (medians) and tokens", columns, rows)


def _slowest(outcomes: Sequence[CaseResult]) -> ReportTable:
    slow = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:MAX_SLOW]
    rows = tuple((one.case, one.variant.name, seconds(one.seconds), one.question) for one in slow)
    return ReportTable("Slowest cases, with their answers", ("case", "variant", "time", "question"), rows)


def label(name: str) -> str:
    """A metric or a category as people read it."""
    return _LABELS.get(name, name.replace("_", " "))


def percent(rate: float) -> str:
    return f"{rate * 100:.0f} %"


def interval(share: Share) -> str:
    """In percent."""
    return f"{share.low * 100:.0f}–{share.high * 100:.0f}"


def seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def wrong(outcome: CaseResult) -> str:
    """What was not met: `wrong tools, wrong arguments`."""
    return ", ".join(said for name, said in _MISSED.items() if outcome.scores.get(name) is False)


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
