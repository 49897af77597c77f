"""Choose one of many rows: fuzzy search, a preview beside it, and keys that delete or rename. Only rows in sight are
drawn, so that a list of thousands is as quick as a short one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input

from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import KeyMap, bind, load_keys
from toolpost.types.errors import ToolpostError
from toolpost.view.escape_codes import clean
from toolpost.view.words import fill, words

from .line_input import LineInput
from .line_view import LineView
from .row_match import FoundRow, FoundRows, PickerRow, RowMatches
from .text_dialog import ConfirmDialog, TextDialog, open_dialog
from .text_lines import DialogLines, Pieces, cut, strip_of

__all__ = ["Picker", "PickerRow", "RowAction"]

Preview = Callable[[str], Awaitable[Sequence[Strip] | str]]
# A preview is asked for once the choice has stayed for so long: whoever holds the arrow key asks for none.
PREVIEW_SECONDS = 0.05
_WIDE_COLUMNS = 90
_HIGH_LINES = 24


class RowAction(Struct, frozen=True):
    """What else can be done with a row, by the key of an action of the table: `list.delete`, `list.rename`.

    `run` gets the row and the text that was asked for, and gives the new rows, or None where they stay. `confirm` is
    asked before, `input` is the title of a line of text; `{label}` in them is the row's. A `ToolpostError` is shown.
    """

    name: str
    help: str
    run: Callable[[PickerRow, str], Awaitable[Sequence[PickerRow] | None]]
    confirm: str = ""
    input: str = ""


class Picker(ModalScreen[str | None]):
    """Gives the id of the chosen row, or None."""

    DEFAULT_CSS = """
    Picker {
        align: center middle;
        background: transparent;
        #box {
            width: 90%;
            max-width: 130;
            height: 85%;
            padding: 0 1;
            border: round ansi_bright_black;
            background: ansi_default;
            color: ansi_default;
        }
        &.-narrow #box { width: 100%; height: 100%; }
        #panes { height: 1fr; layout: horizontal; }
        &.-narrow #panes { layout: vertical; }
        #preview { display: none; width: 1fr; height: 1fr; overflow-y: auto; margin-left: 1; }
        &.-preview #preview { display: block; }
        &.-narrow #preview { margin-left: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("list.up", "move(-1)", priority=True),
        bind("list.down", "move(1)", priority=True),
        bind("list.page_up", "page(-1)", priority=True),
        bind("list.page_down", "page(1)", priority=True),
        bind("list.first", "go(0)", priority=True),
        bind("list.last", "go(-1)", priority=True),
        bind("list.choose", "choose"),
        bind("list.delete", "extra('list.delete')", priority=True),
        bind("list.rename", "extra('list.rename')", priority=True),
        bind("list.other", "extra('list.other')", priority=True),
        bind("list.close", "close", priority=True),
    ]

    def __init__(
        self,
        rows: Sequence[PickerRow],
        look: Look,
        *,
        title: str = "",
        preview: Preview | None = None,
        actions: Sequence[RowAction] = (),
        query: str = "",
        keys: KeyMap | None = None,
    ) -> None:
        super().__init__()
        self._look, self._keys = look, keys or load_keys()
        self._title_text, self._preview, self._first_query = title, preview, query
        self._actions = {action.name: action for action in actions}
        self._matches = RowMatches(rows)
        self._problem = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield LineView(self._head, id="head")
            yield LineInput(self._first_query, placeholder=words("picker.filter", self._look.language))
            with Horizontal(id="panes"):
                yield _Rows(self._look, id="rows")
                yield LineView(id="preview")
            yield LineView(self._hint, id="hint")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))
        current = next((row.id for row in self._matches.rows if row.is_current), "")
        self._filter(current)

    def on_resize(self, event: Resize) -> None:
        is_wide = event.size.width >= _WIDE_COLUMNS
        self.set_class(not is_wide, "-narrow")
        self.set_class(self._preview is not None and (is_wide or event.size.height >= _HIGH_LINES), "-preview")

    def use_rows(self, rows: Sequence[PickerRow]) -> None:
        """Other rows; what was marked stays marked, or what takes its place."""
        self._matches = RowMatches(rows)
        self._filter(self._rows.chosen_id, self._rows.at)

    @property
    def chosen(self) -> PickerRow | None:
        """The marked row."""
        return self._rows.chosen

    @property
    def shown_rows(self) -> Sequence[PickerRow]:
        """Those that match, the best first."""
        return self._rows.found.rows

    @property
    def _rows(self) -> "_Rows":
        return self.query_one(_Rows)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._filter()

    def _filter(self, keep: str = "", at: int = 0) -> None:
        self._searched = self.query_one(Input).value
        self._rows.use(self._matches.find(self._searched), keep, at)
        self._problem = ""
        self._draw_edges()

    def _draw_edges(self) -> None:
        self.query_one("#head", LineView).show(self._head)
        self.query_one("#hint", LineView).show(self._hint)

    def _head(self, width: int) -> DialogLines:
        lines, style, language = DialogLines(), self._look.palette.style, self._look.language
        found = self.query("#rows").first(_Rows).found
        count = words("picker.count", language, count=f"{len(found):,}", all=f"{len(self._matches):,}")
        title = cut(clean(self._title_text), max(0, width - cell_len(count) - 2))
        lines.add(
            (title, style("heading")), (" " * (width - cell_len(title + count)), style("text")), (count, style("dim"))
        )
        return lines

    def _hint(self, width: int) -> DialogLines:
        lines, style = DialogLines(), self._look.palette.style
        if self._problem:
            lines.wrap(clean(self._problem), style("error"), width)
        elif hints := [
            f"{self._keys.shown(name)} {action.help}"
            for name, action in self._actions.items()
            if self._keys.keys_of(name)
        ]:
            lines.add((cut(" · ".join(hints), width), style("dim")))
        return lines

    # Preview.

    def on__rows_marked(self) -> None:
        row = self.chosen
        if self._preview is not None and row is not None:
            # A newer one ends this one: an answer that comes too late is never shown.
            self.run_worker(self._show_preview(self._preview, row.id), group="preview", exclusive=True)
        else:
            self.query_one("#preview", LineView).show(lambda width: ())

    async def _show_preview(self, preview: Preview, row_id: str) -> None:
        await asyncio.sleep(PREVIEW_SECONDS)
        try:
            found = await preview(row_id)
        except ToolpostError as error:
            found = words("picker.failed", self._look.language, text=str(error))
        if self.chosen is not None and self.chosen.id == row_id:
            self.query_one("#preview", LineView).show(self._preview_lines(found))

    def _preview_lines(self, found: Sequence[Strip] | str) -> Callable[[int], Sequence[Strip]]:
        if not isinstance(found, str):
            return lambda width: found

        def draw(width: int) -> DialogLines:
            lines = DialogLines()
            lines.wrap(clean(found), self._look.palette.style("text"), width)
            return lines

        return draw

    # Keys and clicks.

    def action_move(self, by: int) -> None:
        self._rows.move(by)

    def action_page(self, by: int) -> None:
        self._rows.move(by * max(1, self._rows.size.height - 1), is_around=False)

    def action_go(self, at: int) -> None:
        self._rows.mark(at if at >= 0 else len(self._rows.found) - 1)

    def action_choose(self) -> None:
        if self._searched != self.query_one(Input).value:
            # Whoever types fast is ahead of the list, and means a row of what was typed.
            self._filter()
        if self.chosen is not None:
            self.dismiss(self.chosen.id)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter comes by way of the search: it has taken all letters by then that were typed before."""
        event.stop()
        self.action_choose()

    def action_close(self) -> None:
        self.dismiss(None)

    def on__rows_clicked(self, event: "_Rows.Clicked") -> None:
        self._rows.mark(event.at)
        self.action_choose()

    def action_extra(self, name: str) -> None:
        row, action = self.chosen, self._actions.get(name)
        if row is None or action is None:
            return
        if action.confirm:
            question = fill(action.confirm, {"label": row.label})
            open_dialog(
                self,
                ConfirmDialog(question, self._look, yes=action.help),
                lambda is_sure: self._start(action, row, "") if is_sure else None,
            )
        elif action.input:
            open_dialog(
                self,
                TextDialog(fill(action.input, {"label": row.label}), self._look, value=row.label),
                lambda text: self._start(action, row, text) if text is not None else None,
            )
        else:
            self._start(action, row, "")

    def _start(self, action: RowAction, row: PickerRow, text: str) -> None:
        self.run_worker(self._run(action, row, text), group="extra")

    async def _run(self, action: RowAction, row: PickerRow, text: str) -> None:
        try:
            rows = await action.run(row, text)
        except ToolpostError as error:
            self._problem = str(error)
            self._draw_edges()
            return
        if rows is not None:
            self.use_rows(rows)


class _Rows(ScrollView, can_focus=False):
    """The rows that match, one on each line."""

    DEFAULT_CSS = """
    _Rows {
        width: 1fr;
        height: 1fr;
        background: transparent;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """
    ALLOW_SELECT = False

    class Marked(Message):
        """Another row is marked."""

    class Clicked(Message):
        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, look: Look, *, id: str) -> None:
        super().__init__(id=id)
        self._look = look
        self.found = RowMatches(()).find("")
        self.at = 0

    @property
    def chosen(self) -> PickerRow | None:
        return self.found[self.at].row if 0 <= self.at < len(self.found) else None

    @property
    def chosen_id(self) -> str:
        return self.chosen.id if self.chosen is not None else ""

    def use(self, found: FoundRows, keep: str = "", at: int = 0) -> None:
        """Show these. The row `keep` is marked, or else the one at this place."""
        kept = next((place for place, row in enumerate(found.rows) if row.id == keep), None) if keep else None
        self.found = found
        self.virtual_size = Size(self.scrollable_content_region.width, max(1, len(found)))
        self.mark(kept if kept is not None else at, is_new=True)
        self.refresh()

    def mark(self, at: int, *, is_new: bool = False) -> None:
        before, self.at = self.at, max(0, min(at, len(self.found) - 1))
        self._keep_in_sight()
        if is_new or before != self.at:
            self.refresh_line(before)
            self.refresh_line(self.at)
            self.post_message(self.Marked())

    def move(self, by: int, *, is_around: bool = True) -> None:
        if self.found:
            at = self.at + by
            self.mark(at % len(self.found) if is_around else at)

    def on_resize(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, max(1, len(self.found)))
        self._keep_in_sight()

    def on_click(self, event: Click) -> None:
        at = round(self.scroll_y) + event.y
        if at < len(self.found):
            self.post_message(self.Clicked(at))

    def render_line(self, y: int) -> Strip:
        at, width, base = round(self.scroll_y) + y, self.scrollable_content_region.width, self.rich_style
        if at < len(self.found):
            strip = strip_of(self._pieces(self.found[at], width, is_marked=at == self.at))
        elif at == 0:
            text = words("picker.nothing", self._look.language)
            strip = strip_of([(cut(text, width), self._look.palette.style("dim"))])
        else:
            return Strip.blank(width, base)
        return strip.crop_extend(0, width, base).apply_style(base)

    def _keep_in_sight(self) -> None:
        height, top = self.size.height, round(self.scroll_y)
        if not height:
            return
        if self.at < top:
            self.scroll_to(0, self.at, animate=False, force=True)
        elif self.at >= top + height:
            self.scroll_to(0, self.at - height + 1, animate=False, force=True)

    def _pieces(self, found: FoundRow, width: int, *, is_marked: bool) -> Pieces:
        style = self._look.palette.style
        label_style = style("accent" if is_marked else "text")
        pieces: list[tuple[str, Style]] = [("> " if is_marked else "  ", style("accent"))]
        if found.row.is_current:
            pieces.append(("* ", style("success")))
        left = width - sum(cell_len(text) for text, _ in pieces)
        label = cut(found.label, left)
        pieces += _highlighted(label, found.in_label, label_style, label_style + style("match"))
        left -= cell_len(label) + 2
        if found.detail and left > 3:
            detail = cut(found.detail, left)
            pieces.append(("  ", label_style))
            pieces += _highlighted(detail, found.in_detail, style("dim"), style("dim") + style("match"))
        return pieces


def _highlighted(text: str, places: Sequence[int], plain: Style, marked: Style) -> list[tuple[str, Style]]:
    """The pieces of a text with the letters at these places in another style."""
    wanted = {at for at in places if at < len(text)}
    pieces: list[tuple[str, Style]] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or (at in wanted) != (start in wanted):
            pieces.append((text[start:at], marked if start in wanted else plain))
            start = at
    return pieces
