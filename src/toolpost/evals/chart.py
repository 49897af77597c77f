"""Bar charts as SVG, for a page that brings its own style: groups of bars with their 95 % intervals."""

from collections.abc import Sequence
from html import escape

from msgspec import Struct

from .figures import Share
from .wording import interval, percent

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
