"""The report as one HTML page that needs nothing else: no script, no font, no request."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path

from .chart import COLOURS, Bar, chart
from .figures import Share, Summary
from .outcome import METRICS, Outcome
from .report_content import Report, Table, names, tables
from .wording import expected_lines, got_lines, label, wrong

STYLE = Path(__file__).with_name("page.css")


def page(report: Report) -> str:
    head = f"<title>{escape(report.title)}</title><style>{STYLE.read_text(encoding='utf-8')}</style>"
    return f'<!doctype html>\n<html lang="en">\n<head>{_META}{head}</head>\n<body>\n{_body(report)}</body>\n</html>\n'


def _body(report: Report) -> str:
    summaries = report.summaries
    sections = [
        f"<h1>{escape(report.title)}</h1><p>{escape(report.opening)}</p>",
        _legend(summaries),
        "<h2>By metric</h2>",
        _chart("Every metric", summaries, METRICS, lambda one, name: one.shares.get(name)),
        _meanings(),
        "<h2>Passed, by category</h2>",
        _chart("Passed, by category", summaries, names(one.categories for one in summaries), _passed_in_category),
        "<h2>Passed, by language</h2>",
        _chart("Passed, by language", summaries, names(one.languages for one in summaries), _passed_in_language),
        *map(_table, tables(report)),
        *(_wrong(report, summary) for summary in summaries),
    ]
    return "".join(f"{section}\n" for section in sections)


def _legend(summaries: Sequence[Summary]) -> str:
    entries = (
        f'<li><svg class="key" viewBox="0 0 10 10"><rect class="s{place % COLOURS}" width="10" height="10" rx="2"/>'
        f"</svg> {escape(one.variant.name)}</li>"
        for place, one in enumerate(summaries)
    )
    return f'<ul class="legend">{"".join(entries)}</ul>'


def _chart(
    title: str,
    summaries: Sequence[Summary],
    groups: Iterable[str],
    share_of: Callable[[Summary, str], Share | None],
) -> str:
    bars = (
        (label(name), [Bar(place, one.variant.name, share_of(one, name)) for place, one in enumerate(summaries)])
        for name in groups
    )
    return chart(title, [(name, own) for name, own in bars if any(bar.share for bar in own)])


def _passed_in_category(summary: Summary, name: str) -> Share | None:
    return summary.categories.get(name, {}).get("passed")


def _passed_in_language(summary: Summary, name: str) -> Share | None:
    return summary.languages.get(name, {}).get("passed")


def _meanings() -> str:
    entries = "".join(f"<dt>{label(name)}</dt><dd>{escape(meaning)}</dd>" for name, meaning in METRICS.items())
    return f"<details><summary>What the metrics say</summary><dl>{entries}</dl></details>"


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    return f'<h2>{escape(table.title)}</h2><div class="wide"><table><tr>{head}</tr>{rows}</table></div>'


def _wrong(report: Report, summary: Summary) -> str:
    failures, errors = report.failures(summary), report.errors(summary)
    entries = "".join([*map(_failure, failures), *map(_error, errors)]) or "<p>Nothing.</p>"
    return f"<h2>What went wrong: {escape(summary.variant.name)}</h2>{entries}"


def _failure(outcome: Outcome) -> str:
    about = f"{outcome.case}, {label(outcome.category)}: {wrong(outcome)}"
    return (
        f"<details><summary><b>{escape(about)}</b> {escape(outcome.question)}</summary>"
        f"<dl><dt>expected</dt>{_lines(expected_lines(outcome.expected))}"
        f"<dt>got</dt>{_lines(got_lines(outcome))}</dl></details>"
    )


def _error(outcome: Outcome) -> str:
    assert outcome.error is not None
    said = f"{outcome.error.code}: {outcome.error.message}"
    return (
        f"<details><summary><b>{escape(outcome.case)}: error</b> {escape(outcome.question)}</summary>"
        f"<dl><dt>error</dt>{_lines([said])}</dl></details>"
    )


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"<dd><code>{escape(line)}</code></dd>" for line in lines)


_META = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
