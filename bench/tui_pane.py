"""What the transcript on the screen costs: `python -m bench.tui_pane`.

CPU of a change that the model streams, with nothing and with 1 MB of transcript above it; of opening a session of
10,000 messages; of scrolling and resizing it; and the memory that it holds. Items are drawn as plain wrapped text, so
that it is the pane that is measured. The app runs without a terminal, and changes are fed as the app feeds them: what
Textual does for a frame is in the figures.
"""

import asyncio
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.strip import Strip

from toolpost.tui.drawing.contract import Look, StyleName
from toolpost.tui.item_text import can_fold, source_text
from toolpost.tui.transcript_pane import TranscriptPane
from toolpost.types.events import MessageStart, MessageUpdate
from toolpost.types.messages import Completed, Message, StepFinish, StepStart, TextPart, ToolPart
from toolpost.view.items import Item, TextItem
from toolpost.view.transcript import TranscriptView

CHUNKS = 300
DELTA = "some words of it "
SIZE = (120, 40)


class _Palette:
    code_theme = ""

    def style(self, name: StyleName) -> Style:
        return Style()


class _Drawing:
    """Text cut at the width. Of one that grows only what is new is drawn."""

    def __init__(self, item: Item, look: Look) -> None:
        self._width = look.width
        self._is_folded = can_fold(item) and not look.is_expanded
        self.lines: list[Strip] = []
        self._read = 0
        self._rest = ""
        self.update(item)

    def update(self, item: Item, now: float = 0.0) -> int:
        if isinstance(item, TextItem):
            new = item.source.after(self._read)
            self._read += len(new)
            text = self._rest + new
            same = max(0, len(self.lines) - 1)
        else:
            text, same = source_text(item), 0
        del self.lines[same:]
        for line in text.split("\n"):
            for start in range(0, max(1, len(line)), self._width):
                self._rest = line[start : start + self._width]
                self.lines.append(Strip([Segment(self._rest)] if self._rest else [], len(self._rest)))
        if self._is_folded:
            del self.lines[1:]
        return same


class _PaneApp(App[None]):
    def __init__(self, view: TranscriptView) -> None:
        super().__init__()
        self._view = view
        self.pane = TranscriptPane(_Drawing, Look(80, _Palette()))

    def compose(self) -> ComposeResult:
        yield self.pane

    def on_mount(self) -> None:
        self.pane.show(self._view)


def main() -> None:
    for size in (0, 100_000, 1_000_000):
        for is_reading in (False, True):
            asyncio.run(_stream(size, is_reading=is_reading))
    asyncio.run(_open(10_000))
    for case in ("1 MB", "10,000 messages"):
        asyncio.run(_memory(case))


async def _stream(size: int, *, is_reading: bool) -> None:
    view = TranscriptView("s")
    view.open(_messages(max(2, size // 1_000)) if size else [])
    app, numbers = _PaneApp(view), count(1)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        last = view.ids[-1].rpartition("/")[0] if view.ids else None
        app.pane.apply(
            view.feed(MessageStart(next(numbers), "s", 0.0, Message("m", "assistant", (StepStart(1, "m"),), last)))
        )
        if is_reading:
            app.pane.scroll_lines(-30)
        await pilot.pause()
        applied, began = 0.0, time.process_time()
        for number in range(CHUNKS):
            text = DELTA + ("\n" if number % 8 == 7 else "")
            changes = view.feed(MessageUpdate(next(numbers), "s", 0.0, "m", 1, "text", text))
            start = time.process_time()
            app.pane.apply(changes)
            applied += time.process_time() - start
            # As long as a frame takes: a few turns of the loop.
            await _frame(app)
        whole = time.process_time() - began
    where = "reading above" if is_reading else "at the end"
    print(
        f"chunk, {size / 1e6:.1f} MB above, {where}: {applied / CHUNKS * 1e3:.2f} ms CPU to apply, "
        f"{whole / CHUNKS * 1e3:.2f} ms with painting"
    )


async def _open(messages: int) -> None:
    stored = _messages(messages)
    view = TranscriptView("s")
    with _timed(f"feed the view with {messages} messages"):
        view.open(stored)
    app = _PaneApp(TranscriptView("s"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        with _timed(f"open {messages} messages, {len(view.ids)} items"):
            app.pane.show(view)
            await _frame(app)
        with _timed("100 pages up"):
            for _ in range(100):
                app.pane.action_move_pages(-1)
                await _frame(app)
        with _timed("to the top"):
            app.pane.action_move_home()
            await _frame(app)
        with _timed("10 resizes"):
            for width in range(10):
                await pilot.resize_terminal(60 + width, 40)
                await _frame(app)
        with _timed("search for a word"):
            found = app.pane.search("words")
        print(f"    {found} matches")
        with _timed("go to a match"):
            app.pane.step_match(1)
            await _frame(app)
        with _timed("an item more"):
            app.pane.apply(view.feed(MessageStart(1, "s", 0.0, Message("n", "user", (TextPart("go"),), stored[-1].id))))
            await _frame(app)
        with _timed("prepend 100 messages"):
            app.pane.apply(view.prepend(_messages(100, "e")))
            await _frame(app)


async def _memory(case: str) -> None:
    view = TranscriptView("s")
    view.open(_messages(1_000 if case == "1 MB" else 10_000))
    app = _PaneApp(TranscriptView("s"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        tracemalloc.start()
        app.pane.show(view)
        await _frame(app)
        opened = tracemalloc.get_traced_memory()[0]
        for _ in range(300):
            app.pane.action_move_pages(-1)
            await _frame(app)
        read = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    print(f"memory of the pane, {case}: {opened / 1e6:.1f} MB opened, {read / 1e6:.1f} MB after 300 pages up")


async def _frame(app: _PaneApp) -> None:
    """Until what was changed is painted."""
    painted = asyncio.Event()
    app.call_after_refresh(painted.set)
    await painted.wait()


@contextmanager
def _timed(what: str) -> Iterator[None]:
    began = time.process_time()
    yield
    print(f"{what}: {(time.process_time() - began) * 1e3:.1f} ms CPU")


def _messages(number: int, name: str = "m") -> Sequence[Message]:
    """Prompts and answers with a call, 1 kB each in the middle."""
    found: list[Message] = []
    text = (DELTA * 5 + "\n") * 15
    for at in range(0, number, 2):
        parent = found[-1].id if found else None
        call = ToolPart(f"{name}c{at}", "bash", Completed({"command": "ls"}, (TextPart("row\n" * 100),), 0.0, 1.0))
        parts = (StepStart(1, "m"), call, TextPart(text), StepFinish("stop"))
        found.append(Message(f"{name}p{at}", "user", (TextPart(DELTA * 4),), parent))
        found.append(Message(f"{name}a{at}", "assistant", parts, f"{name}p{at}"))
    return found


if __name__ == "__main__":
    sys.exit(main())
