"""Collect what a report shows: the figures of each variant, times, the slowest cases, what went wrong."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from toolpost.types.plurals import counted

from .cases import CATEGORIES
from .figures import Share, Shares, Summary, summarise
from .results import METRICS, CaseResult, Header, read_results
from .wording import interval, label, percent, seconds

MOST_SLOW = 10


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
    slow = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:MOST_SLOW]
    rows = tuple((one.case, one.variant.name, seconds(one.seconds), one.question) for one in slow)
    return ReportTable("Slowest cases, with their answers", ("case", "variant", "time", "question"), rows)
