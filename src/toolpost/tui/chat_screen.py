"""The screen of the full-screen chat: how its parts are laid out, and which keys Textual has of its own there."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen


class ChatScreen(Screen[None], inherit_bindings=False):
    """Without the keys of Textual's screen that are those of actions here: Shift+Tab changes the mode."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "app.focus_next", show=False)]
    CSS = """
    ChatScreen { background: transparent; layers: base; }
    #body { height: 1fr; background: transparent; }
    #main { width: 1fr; background: transparent; }
    TranscriptPane { height: 1fr; background: transparent; }
    #more, #queue, #note { height: auto; max-height: 6; padding: 0 1; background: transparent; }
    .empty { display: none; }
    """
