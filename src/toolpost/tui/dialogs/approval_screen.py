"""An approval on the whole screen: its diff, or else all of its lines."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import KeyMap, bind
from toolpost.view.approvals import DiffPreview, approval_of
from toolpost.view.items import ApprovalItem

from .approval_lines import approval_lines, approval_title, rule_lines
from .diff_screen import DiffScreen, Whole, preview_files
from .line_view import LineView
from .text_lines import DialogLines


def approval_screen(
    ask: ApprovalItem, look: Look, *, whole: Whole | None = None, keys: KeyMap | None = None
) -> ModalScreen[None]:
    """What to show for `AskPanel.DiffWanted`."""
    preview = approval_of(ask).preview
    if isinstance(preview, DiffPreview):
        return DiffScreen(preview_files(preview), look, whole=whole, keys=keys)
    return ApprovalScreen(ask, look)


class ApprovalScreen(ModalScreen[None]):
    DEFAULT_CSS = """
    ApprovalScreen {
        background: ansi_default;
        color: ansi_default;
        layout: vertical;
        #approval-body { height: 1fr; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("diff.up", "scroll_by(-1)"),
        bind("diff.down", "scroll_by(1)"),
        bind("diff.page_up", "scroll_pages(-1)"),
        bind("diff.page_down", "scroll_pages(1)"),
        bind("diff.first", "scroll_by(-1000000000)"),
        bind("diff.last", "scroll_by(1000000000)"),
        bind("diff.close", "close"),
    ]

    def __init__(self, ask: ApprovalItem, look: Look) -> None:
        super().__init__()
        self._ask, self._look = ask, look

    def compose(self) -> ComposeResult:
        yield LineView(self._head)
        yield LineView(self._body, id="approval-body")

    def action_scroll_by(self, by: int) -> None:
        view = self.query_one("#approval-body", LineView)
        view.go_to(view.scroll_y + by)

    def action_scroll_pages(self, by: int) -> None:
        self.action_scroll_by(by * max(1, self.query_one("#approval-body").size.height - 1))

    def action_close(self) -> None:
        self.dismiss(None)

    def _head(self, width: int) -> DialogLines:
        lines = DialogLines()
        lines.wrap(approval_title(self._ask, self._look), self._look.palette.style("heading"), width)
        return lines

    def _body(self, width: int) -> DialogLines:
        lines = approval_lines(self._ask, self._look, width)
        lines.append(rule_lines(self._ask, self._look, width))
        return lines
