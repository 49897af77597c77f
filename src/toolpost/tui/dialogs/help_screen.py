"""Help: every key with what it does, and every command, with search."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.widgets import Input

from toolpost.fuzzy import fuzzy_match
from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import ACTIONS, AREAS, KeyMap, bind, load_keys, shown_key
from toolpost.view.escape_codes import clean
from toolpost.view.words import words

from .line_input import LineInput
from .line_view import LineView
from .text_lines import DialogLines

# Of one thing: what is typed or said, and what it does.
_Row = tuple[str, str]
_MOST_KEY_COLUMNS = 24


class HelpScreen(ModalScreen[None]):
    """`commands` are those that are typed, by name with what they do."""

    DEFAULT_CSS = """
    HelpScreen {
        background: ansi_default;
        color: ansi_default;
        layout: vertical;
        #help-body { height: 1fr; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("list.up", "scroll_lines(-1)", priority=True),
        bind("list.down", "scroll_lines(1)", priority=True),
        bind("list.page_up", "scroll_pages(-1)", priority=True),
        bind("list.page_down", "scroll_pages(1)", priority=True),
        bind("list.close", "close", priority=True),
    ]

    def __init__(self, look: Look, commands: Mapping[str, str] | None = None, *, keys: KeyMap | None = None) -> None:
        super().__init__()
        self._look, self._commands, self._keys = look, commands or {}, keys or load_keys()

    def compose(self) -> ComposeResult:
        placeholder = words("picker.filter", self._look.language)
        yield LineView(self._head)
        yield LineInput(placeholder=placeholder)
        yield LineView(self._body, id="help-body")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._view.show(self._body)

    @property
    def _view(self) -> LineView:
        return self.query_one("#help-body", LineView)

    def action_scroll_lines(self, by: int) -> None:
        self._view.go_to(self._view.scroll_y + by)

    def action_scroll_pages(self, by: int) -> None:
        self.action_scroll_lines(by * max(1, self._view.size.height - 1))

    def action_close(self) -> None:
        self.dismiss(None)

    def _head(self, width: int) -> DialogLines:
        lines = DialogLines()
        lines.wrap(words("help.title", self._look.language), self._look.palette.style("heading"), width)
        return lines

    def _body(self, width: int) -> DialogLines:
        lines, style = DialogLines(), self._look.palette.style
        query = self.query_one(Input).value
        for title, rows in self._sections():
            found = [row for row in rows if fuzzy_match(query, f"{row[0]} {row[1]}") is not None]
            if not found:
                continue
            if len(lines):
                lines.add()
            lines.wrap(title, style("strong"), width)
            widest = min(_MOST_KEY_COLUMNS, width // 2, max(cell_len(name) for name, _ in found))
            for name, text in found:
                gap = " " * max(0, widest - cell_len(name))
                lines.wrap(text, style("text"), width, first=f"  {name}{gap}  ", rest=" " * (widest + 4))
        if not len(lines):
            lines.wrap(words("picker.nothing", self._look.language), style("dim"), width)
        return lines

    def _sections(self) -> Iterator[tuple[str, Sequence[_Row]]]:
        language = self._look.language
        for area in AREAS:
            rows = [
                (self._keys_of(name), words(f"keys.{name}", language))
                for name, one in ACTIONS.items()
                if one.area == area
            ]
            yield words(f"area.{area}", language), rows
        yield (
            words("help.commands", language),
            [(f"/{clean(name)}", clean(text)) for name, text in self._commands.items()],
        )

    def _keys_of(self, action: str) -> str:
        keys = [shown_key(key) for key in self._keys.keys_of(action)]
        return ", ".join(keys) or words("help.noKey", self._look.language)
