"""The figures as bars in a small SVG that can be read on light and on dark pages."""

from html import escape
from pathlib import Path

from .environments import HERE
from .plan import COLUMNS, FRAMEWORKS, Column
from .report import number
from .results import Results

CHART = HERE / "chart.svg"
SHOWN = ("steps.cpu_ms", "many.per_s", "chunks.per_s", "many.rss_mb")
LEFT_OUT = ("asyncio", "toolpost-shm")

PANEL_WIDTH, LABEL_WIDTH, VALUE_WIDTH = 480, 150, 60
ROW_HEIGHT, BAR_HEIGHT, TITLE_HEIGHT, GAP = 22, 14, 34, 24
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.title { font-weight: 600; }
.peer { fill: #8c959f; }
.limit { fill: #bf8700; }
.toolpost { fill: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .peer { fill: #6e7681; }
  .limit { fill: #d29922; }
  .toolpost { fill: #4493f8; }
}
"""


def write_chart(results: Results, path: Path = CHART) -> None:
    columns = [column for column in COLUMNS if column.key in SHOWN]
    panels, height = [], 0
    for place, column in enumerate(columns):
        panel, height = _panel(results, column)
        x, y = (place % 2) * (PANEL_WIDTH + GAP), (place // 2) * (height + GAP)
        panels.append(f'<g transform="translate({x} {y})">{panel}</g>')
    width = 2 * PANEL_WIDTH + GAP
    total = -(-len(columns) // 2) * (height + GAP)
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" width="{width}" height="{total}">'
    path.write_text("\n".join((opening, f"<style>{STYLE}</style>", *panels, "</svg>")) + "\n")


def _panel(results: Results, column: Column) -> tuple[str, int]:
    """One measure: its title and a bar a framework, all to one linear scale."""
    values = [
        (framework, value)
        for framework in FRAMEWORKS
        if framework.name not in LEFT_OUT
        and (value := results.figure(framework.name, column.measure, column.field)) is not None
    ]
    most = max((value for _, value in values), default=1.0)
    room = PANEL_WIDTH - LABEL_WIDTH - VALUE_WIDTH
    lines = [f'<text class="title" x="{LABEL_WIDTH}" y="20">{escape(column.title)}, {column.better} is better</text>']
    for row, (framework, value) in enumerate(values):
        y = TITLE_HEIGHT + row * ROW_HEIGHT
        width = max(1.0, room * value / most)
        kind = framework.name if framework.name == "limit" else framework.adapter
        style = kind if kind in ("limit", "toolpost") else "peer"
        label = escape(framework.label.replace("*", "").split(":")[0])
        lines += [
            f'<text x="{LABEL_WIDTH - 8}" y="{y + 11}" text-anchor="end">{label}</text>',
            f'<rect class="{style}" x="{LABEL_WIDTH}" y="{y}" width="{width:.1f}" height="{BAR_HEIGHT}" rx="2"/>',
            f'<text x="{LABEL_WIDTH + width + 6:.1f}" y="{y + 11}">{number(value, column.digits)}</text>',
        ]
    return "\n".join(lines), TITLE_HEIGHT + len(values) * ROW_HEIGHT
