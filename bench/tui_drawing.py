"""What drawing costs in the terminal: `python -m bench.tui_drawing`.

CPU for each 20 characters of an answer that streams, with 0, 100 kB and 1 MB of Markdown above it in the same answer,
and the same for one long paragraph, list, code block and table; the memory of what is drawn; and cards of calls with a
long output, folded and open.
"""

import time
import tracemalloc
from collections.abc import Callable

from toolpost.tui.drawing.contract import Drawing, Look
from toolpost.tui.drawing.items import draw_item
from toolpost.tui.themes import THEMES
from toolpost.types.messages import TextPart
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import CallItem, TextItem

CHUNK = 20
CHUNKS = 500
WIDTH, SCREEN = 100, 40
LOOK = Look(WIDTH, THEMES["dark"])
MIXED = """## A heading about streaming

A paragraph with **bold** words, `code`, a [link](https://example.com/docs) and some 中文字符 in between, which is long
enough to be wrapped a few times on a usual screen, as most paragraphs of models are.

- one point that says something
- another one, with *emphasis*
  - and one below it

```python
def answer(question: str) -> str:
    \"\"\"Think, then say.\"\"\"
    return think(question)[:100]
```

| name | value |
|------|------:|
| a    |     1 |
| b    |    22 |

"""
KINDS = {
    "mixed": MIXED,
    "one paragraph": "Words of a paragraph that never ends, with **bold** ones and `code` here and there. ",
    "one list": "- a point of a list that never ends, with `code`\n",
    "one code block": "    value = compute(first, 'second', 3)  # and so on\n",
    "one table": "| a cell | another, with `code` | 123 |\n",
}
OPENINGS = {"one code block": "```python\n", "one table": "| a | b | c |\n|---|---|---|\n"}


def main() -> None:
    warm = _item("text", MIXED)
    list(draw_item(warm, LOOK).lines)
    sizes = (0, 100_000, 1_000_000)
    print(f"{'ms of CPU a chunk, above it:':32}" + "".join(f"{size // 1000:>10} kB" for size in sizes))
    for name, text in KINDS.items():
        costs = [_chunk_cost(OPENINGS.get(name, ""), text, size) for size in sizes]
        print(f"{name:32}" + "".join(f"{cost * 1e3:>13.2f}" for cost in costs))
    tracemalloc.start()
    item = _item("text", _grown("", MIXED, 1_000_000))
    before = tracemalloc.get_traced_memory()[0]
    drawing = draw_item(item, LOOK)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    print(f"memory of 1 MB of Markdown, drawn: {grown / 1e6:.1f} MB for {len(drawing.lines):,} lines")
    print(f"drawing 1 MB of Markdown at once: {_cpu(lambda: draw_item(item, LOOK)):.2f} s")
    output = "\n".join(f"{number}: a line of output of some length" for number in range(200_000))
    call = CallItem(
        id="m/c", message_id="m", call_id="c", name="bash", phase="done", is_finished=True, content=(TextPart(output),)
    )
    for name, look in (("folded", LOOK), ("open", Look(WIDTH, LOOK.palette, is_expanded=True))):
        seconds = _cpu(lambda look=look: _screen(draw_item(call, look)))
        print(f"a screen of a card with 200,000 lines, {name}: {seconds * 1e3:.1f} ms")


def _chunk_cost(opening: str, text: str, above: int) -> float:
    """CPU for a chunk, with the screen drawn that is seen behind it."""
    source = GrowingText(_grown(opening, text, above))
    item = TextItem(id="m/1", message_id="m", source=source)
    drawing = draw_item(item, LOOK)
    more = _grown("", text, CHUNK * CHUNKS + len(text))
    began = time.process_time()
    for at in range(0, CHUNK * CHUNKS, CHUNK):
        source.add(more[at : at + CHUNK])
        first = drawing.update(item)
        lines = drawing.lines
        lines[max(first, len(lines) - SCREEN) :]
    return (time.process_time() - began) / CHUNKS


def _grown(opening: str, text: str, size: int) -> str:
    return opening + text * (size // len(text))


def _item(id: str, text: str) -> TextItem:
    return TextItem(id=id, message_id="m", source=GrowingText(text))


def _screen(drawing: Drawing) -> None:
    drawing.lines[-SCREEN:]


def _cpu(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return time.process_time() - began


if __name__ == "__main__":
    main()
