"""A widget that scrolls over drawn lines (strips), of which only those in sight are touched."""

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

# Draws everything for a width.
Draw = Callable[[int], Sequence[Strip]]


class LineView(ScrollView, can_focus=False):
    """Shows what a function draws; it draws again when the width changes."""

    DEFAULT_CSS = """
    LineView {
        height: auto;
        background: transparent;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size: 0 0;
    }
    """

    def __init__(self, draw: Draw | None = None, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._draw: Draw = draw or _nothing
        self._drawn: tuple[int, Sequence[Strip]] | None = None
        self._wanted, self._match = "", Style()

    @property
    def lines(self) -> Sequence[Strip]:
        """What is drawn at the width that it has now."""
        return self._lines_at(self._width)

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    @property
    def hidden_below(self) -> int:
        """How many lines are below those in sight."""
        return max(0, len(self.lines) - round(self.scroll_y) - self.size.height)

    def lines_at(self, width: int) -> int:
        """How many lines it has at this width."""
        return len(self._lines_at(width))

    def show(self, draw: Draw, *, is_same: bool = False) -> None:
        """Draw something else, from its beginning; where it is the same thing, from the line that is in sight now."""
        self._draw, self._drawn = draw, None
        if not is_same:
            self.go_to(0)
        if self.is_attached and self._width:
            self.virtual_size = Size(self._width, len(self.lines))
        self.refresh(layout=True)

    def go_to(self, line: float) -> None:
        """Bring this line to the top, as far as there are lines below it."""
        # Forced, because whether there is something to scroll is known only once this was laid out.
        self.scroll_to(0, max(0, line), animate=False, force=True)

    def mark(self, text: str, style: Style) -> None:
        """Show where this text, in lower case, stands; nothing unmarks."""
        if (text, style) != (self._wanted, self._match):
            self._wanted, self._match = text, style
            self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines_at(width))

    def on_resize(self) -> None:
        self.virtual_size = Size(self._width, len(self.lines))

    def render_line(self, y: int) -> Strip:
        lines, at, width = self.lines, round(self.scroll_y) + y, self._width
        base = self.rich_style
        if not 0 <= at < len(lines):
            return Strip.blank(width, base)
        strip = lines[at].crop_extend(0, width, base).apply_style(base)
        if self._wanted:
            strip = _marked(strip, self._wanted, self._match)
        if self.text_selection is not None and (span := self.text_selection.get_span(at)) is not None:
            strip = _selected(strip, span, self.screen.get_component_rich_style("screen--selection"))
        return strip.apply_offsets(0, at)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        return selection.extract("\n".join(strip.text.rstrip() for strip in self.lines)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def _lines_at(self, width: int) -> Sequence[Strip]:
        if self._drawn is None or self._drawn[0] != width:
            self._drawn = (width, self._draw(width) if width > 0 else ())
        return self._drawn[1]


def _nothing(width: int) -> Sequence[Strip]:
    return ()


def _marked(strip: Strip, text: str, style: Style) -> Strip:
    line = strip.text.lower()
    # A few capital letters have small ones of another length: there no place would be right.
    at = line.find(text) if len(line) == len(strip.text) else -1
    while at >= 0:
        strip = _selected(strip, (at, at + len(text)), style)
        at = line.find(text, at + len(text))
    return strip


def _selected(strip: Strip, span: tuple[int, int], style: Style) -> Strip:
    """The strip with a stretch of its characters in this style; an end below zero is that of the line."""
    found: list[Segment] = []
    at = 0
    for text, own, _ in strip:
        first = max(0, min(span[0] - at, len(text)))
        last = len(text) if span[1] < 0 else max(first, min(span[1] - at, len(text)))
        marked = own + style if own else style
        parts = ((text[:first], own), (text[first:last], marked), (text[last:], own))
        found += (Segment(part, look) for part, look in parts if part)
        at += len(text)
    return Strip(found, strip.cell_length)
