"""Results as tables: for the terminal, and for the figures in the README."""

import re
from collections.abc import Sequence

from .cold import STARTS
from .environments import HERE
from .plan import COLUMNS, FRAMEWORKS, LIMIT, Column, Framework
from .results import Results

README = HERE / "README.md"
BEGIN, END = "<!-- figures: written by `python -m bench --write-readme` -->", "<!-- end of figures -->"

Table = list[list[str]]


def frameworks_table(results: Results) -> Table:
    """A row a framework; each figure with its ratio to the limit's."""
    rows = [["", *(column.title for column in COLUMNS)]]
    for framework in FRAMEWORKS:
        if results.has(framework.name):
            rows.append([framework.label, *(_cell(results, framework, column) for column in COLUMNS)])
    return rows


def starts_table(results: Results) -> Table:
    rows = [["cold start", "wall ms", "CPU ms", "peak MB"]]
    for start in STARTS:
        figures = [results.figure(start.name, "start", field) for field in ("wall_ms", "cpu_ms", "rss_mb")]
        if any(figure is not None for figure in figures):
            rows.append([start.label, *(number(figure, 0) for figure in figures)])
    return rows


def syncs_text(results: Results) -> str:
    """How many of the store's milliseconds are the disk's."""
    counted = [f"{key}: {value}" for key, value in results.notes.items() if key.startswith("fsyncs ") and value]
    cost = results.notes.get("fsync_ms")
    said = f"One fsync of a page on this disk takes {cost:.2f} ms." if cost else ""
    return f"{said} Counted with strace over a whole process: {', '.join(counted)}." if counted else said


def as_text(table: Table) -> str:
    """For a terminal: columns of equal width, no Markdown."""
    rows = [[cell.replace("*", "").replace("`", "") for cell in row] for row in table]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def as_markdown(table: Table) -> str:
    head, *rows = table
    return "\n".join(_line(row) for row in (head, ["---", *["---:"] * (len(head) - 1)], *rows))


def write_readme(results: Results) -> None:
    """Put the figures between their marks; everything else in the file is written by hand."""
    machine = results.machine
    where = (
        f"{machine['date']}, {machine['cores']} cores of {machine['cpu']}, Python {machine['python']}, "
        f"{machine['kernel']}; medians of {results.rounds} rounds; load average before the start: {machine['load']}. "
        "In brackets: times the limit."
    )
    parts = [
        BEGIN,
        where,
        as_markdown(frameworks_table(results)),
        "![The same figures as bars](chart.svg)",
        as_markdown(starts_table(results)),
        syncs_text(results),
        END,
    ]
    figures = "\n\n".join(part for part in parts if part)
    text = README.read_text()
    README.write_text(re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: figures, text, flags=re.DOTALL))


def number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _cell(results: Results, framework: Framework, column: Column) -> str:
    value = results.figure(framework.name, column.measure, column.field)
    limit = results.figure(LIMIT, column.measure, column.field)
    shown = number(value, column.digits)
    # A growth is a ratio already.
    if value is None or not limit or framework.name == LIMIT or column.field == "times":
        return shown
    ratio = limit / value if column.better == "higher" else value / limit
    return f"{shown} ({ratio:.1f}×)" if ratio < 10 else f"{shown} ({ratio:.0f}×)"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
