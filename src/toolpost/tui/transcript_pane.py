"""The transcript of a session on the screen: scroll, follow the end, fold, choose items, select and copy text, search.

One widget paints all lines (`render_line`), however long the session is: what is drawn of the items is in
`drawn_items.py`, which lines are on the screen in `viewport.py`. After each change the rows of the screen are compared
with those that were painted last, and only the ones that differ are painted again.
"""

import time
from typing import ClassVar

from msgspec import structs
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from toolpost.tui.drawing.contract import Look
from toolpost.view.changes import Changes
from toolpost.view.transcript import TranscriptView

from .drawn_items import DrawItem, DrawnItem, DrawnItems
from .item_text import can_fold, written_text
from .keys import bind
from .mouse_select import MouseSelect
from .painted_rows import Mark, PaintedRow, changed_rows, highlighted
from .text_selection import Spot, TextSelection
from .transcript_search import TranscriptSearch
from .viewport import Viewport

# In front of each line: the mark of the chosen item. Behind it: a column between text and scrollbar.
GUTTER, MARGIN = 2, 1
CURRENT_MATCH = Style(bold=True, underline=True)
# Lines that the wheel scrolls.
WHEEL_LINES = 3


class TranscriptPane(ScrollView, can_focus=True, inherit_bindings=False):
    """Give it a view with `show`, then everything that feeding the view returns with `apply`."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    TranscriptPane {
        background: transparent;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("transcript.up", "move(-1)"),
        bind("transcript.down", "move(1)"),
        bind("transcript.page_up", "move_pages(-1)"),
        bind("transcript.page_down", "move_pages(1)"),
        bind("transcript.first", "move_home"),
        bind("transcript.last", "move_end"),
        bind("transcript.previous", "step_item(-1)"),
        bind("transcript.next", "step_item(1)"),
        bind("transcript.open", "activate"),
        bind("transcript.fold"),
        bind("transcript.select", "select_lines"),
        bind("transcript.copy"),
        bind("transcript.leave", "leave_selection"),
    ]

    class EarlierWanted(Message):
        """The top is reached. Comes once, until there are items in front of that."""

    class ItemActivated(Message):
        def __init__(self, id: str) -> None:
            super().__init__()
            self.id = id

    class FollowChanged(Message):
        """`new_lines` are below the screen and came since it followed the end last."""

        def __init__(self, new_lines: int, is_following: bool) -> None:
            super().__init__()
            self.new_lines = new_lines
            self.is_following = is_following

    class Copied(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, draw: DrawItem, look: Look, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.copies_on_select = True
        self._items = DrawnItems(draw, look)
        self._viewport = Viewport(self._items)
        self._view: TranscriptView | None = None
        self._chosen: DrawnItem | None = None
        self._selection: TextSelection | None = None
        self._mouse = MouseSelect(self)
        self._search: TranscriptSearch | None = None
        self._match: Spot | None = None
        self._rows: list[PaintedRow] = []
        self._asked_above: DrawnItem | None = None
        self._told: tuple[int, bool] = (0, True)

    @property
    def chosen(self) -> str:
        """The id of the item under the keyboard cursor; nothing for none."""
        return self._chosen.id if self._chosen is not None else ""

    @property
    def is_following(self) -> bool:
        return self._viewport.is_following

    def show(self, view: TranscriptView) -> None:
        """Begin with a transcript, at its end."""
        self._view = view
        self._items.clear()
        self._viewport.restart()
        self._chosen = self._selection = self._match = self._asked_above = None
        self._items.order(view)
        self._update()

    def apply(self, changes: Changes) -> None:
        """Take over what feeding the view has changed; several changes may be joined."""
        view = self._view
        if view is None:
            return
        self._items.apply(view, changes, time.time())
        self._update()

    def tick(self, now: float = 0.0) -> None:
        """Draw anew what shows the time that something takes, of the items on the screen."""
        for entry in {row.entry for row in self._rows if not row.entry.item.is_finished}:
            self._items.update(entry.item, now or time.time())
        self._update()

    def use_look(self, look: Look) -> None:
        """Draw all with other colours or words. The width is the pane's own."""
        self._viewport.use_look(structs.replace(look, width=self._text_width or look.width))
        self._selection = None
        self._update(is_all_new=True)

    def toggle(self, id: str = "") -> None:
        """Fold or unfold an item, or the chosen one."""
        entry = self._items.entry(id) if id else self._chosen
        if entry is not None and can_fold(entry.item):
            self._fold(entry, is_expanded=not self._items.is_expanded(entry))
            self._update()

    def toggle_all(self) -> None:
        """Unfold everything, or fold everything where nothing is folded."""
        is_following = self._viewport.is_following
        self._viewport.hold()
        self._selection = None
        self._items.expand_all(self._items.any_folded())
        if is_following:
            self._viewport.follow()
        self._update()

    def follow(self) -> None:
        """Jump to the end and stay there."""
        self._viewport.follow()
        self._update()

    def choose(self, id: str) -> None:
        self._chosen = self._items.entry(id)
        self._update()

    def action_step_item(self, by: int) -> None:
        """Choose the item before or after the chosen one, or one on the screen, and scroll to it."""
        entry = self._next_item(by)
        if entry is None:
            return
        self._chosen = entry
        fits = entry.height <= self._viewport.height
        self._viewport.reveal(entry, entry.height - 1 if by > 0 and fits else 0)
        self._viewport.reveal(entry, 0)
        self._update()

    def scroll_lines(self, by: int) -> None:
        self._viewport.scroll_by(by)
        self._update()

    def spot_at(self, x: int, y: int) -> Spot | None:
        """The cell of a line at a place of the screen, or the nearest."""
        rows = self._viewport.rows
        if not rows:
            return None
        entry, line = rows[max(0, min(y, len(rows) - 1))]
        return Spot(entry, line, max(0, x - GUTTER))

    def select_to(self, start: Spot, end: Spot) -> None:
        self._selection = TextSelection(self._items, start)
        self._selection.head = end
        self._update()

    def search(self, text: str) -> int:
        """Show the matches of a text, without regard to case; returns how many there are.
        `step_match` goes to them."""
        self._search = TranscriptSearch(text) if text.strip() else None
        self._match = None
        self.refresh()
        if self._search is None:
            return 0
        return self._search.count(self._items)

    def step_match(self, by: int) -> bool:
        """Go to the next match, or to the one before, around the ends; unfold the item that has it. The first is looked
        for from what is on the screen. False if there is none."""
        if self._search is None:
            return False
        begin = self._match
        if begin is None:
            entry, line = self._viewport.rows[0] if self._viewport.rows else (None, 0)
            if entry is None:
                return False
            begin = Spot(entry, line, -1)
        found = self._search.step(self._items, begin, by)
        if found is None:
            return False
        self._match = found
        self._fold(found.entry, is_expanded=True)
        self._viewport.settle()
        self._viewport.reveal(found.entry, found.line, is_centred=True)
        self._update(is_all_new=True)
        return True

    def clear_search(self) -> None:
        self._search = self._match = None
        self.refresh()

    def selected_text(self) -> str:
        selection = self._selection
        return selection.text() if selection is not None and selection.is_there else ""

    def item_text(self, id: str) -> str:
        """What an item says: as the model or the person wrote it, else as it is drawn unfolded."""
        entry = self._items.entry(id)
        if entry is None:
            return ""
        return written_text(entry.item) or self._items.drawn_text(entry.item)

    def plain_text(self, last: int | None = None) -> str:
        """The whole transcript as it is drawn, without styles, or only its last lines."""
        return "\n".join(self._items.plain_lines() if last is None else self._items.last_plain_lines(last))

    def action_move(self, by: int) -> None:
        if self._selection is not None and self._selection.unit == "line":
            self._lead_selection(by)
        else:
            self.scroll_lines(by)

    def action_move_pages(self, by: int) -> None:
        # One line stays, to see where one is.
        self.action_move(by * max(1, self._viewport.height - 1))

    def action_move_home(self) -> None:
        self._viewport.go_to(0)
        self._update()
        self._lead_selection_to(0)

    def action_move_end(self) -> None:
        self.follow()
        self._lead_selection_to(-1)

    def action_activate(self) -> None:
        if self._chosen is None:
            raise SkipAction
        self.post_message(self.ItemActivated(self._chosen.id))

    def action_fold(self) -> None:
        self.toggle()

    def action_select_lines(self) -> None:
        """Begin to select lines with the keyboard: at the chosen item, or at the last line on the screen."""
        rows = self._viewport.rows
        if not rows:
            return
        entry, line = next((row for row in rows if row[0] is self._chosen), rows[-1])
        self._selection = TextSelection(self._items, Spot(entry, line, 0), "line")
        self._update()

    def action_copy(self) -> None:
        """Copy what is selected, or else the chosen item."""
        text = self.selected_text() or self.item_text(self.chosen)
        if not text:
            raise SkipAction
        self._select(None)
        self.post_message(self.Copied(text))

    def action_leave_selection(self) -> None:
        if self._selection is None:
            raise SkipAction
        self._select(None)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if y >= len(self._rows):
            return Strip.blank(width)
        row = self._rows[y]
        lines = self._items.lines(row.entry)
        strip = lines[row.line] if row.line < len(lines) else Strip([])
        palette = self._items.look.palette
        marked = self._matches(row)
        if row.span is not None:
            marked.append((*row.span, palette.style("selection")))
        mark = ("▌ " if self._items.look.has_unicode else "> ") if row.is_chosen else "  "
        gutter = Strip([Segment(mark, palette.style("accent"))], GUTTER)
        return Strip.join((gutter, highlighted(strip, marked))).crop_extend(0, width, None)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Which lines are shown is decided by the viewport; this number only follows."""
        if self.show_vertical_scrollbar:
            self.vertical_scrollbar.position = new_value

    def _scroll_to(self, x: float | None = None, y: float | None = None, **_: object) -> bool:
        """All of Textual's ways to scroll end here, the scrollbar's too."""
        before = self._viewport.top
        if y is not None and y >= self.max_scroll_y:
            self.follow()
        elif y is not None:
            self._viewport.go_to(round(y))
            self._update()
        return self._viewport.top != before

    def on_mount(self) -> None:
        self._refresh_scrollbars()
        self._fit()

    def on_resize(self) -> None:
        self._fit()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(-WHEEL_LINES)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(WHEEL_LINES)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        spot = self.spot_at(event.x, event.y)
        if event.button == 1 and spot is not None:
            self.capture_mouse()
            self._mouse.press(spot)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._mouse.is_pressed:
            self._mouse.move(event.x, event.y, self._viewport.height)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if self._mouse.is_pressed:
            self._mouse.release()
            self.release_mouse()
            if self._mouse.was_dragged:
                self._offer_copy()

    def on_click(self, event: events.Click) -> None:
        spot = self.spot_at(event.x, event.y)
        if self._mouse.was_dragged or spot is None or event.button != 1:
            return
        event.stop()
        is_head = spot.line == self._items.head_line(spot.entry)
        if is_head and can_fold(spot.entry.item):
            self._selection = None
            self._chosen = spot.entry
            self.toggle(spot.entry.id)
        elif event.chain > 1:
            self._select(TextSelection(self._items, spot, "word" if event.chain == 2 else "paragraph"))
            self._offer_copy()
        else:
            self._chosen = spot.entry
            self._select(None)
            if is_head:
                self.post_message(self.ItemActivated(spot.entry.id))

    @property
    def _text_width(self) -> int:
        width = self.scrollable_content_region.width
        return max(1, width - GUTTER - MARGIN) if width else 0

    def _fit(self) -> None:
        """Take over the size of the widget."""
        self._viewport.height = self.scrollable_content_region.height
        width = self._text_width
        if width and width != self._items.look.width:
            self._viewport.use_look(structs.replace(self._items.look, width=width))
            self._selection = self._match = None
        self._update(is_all_new=True)

    def _update(self, *, is_all_new: bool = False) -> None:
        """Bring the screen up to date with the items."""
        if self._viewport.height <= 0:
            return
        self._viewport.settle()
        if self._selection is not None and not self._selection.is_there:
            self._selection = None
        if self._chosen is not None and not self._items.has(self._chosen):
            self._chosen = None
        if self._match is not None and not self._items.has(self._match.entry):
            self._match = None
        self._place_scrollbar()
        self._repaint(is_all_new=is_all_new)
        self._tell()

    def _repaint(self, *, is_all_new: bool) -> None:
        before = self._rows
        select = self._selection
        rows = self._rows = [
            PaintedRow(
                entry,
                line,
                select.span(entry, line) if select is not None else None,
                entry is self._chosen and line < len(self._items.lines(entry)),
            )
            for entry, line in self._viewport.rows
        ]
        if is_all_new:
            self.refresh()
        else:
            width = self.size.width
            for first, end in changed_rows(before, rows, is_searching=self._search is not None):
                self.refresh(Region(0, first, width, end - first))
        for row in rows:
            row.entry.changed_from = None

    def _place_scrollbar(self) -> None:
        size = Size(self._text_width, self._items.height)
        top = self._viewport.top
        # Set without Textual's watchers: these would lay the screen out and paint all of this widget.
        self.set_reactive(Widget.virtual_size, size)  # pyright: ignore[reportArgumentType]
        self.set_reactive(Widget.scroll_target_y, top)  # pyright: ignore[reportArgumentType]
        self.set_scroll(None, top)
        if self.show_vertical_scrollbar:
            bar = self.vertical_scrollbar
            bar.window_virtual_size, bar.window_size, bar.position = size.height, self._viewport.height, top

    def _tell(self) -> None:
        now = self._viewport.new_lines(), self._viewport.is_following
        if now != self._told:
            self._told = now
            self.post_message(self.FollowChanged(*now))
        first = self._items.entries[0] if self._items.entries else None
        if first is not None and self._viewport.top == 0 and first is not self._asked_above:
            self._asked_above = first
            self.post_message(self.EarlierWanted())

    def _fold(self, entry: DrawnItem, *, is_expanded: bool) -> None:
        if self._items.is_expanded(entry) == is_expanded:
            return
        # Also at the end: the line that was clicked on stays where it is.
        self._viewport.hold()
        self._selection = None
        self._items.expand(entry, is_expanded)
        rows = self._viewport.rows
        if not is_expanded and rows and rows[0][0] is entry:
            self._viewport.go_to(self._items.start(entry))

    def _next_item(self, by: int) -> DrawnItem | None:
        if self._chosen is None:
            rows = self._viewport.rows
            return rows[0 if by > 0 else -1][0] if rows else None
        return self._items.neighbour(self._chosen, by)

    def _matches(self, row: PaintedRow) -> list[Mark]:
        drawing = self._items.drawing(row.entry)
        if self._search is None or row.line >= len(drawing.lines):
            return []
        style = self._items.look.palette.style("match")
        return [
            (start, end, style + CURRENT_MATCH if (row.entry, row.line, start) == self._match else style)
            for start, end in self._search.spans(drawing, row.line)
        ]

    def _select(self, selection: TextSelection | None) -> None:
        self._selection = selection
        self._update()

    def _lead_selection_to(self, row: int) -> None:
        """With the keyboard, to the first or the last line on the screen."""
        if self._selection is not None and self._selection.unit == "line":
            self._selection.head = Spot(*self._viewport.rows[row], 0)
            self._update()

    def _lead_selection(self, by: int) -> None:
        assert self._selection is not None
        head = self._selection.head
        entry, line = self._viewport.step(head.entry, head.line, by)
        self._selection.head = Spot(entry, line, 0)
        self._viewport.reveal(entry, line)
        self._update()

    def _offer_copy(self) -> None:
        text = self.selected_text()
        if text and self.copies_on_select:
            self.post_message(self.Copied(text))
