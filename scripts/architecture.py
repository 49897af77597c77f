"""Draw the rooms of the code, and a call's way through them, from the imports: `python scripts/architecture.py`.

It writes docs/images/rooms.svg and docs/images/call.svg; a test holds both to what the code says.
"""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import grimp

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
# The stations of a call, from the provider's bytes to the result that is stored. Which of them uses which is read from
# the code; a station that no longer exists is an error.
STATIONS = (
    "models.anthropic.stream",
    "models.stream_reader",
    "engine.loop",
    "engine.model_turn",
    "engine.message_draft",
    "engine.turn_calls",
    "engine.call_pipeline",
    "arguments.tool_names",
    "tools.define",
    "arguments.validate",
    "engine.permissions",
    "guard.rules",
    "engine.tool_execution",
    "tools.output",
    "engine.journal",
    "store.contract",
)
# Below everything: drawn, they would hide the rest.
WORDS = ("types", "folders", "fuzzy")
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 136, 34, 26, 58, 20
STYLE = """\
  text { font: 13px system-ui, sans-serif; fill: #1f2430; text-anchor: middle; }
  rect { fill: #eef2fb; stroke: #6b7fb3; }
  path { fill: none; stroke: #8a93a8; stroke-width: 1.2; }
  #arrow path { fill: #8a93a8; stroke: none; }
  .small { font-size: 11px; fill: #5b6478; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9f2; }
    rect { fill: #26304a; stroke: #7f93c9; }
    .small { fill: #a9b2c8; }
  }"""


class Box(NamedTuple):
    x: float
    y: float
    title: str
    note: str = ""


def drawings() -> dict[str, str]:
    """The drawings by their file names, as SVG."""
    graph = grimp.build_graph("toolpost", cache_dir=None)
    return {"rooms.svg": _rooms(graph), "call.svg": _call(graph)}


def _rooms(graph: grimp.ImportGraph) -> str:
    """Packages and which uses which, users above. An arrow that follows from others is left out."""
    uses: dict[str, set[str]] = {}
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            above, below = _room(importer), _room(imported)
            if above and below and above != below:
                uses.setdefault(above, set()).add(below)
    reach = _reach(uses)
    rows: dict[int, list[str]] = {}
    for room in sorted({*uses, *reach}):
        rows.setdefault(_height(room, uses), []).append(room)
    widest = max(map(len, rows.values()))
    boxes: dict[str, Box] = {}
    for height, rooms in rows.items():
        left = MARGIN + (widest - len(rooms)) * (WIDTH + GAP_X) / 2
        for number, room in enumerate(rooms):
            count = sum(_room(module) == room for module in graph.modules)
            y = MARGIN + (max(rows) - height) * (HEIGHT + GAP_Y)
            boxes[room] = Box(left + number * (WIDTH + GAP_X), y, room, f"{count} modules" if count > 1 else "")
    return _svg("The packages of toolpost and their imports", boxes, sorted(_reduced(uses, reach)))


def _call(graph: grimp.ImportGraph) -> str:
    """The stations of a call from top to bottom, a column for each package, and their imports."""
    gone = [name for name in STATIONS if f"toolpost.{name}" not in graph.modules]
    if gone:
        sys.exit(f"scripts/architecture.py: STATIONS names what is not there: {', '.join(gone)}")
    columns = list(dict.fromkeys(name.split(".")[0] for name in STATIONS))
    boxes: dict[str, Box] = {}
    for number, name in enumerate(STATIONS):
        room, _, module = name.partition(".")
        x = MARGIN + columns.index(room) * (WIDTH + GAP_X)
        boxes[name] = Box(x, MARGIN + number * (HEIGHT + 16), f"{number + 1} {module}", room)
    uses = {name: {other for other in STATIONS if _uses(graph, name, other)} for name in STATIONS}
    arrows = sorted(_reduced(uses, _reach(uses)))
    return _svg("A call's way through the modules, and their imports", boxes, arrows)


def _uses(graph: grimp.ImportGraph, name: str, other: str) -> bool:
    return graph.direct_import_exists(importer=f"toolpost.{name}", imported=f"toolpost.{other}")


def _room(module: str) -> str | None:
    """The package below `toolpost` that a module is in."""
    parts = module.split(".")
    return None if len(parts) < 2 or parts[1].startswith("_") or parts[1] in WORDS else parts[1]


def _reach(uses: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """All that a package uses, directly or not."""
    reached: dict[str, set[str]] = {}

    def visit(room: str) -> set[str]:
        if room not in reached:
            reached[room] = set()
            for other in uses.get(room, ()):
                reached[room] |= {other} | visit(other)
        return reached[room]

    for room in uses:
        visit(room)
    return reached


def _reduced(uses: Mapping[str, Collection[str]], reach: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """The arrows that no longer way replaces."""
    for above, rooms in uses.items():
        for below in rooms:
            if not any(below in reach[other] for other in rooms if other != below):
                yield above, below


def _height(room: str, uses: Mapping[str, Collection[str]]) -> int:
    return 1 + max((_height(other, uses) for other in uses.get(room, ())), default=-1)


def _svg(title: str, boxes: Mapping[str, Box], arrows: Sequence[tuple[str, str]]) -> str:
    width = max(box.x for box in boxes.values()) + WIDTH + MARGIN
    height = max(box.y for box in boxes.values()) + HEIGHT + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{STYLE}\n</style>",
        '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z"/></marker>',
        *(_arrow(boxes[above], boxes[below]) for above, below in arrows),
        *(line for box in boxes.values() for line in _box(box)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _box(box: Box) -> Iterator[str]:
    middle = box.x + WIDTH / 2
    yield f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    yield f'<text x="{middle:.0f}" y="{box.y + (15 if box.note else 21):.0f}">{escape(box.title)}</text>'
    if box.note:
        yield f'<text class="small" x="{middle:.0f}" y="{box.y + 28:.0f}">{escape(box.note)}</text>'


def _arrow(start: Box, end: Box) -> str:
    """From below the upper box to above the lower one, or from side to side where it leads up."""
    if end.y > start.y:
        x1, y1, x2, y2 = start.x + WIDTH / 2, start.y + HEIGHT, end.x + WIDTH / 2, end.y - 1
        bend = min(40, (y2 - y1) / 2)
        curve = f"C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f}"
    else:
        x1, y1 = start.x + (WIDTH if end.x > start.x else 0), start.y + HEIGHT / 2
        x2, y2 = end.x + (0 if end.x > start.x else WIDTH), end.y + HEIGHT / 2
        curve = f"C{(x1 + x2) / 2:.0f} {y1:.0f} {(x1 + x2) / 2:.0f} {y2:.0f}"
    return f'<path d="M{x1:.0f} {y1:.0f} {curve} {x2:.0f} {y2:.0f}" marker-end="url(#arrow)"/>'


if __name__ == "__main__":
    for name, text in drawings().items():
        (IMAGES / name).write_text(text, encoding="utf-8")
