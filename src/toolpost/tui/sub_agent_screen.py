"""The transcript of a sub-agent: looked at while it works, and left with Esc. What it asks is asked in front."""

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import Static

from toolpost.view.changes import Changes
from toolpost.view.escape_codes import exact_line
from toolpost.view.items import CallItem
from toolpost.view.transcript import TranscriptView
from toolpost.view.words import words

from .drawing.items import draw_item
from .transcript_pane import TranscriptPane

if TYPE_CHECKING:
    from .app import TerminalApp


class SubAgentScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss", "")]
    CSS = """
    SubAgentScreen { background: transparent; }
    SubAgentScreen TranscriptPane { height: 1fr; background: transparent; }
    SubAgentScreen #about { height: 1; padding: 0 1; background: transparent; }
    """

    def __init__(self, view: TranscriptView, face: "TerminalApp") -> None:
        super().__init__()
        self._view = view
        self._face = face

    def compose(self) -> ComposeResult:
        yield Static(self._about(), id="about", markup=False)
        yield TranscriptPane(draw_item, self._face.look)

    def on_mount(self) -> None:
        pane = self.query_one(TranscriptPane)
        pane.show(self._view)
        pane.focus()

    @property
    def session_id(self) -> str:
        return self._view.session_id

    def apply(self, changes: Changes) -> None:
        self.query_one(TranscriptPane).apply(changes)
        self.query_one("#about", Static).update(self._about())

    def on_transcript_pane_item_activated(self, event: TranscriptPane.ItemActivated) -> None:
        event.stop()
        item = self._view.item(event.id)
        if isinstance(item, CallItem) and item.sub_agent is not None:
            self._face.work(self._face.enter_sub_agent(item.sub_agent.session_id))
        else:
            self.query_one(TranscriptPane).toggle(event.id)

    def on_transcript_pane_copied(self, event: TranscriptPane.Copied) -> None:
        self._face.copy_to_clipboard(event.text)

    def _about(self) -> str:
        name = exact_line(self._view.facts.agent)
        about = words("tool.subAgent", self._face.language, name=name)
        return f"{about}  ·  {words('sub_agent.back', self._face.language)}"
