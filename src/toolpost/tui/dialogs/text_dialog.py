"""Small dialogs: one line of text with a check of it, and a question with yes or no."""

from collections.abc import Callable
from typing import ClassVar, TypeVar, cast

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.events import Key
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input

from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import bind
from toolpost.view.escape_codes import exact
from toolpost.view.words import words

from .choice_list import Choice, ChoiceList
from .line_input import LineInput
from .line_view import LineView
from .text_lines import DialogLines

# Gives what is wrong with a text, in words for a person; nothing where it is right.
Check = Callable[[str], str]
Result = TypeVar("Result")
BOX_CSS = """
    align: center middle;
    background: transparent;
    & > #box {
        width: 70;
        max-width: 100%;
        height: auto;
        max-height: 100%;
        padding: 0 1;
        border: round ansi_bright_black;
        background: ansi_default;
        color: ansi_default;
    }
"""


def open_dialog(node: Widget, dialog: Screen[Result], done: Callable[[Result | None], None]) -> None:
    """Show a dialog on the screen of a widget; `done` gets what it gives."""
    app_of(node).push_screen(dialog, done)


def app_of(node: Widget) -> App[object]:
    return cast("App[object]", node.app)  # pyright: ignore[reportUnknownMemberType]


class TextDialog(ModalScreen[str | None]):
    """Asks for one line; gives None where it was left."""

    DEFAULT_CSS = f"TextDialog {{ {BOX_CSS} }}"
    BINDINGS: ClassVar[list[BindingType]] = [bind("list.close", "close")]

    def __init__(
        self, title: str, look: Look, *, value: str = "", check: Check | None = None, placeholder: str = ""
    ) -> None:
        super().__init__()
        self._title_text, self._look, self._value, self._check = title, look, value, check
        self._placeholder = placeholder
        self._wrong = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield LineView(self._head, id="text-head")
            yield LineInput(self._value, placeholder=self._placeholder)
            yield LineView(self._below, id="text-below")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._tell("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        wrong = self._check(event.value) if self._check is not None else ""
        if wrong:
            self._tell(wrong)
        else:
            self.dismiss(event.value)

    def action_close(self) -> None:
        self.dismiss(None)

    def _tell(self, wrong: str) -> None:
        if wrong != self._wrong:
            self._wrong = wrong
            self.query_one("#text-below", LineView).show(self._below)

    def _head(self, width: int) -> DialogLines:
        lines = DialogLines()
        lines.wrap(exact(self._title_text), self._look.palette.style("heading"), width)
        return lines

    def _below(self, width: int) -> DialogLines:
        lines, style = DialogLines(), self._look.palette.style
        if self._wrong:
            lines.wrap(exact(self._wrong), style("error"), width)
        else:
            lines.wrap(words("dialog.cancel", self._look.language), style("dim"), width)
        return lines


class ConfirmDialog(ModalScreen[bool]):
    """Asks whether to do something that cannot be taken back; No is marked first."""

    DEFAULT_CSS = f"ConfirmDialog {{ {BOX_CSS} }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("list.close", "answer(False)"),
        bind("list.choose", "choose"),
        bind("list.up", "move(-1)"),
        bind("list.down", "move(1)"),
    ]

    def __init__(self, question: str, look: Look, *, yes: str = "") -> None:
        super().__init__()
        self._question, self._look, self._yes = question, look, yes

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield LineView(self._head)
            yield ChoiceList(self._look, id="confirm")

    def on_mount(self) -> None:
        language = self._look.language
        choices = (
            Choice(words("dialog.no", language), "n"),
            Choice(exact(self._yes) or words("dialog.yes", language), "y"),
        )
        self.query_one(ChoiceList).offer(choices)

    def on_key(self, event: Key) -> None:
        if event.key in ("y", "n"):
            event.stop()
            self.dismiss(event.key == "y")

    def on_choice_list_clicked(self, event: ChoiceList.Clicked) -> None:
        self.dismiss(event.at == 1)

    def action_answer(self, is_sure: bool) -> None:
        self.dismiss(is_sure)

    def action_choose(self) -> None:
        self.dismiss(self.query_one(ChoiceList).at == 1)

    def action_move(self, by: int) -> None:
        self.query_one(ChoiceList).move(by)

    def _head(self, width: int) -> DialogLines:
        lines = DialogLines()
        lines.wrap(exact(self._question), self._look.palette.style("heading"), width)
        return lines
