"""Write the report on a folder of results: as Markdown, and as a page with charts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from .figures import Summary
from .html_report import page
from .report_content import EvalReport, ReportTable, expected_lines, got_lines, label, read_report, tables, wrong
from .results import METRICS, CaseResult

MARKDOWN, PAGE = "report.md", "report.html"


def write_report(folder: Path) -> EvalReport:
    """Write both forms beside the results that they are made from."""
    report = read_report(folder)
    (folder / MARKDOWN).write_text(markdown(report), encoding="utf-8")
    (folder / PAGE).write_text(page(report), encoding="utf-8")
    return report


LONGEST = 600
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")


def markdown(report: EvalReport) -> str:
    lines = [f"# {_text(report.title)}", "", _text(report.opening), ""]
    lines += [f"- {label(name)}: {meaning}" for name, meaning in METRICS.items()]
    for table in tables(report):
        lines += ["", f"## {_text(table.title)}", "", *_table(table)]
    for summary in report.summaries:
        lines += _wrong(report, summary)
    return "\n".join(lines) + "\n"


def _table(table: ReportTable) -> Iterator[str]:
    yield _row(table.columns)
    yield _row("---" for _ in table.columns)
    for row in table.rows:
        yield _row(map(_text, row))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _wrong(report: EvalReport, summary: Summary) -> Iterator[str]:
    failures, errors = report.failures(summary), report.errors(summary)
    yield from ("", f"## What went wrong: {_text(summary.variant.name)}", "")
    if not failures and not errors:
        yield "Nothing."
    for outcome in failures:
        yield from _failure(outcome)
    for outcome in errors:
        assert outcome.error is not None
        yield f"- {_text(outcome.case)}, error: {_code(f'{outcome.error.code}: {outcome.error.message}')}"


def _failure(outcome: CaseResult) -> Iterator[str]:
    yield f"- **{_text(outcome.case)}** ({label(outcome.category)}; {wrong(outcome)}): {_text(outcome.question)}"
    yield from _sublist("expected", expected_lines(outcome.expected))
    yield from _sublist("got", got_lines(outcome))


def _sublist(name: str, lines: Sequence[str]) -> Iterator[str]:
    yield f"  - {name}: {', '.join(map(_code, lines))}"


def _text(text: str) -> str:
    """On one line, and nothing in it read as Markdown or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _code(text: str) -> str:
    line = " ".join(text.split())
    line = line if len(line) <= LONGEST else line[:LONGEST] + "…"
    # A fence longer than any in the text keeps the text whole.
    fence = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    pad = " " if "`" in line else ""
    return f"{fence}{pad}{line}{pad}{fence}"
