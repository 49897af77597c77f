"""Write the report as one HTML page with bar charts, which needs no script, no font and no request."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from .figures import Share, Summary
from .report_content import (
    EvalReport,
    ReportTable,
    expected_lines,
    got_lines,
    interval,
    label,
    names,
    percent,
    tables,
    wrong,
)
from .results import METRICS, CaseResult

STYLE = Path(__file__).with_name("page.css")


def page(report: EvalReport) -> str:
    head = f"<title>{escape(report.title)}</title><style>{STYLE.read_text(encoding='utf-8')}</style>"
    return f'<!doctype html>\n<html lang="en">\n<head>{_META}{head}</head>\n<body>\n{_body(report)}</body>\n</html>\n'


def _body(report: EvalReport) -> str:
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


def _table(table: ReportTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    return f'<h2>{escape(table.title)}</h2><div class="wide"><table><tr>{head}</tr>{rows}</table></div>'


def _wrong(report: EvalReport, summary: Summary) -> str:
    failures, errors = report.failures(summary), report.errors(summary)
    entries = "".join([*map(_failure, failures), *map(_error, errors)]) or "<p>Nothing.</p>"
    return f"<h2>What went wrong: {escape(summary.variant.name)}</h2>{entries}"


def _failure(outcome: CaseResult) -> str:
    about = f"{outcome.case}, {label(outcome.category)}: {wrong(outcome)}"
    return (
        f"<details><summary><b>{escape(about)}</b> {escape(outcome.question)}</summary>"
        f"<dl><dt>expected</dt>{_lines(expected_lines(outcome.expected))}"
        f"<dt>got</dt>{_lines(got_lines(outcome))}</dl></details>"
    )


def _error(outcome: CaseResult) -> str:
    assert outcome.error is not None
    said = f"{outcome.error.code}: {outcome.error.message}"
    return (
        f"<details><summary><b>{escape(outcome.case)}: error</b> {escape(outcome.question)}</summary>"
        f"<dl><dt>error</dt>{_lines([said])}</dl></details>"
    )


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"<dd><code>{escape(line)}</code></dd>" for line in lines)


_META = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'


WIDTH, LABELS, PLOT = 760, 150, 420
BAR, GAP, TOP, BOTTOM = 16, 14, 8, 24
COLOURS = 8


class Bar(Struct, frozen=True):
    """`series` is what has the same colour in every group; `share` is None where nothing applies."""

    series: int
    name: str
    share: Share | None


def chart(title: str, groups: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """An SVG element: one group of bars under each label, from 0 to 100 %."""
    rows: list[str] = []
    y = float(TOP)
    for name, bars in groups:
        middle = y + len(bars) * BAR / 2
        rows.append(f'<text class="name" x="{LABELS - 10}" y="{middle + 4:.1f}">{escape(name)}</text>')
        for bar in bars:
            rows.append(_bar(bar, y))
            y += BAR
        y += GAP
    bottom = y - GAP + 6
    return (
        f'<svg viewBox="0 0 {WIDTH} {bottom + BOTTOM:.0f}" role="img" aria-label="{escape(title)}">'
        f"{_axis(bottom)}{''.join(rows)}</svg>"
    )


def _axis(bottom: float) -> str:
    ticks = ((rate, LABELS + PLOT * rate) for rate in (0, 0.25, 0.5, 0.75, 1))
    return "".join(
        f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{bottom:.1f}"/>'
        f'<text class="tick" x="{x:.1f}" y="{bottom + 16:.1f}">{percent(rate)}</text>'
        for rate, x in ticks
    )


def _bar(bar: Bar, y: float) -> str:
    share, middle = bar.share, y + BAR / 2
    if share is None:
        return f'<text class="value" x="{LABELS + 6}" y="{middle + 4:.1f}">–</text>'
    said = f"{percent(share.rate)} · {share.hits} of {share.count}"
    low, high = LABELS + PLOT * share.low, LABELS + PLOT * share.high
    return (
        f"<g><title>{escape(bar.name)}: {said}, 95 % interval {interval(share)} %</title>"
        f'<rect class="s{bar.series % COLOURS}" x="{LABELS}" y="{y + 2:.1f}" '
        f'width="{PLOT * share.rate:.1f}" height="{BAR - 4}" rx="2"/>'
        f'<path class="reach" d="M{low:.1f} {middle:.1f}H{high:.1f}M{low:.1f} {middle - 3:.1f}v6'
        f'M{high:.1f} {middle - 3:.1f}v6"/>'
        f'<text class="value" x="{LABELS + PLOT + 12}" y="{middle + 4:.1f}">{said}</text></g>'
    )
