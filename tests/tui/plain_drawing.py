"""A plain drawing for tests of the transcript pane: wrapped text, foldable calls, and an app around a pane."""

from contextlib import contextmanager

from rich.cells import split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.strip import Strip

from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.copied_text import CopiedLine
from toolpost.tui.item_text import can_fold, source_text
from toolpost.tui.transcript_pane import TranscriptPane

STYLES = {"selection": Style(bgcolor="#0000ff"), "match": Style(bgcolor="#ffff00"), "accent": Style(bold=True)}


class PlainPalette:
    code_theme = ""

    def style(self, name):
        return STYLES.get(name, Style())


def look(width=40, **more):
    return Look(width, PlainPalette(), **more)


def wrap(text, width):
    """The lines of a text, each with whether it goes on from the one before."""
    lines = []
    for source in text.split("\n"):
        line, used, is_first = "", 0, True
        for start, end, cells in split_graphemes(source)[0]:
            if used + cells > width:
                lines.append((line, not is_first))
                line, used, is_first = "", 0, False
            line += source[start:end]
            used += cells
        lines.append((line, not is_first))
    return lines


def drawn(line):
    return Strip([Segment(line)] if line else [])


class PlainDrawing:
    """The kind and the text of an item. What folds shows only its first line while it does."""

    count = 0

    def __init__(self, item, look):
        PlainDrawing.count += 1
        self.look = look
        self.lines = []
        self._wrapped = []
        self.update(item)

    def update(self, item, now=0.0):
        text = f"{item.kind}: {source_text(item)}"
        wrapped = wrap(text, self.look.width)
        if can_fold(item) and not self.look.is_expanded:
            wrapped = wrapped[:1]
        same = 0
        while same < min(len(wrapped), len(self._wrapped)) and wrapped[same] == self._wrapped[same]:
            same += 1
        self.lines[same:] = [drawn(line) for line, _ in wrapped[same:]]
        self._wrapped = wrapped
        return same

    def copied(self, line):
        return CopiedLine(joint="" if self._wrapped[line][1] else "\n")


class PaneApp(App):
    """A pane alone on the screen; `told` are its messages."""

    def __init__(self, view, draw=PlainDrawing):
        super().__init__()
        self.told = []
        self.pane = TranscriptPane(draw, look())
        self.view = view

    def compose(self):
        yield self.pane

    def on_mount(self):
        self.pane.focus()
        self.pane.show(self.view)

    def on_transcript_pane_earlier_wanted(self, message):
        self.told.append("earlier")

    def on_transcript_pane_item_activated(self, message):
        self.told.append(("activated", message.id))

    def on_transcript_pane_follow_changed(self, message):
        self.told.append(("follow", message.new_lines, message.is_following))

    def on_transcript_pane_copied(self, message):
        self.told.append(("copied", message.text))


def screen(app):
    """The rows of the pane, as they were painted."""
    return [strip.text.rstrip() for strip in app.pane.render_lines(app.pane.size.region)]


@contextmanager
def painted(app):
    """The rows that are painted meanwhile."""
    rows, paint = [], app.pane.render_line

    def note(y):
        rows.append(y)
        return paint(y)

    app.pane.render_line = note
    try:
        yield rows
    finally:
        del app.pane.render_line
