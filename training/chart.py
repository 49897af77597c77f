"""Draw learning curves, the loss over the tokens learnt from: `python -m training.chart OUT.svg runs/*.csv`."""

import csv
import math
import sys
from collections.abc import Callable
from pathlib import Path

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 300, 56, 40, 16
# From tokens and loss to a place on the page.
Place = Callable[[float, float], tuple[float, float]]
COLOURS = ("#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626")


def main() -> None:
    out, *files = map(Path, sys.argv[1:])
    out.write_text(chart({file.stem: points(file) for file in files}), encoding="utf-8")


def points(file: Path) -> list[tuple[float, float]]:
    """Millions of tokens, and the loss; the first line is that of one step, and tells nothing."""
    with file.open() as lines:
        return [(float(row["tokens"]) / 1e6, float(row["loss"])) for row in csv.DictReader(lines)][1:]


def chart(curves: dict[str, list[tuple[float, float]]]) -> str:
    """The loss on a logarithmic scale."""
    every = [point for curve in curves.values() for point in curve]
    most = max(tokens for tokens, _ in every)
    low, high = math.log(min(loss for _, loss in every) * 0.9), math.log(max(loss for _, loss in every) * 1.1)

    def place(tokens: float, loss: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - 16) * tokens / most
        return across, TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log(loss)) / (high - low)

    parts = [_line(loss, place) for loss in (0.04, 0.08, 0.16, 0.32) if low < math.log(loss) < high]
    parts += [_tick(tokens, place) for tokens in range(0, int(most) + 1, 50)]
    for number, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in curve))
        parts.append(f'<polyline points="{drawn}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH - 170}" y="{TOP + 16 + 18 * number}" fill="{colour}">{name}</text>')
    inside = "\n".join(parts)
    fonts = 'font-family="sans-serif" font-size="13"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {fonts}>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n{inside}\n</svg>\n'
    )


def _line(loss: float, place: Place) -> str:
    _, y = place(0, loss)
    return (
        f'<line x1="{LEFT}" x2="{WIDTH - 16}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="8" y="{y + 4:.1f}" fill="#555">{loss:.2f}</text>'
    )


def _tick(tokens: float, place: Place) -> str:
    x, _ = place(tokens, 0.1)
    return f'<text x="{x:.1f}" y="{HEIGHT - 14}" text-anchor="middle" fill="#555">{tokens} M tokens</text>'


if __name__ == "__main__":
    main()
