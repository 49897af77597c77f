"""An approval on the whole screen: its diff, or else all of its lines."""

from textual.app import ComposeResult
from textual.screen import ModalScreen

from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import KeyMap
from toolpost.view.approvals import DiffPreview, approval_of
from toolpost.view.items import ApprovalItem

from .approval_lines import approval_lines, approval_title, rule_lines
from .diff_screen import DiffScreen, ScrolledScreen, Whole, preview_files
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


class ApprovalScreen(ScrolledScreen):
    def __init__(self, ask: ApprovalItem, look: Look) -> None:
        super().__init__()
        self._ask, self._look = ask, look

    def compose(self) -> ComposeResult:
        yield LineView(self._head)
        yield LineView(self._body, id="body")

    def _head(self, width: int) -> DialogLines:
        lines = DialogLines()
        lines.wrap(approval_title(self._ask, self._look), self._look.palette.style("heading"), width)
        return lines

    def _body(self, width: int) -> DialogLines:
        lines = approval_lines(self._ask, self._look, width)
        lines.append(rule_lines(self._ask, self._look, width))
        return lines
